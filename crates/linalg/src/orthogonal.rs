//! Orthogonal factorisations over the reals: Householder's QR with column pivoting, and singular values by
//! one-sided Jacobi rotations. Written once for every precision.

use steiner_scalar::Real;

use crate::cancel::checkpoint;
use crate::elimination::Matrix;
use crate::rank::RankDecision;
use crate::vector::dot;

/// A P = Q R with |r_11| ≥ |r_22| ≥ …: the columns in the order of what each adds to those before it.
#[derive(Clone, Debug)]
pub struct PivotedQr<R> {
    /// The upper triangle, min(rows, columns) by columns, its columns permuted.
    pub r: Matrix<R>,
    /// Which column of A stands at each place.
    pub order: Vec<usize>,
}

/// Factorises a matrix; Q is not kept.
pub fn pivoted_qr<R: Real>(matrix: Matrix<R>) -> PivotedQr<R> {
    let (rows, columns) = (matrix.rows(), matrix.columns());
    // Column by column, so that reflections run along memory.
    let mut a: Vec<Vec<R>> = (0..columns).map(|c| (0..rows).map(|r| matrix[(r, c)]).collect()).collect();
    let mut order: Vec<usize> = (0..columns).collect();
    let steps = rows.min(columns);
    for step in 0..steps {
        checkpoint();
        let best = (step..columns)
            .map(|c| (c, dot(&a[c][step..], &a[c][step..])))
            .fold((step, R::zero()), |best, (c, norm)| if norm > best.1 { (c, norm) } else { best });
        if best.1 == R::zero() {
            break;
        }
        a.swap(step, best.0);
        order.swap(step, best.0);
        let norm = best.1.sqrt();
        let head = a[step][step];
        let alpha = if head > R::zero() { -norm } else { norm };
        let mut v = a[step][step..].to_vec();
        v[0] = head - alpha;
        let beta = dot(&v, &v);
        if beta > R::zero() {
            for column in &mut a[step + 1..] {
                let factor = (dot(&v, &column[step..]) + dot(&v, &column[step..])) / beta;
                for (x, w) in column[step..].iter_mut().zip(&v) {
                    *x -= factor * *w;
                }
            }
        }
        a[step][step] = alpha;
        a[step][step + 1..].fill(R::zero());
    }
    PivotedQr { r: Matrix::from_fn(steps, columns, |r, c| if r <= c { a[c][r] } else { R::zero() }), order }
}

impl<R: Real> PivotedQr<R> {
    /// |r_kk|, falling.
    pub fn diagonal(&self) -> Vec<R> {
        (0..self.r.rows()).map(|k| self.r[(k, k)].abs()).collect()
    }

    /// The rank by the diagonal entries that exceed `tolerance` times the first.
    pub fn decide_rank(&self, tolerance: f64) -> RankDecision {
        relative_to_first(&self.diagonal(), tolerance)
    }

    /// The nullspace of a matrix of given rank: for each dependent column one vector, 1 there and the
    /// solution of R₁ x = −r₂ on the independent ones.
    pub fn nullspace(&self, rank: usize) -> Vec<Vec<R>> {
        let columns = self.order.len();
        (rank..columns)
            .map(|dependent| {
                let mut x = vec![R::zero(); rank];
                for k in (0..rank).rev() {
                    let known = (k + 1..rank).fold(R::zero(), |sum, c| sum + self.r[(k, c)] * x[c]);
                    x[k] = (-self.r[(k, dependent)] - known) / self.r[(k, k)];
                }
                let mut v = vec![R::zero(); columns];
                v[self.order[dependent]] = R::one();
                x.into_iter().enumerate().for_each(|(k, value)| v[self.order[k]] = value);
                v
            })
            .collect()
    }
}

/// Singular values, falling, with the right singular vectors in the same order.
#[derive(Clone, Debug)]
pub struct Singular<R> {
    /// σ.
    pub values: Vec<R>,
    /// Unit vectors v with |A v| = σ.
    pub vectors: Vec<Vec<R>>,
}

impl<R: Real> Singular<R> {
    /// The rank by the singular values that exceed `tolerance` times the first.
    pub fn decide_rank(&self, tolerance: f64) -> RankDecision {
        relative_to_first(&self.values, tolerance)
    }
}

fn relative_to_first<R: Real>(falling: &[R], tolerance: f64) -> RankDecision {
    let first = falling.first().map_or(0.0, |first| first.to_f64());
    RankDecision::of(falling.iter().map(|x| x.to_f64()), tolerance * first)
}

/// Singular values and right singular vectors of a matrix.
pub fn singular<R: Real>(matrix: Matrix<R>) -> Singular<R> {
    let columns = matrix.columns();
    // The triangle has the same, and far fewer rows; its graded columns make the rotations converge fast.
    let PivotedQr { r, order } = pivoted_qr(matrix);
    let mut a: Vec<Vec<R>> = (0..columns).map(|c| (0..r.rows()).map(|k| r[(k, c)]).collect()).collect();
    let mut v: Vec<Vec<R>> = (0..columns)
        .map(|c| (0..columns).map(|k| if order[c] == k { R::one() } else { R::zero() }).collect())
        .collect();
    make_orthogonal(&mut a, Some(&mut v));
    let found = a.iter().map(|column| dot(column, column).sqrt()).zip(v).collect();
    falling(found)
}

/// The largest singular values of a matrix of some rank, with their vectors: all that are not zero, in far less time
/// than all where the rank is small.
pub fn leading_singular<R: Real>(matrix: Matrix<R>, rank: usize) -> Singular<R> {
    let columns = matrix.columns();
    let PivotedQr { r, order } = pivoted_qr(matrix);
    // The rows of the triangle, turned until they are at right angles: σ times the right singular vectors.
    let row = |k: usize| -> Vec<R> {
        let mut full = vec![R::zero(); columns];
        (0..columns).for_each(|c| full[order[c]] = r[(k, c)]);
        full
    };
    let mut a: Vec<Vec<R>> = (0..rank.min(r.rows())).map(row).collect();
    a.resize(rank, vec![R::zero(); columns]);
    make_orthogonal(&mut a, None);
    let unit = |row: Vec<R>| {
        let length = dot(&row, &row).sqrt();
        let scale = if length > R::zero() { R::one() / length } else { R::zero() };
        (length, row.into_iter().map(|x| x * scale).collect())
    };
    falling(a.into_iter().map(unit).collect())
}

fn falling<R: Real>(mut found: Vec<(R, Vec<R>)>) -> Singular<R> {
    found.sort_by(|(x, _), (y, _)| y.to_f64().total_cmp(&x.to_f64()));
    let (values, vectors) = found.into_iter().unzip();
    Singular { values, vectors }
}

/// Turns columns among one another until they are at right angles (one-sided Jacobi); others turn with them.
fn make_orthogonal<R: Real>(a: &mut [Vec<R>], mut others: Option<&mut Vec<Vec<R>>>) {
    let columns = a.len();
    let small = R::epsilon().to_f64();
    for _ in 0..60 {
        let mut turned = false;
        for i in 0..columns {
            checkpoint();
            for j in i + 1..columns {
                let (p, q, s) = (dot(&a[i], &a[i]), dot(&a[j], &a[j]), dot(&a[i], &a[j]));
                let lengths = p.to_f64().sqrt() * q.to_f64().sqrt();
                let zeta = (q - p) / (s + s);
                // Beyond, the angle is less than any precision here has digits for, and ζ² would overflow.
                let parallel = s == R::zero() || zeta.abs().to_f64() > 1e120;
                if parallel || s.abs().to_f64() <= small * lengths {
                    continue;
                }
                turned = true;
                let root = (R::one() + zeta * zeta).sqrt();
                let t = if zeta < R::zero() { -R::one() / (root - zeta) } else { R::one() / (root + zeta) };
                let c = R::one() / (R::one() + t * t).sqrt();
                rotate(a, i, j, c, c * t);
                if let Some(v) = &mut others {
                    rotate(v, i, j, c, c * t);
                }
            }
        }
        if !turned {
            break;
        }
    }
}

fn rotate<R: Real>(columns: &mut [Vec<R>], i: usize, j: usize, c: R, s: R) {
    let (first, second) = columns.split_at_mut(j);
    for (x, y) in first[i].iter_mut().zip(&mut second[0]) {
        (*x, *y) = (c * *x - s * *y, s * *x + c * *y);
    }
}
