//! Coordinates in which the file's inertias are the unit, so that one per cent means the
//! same for every body and moment.
//!
//! With the pseudo-inertia of the file Ξ₀ = L Lᵀ, a body's is Ξ = L X Lᵀ. X is symmetric, X = 1 is the
//! file's, and ‖X − 1‖_F is the distance in the metric of the pseudo-inertia, ‖Ξ₀^{-½} (Ξ − Ξ₀) Ξ₀^{-½}‖_F
//! (\[lee2020\]). Ξ ≻ 0 exactly if X ≻ 0. Coordinates of X are its diagonal and √2 times the rest, so that
//! the Euclidean norm is Frobenius'.

use steiner_linalg::cholesky::{inverse_lower, lower_factor};
use steiner_linalg::eigen::symmetric_eigen;
use steiner_linalg::elimination::Matrix;
use steiner_linalg::norm;
use steiner_linalg::square::{Square, times, transposed};
use steiner_robot::{ParameterKind, PseudoInertia, inertial_columns, inertial_count};

use crate::note::IdentificationNote;
use crate::problem::Problem;

/// 4×4 matrices of pseudo-inertias.
pub(crate) type Mat4 = Square<4>;

/// Rows and columns of the coordinates of a symmetric 4×4 matrix.
pub(crate) const PAIRS: [(usize, usize); 10] =
    [(0, 0), (1, 1), (2, 2), (3, 3), (0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];

/// A file's body thinner than this part of its extent is given that thickness: a rod or a point
/// has no unit in all directions.
const THINNEST: f64 = 1e-3;

/// A body whose radius of gyration is less than this part of the mechanism's length is a point: the file has no inertia of
/// it. A ball of its mass stands for it, with…
const POINT: f64 = 2e-3;
/// …this radius, in parts of that length.
const BALL: f64 = 0.2;

/// What a zero counts that a file does not state: beside links it gives way.
const UNSTATED: f64 = 0.01;

/// One body of which something is unknown.
#[derive(Clone, Debug)]
pub(crate) struct BodyCoordinates {
    /// Among the bodies of the problem.
    pub(crate) body: usize,
    /// L.
    factor: Mat4,
    /// Parameters of the ten that are known: (which, value).
    pub(crate) known: Vec<(usize, f64)>,
}

/// A parameter that stands for itself.
#[derive(Clone, Debug)]
pub(crate) struct ScalarCoordinate {
    /// Among all labels.
    pub(crate) column: usize,
    /// What 1 means.
    pub(crate) scale: f64,
    /// What the file says, in that unit.
    pub(crate) prior: f64,
    pub(crate) cannot_be_negative: bool,
    /// How much the file's value counts beside those of bodies.
    pub(crate) belief: f64,
}

/// Coordinates z of all unknown parameters: ten for each body, then the others.
#[derive(Clone, Debug)]
pub(crate) struct Metric {
    pub(crate) bodies: Vec<BodyCoordinates>,
    pub(crate) scalars: Vec<ScalarCoordinate>,
    /// All parameters, the known ones as they are and the others zero.
    fixed: Vec<f64>,
    /// Bodies whose file's inertia could not be the unit, and what stands for it.
    pub(crate) notes: Vec<IdentificationNote>,
}

/// A symmetric matrix of its coordinates.
pub(crate) fn symmetric(s: &[f64]) -> Mat4 {
    let mut out = [[0.0; 4]; 4];
    for (k, &(r, c)) in PAIRS.iter().enumerate() {
        let x = if r == c { s[k] } else { s[k] * std::f64::consts::FRAC_1_SQRT_2 };
        (out[r][c], out[c][r]) = (x, x);
    }
    out
}

/// Coordinates of a symmetric matrix.
pub(crate) fn coordinates(m: &Mat4) -> [f64; 10] {
    PAIRS.map(|(r, c)| if r == c { m[r][c] } else { m[r][c] * std::f64::consts::SQRT_2 })
}

/// The 4×4 matrix \[Σ h; hᵀ m\] of ten parameters.
pub(crate) fn pseudo_inertia(p: &[f64]) -> Mat4 {
    let mut ten = [0.0; 10];
    ten.copy_from_slice(&p[..10]);
    PseudoInertia::from_parameters(&ten).matrix()
}

/// The ten parameters of such a matrix.
pub(crate) fn ten_parameters(n: &Mat4) -> [f64; 10] {
    PseudoInertia::from_pseudo_matrix(n).parameters()
}

impl BodyCoordinates {
    /// The pseudo-inertia whose coordinates are those of the unit matrix.
    pub(crate) fn unit(&self) -> Mat4 {
        times(&self.factor, &transposed(&self.factor))
    }

    /// L of S = L Lᵀ for ten parameters; `None` if they are not physically consistent.
    pub(crate) fn factor_of(&self, ten: &[f64]) -> Option<Mat4> {
        let inverse = inverse_lower(&self.factor);
        lower_factor(&times(&times(&inverse, &pseudo_inertia(ten)), &transposed(&inverse))).ok()
    }

    /// The ten parameters of coordinates.
    pub(crate) fn parameters(&self, s: &[f64]) -> [f64; 10] {
        ten_parameters(&times(&times(&self.factor, &symmetric(s)), &transposed(&self.factor)))
    }

    /// The map from coordinates to the ten parameters, column by column.
    pub(crate) fn columns(&self) -> [[f64; 10]; 10] {
        std::array::from_fn(|k| {
            let mut unit = [0.0; 10];
            unit[k] = 1.0;
            self.parameters(&unit)
        })
    }
}

impl Metric {
    /// For the unknowns of a problem; `scales` are the sizes that parameters other than inertias may have.
    pub(crate) fn new(problem: &Problem, scales: &[f64]) -> Self {
        let bodies = problem.body_count();
        let mut fixed = vec![0.0; problem.labels().len()];
        problem.known().iter().for_each(|&(c, value)| fixed[c] = value);
        let known = |c: usize| problem.known().iter().find(|(k, _)| *k == c).map(|(_, value)| *value);
        let masses: Vec<f64> =
            (0..bodies).map(|b| problem.prior()[inertial_count(b)]).filter(|m| *m > 0.0).collect();
        let typical = if masses.is_empty() { 1.0 } else { masses.iter().sum::<f64>() / masses.len() as f64 };
        let length = problem.mechanism().length_scale();
        let names = problem.measurement().bodies(problem.mechanism());
        let mut notes = Vec::new();
        let mut found = Vec::new();
        for body in 0..bodies {
            let of_body: Vec<(usize, f64)> =
                (0..10).filter_map(|k| known(inertial_count(body) + k).map(|value| (k, value))).collect();
            if of_body.len() == 10 {
                continue;
            }
            let (factor, instead) = unit_of(&problem.prior()[inertial_columns(body)], typical, length);
            let link = || names[body].clone();
            match instead {
                Instead::Nothing => {}
                Instead::Point => notes.push(IdentificationNote::Thickened { link: link() }),
                Instead::Body => notes.push(IdentificationNote::Replaced { link: link(), mass: typical }),
            }
            found.push(BodyCoordinates { body, factor, known: of_body });
        }
        let negative = problem.cannot_be_negative();
        let scalars = (inertial_count(bodies)..problem.labels().len())
            .filter(|&c| known(c).is_none())
            .map(|column| {
                let prior = problem.prior()[column];
                let scale = scales[column].max(prior.abs()).max(1e-12);
                // Few files can state a rotor's inertia, and none a gain: zero and one say nothing.
                let unstated = problem.is_gain(column)
                    || prior == 0.0 && problem.kind_of(column) == Some(ParameterKind::Ia);
                let belief = if unstated { UNSTATED } else { 1.0 };
                let cannot_be_negative = negative[column];
                ScalarCoordinate { column, scale, prior: prior / scale, cannot_be_negative, belief }
            })
            .collect();
        Metric { bodies: found, scalars, fixed, notes }
    }

    /// For one body of which nothing is known, with given parameters as the unit.
    pub(crate) fn of_one_body(unit: &[f64; 10], length: f64) -> Self {
        let (factor, _) = unit_of(unit, unit[0], length);
        let body = BodyCoordinates { body: 0, factor, known: Vec::new() };
        Metric { bodies: vec![body], scalars: Vec::new(), fixed: vec![0.0; 10], notes: Vec::new() }
    }

    /// The same unknowns with bodies halfway between the unit and given parameters as the unit.
    pub(crate) fn halfway_to(&self, parameters: &[f64]) -> Self {
        let mut out = self.clone();
        for body in &mut out.bodies {
            let (unit, other) = (body.unit(), pseudo_inertia(&parameters[inertial_columns(body.body)]));
            let middle = std::array::from_fn(|r| std::array::from_fn(|c| 0.5 * (unit[r][c] + other[r][c])));
            if let Ok(factor) = lower_factor(&middle) {
                body.factor = factor;
            }
        }
        out
    }

    /// L of S = L Lᵀ for the bodies of given parameters; `None` if one is not physically consistent.
    pub(crate) fn factors_of(&self, parameters: &[f64]) -> Option<Vec<Mat4>> {
        self.bodies.iter().map(|body| body.factor_of(&parameters[inertial_columns(body.body)])).collect()
    }

    /// The coordinates behind the bodies' of given parameters.
    pub(crate) fn scalars_of(&self, parameters: &[f64]) -> Vec<f64> {
        self.scalars.iter().map(|scalar| parameters[scalar.column] / scalar.scale).collect()
    }

    /// Number of coordinates.
    pub(crate) fn size(&self) -> usize {
        inertial_count(self.bodies.len()) + self.scalars.len()
    }

    /// The file's values.
    pub(crate) fn prior(&self) -> Vec<f64> {
        let mut z = Vec::with_capacity(self.size());
        for _ in &self.bodies {
            z.extend([1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        }
        z.extend(self.scalars.iter().map(|scalar| scalar.prior));
        z
    }

    /// All parameters at coordinates.
    pub(crate) fn parameters(&self, z: &[f64]) -> Vec<f64> {
        let mut out = self.fixed.clone();
        for (k, body) in self.bodies.iter().enumerate() {
            out[inertial_columns(body.body)].copy_from_slice(&body.parameters(&z[inertial_columns(k)]));
            body.known.iter().for_each(|&(which, value)| out[inertial_count(body.body) + which] = value);
        }
        for (k, scalar) in self.scalars.iter().enumerate() {
            out[scalar.column] = scalar.scale * z[inertial_count(self.bodies.len()) + k];
        }
        out
    }

    /// The matrix T of base parameters by coordinates: β = T z (known parameters have no part in β).
    pub(crate) fn base_matrix(&self, problem: &Problem) -> Matrix<f64> {
        let regrouping = problem.regrouping_matrix();
        let mut out = Matrix::zeros(problem.base().len(), self.size());
        for (k, body) in self.bodies.iter().enumerate() {
            let columns = body.columns();
            for r in 0..out.rows() {
                let factors = &regrouping.row(r)[inertial_columns(body.body)];
                if factors.iter().all(|x| *x == 0.0) {
                    continue;
                }
                for (c, column) in columns.iter().enumerate() {
                    out[(r, inertial_count(k) + c)] = factors.iter().zip(column).map(|(a, b)| a * b).sum();
                }
            }
        }
        let first = inertial_count(self.bodies.len());
        for (k, scalar) in self.scalars.iter().enumerate() {
            (0..out.rows()).for_each(|r| out[(r, first + k)] = scalar.scale * regrouping[(r, scalar.column)]);
        }
        out
    }

    /// What is known inside bodies that are not: (coefficients, value), in units of the value's scale.
    pub(crate) fn equations(&self) -> Vec<(Vec<f64>, f64)> {
        let mut out = Vec::new();
        for (k, body) in self.bodies.iter().enumerate() {
            let columns = body.columns();
            for &(which, value) in &body.known {
                let mut row = vec![0.0; self.size()];
                (0..10).for_each(|c| row[inertial_count(k) + c] = columns[c][which]);
                let norm = norm(&row);
                row.iter_mut().for_each(|x| *x /= norm);
                out.push((row, value / norm));
            }
        }
        out
    }
}

/// What a ball stands for.
enum Instead {
    Nothing,
    /// The inertia of a body whose mass and centre the file has.
    Point,
    /// All of a body.
    Body,
}

/// The factor of a file's inertia, thickened where it is thin; and what a ball had to stand for.
fn unit_of(ten: &[f64], typical: f64, length: f64) -> (Mat4, Instead) {
    let given = pseudo_inertia(ten);
    let mass = given[3][3];
    if mass > 0.0 && ten.iter().all(|x| x.is_finite()) {
        // Second moments about the centre of mass, thickened; then moved back.
        let centre: [f64; 3] = std::array::from_fn(|k| given[k][3] / mass);
        let mut about: Mat4 = [[0.0; 4]; 4];
        for r in 0..3 {
            for c in 0..3 {
                about[r][c] = given[r][c] - mass * centre[r] * centre[c];
            }
        }
        let (values, vectors) = symmetric_eigen(&about);
        let largest = values.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        let is_point = largest < mass * (POINT * length).powi(2);
        let least = match is_point {
            true => mass * (BALL * length).powi(2) / 5.0,
            false => THINNEST * largest.max(mass * (0.01 * length).powi(2)),
        };
        let mut thick: Mat4 = [[0.0; 4]; 4];
        for (k, value) in values.iter().enumerate() {
            for r in 0..3 {
                for c in 0..3 {
                    thick[r][c] += value.max(least) * vectors[r][k] * vectors[c][k];
                }
            }
        }
        let mut n = thick;
        for r in 0..3 {
            for c in 0..3 {
                n[r][c] += mass * centre[r] * centre[c];
            }
            (n[r][3], n[3][r]) = (mass * centre[r], mass * centre[r]);
        }
        n[3][3] = mass;
        if let Ok(factor) = lower_factor(&n) {
            return (factor, if is_point { Instead::Point } else { Instead::Nothing });
        }
    }
    let radius2 = typical * (BALL * length).powi(2) / 5.0;
    let mut ball: Mat4 = [[0.0; 4]; 4];
    (0..3).for_each(|k| ball[k][k] = radius2.sqrt());
    ball[3][3] = typical.sqrt();
    (ball, Instead::Body)
}
