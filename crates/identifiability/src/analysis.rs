//! One question, one answer: what can be identified, and why not the rest.

use std::time::Instant;

use steiner_dynamics::Mechanism;

use crate::base_parameters::{Preference, Regrouping, regroup};
use crate::certificate::{Arithmetic, Certificate};
use crate::certify::certify;
use crate::completion::{NullVector, structural_nullspace};
use crate::drng::drng_nullspace;
use crate::error::IdentifiabilityError;
use crate::measure::{Measurement, column_named};
use crate::numeric::{NumericNullspace, NumericOptions, numeric_nullspace};
use crate::rpna::rpna;
use crate::weak::{WeakDirection, weak_directions};

/// How the nullspace is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// Geometry first, then completion until the certificate closes.
    #[default]
    Auto,
    /// The dynamics regressor nullspace generator of \[sun2025\].
    Drng,
    /// The recursive parameter nullspace algorithm of \[wensing2024\].
    Rpna,
    /// Gautier's: a regressor at random states, in doubles.
    Numeric,
}

impl Method {
    /// All of them.
    pub const ALL: [Method; 4] = [Method::Auto, Method::Drng, Method::Rpna, Method::Numeric];

    /// The word documents use.
    pub fn name(self) -> &'static str {
        match self {
            Method::Auto => "auto",
            Method::Drng => "drng",
            Method::Rpna => "rpna",
            Method::Numeric => "numeric",
        }
    }

    /// From the word documents use.
    pub fn named(name: &str) -> Option<Method> {
        Method::ALL.into_iter().find(|method| method.name() == name)
    }
}

/// What is asked about a mechanism.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// What is measured, as [`Measurement::parse`] reads it.
    pub measure: String,
    /// How the nullspace is found.
    pub method: Method,
    /// Whether the answer shall be proven.
    pub certify: bool,
    /// Whether to ask for the parameters of the drives as well.
    pub drives: bool,
    /// Parameters that are known beforehand: (label, value).
    pub known: Vec<(String, f64)>,
    /// Labels of parameters to keep as base parameters where there is a choice.
    pub keep: Vec<String>,
    /// Labels of parameters to eliminate where there is a choice.
    pub eliminate: Vec<String>,
}

impl Default for Question {
    fn default() -> Self {
        Question {
            measure: "all".to_owned(),
            method: Method::Auto,
            certify: true,
            drives: false,
            known: Vec::new(),
            keep: Vec::new(),
            eliminate: Vec::new(),
        }
    }
}

impl Question {
    /// What is measured of a mechanism, and which parameters are asked for.
    pub fn measurement(&self, mechanism: &Mechanism) -> Result<Measurement, IdentifiabilityError> {
        let mut measurement = Measurement::parse(&self.measure, mechanism)?;
        if self.drives {
            measurement = measurement.with_drives(mechanism)?;
        }
        measurement.with_known(mechanism, &self.known)
    }
}

/// What can be identified, and why the rest cannot.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// How the nullspace was found.
    pub method: Method,
    /// What is measured.
    pub measure: String,
    /// Labels of all parameters: ten for each body, then four for each drive.
    pub labels: Vec<String>,
    /// Names of the bodies.
    pub bodies: Vec<String>,
    /// Parameters known beforehand: (column, value).
    pub known: Vec<(usize, f64)>,
    /// A sparse basis of the nullspace.
    pub vectors: Vec<NullVector>,
    /// Base parameters, and what becomes of each parameter.
    pub regrouping: Regrouping,
    /// Combinations that only small misalignments make identifiable.
    pub weak: Vec<WeakDirection>,
    /// What is proven; `None` if nobody asked for it.
    pub certificate: Option<Certificate>,
    /// What the numeric method saw, if it was asked.
    pub numeric: Option<NumericNullspace>,
    /// What the user should know about the answer, a sentence each.
    pub notes: Vec<String>,
    /// Time the method took, without the certificate (with it for [`Method::Auto`], which cannot do without), s.
    pub seconds: f64,
}

impl Analysis {
    /// Number of unknown parameters.
    pub fn parameters(&self) -> usize {
        self.labels.len() - self.known.len()
    }

    /// Number of identifiable combinations.
    pub fn identifiable(&self) -> usize {
        self.parameters() - self.vectors.len()
    }

    /// How many vectors have no explanation but numbers.
    pub fn unexplained(&self) -> usize {
        let numeric = |vector: &&NullVector| vector.principle == crate::Principle::Numeric;
        self.vectors.iter().filter(numeric).count()
    }
}

/// Which parameters of a mechanism can be identified from what is measured.
pub fn analyze(mechanism: &Mechanism, question: &Question) -> Result<Analysis, IdentifiabilityError> {
    let measurement = question.measurement(mechanism)?;
    let (labels, bodies) = (measurement.labels(mechanism), measurement.bodies(mechanism));
    let columns_of = |names: &[String]| -> Result<Vec<usize>, IdentifiabilityError> {
        names.iter().map(|label| column_named(mechanism, &labels, label)).collect()
    };
    let preference =
        Preference { eliminate: columns_of(&question.eliminate)?, keep: columns_of(&question.keep)? };
    let started = Instant::now();
    let (vectors, proven, numeric) = match question.method {
        Method::Auto => {
            let nullspace = structural_nullspace(mechanism, &measurement)?;
            (nullspace.vectors, Some(nullspace.certificate), None)
        }
        Method::Drng => (drng_for(mechanism, &measurement)?, None, None),
        Method::Rpna => (rpna_for(mechanism, &measurement)?, None, None),
        Method::Numeric => {
            let mut found = numeric_nullspace(mechanism, &measurement, &NumericOptions::default())?;
            (std::mem::take(&mut found.vectors), None, Some(found))
        }
    };
    let seconds = started.elapsed().as_secs_f64();
    let mut notes = mechanism.notes().to_vec();
    notes.extend(measurement.unweighed(mechanism));
    let certificate = match proven {
        _ if !question.certify => None,
        None => {
            let (certificate, wrong) = certify(mechanism, &measurement, &vectors)?;
            notes.extend(shortcomings(
                question.method,
                &certificate,
                &vectors,
                wrong.len(),
                &measurement,
                mechanism,
            ));
            Some(certificate)
        }
        proven => proven,
    };
    let exact_geometry = certificate.as_ref().is_none_or(|certificate| certificate.exact_geometry);
    let weak = match question.method {
        Method::Auto => weak_directions(mechanism, &measurement, &vectors, exact_geometry)?,
        _ => Vec::new(),
    };
    let regrouping = regroup(mechanism, &measurement, &vectors, &preference);
    if certificate
        .as_ref()
        .is_some_and(|c| c.arithmetic == Arithmetic::PrimeField && !c.complete && !c.exact_geometry)
    {
        notes.push(
            "rounding the geometry may have undone an alignment: doubles see another rank, and the robot is too large to decide in 31 digits"
                .to_owned(),
        );
    }
    if vectors.len() == labels.len() - measurement.known().len() {
        notes.push("nothing can be identified from what is measured".to_owned());
    }
    notes.extend(unheeded(&labels, &regrouping, &preference));
    Ok(Analysis {
        method: question.method,
        measure: question.measure.clone(),
        known: measurement.known().to_vec(),
        weak,
        labels,
        bodies,
        vectors,
        regrouping,
        certificate,
        numeric,
        notes,
        seconds,
    })
}

/// DRNG speaks of all generalised forces and of bodies alone.
fn drng_for(
    mechanism: &Mechanism,
    measurement: &Measurement,
) -> Result<Vec<NullVector>, IdentifiabilityError> {
    if !measurement.is_all() {
        return Err(IdentifiabilityError::MethodCannot {
            method: "drng",
            what: format!("measuring `{}`, drives or known parameters", measurement.text),
        });
    }
    drng_nullspace(mechanism)
}

/// RPNA speaks of bodies alone.
fn rpna_for(
    mechanism: &Mechanism,
    measurement: &Measurement,
) -> Result<Vec<NullVector>, IdentifiabilityError> {
    if !measurement.drives().is_empty() || !measurement.known().is_empty() {
        let what = "drives or known parameters".to_owned();
        return Err(IdentifiabilityError::MethodCannot { method: "rpna", what });
    }
    rpna(mechanism, measurement)
}

/// What a published method missed or got wrong.
fn shortcomings(
    method: Method,
    certificate: &Certificate,
    vectors: &[NullVector],
    wrong: usize,
    measurement: &Measurement,
    mechanism: &Mechanism,
) -> Option<String> {
    let nullity = measurement.columns(mechanism) - measurement.known().len() - certificate.rank;
    let name = method.name();
    let claimed = vectors.len();
    match wrong {
        0 if certificate.complete => None,
        0 if claimed > nullity => Some(format!(
            "{name} claims {claimed} unidentifiable directions; {} of them do show, below a billionth.",
            claimed - nullity
        )),
        0 if claimed < nullity => Some(format!(
            "{name} found {claimed} of {nullity} unidentifiable directions and missed {}; the method auto finds them.",
            nullity - claimed
        )),
        0 => None,
        _ => Some(format!(
            "{wrong} of the {claimed} directions {name} claims are visible after all ({nullity} are not); the method auto tells which."
        )),
    }
}

/// Wishes for the choice of base parameters that could not be granted.
fn unheeded(labels: &[String], regrouping: &Regrouping, preference: &Preference) -> Vec<String> {
    let is_base = |column: usize| regrouping.base.iter().any(|base| base.column == column);
    let eliminate = preference.eliminate.iter().filter(|&&column| is_base(column)).map(|&column| {
        let why = match regrouping.alone.contains(&column) {
            true => "it is identifiable by itself",
            false => "no other parameter can stand for its group",
        };
        format!("{} cannot be eliminated: {why}.", labels[column])
    });
    let keep = preference.keep.iter().filter(|&&column| !is_base(column)).map(|&column| {
        let why = match regrouping.unidentifiable.contains(&column) {
            true => "it has no effect on what is measured",
            false => "others of its group are kept",
        };
        format!("{} cannot be kept: {why}.", labels[column])
    });
    eliminate.chain(keep).collect()
}
