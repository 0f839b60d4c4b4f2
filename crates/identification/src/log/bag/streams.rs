//! What a bag tells: a first look at its messages finds the signals and how they become columns.

use std::collections::HashMap;

use super::cdr::{JointState, WrenchStamped};
use super::messages::{MessageSource, Topic, TopicKind};
use crate::error::LogError;
use crate::log::arrays::WRENCH;
use crate::log::reader::LogOptions;

/// Messages of a topic that are looked at before it is believed to tell nothing else.
const LOOK: usize = 200;

/// The signals of a bag; the first one's clock leads.
pub(crate) struct Streams {
    pub(crate) signals: Vec<Signal>,
    pub(crate) notes: Vec<String>,
    /// Signals of joint states by topic and list of names, as it stands in the messages.
    by_names: HashMap<(String, Vec<u8>), Option<usize>>,
}

/// Messages of one topic that have the same form.
#[derive(Clone, Debug)]
pub(crate) struct Signal {
    pub(crate) topic: String,
    form: Form,
    /// Whether its messages bear stamps; otherwise the time of recording is taken.
    pub(crate) stamped: bool,
    seen: usize,
}

#[derive(Clone, Debug, PartialEq)]
enum Form {
    /// Joints, and which of position, velocity and effort come with them.
    Joints(Vec<String>, [bool; 3]),
    Wrench(String),
}

impl Signal {
    pub(crate) fn columns(&self) -> Vec<String> {
        match &self.form {
            Form::Wrench(contact) => WRENCH.iter().map(|c| format!("wrench_{contact}_{c}")).collect(),
            Form::Joints(joints, has) => ["q", "qd", "tau"]
                .iter()
                .zip(has)
                .filter(|(_, has)| **has)
                .flat_map(|(family, _)| joints.iter().map(move |joint| format!("{family}_{joint}")))
                .collect(),
        }
    }

    pub(crate) fn width(&self) -> usize {
        match &self.form {
            Form::Wrench(_) => 6,
            Form::Joints(joints, has) => joints.len() * has.iter().filter(|has| **has).count(),
        }
    }

    /// The columns' values in a message; `None` if it lacks some.
    pub(crate) fn values(&self, state: &JointState) -> Option<Vec<f64>> {
        let Form::Joints(joints, has) = &self.form else { return None };
        let mut values = Vec::with_capacity(self.width());
        for (part, has) in [&state.position, &state.velocity, &state.effort].into_iter().zip(has) {
            match (has, part.len() == joints.len()) {
                (true, true) => values.extend_from_slice(part),
                (true, false) => values.extend(std::iter::repeat_n(f64::NAN, joints.len())),
                _ => {}
            }
        }
        Some(values)
    }
}

impl Streams {
    /// Looks at the beginning of a bag.
    pub(crate) fn survey(
        source: &mut dyn MessageSource,
        file: &str,
        options: &LogOptions,
    ) -> Result<Self, LogError> {
        let mut streams = Streams { signals: Vec::new(), notes: Vec::new(), by_names: HashMap::new() };
        let mut state = JointState::default();
        let mut looked: HashMap<String, usize> = HashMap::new();
        loop {
            let message = match source.next() {
                Ok(Some(message)) => message,
                Ok(None) => break,
                Err(LogError::Cut { .. }) if options.accept_cut => break,
                Err(error) => return Err(error),
            };
            let topic = source.topics()[message.topic].clone();
            if !options.topics.is_empty() && !options.topics.contains(&topic.name) {
                continue;
            }
            match topic.tells() {
                Some(TopicKind::Wrench) => {
                    if let Some(read) = WrenchStamped::read(&message.data) {
                        streams.see_wrench(&topic, &read);
                    }
                }
                Some(TopicKind::JointStates) => {
                    if state.read(&message.data).is_some() {
                        streams.see_joints(&topic, &state);
                    }
                }
                None => continue,
            }
            *looked.entry(topic.name).or_default() += 1;
            let readable = |topic: &&Topic| {
                topic.is_read() && (options.topics.is_empty() || options.topics.contains(&topic.name))
            };
            let all_seen = source
                .topics()
                .iter()
                .filter(readable)
                .all(|topic| looked.get(&topic.name).is_some_and(|seen| *seen >= LOOK));
            // Topics of other files of the bag, or that start later, are still unknown here: a second look would cost as much as reading.
            if all_seen && looked.values().sum::<usize>() >= 2 * LOOK {
                break;
            }
        }
        if streams.signals.is_empty() {
            let topics: Vec<String> =
                source.topics().iter().map(|topic| format!("{} ({})", topic.name, topic.kind)).collect();
            let found = match topics.is_empty() {
                true => "it holds no messages".to_owned(),
                false => format!("it has {}", topics.join(", ")),
            };
            return Err(LogError::NoMessages { file: file.to_owned(), found });
        }
        streams.settle(file)?;
        Ok(streams)
    }

    fn see_wrench(&mut self, topic: &Topic, read: &WrenchStamped) {
        if let Some(known) = self.signals.iter_mut().find(|signal| signal.topic == topic.name) {
            known.seen += 1;
            return;
        }
        let contact = match read.frame.as_str() {
            "" => topic.name.trim_start_matches('/').replace('/', "_"),
            frame => frame.trim_start_matches('/').to_owned(),
        };
        let taken = self.signals.iter().any(|signal| signal.form == Form::Wrench(contact.clone()));
        let contact = if taken { topic.name.trim_start_matches('/').replace('/', "_") } else { contact };
        self.signals.push(Signal {
            topic: topic.name.clone(),
            form: Form::Wrench(contact),
            stamped: read.stamp != 0,
            seen: 1,
        });
    }

    fn see_joints(&mut self, topic: &Topic, state: &JointState) {
        let Some(names) = state.names() else { return };
        if names.is_empty() {
            return;
        }
        let has = [&state.position, &state.velocity, &state.effort].map(|part| part.len() == names.len());
        let known = self.signals.iter_mut().find(
            |signal| matches!(&signal.form, Form::Joints(joints, _) if signal.topic == topic.name && *joints == names),
        );
        match known {
            Some(signal) => {
                signal.seen += 1;
                if let Form::Joints(_, had) = &mut signal.form {
                    (0..3).for_each(|k| had[k] |= has[k]);
                }
            }
            None => {
                self.signals.push(Signal {
                    topic: topic.name.clone(),
                    form: Form::Joints(names, has),
                    stamped: state.stamp != 0,
                    seen: 1,
                });
            }
        }
    }

    /// Decides who leads, and what to do with joints that appear twice.
    fn settle(&mut self, file: &str) -> Result<(), LogError> {
        let joints = |signal: &Signal| match &signal.form {
            Form::Joints(joints, _) => joints.clone(),
            Form::Wrench(_) => Vec::new(),
        };
        // Joint states before wrenches; of them the one with most joints, then the one heard most often.
        self.signals.sort_by_key(|signal| {
            (std::cmp::Reverse(joints(signal).len()), std::cmp::Reverse(signal.seen), signal.topic.clone())
        });
        let usual = |signal: &Signal| signal.topic.ends_with("joint_states");
        let mut k = 0;
        while k < self.signals.len() {
            let own = joints(&self.signals[k]);
            let twice = self.signals[..k]
                .iter()
                .position(|other| joints(other).iter().any(|joint| own.contains(joint)));
            let Some(other) = twice else {
                k += 1;
                continue;
            };
            let (first, second) = (&self.signals[other], &self.signals[k]);
            let (drop, keep) = match (usual(first), usual(second)) {
                (true, false) => (k, other),
                (false, true) => (other, k),
                _ => {
                    let joint = own.iter().find(|joint| joints(first).contains(joint)).cloned();
                    return Err(LogError::Unsupported {
                        file: file.to_owned(),
                        what: format!(
                            "a bag in which joint `{}` comes twice, in {} and {}",
                            joint.unwrap_or_default(),
                            first.topic,
                            second.topic
                        ),
                        remedy: "name the topic to read (topics = [\"…\"] in a mapping file)".to_owned(),
                    });
                }
            };
            self.notes.push(format!(
                "{file}: {} is left out, its joints are in {} too",
                self.signals[drop].topic, self.signals[keep].topic
            ));
            self.signals.remove(drop);
            k = 0;
        }
        let leader = &self.signals[0];
        for signal in &self.signals[1..] {
            let what = match &signal.form {
                Form::Wrench(contact) => format!("the wrench of `{contact}` ({})", signal.topic),
                Form::Joints(joints, _) => format!("{} ({})", joints.join(", "), signal.topic),
            };
            self.notes.push(format!("{file}: {what} is interpolated onto the stamps of {}", leader.topic));
        }
        for signal in self.signals.iter().filter(|signal| !signal.stamped) {
            self.notes.push(format!(
                "{file}: the messages of {} bear no stamps: the time of recording is taken",
                signal.topic
            ));
        }
        Ok(())
    }

    pub(crate) fn wrench(&self, topic: &str) -> Option<usize> {
        self.signals.iter().position(|signal| signal.topic == topic && matches!(signal.form, Form::Wrench(_)))
    }

    /// The signal a message of joint states belongs to.
    pub(crate) fn joints(&mut self, topic: &str, state: &JointState) -> Option<usize> {
        let key = (topic.to_owned(), state.raw_names.clone());
        if let Some(known) = self.by_names.get(&key) {
            return *known;
        }
        let names = state.names()?;
        let found = self.signals.iter().position(
            |signal| matches!(&signal.form, Form::Joints(joints, _) if signal.topic == topic && *joints == names),
        );
        if found.is_none() && !names.is_empty() {
            let note = format!(
                "{topic}: joint states of {} come late in the bag and are left out",
                names.join(", ")
            );
            if self.signals.iter().any(|signal| signal.topic == topic) && !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
        self.by_names.insert(key, found);
        found
    }
}
