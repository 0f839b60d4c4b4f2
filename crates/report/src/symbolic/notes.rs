//! What is said about formulas, in words.

use steiner_identifiability::{PlanarNote, PlanarView, SymbolicNote};
use steiner_linalg::Vec3;
use steiner_robot::{ModifiedPlacement, Robot};
use steiner_scalar::Exact;

/// Weights spelt out in one sentence.
const MOST_WEIGHTS: usize = 4;

/// A sentence about base parameters in symbols.
pub fn symbolic_note(note: &SymbolicNote) -> String {
    match note {
        SymbolicNote::VaryTogether { name, others } => format!(
            "{name} and {} vary together: apart, another number of parameters would be identifiable",
            others.join(", ")
        ),
        SymbolicNote::KeptAsNumbers { names } => format!(
            "{} kept as numbers: with other values the mechanism does not assemble, or has another nullity",
            names.join(", ")
        ),
    }
}

/// A sentence about the base parameters of a planar mechanism.
pub fn planar_note(note: &PlanarNote) -> String {
    use PlanarNote as N;
    match note {
        N::OpenedElsewhere { closing, opened } => {
            format!("the loop of `{closing}` is opened at `{opened}`, which turns")
        }
        N::OnlySlides { joint } => format!(
            "the loop of `{joint}` only slides: its joints forbid turning once too often, and `{joint}` is taken for the redundant one"
        ),
        N::HangsNowhere { link } => {
            format!("no joint leads from `{link}` to the ground: it plays the link joined to it")
        }
        N::FrameMoved { link } => format!(
            "the file's frame of `{link}` is not optimal (at its revolute joint towards the ground); the search moves it, and results are recast to the file's"
        ),
        N::MassStays { label } => format!(
            "{label} stays a base parameter, though it is the mass nearest to the ground of its chain: weights may be no products of lengths"
        ),
        N::NotEliminated { label } => format!("{label} cannot be eliminated beside the others"),
        N::NotKept { label } => format!("{label} cannot be kept beside the others"),
        N::NotRecognised { weights } => {
            let shown = weights.iter().take(MOST_WEIGHTS).map(|[of, into]| format!("{of} in {into}"));
            let more = if weights.len() > MOST_WEIGHTS { ", …" } else { "" };
            format!(
                "{} of the weights are no single product of lengths ({}{more}); they are known at the prime lengths of the search alone",
                weights.len(),
                shown.collect::<Vec<_>>().join(", ")
            )
        }
        N::TransfersNotCompared { weights } => format!(
            "transfers of mass and inertia were not compared with {weights} weights that were not recognised"
        ),
        N::TransfersDiffer { weights } => {
            format!("{weights} weights differ from what transfers of mass and inertia give")
        }
        N::TransfersIncomplete { explained, invisible } => {
            format!("transfers of mass and inertia explain {explained} of {invisible} null vectors")
        }
    }
}

/// Which axes of the links' frames mx and my lie along, where these aren't x and y.
pub fn planar_axes(view: &PlanarView) -> Option<String> {
    let usual = [Vec3::unit(0), Vec3::unit(1)];
    let mut groups: Vec<([Vec3<f64>; 2], Vec<&str>)> = Vec::new();
    for (link, axes) in view.links.iter().zip(view.axes()).filter(|(_, axes)| **axes != usual) {
        match groups.iter_mut().find(|(known, _)| known == axes) {
            Some((_, links)) => links.push(link),
            None => groups.push((*axes, vec![link])),
        }
    }
    let of = |links: &[&str]| match links.len() == view.links.len() {
        true => "every link".to_owned(),
        false => links.join(", "),
    };
    let words = groups.iter().map(|([u, v], links)| {
        format!("of {} mx lies along {} and my along {}", of(links), axis(*u), axis(*v))
    });
    let words: Vec<String> = words.collect();
    (!words.is_empty()).then(|| format!("in the frames of the file, {}", words.join("; ")))
}

/// A direction as an axis of its frame, or by its components.
fn axis(axis: Vec3<f64>) -> String {
    let named = [(0, "x"), (1, "y"), (2, "z")].into_iter().find_map(|(k, name)| match axis[k] {
        1.0 => Some(name.to_owned()),
        -1.0 => Some(format!("-{name}")),
        _ => None,
    });
    named.unwrap_or_else(|| format!("({:.4}, {:.4}, {:.4})", axis[0], axis[1], axis[2]))
}

/// How the modified frames of a robot lie in those of their parents.
pub fn modified_frames(robot: &Robot) -> String {
    let frames: Vec<String> = robot.modified_placements().iter().map(placed).collect();
    format!("frames by the rules of Khalil and Kleinfinger: {}", frames.join("; "))
}

/// What is zero is left out.
fn placed(placement: &ModifiedPlacement) -> String {
    let ModifiedPlacement { body, parent, outer, normal, axial } = placement;
    let named = [(outer, ["γ", "b"]), (normal, ["α", "a"]), (axial, ["θ", "d"])];
    let parts: Vec<String> = named
        .iter()
        .flat_map(|([turn, shift], [angle, length])| {
            let turn = (!turn.is_zero()).then(|| format!("{angle} = {}", in_degrees(turn)));
            let shift = (!shift.is_zero()).then(|| format!("{length} = {}", by_name(shift)));
            turn.into_iter().chain(shift)
        })
        .collect();
    let placed = if parts.is_empty() { "the same".to_owned() } else { parts.join(", ") };
    format!("{body} in {parent}: {placed}")
}

/// A number, or the name it has.
fn by_name(x: &Exact) -> String {
    match x.mentions(&|_| true) {
        true => x.to_string(),
        false => format!("{:.6}", x.to_f64().unwrap_or(f64::NAN))
            .trim_end_matches('0')
            .trim_end_matches('.')
            .to_owned(),
    }
}

/// An angle in degrees, or the name it has.
fn in_degrees(x: &Exact) -> String {
    match x.mentions(&|_| true) {
        true => x.to_string(),
        false => by_name(&(x.clone() * Exact::integer(180) / Exact::pi())) + "°",
    }
}
