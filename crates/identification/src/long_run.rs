//! The variance of a sum of correlated numbers, by an autoregression.
//!
//! Weights that fall off linearly do not reach as far as slow noise lasts: in a log of twenty correlation times they
//! see half of the variance. An autoregression x_t = Σ a_k x_{t−k} + e_t continues what neighbours show, and the sum
//! of n numbers has the variance n σ_e²/(1 − Σ a_k)² (Berk, 1974; den Haan and Levin, 1997). Coefficients are
//! Burg's, the order is that of Akaike's criterion.

/// 1 − Σ a_k, at least: beyond, a log is too short to tell.
const LEAST: f64 = 0.05;

/// The variance of the sum of all numbers of some series; zero where they are too few.
pub(crate) fn variance_of_sum(series: &[Vec<f64>]) -> f64 {
    let count: usize = series.iter().map(Vec::len).sum();
    let squares: f64 = series.iter().flatten().map(|x| x * x).sum();
    let most = ((count as f64).cbrt() as usize).min(8);
    if count < 16 || squares == 0.0 {
        return 0.0;
    }
    let n = count as f64;
    let (mut forward, mut backward) = (series.to_vec(), series.to_vec());
    let mut coefficients: Vec<f64> = Vec::new();
    let mut variance = squares / n;
    let mut best = (n * variance.ln(), variance);
    for order in 1..=most {
        let (mut mixed, mut own) = (0.0, 0.0);
        for (f, b) in forward.iter().zip(&backward) {
            for t in order..f.len() {
                mixed += f[t] * b[t - 1];
                own += f[t] * f[t] + b[t - 1] * b[t - 1];
            }
        }
        if own <= 0.0 {
            break;
        }
        let reflection = 2.0 * mixed / own;
        for (f, b) in forward.iter_mut().zip(&mut backward) {
            for t in (order..f.len()).rev() {
                let (ahead, behind) = (f[t], b[t - 1]);
                f[t] = ahead - reflection * behind;
                b[t] = behind - reflection * ahead;
            }
        }
        let mirrored: Vec<f64> = coefficients.iter().rev().copied().collect();
        coefficients.iter_mut().zip(mirrored).for_each(|(a, other)| *a -= reflection * other);
        coefficients.push(reflection);
        variance *= 1.0 - reflection * reflection;
        if variance <= 0.0 {
            break;
        }
        let criterion = n * variance.ln() + 2.0 * order as f64;
        if criterion < best.0 {
            let left = (1.0 - coefficients.iter().sum::<f64>()).max(LEAST);
            best = (criterion, variance / (left * left));
        }
    }
    n * best.1
}
