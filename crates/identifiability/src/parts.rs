//! One question asked of several mechanisms: of those that stand side by side in a file, and of one in a unit
//! of length of its own.
//!
//! Bodies on different joints of the fixed base act on each other only through loops and couplings. Without
//! these, a generalised force or a wrench inside a joint of one part contains no parameter of another: the
//! regressor is block-diagonal, its nullspace the sum of those of the parts, and each part is decided in the
//! best arithmetic it has. An open arm beside a loop is a tree. (Parts on a body that moves are not separate:
//! the forces that move it contain them all; nor are they on a force plate, which feels all that stands on it.)

use std::collections::BTreeMap;

use steiner_dynamics::{Mechanism, in_unit_of_length, length_unit};
use steiner_robot::{BodyIndex, Coordinate, Motion, ParameterId, ParameterKind, Robot};
use steiner_scalar::Exact;

use crate::certificate::{Arithmetic, Certificate, Verified};
use crate::completion::structural_nullspace;
use crate::error::IdentifiabilityError;
use crate::measure::Measurement;
use crate::nullspace::{NullVector, Nullspace};

/// The answer of a mechanism with loops that has separate parts, or a size far from a metre; `None` for others.
pub(crate) fn nullspace_by_parts(
    mechanism: &Mechanism,
    measurement: &Measurement,
) -> Result<Option<Nullspace>, IdentifiabilityError> {
    if mechanism.robot().loops.is_empty() {
        return Ok(None);
    }
    let unit = length_unit(mechanism.robot());
    if unit != 1.0 {
        return in_own_unit(mechanism, measurement, unit).map(Some);
    }
    let Some(parts) = separate_parts(mechanism, measurement)? else { return Ok(None) };
    let mut whole: Option<Nullspace> = None;
    for part in &parts {
        let found = structural_nullspace(&part.mechanism, &part.measurement)?;
        let vectors = found.vectors.into_iter().map(|vector| renamed(vector, part)).collect();
        let found = Nullspace { vectors, ..found };
        whole = Some(match whole {
            Some(others) => together(others, found),
            None => found,
        });
    }
    Ok(whole)
}

/// Some bodies of a mechanism as one of their own, with what is asked about them.
pub(crate) struct Part {
    pub(crate) mechanism: Mechanism,
    pub(crate) measurement: Measurement,
    /// Which bodies of the whole they are, ascending.
    pub(crate) bodies: Vec<usize>,
    /// The column of the whole for each column of the part.
    pub(crate) columns: Vec<usize>,
}

impl Part {
    /// Bodies with all that carry them, and all that loops and couplings tie to them. `None` if they assemble
    /// elsewhere by themselves, or nothing of them is measured.
    pub(crate) fn new(
        whole: &Mechanism,
        measurement: &Measurement,
        bodies: Vec<usize>,
    ) -> Result<Option<Self>, IdentifiabilityError> {
        let Some(mechanism) = part_of(whole, &bodies)? else { return Ok(None) };
        let Some(asked) = measurement.of_part(whole, &mechanism, &bodies)? else { return Ok(None) };
        let (from, to) = (asked.parameters(&mechanism), measurement.parameters(whole));
        let column = |column: usize| {
            let id = from.id(column);
            to.column(ParameterId { body: bodies[id.body], ..id }).unwrap_or(column)
        };
        let columns = (0..from.len()).map(column).collect();
        Ok(Some(Part { mechanism, measurement: asked, bodies, columns }))
    }
}

/// The parts of a mechanism that stand side by side; `None` where there is only one.
pub(crate) fn separate_parts(
    mechanism: &Mechanism,
    measurement: &Measurement,
) -> Result<Option<Vec<Part>>, IdentifiabilityError> {
    let sets = separate_bodies(mechanism.robot());
    if sets.len() < 2 || !measurement.is_about_joints() {
        return Ok(None);
    }
    sets.into_iter().map(|bodies| Part::new(mechanism, measurement, bodies)).collect()
}

/// Sets of bodies that neither a parent, a loop nor a coupling ties to one another, in the order of their first.
fn separate_bodies(robot: &Robot) -> Vec<Vec<usize>> {
    let count = robot.bodies.len();
    let mut leader: Vec<usize> = (0..count).collect();
    fn find(leader: &mut [usize], mut k: usize) -> usize {
        while leader[k] != k {
            leader[k] = leader[leader[k]];
            k = leader[k];
        }
        k
    }
    let parents = robot.bodies.iter().enumerate().filter_map(|(k, body)| Some((k, body.parent?.0)));
    let loops = robot.loops.iter().filter_map(|l| Some((l.predecessor.body?.0, l.successor.body?.0)));
    let couplings = robot.couplings.iter().flat_map(|coupling| {
        coupling.terms.iter().map(|(term, _)| (coupling.coordinate.body.0, term.body.0))
    });
    for (a, b) in parents.chain(loops).chain(couplings) {
        let (a, b) = (find(&mut leader, a), find(&mut leader, b));
        leader[a.max(b)] = a.min(b);
    }
    let mut parts: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for body in 0..count {
        parts.entry(find(&mut leader, body)).or_default().push(body);
    }
    parts.into_values().collect()
}

/// A part as a mechanism of its own, at the configuration it has in the whole; `None` if it assembles elsewhere.
fn part_of(mechanism: &Mechanism, bodies: &[usize]) -> Result<Option<Mechanism>, IdentifiabilityError> {
    let robot = mechanism.robot();
    let place = |body: BodyIndex| bodies.binary_search(&body.0).ok().map(BodyIndex);
    let coordinate = |c: Coordinate| Some(Coordinate { body: place(c.body)?, ..c });
    let offsets = robot.configuration_offsets();
    let configuration: Vec<usize> = bodies
        .iter()
        .flat_map(|&body| offsets[body]..offsets[body] + robot.bodies[body].joint.kind.configuration_size())
        .collect();
    let changed = robot.changed(|parts| {
        parts.bodies = bodies.iter().map(|&body| parts.bodies[body].clone()).collect();
        parts.bodies.iter_mut().for_each(|body| body.parent = body.parent.and_then(place));
        parts.loops.retain_mut(|closure| {
            let sides = [&mut closure.predecessor, &mut closure.successor];
            sides.into_iter().all(|side| match side.body {
                None => true,
                Some(body) => {
                    side.body = place(body);
                    side.body.is_some()
                }
            })
        });
        parts.couplings.retain_mut(|coupling| {
            let Some(own) = coordinate(coupling.coordinate) else { return false };
            coupling.coordinate = own;
            coupling.terms.iter_mut().for_each(|(term, _)| *term = coordinate(*term).unwrap_or(*term));
            true
        });
        let mapped = |all: &[Coordinate]| all.iter().filter_map(|c| coordinate(*c)).collect::<Vec<_>>();
        parts.independent = Some(mapped(&mechanism.independent()));
        parts.dependent = mapped(&parts.dependent);
        parts.guessed = mapped(&parts.guessed);
        parts.reference = configuration.iter().map(|&k| parts.reference[k].clone()).collect();
    });
    let Ok(part) = changed else { return Ok(None) };
    let there = |part: &Mechanism| {
        let own = part.reference_tree().iter();
        own.zip(&configuration).all(|(x, &k)| (x - mechanism.reference_tree()[k]).abs() < 1e-7)
    };
    if let Some(part) = Mechanism::new(part.clone()).ok().filter(there) {
        return Ok(Some(part));
    }
    let moved: Option<Vec<Exact>> =
        configuration.iter().map(|&k| Exact::from_f64(mechanism.reference_tree()[k])).collect();
    let part = moved.and_then(|reference| part.with_reference(reference).ok());
    Ok(part.and_then(|part| Mechanism::new(part).ok()).filter(there))
}

/// The answer of a mechanism in another unit of length, in metres.
fn in_own_unit(
    mechanism: &Mechanism,
    measurement: &Measurement,
    unit: f64,
) -> Result<Nullspace, IdentifiabilityError> {
    let independent = mechanism.independent();
    let robot = in_unit_of_length(mechanism.robot(), unit);
    // A structure that cannot move has no coordinates to choose.
    let chosen =
        robot.changed(|parts| parts.independent = Some(independent).filter(|chosen| !chosen.is_empty()));
    let relative = Mechanism::new(chosen.unwrap_or(robot))?;
    let asked = measurement.again(mechanism, &relative)?;
    let mut found = structural_nullspace(&relative, &asked)?;
    let parameters = measurement.parameters(mechanism);
    let ground = measurement.ground_count();
    let factor = |column: usize| {
        let ParameterId { body, kind } = parameters.id(column);
        let slides = || {
            let joint = &mechanism.robot().bodies[body - ground].joint;
            joint.stages().iter().all(|stage| matches!(stage.motion, Motion::Translation))
        };
        // Time is in units of √unit seconds, forces in newtons, torques in newtons times the unit.
        match kind {
            ParameterKind::Ia if slides() => 1.0,
            ParameterKind::Ia => unit * unit,
            ParameterKind::Fv if slides() => unit.powf(-0.5),
            ParameterKind::Fv => unit.powf(1.5),
            ParameterKind::Fc | ParameterKind::Offset if slides() => 1.0,
            ParameterKind::Fc | ParameterKind::Offset => unit,
            inertial => unit.powi(inertial.length_power()),
        }
    };
    for vector in &mut found.vectors {
        let leading =
            vector.entries.iter().find(|(_, x)| *x == 1.0).map_or(1.0, |(column, _)| factor(*column));
        vector.entries.iter_mut().for_each(|(column, x)| *x *= factor(*column) / leading);
    }
    Ok(found)
}

/// A vector of a part, in the whole.
fn renamed(mut vector: NullVector, part: &Part) -> NullVector {
    vector.entries.iter_mut().for_each(|(c, _)| *c = part.columns[*c]);
    vector.entries.sort_by_key(|(c, _)| *c);
    vector.reason.rename(&part.bodies);
    vector.bodies.iter_mut().for_each(|b| *b = part.bodies[*b]);
    vector
}

/// Two answers about separate parts as one: as sure as the less sure of them.
fn together(mut a: Nullspace, b: Nullspace) -> Nullspace {
    a.parameters += b.parameters;
    a.vectors.extend(b.vectors);
    let (c, d) = (a.certificate, b.certificate);
    let arithmetic = match (c.arithmetic, d.arithmetic) {
        (Arithmetic::PrimeField, other) | (other, Arithmetic::PrimeField) => other,
        (
            Arithmetic::Extended { digits, gap, visible },
            Arithmetic::Extended { digits: fewer, gap: narrower, visible: coarser },
        ) => Arithmetic::Extended {
            digits: digits.min(fewer),
            gap: gap.min(narrower),
            visible: visible.max(coarser),
        },
    };
    let null_verified = match (c.null_verified, d.null_verified) {
        (Verified::PrimeField, other) | (other, Verified::PrimeField) => other,
        (Verified::Extended { digits }, Verified::Extended { digits: fewer }) => {
            Verified::Extended { digits: digits.min(fewer) }
        }
    };
    a.certificate = Certificate {
        arithmetic,
        rank: c.rank + d.rank,
        complete: c.complete && d.complete,
        exact_geometry: c.exact_geometry && d.exact_geometry,
        prime: c.prime,
        null_verified,
        largest_power: c.largest_power.max(d.largest_power),
        from_below: c.from_below || d.from_below,
        digits_needed: c.digits_needed.max(d.digits_needed),
    };
    a
}
