//! Extended precision: a number as the unevaluated sum of `N` doubles of falling magnitude.
//!
//! `N = 2` carries about 31 digits, `N = 4` about 62. Products and sums are formed as longer lists of doubles by
//! error-free transformations (two-sum, two-product) and brought back to `N` components.

mod error_free;

use std::cmp::Ordering;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};
use std::sync::LazyLock;

use dashu_int::IBig;
use dashu_ratio::RBig;

use crate::exact::{Evaluated, EvaluationError, Exact, Function, Node};
use crate::field::{Field, Real, Scalar, Trigonometric};
use error_free::{distil, product_of_four, product_of_two, sum_of_four, sum_of_two, two_product};

/// A real number of 30 digits or more.
pub type DoubleDouble = Expansion<2>;
/// A real number of 60 digits or more.
pub type QuadDouble = Expansion<4>;

/// The unevaluated sum of `N` doubles, each at most half a unit in the last place of the one before.
#[derive(Clone, Copy, Debug)]
pub struct Expansion<const N: usize>([f64; N]);

/// π as a sum of doubles: two more than the widest number has, for the reduction of angles.
const PI: [f64; 6] = [
    std::f64::consts::PI,
    1.224_646_799_147_353_2e-16,
    -2.994_769_809_718_339_7e-33,
    1.112_454_220_863_365_3e-49,
    5.672_231_979_640_316e-66,
    1.744_986_216_135_248_6e-83,
];

/// π/2 to 1500 bits: enough to reduce the largest double, by Machin's π/4 = 4 atan(1/5) − atan(1/239).
static HALF_PI: LazyLock<RBig> = LazyLock::new(|| {
    let unit = IBig::ONE << 1500;
    let arctangent_of_inverse = |n: u32| {
        let square = IBig::from(n * n);
        let mut power = &unit / IBig::from(n);
        let mut sum = IBig::ZERO;
        for k in (1u32..).step_by(2) {
            if power.is_zero() {
                break;
            }
            let term = &power / IBig::from(k);
            sum = if k % 4 == 1 { sum + term } else { sum - term };
            power /= &square;
        }
        sum
    };
    let quarter = arctangent_of_inverse(5) * IBig::from(4) - arctangent_of_inverse(239);
    RBig::from(quarter * IBig::from(2)) / RBig::from(unit)
});

/// 1/n! as sums of doubles.
static INVERSE_FACTORIALS: LazyLock<Vec<[f64; 6]>> = LazyLock::new(|| {
    let factorials = (0u32..42).scan(IBig::ONE, |product, n| {
        *product *= IBig::from(n.max(1));
        Some(product.clone())
    });
    factorials.map(|n| Expansion::<6>::from_rational(&(RBig::ONE / RBig::from(n))).0).collect()
});

impl<const N: usize> Expansion<N> {
    /// The components, largest first; their exact sum is the number.
    pub fn components(self) -> [f64; N] {
        self.0
    }

    /// The exact value as a rational number, or `None` when not finite.
    pub fn to_rational(self) -> Option<RBig> {
        let mut sum = RBig::ZERO;
        for x in self.0 {
            sum += RBig::try_from(x).ok()?;
        }
        Some(sum)
    }

    /// The nearest number to a rational.
    pub fn from_rational(r: &RBig) -> Self {
        let mut rest = r.clone();
        let mut out = [0.0; N];
        for x in &mut out {
            *x = rest.to_f64().value();
            match RBig::try_from(*x) {
                Ok(head) => rest -= head,
                Err(_) => break,
            }
        }
        Expansion(out)
    }

    /// The rational with 30 decimal places nearest to the number; zero when not finite.
    pub fn round_to_thirty_places(self) -> RBig {
        let scale = RBig::from(dashu_int::IBig::from(10).pow(30));
        let scaled = self.to_rational().unwrap_or(RBig::ZERO) * &scale;
        RBig::from(scaled.round()) / scale
    }

    /// The first components of a longer sum.
    fn leading(components: &[f64; 6]) -> Self {
        Expansion(std::array::from_fn(|k| components[k]))
    }

    fn map_finite(self, f: impl FnOnce(Self) -> Self) -> Self {
        if self.0[0].is_finite() { f(self) } else { Self::from_f64(f64::NAN) }
    }

    /// An operation on `M` components each, which these have.
    #[inline(always)]
    fn by<const M: usize>(
        self,
        other: Self,
        operation: impl Fn([f64; M], [f64; M]) -> Option<[f64; M]>,
    ) -> Option<Self> {
        let (&a, &b) = (self.0.first_chunk()?, other.0.first_chunk()?);
        let mut out = [0.0; N];
        *out.first_chunk_mut()? = operation(a, b)?;
        Some(Expansion(out))
    }

    fn scale(self, power_of_two: f64) -> Self {
        Expansion(self.0.map(|x| x * power_of_two))
    }

    /// The nearest multiple of π/2, modulo four, and the signed rest, without cancellation.
    fn reduced_by_quarter_turns(self) -> (i64, Self) {
        let quarters = (self.0[0] / std::f64::consts::FRAC_PI_2).round();
        if quarters.abs() > 2f64.powi(40) {
            return self.reduced_exactly();
        }
        let mut terms = [0.0; 16];
        let used = N + 2 * (N + 2);
        terms[..N].copy_from_slice(&self.0);
        for i in 0..N + 2 {
            let (product, error) = two_product(-quarters, PI[i] * 0.5);
            (terms[N + 2 * i], terms[N + 2 * i + 1]) = (product, error);
        }
        (quarters as i64, Expansion(distil(&mut terms[..used])))
    }

    /// The same for angles of more turns than a few doubles of π can take away.
    fn reduced_exactly(self) -> (i64, Self) {
        let angle = self.to_rational().unwrap_or(RBig::ZERO);
        let quarters = (&angle / &*HALF_PI).round();
        let rest = angle - RBig::from(quarters.clone()) * &*HALF_PI;
        ((quarters & IBig::from(3)).try_into().unwrap_or(0), Self::from_rational(&rest))
    }

    /// Sine and cosine of a small argument by Taylor series, after halving it eight times and undoing that with
    /// the double-angle formulas (on 1 − cos, so that nothing cancels).
    fn sin_cos_small(self) -> (Self, Self) {
        const HALVINGS: i32 = 8;
        let x = self.scale(0.5f64.powi(HALVINGS));
        let x2 = x * x;
        let (mut sin, mut versine) = (x, x2.scale(0.5));
        let (mut power, factorials) = (x2, &*INVERSE_FACTORIALS);
        for k in (1..factorials.len() / 2 - 1).map(|k| 2 * k + 1) {
            let sign = if k % 4 == 3 { -1.0 } else { 1.0 };
            let term = Self::leading(&factorials[k]) * power;
            sin += (x * term).scale(sign);
            power = power * x2;
            versine += (Self::leading(&factorials[k + 1]) * power).scale(sign);
            if term.0[0].abs() <= Self::epsilon().0[0] * 1e-6 {
                break;
            }
        }
        for _ in 0..HALVINGS {
            let cos = Self::one() - versine;
            // 1 − cos 2x = 2 sin² x.
            versine = (sin * sin).scale(2.0);
            sin = (sin * cos).scale(2.0);
        }
        (sin, Self::one() - versine)
    }
}

impl<const N: usize> Add for Expansion<N> {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        let quick = match N {
            2 => self.by(other, sum_of_two),
            4 => self.by(other, sum_of_four),
            _ => None,
        };
        quick.unwrap_or_else(|| self.distilled_sum(other))
    }
}

impl<const N: usize> Expansion<N> {
    #[cold]
    fn distilled_sum(self, other: Self) -> Self {
        let mut terms = [0.0; 8];
        for i in 0..N {
            terms[2 * i] = self.0[i];
            terms[2 * i + 1] = other.0[i];
        }
        Expansion(distil(&mut terms[..2 * N]))
    }
}

impl<const N: usize> Sub for Expansion<N> {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + (-other)
    }
}

impl<const N: usize> Neg for Expansion<N> {
    type Output = Self;
    fn neg(self) -> Self {
        Expansion(self.0.map(|x| -x))
    }
}

impl<const N: usize> Mul for Expansion<N> {
    type Output = Self;
    #[inline]
    fn mul(self, other: Self) -> Self {
        let quick = match N {
            2 => self.by(other, product_of_two),
            4 => self.by(other, product_of_four),
            _ => None,
        };
        quick.unwrap_or_else(|| self.distilled_product(other))
    }
}

impl<const N: usize> Expansion<N> {
    #[cold]
    fn distilled_product(self, other: Self) -> Self {
        // Products of order i + j < N with their errors, then the plain products of order N, largest first.
        let mut terms = [0.0; 32];
        let mut count = 0;
        let mut errors = [0.0; 16];
        let mut error_count = 0;
        for order in 0..=N {
            let inherited = error_count;
            let mut fresh = [0.0; 16];
            let mut fresh_count = 0;
            for i in 0..=order.min(N - 1) {
                let j = order - i;
                if j >= N {
                    continue;
                }
                if order < N {
                    let (p, e) = two_product(self.0[i], other.0[j]);
                    terms[count] = p;
                    fresh[fresh_count] = e;
                    fresh_count += 1;
                } else {
                    terms[count] = self.0[i] * other.0[j];
                }
                count += 1;
            }
            for e in &errors[..inherited] {
                terms[count] = *e;
                count += 1;
            }
            errors = fresh;
            error_count = fresh_count;
        }
        Expansion(distil(&mut terms[..count]))
    }
}

impl<const N: usize> Div for Expansion<N> {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        // Long division: each quotient digit is a double.
        let mut rest = self;
        let mut digits = [0.0; 8];
        let lead = other.0[0];
        if lead == 0.0 || !lead.is_finite() || !self.0[0].is_finite() {
            return Self::from_f64(self.0[0] / lead);
        }
        for digit in digits.iter_mut().take(N + 1) {
            *digit = rest.0[0] / lead;
            rest -= other * Self::from_f64(*digit);
        }
        Expansion(distil(&mut digits[..N + 1]))
    }
}

impl<const N: usize> AddAssign for Expansion<N> {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl<const N: usize> SubAssign for Expansion<N> {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl<const N: usize> PartialEq for Expansion<N> {
    fn eq(&self, other: &Self) -> bool {
        self.partial_cmp(other) == Some(Ordering::Equal)
    }
}

impl<const N: usize> PartialOrd for Expansion<N> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        // The leading component carries the sign, of a number as of a difference.
        if self.0[0] == 0.0 || other.0[0] == 0.0 {
            return self.0[0].partial_cmp(&other.0[0]);
        }
        (*self - *other).0[0].partial_cmp(&0.0)
    }
}

impl<const N: usize> Field for Expansion<N> {
    fn zero() -> Self {
        Expansion([0.0; N])
    }
    fn one() -> Self {
        Self::from_f64(1.0)
    }
    fn from_i64(n: i64) -> Self {
        let high = n as f64;
        // The remainder of rounding a 64-bit integer to a double is itself a small integer.
        let low = (n as i128 - high as i128) as f64;
        Self::from_f64(high) + Self::from_f64(low)
    }
    fn try_inv(&self) -> Option<Self> {
        (self.0[0] != 0.0).then(|| Self::one() / *self)
    }
    fn pivot_weight(&self) -> f64 {
        self.0[0].abs()
    }
    fn evaluate(source: &Exact) -> Result<Evaluated<Self>, EvaluationError> {
        let value = evaluate_real::<N>(source)?;
        if value.0[0].is_finite() {
            Ok(Evaluated { value, rounded: false })
        } else {
            Err(EvaluationError::NotFinite { expression: source.to_string() })
        }
    }
}

fn evaluate_real<const N: usize>(source: &Exact) -> Result<Expansion<N>, EvaluationError> {
    let not_in_domain =
        |function: Function| EvaluationError::Domain { function, expression: source.to_string() };
    Ok(match source.node() {
        Node::Rational(r) => Expansion::from_rational(r),
        Node::Pi => Expansion::pi(),
        Node::Symbol { value, .. } => evaluate_real(value)?,
        Node::Sum(a, b) => evaluate_real::<N>(a)? + evaluate_real(b)?,
        Node::Difference(a, b) => evaluate_real::<N>(a)? - evaluate_real(b)?,
        Node::Product(a, b) => evaluate_real::<N>(a)? * evaluate_real(b)?,
        Node::Quotient(a, b) => {
            let divisor = evaluate_real::<N>(b)?;
            if divisor.0[0] == 0.0 {
                return Err(EvaluationError::DivisionByZero { expression: source.to_string() });
            }
            evaluate_real::<N>(a)? / divisor
        }
        Node::Negation(a) => -evaluate_real::<N>(a)?,
        Node::Power(a, n) => {
            let base = evaluate_real::<N>(a)?;
            if *n < 0 && base.0[0] == 0.0 {
                return Err(EvaluationError::DivisionByZero { expression: source.to_string() });
            }
            let mut power = Expansion::one();
            for _ in 0..n.unsigned_abs() {
                power = power * base;
            }
            if *n < 0 { Expansion::one() / power } else { power }
        }
        Node::Call(function, a) => {
            // An angle that is a rational multiple of π is reduced before it is rounded.
            if let (Function::Sin | Function::Cos | Function::Tan, Some(turns)) = (function, a.pi_multiple())
            {
                let (sin, cos) = sin_cos_pi::<N>(&turns);
                return match function {
                    Function::Sin => Ok(sin),
                    Function::Cos => Ok(cos),
                    _ if cos.0[0] == 0.0 => {
                        Err(EvaluationError::DivisionByZero { expression: source.to_string() })
                    }
                    _ => Ok(sin / cos),
                };
            }
            let mut x = evaluate_real::<N>(a)?;
            let (zero, one) = (Expansion::zero(), Expansion::one());
            // sqrt(1 - sin(pi/3)^2 - 0.25) is 0: what rounding moved over the edge of a domain is put back.
            let is_exact = matches!(a.node(), Node::Rational(_) | Node::Symbol { .. });
            let slack = if is_exact { zero } else { Expansion::epsilon().scale(16.0) };
            match function {
                Function::Sqrt if x < zero && x >= -slack => x = zero,
                Function::Asin | Function::Acos if x.abs() > one && x.abs() <= one + slack => {
                    x = if x > zero { one } else { -one };
                }
                _ => {}
            }
            match function {
                Function::Sqrt if x < zero => return Err(not_in_domain(*function)),
                Function::Sqrt => x.sqrt(),
                Function::Sin => x.sin_cos().0,
                Function::Cos => x.sin_cos().1,
                Function::Tan => {
                    let (sin, cos) = x.sin_cos();
                    sin / cos
                }
                Function::Asin | Function::Acos if x.abs() > one => return Err(not_in_domain(*function)),
                // (1 − x)(1 + x) keeps the digits that 1 − x² loses near ±1.
                Function::Asin => x.atan2(((one - x) * (one + x)).sqrt()),
                Function::Acos => ((one - x) * (one + x)).sqrt().atan2(x),
                Function::Atan => x.atan2(one),
            }
        }
    })
}

/// Sine and cosine of r·π; exact zeros and ones at the quarter turns.
fn sin_cos_pi<const N: usize>(r: &RBig) -> (Expansion<N>, Expansion<N>) {
    let quarters = (r * RBig::from(2)).round();
    let rest = r - RBig::from(quarters.clone()) / RBig::from(2);
    let (s, c) = if rest.is_zero() {
        (Expansion::zero(), Expansion::one())
    } else {
        (Expansion::pi() * Expansion::from_rational(&rest)).sin_cos_small()
    };
    let quadrant: i64 = (quarters & IBig::from(3)).try_into().unwrap_or(0);
    turn_by_quarters(quadrant, s, c)
}

fn turn_by_quarters<const N: usize>(
    quarters: i64,
    s: Expansion<N>,
    c: Expansion<N>,
) -> (Expansion<N>, Expansion<N>) {
    match quarters.rem_euclid(4) {
        0 => (s, c),
        1 => (c, -s),
        2 => (-s, -c),
        _ => (-c, s),
    }
}

impl<const N: usize> Scalar for Expansion<N> {
    fn from_f64(x: f64) -> Self {
        let mut out = [0.0; N];
        out[0] = x;
        Expansion(out)
    }
    fn inv(self) -> Self {
        Self::one() / self
    }
}

impl<const N: usize> Trigonometric for Expansion<N> {
    fn sin_cos(self) -> (Self, Self) {
        if !self.0[0].is_finite() {
            let nan = Self::from_f64(f64::NAN);
            return (nan, nan);
        }
        let (quarters, rest) = self.reduced_by_quarter_turns();
        let (s, c) = rest.sin_cos_small();
        turn_by_quarters(quarters, s, c)
    }
}

impl<const N: usize> Real for Expansion<N> {
    fn epsilon() -> Self {
        Self::from_f64(2.0f64.powi(-53 * N as i32 + 3))
    }
    fn pi() -> Self {
        Self::leading(&PI)
    }
    fn sqrt(self) -> Self {
        if self.0[0] == 0.0 {
            return self;
        }
        self.map_finite(|x| {
            // Newton on the reciprocal root: each step doubles the digits.
            let mut r = Self::from_f64(1.0 / x.0[0].sqrt());
            for _ in 0..N.next_power_of_two().trailing_zeros() + 1 {
                r += r * (Self::one() - x * r * r).scale(0.5);
            }
            let root = x * r;
            // Karp's correction makes the last component right.
            root + (x - root * root) * r.scale(0.5)
        })
    }
    fn atan2(self, other: Self) -> Self {
        let mut angle = Self::from_f64(f64::atan2(self.0[0], other.0[0]));
        let size = f64::max(self.0[0].abs(), other.0[0].abs());
        if size == 0.0 || !(self.0[0] + other.0[0]).is_finite() {
            return angle;
        }
        // Only the direction counts: bring the squares within reach.
        let to_unit_size = 2f64.powi(-(size.log2() as i32).clamp(-1000, 1000));
        let (y, x) = (self.scale(to_unit_size), other.scale(to_unit_size));
        let radius = (x * x + y * y).sqrt();
        for _ in 0..N.next_power_of_two().trailing_zeros() + 1 {
            let (s, c) = angle.sin_cos();
            // sin(θ − angle) to third order: its error is the fifth power of an error of 1e-16.
            let d = (y * c - x * s) / radius;
            angle += d + d * d * d / Self::from_i64(6);
        }
        angle
    }
    fn to_f64(self) -> f64 {
        self.0[0]
    }
}
