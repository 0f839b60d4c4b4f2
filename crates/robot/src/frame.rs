//! Placements of one frame in another, kept exact until a scalar asks.

mod product;

use steiner_linalg::{Mat3, Vec3};
use steiner_scalar::{Evaluated, EvaluationError, Exact, Field, Function, QuadDouble, Real, Scalar};

/// A rigid placement in some scalar: the coordinates of a point change as x ↦ R x + p.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose<S> {
    /// Rotation from child axes to parent axes.
    pub rotation: Mat3<S>,
    /// Origin of the child in parent axes, m.
    pub translation: Vec3<S>,
}

impl<S: Scalar> Pose<S> {
    /// The identity: no displacement, no rotation.
    #[inline(always)]
    pub fn identity() -> Self {
        Pose { rotation: Mat3::identity(), translation: Vec3::zero() }
    }
    /// `self` followed by `inner`: the placement of a grandchild.
    #[inline(always)]
    pub fn then(&self, inner: &Self) -> Self {
        Pose {
            rotation: self.rotation * inner.rotation,
            translation: self.translation + self.rotation.apply(inner.translation),
        }
    }
    /// The parent seen from the child.
    #[inline(always)]
    pub fn inverse(&self) -> Self {
        Pose {
            rotation: self.rotation.transpose(),
            translation: -self.rotation.apply_transposed(self.translation),
        }
    }
    /// A point of the child in parent coordinates.
    #[inline(always)]
    pub fn point(&self, p: Vec3<S>) -> Vec3<S> {
        self.translation + self.rotation.apply(p)
    }
}

/// How a frame is turned.
#[derive(Clone, Debug, PartialEq)]
pub enum Orientation {
    /// R = Rz(yaw) Ry(pitch) Rx(roll), as URDF prints it: `[roll, pitch, yaw]` in rad.
    RollPitchYaw([Exact; 3]),
    /// A quaternion (w, x, y, z) of any length but zero.
    Quaternion([Exact; 4]),
    /// A matrix, by rows, that is orthogonal to all digits.
    Matrix([[Exact; 3]; 3]),
}

/// One displacement: translate by `xyz` (m), then turn.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Translation in the outer frame's axes, m.
    pub xyz: [Exact; 3],
    /// Orientation of the inner frame in the outer one.
    pub orientation: Orientation,
}

/// A placement as a chain of displacements: lumping a fixed link only lengthens
/// the chain, so nothing is rounded.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Frame {
    steps: Vec<Step>,
}

/// Why a 3×3 matrix is not a rotation.
#[derive(Clone, Debug, PartialEq)]
pub struct NotARotation {
    /// Largest entry of |RᵀR − 1|.
    pub defect: f64,
}

/// Three zeros.
pub fn no_displacement() -> [Exact; 3] {
    std::array::from_fn(|_| Exact::zero())
}

fn evaluate3<S: Field>(source: &[Exact; 3], rounded: &mut bool) -> Result<[S; 3], EvaluationError> {
    let mut out = [S::zero(), S::zero(), S::zero()];
    for (value, exact) in out.iter_mut().zip(source) {
        let evaluated = S::evaluate(exact)?;
        *rounded |= evaluated.rounded;
        *value = evaluated.value;
    }
    Ok(out)
}

/// A vector of exact numbers in some scalar.
pub fn evaluate_vector<S: Scalar>(source: &[Exact; 3]) -> Result<Evaluated<Vec3<S>>, EvaluationError> {
    let mut rounded = false;
    let value = Vec3(evaluate3(source, &mut rounded)?);
    Ok(Evaluated { value, rounded })
}

/// The unit vector along exact coordinates. Rounded when the length is a root the scalar doesn't have.
pub fn evaluate_direction<S: Scalar>(source: &[Exact; 3]) -> Result<Evaluated<Vec3<S>>, EvaluationError> {
    let norm = source.iter().cloned().fold(Exact::zero(), |sum, x| sum + x.clone() * x).sqrt();
    evaluate_vector(&source.clone().map(|x| x / norm.clone()))
}

impl Orientation {
    /// The turn by an angle (rad) about an axis of any length; `None` if that is zero. About a coordinate axis the
    /// angle stays as it is written.
    pub fn about(axis: &[Exact; 3], angle: Exact) -> Option<Self> {
        let along: Vec<usize> = (0..3).filter(|&k| !axis[k].is_zero()).collect();
        match along[..] {
            [] => None,
            [k] => {
                let mut angles = no_displacement();
                let negative = axis[k].to_f64().is_ok_and(|x| x < 0.0);
                angles[k] = if negative { -angle } else { angle };
                Some(Orientation::RollPitchYaw(angles))
            }
            _ => {
                let length = axis.iter().cloned().fold(Exact::zero(), |sum, x| sum + x.clone() * x).sqrt();
                let half = angle * Exact::fraction(1, 2);
                let sine = half.clone().call(Function::Sin);
                let [x, y, z] = axis.clone().map(|x| sine.clone() * x);
                Some(Orientation::Quaternion([half.call(Function::Cos) * length, x, y, z]))
            }
        }
    }

    /// No rotation.
    pub fn identity() -> Self {
        Orientation::RollPitchYaw(no_displacement())
    }

    /// A printed matrix: kept if it is a rotation to 50 digits; otherwise, if its defect is that of rounded
    /// digits (at most 1e-3), the quaternion nearest to it to 30 digits.
    pub fn from_matrix(matrix: [[Exact; 3]; 3]) -> Result<Result<Self, NotARotation>, EvaluationError> {
        let mut rounded = false;
        let mut rows = [[QuadDouble::zero(); 3]; 3];
        for (row, source) in rows.iter_mut().zip(&matrix) {
            *row = evaluate3(source, &mut rounded)?;
        }
        let m = Mat3(rows);
        let defect = m.transpose() * m - Mat3::identity();
        let worst = defect.0.iter().flatten().fold(0.0f64, |most, x| most.max(x.to_f64().abs()));
        let handed = m.column(0).cross(m.column(1)).dot(m.column(2)).to_f64() > 0.0;
        if !handed || worst.is_nan() || worst > 1e-3 {
            return Ok(Err(NotARotation { defect: if handed { worst } else { 2.0 } }));
        }
        if worst < 1e-50 {
            return Ok(Ok(Orientation::Matrix(matrix)));
        }
        Ok(Ok(Orientation::Quaternion(quaternion_to_thirty_digits(&m))))
    }

    /// The rotation in some scalar.
    pub fn evaluate<S: Scalar>(&self) -> Result<Evaluated<Mat3<S>>, EvaluationError> {
        let mut rounded = false;
        let value = match self {
            Orientation::RollPitchYaw(angles) => {
                let mut turned = Mat3::identity();
                for (axis, angle) in angles.iter().enumerate().rev() {
                    if angle.is_zero() {
                        continue;
                    }
                    let pair = S::evaluate_sin_cos(angle)?;
                    rounded |= pair.rounded;
                    turned = turned * about_axis(axis, pair.value);
                }
                turned
            }
            Orientation::Quaternion([w, x, y, z]) => {
                let w = S::evaluate(w)?;
                let v = evaluate_vector(&[x.clone(), y.clone(), z.clone()])?;
                rounded = w.rounded || v.rounded;
                Mat3::from_quaternion(w.value, v.value)
            }
            Orientation::Matrix(rows) => {
                let mut m = [[S::zero(); 3]; 3];
                for (row, source) in m.iter_mut().zip(rows) {
                    *row = evaluate3(source, &mut rounded)?;
                }
                if rounded {
                    // Rounded entries would not be a rotation; a rounded quaternion always is one.
                    let mut digits = [[QuadDouble::zero(); 3]; 3];
                    for (row, source) in digits.iter_mut().zip(rows) {
                        *row = evaluate3(source, &mut false)?;
                    }
                    let quaternion = quaternion_to_thirty_digits(&Mat3(digits));
                    return Ok(Evaluated { rounded, ..Orientation::Quaternion(quaternion).evaluate()? });
                }
                Mat3(m)
            }
        };
        Ok(Evaluated { value, rounded })
    }
}

/// Rotation about coordinate axis `k` by the angle with the given (sine, cosine).
fn about_axis<S: Scalar>(k: usize, (sin, cos): (S, S)) -> Mat3<S> {
    let mut m = Mat3::identity();
    let (i, j) = ((k + 1) % 3, (k + 2) % 3);
    m.0[i][i] = cos;
    m.0[j][j] = cos;
    m.0[i][j] = -sin;
    m.0[j][i] = sin;
    m
}

/// The quaternion (w, x, y, z) of a matrix that is nearly a rotation.
pub fn quaternion_of<R: Real>(m: &Mat3<R>) -> [R; 4] {
    let e = |r: usize, c: usize| m.0[r][c];
    let one = R::one();
    // Four equivalent formulas; the one with the largest divisor loses no digits.
    let candidates = [
        [one + e(0, 0) + e(1, 1) + e(2, 2), e(2, 1) - e(1, 2), e(0, 2) - e(2, 0), e(1, 0) - e(0, 1)],
        [e(2, 1) - e(1, 2), one + e(0, 0) - e(1, 1) - e(2, 2), e(0, 1) + e(1, 0), e(0, 2) + e(2, 0)],
        [e(0, 2) - e(2, 0), e(0, 1) + e(1, 0), one - e(0, 0) + e(1, 1) - e(2, 2), e(1, 2) + e(2, 1)],
        [e(1, 0) - e(0, 1), e(0, 2) + e(2, 0), e(1, 2) + e(2, 1), one - e(0, 0) - e(1, 1) + e(2, 2)],
    ];
    let best = (0..4).fold(0, |best, k| if candidates[k][k] > candidates[best][best] { k } else { best });
    let q = candidates[best];
    let norm = q.iter().fold(R::zero(), |sum, x| sum + *x * *x).sqrt();
    let unit = q.map(|x| x / norm);
    if unit[0] < R::zero() { unit.map(|x| -x) } else { unit }
}

fn quaternion_to_thirty_digits(m: &Mat3<QuadDouble>) -> [Exact; 4] {
    let q = quaternion_of(m);
    // Relative to the largest coordinate, so that the zero ones become exactly zero.
    let largest = q.iter().fold(QuadDouble::zero(), |most, x| if x.abs() > most.abs() { *x } else { most });
    q.map(|x| Exact::rational((x / largest).round_to_thirty_places()))
}

impl Frame {
    /// The identity: no displacement, no rotation.
    pub fn identity() -> Self {
        Frame::default()
    }

    /// A displacement with an orientation.
    pub fn new(xyz: [Exact; 3], orientation: Orientation) -> Self {
        Frame { steps: vec![Step { xyz, orientation }] }
    }

    /// A pure translation, m.
    pub fn translation(xyz: [Exact; 3]) -> Self {
        Frame::new(xyz, Orientation::identity())
    }

    /// The displacements, outermost first.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The frame with each displacement exchanged for another.
    pub(crate) fn map_steps(&self, f: impl FnMut(&Step) -> Step) -> Frame {
        Frame { steps: self.steps.iter().map(f).collect() }
    }

    /// Whether nothing is displaced, by the form of its numbers.
    pub(crate) fn is_identity(&self) -> bool {
        self.steps.iter().all(|step| {
            let unturned = match &step.orientation {
                Orientation::RollPitchYaw(angles) => angles.iter().all(Exact::is_zero),
                Orientation::Quaternion([_, x, y, z]) => [x, y, z].into_iter().all(Exact::is_zero),
                Orientation::Matrix(_) => false,
            };
            unturned && step.xyz.iter().all(Exact::is_zero)
        })
    }

    /// `self` followed by `inner`.
    pub fn then(&self, inner: &Frame) -> Frame {
        Frame { steps: self.steps.iter().chain(&inner.steps).cloned().collect() }
    }

    /// The placement in some scalar.
    pub fn evaluate<S: Scalar>(&self) -> Result<Evaluated<Pose<S>>, EvaluationError> {
        let mut pose = Pose::identity();
        let mut rounded = false;
        for step in &self.steps {
            let translation = evaluate_vector(&step.xyz)?;
            let rotation = step.orientation.evaluate()?;
            rounded |= translation.rounded || rotation.rounded;
            pose = pose.then(&Pose { rotation: rotation.value, translation: translation.value });
        }
        Ok(Evaluated { value: pose, rounded })
    }

    /// The placement in doubles. Readers have evaluated every number once, so a frame of a robot has one.
    pub fn pose(&self) -> Pose<f64> {
        self.evaluate().map_or(Pose::identity(), |evaluated| evaluated.value)
    }
}
