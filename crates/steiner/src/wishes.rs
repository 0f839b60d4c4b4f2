//! Limits, obstacles, sums of turns and shapes of motions as people write them, on a command line or in Python.

use steiner_dynamics::Mechanism;
use steiner_excitation::{Design, LimitChange, Obstacle, Purpose, Shape, TurnSum};

/// What stands for every joint that has one coordinate.
const ALL: &str = "all";
/// Via-points of a spline, where nobody says how many: as free as five harmonics.
const POINTS: usize = 8;

fn finite(text: &str) -> Option<f64> {
    text.trim().parse::<f64>().ok().filter(|x| x.is_finite())
}

fn three(text: &str) -> Option<[f64; 3]> {
    let numbers: Option<Vec<f64>> = text.split(',').map(finite).collect();
    numbers?.try_into().ok()
}

/// `-2.8:2.8,v=2,a=10,jerk=100,effort=80,power=200` of a joint; every part may be left out.
pub fn parse_limit(joint: &str, text: &str) -> Result<LimitChange, String> {
    let mut change = LimitChange { joint: joint.trim().to_owned(), ..LimitChange::default() };
    for part in text.split(',').map(str::trim) {
        let wrong = || {
            format!(
                "`{part}` of the limits of {joint} is neither a range nor a limit; write lower:upper, v=, a=, jerk=, \
                effort= or power=, as in {joint}=-2.8:2.8,v=2,a=10"
            )
        };
        match part.split_once('=') {
            None => {
                let (lower, upper) = part.split_once(':').ok_or_else(wrong)?;
                change.range = Some((finite(lower).ok_or_else(wrong)?, finite(upper).ok_or_else(wrong)?));
            }
            Some((what, value)) => {
                let value = Some(finite(value).ok_or_else(wrong)?);
                match what.trim() {
                    "v" | "velocity" => change.velocity = value,
                    "a" | "acceleration" => change.acceleration = value,
                    "j" | "jerk" => change.jerk = value,
                    "effort" | "torque" => change.effort = value,
                    "power" => change.power = value,
                    _ => return Err(wrong()),
                }
            }
        }
    }
    Ok(change)
}

/// The same limits for every joint with one coordinate, where `all` is asked for; a joint by its name comes
/// after it and wins.
pub fn limits_of_all(mechanism: &Mechanism, changes: &[LimitChange]) -> Vec<LimitChange> {
    let joints = || mechanism.robot().bodies.iter().map(|body| &body.joint);
    let is_all = |change: &&LimitChange| change.joint == ALL && joints().all(|joint| joint.name != ALL);
    let (of_all, of_one): (Vec<&LimitChange>, Vec<&LimitChange>) = changes.iter().partition(is_all);
    let single = || joints().filter(|joint| joint.kind.dof() == 1);
    let spread = of_all
        .into_iter()
        .flat_map(|change| single().map(|joint| LimitChange { joint: joint.name.clone(), ..change.clone() }));
    spread.chain(of_one.into_iter().cloned()).collect()
}

/// `plane:0,0,1,0.1` (normal towards the robot, offset along it) or `box:0.3,-0.2,0:0.5,0.2,0.4` (two corners);
/// m, in the base frame.
pub fn parse_obstacle(text: &str) -> Result<Obstacle, String> {
    let wrong = || {
        format!(
            "`{text}` is no obstacle; write plane:NX,NY,NZ,OFFSET (normal towards the robot, m) or \
            box:X,Y,Z:X,Y,Z (two corners, m)"
        )
    };
    let (kind, numbers) = text.split_once(':').ok_or_else(wrong)?;
    match kind.trim() {
        "plane" => {
            let (normal, offset) = numbers.rsplit_once(',').ok_or_else(wrong)?;
            let (normal, offset) = (three(normal).ok_or_else(wrong)?, finite(offset).ok_or_else(wrong)?);
            let length = normal.iter().map(|x| x * x).sum::<f64>().sqrt();
            if length < 1e-12 {
                return Err(wrong());
            }
            Ok(Obstacle::Plane { normal: normal.map(|x| x / length), offset })
        }
        "box" => {
            let (a, b) = numbers.split_once(':').ok_or_else(wrong)?;
            let (a, b) = (three(a).ok_or_else(wrong)?, three(b).ok_or_else(wrong)?);
            let corner = |pick: fn(f64, f64) -> f64| std::array::from_fn(|k| pick(a[k], b[k]));
            Ok(Obstacle::Box { from: corner(f64::min), to: corner(f64::max) })
        }
        _ => Err(wrong()),
    }
}

/// `joint1+joint2=-3:3`, `joint1-2*joint2=-1:1`: a bound on a sum of turns, as of a cable around several joints.
pub fn parse_turn_sum(text: &str) -> Result<TurnSum, String> {
    let wrong = || format!("`{text}` is no bound on a sum of turns; write joint1+joint2=-3:3 (rad or m)");
    let (sum, range) = text.rsplit_once('=').ok_or_else(wrong)?;
    let (lower, upper) = range.split_once(':').ok_or_else(wrong)?;
    let (lower, upper) = (finite(lower).ok_or_else(wrong)?, finite(upper).ok_or_else(wrong)?);
    let mut terms = Vec::new();
    for (sign, term) in signed_terms(sum) {
        let (factor, joint) = match term.split_once('*') {
            Some((factor, joint)) => (finite(factor).ok_or_else(wrong)?, joint),
            None => (1.0, term),
        };
        let joint = joint.trim();
        if joint.is_empty() {
            return Err(wrong());
        }
        terms.push((joint.to_owned(), sign * factor));
    }
    match terms.is_empty() {
        true => Err(wrong()),
        false => Ok(TurnSum { terms, lower, upper }),
    }
}

/// Terms with their signs. A minus parts terms only where it stands behind a space or at the beginning, for
/// names may hold one.
fn signed_terms(sum: &str) -> Vec<(f64, &str)> {
    let mut out = Vec::new();
    for part in sum.split('+') {
        let mut rest = part.trim();
        let mut sign = 1.0;
        if let Some(negative) = rest.strip_prefix('-') {
            (sign, rest) = (-1.0, negative.trim());
        }
        while let Some((term, next)) = rest.split_once(" -") {
            out.push((sign, term.trim()));
            (sign, rest) = (-1.0, next.trim());
        }
        out.push((sign, rest));
    }
    out
}

/// `fourier`, `spline`, `spline=9` (via-points), `poses`, `poses=30`.
pub fn parse_shape(text: &str, harmonics: usize, periods: usize) -> Result<Option<Shape>, String> {
    let (kind, count) = match text.split_once('=') {
        Some((kind, count)) => (kind.trim(), Some(count.trim())),
        None => (text.trim(), None),
    };
    let wrong =
        || format!("`{text}` is no shape of a motion; write fourier, spline, spline=9, poses or poses=30");
    let count = count.map(|count| count.parse::<usize>().map_err(|_| wrong())).transpose()?;
    match (kind, count) {
        ("fourier", None) => Ok(Some(Shape::Fourier { harmonics, periods })),
        ("spline", points) => Ok(Some(Shape::Spline { points: points.unwrap_or(POINTS) })),
        ("poses", Some(count)) => Ok(Some(Shape::Poses { count })),
        // As many as the parameters ask for.
        ("poses", None) => Ok(None),
        _ => Err(wrong()),
    }
}

/// `payload`, `torque-prediction`, or the name of a link.
pub fn parse_purpose(text: &str) -> Purpose {
    match text.trim() {
        "payload" => Purpose::Payload,
        "torque-prediction" => Purpose::TorquePrediction,
        link => Purpose::Link(link.to_owned()),
    }
}

/// A second motion of the same wish, to test a model with: from other random motions and with one harmonic or
/// via-point more, so that it is another even where the best motion is found from everywhere. What logs have
/// shown does not matter to it.
pub fn validation_wish(design: &Design) -> Design {
    let shape = match design.shape {
        Shape::Fourier { harmonics, periods } => Shape::Fourier { harmonics: harmonics + 1, periods },
        Shape::Spline { points } => Shape::Spline { points: points + 1 },
        Shape::Poses { count } => Shape::Poses { count },
    };
    Design { shape, information: None, seed: design.seed.wrapping_add(0x5eed), ..design.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read_in_any_order_and_wrong_ones_named() {
        let change = parse_limit("joint1", "v=2, -2.8:2.8,a=10,effort=80").unwrap();
        assert_eq!((change.range, change.velocity), (Some((-2.8, 2.8)), Some(2.0)));
        assert_eq!((change.acceleration, change.effort, change.jerk), (Some(10.0), Some(80.0), None));
        for wrong in ["", "2", "v=fast", "speed=2", "1:x"] {
            assert!(parse_limit("joint1", wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn obstacles_are_planes_or_boxes() {
        let plane = parse_obstacle("plane:0,0,2,-0.1").unwrap();
        assert_eq!(plane, Obstacle::Plane { normal: [0.0, 0.0, 1.0], offset: -0.1 });
        let cuboid = parse_obstacle("box:1,0,0:0.5,1,1").unwrap();
        assert_eq!(cuboid, Obstacle::Box { from: [0.5, 0.0, 0.0], to: [1.0, 1.0, 1.0] });
        for wrong in ["ball:1", "plane:0,0,0,1", "plane:1,2,3", "box:1,2,3", "box:0,0:1,1,1", ""] {
            assert!(parse_obstacle(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn sums_of_turns_have_signs_and_factors() {
        let sum = parse_turn_sum("joint1+joint-2 - 2*joint3=-3:3").unwrap();
        let terms = [("joint1", 1.0), ("joint-2", 1.0), ("joint3", -2.0)];
        assert_eq!(sum.terms, terms.map(|(joint, factor)| (joint.to_owned(), factor)));
        assert_eq!((sum.lower, sum.upper), (-3.0, 3.0));
        for wrong in ["joint1", "=1:2", "joint1=3", "joint1=a:b", "x*joint1=0:1"] {
            assert!(parse_turn_sum(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn shapes_have_their_words() {
        assert_eq!(parse_shape("fourier", 5, 2), Ok(Some(Shape::Fourier { harmonics: 5, periods: 2 })));
        assert_eq!(parse_shape("spline=9", 5, 1), Ok(Some(Shape::Spline { points: 9 })));
        assert_eq!(parse_shape("poses", 5, 1), Ok(None));
        for wrong in ["square", "fourier=3", "spline=many"] {
            assert!(parse_shape(wrong, 5, 1).is_err(), "{wrong}");
        }
    }
}
