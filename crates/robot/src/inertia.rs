//! The inertia of a rigid body. Its native form is the pseudo-inertia, equation (44) of \[sun2025\]:
//!
//! N = ∫ (x, y, z, 1)ᵀ (x, y, z, 1) dm = \[Σ h; hᵀ m\],  Σ = ½ tr(I) 1 − I,
//!
//! because a body exists if and only if N is positive semidefinite, and because
//! the regressor is linear in it.

use steiner_linalg::eigen::symmetric_eigen;
use steiner_linalg::{Mat3, Vec3};

/// Names of the ten parameters of a body, in the order every public surface uses (Pinocchio's).
pub const PARAMETERS: [&str; 10] = ["m", "mx", "my", "mz", "Ixx", "Ixy", "Iyy", "Ixz", "Iyz", "Izz"];

/// A symmetric tensor of second moments or of inertia: `xx, xy, yy, xz, yz, zz`.
pub type Tensor = [f64; 6];

/// The pseudo-inertia of a body about the origin of its frame, in its axes.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct PseudoInertia {
    /// Mass, kg.
    pub mass: f64,
    /// First moments h = m c, kg·m.
    pub first: [f64; 3],
    /// Second moments Σ = ∫ r rᵀ dm, kg·m².
    pub second: Tensor,
}

/// Mass, centre and tensor about it: how files print an inertia.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CentredInertia {
    /// Mass, kg.
    pub mass: f64,
    /// Centre of mass in the body frame, m.
    pub com: [f64; 3],
    /// Rotational inertia about the centre of mass, body axes, kg·m².
    pub tensor: Tensor,
}

/// Why an inertia cannot belong to a body.
#[derive(Clone, Debug, PartialEq)]
pub enum Inconsistency {
    /// The mass is negative.
    NegativeMass {
        /// The negative mass, kg.
        mass: f64,
    },
    /// A body without mass has moments.
    MomentsWithoutMass,
    /// A principal moment about the centre of mass is negative: the tensor is indefinite.
    IndefiniteTensor {
        /// Principal moments, ascending, kg·m².
        principal: [f64; 3],
    },
    /// The largest principal moment exceeds the sum of the other two.
    TriangleInequality {
        /// Principal moments, ascending, kg·m².
        principal: [f64; 3],
    },
    /// A number is not finite.
    NotFinite,
}

impl std::fmt::Display for Inconsistency {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Inconsistency::NegativeMass { mass } => write!(f, "the mass {mass} kg is negative"),
            Inconsistency::MomentsWithoutMass => write!(f, "the mass is zero but the moments are not"),
            Inconsistency::IndefiniteTensor { principal: [a, b, c] } => {
                write!(
                    f,
                    "the inertia tensor is indefinite (principal moments {a:.4e}, {b:.4e}, {c:.4e} kg·m²)"
                )
            }
            Inconsistency::TriangleInequality { principal: [a, b, c] } => write!(
                f,
                "the principal moments {a:.4e}, {b:.4e}, {c:.4e} kg·m² violate the triangle inequality (the largest exceeds the sum of the others)"
            ),
            Inconsistency::NotFinite => write!(f, "a number is not finite"),
        }
    }
}

/// ½ tr(T) 1 − T: its own inverse up to the factor that the two traces share, it
/// maps I to Σ; see [`tensor_of`].
fn second_of(tensor: Tensor) -> Tensor {
    let [xx, xy, yy, xz, yz, zz] = tensor;
    let half_trace = 0.5 * (xx + yy + zz);
    [half_trace - xx, -xy, half_trace - yy, -xz, -yz, half_trace - zz]
}

/// tr(Σ) 1 − Σ: maps second moments back to the rotational inertia.
fn tensor_of(second: Tensor) -> Tensor {
    let [xx, xy, yy, xz, yz, zz] = second;
    let trace = xx + yy + zz;
    [trace - xx, -xy, trace - yy, -xz, -yz, trace - zz]
}

/// The symmetric matrix of a tensor.
pub fn to_matrix([xx, xy, yy, xz, yz, zz]: Tensor) -> Mat3<f64> {
    Mat3([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
}

/// The tensor of a symmetric matrix.
pub fn from_matrix(m: &Mat3<f64>) -> Tensor {
    let s = |r: usize, c: usize| 0.5 * (m.0[r][c] + m.0[c][r]);
    [s(0, 0), s(0, 1), s(1, 1), s(0, 2), s(1, 2), s(2, 2)]
}

fn outer(a: [f64; 3], b: [f64; 3], factor: f64) -> Tensor {
    let e = |r: usize, c: usize| factor * 0.5 * (a[r] * b[c] + a[c] * b[r]);
    [e(0, 0), e(0, 1), e(1, 1), e(0, 2), e(1, 2), e(2, 2)]
}

fn plus(a: Tensor, b: Tensor) -> Tensor {
    std::array::from_fn(|k| a[k] + b[k])
}

impl PseudoInertia {
    /// No inertia at all.
    pub const ZERO: PseudoInertia = PseudoInertia { mass: 0.0, first: [0.0; 3], second: [0.0; 6] };

    /// From the ten parameters `m, mx, my, mz, Ixx, Ixy, Iyy, Ixz, Iyz, Izz` (inertia about the body origin).
    pub fn from_parameters(p: &[f64; 10]) -> Self {
        let [mass, hx, hy, hz, xx, xy, yy, xz, yz, zz] = *p;
        PseudoInertia { mass, first: [hx, hy, hz], second: second_of([xx, xy, yy, xz, yz, zz]) }
    }

    /// The ten parameters `m, mx, my, mz, Ixx, Ixy, Iyy, Ixz, Iyz, Izz` (inertia about the body origin).
    pub fn parameters(&self) -> [f64; 10] {
        let [hx, hy, hz] = self.first;
        let [xx, xy, yy, xz, yz, zz] = tensor_of(self.second);
        [self.mass, hx, hy, hz, xx, xy, yy, xz, yz, zz]
    }

    /// From mass, centre and tensor about the centre.
    pub fn from_centred(c: &CentredInertia) -> Self {
        let first = c.com.map(|x| c.mass * x);
        PseudoInertia { mass: c.mass, first, second: plus(second_of(c.tensor), outer(c.com, c.com, c.mass)) }
    }

    /// Mass, centre and tensor about the centre. A body without mass has its centre at the origin.
    pub fn centred(&self) -> CentredInertia {
        let com = if self.mass == 0.0 { [0.0; 3] } else { self.first.map(|h| h / self.mass) };
        CentredInertia { mass: self.mass, com, tensor: self.tensor_about(com) }
    }

    /// The rotational inertia about the centre of mass, given where that is.
    pub fn tensor_about(&self, com: [f64; 3]) -> Tensor {
        tensor_of(plus(self.second, outer(com, com, -self.mass)))
    }

    /// The 4×4 matrix N of equation (44).
    pub fn matrix(&self) -> [[f64; 4]; 4] {
        let [xx, xy, yy, xz, yz, zz] = self.second;
        let [hx, hy, hz] = self.first;
        [[xx, xy, xz, hx], [xy, yy, yz, hy], [xz, yz, zz, hz], [hx, hy, hz, self.mass]]
    }

    /// From the 4×4 matrix N (its symmetric part).
    pub fn from_pseudo_matrix(n: &[[f64; 4]; 4]) -> Self {
        let s = |r: usize, c: usize| 0.5 * (n[r][c] + n[c][r]);
        PseudoInertia {
            mass: n[3][3],
            first: [s(0, 3), s(1, 3), s(2, 3)],
            second: [s(0, 0), s(0, 1), s(1, 1), s(0, 2), s(1, 2), s(2, 2)],
        }
    }

    /// The 6×6 spatial inertia of equation (6), \[J, m\[c\]; m\[c\]ᵀ, m 1\], rotation first.
    pub fn spatial(&self) -> [[f64; 6]; 6] {
        let tensor = to_matrix(tensor_of(self.second));
        let skew = Vec3(self.first).skew();
        std::array::from_fn(|r| {
            std::array::from_fn(|c| match (r < 3, c < 3) {
                (true, true) => tensor.0[r][c],
                (true, false) => skew.0[r][c - 3],
                (false, true) => skew.0[c][r - 3],
                (false, false) => {
                    if r == c {
                        self.mass
                    } else {
                        0.0
                    }
                }
            })
        })
    }

    /// From a 6×6 spatial inertia of the form (6).
    pub fn from_spatial(s: &[[f64; 6]; 6]) -> Self {
        let tensor = Mat3(std::array::from_fn(|r| std::array::from_fn(|c| s[r][c])));
        PseudoInertia {
            mass: s[5][5],
            first: [s[2][4], s[0][5], s[1][3]],
            second: second_of(from_matrix(&tensor)),
        }
    }

    /// The same body seen from a frame in which the body's frame sits at `rotation`, `translation` (m).
    pub fn moved(&self, rotation: &Mat3<f64>, translation: [f64; 3]) -> Self {
        // N' = T N Tᵀ with T the homogeneous matrix.
        let h = rotation.apply(Vec3(self.first)).0;
        let turned = from_matrix(&(*rotation * to_matrix(self.second) * rotation.transpose()));
        let second =
            plus(plus(turned, outer(h, translation, 2.0)), outer(translation, translation, self.mass));
        let first = std::array::from_fn(|k| h[k] + self.mass * translation[k]);
        PseudoInertia { mass: self.mass, first, second }
    }

    /// Two bodies welded together.
    pub fn plus(&self, other: &Self) -> Self {
        PseudoInertia {
            mass: self.mass + other.mass,
            first: std::array::from_fn(|k| self.first[k] + other.first[k]),
            second: plus(self.second, other.second),
        }
    }

    /// The second moments about the centre of mass ∫ (r − c)(r − c)ᵀ dm, kg·m².
    /// Without mass, those about the origin.
    pub fn second_about_centre(&self) -> Tensor {
        let com = self.centred().com;
        plus(self.second, outer(com, com, -self.mass))
    }

    /// What is left of this body when another is taken out of it.
    pub fn minus(&self, other: &Self) -> Self {
        PseudoInertia {
            mass: self.mass - other.mass,
            first: std::array::from_fn(|k| self.first[k] - other.first[k]),
            second: std::array::from_fn(|k| self.second[k] - other.second[k]),
        }
    }

    /// Principal moments of inertia about the centre of mass, ascending, kg·m².
    pub fn principal_moments(&self) -> [f64; 3] {
        symmetric_eigen(&to_matrix(self.centred().tensor).0).0
    }

    /// Checks that a body could have this inertia, and names the first condition that is
    /// violated. The boundary (a rod, a lamina, a point, nothing) is allowed, with a slack of
    /// 1e-9 relative for printed digits.
    pub fn check(&self) -> Result<(), Inconsistency> {
        let numbers = self.first.iter().chain(&self.second).chain([&self.mass]);
        if numbers.clone().any(|x| !x.is_finite()) {
            return Err(Inconsistency::NotFinite);
        }
        if self.mass < 0.0 {
            return Err(Inconsistency::NegativeMass { mass: self.mass });
        }
        if self.mass == 0.0 {
            let empty = self.first.iter().chain(&self.second).all(|x| *x == 0.0);
            return if empty { Ok(()) } else { Err(Inconsistency::MomentsWithoutMass) };
        }
        let principal = self.principal_moments();
        // Rounding of printed numbers acts on the moments about the origin.
        let scale = principal[2].abs().max(self.second.iter().fold(0.0, |most: f64, x| most.max(x.abs())));
        let slack = 1e-9 * scale;
        if principal[0] < -slack {
            return Err(Inconsistency::IndefiniteTensor { principal });
        }
        if principal[2] > principal[0] + principal[1] + slack {
            return Err(Inconsistency::TriangleInequality { principal });
        }
        Ok(())
    }
}
