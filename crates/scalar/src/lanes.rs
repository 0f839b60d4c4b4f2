//! SIMD lanes of f64: one sample per lane, the same kernel for all.
//!
//! A kernel is written once, generic in its lanes ([`LaneKernel`]), and compiled for every instruction set it
//! may meet. [`in_lanes`] runs the copy that suits the processor: eight lanes with AVX-512, four with AVX2
//! and FMA, and otherwise four of whatever the target always has (SSE2, NEON, scalars).

mod arithmetic;
mod portable;
mod sine;
#[cfg(target_arch = "x86_64")]
mod x86;

use std::sync::OnceLock;

pub use portable::F64x4;

use crate::field::Trigonometric;

/// Lanes of the widest set.
const WIDEST: usize = 8;

/// Several samples side by side in one scalar: what a batched kernel asks of its lanes.
pub trait Lanes: Trigonometric + 'static {
    /// Number of samples carried.
    const WIDTH: usize;
    /// Fills each lane.
    fn from_lanes(value: impl FnMut(usize) -> f64) -> Self;
    /// One lane.
    fn lane(self, index: usize) -> f64;
    /// The first `WIDTH` of some doubles.
    fn load(values: &[f64]) -> Self;
    /// Writes the lanes to the first `WIDTH` of some doubles.
    fn store(self, out: &mut [f64]);
    /// Whether all lanes are below a bound in size; false for NaN.
    fn within(self, bound: f64) -> bool;
    /// Writes one row of N doubles per lane, that of lane l starting at `out[l * stride]`.
    fn store_rows<const N: usize>(values: &[Self; N], out: &mut [f64], stride: usize);
    /// The sum of all lanes.
    #[inline(always)]
    fn sum(self) -> f64 {
        // Without closures, which would not be compiled for the lanes' instruction set.
        let mut out = [0.0; WIDEST];
        self.store(&mut out);
        let mut sum = 0.0;
        let mut k = 0;
        while k < Self::WIDTH {
            sum += out[k];
            k += 1;
        }
        sum
    }
}

/// Work on samples in lanes, whatever their width.
///
/// All that computes in lanes must be inlined into [`LaneKernel::run`] (`#[inline(always)]` down to the last
/// function): only then is it compiled for the instruction set of its lanes. Closures that are handed to
/// iterators or to `[T; N]::map` often are not: hot loops are written out.
pub trait LaneKernel {
    /// Type of the kernel's result.
    type Output;
    /// Runs in the given lanes.
    fn run<L: Lanes>(self) -> Self::Output;
}

/// An instruction set that lanes are compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LaneSet {
    /// Four lanes of what the target always has.
    Portable,
    /// Four lanes with AVX2 and FMA.
    Avx2,
    /// Eight lanes with AVX-512.
    Avx512,
}

impl LaneSet {
    /// Its name, as `STEINER_LANES` has it.
    pub fn name(self) -> &'static str {
        match self {
            LaneSet::Portable => "portable",
            LaneSet::Avx2 => "avx2",
            LaneSet::Avx512 => "avx512",
        }
    }

    /// What the processor has, from the narrowest to the widest.
    pub fn available() -> Vec<LaneSet> {
        #[cfg(target_arch = "x86_64")]
        let wide = [x86::has_avx2().then_some(LaneSet::Avx2), x86::has_avx512().then_some(LaneSet::Avx512)];
        #[cfg(not(target_arch = "x86_64"))]
        let wide = [None; 2];
        [Some(LaneSet::Portable)].into_iter().chain(wide).flatten().collect()
    }

    /// The widest one available, or the one that the environment variable `STEINER_LANES` names, if it is
    /// available. Decided once.
    pub fn chosen() -> LaneSet {
        static CHOSEN: OnceLock<LaneSet> = OnceLock::new();
        *CHOSEN.get_or_init(|| {
            let available = LaneSet::available();
            let widest = available.last().copied().unwrap_or(LaneSet::Portable);
            let Ok(named) = std::env::var("STEINER_LANES") else { return widest };
            let wanted = available.iter().find(|set| set.name().eq_ignore_ascii_case(&named));
            if wanted.is_none() {
                let names: Vec<&str> = available.iter().map(|set| set.name()).collect();
                eprintln!(
                    "STEINER_LANES is '{named}', but this processor has {}; taking {}",
                    names.join(", "),
                    widest.name()
                );
            }
            wanted.copied().unwrap_or(widest)
        })
    }
}

/// Runs a kernel in the lanes that suit the processor.
#[inline]
pub fn in_lanes<K: LaneKernel>(kernel: K) -> K::Output {
    in_lanes_of(LaneSet::chosen(), kernel)
}

/// Runs a kernel in the lanes of an instruction set; in portable ones where the processor lacks it.
pub fn in_lanes_of<K: LaneKernel>(set: LaneSet, kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    match set {
        LaneSet::Avx512 if x86::has_avx512() => return x86::run_with_avx512(kernel),
        LaneSet::Avx2 if x86::has_avx2() => return x86::run_with_avx2(kernel),
        _ => {}
    }
    let _ = set;
    kernel.run::<F64x4>()
}
