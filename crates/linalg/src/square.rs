//! Square matrices of a size known when compiling, by rows.

/// A matrix of N rows and N columns.
pub type Square<const N: usize> = [[f64; N]; N];

/// a b.
#[inline]
pub fn times<const N: usize>(a: &Square<N>, b: &Square<N>) -> Square<N> {
    std::array::from_fn(|r| std::array::from_fn(|c| (0..N).map(|k| a[r][k] * b[k][c]).sum()))
}

/// aᵀ.
#[inline]
pub fn transposed<const N: usize>(a: &Square<N>) -> Square<N> {
    std::array::from_fn(|r| std::array::from_fn(|c| a[c][r]))
}

/// The identity.
#[inline]
pub fn identity<const N: usize>() -> Square<N> {
    std::array::from_fn(|r| std::array::from_fn(|c| if r == c { 1.0 } else { 0.0 }))
}
