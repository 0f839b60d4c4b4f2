//! Products of displacements, exactly: a chain as one step, a rotation as the matrix of its expressions.

use steiner_linalg::{Mat3, Vec3};
use steiner_scalar::{Exact, Function, QuadDouble, Rational};

use super::{Frame, Orientation, Pose, Step, no_displacement};

impl Frame {
    /// The chain as one displacement, exactly; `None` if a number of it would weigh more than
    /// `heaviest` ([`Exact::weight`]).
    pub fn as_one_step(&self, heaviest: u64) -> Option<Step> {
        let mut product = Step { xyz: no_displacement(), orientation: Orientation::identity() };
        for step in &self.steps {
            let offset = if product.orientation.is_unturned() {
                step.xyz.clone()
            } else {
                times_vector(&product.orientation.matrix(), &step.xyz)
            };
            product.xyz = std::array::from_fn(|k| product.xyz[k].clone() + offset[k].clone());
            product.orientation = product.orientation.then(&step.orientation);
            // A long chain of general rotations multiplies its expressions at each step.
            let weight = |numbers: &[Exact]| numbers.iter().map(Exact::weight).max().unwrap_or(0);
            let rotation = match &product.orientation {
                Orientation::Matrix(rows) => rows.iter().map(|row| weight(row)).max().unwrap_or(0),
                _ => 0,
            };
            if weight(&product.xyz).max(rotation) > heaviest {
                return None;
            }
        }
        Some(product)
    }

    /// The chain as one displacement of numbers with thirty digits.
    pub fn to_thirty_digits(&self) -> Step {
        let pose = self.evaluate::<QuadDouble>().map_or(Pose::identity(), |evaluated| evaluated.value);
        let digits = |x: QuadDouble| Exact::rational(x.round_to_thirty_places());
        let Pose { rotation: Mat3(rows), translation: Vec3(xyz) } = pose;
        Step { xyz: xyz.map(digits), orientation: Orientation::Matrix(rows.map(|row| row.map(digits))) }
    }
}

impl Orientation {
    fn is_unturned(&self) -> bool {
        matches!(self, Orientation::RollPitchYaw(angles) if angles.iter().all(Exact::is_zero))
    }

    /// The product of two rotations, exactly.
    fn then(&self, inner: &Orientation) -> Orientation {
        if self.is_unturned() {
            return inner.clone();
        }
        if inner.is_unturned() {
            return self.clone();
        }
        // Rz Ry Rx · Rz Ry Rx is again of that form when the first factor ends where the second begins.
        if let (Orientation::RollPitchYaw(a), Orientation::RollPitchYaw(b)) = (self, inner) {
            let first_of_outer = a.iter().position(|angle| !angle.is_zero());
            let last_of_inner = b.iter().rposition(|angle| !angle.is_zero());
            // Sums of inverse functions are not exact in a prime field, where their sines are.
            let adds = |x: &Exact| x.pi_multiple().is_some() || x.to_rational().is_some();
            let shared = first_of_outer.filter(|_| first_of_outer == last_of_inner);
            let may_add = shared.is_none_or(|k| adds(&a[k]) && adds(&b[k]));
            if first_of_outer >= last_of_inner && may_add {
                return Orientation::RollPitchYaw(std::array::from_fn(|k| a[k].clone() + b[k].clone()));
            }
        }
        let (a, b) = (self.matrix(), inner.matrix());
        Orientation::Matrix(std::array::from_fn(|r| {
            std::array::from_fn(|c| {
                (0..3).fold(Exact::zero(), |sum, k| sum + a[r][k].clone() * b[k][c].clone())
            })
        }))
    }

    /// The entries of a rotation as expressions.
    pub fn matrix(&self) -> [[Exact; 3]; 3] {
        match self {
            Orientation::Matrix(rows) => rows.clone(),
            Orientation::RollPitchYaw([roll, pitch, yaw]) => {
                let [(sr, cr), (sp, cp), (sy, cy)] = [roll, pitch, yaw].map(sine_and_cosine);
                let product = |a: &Exact, b: &Exact| a.clone() * b.clone();
                [
                    [
                        product(&cy, &cp),
                        product(&product(&cy, &sp), &sr) - product(&sy, &cr),
                        product(&product(&cy, &sp), &cr) + product(&sy, &sr),
                    ],
                    [
                        product(&sy, &cp),
                        product(&product(&sy, &sp), &sr) + product(&cy, &cr),
                        product(&product(&sy, &sp), &cr) - product(&cy, &sr),
                    ],
                    [-sp, product(&cp, &sr), product(&cp, &cr)],
                ]
            }
            Orientation::Quaternion([w, x, y, z]) => {
                let product = |a: &Exact, b: &Exact| a.clone() * b.clone();
                let two = |x: Exact| Exact::integer(2) * x;
                let [ww, xx, yy, zz] = [w, x, y, z].map(|a| product(a, a));
                let norm = ww.clone() + xx.clone() + yy.clone() + zz.clone();
                let diagonal =
                    |own: &Exact, a: &Exact, b: &Exact| ww.clone() + own.clone() - a.clone() - b.clone();
                let rows = [
                    [
                        diagonal(&xx, &yy, &zz),
                        two(product(x, y) - product(w, z)),
                        two(product(x, z) + product(w, y)),
                    ],
                    [
                        two(product(x, y) + product(w, z)),
                        diagonal(&yy, &xx, &zz),
                        two(product(y, z) - product(w, x)),
                    ],
                    [
                        two(product(x, z) - product(w, y)),
                        two(product(y, z) + product(w, x)),
                        diagonal(&zz, &xx, &yy),
                    ],
                ];
                rows.map(|row| row.map(|x| x / norm.clone()))
            }
        }
    }
}

fn times_vector(m: &[[Exact; 3]; 3], v: &[Exact; 3]) -> [Exact; 3] {
    std::array::from_fn(|r| (0..3).fold(Exact::zero(), |sum, k| sum + m[r][k].clone() * v[k].clone()))
}

/// Sine and cosine as expressions; those of right angles as numbers.
fn sine_and_cosine(angle: &Exact) -> (Exact, Exact) {
    let quarters = angle.pi_multiple().map(|r| r * Rational::from(2));
    let quarters: Option<i64> =
        quarters.filter(|r| r.is_int()).and_then(|r| i64::try_from(r.numerator().clone()).ok());
    match quarters.map(|n| n.rem_euclid(4)) {
        Some(0) => (Exact::zero(), Exact::one()),
        Some(1) => (Exact::one(), Exact::zero()),
        Some(2) => (Exact::zero(), Exact::integer(-1)),
        Some(_) => (Exact::integer(-1), Exact::zero()),
        None => (angle.clone().call(Function::Sin), angle.clone().call(Function::Cos)),
    }
}
