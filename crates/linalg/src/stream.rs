//! Streams of random numbers that are the same on every machine: the same question always gets the same
//! answer.

use steiner_scalar::Fp;

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub struct Stream {
    generator: Generator,
    /// Normal numbers come in pairs.
    spare: Option<f64>,
}

#[derive(Clone, Debug)]
enum Generator {
    SplitMix64(u64),
    XorShift64Star(u64),
}

/// 2⁶⁴ over the golden ratio.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

impl Stream {
    /// The stream of a seed (SplitMix64).
    pub fn new(seed: u64) -> Self {
        Stream { generator: Generator::SplitMix64(seed ^ GOLDEN), spare: None }
    }

    /// The stream of a seed that synthetic logs are drawn from (xorshift64*, started through SplitMix64 so
    /// that neighbouring seeds have nothing in common). Logs are promised to stay the same for a seed;
    /// everything else takes [`Stream::new`].
    pub fn of_synthetic_log(seed: u64) -> Self {
        let state = mixed(seed.wrapping_add(GOLDEN)) | 1;
        Stream { generator: Generator::XorShift64Star(state), spare: None }
    }

    fn next(&mut self) -> u64 {
        match &mut self.generator {
            Generator::SplitMix64(state) => {
                *state = state.wrapping_add(GOLDEN);
                mixed(*state)
            }
            Generator::XorShift64Star(state) => {
                *state ^= *state >> 12;
                *state ^= *state << 25;
                *state ^= *state >> 27;
                state.wrapping_mul(0x2545_f491_4f6c_dd1d)
            }
        }
    }

    /// Uniform in [−1, 1).
    pub fn uniform(&mut self) -> f64 {
        2.0 * self.fraction() - 1.0
    }

    /// Uniform in [0, 1).
    pub fn fraction(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Uniform in 0..n, n not zero.
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next()) * n as u128) >> 64) as usize
    }

    /// Mean 0, standard deviation 1 (Marsaglia's polar method).
    pub fn normal(&mut self) -> f64 {
        if let Some(spare) = self.spare.take() {
            return spare;
        }
        loop {
            let (x, y) = (self.uniform(), self.uniform());
            let s = x * x + y * y;
            if s > 0.0 && s < 1.0 {
                let factor = (-2.0 * s.ln() / s).sqrt();
                self.spare = Some(y * factor);
                return x * factor;
            }
        }
    }

    /// Uniform in the prime field.
    pub fn residue(&mut self) -> Fp {
        Fp::new(self.next())
    }
}

/// The output function of SplitMix64.
fn mixed(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
