//! All sixteen coordinates, with products straight from the definition: the reference for the closed forms.

use std::ops::{Add, Mul, Neg, Sub};

use steiner_linalg::Vec3;
use steiner_scalar::Scalar;

use crate::{Line, Motor, Plane, Point};

/// A basis blade of the paper, as a set of vectors and a sign: e₃₁ is −e₁e₃.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blade {
    /// Bit k is set if eₖ is a factor.
    vectors: usize,
    /// Whether the paper's order of factors is an odd permutation of the ascending one.
    odd: bool,
}

#[allow(missing_docs)]
impl Blade {
    pub const ONE: Blade = Blade::from_indices(&[]);
    pub const E0: Blade = Blade::from_indices(&[0]);
    pub const E1: Blade = Blade::from_indices(&[1]);
    pub const E2: Blade = Blade::from_indices(&[2]);
    pub const E3: Blade = Blade::from_indices(&[3]);
    pub const E23: Blade = Blade::from_indices(&[2, 3]);
    pub const E31: Blade = Blade::from_indices(&[3, 1]);
    pub const E12: Blade = Blade::from_indices(&[1, 2]);
    pub const E01: Blade = Blade::from_indices(&[0, 1]);
    pub const E02: Blade = Blade::from_indices(&[0, 2]);
    pub const E03: Blade = Blade::from_indices(&[0, 3]);
    pub const E032: Blade = Blade::from_indices(&[0, 3, 2]);
    pub const E013: Blade = Blade::from_indices(&[0, 1, 3]);
    pub const E021: Blade = Blade::from_indices(&[0, 2, 1]);
    pub const E123: Blade = Blade::from_indices(&[1, 2, 3]);
    pub const I: Blade = Blade::from_indices(&[0, 1, 2, 3]);

    /// All basis blades, by grade, in the paper's order.
    pub const ALL: [Blade; 16] = [
        Blade::ONE,
        Blade::E1,
        Blade::E2,
        Blade::E3,
        Blade::E0,
        Blade::E23,
        Blade::E31,
        Blade::E12,
        Blade::E01,
        Blade::E02,
        Blade::E03,
        Blade::E032,
        Blade::E013,
        Blade::E021,
        Blade::E123,
        Blade::I,
    ];

    /// The dual pairs of (16), with their extension to bivectors and numbers that (17) and (18) imply.
    const DUALS: [(Blade, Blade); 8] = [
        (Blade::E032, Blade::E1),
        (Blade::E013, Blade::E2),
        (Blade::E021, Blade::E3),
        (Blade::E123, Blade::E0),
        (Blade::E23, Blade::E01),
        (Blade::E31, Blade::E02),
        (Blade::E12, Blade::E03),
        (Blade::ONE, Blade::I),
    ];

    const fn from_indices(indices: &[usize]) -> Blade {
        let (mut vectors, mut odd) = (0, false);
        let mut i = 0;
        while i < indices.len() {
            vectors |= 1 << indices[i];
            let mut j = 0;
            while j < i {
                if indices[j] > indices[i] {
                    odd = !odd;
                }
                j += 1;
            }
            i += 1;
        }
        Blade { vectors, odd }
    }

    /// The number of vectors multiplied.
    pub fn grade(self) -> u32 {
        self.vectors.count_ones()
    }
}

/// An element of G(3,0,1): a number for each of the 16 basis blades (23).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Multivector<S> {
    /// By the set of factors, in ascending order: index 0b1010 is e₁e₃.
    coefficients: [S; 16],
}

/// The sign of sorting the factors of two ascending blades written one after the other.
fn is_odd_product(a: usize, b: usize) -> bool {
    let swaps: u32 = (1..4).map(|shift| ((a >> shift) & b).count_ones()).sum();
    swaps % 2 == 1
}

impl<S: Scalar> Multivector<S> {
    /// Zero.
    pub fn zero() -> Self {
        Multivector { coefficients: [S::zero(); 16] }
    }

    /// A number.
    pub fn scalar(x: S) -> Self {
        Self::from_blades(&[(Blade::ONE, x)])
    }

    /// The sum of blades with their coefficients.
    pub fn from_blades(terms: &[(Blade, S)]) -> Self {
        let mut out = Self::zero();
        for &(blade, x) in terms {
            out.coefficients[blade.vectors] += if blade.odd { -x } else { x };
        }
        out
    }

    /// The coefficient of a blade.
    pub fn coefficient(&self, blade: Blade) -> S {
        let x = self.coefficients[blade.vectors];
        if blade.odd { -x } else { x }
    }

    /// The part of one grade.
    pub fn grade(&self, grade: u32) -> Self {
        self.filtered(|blade| blade.grade() == grade)
    }

    /// The part of even grade.
    pub fn even(&self) -> Self {
        self.filtered(|blade| blade.grade() % 2 == 0)
    }

    fn filtered(&self, keep: impl Fn(Blade) -> bool) -> Self {
        let kept: Vec<_> =
            Blade::ALL.iter().filter(|b| keep(**b)).map(|&b| (b, self.coefficient(b))).collect();
        Self::from_blades(&kept)
    }

    /// All coefficients times a number.
    pub fn scale(self, factor: S) -> Self {
        Multivector { coefficients: self.coefficients.map(|x| x * factor) }
    }

    /// The products of blades that `keep` admits, with e₀² = 0 and eₖ² = 1 (11).
    fn product(&self, other: &Self, keep: impl Fn(usize, usize) -> bool) -> Self {
        let mut out = Self::zero();
        for a in 0..16 {
            for b in (0..16).filter(|&b| a & b & 1 == 0 && keep(a, b)) {
                let term = self.coefficients[a] * other.coefficients[b];
                out.coefficients[a ^ b] += if is_odd_product(a, b) { -term } else { term };
            }
        }
        out
    }

    /// The outer product a ∧ b.
    pub fn outer(&self, other: &Self) -> Self {
        self.product(other, |a, b| a & b == 0)
    }

    /// The commutator a × b = (ab − ba)/2 (28).
    pub fn commutator(&self, other: &Self) -> Self {
        (*self * *other - *other * *self).scale(S::one().half())
    }

    /// The reverse: the factors of each blade in opposite order (25).
    pub fn reverse(&self) -> Self {
        let terms = Blade::ALL.map(|blade| {
            let x = self.coefficient(blade);
            (blade, if blade.grade() / 2 % 2 == 1 { -x } else { x })
        });
        Self::from_blades(&terms)
    }

    /// The dual of (16).
    pub fn dual(&self) -> Self {
        let terms: Vec<_> = Blade::DUALS
            .iter()
            .flat_map(|&(a, b)| [(a, self.coefficient(b)), (b, self.coefficient(a))])
            .collect();
        Self::from_blades(&terms)
    }

    /// The vee product a ∨ b = (a\* ∧ b\*)\* (17).
    pub fn join(&self, other: &Self) -> Self {
        self.dual().outer(&other.dual()).dual()
    }

    /// The sandwich M̃ a M of (27).
    pub fn sandwiched(&self, motor: &Self) -> Self {
        motor.reverse() * *self * *motor
    }

    fn triple(&self, blades: [Blade; 3]) -> Vec3<S> {
        Vec3(blades.map(|blade| self.coefficient(blade)))
    }

    /// The grade-1 part.
    pub fn plane(&self) -> Plane<S> {
        Plane { normal: self.triple([Blade::E1, Blade::E2, Blade::E3]), offset: self.coefficient(Blade::E0) }
    }

    /// The grade-2 part.
    pub fn line(&self) -> Line<S> {
        Line {
            direction: self.triple([Blade::E23, Blade::E31, Blade::E12]),
            moment: self.triple([Blade::E01, Blade::E02, Blade::E03]),
        }
    }

    /// The grade-3 part.
    pub fn point(&self) -> Point<S> {
        Point {
            position: self.triple([Blade::E032, Blade::E013, Blade::E021]),
            weight: self.coefficient(Blade::E123),
        }
    }

    /// The even part (24).
    pub fn motor(&self) -> Motor<S> {
        let Line { direction, moment } = self.line();
        Motor {
            scalar: self.coefficient(Blade::ONE),
            rotor: direction,
            translator: moment,
            pseudoscalar: self.coefficient(Blade::I),
        }
    }
}

impl<S: Scalar> Mul for Multivector<S> {
    type Output = Self;
    /// The geometric product (22).
    fn mul(self, other: Self) -> Self {
        self.product(&other, |_, _| true)
    }
}

impl<S: Scalar> Add for Multivector<S> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Multivector { coefficients: std::array::from_fn(|k| self.coefficients[k] + other.coefficients[k]) }
    }
}

impl<S: Scalar> Sub for Multivector<S> {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + (-other)
    }
}

impl<S: Scalar> Neg for Multivector<S> {
    type Output = Self;
    fn neg(self) -> Self {
        Multivector { coefficients: self.coefficients.map(|x| -x) }
    }
}
