//! One question, one answer: what can be identified, and why not the rest.

use std::time::Instant;

use steiner_dynamics::{Mechanism, MechanismNote};
use steiner_robot::{Label, ParameterList, SensorSet};

use crate::base_parameters::{Preference, Regrouping, regroup};
use crate::certificate::{Arithmetic, Certificate};
use crate::certify::certify;
use crate::completion::structural_nullspace;
use crate::drng::drng_nullspace;
use crate::error::IdentifiabilityError;
use crate::measure::{Measurement, column_named};
use crate::note::AnalysisNote;
use crate::nullspace::NullVector;
use crate::numeric::{NumericNullspace, NumericOptions, numeric_nullspace};
use crate::reason::{Principle, locate};
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
    /// All methods, the default first.
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
    /// The sensors: which forces and wrenches are measured.
    pub measure: SensorSet,
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
            measure: SensorSet::all(),
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
        let mut measurement = Measurement::new(&self.measure, mechanism)?;
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
    /// The sensors: which forces and wrenches are measured.
    pub measure: SensorSet,
    /// The columns: ten for each body, then four for each drive.
    pub columns: ParameterList,
    /// Labels of the columns, `link1.m` and so on.
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
    /// What the user should know about the answer.
    pub notes: Vec<AnalysisNote>,
    /// Time the method took, without the certificate (with it for
    /// [`Method::Auto`], which cannot do without), s.
    pub seconds: f64,
}

impl Analysis {
    /// The labels, owner and parameter apart.
    pub fn names(&self) -> Vec<Label> {
        (0..self.columns.len()).map(|column| self.columns.label(column)).collect()
    }

    /// Number of unknown parameters.
    pub fn parameters(&self) -> usize {
        self.labels.len() - self.known.len()
    }

    /// Number of base parameters (identifiable combinations): the rank.
    pub fn identifiable(&self) -> usize {
        self.parameters() - self.vectors.len()
    }

    /// How many vectors have no explanation but numbers.
    pub fn unexplained(&self) -> usize {
        self.vectors.iter().filter(|vector| vector.principle() == Principle::Numeric).count()
    }
}

/// Which parameters of a mechanism can be identified from what is measured.
pub fn analyze(mechanism: &Mechanism, question: &Question) -> Result<Analysis, IdentifiabilityError> {
    let measurement = question.measurement(mechanism)?;
    let columns = measurement.parameters(mechanism);
    let (labels, bodies) = (columns.labels(), measurement.bodies(mechanism));
    let columns_of = |names: &[String]| -> Result<Vec<usize>, IdentifiabilityError> {
        names.iter().map(|label| column_named(mechanism, &labels, label)).collect()
    };
    let preference =
        Preference { eliminate: columns_of(&question.eliminate)?, keep: columns_of(&question.keep)? };
    let started = Instant::now();
    let (mut vectors, proven, numeric) = match question.method {
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
    let mut notes: Vec<AnalysisNote> = mechanism.notes().iter().map(|&note| noted(mechanism, note)).collect();
    let links = measurement.unweighed(mechanism);
    notes.extend((!links.is_empty()).then_some(AnalysisNote::Unweighed { links }));
    let certificate = match proven {
        _ if !question.certify => None,
        None => {
            let (certificate, wrong) = certify(mechanism, &measurement, &vectors)?;
            let unknown = columns.len() - measurement.known().len();
            notes.extend(shortcomings(question.method, &certificate, vectors.len(), wrong.len(), unknown));
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
    locate(mechanism.robot(), measurement.ground_count(), &mut vectors);
    if certificate
        .as_ref()
        .is_some_and(|c| c.arithmetic == Arithmetic::PrimeField && !c.complete && !c.exact_geometry)
    {
        notes.push(AnalysisNote::RoundingDisputed);
    }
    if vectors.len() == labels.len() - measurement.known().len() {
        notes.push(AnalysisNote::NothingIdentifiable);
    }
    notes.extend(unheeded(&labels, &regrouping, &preference));
    Ok(Analysis {
        method: question.method,
        measure: question.measure.clone(),
        known: measurement.known().to_vec(),
        weak,
        columns,
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

/// A remark about the assembly; with a singular configuration the branch that was taken.
fn noted(mechanism: &Mechanism, note: MechanismNote) -> AnalysisNote {
    if note != MechanismNote::SingularConfiguration {
        return AnalysisNote::Mechanism(note);
    }
    let robot = mechanism.robot();
    let offsets = robot.configuration_offsets();
    let single = robot.bodies.iter().zip(offsets).filter(|(body, _)| body.joint.kind.dof() == 1);
    let at = single.map(|(body, k)| (body.joint.name.clone(), mechanism.reference_tree()[k])).collect();
    AnalysisNote::Branch { at }
}

/// DRNG speaks of all generalised forces and of bodies alone.
fn drng_for(
    mechanism: &Mechanism,
    measurement: &Measurement,
) -> Result<Vec<NullVector>, IdentifiabilityError> {
    if !measurement.is_all() {
        return Err(IdentifiabilityError::MethodCannot {
            method: "drng",
            what: format!("measuring `{}`, drives or known parameters", measurement.set()),
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
    claimed: usize,
    wrong: usize,
    parameters: usize,
) -> Option<AnalysisNote> {
    let nullity = parameters - certificate.rank;
    match wrong {
        0 if certificate.complete => None,
        0 if claimed > nullity => Some(AnalysisNote::Exceeds { method, claimed, nullity }),
        0 if claimed < nullity => Some(AnalysisNote::Missed { method, found: claimed, nullity }),
        0 => None,
        _ => Some(AnalysisNote::Wrong { method, wrong, claimed, nullity }),
    }
}

/// Wishes for the choice of base parameters that could not be granted.
fn unheeded(labels: &[String], regrouping: &Regrouping, preference: &Preference) -> Vec<AnalysisNote> {
    let is_base = |column: usize| regrouping.base.iter().any(|base| base.column == column);
    let label = |column: usize| labels[column].clone();
    let kept = preference.eliminate.iter().filter(|&&column| is_base(column)).map(|&column| {
        AnalysisNote::NotEliminated { label: label(column), alone: regrouping.alone.contains(&column) }
    });
    let dropped = preference.keep.iter().filter(|&&column| !is_base(column)).map(|&column| {
        AnalysisNote::NotKept { label: label(column), no_effect: regrouping.unidentifiable.contains(&column) }
    });
    kept.chain(dropped).collect()
}
