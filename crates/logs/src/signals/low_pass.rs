//! Low-pass filters as second-order sections: Butterworth of any order, and
//! Chebyshev (type I) for decimation.
//!
//! | symbol | meaning |
//! |---|---|
//! | s | analog pole, for a cut-off of 1 rad/s |
//! | w = tan(π f/rate) | cut-off prewarped for the bilinear map |
//! | z = (1 + w s)/(1 − w s) | its digital pole |
//!
//! # Reference
//! \[oppenheim1999\], chapter 7: design by the bilinear transformation.

use std::f64::consts::PI;

use crate::error::LogError;

/// H(z) = (b₀ + b₁ z⁻¹ + b₂ z⁻²) / (1 + a₁ z⁻¹ + a₂ z⁻²).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Section {
    /// b₀, b₁, b₂.
    pub b: [f64; 3],
    /// a₁, a₂.
    pub a: [f64; 2],
}

/// A low-pass filter made of second-order sections.
#[derive(Clone, Debug, PartialEq)]
pub struct LowPass {
    sections: Vec<Section>,
    order: usize,
    /// The largest modulus of a pole: how slowly it forgets.
    slowest: f64,
}

impl LowPass {
    /// Butterworth's filter of any order: −3 dB at `cutoff` (Hz) for samples at `rate` (Hz), in one pass.
    pub fn butterworth(order: usize, cutoff: f64, rate: f64) -> Result<Self, LogError> {
        // Poles on the unit circle, left half, evenly spaced.
        let pole = |k: usize| {
            let angle = PI * (2 * k + order + 1) as f64 / (2 * order) as f64;
            (angle.cos(), angle.sin())
        };
        Self::from_poles(order, cutoff, rate, pole, 1.0)
    }

    /// Chebyshev's filter of type I with `ripple` dB in the pass band, which ends at `cutoff` (Hz). The gain
    /// at 0 Hz is that of the design: 1, or for even orders the lower edge of the ripple.
    pub fn chebyshev(order: usize, ripple: f64, cutoff: f64, rate: f64) -> Result<Self, LogError> {
        let epsilon = (10f64.powf(0.1 * ripple) - 1.0).sqrt();
        let mu = (1.0 / epsilon).asinh() / order as f64;
        // Poles on an ellipse.
        let pole = |k: usize| {
            let angle = PI * (2 * k + order + 1) as f64 / (2 * order) as f64;
            (mu.sinh() * angle.cos(), mu.cosh() * angle.sin())
        };
        let gain = if order.is_multiple_of(2) { 10f64.powf(-ripple / 20.0) } else { 1.0 };
        Self::from_poles(order, cutoff, rate, pole, gain)
    }

    fn from_poles(
        order: usize,
        cutoff: f64,
        rate: f64,
        pole: impl Fn(usize) -> (f64, f64),
        gain: f64,
    ) -> Result<Self, LogError> {
        if order == 0 || order > 20 {
            let problem = format!("a filter of order {order} is not of use");
            return Err(LogError::Setting { setting: "order", problem, remedy: "choose 1 to 20".to_owned() });
        }
        if !(cutoff > 0.0 && cutoff < 0.5 * rate) {
            return Err(LogError::Setting {
                setting: "cutoff",
                problem: format!(
                    "{cutoff} Hz is not between 0 and half the sampling rate, {} Hz",
                    crate::signals::significant(0.5 * rate, 6)
                ),
                remedy: "choose one in between, or none".to_owned(),
            });
        }
        let w = (PI * cutoff / rate).tan();
        let mut sections = Vec::new();
        let mut slowest = 0.0f64;
        for k in 0..order.div_ceil(2) {
            let (re, im) = pole(k);
            let (re, im) = (w * re, w * im);
            // z = (1 + s)/(1 − s); 1 − z and 1 + z without cancellation: −2s/(1 − s) and 2/(1 − s).
            let below = (1.0 - re).powi(2) + im * im;
            let (z_re, z_im) = ((1.0 - re * re - im * im) / below, 2.0 * im / below);
            slowest = slowest.max(z_re.hypot(z_im));
            sections.push(if 2 * k + 1 == order {
                let gain_at_0 = -re / (1.0 - re); // (1 − z)/2
                Section { b: [gain_at_0, gain_at_0, 0.0], a: [-z_re, 0.0] }
            } else {
                let gain_at_0 = (re * re + im * im) / below; // |1 − z|²/4
                Section {
                    b: [gain_at_0, 2.0 * gain_at_0, gain_at_0],
                    a: [-2.0 * z_re, z_re * z_re + z_im * z_im],
                }
            });
        }
        sections[0].b.iter_mut().for_each(|b| *b *= gain);
        Ok(LowPass { sections, order, slowest })
    }

    /// The same filter with gain 1 at 0 Hz.
    pub fn with_unit_gain(mut self) -> Self {
        let gain = self.gain(0.0, 1.0);
        self.sections[0].b.iter_mut().for_each(|b| *b /= gain);
        self
    }

    /// Second-order sections, applied one after the other.
    pub fn sections(&self) -> &[Section] {
        &self.sections
    }

    /// Order of the filter in one pass.
    pub fn order(&self) -> usize {
        self.order
    }

    /// |H| of one pass at a frequency, Hz; forwards and backwards it is the square of this.
    pub fn gain(&self, frequency: f64, rate: f64) -> f64 {
        let (sin, cos) = (2.0 * PI * frequency / rate).sin_cos();
        let (sin2, cos2) = (2.0 * sin * cos, cos * cos - sin * sin);
        self.sections
            .iter()
            .map(|Section { b, a }| {
                let above = (b[0] + b[1] * cos + b[2] * cos2).hypot(b[1] * sin + b[2] * sin2);
                let below = (1.0 + a[0] * cos + a[1] * cos2).hypot(a[0] * sin + a[1] * sin2);
                above / below
            })
            .product()
    }

    /// Samples after which less than `part` of an impulse is left.
    pub fn memory(&self, part: f64) -> usize {
        // Poles meet in order/2 sections; the polynomial in front of the power is paid for
        // with a few more time constants.
        let samples = (part.ln() - 2.0) / self.slowest.max(1e-3).ln();
        samples.ceil().clamp(1.0, 1e9) as usize + 3 * self.order
    }
}
