//! The inner sums after one more alphabet: no two proportional.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Two numbers this close, relatively, are one: sharing must not cost digits.
const SAME: f64 = 4e-14;

/// One summand: factor · value(digit) · (an inner sum of the layer before).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Summand {
    pub(super) digit: u8,
    pub(super) sum: u32,
    pub(super) factor: f64,
}

/// The distinct inner sums, each up to a constant.
#[derive(Clone, Debug)]
pub(super) struct Layer {
    pub(super) alphabet: usize,
    pub(super) summands: Vec<Summand>,
    /// Where each sum starts; one more than there are.
    starts: Vec<u32>,
}

impl Layer {
    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }
    pub(super) fn range(&self, index: usize) -> std::ops::Range<usize> {
        self.starts[index] as usize..self.starts[index + 1] as usize
    }
    pub(super) fn sum(&self, index: usize) -> &[Summand] {
        &self.summands[self.range(index)]
    }
}

/// Divides by the most common size among the factors, so that most of them become one, and says by what.
pub(super) fn normalise(summands: &mut [Summand]) -> f64 {
    let same = |a: f64, b: f64| (a.abs() - b.abs()).abs() <= SAME * b.abs();
    let times = |x: f64| summands.iter().filter(|other| same(other.factor, x)).count();
    let mut scale = summands[0].factor;
    let mut most = times(scale);
    for summand in &summands[1..] {
        let found = times(summand.factor);
        if found > most {
            (scale, most) = (summand.factor, found);
        }
    }
    for summand in summands {
        let factor = summand.factor / scale;
        summand.factor = if same(factor, 1.0) { 1f64.copysign(factor) } else { factor };
    }
    scale
}

/// Finds sums by their summands.
pub(super) struct Table {
    layer: Layer,
    /// The latest sum with a hash; those before it by their entry in `earlier`.
    latest: HashMap<u64, u32, BuildHasherDefault<Hashed>>,
    earlier: Vec<[u32; 2]>,
}

/// No sum.
const NONE: u32 = u32::MAX;

impl Table {
    pub(super) fn new(alphabet: usize) -> Self {
        let layer = Layer { alphabet, summands: Vec::new(), starts: vec![0] };
        Table { layer, latest: HashMap::default(), earlier: Vec::new() }
    }

    pub(super) fn into_layer(self) -> Layer {
        self.layer
    }

    /// The index of a sum, and whether it is new.
    pub(super) fn intern(&mut self, summands: &[Summand]) -> (u32, bool) {
        let hashes = hashes(summands);
        for (grid, hash) in hashes.iter().enumerate() {
            let mut at = self.latest.get(hash).copied().unwrap_or(NONE);
            while at != NONE {
                if equal(self.layer.sum(at as usize), summands) {
                    return (at, false);
                }
                at = self.earlier[at as usize][grid];
            }
        }
        let index = self.layer.len() as u32;
        self.layer.summands.extend_from_slice(summands);
        self.layer.starts.push(self.layer.summands.len() as u32);
        self.earlier.push(hashes.map(|hash| self.latest.insert(hash, index).unwrap_or(NONE)));
        (index, true)
    }
}

fn equal(a: &[Summand], b: &[Summand]) -> bool {
    let same = |(a, b): (&Summand, &Summand)| {
        (a.digit, a.sum) == (b.digit, b.sum) && (a.factor - b.factor).abs() <= SAME * b.factor.abs()
    };
    a.len() == b.len() && a.iter().zip(b).all(same)
}

/// Two hashes, of which sums that are equal up to rounding share at least one: of the structure, and of the
/// product of the factors in two grids half a cell apart. The last bit tells the grids apart.
fn hashes(summands: &[Summand]) -> [u64; 2] {
    let structure = summands.iter().fold(summands.len() as u64, |hash, summand| {
        mixed(hash, u64::from(summand.digit) << 32 | u64::from(summand.sum))
    });
    let size = summands.iter().fold(1.0, |size, summand| size * summand.factor.abs()).ln();
    let cell = size * 1e6;
    [(cell.floor(), 0), ((cell + 0.5).floor(), 1)]
        .map(|(cell, grid)| mixed(structure, cell as i64 as u64) & !1 | grid)
}

/// One round of a multiplicative hash.
fn mixed(hash: u64, word: u64) -> u64 {
    let product = u128::from(hash ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835);
    (product >> 64) as u64 ^ product as u64
}

/// Takes a hash for what it is.
#[derive(Default)]
pub(super) struct Hashed(u64);

impl Hasher for Hashed {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.0 = mixed(self.0, u64::from(byte)));
    }
    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}
