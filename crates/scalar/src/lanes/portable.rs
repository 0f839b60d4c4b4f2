//! Four lanes of what the target always has.

use super::Lanes;
use super::arithmetic::lane_arithmetic;

/// Four samples side by side. Equality compares all lanes; there is no order.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct F64x4(wide::f64x4);

impl F64x4 {
    /// Packs one value per lane.
    #[inline(always)]
    pub fn new(values: [f64; 4]) -> Self {
        F64x4(wide::f64x4::from(values))
    }
    /// The value of each lane.
    #[inline(always)]
    pub fn to_array(self) -> [f64; 4] {
        self.0.to_array()
    }
    #[inline(always)]
    fn splat(x: f64) -> Self {
        F64x4(wide::f64x4::splat(x))
    }
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        F64x4(self.0 + other.0)
    }
    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        F64x4(self.0 - other.0)
    }
    #[inline(always)]
    fn times(self, other: Self) -> Self {
        F64x4(self.0 * other.0)
    }
    #[inline(always)]
    fn over(self, other: Self) -> Self {
        F64x4(self.0 / other.0)
    }
    #[inline(always)]
    fn fused(self, a: Self, b: Self) -> Self {
        F64x4(self.0.mul_add(a.0, b.0))
    }
}

lane_arithmetic!(F64x4);

impl Lanes for F64x4 {
    const WIDTH: usize = 4;
    #[inline(always)]
    fn from_lanes(value: impl FnMut(usize) -> f64) -> Self {
        Self::new(std::array::from_fn(value))
    }
    #[inline(always)]
    fn lane(self, index: usize) -> f64 {
        self.to_array()[index]
    }
    #[inline(always)]
    fn load(values: &[f64]) -> Self {
        Self::new([values[0], values[1], values[2], values[3]])
    }
    #[inline(always)]
    fn store(self, out: &mut [f64]) {
        out[..4].copy_from_slice(&self.to_array());
    }
    #[inline(always)]
    fn within(self, bound: f64) -> bool {
        self.to_array().iter().all(|x| x.abs() < bound)
    }
    #[inline(always)]
    fn store_rows<const N: usize>(values: &[Self; N], out: &mut [f64], stride: usize) {
        let columns = values.map(Self::to_array);
        for lane in 0..4 {
            let row: [f64; N] = std::array::from_fn(|k| columns[k][lane]);
            out[lane * stride..lane * stride + N].copy_from_slice(&row);
        }
    }
}
