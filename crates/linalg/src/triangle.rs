//! A long matrix reduced to a triangle as its rows come: R with RᵀR = AᵀA, without ever squaring A (TSQR).
//!
//! Rows gather in a panel, stored by columns; a full panel is annihilated against R with Householder
//! reflections, each of which touches one row of R and the panel. Triangles of different threads are merged
//! by pushing the rows of one into the other.

use steiner_scalar::{LaneKernel, Lanes, in_lanes};

/// Rows of a panel: with a hundred columns it stays in the second-level cache, with fifty in the first.
const PANEL: usize = 96;
/// Distance of the columns in memory; not a multiple of 512 bytes, so that columns don't compete for the
/// same cache lines.
const STRIDE: usize = PANEL + 4;

/// Of the square of a panel's column, what reflections leave of it by rounding. In a panel of fewer rows
/// than columns every later column is such a remainder; reflecting remainders of remainders would end in
/// numbers too small to divide by.
const NEGLIGIBLE: f64 = 1e-30;

/// Squares below this are of columns that have underflowed: dividing by them would overflow.
const LEAST_SQUARE: f64 = 1e-280;

/// The triangle of all rows so far.
#[derive(Clone, Debug)]
pub struct Triangle {
    columns: usize,
    /// By rows, upper triangle.
    r: Vec<f64>,
    /// By columns.
    panel: Vec<f64>,
    filled: usize,
    /// Rows pushed in all.
    rows: usize,
}

impl Triangle {
    /// Of no rows: zero.
    pub fn new(columns: usize) -> Self {
        Triangle {
            columns,
            r: vec![0.0; columns * columns],
            panel: vec![0.0; columns * STRIDE],
            filled: 0,
            rows: 0,
        }
    }

    /// The upper triangle of R by rows, after [`Triangle::reduce`].
    pub fn upper(&self) -> impl Iterator<Item = f64> + '_ {
        (0..self.columns).flat_map(|r| self.row(r)[r..].iter().copied())
    }

    /// From what [`Triangle::upper`] lists, standing for so many rows; `None` where it has another length.
    pub fn from_upper(columns: usize, upper: &[f64], rows: usize) -> Option<Self> {
        let mut out = Triangle { rows, ..Triangle::new(columns) };
        let mut left = upper;
        for r in 0..columns {
            let (own, rest) = left.split_at_checked(columns - r)?;
            out.r[r * columns + r..(r + 1) * columns].copy_from_slice(own);
            left = rest;
        }
        left.is_empty().then_some(out)
    }

    /// Number of columns, of A and of R.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Rows pushed so far.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Takes one row in.
    #[inline]
    pub fn push(&mut self, row: &[f64]) {
        self.push_scaled(row, 1.0);
    }

    /// Takes one row in, times a factor.
    #[inline]
    pub fn push_scaled(&mut self, row: &[f64], factor: f64) {
        debug_assert_eq!(row.len(), self.columns);
        for (c, x) in row.iter().enumerate() {
            self.panel[c * STRIDE + self.filled] = factor * x;
        }
        self.rows += 1;
        self.filled += 1;
        if self.filled == PANEL {
            self.reduce();
        }
    }

    /// Takes the rows of another triangle in.
    pub fn merge(&mut self, mut other: Triangle) {
        other.reduce();
        let before = self.rows;
        for k in 0..other.columns {
            let row = other.r[k * self.columns..(k + 1) * self.columns].to_vec();
            self.push(&row);
        }
        self.rows = before + other.rows;
    }

    /// The triangle of the rows that a linear map makes of these, as many as there were.
    pub fn with_rows(&self, mut map: impl FnMut(&mut [f64])) -> Self {
        let mut out = Triangle::new(self.columns);
        for k in 0..self.columns {
            let mut row = self.row(k).to_vec();
            map(&mut row);
            out.push(&row);
        }
        out.reduce();
        out.rows = self.rows;
        out
    }

    /// The same triangle, said to be of so many rows: what a projection of them leaves still stands for all.
    pub fn standing_for(mut self, rows: usize) -> Self {
        self.rows = rows;
        self
    }

    /// Annihilates what is pending: R is that of all rows only after this.
    pub fn reduce(&mut self) {
        if self.filled > 0 {
            in_lanes(Reduction(self));
        }
    }

    #[inline(always)]
    fn reduce_in<L: Lanes>(&mut self) {
        let height = self.filled.next_multiple_of(L::WIDTH);
        for column in self.panel.chunks_exact_mut(STRIDE) {
            column[self.filled..height].fill(0.0);
        }
        let mut negligible = Vec::with_capacity(self.columns);
        for column in self.panel.chunks_exact(STRIDE) {
            negligible.push(NEGLIGIBLE * dots::<L, 1>([&column[..height]], &column[..height])[0]);
        }
        // Two reflections at a time: every column is then loaded and stored half as often.
        let n = self.columns;
        let mut k = 0;
        while k + 1 < n {
            let (before, after) = self.panel.split_at_mut((k + 2) * STRIDE);
            let (first, second) = before[k * STRIDE..].split_at_mut(STRIDE);
            let (v, w) = (&first[..height], &mut second[..height]);
            let (upper, lower) = self.r[k * n..(k + 2) * n].split_at_mut(n);
            let one = Reflection::new::<L>(&mut upper[k], v, negligible[k]);
            let factor = one.beta * (one.head * upper[k + 1] + dots::<L, 1>([w], v)[0]);
            upper[k + 1] -= factor * one.head;
            subtract::<L, 1>([w], [factor], v);
            let two = Reflection::new::<L>(&mut lower[k + 1], w, negligible[k + 1]);
            let pair = Pair { one, two, v, w, both: dots::<L, 1>([w], v)[0] };
            let mut groups = after.chunks_exact_mut(4 * STRIDE);
            let mut c = k + 2;
            for group in &mut groups {
                let (a, rest) = group.split_at_mut(STRIDE);
                let (b, rest) = rest.split_at_mut(STRIDE);
                let (d, e) = rest.split_at_mut(STRIDE);
                let columns = [a, b, d, e].map(|column| &mut column[..height]);
                pair.apply::<L, 4>(columns, &mut upper[c..c + 4], &mut lower[c..c + 4]);
                c += 4;
            }
            for column in groups.into_remainder().chunks_exact_mut(STRIDE) {
                pair.apply::<L, 1>([&mut column[..height]], &mut upper[c..c + 1], &mut lower[c..c + 1]);
                c += 1;
            }
            k += 2;
        }
        if k < n {
            Reflection::new::<L>(
                &mut self.r[k * n + k],
                &self.panel[k * STRIDE..k * STRIDE + height],
                negligible[k],
            );
        }
        self.filled = 0;
    }

    /// An entry of R.
    #[inline]
    pub fn entry(&self, row: usize, column: usize) -> f64 {
        self.r[row * self.columns + column]
    }

    /// A row of R.
    #[inline]
    pub fn row(&self, row: usize) -> &[f64] {
        &self.r[row * self.columns..(row + 1) * self.columns]
    }

    /// The combination of `kept` columns, all before `column` and independent, that comes nearest to it.
    /// What was left out between them makes R no triangle any more: it is reduced anew.
    pub fn solve(&self, kept: &[usize], column: usize) -> Vec<f64> {
        let n = kept.len();
        let mut smaller = Triangle::new(n + 1);
        for r in 0..=column {
            let row: Vec<f64> = kept.iter().chain([&column]).map(|&c| self.entry(r, c)).collect();
            smaller.push(&row);
        }
        smaller.reduce();
        smaller.back_substituted()
    }

    /// The solution x of min ‖A x − b‖ with b the last column; columns without pivots get 0.
    pub fn back_substituted(&self) -> Vec<f64> {
        let n = self.columns - 1;
        let mut x = vec![0.0; n];
        for k in (0..n).rev() {
            let known: f64 = (k + 1..n).map(|c| self.entry(k, c) * x[c]).sum();
            let pivot = self.entry(k, k);
            x[k] = if pivot == 0.0 { 0.0 } else { (self.entry(k, n) - known) / pivot };
        }
        x
    }
}

/// The annihilation of a panel, in lanes.
struct Reduction<'a>(&'a mut Triangle);

impl LaneKernel for Reduction<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self) {
        self.0.reduce_in::<L>();
    }
}

/// 1 − beta v vᵀ with v = (head, a panel column): annihilates that column against one entry of R.
#[derive(Clone, Copy)]
struct Reflection {
    head: f64,
    beta: f64,
}

impl Reflection {
    /// Replaces the entry of R; a column that is zero already, or rounding, needs none.
    #[inline(always)]
    fn new<L: Lanes>(entry: &mut f64, column: &[f64], negligible: f64) -> Self {
        let square = dots::<L, 1>([column], column)[0];
        if square <= negligible.max(LEAST_SQUARE) {
            return Reflection { head: 0.0, beta: 0.0 };
        }
        let norm = (*entry * *entry + square).sqrt();
        let alpha = if *entry > 0.0 { -norm } else { norm };
        let head = *entry - alpha;
        *entry = alpha;
        Reflection { head, beta: 2.0 / (head * head + square) }
    }
}

/// Two reflections, one after the other.
struct Pair<'a> {
    one: Reflection,
    two: Reflection,
    v: &'a [f64],
    w: &'a [f64],
    /// v · w.
    both: f64,
}

impl Pair<'_> {
    /// Applies both to columns with their entries in the two rows of R.
    #[inline(always)]
    fn apply<L: Lanes, const N: usize>(
        &self,
        columns: [&mut [f64]; N],
        upper: &mut [f64],
        lower: &mut [f64],
    ) {
        let Pair { one, two, v, w, both } = *self;
        let zero = L::zero();
        let (mut along_v, mut along_w) = ([zero; N], [zero; N]);
        for at in (0..v.len()).step_by(L::WIDTH) {
            let (first, second) = (L::load(&v[at..]), L::load(&w[at..]));
            for i in 0..N {
                let x = L::load(&columns[i][at..]);
                along_v[i] = first.mul_add(x, along_v[i]);
                along_w[i] = second.mul_add(x, along_w[i]);
            }
        }
        let (mut f, mut g) = ([zero; N], [zero; N]);
        for i in 0..N {
            let first = one.beta * (one.head * upper[i] + along_v[i].sum());
            let second = two.beta * (two.head * lower[i] + along_w[i].sum() - first * both);
            upper[i] -= first * one.head;
            lower[i] -= second * two.head;
            (f[i], g[i]) = (L::from_f64(-first), L::from_f64(-second));
        }
        for at in (0..v.len()).step_by(L::WIDTH) {
            let (first, second) = (L::load(&v[at..]), L::load(&w[at..]));
            for i in 0..N {
                let out = &mut columns[i][at..];
                second.mul_add(g[i], first.mul_add(f[i], L::load(out))).store(out);
            }
        }
    }
}

/// Inner products of columns with v; lengths are multiples of the width.
#[inline(always)]
fn dots<L: Lanes, const N: usize>(columns: [&[f64]; N], v: &[f64]) -> [f64; N] {
    let mut sums = [L::zero(); N];
    for at in (0..v.len()).step_by(L::WIDTH) {
        let head = L::load(&v[at..]);
        for i in 0..N {
            sums[i] = head.mul_add(L::load(&columns[i][at..]), sums[i]);
        }
    }
    let mut out = [0.0; N];
    for i in 0..N {
        out[i] = sums[i].sum();
    }
    out
}

/// columns −= factor · v.
#[inline(always)]
fn subtract<L: Lanes, const N: usize>(columns: [&mut [f64]; N], factor: [f64; N], v: &[f64]) {
    let mut minus = [L::zero(); N];
    for i in 0..N {
        minus[i] = L::from_f64(-factor[i]);
    }
    for at in (0..v.len()).step_by(L::WIDTH) {
        let head = L::load(&v[at..]);
        for i in 0..N {
            let out = &mut columns[i][at..];
            head.mul_add(minus[i], L::load(out)).store(out);
        }
    }
}
