//! Products of one function per joint: the geometric multiplier functions Υ⁽²⁾ of (8), in a machine word.
//!
//! Of Z⁽²⁾ = {1, s, c, sc, s², c²} the square of the sine is left out, s² = 1 − c² (the first filter of
//! section 3.1.2). What is left is closed under differentiation, as is {1, x, x²}.

use steiner_scalar::Fp;

use super::witnessed::Witnessed;

/// How a joint of a serial arm moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointMotion {
    /// About an axis: q in rad.
    Revolute,
    /// Along an axis: q in m.
    Prismatic,
}

impl JointMotion {
    /// The word files use.
    pub fn name(self) -> &'static str {
        match self {
            JointMotion::Revolute => "revolute",
            JointMotion::Prismatic => "prismatic",
        }
    }
    /// Number of functions up to order 2: |{1, s, c, sc, c²}| or |{1, x, x²}|.
    pub(crate) fn functions(self) -> usize {
        match self {
            JointMotion::Revolute => 5,
            JointMotion::Prismatic => 3,
        }
    }
    /// Number of functions of order at most 1; they come first.
    pub(crate) fn linear_functions(self) -> usize {
        match self {
            JointMotion::Revolute => 3,
            JointMotion::Prismatic => 2,
        }
    }
    /// Exponents (of q, sin q, cos q) of a function.
    pub(crate) fn exponents(self, digit: usize) -> [u8; 3] {
        match self {
            JointMotion::Revolute => [[0, 0, 0], [0, 1, 0], [0, 0, 1], [0, 1, 1], [0, 0, 2]][digit],
            JointMotion::Prismatic => [[0, 0, 0], [1, 0, 0], [2, 0, 0]][digit],
        }
    }
    /// The function with given exponents, if there is one.
    pub(crate) fn digit_of(self, exponents: [u8; 3]) -> Option<usize> {
        (0..self.functions()).find(|&digit| self.exponents(digit) == exponents)
    }
    /// The values of all functions at a coordinate.
    pub(crate) fn values(self, q: f64) -> [f64; 5] {
        match self {
            JointMotion::Revolute => {
                let (s, c) = q.sin_cos();
                [1.0, s, c, s * c, c * c]
            }
            JointMotion::Prismatic => [1.0, q, q * q, 0.0, 0.0],
        }
    }
}

/// The derivative of a function as a sum of (function, factor).
pub(crate) type Derivative = Vec<(u64, Witnessed)>;

/// Derivatives of all functions of a joint.
///
/// In F_p an axis may have no unit vector. With |axis|² = N the coordinate there is q/√N and `s`
/// stands for sin(q)/√N, so that c' = −N s, and s² N + c² = 1: proposition 2 with another
/// constant. The zeros are the same.
pub(crate) fn derivatives(motion: JointMotion, norm2: Fp) -> Vec<Derivative> {
    let exact = Witnessed::exact;
    let norm2 = Witnessed { value: 1.0, witness: norm2 };
    match motion {
        JointMotion::Revolute => vec![
            vec![],
            vec![(2, exact(1.0))],
            vec![(1, exact(-1.0).times(norm2))],
            vec![(4, exact(2.0)), (0, exact(-1.0))],
            vec![(3, exact(-2.0).times(norm2))],
        ],
        JointMotion::Prismatic => vec![vec![], vec![(0, exact(1.0))], vec![(1, exact(2.0))]],
    }
}

/// A product of one function per joint, four bits each, the first joint lowest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Monomial(pub(crate) u64);

impl Monomial {
    /// Which function of a joint is a factor; 0 is the constant.
    pub(crate) fn digit(self, joint: usize) -> usize {
        (self.0 >> (4 * joint) & 15) as usize
    }
    /// Times a function of a joint that is no factor yet.
    pub(crate) fn times(self, joint: usize, digit: usize) -> Self {
        Monomial(self.0 | (digit as u64) << (4 * joint))
    }
    /// The last joint with a factor, and the product of all before it.
    pub(crate) fn split_last(self) -> Option<(Monomial, usize)> {
        let joint = (self.0.checked_ilog2()? / 4) as usize;
        Some((Monomial(self.0 & !(15 << (4 * joint))), joint))
    }
}
