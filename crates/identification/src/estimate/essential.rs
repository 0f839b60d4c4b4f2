//! Essential parameters: what is left when base parameters that the log cannot tell from
//! zero are taken out, one by one.
//!
//! \[gautier1997\]: the parameter with the largest relative deviation goes first, as long as the residual
//! does not grow more than chance would let it (the F-test of one restriction, which is t²).

/// 99 % point of F(1, ∞): the residual may grow by this much of the noise for each parameter taken out.
use steiner_linalg::triangle::Triangle;

const CHANCE: f64 = 6.635;

/// Essential base parameters, re-estimated without the others.
#[derive(Clone, Debug, PartialEq)]
pub struct Essential {
    /// The essential base parameters, by position.
    pub parameters: Vec<usize>,
    /// Estimated values, in SI units.
    pub values: Vec<f64>,
    /// Standard deviations of the values, in SI units.
    pub sigma: Vec<f64>,
    /// Condition number (normalised columns).
    pub condition_number: f64,
}

/// Reduces a triangle in units of the noise, whose last column is the right-hand side.
pub(crate) fn essential(stack: &Triangle) -> Essential {
    let n = stack.columns() - 1;
    let mut kept: Vec<usize> = (0..n).filter(|&c| (0..=c).any(|r| stack.entry(r, c) != 0.0)).collect();
    loop {
        let smaller = restricted(stack, &kept);
        let solution = super::least_squares(&smaller, &vec![0.0; kept.len()]);
        let sigma: Vec<f64> = (0..kept.len()).map(|k| solution.inverse[(k, k)].max(0.0).sqrt()).collect();
        let full = solution.rank == kept.len();
        let worst = (0..kept.len())
            .map(|k| {
                // Unseen directions go first, the largest part of them leading.
                let hidden = if full { 0.0 } else { solution.hidden(k) };
                (k, if hidden > 0.1 { 1e12 * hidden } else { sigma[k] / solution.values[k].abs() })
            })
            .fold((0, 0.0), |worst, this| if this.1 > worst.1 { this } else { worst });
        let insignificant = worst.1 * worst.1 * CHANCE > 1.0;
        if kept.len() > 1 && insignificant {
            kept.remove(worst.0);
            continue;
        }
        let ratio = solution.singular_values[0] / solution.singular_values[kept.len() - 1];
        return Essential { parameters: kept, values: solution.values, sigma, condition_number: ratio };
    }
}

/// Essential parameters of a reduced log whose rows have noise `sigma`.
pub fn essential_parameters(reduced: &crate::Reduced, sigma: &[f64]) -> Essential {
    let weights: Vec<f64> = sigma.iter().map(|sigma| 1.0 / sigma).collect();
    essential(&reduced.stacked(&weights))
}

fn restricted(stack: &Triangle, kept: &[usize]) -> Triangle {
    let last = stack.columns() - 1;
    let mut out = Triangle::new(kept.len() + 1);
    for r in 0..=last {
        let row: Vec<f64> = kept.iter().chain([&last]).map(|&c| stack.entry(r, c)).collect();
        out.push(&row);
    }
    out.reduce();
    out
}
