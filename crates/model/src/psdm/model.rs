//! The model as a value: functions, reduction matrices, base parameters.

use steiner_robot::{Robot, inertial_count};

use super::function::{Acceleration, Function};
use super::monomial::JointMotion;
use crate::error::ModelError;

/// A joint of a modelled arm.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelJoint {
    /// Name of the joint.
    pub name: String,
    /// Whether it turns or slides.
    pub motion: JointMotion,
}

/// A base parameter θ_k as a sum of inertial parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelParameter {
    /// The parameter it is named after.
    pub label: String,
    /// (index in [`Psdm::labels`], factor).
    pub terms: Vec<(usize, f64)>,
    /// Its nominal value: that of the robot's file, or what was fitted since. kg, kg m or kg m².
    pub value: f64,
}

/// P_i: a sparse matrix, functions by base parameters.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct ReductionMatrix {
    /// Where each row starts in the others; one more than there are rows.
    pub(crate) starts: Vec<u32>,
    pub(crate) columns: Vec<u16>,
    pub(crate) values: Vec<f64>,
}

impl ReductionMatrix {
    /// Without rows.
    pub(crate) fn empty() -> Self {
        ReductionMatrix { starts: vec![0], columns: Vec::new(), values: Vec::new() }
    }
    /// Appends a row.
    pub(crate) fn push(&mut self, row: impl IntoIterator<Item = (usize, f64)>) {
        for (column, value) in row {
            self.columns.push(column as u16);
            self.values.push(value);
        }
        self.starts.push(self.columns.len() as u32);
    }
    /// Makes room for the rows of others, and no more: large models fill the memory.
    pub(crate) fn reserve<'a>(&mut self, others: impl Iterator<Item = &'a ReductionMatrix>) {
        let (rows, entries) =
            others.fold((0, 0), |(rows, entries), m| (rows + m.starts.len() - 1, entries + m.values.len()));
        self.starts.reserve_exact(rows);
        self.columns.reserve_exact(entries);
        self.values.reserve_exact(entries);
    }
    /// Appends the rows of another.
    pub(crate) fn append(&mut self, rows: ReductionMatrix) {
        let before = self.columns.len() as u32;
        self.starts.extend(rows.starts[1..].iter().map(|start| before + start));
        self.columns.extend(rows.columns);
        self.values.extend(rows.values);
    }
    /// The non-zero entries of a function's row: (base parameter, value).
    pub fn row(&self, function: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let range = self.starts[function] as usize..self.starts[function + 1] as usize;
        self.columns[range.clone()].iter().map(|&c| c as usize).zip(self.values[range].iter().copied())
    }
    /// Number of non-zero entries.
    pub fn entries(&self) -> usize {
        self.values.len()
    }
}

/// The dynamics of a serial arm in closed form: τ_i = y_p(q, q̇, q̈) P_i θ_b, equation (45).
///
/// Made by [`Psdm::derive`] or read from a file. Coordinates are those of the mechanism,
/// in rad or m; forces in N·m or N.
#[derive(Clone, Debug, PartialEq)]
pub struct Psdm {
    pub(crate) robot: String,
    pub(crate) joints: Vec<ModelJoint>,
    pub(crate) gravity: f64,
    pub(crate) labels: Vec<String>,
    pub(crate) parameters: Vec<ModelParameter>,
    pub(crate) functions: Vec<Function>,
    pub(crate) reductions: Vec<ReductionMatrix>,
}

impl Psdm {
    /// Name of the robot.
    pub fn robot(&self) -> &str {
        &self.robot
    }
    /// Number of joints n.
    pub fn dof(&self) -> usize {
        self.joints.len()
    }
    /// The joints, from the base.
    pub fn joints(&self) -> &[ModelJoint] {
        &self.joints
    }
    /// How the joints move, from the base.
    pub fn motions(&self) -> Vec<JointMotion> {
        self.joints.iter().map(|joint| joint.motion).collect()
    }
    /// g: the length of the gravity vector, m/s².
    pub fn gravity(&self) -> f64 {
        self.gravity
    }
    /// The p functions y_j, ordered by acceleration as [`Acceleration::all`], then by geometry.
    pub fn functions(&self) -> &[Function] {
        &self.functions
    }
    /// The exponent matrix E of section 3.2, function by function: 5 n integers each, in the order of (49).
    pub fn exponents(&self) -> Vec<Vec<u8>> {
        let motions = self.motions();
        self.functions.iter().map(|function| function.exponents(&motions)).collect()
    }
    /// The reduction matrix P_i of a joint (below [`Psdm::dof`]), p × ℓ.
    pub fn reduction(&self, joint: usize) -> &ReductionMatrix {
        &self.reductions[joint]
    }
    /// The ℓ base parameters.
    pub fn parameters(&self) -> &[ModelParameter] {
        &self.parameters
    }
    /// The nominal values of θ_b.
    pub fn nominal(&self) -> Vec<f64> {
        self.parameters.iter().map(|parameter| parameter.value).collect()
    }
    /// Labels of the parameters that base parameters are made of: ten for each body as in `Robot::labels`,
    /// then, in models with drives, `joint.Ia` for each joint.
    pub fn labels(&self) -> &[String] {
        &self.labels
    }
    /// Whether the inertias of the drives are part of the model.
    pub fn has_drives(&self) -> bool {
        self.labels.len() > inertial_count(self.joints.len())
    }

    /// θ_b from all parameters, in the order and units of [`Psdm::labels`]. Neglected ones don't count.
    pub fn base_values(&self, parameters: &[f64]) -> Result<Vec<f64>, ModelError> {
        check("parameters", parameters, self.labels.len(), "ten for each body, then one for each drive")?;
        let sum = |base: &ModelParameter| base.terms.iter().map(|&(k, factor)| factor * parameters[k]).sum();
        Ok(self.parameters.iter().map(sum).collect())
    }

    /// θ_b of a robot with the kinematics of the model, from the inertias of its file.
    pub fn base_values_of(&self, robot: &Robot) -> Result<Vec<f64>, ModelError> {
        let mut parameters = robot.parameters();
        if self.has_drives() {
            parameters.extend(robot.bodies.iter().map(|body| body.joint.rotor_inertia));
        }
        self.base_values(&parameters)
    }

    /// The functions of one acceleration, as a range of [`Psdm::functions`].
    pub fn functions_of(&self, acceleration: Acceleration) -> std::ops::Range<usize> {
        let first = self.functions.partition_point(|f| f.acceleration < acceleration);
        let last = self.functions.partition_point(|f| f.acceleration <= acceleration);
        first..last
    }
}

/// A list of the right length, all finite.
pub(crate) fn check(
    what: &'static str,
    values: &[f64],
    wanted: usize,
    order: &'static str,
) -> Result<(), ModelError> {
    if values.len() != wanted {
        return Err(ModelError::Shape { what, found: values.len(), wanted, order });
    }
    match values.iter().position(|x| !x.is_finite()) {
        Some(index) => Err(ModelError::NotFinite { what, index, value: values[index] }),
        None => Ok(()),
    }
}
