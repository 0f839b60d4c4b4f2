//! What somebody asks for: parameters, bodies, drives, loads, by name or pattern.

use std::collections::HashSet;

use steiner_dynamics::Mechanism;
use steiner_files::{close_name, did_you_mean};
use steiner_robot::{ParameterKind, Sensor, SensorSet, inertial_count};

use crate::analysis::Question;
use crate::error::IdentifiabilityError;
use crate::measure::Measurement;

/// The word behind the dot that stands for viscous and Coulomb friction and the offset of a drive.
const FRICTION: &str = "friction";
const FRICTION_PARAMETERS: [ParameterKind; 3] = [ParameterKind::Fv, ParameterKind::Fc, ParameterKind::Offset];
/// Names that parameters have elsewhere.
const OTHER_NAMES: [(&str, ParameterKind); 8] = [
    ("mass", ParameterKind::M),
    ("rotor_inertia", ParameterKind::Ia),
    ("armature", ParameterKind::Ia),
    ("Im", ParameterKind::Ia),
    ("damping", ParameterKind::Fv),
    ("viscous", ParameterKind::Fv),
    ("coulomb", ParameterKind::Fc),
    ("frictionloss", ParameterKind::Fc),
];
/// What stands before the link whose load is asked for.
const PAYLOAD: &str = "payload:";

/// One word of a wish, and what it stands for.
#[derive(Clone, Debug, PartialEq)]
pub struct Wanted {
    /// As it was written.
    pub text: String,
    /// What it stands for.
    pub aim: Aim,
}

/// What a wish stands for.
#[derive(Clone, Debug, PartialEq)]
pub enum Aim {
    /// Parameters, by label, in the order of the columns.
    Parameters(Vec<String>),
    /// The ten parameters of a load on a link, all of the robot's own being known.
    Payload {
        /// The link that carries it, as it was named.
        link: String,
        /// The moving body that this link is, or is fixed to.
        body: String,
        /// One of the ten, as in `payload:link6.m`; `None` for all.
        parameter: Option<String>,
    },
    /// Parameters of a link that is fixed to another.
    Fixed {
        /// Name of the link.
        link: String,
        /// The body it is fixed to; `None` for the ground.
        body: Option<String>,
    },
}

/// What words stand for: `link6.m`, `link2` (its ten parameters), `joint3.friction` (fv, fc, offset), `joint3.Ia`,
/// `payload:link6`, `payload:link6.m`, and patterns such as `*.m`. Links that only a force plate weighs are known by name, too, but not
/// meant by patterns.
pub fn wanted(
    mechanism: &Mechanism,
    question: &Question,
    words: &[String],
) -> Result<Vec<Wanted>, IdentifiabilityError> {
    if words.is_empty() {
        return Ok(Vec::new());
    }
    let names = Names::new(mechanism, question)?;
    words.iter().map(|word| names.resolve(word.trim())).collect()
}

/// All that can be named.
struct Names<'m> {
    mechanism: &'m Mechanism,
    drives: bool,
    /// Labels of parameters, those included that appear on a force plate alone.
    labels: Vec<String>,
    /// Those of the question itself: what patterns stand for.
    own: Vec<String>,
    /// Their bodies.
    bodies: Vec<String>,
}

impl<'m> Names<'m> {
    fn new(mechanism: &'m Mechanism, question: &Question) -> Result<Self, IdentifiabilityError> {
        // Finding drives takes time where loops close: once is enough.
        let own =
            Question { known: Vec::new(), ..question.clone() }.measurement(mechanism)?.labels(mechanism);
        let weighed = question.measure.with(&SensorSet::new(vec![Sensor::BaseWrench]));
        let weighed = Measurement::new(&weighed, mechanism)?;
        let mut labels = weighed.labels(mechanism);
        labels.extend(own.iter().skip(inertial_count(mechanism.robot().bodies.len())).cloned());
        let mut known = HashSet::new();
        labels.retain(|label| known.insert(label.clone()));
        let bodies = weighed.bodies(mechanism);
        Ok(Names { mechanism, drives: question.drives, labels, own, bodies })
    }

    fn resolve(&self, word: &str) -> Result<Wanted, IdentifiabilityError> {
        let aim = match word.strip_prefix(PAYLOAD) {
            Some(link) => self.payload(word, link)?,
            None => self.parameters(word)?,
        };
        Ok(Wanted { text: word.to_owned(), aim })
    }

    fn payload(&self, word: &str, link: &str) -> Result<Aim, IdentifiabilityError> {
        let robot = self.mechanism.robot();
        let carries = |body: &&steiner_robot::Body| {
            body.name == link || body.lumped.iter().any(|lumped| lumped.name == link)
        };
        if let Some(body) = robot.bodies.iter().find(carries) {
            return Ok(Aim::Payload { link: link.to_owned(), body: body.name.clone(), parameter: None });
        }
        // A parameter of the load, as answers call it.
        let one =
            link.rsplit_once('.').filter(|(_, parameter)| !parameter.contains('*') && is_inertial(parameter));
        match one.map(|(link, parameter)| (self.payload(word, link), parameter)) {
            Some((Ok(Aim::Payload { link, body, .. }), parameter)) => {
                Ok(Aim::Payload { link, body, parameter: Some(parameter.to_owned()) })
            }
            _ => Err(self.unknown(word)),
        }
    }

    fn parameters(&self, word: &str) -> Result<Aim, IdentifiabilityError> {
        let (owner, parameter) = match word.rsplit_once('.') {
            _ if self.bodies.iter().any(|body| body == word) => (word, None),
            Some((owner, parameter)) => (owner, Some(parameter)),
            None => (word, None),
        };
        let asked = |label: &&String| {
            let Some((its_owner, its_parameter)) = label.rsplit_once('.') else { return false };
            let inertial = || is_inertial(its_parameter);
            matches(owner, its_owner)
                && match parameter {
                    None => inertial(),
                    Some(FRICTION) => FRICTION_PARAMETERS.iter().any(|kind| kind.name() == its_parameter),
                    Some(parameter) => matches(parameter, its_parameter),
                }
        };
        let among = if word.contains('*') { &self.own } else { &self.labels };
        let labels: Vec<String> = among.iter().filter(asked).cloned().collect();
        if !labels.is_empty() {
            return Ok(Aim::Parameters(labels));
        }
        self.fixed(owner, parameter).map_or_else(|| Err(self.refusal(word, owner, parameter)), Ok)
    }

    /// A link that a fixed joint holds to another.
    fn fixed(&self, owner: &str, parameter: Option<&str>) -> Option<Aim> {
        if parameter.is_some_and(|parameter| !is_inertial(parameter)) {
            return None;
        }
        let (robot, link) = (self.mechanism.robot(), owner.to_owned());
        let holds = |body: &&steiner_robot::Body| body.lumped.iter().any(|lumped| lumped.name == owner);
        if let Some(body) = robot.bodies.iter().find(holds) {
            return Some(Aim::Fixed { link, body: Some(body.name.clone()) });
        }
        robot.ground.iter().any(|lumped| lumped.name == owner).then_some(Aim::Fixed { link, body: None })
    }

    fn refusal(&self, word: &str, owner: &str, parameter: Option<&str>) -> IdentifiabilityError {
        let robot = self.mechanism.robot();
        let of_drive = |parameter: &str| {
            parameter == FRICTION || ParameterKind::DRIVE.iter().any(|kind| kind.name() == parameter)
        };
        let joint = robot.bodies.iter().find(|body| body.joint.name == owner);
        match (joint, parameter.is_some_and(of_drive)) {
            (Some(_), true) => IdentifiabilityError::NoDrive {
                robot: robot.name.clone(),
                want: word.to_owned(),
                joint: owner.to_owned(),
                left_out: !self.drives,
            },
            _ => self.unknown(word),
        }
    }

    /// What somebody may have meant who knows the link or the parameter by another name.
    fn meant(&self, word: &str) -> Option<String> {
        let (owner, parameter) = word.rsplit_once('.')?;
        let robot = self.mechanism.robot();
        let known_as = |(name, kind): &&(&str, ParameterKind)| {
            name.eq_ignore_ascii_case(parameter) || kind.name().eq_ignore_ascii_case(parameter)
        };
        let drives = ParameterKind::DRIVE.iter().map(|kind| (kind.name(), *kind));
        let inertial = ParameterKind::INERTIAL.iter().map(|kind| (kind.name(), *kind));
        let own: Vec<(&str, ParameterKind)> = OTHER_NAMES.into_iter().chain(drives).chain(inertial).collect();
        let parameter = match parameter.eq_ignore_ascii_case(FRICTION) {
            true => FRICTION,
            false => own.iter().find(known_as)?.1.name(),
        };
        let is_inertial = ParameterKind::INERTIAL.iter().any(|kind| kind.name() == parameter);
        let owners: Vec<&str> = match is_inertial {
            true => self.bodies.iter().map(String::as_str).collect(),
            false => robot.bodies.iter().map(|body| body.joint.name.as_str()).collect(),
        };
        // A drive is that of the joint before its link, a body the one behind its joint.
        let across = robot.bodies.iter().find_map(|body| match is_inertial {
            true => (body.joint.name == owner).then_some(body.name.as_str()),
            false => (body.name == owner).then_some(body.joint.name.as_str()),
        });
        let exact = owners.iter().copied().find(|name| *name == owner);
        let owner = exact.or(across).or_else(|| close_name(owner, owners))?;
        let of_owner = |parameter: &str| format!("{owner}.{parameter}");
        let stands_for = if parameter == FRICTION { ParameterKind::Fv.name() } else { parameter };
        self.labels.contains(&of_owner(stands_for)).then(|| of_owner(parameter)).filter(|found| found != word)
    }

    fn unknown(&self, word: &str) -> IdentifiabilityError {
        let robot = self.mechanism.robot();
        if let Some(meant) = self.meant(word) {
            return IdentifiabilityError::UnknownWish {
                robot: robot.name.clone(),
                want: word.to_owned(),
                hint: did_you_mean(&meant, [meant.as_str()]),
            };
        }
        let loads = self.bodies.iter().map(|body| format!("{PAYLOAD}{body}"));
        let friction = robot.bodies.iter().map(|body| format!("{}.{FRICTION}", body.joint.name));
        let lumped = robot.bodies.iter().flat_map(|body| &body.lumped).map(|link| link.name.clone());
        let all: Vec<String> = self
            .labels
            .iter()
            .chain(&self.bodies)
            .cloned()
            .chain(friction.filter(|_| self.drives))
            .chain(lumped)
            .chain(loads.filter(|_| word.starts_with(PAYLOAD)))
            .collect();
        IdentifiabilityError::UnknownWish {
            robot: robot.name.clone(),
            want: word.to_owned(),
            hint: did_you_mean(word, all.iter().map(String::as_str)),
        }
    }
}

fn is_inertial(parameter: &str) -> bool {
    ParameterKind::INERTIAL.iter().any(|kind| matches(parameter, kind.name()))
}

/// Whether a name fits a pattern, in which `*` stands for any letters.
fn matches(pattern: &str, name: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else { return pattern == name };
    let Some(name) = name.strip_prefix(start) else { return false };
    if !rest.contains('*') {
        return name.ends_with(rest);
    }
    // The next part may begin anywhere.
    (0..=name.len()).filter(|k| name.is_char_boundary(*k)).any(|k| matches(rest, &name[k..]))
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn a_star_stands_for_any_letters() {
        for (pattern, name, fits) in [
            ("link1", "link1", true),
            ("link1", "link10", false),
            ("link*", "link10", true),
            ("*", "", true),
            ("*_hip", "FL_hip", true),
            ("*hip*", "FL_hip_joint", true),
            ("F*_hip*", "RL_hip_joint", false),
            ("a*b*c", "a-b-c-b", false),
        ] {
            assert_eq!(matches(pattern, name), fits, "{pattern} {name}");
        }
    }
}
