//! SIMD lanes behave as that many doubles side by side, in every instruction set that this processor has.

use proptest::prelude::*;
use steiner_scalar::{LaneKernel, LaneSet, Lanes, in_lanes_of};

/// A few units in the last place of one.
const CLOSE: f64 = 3.0 * 2.0e-16;

/// A function of lanes applied to doubles, as many at a time as there are lanes.
struct Applied<'a, F> {
    f: &'a F,
    columns: &'a [Vec<f64>],
}

/// Something computed in lanes from several numbers, and what one sample of it is.
trait Function {
    fn lanes<L: Lanes>(&self, x: &[L]) -> Vec<L>;
    fn doubles(&self, x: &[f64]) -> Vec<f64>;
}

impl<F: Function> LaneKernel for Applied<'_, F> {
    type Output = Vec<Vec<f64>>;
    #[inline(always)]
    fn run<L: Lanes>(self) -> Vec<Vec<f64>> {
        let samples = self.columns[0].len();
        let mut out = Vec::new();
        for first in (0..samples).step_by(L::WIDTH) {
            let sample = |lane: usize| (first + lane).min(samples - 1);
            let x: Vec<L> =
                self.columns.iter().map(|column| L::from_lanes(|lane| column[sample(lane)])).collect();
            let y = self.f.lanes(&x);
            for lane in 0..L::WIDTH.min(samples - first) {
                out.push(y.iter().map(|y| y.lane(lane)).collect());
            }
        }
        out
    }
}

/// Compares all lanes with doubles; `close` is the largest difference.
fn check(f: &impl Function, columns: &[Vec<f64>], close: f64) {
    for set in LaneSet::available() {
        let seen = in_lanes_of(set, Applied { f, columns });
        for (k, seen) in seen.iter().enumerate() {
            let x: Vec<f64> = columns.iter().map(|column| column[k]).collect();
            for (seen, wanted) in seen.iter().zip(f.doubles(&x)) {
                let same = (seen.is_nan() && wanted.is_nan()) || (seen - wanted).abs() <= close;
                assert!(same, "{set:?} at {x:?}: {seen}, not {wanted}");
            }
        }
    }
}

struct SineAndCosine;

impl Function for SineAndCosine {
    #[inline(always)]
    fn lanes<L: Lanes>(&self, x: &[L]) -> Vec<L> {
        let (sin, cos) = x[0].sin_cos();
        vec![sin, cos]
    }
    fn doubles(&self, x: &[f64]) -> Vec<f64> {
        vec![x[0].sin(), x[0].cos()]
    }
}

struct Arithmetic;

impl Function for Arithmetic {
    #[inline(always)]
    fn lanes<L: Lanes>(&self, x: &[L]) -> Vec<L> {
        let (a, b) = (x[0], x[1]);
        vec![a + b, a - b, a * b, -a, b.inv(), L::from_f64(3.0), a.half()]
    }
    fn doubles(&self, x: &[f64]) -> Vec<f64> {
        let (a, b) = (x[0], x[1]);
        vec![a + b, a - b, a * b, -a, 1.0 / b, 3.0, a / 2.0]
    }
}

struct Fused;

impl Function for Fused {
    #[inline(always)]
    fn lanes<L: Lanes>(&self, x: &[L]) -> Vec<L> {
        vec![x[0].mul_add(x[1], x[2])]
    }
    fn doubles(&self, x: &[f64]) -> Vec<f64> {
        vec![x[0].mul_add(x[1], x[2])]
    }
}

#[test]
fn sine_and_cosine_are_close_all_over_the_fast_range() {
    check(&SineAndCosine, &[(0..200_000).map(|k| -1000.0 + 0.01 * k as f64).collect()], CLOSE);
}

#[test]
fn sine_and_cosine_are_close_at_multiples_of_a_quarter_turn() {
    let near = |k: i32| {
        let x = k as f64 * std::f64::consts::FRAC_PI_4;
        [x, x.next_up(), x.next_down(), x + 1e-9]
    };
    check(&SineAndCosine, &[(-640..640).flat_map(near).collect()], CLOSE);
}

#[test]
fn small_angles_keep_their_digits() {
    struct Relative;
    impl Function for Relative {
        #[inline(always)]
        fn lanes<L: Lanes>(&self, x: &[L]) -> Vec<L> {
            vec![x[0].sin_cos().0 * x[0].inv()]
        }
        fn doubles(&self, x: &[f64]) -> Vec<f64> {
            vec![x[0].sin() / x[0]]
        }
    }
    check(&Relative, &[(0..300).map(|k| 0.7f64.powi(k)).collect()], CLOSE);
}

#[test]
fn not_a_number_stays_in_its_lane() {
    check(&SineAndCosine, &[vec![f64::NAN, 0.5, f64::INFINITY, -2.0, 1e9, 3.0, 0.1, 7.0, 2.0]], CLOSE);
}

/// Rows of every length, written sample by sample.
struct Stored<'a, const N: usize> {
    out: &'a mut [f64],
    stride: usize,
}

impl<const N: usize> LaneKernel for Stored<'_, N> {
    type Output = usize;
    #[inline(always)]
    fn run<L: Lanes>(self) -> usize {
        let values: [L; N] = std::array::from_fn(|k| L::from_lanes(|lane| (100 * lane + k) as f64));
        L::store_rows(&values, self.out, self.stride);
        L::WIDTH
    }
}

fn rows_are_stored<const N: usize>() {
    for set in LaneSet::available() {
        let stride = N + 3;
        let mut out = vec![-1.0; 8 * stride];
        let width = in_lanes_of(set, Stored::<N> { out: &mut out, stride });
        for (at, x) in out.iter().enumerate() {
            let (lane, k) = (at / stride, at % stride);
            let wanted = if lane < width && k < N { (100 * lane + k) as f64 } else { -1.0 };
            assert_eq!(*x, wanted, "{set:?}, {N} values, lane {lane}, {k}");
        }
    }
}

#[test]
fn rows_hold_one_sample_each() {
    rows_are_stored::<1>();
    rows_are_stored::<2>();
    rows_are_stored::<3>();
    rows_are_stored::<4>();
    rows_are_stored::<7>();
    rows_are_stored::<10>();
}

#[test]
#[should_panic(expected = "range")]
fn rows_beyond_the_end_are_refused() {
    let mut out = vec![0.0; 12];
    in_lanes_of(LaneSet::chosen(), Stored::<10> { out: &mut out, stride: 10 });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn sine_and_cosine_are_close_beyond_the_fast_range(lanes in prop::collection::vec(-1e12..1e12f64, 1..20)) {
        check(&SineAndCosine, std::slice::from_ref(&lanes), CLOSE);
        check(&SineAndCosine, &[lanes.iter().enumerate().map(|(k, x)| x * 0.1f64.powi(k as i32)).collect()], CLOSE);
    }

    #[test]
    fn lanes_do_not_mix(a in prop::collection::vec(-10.0..10.0f64, 17), b in prop::collection::vec(1.0..10.0f64, 17)) {
        check(&Arithmetic, &[a.clone(), b.clone()], 0.0);
        // Without FMA the product is rounded before the sum.
        check(&Fused, &[a.clone(), b, a], 2e-14);
    }
}
