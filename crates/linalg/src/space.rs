//! Vectors and matrices of three dimensions over a scalar: the smallest linear algebra kernels need.

use std::ops::{Add, Index, IndexMut, Mul, Neg, Sub};

use steiner_scalar::{Field, Scalar};

/// A vector of R³ (or F_p³).
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(transparent)]
pub struct Vec3<S>(pub [S; 3]);

/// A 3×3 matrix, by rows.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(transparent)]
pub struct Mat3<S>(pub [[S; 3]; 3]);

/// A formula: inlined, or a function of its own where numbers are large ([`Scalar::LARGE`]).
macro_rules! formula {
    ($scalar:ty, $formula:expr) => {
        if <$scalar>::LARGE { called(|| $formula) } else { $formula }
    };
}

#[inline(never)]
fn called<T>(formula: impl FnOnce() -> T) -> T {
    formula()
}

impl<S: Scalar> Vec3<S> {
    /// From its coordinates.
    #[inline(always)]
    pub fn new(x: S, y: S, z: S) -> Self {
        Vec3([x, y, z])
    }
    /// The zero vector.
    #[inline(always)]
    pub fn zero() -> Self {
        Vec3([S::zero(); 3])
    }
    /// The unit vector of axis `k` (0, 1, 2).
    #[inline(always)]
    pub fn unit(k: usize) -> Self {
        let mut out = Self::zero();
        out[k] = S::one();
        out
    }
    /// Inner product.
    #[inline(always)]
    pub fn dot(self, other: Self) -> S {
        formula!(S, {
            let ([a, b, c], [x, y, z]) = (self.0, other.0);
            a.mul_add(x, b.mul_add(y, c * z))
        })
    }
    /// Vector product.
    #[inline(always)]
    pub fn cross(self, other: Self) -> Self {
        formula!(S, {
            let ([a, b, c], [x, y, z]) = (self.0, other.0);
            Vec3([b.mul_add(z, -(c * y)), c.mul_add(x, -(a * z)), a.mul_add(y, -(b * x))])
        })
    }
    /// `self + factor · other`.
    #[inline(always)]
    pub fn plus_scaled(self, factor: S, other: Self) -> Self {
        formula!(S, {
            let ([a, b, c], [x, y, z]) = (self.0, other.0);
            Vec3([factor.mul_add(x, a), factor.mul_add(y, b), factor.mul_add(z, c)])
        })
    }
    /// Scalar multiple.
    #[inline(always)]
    pub fn scale(self, factor: S) -> Self {
        let [x, y, z] = self.0;
        Vec3([x * factor, y * factor, z * factor])
    }
    /// The matrix of `v ↦ self × v`.
    #[inline(always)]
    pub fn skew(self) -> Mat3<S> {
        let [x, y, z] = self.0;
        let o = S::zero();
        Mat3([[o, -z, y], [z, o, -x], [-y, x, o]])
    }
}

impl<S> Index<usize> for Vec3<S> {
    type Output = S;
    #[inline(always)]
    fn index(&self, k: usize) -> &S {
        &self.0[k]
    }
}

impl<S> IndexMut<usize> for Vec3<S> {
    #[inline(always)]
    fn index_mut(&mut self, k: usize) -> &mut S {
        &mut self.0[k]
    }
}

impl<S: Scalar> Add for Vec3<S> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Vec3([self[0] + other[0], self[1] + other[1], self[2] + other[2]])
    }
}

impl<S: Scalar> Sub for Vec3<S> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Vec3([self[0] - other[0], self[1] - other[1], self[2] - other[2]])
    }
}

impl<S: Scalar> Neg for Vec3<S> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        let [x, y, z] = self.0;
        Vec3([-x, -y, -z])
    }
}

impl<S: Scalar> Mat3<S> {
    /// The identity.
    #[inline(always)]
    pub fn identity() -> Self {
        let (o, l) = (S::zero(), S::one());
        Mat3([[l, o, o], [o, l, o], [o, o, l]])
    }
    /// The zero matrix.
    #[inline(always)]
    pub fn zero() -> Self {
        Mat3([[S::zero(); 3]; 3])
    }
    /// `self · v`.
    #[inline(always)]
    pub fn apply(&self, v: Vec3<S>) -> Vec3<S> {
        formula!(S, {
            let [x, y, z] = self.rows();
            Vec3([x.dot(v), y.dot(v), z.dot(v)])
        })
    }
    /// `selfᵀ · v`.
    #[inline(always)]
    pub fn apply_transposed(&self, v: Vec3<S>) -> Vec3<S> {
        formula!(S, {
            let [x, y, z] = self.rows();
            z.scale(v[2]).plus_scaled(v[1], y).plus_scaled(v[0], x)
        })
    }
    /// Its rows. (Arithmetic is written row by row: closures of `from_fn` and `map` are not always inlined,
    /// and lanes need that.)
    #[inline(always)]
    fn rows(&self) -> [Vec3<S>; 3] {
        let [x, y, z] = self.0;
        [Vec3(x), Vec3(y), Vec3(z)]
    }
    /// Column `c`.
    #[inline(always)]
    pub fn column(&self, c: usize) -> Vec3<S> {
        Vec3([self.0[0][c], self.0[1][c], self.0[2][c]])
    }
    /// From three columns.
    #[inline(always)]
    pub fn from_columns(columns: [Vec3<S>; 3]) -> Self {
        let [x, y, z] = columns;
        Mat3([[x[0], y[0], z[0]], [x[1], y[1], z[1]], [x[2], y[2], z[2]]])
    }
    /// The transpose: the inverse of a rotation.
    #[inline(always)]
    pub fn transpose(&self) -> Self {
        Mat3::from_columns(self.rows())
    }
    /// `self + factor · other`.
    #[inline(always)]
    pub fn plus_scaled(&self, factor: S, other: &Self) -> Self {
        formula!(S, {
            let ([a, b, c], [x, y, z]) = (self.rows(), other.rows());
            Mat3([a.plus_scaled(factor, x).0, b.plus_scaled(factor, y).0, c.plus_scaled(factor, z).0])
        })
    }
    /// Scalar multiple.
    #[inline(always)]
    pub fn scale(&self, factor: S) -> Self {
        let [x, y, z] = self.rows();
        Mat3([x.scale(factor).0, y.scale(factor).0, z.scale(factor).0])
    }
    /// The rotation of the quaternion (w, x, y, z) of any length but zero: rational in its coordinates.
    #[inline(always)]
    pub fn from_quaternion(w: S, v: Vec3<S>) -> Self {
        formula!(S, {
            let inverse = w.mul_add(w, v.dot(v)).inv();
            let two = v.scale(inverse + inverse);
            let (xx, yy, zz) = (two[0] * v[0], two[1] * v[1], two[2] * v[2]);
            let (xy, xz, yz) = (two[0] * v[1], two[0] * v[2], two[1] * v[2]);
            let (wx, wy, wz) = (two[0] * w, two[1] * w, two[2] * w);
            let l = S::one();
            Mat3([
                [l - yy - zz, xy - wz, xz + wy],
                [xy + wz, l - xx - zz, yz - wx],
                [xz - wy, yz + wx, l - xx - yy],
            ])
        })
    }
}

impl<S: Scalar> Mul for Mat3<S> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        let [x, y, z] = self.rows();
        Mat3([other.apply_transposed(x).0, other.apply_transposed(y).0, other.apply_transposed(z).0])
    }
}

impl<S: Scalar> Add for Mat3<S> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        let ([a, b, c], [x, y, z]) = (self.rows(), other.rows());
        Mat3([(a + x).0, (b + y).0, (c + z).0])
    }
}

impl<S: Scalar> Sub for Mat3<S> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        let ([a, b, c], [x, y, z]) = (self.rows(), other.rows());
        Mat3([(a - x).0, (b - y).0, (c - z).0])
    }
}

impl<S: Field> From<[S; 3]> for Vec3<S> {
    fn from(coordinates: [S; 3]) -> Self {
        Vec3(coordinates)
    }
}
