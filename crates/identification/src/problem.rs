//! The identification problem: which numbers are unknown, and which rows of which measurements speak of them.
//!
//! At every sample, for every measured row r,
//!
//! Y_r(q, q̇, q̈) π + D_r φ = y_r + Σ_k J_kᵀ Γ_k,
//!
//! with the inertial parameters π, the parameters φ of drives, and known contact wrenches Γ_k. Parameters
//! known beforehand move to the right. What no motion can tell is the certified nullspace of
//! `steiner_identifiability`; the unknowns that are left are the base parameters β, and the rows are over
//! these alone.

mod columns;
mod contacts;
mod filtered_rows;
mod friction;
mod passes;
mod rows;
mod structure;

use std::sync::Arc;

use columns::{DriveTerm, Extra, extras};
use steiner_dynamics::Mechanism;
use steiner_identifiability::{Analysis, BaseParameter, MeasuredRow, Measurement, Question, analyze};
use steiner_linalg::elimination::Matrix;
use steiner_logs::DryFriction;
use steiner_robot::{FurtherFriction, Label, ParameterKind, inertial_count};

use crate::failure::IdentificationError;
use crate::friction_term::FrictionTerm;
use crate::note::IdentificationNote;
use crate::rotors_in_load::grouped_rotors;
use crate::settings::Settings;

pub(crate) use columns::{prior as prior_of, velocity_of};
pub(crate) use contacts::{floating_root, link_in_body, moved, no_body, payload_place, reduced};
pub(crate) use passes::States;
pub(crate) use rows::SampleRows;

/// One measured row: a generalised force or a component of a wrench.
#[derive(Clone, Debug)]
pub struct MeasuredForce {
    /// Which force or wrench component it is.
    pub kind: MeasuredRow,
    /// Its name: the joint's, `base-wrench.fx`, `wrench:joint.tz`.
    pub name: String,
    /// Slower than this, rad/s or m/s, it does not count; `None`: nobody said, and the log decides where dry
    /// friction is felt.
    pub least_speed: Option<f64>,
    /// The base parameters it can see, by position.
    pub sees: Vec<usize>,
}

/// What is unknown, what is known, and what the rows are. Read-only once it is stated: its parts belong
/// together.
#[derive(Clone, Debug)]
pub struct Problem {
    mechanism: Arc<Mechanism>,
    measurement: Measurement,
    analysis: Analysis,
    labels: Vec<String>,
    base: Vec<BaseParameter>,
    known: Vec<(usize, f64)>,
    prior: Vec<f64>,
    rows: Vec<MeasuredForce>,
    notes: Vec<IdentificationNote>,
    extras: Vec<Extra>,
    dry_friction: DryFriction,
    plan: rows::RowPlan,
    /// For each base parameter its value where friction depends on load; empty: no load is known.
    load_by: Vec<f64>,
    /// Velocities of the tree whose rotor counts as load although it is a column of its own.
    load_rotors: Vec<usize>,
}

impl Problem {
    /// States the problem for a mechanism, and analyses what can be identified.
    pub fn new(mechanism: &Mechanism, settings: &Settings) -> Result<Self, IdentificationError> {
        let question = Self::question(mechanism, settings)?;
        Self::of_analysis(mechanism, analyze(mechanism, &question)?, settings)
    }

    /// What an analysis is asked on behalf of an identification.
    pub fn question(mechanism: &Mechanism, settings: &Settings) -> Result<Question, IdentificationError> {
        check_settings(settings)?;
        let mut question = Question {
            measure: settings.measure.clone(),
            drives: settings.drives,
            keep: settings.keep.clone(),
            eliminate: settings.eliminate.clone(),
            ..Question::default()
        };
        let unfixed = question.measurement(mechanism)?;
        question.known = columns::known(mechanism, settings, &unfixed, &columns::prior(mechanism, &unfixed))?;
        Ok(question)
    }

    /// States the problem where the analysis is there already: of the same mechanism, sensors, drives and
    /// known parameters as the settings say.
    pub fn of_analysis(
        mechanism: &Mechanism,
        analysis: Analysis,
        settings: &Settings,
    ) -> Result<Self, IdentificationError> {
        let measurement = Self::question(mechanism, settings)?.measurement(mechanism)?;
        let prior = columns::prior(mechanism, &measurement);
        let mut notes: Vec<IdentificationNote> =
            analysis.notes.iter().cloned().map(IdentificationNote::Analysis).collect();
        let (extras, known_extras) = extras(mechanism, &measurement, settings)?;
        let mut labels = analysis.labels.clone();
        labels.extend(extras.iter().map(|extra| extra.label.to_string()));
        let mut prior = prior;
        prior.extend(extras.iter().map(|extra| extra.prior));
        let mut base = analysis.regrouping.base.clone();
        let first_extra = analysis.labels.len();
        let mut known = analysis.known.clone();
        known.extend(known_extras.iter().map(|&(k, value)| (first_extra + k, value)));
        let unknown_extras = (0..extras.len()).filter(|k| known_extras.iter().all(|(known, _)| known != k));
        base.extend(
            unknown_extras
                .map(|k| BaseParameter { column: first_extra + k, terms: vec![(first_extra + k, 1.0)] }),
        );
        let rows = structure::rows(mechanism, &measurement, settings)?;
        let mut problem = Problem {
            mechanism: Arc::new(mechanism.clone()),
            measurement,
            analysis,
            labels,
            base,
            known,
            prior,
            rows,
            notes: Vec::new(),
            extras,
            dry_friction: settings.dry_friction,
            plan: rows::RowPlan::default(),
            load_by: Vec::new(),
            load_rotors: Vec::new(),
        };
        // Where parameters are known, rotors stand alone that else are grouped with their links.
        if problem.depends_on_load() && !problem.known.is_empty() {
            problem.load_rotors = grouped_rotors(mechanism)?;
        }
        problem.arrange();
        notes.extend(structure::regroup_extras(&mut problem)?);
        problem.arrange();
        problem.notes = notes;
        if problem.base.is_empty() {
            return Err(IdentificationError::NothingToIdentify { measure: settings.measure.to_string() });
        }
        Ok(problem)
    }

    /// The mechanism it is about.
    pub fn mechanism(&self) -> &Mechanism {
        &self.mechanism
    }

    /// The measured rows of the mechanism.
    pub fn measurement(&self) -> &Measurement {
        &self.measurement
    }

    /// The nullspace with its certificate, and the base parameters of bodies and drives.
    pub fn analysis(&self) -> &Analysis {
        &self.analysis
    }

    /// Labels of all parameters: ten for each body, four for each drive, then further ones.
    pub fn labels(&self) -> &[String] {
        &self.labels
    }

    /// Base parameters: a parameter with what is regrouped into it, over all labels.
    pub fn base(&self) -> &[BaseParameter] {
        &self.base
    }

    /// Parameters known beforehand: (position among the labels, value).
    pub fn known(&self) -> &[(usize, f64)] {
        &self.known
    }

    /// The robot's own values of all parameters, 0 for those its file cannot have.
    pub fn prior(&self) -> &[f64] {
        &self.prior
    }

    /// The rows of one sample.
    pub fn rows(&self) -> &[MeasuredForce] {
        &self.rows
    }

    /// What a user should know.
    pub fn notes(&self) -> &[IdentificationNote] {
        &self.notes
    }

    /// The label of a column, owner and parameter apart.
    pub fn label(&self, column: usize) -> Label {
        match column.checked_sub(self.analysis.columns.len()) {
            None => self.analysis.columns.label(column),
            Some(k) => self.extras[k].label.clone(),
        }
    }

    /// Names of the base parameters.
    pub fn base_names(&self) -> Vec<&str> {
        self.base.iter().map(|base| self.labels[base.column].as_str()).collect()
    }

    /// Bodies whose ten parameters come first: those on the ground, then the moving ones.
    pub fn body_count(&self) -> usize {
        self.measurement.ground_count() + self.mechanism.robot().bodies.len()
    }

    /// The base parameters of values of all parameters.
    pub fn base_values(&self, all: &[f64]) -> Vec<f64> {
        let value = |base: &BaseParameter| base.terms.iter().map(|&(c, factor)| factor * all[c]).sum();
        self.base.iter().map(value).collect()
    }

    /// The matrix B of β = B π: base parameters by all parameters.
    pub fn regrouping_matrix(&self) -> Matrix<f64> {
        let mut out = Matrix::zeros(self.base.len(), self.labels.len());
        for (r, base) in self.base.iter().enumerate() {
            base.terms.iter().for_each(|&(c, factor)| out[(r, c)] = factor);
        }
        out
    }

    /// Which columns are bodies' (ten each), and which are of kinds that cannot be negative: drive inertia,
    /// friction, gains.
    pub fn cannot_be_negative(&self) -> Vec<bool> {
        let bodies = inertial_count(self.body_count());
        let of_drives = self.analysis.labels.len();
        (0..self.labels.len())
            .map(|c| match c {
                _ if c < bodies => false,
                _ if c < of_drives => (c - bodies) % 4 < 3,
                _ => self.extras[c - of_drives].cannot_be_negative,
            })
            .collect()
    }

    /// The file's values of all parameters, with gains as they are known or among given base parameters.
    pub(crate) fn with_gains(&self, base_values: &[f64]) -> Vec<f64> {
        let mut all = self.prior.clone();
        let found = self.base.iter().zip(base_values).map(|(base, value)| (base.column, *value));
        let gains = self.known.iter().copied().chain(found).filter(|(column, _)| self.is_gain(*column));
        gains.for_each(|(column, value)| all[column] = value);
        all
    }

    /// Whether friction depends on what inertia and gravity ask of a joint.
    pub(crate) fn depends_on_load(&self) -> bool {
        self.extras.iter().any(Extra::depends_on_load)
    }

    /// The term of friction that a column belongs to.
    pub(crate) fn friction_term(&self, column: usize) -> Option<FrictionTerm> {
        self.extra(column).and_then(Extra::friction_term)
    }

    /// The further friction of a joint among values of all parameters.
    pub(crate) fn further_friction(&self, joint: &str, all: &[f64]) -> FurtherFriction {
        let mut out = FurtherFriction::default();
        let of_drives = self.analysis.labels.len();
        for (extra, value) in self.extras.iter().zip(&all[of_drives..]) {
            if let Some((term, which)) = extra.friction_parameter().filter(|_| extra.label.owner == joint) {
                term.put(&mut out, which, *value);
            }
        }
        out
    }

    /// Shape of dry friction over velocity.
    pub(crate) fn dry_friction(&self) -> DryFriction {
        self.dry_friction
    }

    /// The same problem with another shape of dry friction.
    pub(crate) fn with_dry_friction(&self, dry_friction: DryFriction) -> Self {
        Problem { dry_friction, ..self.clone() }
    }

    /// Takes the load of joints from these base parameters.
    pub(crate) fn set_load_by(&mut self, values: &[f64]) {
        self.load_by = values.to_vec();
        self.arrange();
    }

    /// The same question with other terms of friction: the analysis stands.
    pub(crate) fn with_friction(&self, settings: &Settings) -> Result<Self, IdentificationError> {
        Self::of_analysis(&self.mechanism, self.analysis.clone(), settings)
    }

    /// The kind of a column, for comparing strengths; none for what is neither of bodies nor of drives.
    pub(crate) fn kind_of(&self, column: usize) -> Option<ParameterKind> {
        let kind = self.extra(column).map_or_else(
            || Some(self.analysis.columns.id(column).kind),
            |extra| extra.drive_term().map(DriveTerm::kind),
        )?;
        // First moments compare with each other, and so do the six of an inertia.
        Some(match kind.length_power() {
            1 => ParameterKind::Mx,
            2 => ParameterKind::Ixx,
            _ => kind,
        })
    }

    fn extra(&self, column: usize) -> Option<&Extra> {
        column.checked_sub(self.analysis.labels.len()).and_then(|k| self.extras.get(k))
    }

    /// Labels of parameters beyond bodies and drives: coupled drives, gains.
    pub(crate) fn labels_beyond_drives(&self) -> Vec<String> {
        let beyond = self.extras.iter().filter(|extra| extra.friction_term().is_none());
        beyond.map(|extra| extra.label.to_string()).collect()
    }

    /// Labels of friction beside viscous and Coulomb friction and an offset.
    pub(crate) fn further_friction_labels(&self) -> Vec<String> {
        let terms = self.extras.iter().filter(|extra| extra.friction_term().is_some());
        terms.map(|extra| extra.label.to_string()).collect()
    }

    /// The joint, term and parameter of friction that a column is.
    pub(crate) fn friction_parameter(&self, column: usize) -> Option<(&str, FrictionTerm, usize)> {
        let extra = self.extra(column)?;
        extra.friction_parameter().map(|(term, which)| (extra.label.owner.as_str(), term, which))
    }

    /// Whether a column is the unknown gain of a current.
    pub(crate) fn is_gain(&self, column: usize) -> bool {
        self.extra(column).is_some_and(Extra::is_gain)
    }

    /// The column of the unknown gain of an independent coordinate's current.
    pub(crate) fn gain_column(&self, independent: usize) -> Option<usize> {
        let found = self.extras.iter().position(|extra| extra.is_gain_of(independent));
        found.map(|k| self.analysis.labels.len() + k)
    }

    /// For each row its unknown gain among the base parameters.
    pub(crate) fn gains(&self) -> Vec<Option<usize>> {
        let position = |column: usize| self.base.iter().position(|base| base.column == column);
        self.rows.iter().map(|row| self.gain_of(row.kind).and_then(position)).collect()
    }

    /// Whether some row's gain is unknown, and none is known while nothing else fixes the scale.
    pub(crate) fn lacks_scale(&self) -> bool {
        let scaled = |row: usize| self.extras.iter().any(|extra| extra.is_gain_of(row));
        let all = self.rows.iter().all(|row| matches!(row.kind, MeasuredRow::Force(k) if scaled(k)));
        all && self.known.iter().all(|(_, value)| *value == 0.0)
    }
}

fn check_settings(settings: &Settings) -> Result<(), IdentificationError> {
    let wrong = |what: &str, value: f64, remedy: &str| {
        let (what, value, remedy) = (what.to_owned(), value.to_string(), remedy.to_owned());
        Err(IdentificationError::Setting { what, value, remedy })
    };
    let bad = |x: f64| !(x > 0.0 && x.is_finite());
    match settings.dry_friction {
        DryFriction::Smoothed { speed } if bad(speed) => {
            return wrong("the speed of smoothed friction", speed, "give a positive one, rad/s or m/s");
        }
        _ => {}
    }
    for of in &settings.friction_terms {
        match of.term {
            FrictionTerm::Stribeck { speed } if bad(speed) => {
                return wrong("the Stribeck speed", speed, "give a positive one, rad/s or m/s");
            }
            FrictionTerm::Harmonic { multiple } if !(1..=2).contains(&multiple) => {
                return wrong("the multiple of a harmonic", f64::from(multiple), "give 1 or 2");
            }
            _ => {}
        }
    }
    if let Some((joint, speed)) = settings.least_speed.iter().find(|(_, v)| !(*v >= 0.0 && v.is_finite())) {
        return wrong(&format!("the least speed of {joint}"), *speed, "give a finite one, not negative");
    }
    match settings.estimator {
        crate::Estimator::Instrumental | crate::Estimator::Simulation { .. }
            if !settings.unknown_gains.is_empty() =>
        {
            let name = if settings.estimator == crate::Estimator::Instrumental { "iv" } else { "simulation" };
            let what = "the estimator of a problem with unknown gains".to_owned();
            let (value, remedy) = (name.to_owned(), "use weighted".to_owned());
            Err(IdentificationError::Setting { what, value, remedy })
        }
        crate::Estimator::Simulation { window } if bad(window) => {
            wrong("the length of simulated windows", window, "give a positive one in s; 1 is usual")
        }
        crate::Estimator::Huber { threshold } if bad(threshold) => {
            wrong("the threshold of Huber's estimator", threshold, "give a positive one; 1.345 is usual")
        }
        crate::Estimator::Ridge { weight } if bad(weight) => {
            wrong("the weight of the prior", weight, "give a positive one; 1 trusts the file to 100 %")
        }
        _ => Ok(()),
    }
}
