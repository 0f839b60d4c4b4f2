//! What makes a motion good: functions of the information matrix M that an optimiser makes small, with their
//! derivatives.

use std::str::FromStr;

use steiner_linalg::cholesky::Cholesky;
use steiner_linalg::elimination::Matrix;

/// What is made small.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Criterion {
    /// −log det M: the volume of the ellipsoid of errors, whatever the units of parameters.
    #[default]
    D,
    /// log tr M⁻¹: the sum of variances.
    A,
    /// The largest eigenvalue of M⁻¹: the worst direction.
    E,
    /// The condition number of the weighted base regressor.
    Condition,
}

impl Criterion {
    /// As written on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Criterion::D => "d",
            Criterion::A => "a",
            Criterion::E => "e",
            Criterion::Condition => "condition",
        }
    }
}

impl FromStr for Criterion {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        [Criterion::D, Criterion::A, Criterion::E, Criterion::Condition]
            .into_iter()
            .find(|criterion| criterion.name().eq_ignore_ascii_case(text))
            .ok_or_else(|| format!("'{text}' is no criterion; take d, a, e or condition"))
    }
}

/// Power of the norm that stands for the largest eigenvalue: within r^(1/16) of it, and smooth.
const DOUBLINGS: usize = 4;

/// Which part of the parameters counts.
#[derive(Clone, Debug)]
pub(crate) enum Interest {
    All,
    /// Some base parameters: the rest may be as uncertain as it likes.
    Some(Vec<usize>),
    /// tr(C M⁻¹): what is predicted with the parameters.
    Prediction(Matrix<f64>),
}

/// The criterion's value, and ∂value/∂M; `None` where M is singular.
pub(crate) fn evaluate(
    criterion: Criterion,
    interest: &Interest,
    information: &Matrix<f64>,
    gradient: bool,
) -> Option<(f64, Matrix<f64>)> {
    let n = information.rows();
    let none = || Matrix::zeros(0, 0);
    if let (Criterion::D, Interest::All, false) = (criterion, interest, gradient) {
        return Some((-log_det_of(information)?, none()));
    }
    let (log_det, inverse) = inverse_of(information)?;
    match interest {
        Interest::All => {}
        Interest::Some(chosen) => {
            // log det C with C = (M⁻¹) of what counts: ∂/∂M = −M⁻¹ Eᵀ C⁻¹ E M⁻¹.
            let part = Matrix::from_fn(chosen.len(), chosen.len(), |r, c| inverse[(chosen[r], chosen[c])]);
            let (log_det, part_inverse) = inverse_of(&part)?;
            if !gradient {
                return Some((log_det, none()));
            }
            let columns = Matrix::from_fn(n, chosen.len(), |r, c| inverse[(r, chosen[c])]);
            let product = columns.times(&part_inverse).times(&columns.transpose());
            return Some((log_det, Matrix::from_fn(n, n, |r, c| -product[(r, c)])));
        }
        Interest::Prediction(weights) => {
            let by = inverse.times(weights);
            let trace: f64 = (0..n).map(|k| by[(k, k)]).sum();
            if !gradient {
                return Some((n as f64 * trace.ln(), none()));
            }
            let product = by.times(&inverse);
            let scale = n as f64 / trace;
            return Some((n as f64 * trace.ln(), Matrix::from_fn(n, n, |r, c| -scale * product[(r, c)])));
        }
    }
    Some(match criterion {
        Criterion::D => {
            (-log_det, if gradient { Matrix::from_fn(n, n, |r, c| -inverse[(r, c)]) } else { none() })
        }
        // Logarithms, times the number of parameters: limits weigh as they do for log det.
        Criterion::A => {
            let trace: f64 = (0..n).map(|k| inverse[(k, k)]).sum();
            let square = inverse.times(&inverse);
            let scale = n as f64 / trace;
            (n as f64 * trace.ln(), Matrix::from_fn(n, n, |r, c| -scale * square[(r, c)]))
        }
        Criterion::E => {
            let (value, slope) = largest(&inverse);
            // d largest(M⁻¹) = −M⁻¹ slope M⁻¹ : dM
            let product = inverse.times(&slope).times(&inverse);
            (n as f64 * value.ln(), Matrix::from_fn(n, n, |r, c| -(n as f64) / value * product[(r, c)]))
        }
        Criterion::Condition => {
            let (most, up) = largest(information);
            let (least, slope) = largest(&inverse);
            let down = inverse.times(&slope).times(&inverse);
            let scale = n as f64;
            (
                scale * (most.ln() + least.ln()),
                Matrix::from_fn(n, n, |r, c| scale * (up[(r, c)] / most - down[(r, c)] / least)),
            )
        }
    })
}

/// (tr A^p)^(1/p) with p = 2^DOUBLINGS, and its derivative A^(p−1) (tr A^p)^(1/p − 1).
fn largest(a: &Matrix<f64>) -> (f64, Matrix<f64>) {
    let n = a.rows();
    let scale = (0..n).map(|k| a[(k, k)]).sum::<f64>();
    let unit = Matrix::from_fn(n, n, |r, c| a[(r, c)] / scale);
    let mut power = unit.clone();
    let mut below = Matrix::identity(n);
    for _ in 0..DOUBLINGS {
        below = below.times(&power);
        power = power.times(&power);
    }
    let trace: f64 = (0..n).map(|k| power[(k, k)]).sum();
    let p = f64::from(1u32 << DOUBLINGS);
    let value = trace.powf(1.0 / p);
    let by = value / trace;
    (scale * value, Matrix::from_fn(n, n, |r, c| by * below[(r, c)]))
}

/// log det.
pub(crate) fn log_det_of(matrix: &Matrix<f64>) -> Option<f64> {
    factor_of(matrix).map(|(log_det, ..)| log_det)
}

/// log det and the inverse.
pub(crate) fn inverse_of(matrix: &Matrix<f64>) -> Option<(f64, Matrix<f64>)> {
    let (log_det, factor, scales) = factor_of(matrix)?;
    let (n, inverse) = (matrix.rows(), factor.inverse());
    Some((log_det, Matrix::from_fn(n, n, |r, c| inverse[(r, c)] / (scales[r] * scales[c]))))
}

/// log det, and the factor of a matrix with unit diagonal, with its scales: parameters have different units.
fn factor_of(matrix: &Matrix<f64>) -> Option<(f64, Cholesky, Vec<f64>)> {
    let n = matrix.rows();
    let scales: Vec<f64> = (0..n).map(|k| matrix[(k, k)].sqrt()).collect();
    if scales.iter().any(|s| !(*s > 0.0 && s.is_finite())) {
        return None;
    }
    let scaled = Matrix::from_fn(n, n, |r, c| matrix[(r, c)] / (scales[r] * scales[c]));
    let factor = Cholesky::new(scaled).ok()?;
    let log_det = factor.log_det() + 2.0 * scales.iter().map(|s| s.ln()).sum::<f64>();
    Some((log_det, factor, scales))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derivatives_are_those_of_the_values() {
        let n = 4;
        let a = Matrix::from_fn(6, n, |r, c| ((r * 7 + c * 3) as f64).sin() + f64::from(u8::from(r == c)));
        let m = a.transpose().times(&a);
        let weights = Matrix::from_fn(n, n, |r, c| if r == c { 1.0 + r as f64 } else { 0.1 });
        let interests = [Interest::All, Interest::Some(vec![0, 2]), Interest::Prediction(weights)];
        for criterion in [Criterion::D, Criterion::A, Criterion::E, Criterion::Condition] {
            for interest in &interests {
                let (_, slope) = evaluate(criterion, interest, &m, true).unwrap();
                for r in 0..n {
                    for c in 0..=r {
                        let moved = |h: f64| {
                            let mut m = m.clone();
                            m[(r, c)] += h;
                            if r != c {
                                m[(c, r)] += h;
                            }
                            evaluate(criterion, interest, &m, false).unwrap().0
                        };
                        let difference = (moved(1e-5) - moved(-1e-5)) / 2e-5;
                        let exact = slope[(r, c)] + if r == c { 0.0 } else { slope[(c, r)] };
                        assert!(
                            (exact - difference).abs() < 1e-5 * (1.0 + exact.abs()),
                            "{criterion:?} {interest:?} {r} {c}: {exact} {difference}"
                        );
                    }
                }
            }
        }
    }
}
