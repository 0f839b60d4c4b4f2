//! The information of a motion, M = Σ Yᵀ W Y over base parameters, and its gradient along the motion, for
//! trees: in lanes, without keeping Y.

use steiner_dynamics::{Mechanism, RegressorFunction, RegressorVisitor, Samples};
use steiner_linalg::elimination::Matrix;
use steiner_scalar::Lanes;

use crate::columns::{Row, Source};
use crate::error::ExcitationError;
use crate::model::{Backward, Forward, Model, Motions};

/// Numbers in the widest lanes there are.
const WIDEST: usize = 8;
/// The term of a drive that its forces leave out: dry friction, see `ForceLimit::room`.
const DRY: usize = 2;

/// What the lanes need, laid out once.
#[derive(Clone, Debug)]
pub(crate) struct TreeInformation<'a> {
    mechanism: &'a Mechanism,
    model: &'a Model,
    /// For each force the blocks it feels: (block, first parameter of its body).
    felt: Vec<Vec<(usize, usize)>>,
    /// Packed lower triangle of M in lanes.
    packed: Vec<f64>,
    scratch: Vec<f64>,
    outcome: Vec<f64>,
}

impl<'a> TreeInformation<'a> {
    pub(crate) fn new(mechanism: &'a Mechanism, model: &'a Model) -> Self {
        let mut felt = vec![Vec::new(); mechanism.dof()];
        for (block, &(row, body)) in mechanism.layout().blocks.iter().enumerate() {
            felt[row].push((block, 10 * body));
        }
        let most = model.rows.iter().map(|row| row.columns.len()).max().unwrap_or(0);
        TreeInformation {
            mechanism,
            felt,
            packed: vec![0.0; model.size * (model.size + 1) / 2 * WIDEST],
            scratch: vec![0.0; most * WIDEST],
            outcome: vec![0.0; most * WIDEST],
            model,
        }
    }

    /// M and the forces of all joints, dry friction left out.
    pub(crate) fn forward(&mut self, motions: &Motions) -> Result<Forward, ExcitationError> {
        let (dof, size) = (self.mechanism.dof(), self.model.size);
        self.packed.fill(0.0);
        let mut visit = Absorb {
            model: self.model,
            motions,
            felt: &self.felt,
            packed: &mut self.packed,
            scratch: &mut self.scratch,
            forces: vec![0.0; motions.count * dof],
            width: 1,
        };
        self.mechanism.visit_regressors(&samples(motions), &mut visit)?;
        let (forces, width) = (visit.forces, visit.width);
        let mut information = Matrix::zeros(size, size);
        let mut at = 0;
        for r in 0..size {
            for c in 0..=r {
                let value = self.packed[at..at + width].iter().sum::<f64>() / motions.count as f64;
                (information[(r, c)], information[(c, r)]) = (value, value);
                at += width;
            }
        }
        Ok(Forward { information, forces, loops: Vec::new() })
    }

    /// ∂f/∂(q, q̇, q̈) of every sample.
    pub(crate) fn backward(
        &mut self,
        motions: &Motions,
        back: &Backward<'_>,
    ) -> Result<Vec<f64>, ExcitationError> {
        let dof = self.mechanism.dof();
        let mut out = vec![0.0; motions.count * 3 * dof];
        let mut visit = Adjoint {
            model: self.model,
            motions,
            felt: &self.felt,
            back,
            scratch: &mut self.scratch,
            outcome: &mut self.outcome,
            direct: vec![0.0; motions.count * 3 * dof],
        };
        self.mechanism.regressor_gradients(&samples(motions), &mut visit, &mut out)?;
        out.iter_mut().zip(&visit.direct).for_each(|(out, direct)| *out += direct);
        Ok(out)
    }
}

impl TreeInformation<'_> {
    /// ∂force/∂(q, q̇, q̈) of one velocity at some samples, `3 dof` numbers each.
    pub(crate) fn force_gradients(
        &mut self,
        motions: &Motions,
        force: usize,
        chosen: &[usize],
    ) -> Result<Vec<f64>, ExcitationError> {
        let dof = motions.dof;
        let part = |values: &[f64]| -> Vec<f64> {
            let width = values.len() / motions.count;
            chosen.iter().flat_map(|&t| &values[t * width..(t + 1) * width]).copied().collect()
        };
        let (q, qd, qdd) = (part(&motions.q), part(&motions.qd), part(&motions.qdd));
        let mut out = vec![0.0; chosen.len() * 3 * dof];
        let mut one = OneForce { felt: &self.felt[force], parameters: &self.model.parameters };
        let samples = Samples { q: &q, qd: &qd, qdd: &qdd, count: chosen.len() };
        self.mechanism.regressor_gradients(&samples, &mut one, &mut out)?;
        let [inertia, viscous, ..] = self.model.drives[force];
        for out in out.chunks_exact_mut(3 * dof) {
            out[dof + force] += viscous;
            out[2 * dof + force] += inertia;
        }
        Ok(out)
    }
}

/// The force of one velocity by the file's parameters.
struct OneForce<'a> {
    felt: &'a [(usize, usize)],
    parameters: &'a [f64],
}

impl RegressorFunction for OneForce<'_> {
    #[inline(always)]
    fn adjoint<L: Lanes>(&mut self, _: usize, _: usize, _: &[[L; 10]], adjoints: &mut [[L; 10]]) {
        let mut k = 0;
        while k < adjoints.len() {
            adjoints[k] = [L::zero(); 10];
            k += 1;
        }
        let mut k = 0;
        while k < self.felt.len() {
            let (block, body) = self.felt[k];
            let mut slot = 0;
            while slot < 10 {
                adjoints[block][slot] = L::from_f64(self.parameters[body + slot]);
                slot += 1;
            }
            k += 1;
        }
    }
}

fn samples(motions: &Motions) -> Samples<'_> {
    Samples { q: &motions.q, qd: &motions.qd, qdd: &motions.qdd, count: motions.count }
}

/// The numbers of a row in lanes, one after another.
#[inline(always)]
fn gather<L: Lanes>(
    row: &Row,
    motions: &Motions,
    (first, count): (usize, usize),
    blocks: &[[L; 10]],
    out: &mut [f64],
) {
    let mut k = 0;
    while k < row.columns.len() {
        let value = match row.columns[k].0 {
            Source::Block { block, slot } => blocks[block][slot],
            Source::Drive { velocity, term } => drive_term(motions, velocity, term, first, count),
        };
        value.store(&mut out[k * L::WIDTH..]);
        k += 1;
    }
}

/// What multiplies a parameter of a drive.
#[inline(always)]
fn drive_term<L: Lanes>(motions: &Motions, velocity: usize, term: usize, first: usize, count: usize) -> L {
    let values = match term {
        0 => &motions.qdd,
        1 => &motions.qd,
        2 => &motions.signs,
        _ => return L::one(),
    };
    let dof = motions.dof;
    L::from_lanes(|lane| values[(first + lane.min(count - 1)) * dof + velocity])
}

struct Absorb<'a> {
    model: &'a Model,
    motions: &'a Motions,
    felt: &'a [Vec<(usize, usize)>],
    packed: &'a mut [f64],
    scratch: &'a mut [f64],
    forces: Vec<f64>,
    width: usize,
}

impl RegressorVisitor for Absorb<'_> {
    #[inline(always)]
    fn absorb<L: Lanes>(&mut self, first: usize, count: usize, blocks: &[[L; 10]]) {
        self.width = L::WIDTH;
        let live = L::from_lanes(|lane| if lane < count { 1.0 } else { 0.0 });
        let mut r = 0;
        while r < self.model.rows.len() {
            let row = &self.model.rows[r];
            gather(row, self.motions, (first, count), blocks, self.scratch);
            let weight = L::from_f64(row.weight) * live;
            let mut a = 0;
            while a < row.columns.len() {
                let base = row.columns[a].1;
                let ya = L::load(&self.scratch[a * L::WIDTH..]) * weight;
                let triangle = &mut self.packed[base * (base + 1) / 2 * L::WIDTH..];
                let mut b = 0;
                while b <= a {
                    let at = row.columns[b].1 * L::WIDTH;
                    let yb = L::load(&self.scratch[b * L::WIDTH..]);
                    ya.mul_add(yb, L::load(&triangle[at..])).store(&mut triangle[at..]);
                    b += 1;
                }
                a += 1;
            }
            r += 1;
        }
        let dof = self.motions.dof;
        let mut force = 0;
        while force < dof {
            let mut sum = L::zero();
            let mut k = 0;
            while k < self.felt[force].len() {
                let (block, body) = self.felt[force][k];
                let mut slot = 0;
                while slot < 10 {
                    sum = blocks[block][slot].mul_add(L::from_f64(self.model.parameters[body + slot]), sum);
                    slot += 1;
                }
                k += 1;
            }
            let mut term = 0;
            while term < 4 {
                let parameter = self.model.drives[force][term];
                if parameter != 0.0 && term != DRY {
                    let of_drive: L = drive_term(self.motions, force, term, first, count);
                    sum = of_drive.mul_add(L::from_f64(parameter), sum);
                }
                term += 1;
            }
            let mut lane = 0;
            while lane < count {
                self.forces[(first + lane) * dof + force] = sum.lane(lane);
                lane += 1;
            }
            force += 1;
        }
    }
}

struct Adjoint<'a> {
    model: &'a Model,
    motions: &'a Motions,
    felt: &'a [Vec<(usize, usize)>],
    back: &'a Backward<'a>,
    scratch: &'a mut [f64],
    outcome: &'a mut [f64],
    /// What does not pass the regressor: columns of drives.
    direct: Vec<f64>,
}

impl RegressorFunction for Adjoint<'_> {
    #[inline(always)]
    fn adjoint<L: Lanes>(
        &mut self,
        first: usize,
        count: usize,
        blocks: &[[L; 10]],
        adjoints: &mut [[L; 10]],
    ) {
        let dof = self.motions.dof;
        let mut force = 0;
        while force < dof {
            let bar = L::from_lanes(|lane| self.back.forces[(first + lane.min(count - 1)) * dof + force]);
            let mut k = 0;
            while k < self.felt[force].len() {
                let (block, body) = self.felt[force][k];
                let mut slot = 0;
                while slot < 10 {
                    adjoints[block][slot] = bar * L::from_f64(self.model.parameters[body + slot]);
                    slot += 1;
                }
                k += 1;
            }
            let mut term = 0;
            while term < 3 {
                let parameter = self.model.drives[force][term];
                if parameter != 0.0 && term != DRY {
                    self.add_direct(bar * L::from_f64(parameter), force, term, first, count);
                }
                term += 1;
            }
            force += 1;
        }
        let mut r = 0;
        while r < self.model.rows.len() {
            let row = &self.model.rows[r];
            gather(row, self.motions, (first, count), blocks, self.scratch);
            // ∂f/∂y = 2 w (∂f/∂M) y / samples
            let weight = L::from_f64(2.0 * row.weight / self.motions.count as f64);
            let n = row.columns.len();
            let mut a = 0;
            while a < n {
                let by = self.back.information.row(row.columns[a].1);
                let mut sum = L::zero();
                let mut b = 0;
                while b < n {
                    let y = L::load(&self.scratch[b * L::WIDTH..]);
                    sum = y.mul_add(L::from_f64(by[row.columns[b].1]), sum);
                    b += 1;
                }
                (sum * weight).store(&mut self.outcome[a * L::WIDTH..]);
                a += 1;
            }
            let mut a = 0;
            while a < n {
                let value = L::load(&self.outcome[a * L::WIDTH..]);
                match row.columns[a].0 {
                    Source::Block { block, slot } => {
                        adjoints[block][slot] += value;
                    }
                    Source::Drive { velocity, term } => {
                        self.add_direct(value, velocity, term, first, count);
                    }
                }
                a += 1;
            }
            r += 1;
        }
    }
}

impl Adjoint<'_> {
    #[inline(always)]
    fn add_direct<L: Lanes>(&mut self, value: L, velocity: usize, term: usize, first: usize, count: usize) {
        let dof = self.motions.dof;
        let mut lane = 0;
        while lane < count {
            let sample = first + lane;
            let out = &mut self.direct[sample * 3 * dof..(sample + 1) * 3 * dof];
            let value = value.lane(lane);
            match term {
                0 => out[2 * dof + velocity] += value,
                1 => out[dof + velocity] += value,
                2 => out[dof + velocity] += value * self.motions.sign_rates[sample * dof + velocity],
                _ => {}
            }
            lane += 1;
        }
    }
}
