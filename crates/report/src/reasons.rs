//! Reasons in words: why a change of the parameters shows in nothing that is measured.
//!
//! The one place where a [`Reason`] becomes English.

use steiner_identifiability::{
    Analysis, Cause, Misalignment, MisalignmentKind, NullVector, Place, Reason, Reference, Site,
    WeakDirection, WeakReason,
};
use steiner_robot::Sensor;

use crate::words::{joined, number};

/// Digits of coordinates and of changes.
const DIGITS: usize = 5;

/// Why a null vector changes nothing that is measured, in one sentence.
pub fn reason_sentence(analysis: &Analysis, vector: &NullVector) -> String {
    let effect = effect(analysis, &vector.entries);
    match because(analysis, &vector.reason, &vector.entries) {
        Because::Exchange(what) => format!("{what}: nothing measured changes."),
        Because::Fact(fact) => format!("{fact}: {effect}."),
        Because::Nothing => format!("Without a reason from geometry: {effect}."),
    }
}

/// The fact behind a null vector, without what follows from it and without a full stop; `None` where there is none
/// but that a single parameter has no effect.
pub(crate) fn reason_fact(analysis: &Analysis, vector: &NullVector) -> Option<String> {
    Some(match because(analysis, &vector.reason, &vector.entries) {
        Because::Exchange(fact) | Because::Fact(fact) => fact,
        Because::Nothing if vector.entries.len() == 1 => return None,
        Because::Nothing => effect(analysis, &vector.entries),
    })
}

/// Why a combination is weak, in one sentence.
pub fn weak_sentence(analysis: &Analysis, weak: &WeakDirection) -> String {
    match &weak.reason {
        WeakReason::LoopsAlmostHide => {
            "Along the whole branch the loops leave this combination almost without effect.".to_owned()
        }
        WeakReason::AlmostAligned { reason, misalignments } => {
            let hidden = match because(analysis, reason, &weak.entries) {
                Because::Exchange(what) => format!("{what}: nothing measured would change"),
                Because::Fact(fact) => format!("{fact}: {}", effect(analysis, &weak.entries)),
                Because::Nothing => {
                    format!("Without a reason from geometry: {}", effect(analysis, &weak.entries))
                }
            };
            let missed: Vec<String> = misalignments
                .iter()
                .map(|missed| missed.iter().map(misalignment_words).collect::<Vec<_>>().join(" and "))
                .collect();
            match missed.is_empty() {
                true => format!(
                    "{hidden}, if the axes were aligned; only rounding in the file's numbers makes a difference."
                ),
                false => format!("{hidden}, if the axes were aligned, but {}.", missed.join("; ")),
            }
        }
    }
}

fn misalignment_words(missed: &Misalignment) -> String {
    let Misalignment { joint, with, kind, size } = missed;
    let with = match with {
        Reference::Gravity => "gravity".to_owned(),
        Reference::Joint(other) => format!("that of {other}"),
    };
    match kind {
        MisalignmentKind::Parallel => {
            format!("the axis of {joint} is {size:.1e} rad from parallel to {with}")
        }
        MisalignmentKind::Perpendicular => {
            format!("the axis of {joint} is {size:.1e} rad from perpendicular to {with}")
        }
        MisalignmentKind::Meeting => format!("the axis of {joint} passes {with} at {size:.1e} m"),
    }
}

/// The first half of a sentence about a reason.
enum Because {
    /// Says all there is to say: what two bodies may exchange.
    Exchange(String),
    /// What is true; the effect is to follow.
    Fact(String),
    /// There is nothing to say but the effect.
    Nothing,
}

fn because(analysis: &Analysis, reason: &Reason, entries: &[(usize, f64)]) -> Because {
    use Cause as C;
    let bodies = named(analysis, &reason.bodies);
    let last = bodies.last().cloned().unwrap_or_default();
    let either = either(&bodies);
    let site = &reason.site.as_ref().map_or_else(|| "its joint".to_owned(), site_words);
    let place = reason.place.as_ref();
    let at = |which: Part| place.and_then(|place| in_words(analysis, place, which)).unwrap_or_default();
    let (line, point, axis, slide) = (at(Part::Line), at(Part::Point), at(Part::Axis), at(Part::Slide));
    // Of two bodies one may be known, or felt by nothing.
    let touched = |body: &usize| entries.iter().any(|(column, _)| analysis.columns.id(*column).body == *body);
    let is_exchanged = reason.bodies.iter().all(touched);
    let unfelt =
        |what: &str, line: &str| format!("No force that is measured depends on {what} of {site}{line}");
    let of_all = |sensor: &Sensor| matches!(sensor, Sensor::All | Sensor::Static);
    let is_left_out = entries.len() == 1 && !analysis.measure.sensors().iter().any(of_all);
    let fact = match reason.cause {
        C::MassOnSharedAxis if !is_exchanged => unfelt("a point mass on the axis", &line),
        C::MassAtSharedPoint if !is_exchanged => unfelt("a point mass at the centre", &point),
        C::DisplacementAlongSharedAxis if !is_exchanged => {
            unfelt("a displacement of mass along the axis", &line)
        }
        C::RodAlongSharedAxis if !is_exchanged => unfelt("the inertia of a thin rod along the axis", &line),
        C::MassOnSharedAxis => {
            return Because::Exchange(format!(
                "A point mass on the axis of {site}{line} can belong to {either}"
            ));
        }
        C::MassAtSharedPoint => {
            return Because::Exchange(format!(
                "A point mass at the centre of {site}{point} can belong to {either}"
            ));
        }
        C::DisplacementAlongSharedAxis => {
            return Because::Exchange(format!(
                "A displacement of mass along the axis of {site}{line} can be counted for {either}"
            ));
        }
        C::RodAlongSharedAxis => {
            return Because::Exchange(format!(
                "The inertia of a thin rod along the axis of {site}{line} can belong to {either}"
            ));
        }
        C::InertiaAcrossSlide => {
            format!("{site}{slide} never turns {} against each other", joined(&bodies))
        }
        C::HeldTogether => format!("{site} does not move, so that {} are like one body", joined(&bodies)),
        C::AcrossJoint => format!("Inertia across {site} can belong to {either}"),
        C::SharedWithGround => format!("{} share {site}{line}", joined(&bodies)),
        C::FixedAxis => format!("{last} only turns about {site}, an axis fixed in the base{line}"),
        C::FixedPoint => format!("{last} turns about the centre of {site}, a point fixed in the base{point}"),
        C::FixedDirection => format!("{site} keeps the direction of its axis fixed{axis}"),
        C::FixedOrientation => format!("{last} moves on {site}{slide} and never turns"),
        C::HeldStill => format!("{last} does not move"),
        C::RestsOnGround => {
            format!("{} is at rest: only its weight and its line of action are measured", joined(&bodies))
        }
        C::Unfelt => format!("No sensor measures a force that depends on {last}"),
        C::UnreachedByMotion => format!("No motion of {last} excites this"),
        C::TurnsAboutOneDirection => format!("{last} turns only about one direction{axis}"),
        C::SlidesAlongTurningDirection => {
            format!("{site} slides along the one direction about which {} turn", joined(&bodies))
        }
        C::NeverTurns => format!("{last} never turns"),
        C::StayParallel => format!("{} never turn against each other", joined(&bodies)),
        C::AlongAndAcrossGravity => {
            format!("Some points of {last} move only along gravity, others only across it")
        }
        C::FixedWithoutGravity => format!("Without gravity, mass at a fixed point of {last} causes no force"),
        C::NoInertiaAtRest => format!("At rest the inertia of {last} causes no force"),
        C::NothingAtRestWithoutGravity => format!("At rest and without gravity {last} causes no force"),
        C::LevelAtRest => {
            format!("At rest, mass of {last} that is neither lifted nor lowered causes no force")
        }
        C::DriveAtRest => format!("At rest the drive of {site} exerts only its offset"),
        C::OffsetLikeWeight => format!("A constant force of {site} looks like weight of {last}"),
        C::DriveMovesWithBody => {
            format!("The drive of {site} accelerates with {last}, as if it were part of it")
        }
        C::DriveLikeBody => format!(
            "The drive of {site} accelerates with {last}, as if it were part of it, and its constant force looks \
             like weight"
        ),
        C::MovesTogether => {
            format!(
                "The {site} makes joints move in a fixed ratio, so that {} cannot be separated",
                joined(&bodies)
            )
        }
        C::PointsCoincide => {
            let by = reason
                .site
                .as_ref()
                .map_or("the loops".to_owned(), |site| format!("the {}", site_words(site)));
            format!("Points of {} coincide in all configurations because of {by}", joined(&bodies))
        }
        C::PointsInBalance => {
            format!(
                "The {site} keeps a weighted sum of points of {} constant, and they share a direction{axis}",
                joined(&bodies)
            )
        }
        C::SpeedsInRatio => {
            let by = reason
                .site
                .as_ref()
                .map_or("The loops move".to_owned(), |site| format!("The {} moves", site_words(site)));
            format!("{by} {} at speeds in a fixed ratio", joined(&bodies))
        }
        C::LiftedAlike => format!(
            "{} turn about fixed points, and mass displaced from these is lifted alike",
            joined(&bodies)
        ),
        C::AxesOnACone => {
            format!("All axes about which {last} can turn lie on a cone of the second order")
        }
        C::PlanarLoopCarried => {
            format!("The links of the {site}{point} close in a plane that itself moves")
        }
        C::OneLoop => format!("The {site}{point} ties the motions of {} together", joined(&bodies)),
        C::SeveralLoops => {
            format!("The loops about the {site}{point} tie the motions of {} together", joined(&bodies))
        }
        C::DriveUnfelt if is_left_out => {
            format!("The force of {site} is not measured, and its drive acts in no other that is")
        }
        C::DriveUnfelt | C::Unexplained => return Because::Nothing,
    };
    Because::Fact(fact)
}

/// What a change does not do: "link1.mx has no effect on what is measured".
pub(crate) fn effect(analysis: &Analysis, entries: &[(usize, f64)]) -> String {
    match entries {
        [(column, _)] => format!("{} has no effect on what is measured", analysis.labels[*column]),
        _ => {
            let change =
                |&(column, x): &(usize, f64)| format!("{} by {}", analysis.labels[column], number(x, DIGITS));
            let changes: Vec<String> = entries.iter().map(change).collect();
            format!("changing {} together changes nothing that is measured", changes.join(", "))
        }
    }
}

/// Names of bodies.
pub(crate) fn named(analysis: &Analysis, bodies: &[usize]) -> Vec<String> {
    bodies.iter().map(|&body| analysis.bodies[body].clone()).collect()
}

/// "a or b"; what has no second body shares with the ground.
pub(crate) fn either(bodies: &[String]) -> String {
    match bodies {
        [one] => format!("{one} or the ground"),
        _ => bodies.join(" or "),
    }
}

/// "joint wrist", "loop tip"; what calls itself a joint or a loop needs no word more.
pub(crate) fn site_words(site: &Site) -> String {
    let name = site.name();
    let kind = match site {
        Site::Joint(_) => "joint",
        Site::Loop(_) => "loop",
        Site::Coupling(_) => "coupling",
    };
    match name.to_lowercase().contains(kind) {
        true => name.to_owned(),
        false => format!("{kind} {name}"),
    }
}

/// Which part of a place matters.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Part {
    /// The line, or the direction where there is no point.
    Line,
    /// The point alone.
    Point,
    /// The direction alone.
    Axis,
    /// The direction alone, along which something slides.
    Slide,
}

/// " (the line through (0, 0, 0.4318) along z of link3)".
pub(crate) fn in_words(analysis: &Analysis, place: &Place, part: Part) -> Option<String> {
    let frame = place.body.map_or("the base", |body| analysis.bodies[body].as_str());
    let point = place.point.filter(|_| !matches!(part, Part::Axis | Part::Slide)).map(coordinates);
    let axis = place.axis.filter(|_| part != Part::Point).map(direction);
    match (point, axis) {
        (Some(point), Some(axis)) => Some(format!(" (the line through {point} along {axis} of {frame})")),
        (Some(point), None) => Some(format!(" (the point {point} of {frame})")),
        (None, Some(axis)) if part == Part::Slide => Some(format!(" (sliding along {axis} of {frame})")),
        (None, Some(axis)) => Some(format!(" ({axis} of {frame})")),
        (None, None) => None,
    }
}

fn coordinates(point: [f64; 3]) -> String {
    // What rounding leaves of a zero is a zero.
    let size = point.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    let clean = point.map(|x| number(if x.abs() < 1e-12 * size.max(1e-3) { 0.0 } else { x }, DIGITS));
    format!("({})", clean.join(", "))
}

/// An axis of the frame by its name; the sign of an axis says nothing here.
fn direction(axis: [f64; 3]) -> String {
    let along = |k: usize| (0..3).all(|i| i == k || axis[i].abs() < 1e-9);
    match (0..3).find(|&k| along(k)) {
        Some(k) => ["x", "y", "z"][k].to_owned(),
        None => coordinates(axis),
    }
}
