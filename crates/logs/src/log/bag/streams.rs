//! What a bag tells: a first look at its messages finds the signals and how they become columns.

use std::collections::HashMap;

use super::bodies::{Bodies, Twist};
use super::cdr::{JointState, MultiDofState, SixStamped};
use super::messages::{MessageSource, Topic, TopicKind};
use crate::error::LogError;
use crate::log::arrays::WRENCH;
use crate::log::reader::LogOptions;
use crate::note::{BagSignal, LogNote, ReadingNote};

/// Messages of a topic that are looked at before it is believed to tell nothing else.
const LOOK: usize = 200;

/// The signals of a bag; the first one's clock leads.
pub(crate) struct Streams {
    pub(crate) signals: Vec<Signal>,
    pub(crate) notes: Vec<LogNote>,
    /// The bag, for notes.
    file: String,
    /// Joint states by topic and list of names, as it stands in the messages.
    by_names: HashMap<(String, Vec<u8>), Option<Ordered>>,
}

/// Which signal a message of joint states belongs to, and at which place of its lists each joint of the
/// signal stands: publishers may change the order from message to message.
#[derive(Clone, Debug)]
pub(crate) struct Ordered {
    pub(crate) signal: usize,
    places: Vec<usize>,
}

/// The place in `names` of each of `joints`, if they are the same joints in whatever order.
fn places_of(joints: &[String], names: &[String]) -> Option<Vec<usize>> {
    let place = |joint| names.iter().position(|name| name == joint);
    let places: Vec<usize> = joints.iter().map(place).collect::<Option<_>>()?;
    (joints.len() == names.len() && names.iter().all(|name| joints.contains(name))).then_some(places)
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
    Bodies(Bodies),
    Wrench(String),
    Twist(Twist),
}

impl Signal {
    pub(crate) fn columns(&self) -> Vec<String> {
        match &self.form {
            Form::Wrench(contact) => WRENCH.iter().map(|c| format!("wrench_{contact}_{c}")).collect(),
            Form::Bodies(bodies) => bodies.columns(),
            Form::Twist(twist) => twist.columns(),
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
            Form::Wrench(_) | Form::Twist(_) => 6,
            Form::Bodies(bodies) => bodies.width(),
            Form::Joints(joints, has) => joints.len() * has.iter().filter(|has| **has).count(),
        }
    }

    /// The columns' values in a message.
    fn values(&self, state: &JointState, places: &[usize]) -> Option<Vec<f64>> {
        let Form::Joints(joints, has) = &self.form else { return None };
        let mut values = Vec::with_capacity(self.width());
        for (part, has) in [&state.position, &state.velocity, &state.effort].into_iter().zip(has) {
            match (has, part.len() == joints.len()) {
                (true, true) => values.extend(places.iter().map(|&place| part[place])),
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
        let mut streams = Streams {
            file: file.to_owned(),
            signals: Vec::new(),
            notes: Vec::new(),
            by_names: HashMap::new(),
        };
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
                    if let Some(read) = SixStamped::read(&message.data) {
                        streams.see_wrench(&topic, &read);
                    }
                }
                Some(TopicKind::Twist) => {
                    if let Some(read) = SixStamped::read(&message.data) {
                        let asked = options.topics.contains(&topic.name);
                        streams.see(&topic, read.stamp, Form::Twist(Twist::of(&read.frame, asked)));
                    }
                }
                Some(TopicKind::Bodies) => {
                    if let Some(read) =
                        MultiDofState::read(&message.data).filter(|read| !read.names.is_empty())
                    {
                        streams.see(&topic, read.stamp, Form::Bodies(Bodies::of(&read)));
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
            // Topics of other files of the bag, or that start later, are still unknown here: a second look
            // would cost as much as reading.
            if all_seen && looked.values().sum::<usize>() >= 2 * LOOK {
                break;
            }
        }
        if !streams
            .signals
            .iter()
            .any(|signal| !matches!(&signal.form, Form::Twist(own) if !own.was_asked_for()))
        {
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

    /// Topics of one form.
    fn see(&mut self, topic: &Topic, stamp: i64, form: Form) {
        match self.signals.iter_mut().find(|signal| signal.topic == topic.name) {
            Some(known) => known.seen += 1,
            None => {
                self.signals.push(Signal { topic: topic.name.clone(), form, stamped: stamp != 0, seen: 1 })
            }
        }
    }

    fn see_wrench(&mut self, topic: &Topic, read: &SixStamped) {
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
            |signal| matches!(&signal.form, Form::Joints(joints, _) if signal.topic == topic.name && places_of(joints, &names).is_some()),
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
            Form::Bodies(bodies) => bodies.names().to_vec(),
            Form::Wrench(_) | Form::Twist(_) => Vec::new(),
        };
        self.leave_out_twists(file);
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
                    if first.topic == second.topic {
                        let lists = [joints(first).join(", "), own.join(", ")];
                        return Err(LogError::Unsupported {
                            file: file.to_owned(),
                            what: format!(
                                "a bag in which messages of {} tell of {}, and others of {}",
                                first.topic, lists[0], lists[1]
                            ),
                            remedy: "let each publisher have a topic of its own, or write the joint states to a CSV".to_owned(),
                        });
                    }
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
            let [topic, other] = [drop, keep].map(|k| self.signals[k].topic.clone());
            self.notes.push(ReadingNote::TopicLeftOut { file: file.to_owned(), topic, other }.into());
            self.signals.remove(drop);
            k = 0;
        }
        let leader = &self.signals[0];
        for signal in &self.signals[1..] {
            let what = match &signal.form {
                Form::Wrench(contact) => BagSignal::Wrench(contact.clone()),
                Form::Joints(joints, _) => BagSignal::Joints(joints.clone()),
                Form::Bodies(bodies) => BagSignal::Joints(bodies.names().to_vec()),
                Form::Twist(twist) => BagSignal::Joints(vec![twist.body().to_owned()]),
            };
            let note = ReadingNote::SignalInterpolated {
                file: file.to_owned(),
                signal: what,
                topic: signal.topic.clone(),
                onto: leader.topic.clone(),
            };
            self.notes.push(note.into());
        }
        for signal in self.signals.iter().filter(|signal| !signal.stamped) {
            let topic = signal.topic.clone();
            self.notes.push(ReadingNote::NoStamps { file: file.to_owned(), topic }.into());
        }
        Ok(())
    }

    /// Velocities are often commands, and those are nobody's business: they are read where they were asked for, or
    /// where they complete poses of the same body. Of several, one is read.
    fn leave_out_twists(&mut self, file: &str) {
        let mut k = 0;
        while k < self.signals.len() {
            let Form::Twist(twist) = &self.signals[k].form else {
                k += 1;
                continue;
            };
            let (body, asked) = (twist.body().to_owned(), twist.was_asked_for());
            let mut before = self.signals[..k].iter();
            let same = before.find(|other| matches!(&other.form, Form::Twist(other) if other.body() == body));
            let poses = self.signals.iter().find_map(|other| match &other.form {
                Form::Bodies(bodies) if bodies.names().contains(&body) => Some((other, bodies.has_twists())),
                _ => None,
            });
            let other = match (same, poses) {
                (Some(other), _) | (None, Some((other, true))) => Some(other.topic.clone()),
                _ => None,
            };
            if other.is_none() && (asked || poses.is_some()) {
                k += 1;
                continue;
            }
            let topic = self.signals.remove(k).topic;
            if let Some(other) = other {
                self.notes.push(ReadingNote::TopicLeftOut { file: file.to_owned(), topic, other }.into());
            }
        }
    }

    /// The signal of a topic that has one form.
    pub(crate) fn of_topic(&self, topic: &str) -> Option<usize> {
        self.signals.iter().position(|signal| signal.topic == topic)
    }

    /// The signal a message of joints with six degrees of freedom belongs to, and the values of its columns.
    pub(crate) fn bodies(&mut self, topic: &str, state: &MultiDofState) -> Option<(usize, Vec<f64>)> {
        let signal = self.of_topic(topic)?;
        let Form::Bodies(bodies) = &mut self.signals[signal].form else { return None };
        Some((signal, bodies.values(state)?))
    }

    /// The signal a message of joint states belongs to, and the values of its columns.
    pub(crate) fn joints(&mut self, topic: &str, state: &JointState) -> Option<(usize, Vec<f64>)> {
        let key = (topic.to_owned(), state.raw_names.clone());
        if !self.by_names.contains_key(&key) {
            let found = self.ordered(topic, state);
            self.by_names.insert(key.clone(), found);
        }
        let Ordered { signal, places } = self.by_names.get(&key)?.as_ref()?;
        Some((*signal, self.signals[*signal].values(state, places)?))
    }

    /// The same for a list of names that is new; what belongs to no signal is noted.
    fn ordered(&mut self, topic: &str, state: &JointState) -> Option<Ordered> {
        let names = state.names()?;
        let found = self.signals.iter().enumerate().find_map(|(k, signal)| match &signal.form {
            Form::Joints(joints, _) if signal.topic == topic => {
                Some(Ordered { signal: k, places: places_of(joints, &names)? })
            }
            _ => None,
        });
        if found.is_none() && !names.is_empty() {
            let note = LogNote::from(ReadingNote::LateJoints {
                file: self.file.clone(),
                topic: topic.to_owned(),
                joints: names.iter().map(ToString::to_string).collect(),
            });
            if self.signals.iter().any(|signal| signal.topic == topic) && !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::super::cdr::tests::states;
    use super::super::messages::Message;
    use super::*;

    /// Messages of one topic in memory.
    struct InMemory {
        topics: Vec<Topic>,
        messages: std::vec::IntoIter<Vec<u8>>,
    }

    impl InMemory {
        fn of(messages: Vec<Vec<u8>>) -> Self {
            let topic = Topic {
                name: "/joint_states".to_owned(),
                kind: "sensor_msgs/msg/JointState".to_owned(),
                encoding: "cdr".to_owned(),
            };
            InMemory { topics: vec![topic], messages: messages.into_iter() }
        }
    }

    impl MessageSource for InMemory {
        fn topics(&self) -> &[Topic] {
            &self.topics
        }
        fn progress(&self) -> f64 {
            0.0
        }
        fn next(&mut self) -> Result<Option<Message>, LogError> {
            Ok(self.messages.next().map(|data| Message { topic: 0, time: 0, data }))
        }
    }

    #[test]
    fn joints_are_told_apart_by_name_in_whatever_order_a_message_has_them() {
        let messages = [
            states(false, "", &["a", "b", "c"], [&[1.0, 2.0, 3.0], &[], &[10.0, 20.0, 30.0]]),
            states(false, "", &["c", "a", "b"], [&[3.0, 1.0, 2.0], &[], &[30.0, 10.0, 20.0]]),
            states(false, "", &["b", "a", "c"], [&[2.0, 1.0, 3.0], &[], &[20.0, 10.0, 30.0]]),
        ];
        let options = LogOptions::default();
        let mut streams = Streams::survey(&mut InMemory::of(messages.to_vec()), "bag", &options).unwrap();
        assert_eq!(streams.signals.len(), 1);
        assert_eq!(streams.signals[0].columns(), ["q_a", "q_b", "q_c", "tau_a", "tau_b", "tau_c"]);
        // An order that comes late in the bag is no surprise either.
        let late = states(false, "", &["c", "b", "a"], [&[3.0, 2.0, 1.0], &[], &[30.0, 20.0, 10.0]]);
        let mut state = JointState::default();
        for message in messages.iter().chain([&late]).chain(&messages) {
            state.read(message).unwrap();
            let found = streams.joints("/joint_states", &state);
            assert_eq!(found, Some((0, vec![1.0, 2.0, 3.0, 10.0, 20.0, 30.0])));
        }
    }

    #[test]
    fn lists_of_joints_that_overlap_are_refused_with_both() {
        let messages = [
            states(false, "", &["a", "b"], [&[1.0, 2.0], &[], &[]]),
            states(false, "", &["b", "c"], [&[2.0, 3.0], &[], &[]]),
        ];
        let refused = Streams::survey(&mut InMemory::of(messages.to_vec()), "bag", &LogOptions::default());
        let message = refused.err().map(|error| error.to_string()).unwrap_or_default();
        assert!(message.contains("messages of /joint_states tell of a, b, and others of b, c"), "{message}");
    }
}
