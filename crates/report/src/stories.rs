//! The reasons of an answer, told once for all the joints and bodies they hold for.
//!
//! Vectors are folded by what their reasons are. A story has a headline, which holds for all of its
//! instances, and an instance for every joint or body, which names its own place and its own bodies.

use std::collections::HashMap;

use steiner_identifiability::{Analysis, Cause, NullVector, Principle, Site};

use crate::reasons::{Part, effect, either, in_words, named, reason_sentence, site_words};
use crate::words::{count, joined};

/// One headline and the vectors it is about.
#[derive(Clone, Debug)]
pub struct Story {
    /// Why the vectors change nothing that is measured.
    pub principle: Principle,
    /// What holds for all of them; a whole sentence where there is one instance only.
    pub text: String,
    /// Each joint or body it holds for; empty where there is only one.
    pub instances: Vec<String>,
    /// Indices of the vectors.
    pub vectors: Vec<usize>,
}

/// What vectors of one story have in common.
#[derive(Clone, PartialEq)]
enum Topic {
    /// What two bodies may exchange at a joint.
    Exchange(Vec<Cause>),
    /// A fact about one body.
    Body(Cause),
    /// A fact that is told vector by vector.
    Each(Cause),
}

/// Vectors with one cause for one joint and its bodies.
struct Instance {
    topic: Topic,
    vectors: Vec<usize>,
}

/// Folds the reasons of all vectors, in the order of the principles' first appearance.
pub fn stories(analysis: &Analysis) -> Vec<Story> {
    let mut groups: Vec<(Principle, Topic, Vec<Instance>)> = Vec::new();
    for instance in instances(analysis) {
        let principle = analysis.vectors[instance.vectors[0]].principle();
        match groups.iter_mut().find(|(p, topic, _)| *p == principle && *topic == instance.topic) {
            Some((_, _, instances)) => instances.push(instance),
            None => groups.push((principle, instance.topic.clone(), vec![instance])),
        }
    }
    let mut order: Vec<Principle> = Vec::new();
    for (principle, ..) in &groups {
        if !order.contains(principle) {
            order.push(*principle);
        }
    }
    groups.sort_by_key(|(principle, ..)| order.iter().position(|other| other == principle));
    groups.into_iter().map(|(principle, topic, group)| story(analysis, principle, &topic, &group)).collect()
}

/// " (3 null vectors)", or nothing for one.
pub fn null_vectors(story: &Story) -> String {
    match story.vectors.len() {
        1 => String::new(),
        n => format!(" ({})", count(n, "null vector")),
    }
}

/// What a principle says, in general.
pub(crate) fn principle_sentence(principle: Principle) -> &'static str {
    match principle {
        Principle::SharedPoints => {
            "Bodies share points, most often through a joint: mass on these points can belong to either body."
        }
        Principle::FixedPoints => {
            "A point or direction of the body never moves: mass and moments there cause no measured force."
        }
        Principle::PlanarRotation => {
            "A body turns only about one direction: only its inertia about that direction matters."
        }
        Principle::TranslationOnly => "A body never turns: of its inertia only the mass matters.",
        Principle::SharedOrientation => "Bodies stay parallel: their moments can belong to either body.",
        Principle::Gravity => "Mass that is neither accelerated nor lifted or lowered causes no force.",
        Principle::LoopClosure => "Loops tie motions together that would separate bodies.",
        Principle::Gear => {
            "Gears, drives or loops move bodies in a fixed ratio: their inertias cannot be separated."
        }
        Principle::Numeric => "Found numerically and proven, without an explanation from geometry.",
    }
}

/// Joins vectors that speak of the same bodies at the same joint.
fn instances(analysis: &Analysis) -> Vec<Instance> {
    type Owner<'a> = (Option<&'a Site>, &'a [usize], Principle, Option<Cause>);
    let mut out: Vec<Instance> = Vec::new();
    let mut place: HashMap<Owner<'_>, usize> = HashMap::new();
    for (k, vector) in analysis.vectors.iter().enumerate() {
        let (reason, cause) = (&vector.reason, vector.reason.cause);
        let single = if cause.is_exchange() { None } else { Some(cause) };
        let owner: Owner<'_> = (reason.site.as_ref(), &reason.bodies, vector.principle(), single);
        let topic = match cause {
            _ if cause.is_exchange() => Topic::Exchange(vec![cause]),
            _ if reason.bodies.len() == 1 && vector.bodies.len() == 1 => Topic::Body(cause),
            _ => Topic::Each(cause),
        };
        let known = match topic {
            Topic::Each(_) => None,
            _ => Some(*place.entry(owner).or_insert(out.len())),
        };
        match known.and_then(|k| out.get_mut(k)) {
            Some(instance) => {
                instance.vectors.push(k);
                if let Topic::Exchange(causes) = &mut instance.topic
                    && !causes.contains(&cause)
                {
                    causes.push(cause);
                }
            }
            None => out.push(Instance { topic, vectors: vec![k] }),
        }
    }
    out
}

fn story(analysis: &Analysis, principle: Principle, topic: &Topic, group: &[Instance]) -> Story {
    let vectors: Vec<usize> = group.iter().flat_map(|instance| instance.vectors.iter().copied()).collect();
    if let [only] = &vectors[..] {
        let text = reason_sentence(analysis, &analysis.vectors[*only]);
        return Story { principle, text, instances: Vec::new(), vectors };
    }
    let told = |instance: &Instance| {
        let vectors: Vec<&NullVector> = instance.vectors.iter().map(|&k| &analysis.vectors[k]).collect();
        match topic {
            Topic::Exchange(_) => exchange_words(analysis, &vectors),
            Topic::Body(_) => body_words(analysis, &vectors),
            Topic::Each(_) => each_words(analysis, vectors[0]),
        }
    };
    Story { principle, text: headline(topic), instances: group.iter().map(told).collect(), vectors }
}

/// What holds for all instances.
fn headline(topic: &Topic) -> String {
    use Cause as C;
    let cause = match topic {
        Topic::Exchange(causes) => return exchange_headline(causes),
        Topic::Body(cause) | Topic::Each(cause) => cause,
    };
    let fact = match cause {
        C::FixedAxis => "The body turns about an axis fixed in the base",
        C::FixedPoint => "The body turns about a point fixed in the base",
        C::FixedDirection => "A direction of the body is fixed in the base",
        C::FixedOrientation => "The body slides on the base and never turns",
        C::HeldStill => "The body does not move",
        C::RestsOnGround => "The body is at rest: only its weight and its line of action are measured",
        C::Unfelt => "No sensor measures a force that depends on the body",
        C::UnreachedByMotion => "No motion of the body excites this",
        C::TurnsAboutOneDirection => "The body turns only about one direction",
        C::SlidesAlongTurningDirection => {
            "The joint slides along the one direction about which both bodies turn"
        }
        C::NeverTurns => "The body never turns, so that only its mass matters",
        C::AlongAndAcrossGravity => "Some points of the body move only along gravity, others only across it",
        C::FixedWithoutGravity => "Without gravity, mass at a fixed point causes no force",
        C::NoInertiaAtRest => "At rest inertia causes no force",
        C::NothingAtRestWithoutGravity => "At rest and without gravity there is no force",
        C::LevelAtRest => "At rest, mass that is neither lifted nor lowered causes no force",
        C::DriveAtRest => "At rest a drive exerts only its offset",
        C::OffsetLikeWeight => "The constant force of a drive looks like weight",
        C::DriveMovesWithBody => "A drive accelerates with its body, as if it were part of it",
        C::DriveLikeBody => {
            "A drive accelerates with its body, as if it were part of it, and its constant force looks like weight"
        }
        C::MovesTogether => {
            "A coupling makes joints move in a fixed ratio, so that their bodies cannot be separated"
        }
        C::PointsCoincide => "Points of two bodies coincide in all configurations without a joint there",
        C::PointsInBalance => "A weighted sum of points of several bodies that share a direction is constant",
        C::SpeedsInRatio => "Two bodies move at speeds in a fixed ratio",
        C::LiftedAlike => "Mass displaced from fixed points of two bodies is lifted alike",
        C::AxesOnACone => "All axes about which the body can turn lie on a cone of the second order",
        C::PlanarLoopCarried => "The links of a loop close in a plane that itself moves",
        C::OneLoop => "A loop ties the motions of its bodies together",
        C::SeveralLoops => "Loops tie the motions of bodies together",
        C::SharedWithGround => "A link on the ground and the body it carries share a joint",
        C::AcrossJoint => "Inertia across a joint can belong to either body",
        C::DriveUnfelt => "The measured forces do not depend on this parameter of a drive",
        C::Unexplained => "Found numerically, without a reason from geometry",
        C::MassOnSharedAxis
        | C::MassAtSharedPoint
        | C::DisplacementAlongSharedAxis
        | C::RodAlongSharedAxis
        | C::InertiaAcrossSlide
        | C::HeldTogether
        | C::StayParallel => return exchange_headline(&[*cause]),
    };
    match topic {
        Topic::Body(_) => format!("{fact}: these changes have no effect on what is measured"),
        _ => fact.to_owned(),
    }
}

/// What two bodies may exchange at a joint.
fn exchange_headline(causes: &[Cause]) -> String {
    let thing = |cause: &Cause| match cause {
        Cause::MassOnSharedAxis => "a point mass on the axis of a joint",
        Cause::MassAtSharedPoint => "a point mass at the centre of a joint",
        Cause::DisplacementAlongSharedAxis => "a displacement of mass along the axis",
        Cause::RodAlongSharedAxis => "the inertia of a thin rod along the axis",
        Cause::InertiaAcrossSlide => "these moments of bodies that a joint never turns against each other",
        Cause::StayParallel => "these moments of bodies that never turn against each other",
        _ => "inertia of bodies that a joint holds together",
    };
    let things: Vec<String> = causes.iter().map(|cause| thing(cause).to_owned()).collect();
    let text = format!("{} can belong to either body", joined(&things));
    text[..1].to_uppercase() + &text[1..]
}

/// "joint4: link3 or link4 (the line through (0, 0, 0.4318) along z of link3)"; with what may be exchanged
/// where the headline does not say it.
fn exchange_words(analysis: &Analysis, vectors: &[&NullVector]) -> String {
    let reason = &vectors[0].reason;
    let part = match reason.cause {
        Cause::MassAtSharedPoint => Part::Point,
        Cause::InertiaAcrossSlide => Part::Slide,
        _ => Part::Line,
    };
    let place = reason.place.as_ref().and_then(|place| in_words(analysis, place, part)).unwrap_or_default();
    let site = reason.site.as_ref().map_or(String::new(), |site| format!("{}: ", site_words(site)));
    let what = match reason.cause {
        Cause::StayParallel | Cause::InertiaAcrossSlide | Cause::HeldTogether => {
            let inner = reason.bodies.last().copied();
            let changes = vectors.iter().map(|vector| kinds_of(analysis, vector, inner));
            format!(": {}", changes.collect::<Vec<_>>().join(", "))
        }
        _ => String::new(),
    };
    format!("{site}{}{place}{what}", either(&named(analysis, &reason.bodies)))
}

/// The parameters that a vector changes, of one body or of all: "mx", "(Ixx, Iyy) together", with a sign
/// where one falls while the other grows, "(Ixx, -Iyy) together".
fn kinds_of(analysis: &Analysis, vector: &NullVector, body: Option<usize>) -> String {
    let ids = vector.entries.iter().map(|&(column, value)| (analysis.columns.id(column), value));
    let own: Vec<_> = ids.filter(|(id, _)| body.is_none_or(|body| id.body == body)).collect();
    let first = own.first().map_or(1.0, |(_, value)| value.signum());
    let signed = own
        .iter()
        .map(|(id, value)| format!("{}{}", if value * first < 0.0 { "-" } else { "" }, id.kind.name()));
    match own.len() {
        1 => own[0].0.kind.name().to_owned(),
        _ => format!("({}) together", signed.collect::<Vec<_>>().join(", ")),
    }
}

/// "link1 at joint1 (the line through (0, 0, 0) along z of the base): m, mx, (Ixx, Iyy) together".
fn body_words(analysis: &Analysis, vectors: &[&NullVector]) -> String {
    let reason = &vectors[0].reason;
    let part = match reason.cause {
        Cause::FixedAxis => Some(Part::Line),
        Cause::FixedPoint => Some(Part::Point),
        Cause::FixedDirection | Cause::FixedOrientation | Cause::TurnsAboutOneDirection => Some(Part::Axis),
        _ => None,
    };
    let place = part.zip(reason.place.as_ref());
    let place = place.and_then(|(part, place)| in_words(analysis, place, part)).unwrap_or_default();
    let body = named(analysis, &reason.bodies).join(", ");
    let at = match (&reason.site, reason.cause) {
        (
            Some(site),
            Cause::FixedAxis | Cause::FixedPoint | Cause::FixedDirection | Cause::FixedOrientation,
        ) => {
            format!(" at {}", site_words(site))
        }
        _ => String::new(),
    };
    let change = |vector: &&NullVector| kinds_of(analysis, vector, None);
    format!("{body}{at}{place}: {}", vectors.iter().map(change).collect::<Vec<_>>().join(", "))
}

/// "closure: changing a.m by 1, b.m by -1 together changes nothing that is measured".
fn each_words(analysis: &Analysis, vector: &NullVector) -> String {
    let reason = &vector.reason;
    let site = reason.site.as_ref().map_or(String::new(), |site| {
        let place = reason.place.as_ref().and_then(|place| in_words(analysis, place, Part::Line));
        format!("{}{}: ", site_words(site), place.unwrap_or_default())
    });
    format!("{site}{}", effect(analysis, &vector.entries))
}
