//! Meet and join, section 3.1: the two ways in which elements make other elements.

/// The outer product a ∧ b: what two elements have in common. Antisymmetric for planes (12).
///
/// | a | b | a ∧ b |
/// |---|---|---|
/// | plane | plane | the line of their intersection, at infinity if they are parallel |
/// | plane | line | the point of their intersection, at infinity if they are parallel |
/// | plane | point | a number: ax + by + cz + dw, zero if the point lies in the plane |
/// | line | line | a number (31): zero if they lie in one plane (Theorem 1); the power of a wrench and a twist |
///
/// Numbers are the coefficient of I. Elements that coincide or contain one another meet in zero.
pub trait Meet<Other> {
    /// What the two have in common.
    type Output;
    /// a ∧ b.
    fn meet(self, other: Other) -> Self::Output;
}

/// The vee product a ∨ b = (a\* ∧ b\*)\* (17): what two elements span.
///
/// | a | b | a ∨ b |
/// |---|---|---|
/// | point | point | the line from a to b (18), with the length of their distance if both weights are one |
/// | point | line | the plane through both |
///
/// A point and a direction (an ideal point) join in the line through the point along the direction: for
/// a mass m at P with acceleration P̈, the wrench on it is m P ∨ P̈ (21). Elements that coincide or
/// contain one another join in zero.
pub trait Join<Other> {
    /// What the two span.
    type Output;
    /// a ∨ b.
    fn join(self, other: Other) -> Self::Output;
}
