//! The fast Fourier transform of Cooley and Tukey for powers of two: what spectra of windows need.

use std::f64::consts::PI;

/// The transform of one length, with its roots of unity.
pub(crate) struct Transform {
    /// exp(−2πi k/N) for k < N/2.
    roots: Vec<(f64, f64)>,
    bits: u32,
}

impl Transform {
    /// For N samples, a power of two.
    pub(crate) fn new(count: usize) -> Self {
        debug_assert!(count.is_power_of_two());
        let root = |k: usize| {
            let (sin, cos) = (-2.0 * PI * k as f64 / count as f64).sin_cos();
            (cos, sin)
        };
        Transform { roots: (0..count / 2).map(root).collect(), bits: count.trailing_zeros() }
    }

    /// Transforms in place: X_k = Σ x_n exp(−2πi kn/N).
    pub(crate) fn apply(&self, re: &mut [f64], im: &mut [f64]) {
        let count = 1usize << self.bits;
        for k in 0..count {
            let reversed = if self.bits == 0 { 0 } else { k.reverse_bits() >> (usize::BITS - self.bits) };
            if reversed > k {
                re.swap(k, reversed);
                im.swap(k, reversed);
            }
        }
        let mut half = 1;
        while half < count {
            let stride = count / (2 * half);
            for start in (0..count).step_by(2 * half) {
                for k in 0..half {
                    let (cos, sin) = self.roots[k * stride];
                    let (a, b) = (start + k, start + k + half);
                    let (x, y) = (re[b] * cos - im[b] * sin, re[b] * sin + im[b] * cos);
                    (re[b], im[b]) = (re[a] - x, im[a] - y);
                    (re[a], im[a]) = (re[a] + x, im[a] + y);
                }
            }
            half *= 2;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_sum_that_defines_it() {
        for bits in 0..7 {
            let count = 1usize << bits;
            let x: Vec<f64> = (0..count).map(|k| ((3 * k * k + 1) % 17) as f64 - 5.0).collect();
            let y: Vec<f64> = (0..count).map(|k| ((5 * k + 2) % 11) as f64).collect();
            let (mut re, mut im) = (x.clone(), y.clone());
            Transform::new(count).apply(&mut re, &mut im);
            for k in 0..count {
                let sum = (0..count).fold((0.0, 0.0), |(a, b), n| {
                    let (sin, cos) = (-2.0 * PI * (k * n) as f64 / count as f64).sin_cos();
                    (a + x[n] * cos - y[n] * sin, b + x[n] * sin + y[n] * cos)
                });
                assert!((re[k] - sum.0).abs() < 1e-10 && (im[k] - sum.1).abs() < 1e-10);
            }
        }
    }
}
