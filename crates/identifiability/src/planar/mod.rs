//! Base parameters of planar mechanisms in symbols, by matching numbers: the algorithm of \[iriarte2015\].
//!
//! A link of a planar mechanism has four parameters (m, mx, my, J). Where all loops are closed through the
//! ground and each link's origin is at its revolute joint towards the ground, the weights β of φ_b = φ₁ + β
//! φ₂ are products or quotients of at most two of the coordinates λ of joints and their squared distances Λ.
//! So β is computed in numbers, at lengths that are distinct primes, and each number is recognised.
//!
//! ```
//! use steiner_dynamics::Mechanism;
//! use steiner_identifiability::{PlanarQuestion, planar_base_parameters};
//! use steiner_formats::{ReadOptions, read_robot};
//!
//! let four_bar = Mechanism::new(read_robot("four_bar", &ReadOptions::default()).unwrap()).unwrap();
//! let found = planar_base_parameters(&four_bar, &PlanarQuestion::default()).unwrap();
//! assert_eq!((found.base.len(), found.dependent.len()), (8, 4));
//! assert_eq!(found.formula(4), "b2.my + ly2/l2^2*b2.J"); // a row of (25)
//! ```

mod as_filed;
mod assembly;
mod base_parameters;
mod coordinates;
mod formulas;
mod gautier;
mod linkage;
mod motion;
mod note;
mod opening;
mod parametrisation;
mod primes;
mod product;
mod recast;
mod remarks;
mod search;
mod selection;
mod transfers;
mod trust;
mod view;

pub use base_parameters::{PlanarBaseParameters, TransferCheck};
pub use note::PlanarNote;
pub use parametrisation::{PlanarLength, PlanarSquare};
pub use product::{LengthFactor, LengthProduct, PlanarWeight};
pub use recast::LengthProductSum;
pub use search::PlanarNumbers;
pub use view::PlanarView;

use steiner_dynamics::Mechanism;
use steiner_files::did_you_mean;
use steiner_scalar::{DoubleDouble, Exact, Field, Rational};

use self::as_filed::AsFiled;
use self::gautier::Decomposed;
use self::linkage::Linkage;
use self::motion::DIMENSIONS;
use self::opening::Opening;
use self::parametrisation::Parametrisation;
use self::primes::{PrimeLengths, prime_lengths};
use self::product::{Lengths, ProductClass};
use self::remarks::remarks;
use self::search::{TOLERANCE, numbers};
use crate::error::IdentifiabilityError;

/// Candidates of one dimension must differ by this much at the prime lengths, relative to them.
const LEAST_SEPARATION: f64 = 1e-8;

/// What is asked about a planar mechanism.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlanarQuestion {
    /// Labels of parameters to take into φ₂ first, in this order.
    pub eliminate: Vec<String>,
    /// Labels of parameters to take into φ₂ only if there is no other way.
    pub keep: Vec<String>,
    /// Choose φ₂ by the reduced row echelon form of V₂ᵀ (footnote 4) instead of the masses and
    /// moments of inertia of section 5.
    pub by_echelon_form: bool,
}

/// The base parameters of a planar mechanism in symbols.
///
/// The error says why the method does not apply: the mechanism is not planar, a loop is not closed through
/// the ground, or its lengths are special ones. An entry of β that is no product of lengths is no error; it
/// and checks that failed are what [`PlanarBaseParameters::doubt`] tells.
pub fn planar_base_parameters(
    mechanism: &Mechanism,
    question: &PlanarQuestion,
) -> Result<PlanarBaseParameters, IdentifiabilityError> {
    let robot = mechanism.robot();
    let view = PlanarView::new(robot)?;
    let labels = view.labels();
    let (eliminate, keep) =
        (columns(robot, &labels, &question.eliminate)?, columns(robot, &labels, &question.keep)?);
    let linkage = Linkage::new(mechanism, &view)?;
    let opening = Opening::new(&linkage)?;
    let constants = robot.constants.iter().map(|constant| &constant.name);
    let taken: Vec<String> = constants.chain(&view.links).cloned().collect();
    let parametrisation = Parametrisation::new(&linkage, &opening, &taken);
    let given = given_lengths(&linkage, &parametrisation)?;
    let searched = parametrisation.searched;
    let class_at = |primes: &PrimeLengths| {
        let wide = |x: Rational| {
            DoubleDouble::evaluate(&Exact::rational(x)).map_or(DoubleDouble::one(), |x| x.value)
        };
        let values = primes.values().into_iter().map(wide).collect();
        ProductClass::new(
            searched,
            &aligned(&parametrisation),
            &Lengths::new(values, &parametrisation.squares),
        )
    };
    let tell_apart = |primes: &PrimeLengths| class_at(primes).separation() > LEAST_SEPARATION;
    let primes = prime_lengths(&given[..searched], tell_apart).ok_or_else(|| {
        let remedy = "its lengths differ too much in size; formulas derived in space need none".to_owned();
        IdentifiabilityError::NoPrimeLengths { robot: robot.name.clone(), remedy }
    })?;
    let unit = mean_length(&given[..searched]);
    let at_primes =
        Mechanism::new(assembly::robot_at(robot, &linkage, &opening, &parametrisation, &primes.values())?)?;
    let order = selection::order(&linkage, &opening, &parametrisation, &eliminate, &keep);
    let choose = |decomposed: &Decomposed<f64>| match question.by_echelon_form {
        true => decomposed.echelon_rows(labels.len()),
        false => decomposed.independent_rows(order.iter().copied()),
    };
    let numbers = numbers(&at_primes, &opening.order, unit, &choose)?;
    let filed = AsFiled::new(mechanism, &view, unit)?;
    if filed.nullity() != numbers.dependent.len() {
        return Err(IdentifiabilityError::SpecialLengths {
            robot: robot.name.clone(),
            found: filed.nullity(),
            general: numbers.dependent.len(),
            coinciding: coinciding(&parametrisation, &given),
        });
    }
    let class = class_at(&primes);
    let (weights, tolerance) = recognised(&class, &numbers);
    let mut found = PlanarBaseParameters {
        base: numbers.base.clone(),
        dependent: numbers.dependent.clone(),
        weights,
        searched,
        origins: parametrisation.origin_lengths.clone(),
        opened_at: opening.cuts.iter().map(|&cut| linkage.joints[cut].name.clone()).collect(),
        primes: (primes.primes.clone(), primes.factor.to_f64().value()),
        candidates: (class.len(), class.separation()),
        tolerance,
        numbers,
        transfers: TransferCheck::Incomplete { independent: 0 },
        residual: None,
        at_file: None,
        notes: opening.notes.iter().chain(&parametrisation.notes).cloned().collect(),
        lengths: parametrisation.lengths.clone(),
        squares: parametrisation.squares.clone(),
        labels,
        view,
    };
    found.residual = found.null_vectors(&given).map(|vectors| filed.residual(&vectors));
    found.at_file = filed.base_parameters(&found.base, &found.dependent, &found.origins_at(&given));
    found.transfers = transfers::check(&found, &linkage, &parametrisation);
    found.notes.extend(remarks(&found, &linkage, &opening, &eliminate, &keep));
    Ok(found)
}

/// Every weight as the product of lengths that it is, and how near it has to be.
fn recognised(class: &ProductClass, numbers: &PlanarNumbers) -> (Vec<Vec<PlanarWeight>>, f64) {
    let sizes = numbers.values.entries().iter().map(|x| x.abs()).filter(|x| *x > 0.0);
    let least = sizes.fold(f64::INFINITY, f64::min);
    let tolerance = TOLERANCE * if least.is_finite() { least } else { 1.0 };
    let recognise = |b: usize, d: usize| match numbers.values[(b, d)] {
        0.0 => PlanarWeight::Zero,
        _ => {
            let dimension = DIMENSIONS[numbers.base[b] % 4] - DIMENSIONS[numbers.dependent[d] % 4];
            class.recognise(numbers.wide[(b, d)], dimension, tolerance)
        }
    };
    let row = |b: usize| (0..numbers.dependent.len()).map(|d| recognise(b, d)).collect();
    ((0..numbers.base.len()).map(row).collect(), tolerance)
}

fn columns(
    robot: &steiner_robot::Robot,
    labels: &[String],
    names: &[String],
) -> Result<Vec<usize>, IdentifiabilityError> {
    let column = |name: &String| {
        labels.iter().position(|label| label == name).ok_or_else(|| IdentifiabilityError::UnknownParameter {
            robot: robot.name.clone(),
            label: name.clone(),
            hint: did_you_mean(name, labels.iter().map(String::as_str)),
        })
    };
    names.iter().map(column).collect()
}

/// The lengths in the file, m.
fn given_lengths(
    linkage: &Linkage,
    parametrisation: &Parametrisation,
) -> Result<Vec<f64>, IdentifiabilityError> {
    let failed = |reason| IdentifiabilityError::Number { robot: linkage.robot.clone(), reason };
    let length = |length: &PlanarLength| {
        let value = length.coordinate.to_f64().map_err(failed)?;
        Ok(if length.negative { -value } else { value })
    };
    parametrisation.lengths.iter().map(length).collect()
}

/// A power of two near the mean: multiplying by it loses no digit.
fn mean_length(lengths: &[f64]) -> f64 {
    if lengths.is_empty() {
        return 1.0;
    }
    let mean = lengths.iter().map(|x| x.abs()).sum::<f64>() / lengths.len() as f64;
    if mean > 0.0 { mean.log2().round().exp2() } else { 1.0 }
}

/// Lengths that are the whole distance of their point.
fn aligned(parametrisation: &Parametrisation) -> Vec<usize> {
    let single = |point: &parametrisation::JointPoint| match point.lengths {
        [Some(k), None] | [None, Some(k)] => Some(k),
        _ => None,
    };
    parametrisation.points.iter().filter_map(single).collect()
}

/// Which lengths of the file coincide, for a message.
fn coinciding(parametrisation: &Parametrisation, given: &[f64]) -> String {
    let searched = parametrisation.searched;
    let mut pairs = Vec::new();
    for a in 0..searched {
        for b in a + 1..searched {
            if (given[a] - given[b]).abs() <= 1e-9 * given[a].abs() {
                let of = |k: usize| parametrisation.lengths[k].name.as_str();
                pairs.push(format!("{} = {}", of(a), of(b)));
            }
        }
    }
    pairs.truncate(6);
    if pairs.is_empty() { String::new() } else { format!(" (lengths coincide: {})", pairs.join(", ")) }
}
