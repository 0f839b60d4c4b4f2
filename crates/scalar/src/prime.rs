//! Prime fields F_p with p = 2⁶¹ − c: by default c = 1351, or one drawn by a seed ([`Prime::drawn`]), so that nobody
//! can write a file whose lengths differ by a multiple of the prime that it will meet.
//!
//! p − 1 is divisible by 1800, so a primitive 1800th root of unity ζ lives in the field and, with i = ζ⁴⁵⁰,
//! cos(2πk/1800) = (ζᵏ + ζ⁻ᵏ)/2 and sin(2πk/1800) = (ζᵏ − ζ⁻ᵏ)/(2i): every multiple of 0.2° is exact, and so
//! are √2 = 2 cos 45°, √3 = 2 cos 30°, √5 = 4 cos 36° − 1. √7 is chosen once. Because all of them descend
//! from one ζ, every identity between them (sin 60° = √3/2) holds in the field as it does in the reals.

use std::cell::Cell;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use crate::exact::{Evaluated, EvaluationError, Exact, Function, Node, round_to_digits};
use crate::expansion::OctoDouble;
use crate::field::{Field, Real, Scalar, Trigonometric};

/// The default prime, 2⁶¹ − 1351.
pub const PRIME: u64 = Prime::DEFAULT.value();

/// A prime 2⁶¹ − c with c < 2²⁹ whose field has roots of unity of order 1800 and the root of 7.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prime(u64);

/// Offsets stay below this, so that two foldings reduce a product.
const LARGEST_OFFSET: u64 = 1 << 29;

thread_local! {
    /// The modulus of the residues of this thread.
    static MODULUS: Cell<u64> = const { Cell::new(PRIME) };
    static ROOTS: Cell<Option<(u64, Roots)>> = const { Cell::new(None) };
}

#[inline(always)]
fn modulus() -> u64 {
    MODULUS.get()
}

impl Prime {
    /// 2⁶¹ − 1351.
    pub const DEFAULT: Prime = Prime((1 << 61) - 1351);

    /// The prime itself.
    pub const fn value(self) -> u64 {
        self.0
    }

    /// The one that residues of this thread are taken modulo.
    pub fn current() -> Self {
        Prime(modulus())
    }

    /// One of about ten thousand, by a seed.
    pub fn drawn(seed: u64) -> Self {
        // One more than a multiple of 1800, from a random place downwards.
        let highest = ((1u64 << 61) - 1 - seed % (LARGEST_OFFSET / 2)) / ROOT_ORDER;
        let suits = |p: u64| is_prime(p) && Prime(p).within(|| is_square(Fp(7)));
        let candidates = (0..).map(|k| (highest - k) * ROOT_ORDER + 1);
        candidates.into_iter().find(|&p| suits(p)).map_or(Self::DEFAULT, Prime)
    }

    /// Work whose residues are modulo this prime. Residues must not leave it: they mean nothing outside.
    pub fn within<T>(self, work: impl FnOnce() -> T) -> T {
        struct Restored(u64);
        impl Drop for Restored {
            fn drop(&mut self) {
                MODULUS.set(self.0);
            }
        }
        let _restored = Restored(MODULUS.replace(self.0));
        work()
    }
}

/// Miller and Rabin, with bases that leave no doubt below 2⁶⁴.
fn is_prime(n: u64) -> bool {
    let times = |a: u64, b: u64| (u128::from(a) * u128::from(b) % u128::from(n)) as u64;
    let power = |mut base: u64, mut exponent: u64| {
        let mut out = 1;
        while exponent > 0 {
            if exponent & 1 == 1 {
                out = times(out, base);
            }
            base = times(base, base);
            exponent >>= 1;
        }
        out
    };
    let twos = (n - 1).trailing_zeros();
    [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37].iter().all(|&base| {
        let mut x = power(base, (n - 1) >> twos);
        let mut passes = x == 1 || x == n - 1;
        for _ in 1..twos {
            x = times(x, x);
            passes |= x == n - 1;
        }
        passes
    })
}

/// A residue modulo the prime in use, by default [`PRIME`].
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Fp(u64);

impl std::fmt::Debug for Fp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// Angles that are multiples of 2π/1800 are exact.
const ROOT_ORDER: u64 = 1800;

#[derive(Clone, Copy)]
struct Roots {
    zeta: Fp,
    i_inverse: Fp,
    /// √2, √3, √5, √7.
    square_roots: [(u64, Fp); 4],
}

/// Of the prime in use.
fn roots() -> Roots {
    match ROOTS.get() {
        Some((prime, roots)) if prime == modulus() => roots,
        _ => {
            let roots = find_roots();
            ROOTS.set(Some((modulus(), roots)));
            roots
        }
    }
}

fn find_roots() -> Roots {
    let zeta = (2..)
        .map(|g| Fp(g).power((modulus() - 1) / ROOT_ORDER))
        .find(|z| [2, 3, 5].iter().all(|q| z.power(ROOT_ORDER / q) != Fp(1)))
        .expect("a field whose order minus one is divisible by 1800 has such a root");
    let double_cosine = |k: u64| zeta.power(k) + zeta.power(ROOT_ORDER - k);
    let i = zeta.power(ROOT_ORDER / 4);
    let two = Fp(2);
    let sqrt2 = double_cosine(ROOT_ORDER / 8);
    let sqrt3 = double_cosine(ROOT_ORDER / 12);
    let sqrt5 = double_cosine(ROOT_ORDER / 10) * two - Fp(1);
    let sqrt7 = square_root(Fp(7)).expect("7 is a square in this field");
    Roots { zeta, i_inverse: i.inv(), square_roots: [(2, sqrt2), (3, sqrt3), (5, sqrt5), (7, sqrt7)] }
}

fn is_square(a: Fp) -> bool {
    a.power((modulus() - 1) / 2) == Fp(1)
}

/// Tonelli and Shanks.
fn square_root(a: Fp) -> Option<Fp> {
    if a == Fp(0) {
        return Some(a);
    }
    if !is_square(a) {
        return None;
    }
    let two_adicity = (modulus() - 1).trailing_zeros();
    let odd = (modulus() - 1) >> two_adicity;
    let non_residue = (2..).map(Fp).find(|z| !is_square(*z))?;
    let (mut m, mut c, mut t, mut r) =
        (two_adicity, non_residue.power(odd), a.power(odd), a.power(odd.div_ceil(2)));
    while t != Fp(1) {
        let mut order = 0;
        let mut square = t;
        while square != Fp(1) {
            square = square * square;
            order += 1;
        }
        let b = (0..m - order - 1).fold(c, |b, _| b * b);
        (m, c) = (order, b * b);
        t = t * c;
        r = r * b;
    }
    Some(r)
}

impl Fp {
    /// The residue of an unsigned integer.
    pub fn new(n: u64) -> Self {
        Fp(n % modulus())
    }

    /// The representative in [0, p).
    pub fn residue(self) -> u64 {
        self.0
    }

    /// `self` to an unsigned power.
    pub fn power(self, mut exponent: u64) -> Self {
        let (mut base, mut out) = (self, Fp(1));
        while exponent > 0 {
            if exponent & 1 == 1 {
                out = out * base;
            }
            base = base * base;
            exponent >>= 1;
        }
        out
    }

    /// The image of a rational; `None` if p divides its denominator.
    pub fn from_rational(r: &RBig) -> Option<Self> {
        let residue = |n: &UBig| Fp(u64::try_from(n % UBig::from(modulus())).unwrap_or(0));
        let magnitude: UBig = dashu_int::ops::UnsignedAbs::unsigned_abs(r.numerator().clone());
        let numerator = residue(&magnitude);
        let denominator = residue(r.denominator()).try_inv()?;
        let value = numerator * denominator;
        Some(if *r.numerator() < IBig::ZERO { -value } else { value })
    }

    /// Sine and cosine of r·π when it is a multiple of 0.2°.
    fn sin_cos_pi(r: &RBig) -> Option<(Self, Self)> {
        let steps = r * RBig::from(ROOT_ORDER / 2);
        if !steps.is_int() {
            return None;
        }
        let order = IBig::from(ROOT_ORDER);
        let k = ((steps.numerator() % &order) + &order) % &order;
        let k: u64 = k.try_into().ok()?;
        let z = roots().zeta.power(k);
        let w = roots().zeta.power((ROOT_ORDER - k) % ROOT_ORDER);
        Some(((z - w).half() * roots().i_inverse, (z + w).half()))
    }

    /// √r for a rational whose square-free part is a product of 2, 3, 5 and 7.
    fn sqrt_rational(r: &RBig) -> Option<Self> {
        let mut radicand: UBig = UBig::try_from(r.numerator().clone()).ok()? * r.denominator().clone();
        let mut root = Fp(1);
        for (prime, prime_root) in roots().square_roots {
            while (&radicand % UBig::from(prime)).is_zero() && !radicand.is_zero() {
                radicand /= UBig::from(prime);
                root = root * prime_root;
            }
        }
        let rest = dashu_int::ops::SquareRoot::sqrt(&radicand);
        if &rest * &rest != radicand {
            return None;
        }
        let denominator = Fp::from_rational(&RBig::from(r.denominator().clone()))?.try_inv()?;
        Some(root * Fp::from_rational(&RBig::from(rest))? * denominator)
    }
}

/// The point of the unit circle at half-angle tangent t, as (sin, cos).
fn circle_point(t: Fp) -> (Fp, Fp) {
    // A decimal may happen to be the field's √−1, which has no such point: take the neighbour in the last
    // digit.
    let t = if t * t == -Fp(1) { t + Fp(10).power(u64::from(ROUNDED)).inv() } else { t };
    let norm = (Fp(1) + t * t).inv();
    ((t + t) * norm, (Fp(1) - t * t) * norm)
}

/// Significant digits of a number that the field does not have. Numbers that differ must not become one: what is
/// misaligned by less would be aligned for the field, and for those digits that see no more, too.
const ROUNDED: u32 = 110;

/// The denominator of a rounded number divides a power of ten, which p doesn't.
fn fp_of(r: &RBig) -> Fp {
    Fp::from_rational(r).unwrap_or(Fp(0))
}

/// Sine and cosine of an angle that the field represents: multiples of 0.2°, asin, acos and atan of
/// rationals when the missing leg of the triangle has a root, twice the atan of any rational, and sums of
/// such angles.
fn exact_sin_cos(angle: &Exact) -> Option<(Fp, Fp)> {
    if let Some(pair) = angle.pi_multiple().and_then(|r| Fp::sin_cos_pi(&r)) {
        return Some(pair);
    }
    let together = |(s, c): (Fp, Fp), (t, d): (Fp, Fp)| (s * d + c * t, c * d - s * t);
    let opposite = |(s, c): (Fp, Fp)| (-s, c);
    match angle.node() {
        Node::Symbol { value, .. } => exact_sin_cos(value),
        Node::Negation(a) => exact_sin_cos(a).map(opposite),
        Node::Sum(a, b) => Some(together(exact_sin_cos(a)?, exact_sin_cos(b)?)),
        Node::Difference(a, b) => Some(together(exact_sin_cos(a)?, opposite(exact_sin_cos(b)?))),
        Node::Product(a, b) => match (a.to_rational(), b.to_rational()) {
            (Some(factor), _) => multiple_sin_cos(&factor, b),
            (_, Some(factor)) => multiple_sin_cos(&factor, a),
            _ => None,
        },
        Node::Call(function, x) => inverse_sin_cos(*function, &x.to_rational()?),
        _ => None,
    }
}

/// Of a small integer multiple of an angle.
fn multiple_sin_cos(factor: &RBig, angle: &Exact) -> Option<(Fp, Fp)> {
    if !factor.is_int() {
        return None;
    }
    let count: i64 = factor.numerator().clone().try_into().ok()?;
    if count.unsigned_abs() > 64 {
        return None;
    }
    // Half the turns of twice the angle: the doubled atan has no root in it.
    let (once, turns) = match half_angle_tangent(angle) {
        Some(t) if count % 2 == 0 => (circle_point(t), count.unsigned_abs() / 2),
        _ => (exact_sin_cos(angle)?, count.unsigned_abs()),
    };
    let (s, c) = (0..turns).fold((Fp(0), Fp(1)), |(s, c), _| {
        let (t, d) = once;
        (s * d + c * t, c * d - s * t)
    });
    Some((if count < 0 { -s } else { s }, c))
}

/// x for atan x.
fn half_angle_tangent(angle: &Exact) -> Option<Fp> {
    match angle.node() {
        Node::Symbol { value, .. } => half_angle_tangent(value),
        Node::Call(Function::Atan, x) => Fp::from_rational(&x.to_rational()?).filter(|t| *t * *t != -Fp(1)),
        _ => None,
    }
}

fn inverse_sin_cos(function: Function, x: &RBig) -> Option<(Fp, Fp)> {
    let leg = || {
        let square = RBig::ONE - x * x;
        if square.is_zero() { Some(Fp(0)) } else { Fp::sqrt_rational(&square) }
    };
    let value = Fp::from_rational(x)?;
    match function {
        Function::Asin => Some((value, leg()?)),
        Function::Acos => Some((leg()?, value)),
        Function::Atan => {
            let cosine = Fp::sqrt_rational(&(RBig::ONE + x * x))?.try_inv()?;
            Some((value * cosine, cosine))
        }
        _ => None,
    }
}

/// a₁ b₁ + a₂ b₂ + …, brought into [0, p) once for all of them.
#[derive(Clone, Copy, Default)]
pub(crate) struct Products(u128);

impl Products {
    /// Terms at most: they are below 2¹²², their sum is to stay below 2¹²⁸.
    pub(crate) const MOST: usize = 64;

    #[inline(always)]
    pub(crate) fn add(&mut self, a: Fp, b: Fp) {
        self.0 += u128::from(a.0) * u128::from(b.0);
    }

    #[inline]
    pub(crate) fn residue(&self) -> Fp {
        // A product takes two foldings, a sum three.
        const MASK: u128 = (1 << 61) - 1;
        let p = modulus();
        let offset = u128::from((1 << 61) - p);
        let folded = |x: u128| (x & MASK) + (x >> 61) * offset;
        let value = folded(folded(folded(self.0))) as u64;
        Fp(if value >= p { value - p } else { value })
    }
}

impl Add for Fp {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        let sum = self.0 + other.0;
        let p = modulus();
        Fp(if sum >= p { sum - p } else { sum })
    }
}

impl Sub for Fp {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        let (difference, borrow) = self.0.overflowing_sub(other.0);
        Fp(if borrow { difference.wrapping_add(modulus()) } else { difference })
    }
}

impl Neg for Fp {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Fp(if self.0 == 0 { 0 } else { modulus() - self.0 })
    }
}

impl Mul for Fp {
    type Output = Self;
    #[inline]
    fn mul(self, other: Self) -> Self {
        // 2⁶¹ ≡ c: fold the high part twice.
        const MASK: u128 = (1 << 61) - 1;
        let p = modulus();
        let offset = u128::from((1 << 61) - p);
        let product = self.0 as u128 * other.0 as u128;
        let once = (product & MASK) + (product >> 61) * offset;
        let twice = (once & MASK) + (once >> 61) * offset;
        let value = twice as u64;
        Fp(if value >= p { value - p } else { value })
    }
}

impl AddAssign for Fp {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Fp {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Field for Fp {
    const EXACT: bool = true;
    fn zero() -> Self {
        Fp(0)
    }
    fn one() -> Self {
        Fp(1)
    }
    fn from_i64(n: i64) -> Self {
        let magnitude = Fp::new(n.unsigned_abs());
        if n < 0 { -magnitude } else { magnitude }
    }
    fn try_inv(&self) -> Option<Self> {
        (self.0 != 0).then(|| self.power(modulus() - 2))
    }
    fn pivot_weight(&self) -> f64 {
        if self.0 == 0 { 0.0 } else { 1.0 }
    }
    fn evaluate(source: &Exact) -> Result<Evaluated<Self>, EvaluationError> {
        // A rational has no domain to leave.
        if let Some(value) = source.to_rational().and_then(|r| Fp::from_rational(&r)) {
            return Ok(Evaluated { value, rounded: false });
        }
        // Domain errors are those of the reals.
        let real = OctoDouble::evaluate(source)?.value;
        Ok(match evaluate_exactly(source) {
            Some(value) => Evaluated { value, rounded: false },
            None => Evaluated { value: fp_of(&round_to_digits(ROUNDED, real)), rounded: true },
        })
    }
    fn evaluate_sin_cos(angle: &Exact) -> Result<Evaluated<(Self, Self)>, EvaluationError> {
        let exactly = |pair| Ok(Evaluated { value: pair, rounded: false });
        if let Some(pair) = exact_sin_cos(angle) {
            return exactly(pair);
        }
        // A rounded tan(θ/2) keeps the pair on the circle exactly.
        let (s, c) = OctoDouble::evaluate(angle)?.value.sin_cos();
        let one = OctoDouble::one();
        if (one + c).to_f64() < 1e-9 {
            // Near half a turn the tangent overflows: go there exactly and measure from it.
            let t = fp_of(&round_to_digits(ROUNDED, -s / (one - c)));
            let (s, c) = circle_point(t);
            return Ok(Evaluated { value: (-s, -c), rounded: true });
        }
        let t = fp_of(&round_to_digits(ROUNDED, s / (one + c)));
        Ok(Evaluated { value: circle_point(t), rounded: true })
    }
}

/// The value of an expression all of whose parts the field represents.
fn evaluate_exactly(source: &Exact) -> Option<Fp> {
    if let Some(r) = source.to_rational() {
        return Fp::from_rational(&r);
    }
    match source.node() {
        Node::Rational(r) => Fp::from_rational(r),
        Node::Pi => None,
        Node::Symbol { value, .. } => evaluate_exactly(value),
        Node::Sum(a, b) => Some(evaluate_exactly(a)? + evaluate_exactly(b)?),
        Node::Difference(a, b) => Some(evaluate_exactly(a)? - evaluate_exactly(b)?),
        Node::Product(a, b) => Some(evaluate_exactly(a)? * evaluate_exactly(b)?),
        Node::Quotient(a, b) => Some(evaluate_exactly(a)? * evaluate_exactly(b)?.try_inv()?),
        Node::Negation(a) => Some(-evaluate_exactly(a)?),
        Node::Power(a, n) => {
            let power = evaluate_exactly(a)?.power(n.unsigned_abs() as u64);
            if *n < 0 { power.try_inv() } else { Some(power) }
        }
        Node::Call(Function::Sqrt, a) => Fp::sqrt_rational(&a.to_rational()?),
        Node::Call(function @ (Function::Sin | Function::Cos | Function::Tan), a) => {
            let pair = Fp::evaluate_sin_cos(a).ok().filter(|pair| !pair.rounded)?;
            let (sin, cos) = pair.value;
            match function {
                Function::Sin => Some(sin),
                Function::Cos => Some(cos),
                _ => Some(sin * cos.try_inv()?),
            }
        }
        Node::Call(..) => None,
    }
}

impl Scalar for Fp {
    fn from_f64(x: f64) -> Self {
        RBig::try_from(x)
            .ok()
            .and_then(|r| Fp::from_rational(&r))
            .expect("a finite double is a dyadic rational")
    }
    fn inv(self) -> Self {
        self.try_inv().expect("zero has no inverse")
    }
    fn half(self) -> Self {
        Fp(if self.0 & 1 == 0 { self.0 / 2 } else { self.0.midpoint(modulus()) })
    }
}
