//! Least squares of the relative errors of a model over its base parameters.

use steiner_linalg::elimination::{Matrix, reduce};

use super::states::{Lane, WIDTH};

/// Directions of the parameters that change the errors by less than this part (squared, the parameters scaled
/// to be alike) are left as they are: the task does not show them.
const UNSHOWN_BY_TASK: f64 = 1e-10;

/// The normal equations of min Σ ‖τ − Y(θ + Δθ)‖²/‖τ‖². They do: they are solved for a correction only.
#[derive(Clone)]
pub(super) struct Normal {
    size: usize,
    /// Yᵀ Y, the lower triangle row by row, in lanes that are added up in the
    /// end; then Yᵀ times the residual.
    sums: Vec<Lane>,
}

impl Normal {
    pub(super) fn new(size: usize) -> Self {
        Normal { size, sums: vec![[0.0; WIDTH]; size * (size + 1) / 2 + size] }
    }

    /// Adds one row of Y at eight states; only the columns listed (ascending) are not zero.
    pub(super) fn absorb(&mut self, row: &[Lane], residual: &Lane, columns: &[usize]) {
        let (squares, right) = self.sums.split_at_mut(self.size * (self.size + 1) / 2);
        for (place, &r) in columns.iter().enumerate() {
            let y = &row[r];
            let below = &mut squares[r * (r + 1) / 2..][..=r];
            for &c in &columns[..=place] {
                let (sum, other) = (&mut below[c], &row[c]);
                (0..WIDTH).for_each(|lane| sum[lane] += y[lane] * other[lane]);
            }
            (0..WIDTH).for_each(|lane| right[r][lane] += y[lane] * residual[lane]);
        }
    }

    /// The lanes added up.
    pub(super) fn equations(&self) -> Equations {
        Equations { size: self.size, sums: self.sums.iter().map(|lanes| lanes.iter().sum()).collect() }
    }
}

/// Normal equations of some states.
#[derive(Clone)]
pub(super) struct Equations {
    size: usize,
    sums: Vec<f64>,
}

impl Equations {
    pub(super) fn new(size: usize) -> Self {
        Normal::new(size).equations()
    }

    pub(super) fn add(&mut self, other: &Equations) {
        self.sums.iter_mut().zip(&other.sums).for_each(|(sum, more)| *sum += more);
    }

    /// Δθ.
    pub(super) fn solve(&self) -> Vec<f64> {
        let size = self.size;
        let square = |r: usize, c: usize| self.sums[r.max(c) * (r.max(c) + 1) / 2 + r.min(c)];
        // Parameters have different units: bring the diagonal to 1.
        let scale = |k: usize| match square(k, k) {
            sum if sum > 0.0 => sum.sqrt().recip(),
            _ => 0.0,
        };
        let scales: Vec<f64> = (0..size).map(scale).collect();
        let scaled = Matrix::from_fn(size, size + 1, |r, c| {
            scales[r] * if c < size { square(r, c) * scales[c] } else { self.sums[size * (size + 1) / 2 + r] }
        });
        let echelon = reduce(scaled, size, UNSHOWN_BY_TASK);
        let mut out = vec![0.0; size];
        for (row, &parameter) in echelon.pivots.iter().enumerate() {
            out[parameter] = echelon.reduced[(row, size)] * scales[parameter];
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::{Normal, WIDTH};

    #[test]
    fn a_correction_that_explains_the_residual_exactly_is_found() {
        let truth = [0.3, -2.0, 1e-4];
        let mut normal = Normal::new(3);
        for k in 0..20 {
            let number = |r: usize, lane: usize| ((7 * k + 3 * r + lane * lane + k * r) as f64).sin();
            let row: Vec<[f64; WIDTH]> =
                (0..3).map(|r| std::array::from_fn(|lane| number(r, lane) * [1.0, 0.01, 1e3][r])).collect();
            let residual = std::array::from_fn(|lane| (0..3).map(|r| row[r][lane] * truth[r]).sum());
            normal.absorb(&row, &residual, &[0, 1, 2]);
        }
        for (found, wanted) in normal.equations().solve().iter().zip(truth) {
            assert!((found - wanted).abs() < 1e-9 * wanted.abs(), "{found} {wanted}");
        }
    }

    #[test]
    fn what_nothing_shows_stays() {
        let mut normal = Normal::new(2);
        normal.absorb(&[[2.0; WIDTH], [0.0; WIDTH]], &[1.0; WIDTH], &[0]);
        let found = normal.equations().solve();
        assert!((found[0] - 0.5).abs() < 1e-15 && found[1] == 0.0);
        assert_eq!(Normal::new(0).equations().solve(), Vec::<f64>::new());
    }
}
