//! What one joint does to velocities and inertias, as polynomials in its own coordinate.
//!
//! | symbol | |
//! |---|---|
//! | T(q) | pose of the body behind the joint in the frame of the body before it |
//! | Ad⁻¹(q) = Σ_b Ad_b f_b(q) | carries a velocity field outward: order 1 (lemma 2) |
//! | X(q) = Σ_b X_b f_b(q) | carries the ten parameters of a body inward: order 2 |
//! | B | row over the ten parameters with which a unit velocity meets the joint's own: tr(SᵀS_k N) |
//!
//! Each coordinate of a serial arm enters through one T alone, so the linear systems (25) fall apart into one
//! per joint: five samples on the circle, or three on the line, in a fixed pattern that is solved by hand.

use steiner_dynamics::{AccelerationField, Column, DynamicsError, Segment, Tree, regressor_block};
use steiner_linalg::{Mat3, Vec3};
use steiner_robot::{Pose, Robot};
use steiner_scalar::{DoubleDouble, Fp, Real, Scalar};

use super::monomial::{Derivative, JointMotion, derivatives};
use super::witnessed::Witnessed;

/// A matrix by its non-zero entries: (row, column, entry).
pub(crate) type Sparse = Vec<(u8, u8, Witnessed)>;

/// One joint with the body behind it.
#[derive(Clone, Debug)]
pub(crate) struct JointTables {
    /// Ad_b, 6×6, for the functions of order at most 1.
    pub(crate) velocity: Vec<Sparse>,
    /// X_b, 10×10, for all functions.
    pub(crate) inertia: Vec<Sparse>,
    /// B, 6×10.
    pub(crate) power: Sparse,
    /// The velocity field of the joint in its own axes: angular, then linear.
    pub(crate) own: [Witnessed; 6],
    /// Derivatives of its functions.
    pub(crate) derivatives: Vec<Derivative>,
}

/// The tables of all joints, and gravity.
#[derive(Clone, Debug)]
pub(crate) struct ChainTables {
    pub(crate) joints: Vec<JointTables>,
    /// Direction of gravity in base axes.
    pub(crate) gravity: [Witnessed; 3],
    /// |g|, m/s².
    pub(crate) gravity_norm: f64,
    /// Some geometry had to be rounded in F_p.
    pub(crate) rounded: bool,
}

impl ChainTables {
    /// Evaluates the geometry of a serial arm twice, in thirty digits and in F_p.
    pub(crate) fn new(robot: &Robot, motions: &[JointMotion]) -> Result<Self, DynamicsError> {
        let wide = Tree::<DoubleDouble>::new(robot)?;
        let exact = Tree::<Fp>::new(robot)?;
        let joints = motions
            .iter()
            .zip(wide.segments.iter().zip(&exact.segments))
            .map(|(&motion, (wide, exact))| {
                RawTables::new(motion, wide).witnessed(RawTables::new(motion, exact), motion)
            })
            .collect();
        let g = wide.gravity;
        let norm = g.dot(g).sqrt();
        let direction = |k: usize| match norm.to_f64() {
            0.0 => Witnessed::zero(),
            // In F_p gravity keeps its length, which no coefficient's being zero depends on.
            _ => Witnessed::new((g[k] / norm).to_f64(), exact.gravity[k]),
        };
        Ok(ChainTables {
            joints,
            gravity: std::array::from_fn(direction),
            gravity_norm: norm.to_f64(),
            rounded: exact.rounded,
        })
    }
}

/// The tables of one joint in some scalar, dense.
struct RawTables<S> {
    /// For each function, Ad_b and X_b one after the other, by rows.
    functions: Vec<Vec<S>>,
    power: Vec<S>,
    own: [S; 6],
    norm2: S,
}

impl<S: Scalar> RawTables<S> {
    fn new(motion: JointMotion, segment: &Segment<S>) -> Self {
        // A segment of a one-dof joint has one column.
        let own = segment.columns.first().copied().unwrap_or(Column::zero());
        let norm2 = match motion {
            JointMotion::Revolute => own.angular.dot(own.angular),
            JointMotion::Prismatic => S::one(),
        };
        let functions = match motion {
            JointMotion::Revolute => on_circle(norm2, |sin, cos| {
                // The segment's Rodrigues formula multiplies 1 − cos by axis^², N times that of a unit axis.
                let lifted = S::one() - (S::one() - cos) * norm2.inv();
                effects(&segment.pose_at_sin_cos(sin, lifted, &[S::zero()]))
            }),
            JointMotion::Prismatic => on_line(|x| effects(&segment.pose_at_parameters(&[x], S::zero()))),
        };
        let field = AccelerationField::of_column(&own);
        let power = (0..6).flat_map(|r| regressor_block(&unit_column(r), &field)).collect();
        let own = [own.angular, own.linear].map(|v| v.0);
        let own = std::array::from_fn(|k| own[k / 3][k % 3]);
        RawTables { functions, power, own, norm2 }
    }
}

impl RawTables<DoubleDouble> {
    fn witnessed(self, witness: RawTables<Fp>, motion: JointMotion) -> JointTables {
        let pair = |value: &DoubleDouble, witness: &Fp| Witnessed::new(value.to_f64(), *witness);
        let sparse = |values: &[DoubleDouble], witnesses: &[Fp], width: usize| -> Sparse {
            let all = values.iter().zip(witnesses).enumerate();
            all.map(|(k, (value, witness))| ((k / width) as u8, (k % width) as u8, pair(value, witness)))
                .filter(|(_, _, entry)| !entry.is_zero())
                .collect()
        };
        let functions = || self.functions.iter().zip(&witness.functions);
        JointTables {
            velocity: functions()
                .take(motion.linear_functions())
                .map(|(v, w)| sparse(&v[..36], &w[..36], 6))
                .collect(),
            inertia: functions().map(|(v, w)| sparse(&v[36..], &w[36..], 10)).collect(),
            power: sparse(&self.power, &witness.power, 10),
            own: std::array::from_fn(|k| pair(&self.own[k], &witness.own[k])),
            derivatives: derivatives(motion, witness.norm2),
        }
    }
}

/// Coefficients of 1, s, c, sc, c² of functions known at five points of the circle N s² + c² = 1: those of
/// the half-angle tangents 0, ∞, 1, −1 and 2, which every field has.
fn on_circle<S: Scalar>(norm2: S, sample: impl Fn(S, S) -> Vec<S>) -> Vec<Vec<S>> {
    let (zero, one) = (S::zero(), S::one());
    let point = |t: f64| {
        let t = S::from_f64(t);
        let scale = (one + norm2 * t * t).inv();
        ((t + t) * scale, (one - norm2 * t * t) * scale)
    };
    let (s1, c1) = point(1.0);
    let (s2, c2) = point(2.0);
    let samples = [sample(zero, one), sample(zero, -one), sample(s1, c1), sample(-s1, c1), sample(s2, c2)];
    let (per_s1, per_s2, per_square) = (s1.inv(), s2.inv(), (norm2 * s1 * s1).inv());
    let per_difference = (c2 - c1).inv();
    coefficients(&samples, |[top, bottom, right, left, other]| {
        let (odd, even) = ((right - left).half(), (right + left).half());
        let cosine = (top - bottom).half();
        let constants = (top + bottom).half();
        // even = k + c1 cosine + c1² square with k + square = constants.
        let square = (constants - even + c1 * cosine) * per_square;
        let constant = constants - square;
        // Both odd values over their sine are sine + c product.
        let rest = (other - constant - c2 * cosine - c2 * c2 * square) * per_s2;
        let product = (rest - odd * per_s1) * per_difference;
        let sine = odd * per_s1 - c1 * product;
        vec![constant, sine, cosine, product, square]
    })
}

/// Coefficients of 1, x, x² of functions known at −1, 0, 1.
fn on_line<S: Scalar>(sample: impl Fn(S) -> Vec<S>) -> Vec<Vec<S>> {
    let samples = [sample(-S::one()), sample(S::zero()), sample(S::one())];
    coefficients(&samples, |[before, middle, after]| {
        vec![middle, (after - before).half(), (after + before).half() - middle]
    })
}

/// Solves for every entry of the samples; by coefficient, then entry.
fn coefficients<S: Scalar, const N: usize>(
    samples: &[Vec<S>; N],
    solve: impl Fn([S; N]) -> Vec<S>,
) -> Vec<Vec<S>> {
    let mut out = vec![Vec::with_capacity(samples[0].len()); N];
    for entry in 0..samples[0].len() {
        let solved = solve(std::array::from_fn(|k| samples[k][entry]));
        out.iter_mut().zip(solved).for_each(|(row, x)| row.push(x));
    }
    out
}

/// Ad⁻¹ and X of a pose, by rows.
fn effects<S: Scalar>(pose: &Pose<S>) -> Vec<S> {
    let carried: Vec<Column<S>> = (0..6).map(|c| unit_column(c).carried(pose)).collect();
    let mut out = Vec::with_capacity(136);
    for r in 0..6 {
        out.extend(carried.iter().map(|column| if r < 3 { column.angular[r] } else { column.linear[r - 3] }));
    }
    let moved: Vec<[S; 10]> = (0..10).map(|c| carried_parameters(pose, c)).collect();
    out.extend((0..100).map(|k| moved[k % 10][k / 10]));
    out
}

fn unit_column<S: Scalar>(k: usize) -> Column<S> {
    let (mut angular, mut linear) = (Vec3::zero(), Vec3::zero());
    if k < 3 {
        angular = Vec3::unit(k)
    } else {
        linear = Vec3::unit(k - 3)
    }
    Column { angular, linear }
}

/// Places of Ixx, Ixy, Iyy, Ixz, Iyz, Izz in the tensor.
const TENSOR: [(usize, usize); 6] = [(0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2)];

/// The ten parameters, seen from the parent, of a child that has only one of them (which is 1).
fn carried_parameters<S: Scalar>(pose: &Pose<S>, parameter: usize) -> [S; 10] {
    let (r, p) = (&pose.rotation, pose.translation);
    let mass = if parameter == 0 { S::one() } else { S::zero() };
    let mut first = Vec3::zero();
    let mut tensor = Mat3::zero();
    match parameter {
        0 => {}
        1..=3 => first = r.column(parameter - 1),
        _ => {
            let (i, j) = TENSOR[parameter - 4];
            tensor.0[i][j] = S::one();
            tensor.0[j][i] = S::one();
        }
    }
    // Steiner: I' = R I Rᵀ − [Rh][p] − [p][Rh] − m [p][p].
    let cross_terms = first.skew() * p.skew() + p.skew() * first.skew();
    let tensor = *r * tensor * r.transpose() - cross_terms - (p.skew() * p.skew()).scale(mass);
    let first = first.plus_scaled(mass, p);
    let mut out = [mass; 10];
    out[1..4].copy_from_slice(&first.0);
    for (place, (i, j)) in out[4..].iter_mut().zip(TENSOR) {
        *place = tensor.0[i][j];
    }
    out
}
