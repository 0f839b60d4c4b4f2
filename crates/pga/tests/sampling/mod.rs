//! Random elements over any scalar, and what "equal" means there. Not every test file draws every element.
#![allow(dead_code, unused_macros, unused_imports)]

use proptest::prelude::*;
use steiner_linalg::Vec3;
use steiner_pga::{Line, Motor, Multivector, Plane, Point};
use steiner_scalar::{DoubleDouble, Field, Fp, Real, Scalar};

/// A scalar tests can draw and compare.
pub(crate) trait Sampled: Scalar {
    /// Numbers of size up to ten, or any residue.
    fn any() -> BoxedStrategy<Self>;
    /// The size of an error, in units of the precision: 0 only for equality in the prime field.
    fn error(difference: Self) -> f64;
}

impl Sampled for f64 {
    fn any() -> BoxedStrategy<Self> {
        (-10.0..10.0f64).boxed()
    }
    fn error(difference: Self) -> f64 {
        difference.abs() / f64::EPSILON
    }
}

impl Sampled for DoubleDouble {
    fn any() -> BoxedStrategy<Self> {
        (-10.0..10.0f64, -1.0..1.0f64)
            .prop_map(|(x, y)| DoubleDouble::from_f64(x) + DoubleDouble::from_f64(y * 1e-17))
            .boxed()
    }
    fn error(difference: Self) -> f64 {
        (difference.abs() / DoubleDouble::epsilon()).to_f64()
    }
}

impl Sampled for Fp {
    fn any() -> BoxedStrategy<Self> {
        any::<u64>().prop_map(Fp::new).boxed()
    }
    fn error(difference: Self) -> f64 {
        difference.pivot_weight() * f64::MAX
    }
}

/// What is made of numbers and compared coordinate by coordinate.
pub(crate) trait Coordinates<S> {
    fn coordinates(&self) -> Vec<S>;
}

impl<S: Scalar> Coordinates<S> for Vec3<S> {
    fn coordinates(&self) -> Vec<S> {
        self.0.to_vec()
    }
}

impl<S: Scalar> Coordinates<S> for Plane<S> {
    fn coordinates(&self) -> Vec<S> {
        [&self.normal.0[..], &[self.offset]].concat()
    }
}

impl<S: Scalar> Coordinates<S> for Line<S> {
    fn coordinates(&self) -> Vec<S> {
        [self.direction.0, self.moment.0].concat()
    }
}

impl<S: Scalar> Coordinates<S> for Point<S> {
    fn coordinates(&self) -> Vec<S> {
        [&self.position.0[..], &[self.weight]].concat()
    }
}

impl<S: Scalar> Coordinates<S> for Motor<S> {
    fn coordinates(&self) -> Vec<S> {
        [&[self.scalar], &self.rotor.0[..], &self.translator.0, &[self.pseudoscalar]].concat()
    }
}

impl<S: Scalar> Coordinates<S> for Multivector<S> {
    fn coordinates(&self) -> Vec<S> {
        steiner_pga::Blade::ALL.iter().map(|&blade| self.coefficient(blade)).collect()
    }
}

/// Equal up to `units` of the precision, coordinate by coordinate; exactly in the prime field.
#[track_caller]
pub(crate) fn assert_same<S: Sampled, T: Coordinates<S>>(a: &T, b: &T, units: f64) {
    for (x, y) in a.coordinates().into_iter().zip(b.coordinates()) {
        let error = S::error(x - y);
        assert!(error <= units, "{:?} ≠ {:?} by {error} units", a.coordinates(), b.coordinates());
    }
}

#[track_caller]
pub(crate) fn assert_zero<S: Sampled>(x: S, units: f64) {
    assert!(S::error(x) <= units, "{x:?} is not zero: {} units", S::error(x));
}

pub(crate) fn vector<S: Sampled>() -> impl Strategy<Value = Vec3<S>> {
    [S::any(), S::any(), S::any()].prop_map(Vec3)
}

pub(crate) fn plane<S: Sampled>() -> impl Strategy<Value = Plane<S>> {
    (vector(), S::any()).prop_map(|(normal, offset)| Plane { normal, offset })
}

/// Any bivector, in general not simple.
pub(crate) fn bivector<S: Sampled>() -> impl Strategy<Value = Line<S>> {
    (vector(), vector()).prop_map(|(direction, moment)| Line { direction, moment })
}

/// A line proper.
pub(crate) fn line<S: Sampled>() -> impl Strategy<Value = Line<S>> {
    (vector(), vector()).prop_map(|(position, direction)| Line::through(position, direction))
}

pub(crate) fn point<S: Sampled>() -> impl Strategy<Value = Point<S>> {
    (vector(), S::any()).prop_map(|(position, weight)| Point { position, weight })
}

/// Any even element, in general no motion.
pub(crate) fn even<S: Sampled>() -> impl Strategy<Value = Motor<S>> {
    (S::any(), vector(), vector(), S::any()).prop_map(|(scalar, rotor, translator, pseudoscalar)| Motor {
        scalar,
        rotor,
        translator,
        pseudoscalar,
    })
}

/// A motion, of any length but zero.
pub(crate) fn motion<S: Sampled>() -> impl Strategy<Value = Motor<S>> {
    (S::any(), vector(), vector())
        .prop_filter("a quaternion of some length", |(w, v, _): &(S, Vec3<S>, Vec3<S>)| {
            (*w * *w + v.dot(*v)).pivot_weight() > 0.1
        })
        .prop_map(|(w, v, t)| Motor::from_quaternion_translation(w, v, t))
}

/// Runs a generic check over f64, double-double and the prime field, 64 cases each.
macro_rules! over_all_scalars {
    ($($name:ident, $check:ident($($argument:ident: $strategy:ident),+);)*) => {
        over_all_scalars!(@module doubles (f64); $($name, $check($($argument: $strategy),+);)*);
        over_all_scalars!(@module thirty_digits (steiner_scalar::DoubleDouble); $($name, $check($($argument: $strategy),+);)*);
        over_all_scalars!(@module prime_field (steiner_scalar::Fp); $($name, $check($($argument: $strategy),+);)*);
    };
    (@module $module:ident ($scalar:ty); $($name:ident, $check:ident($($argument:ident: $strategy:ident),+);)*) => {
        mod $module {
            use super::*;
            proptest::proptest! {
                #![proptest_config(proptest::prelude::ProptestConfig::with_cases(64))]
                $(#[test] fn $name($($argument in $strategy::<$scalar>()),+) { $check($($argument),+); })*
            }
        }
    };
}
pub(crate) use over_all_scalars;
