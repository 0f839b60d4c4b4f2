//! The tetrahedral-point regressor, algorithm 5 of \[sun2025\] in matrix form.
//!
//! For body i and coordinate j, let S = \[ω_j^ | v_j\] be the unit-rate velocity field of j and A = \[B |
//! a\] the acceleration field of the body, both 3×4 and acting on (x, y, z, 1) in body axes. The power of
//! the inertial forces is
//!
//! τ_j = Σ_i ∫ (S x)·(A x) dm = Σ_i tr(SᵀA N_i),
//!
//! so the coefficients of the pseudo-inertia are C = sym(SᵀA): (49), L ∧ (E_m ∨ Ë_n), for all m and n at
//! once. Written out in the parameters m, h, I the ten numbers are v·a; Bᵀv + a×ω; and six forms linear in
//! ω.

use steiner_linalg::Vec3;
use steiner_scalar::Scalar;

use crate::kinematics::AccelerationField;
use crate::tree::Column;

/// The part of a block that depends on the body alone: the six forms of the inertia tensor, and A itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyForms<S> {
    field: AccelerationField<S>,
    /// Coefficients of Ixx, Ixy, Iyy, Ixz, Iyz, Izz as forms of ω_j.
    tensor: [Vec3<S>; 6],
}

impl<S: Scalar> BodyForms<S> {
    #[inline(always)]
    pub(crate) fn new(field: &AccelerationField<S>) -> Self {
        let b = &field.gradient.0;
        // Symmetric and antisymmetric parts: s_ij = ω_i ω_j off the diagonal, α the axial vector.
        let half = S::from_f64(0.5);
        let alpha_x = (b[2][1] - b[1][2]) * half;
        let alpha_y = (b[0][2] - b[2][0]) * half;
        let alpha_z = (b[1][0] - b[0][1]) * half;
        let s_xy = (b[0][1] + b[1][0]) * half;
        let s_xz = (b[0][2] + b[2][0]) * half;
        let s_yz = (b[1][2] + b[2][1]) * half;
        let tensor = [
            Vec3([alpha_x, s_xz, -s_xy]),
            Vec3([-b[2][0], b[2][1], b[0][0] - b[1][1]]),
            Vec3([-s_yz, alpha_y, s_xy]),
            Vec3([b[1][0], b[2][2] - b[0][0], -b[1][2]]),
            Vec3([b[1][1] - b[2][2], -b[0][1], b[0][2]]),
            Vec3([s_yz, -s_xz, alpha_z]),
        ];
        BodyForms { field: *field, tensor }
    }

    /// The coefficients of `m, mx, my, mz` for a coordinate that only translates the body: those of the
    /// tensor are zero.
    #[inline(always)]
    pub(crate) fn translated(&self, linear: Vec3<S>) -> [S; 4] {
        let first = self.field.gradient.apply_transposed(linear);
        [linear.dot(self.field.origin), first[0], first[1], first[2]]
    }

    /// The ten coefficients of `m, mx, my, mz, Ixx, Ixy, Iyy, Ixz, Iyz, Izz` for one coordinate.
    #[inline(always)]
    pub(crate) fn block(&self, column: &Column<S>) -> [S; 10] {
        let Column { angular, linear } = *column;
        let a = self.field.origin;
        let first = self.field.gradient.apply_transposed(linear) + a.cross(angular);
        let [xx, xy, yy, xz, yz, zz] = &self.tensor;
        [
            linear.dot(a),
            first[0],
            first[1],
            first[2],
            xx.dot(angular),
            xy.dot(angular),
            yy.dot(angular),
            xz.dot(angular),
            yz.dot(angular),
            zz.dot(angular),
        ]
    }
}

/// One block of the regressor: the ten coefficients (order `m, mx, my, mz, Ixx, Ixy, Iyy, Ixz, Iyz, Izz`)
/// with which a body's inertia enters the generalised force of one coordinate.
///
/// # Reference
/// Equation (49) of \[sun2025\], in matrix form C = sym(SᵀA).
pub fn regressor_block<S: Scalar>(column: &Column<S>, field: &AccelerationField<S>) -> [S; 10] {
    BodyForms::new(field).block(column)
}
