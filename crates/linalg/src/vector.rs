//! Inner products and lengths of vectors of any size.

use steiner_scalar::Real;

/// a · b, for vectors of one length.
#[inline]
pub fn dot<R: Real>(a: &[R], b: &[R]) -> R {
    // Four running sums: a single one would wait for each addition.
    let mut sums = [R::zero(); 4];
    let (a4, b4) = (a.chunks_exact(4), b.chunks_exact(4));
    let rest = a4.remainder().iter().zip(b4.remainder()).fold(R::zero(), |sum, (x, y)| sum + *x * *y);
    for (x, y) in a4.zip(b4) {
        for k in 0..4 {
            sums[k] += x[k] * y[k];
        }
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}

/// |v|.
#[inline]
pub fn norm<R: Real>(v: &[R]) -> R {
    dot(v, v).sqrt()
}
