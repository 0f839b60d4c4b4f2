//! Generic points of the file's branch, in F_p.
//!
//! The file's configuration may be special: at a dead centre a body moves with a high power of the distance only,
//! and short series show nothing of it. So points are sought that lie anywhere on the branch. The equations are
//! taken loop by loop, in blocks that can be solved one after the other: some coordinates are drawn, one after the
//! other is moved along a line from its value in the file to the one drawn, and the coordinates that the block
//! determines follow as algebraic functions (`algebraic.rs`). Where such a function is rational, as the angles of a
//! parallelogram are, the point stays on the file's branch; where it has conjugates, these belong to the same
//! branch. Branches of several blocks may be conjugate only together; a point then may leave the file's for a
//! mirrored one, so what vanishes at many points is null, and what does not need not be visible.
//!
//! A rack ties a length to an angle. Sine and cosine of that angle are no algebraic functions of what moves the
//! length, nor are they related to each other's by any [ax1971], unless
//! angles are related by a constant integer ratio. So such an angle is drawn, too, and the rack relates
//! velocities.

use steiner_linalg::span::Span;
use steiner_scalar::{Field, Fp, Series};

use super::algebraic::Relation;
use super::blocks::{Block, Obstacle, blocks};
use super::{Arcs, Point};
use crate::closure::{balanced_by, velocity_map};
use crate::constraints::Group;
use crate::tree::Placing;

/// Lines along which numbers are moved for one point, times the segments of the tree. Half of all square roots are
/// not in the field, and what moves there is tried again.
const EFFORT: usize = 800;
/// Values of a number that are tried.
const TRIES: usize = 100;
/// Combinations of conjugates that are tried for one loop.
const COMBINATIONS: usize = 512;

/// A configuration in the field: parameters of each segment, and the turns of screws.
#[derive(Clone, Debug)]
pub struct Place {
    pub(super) parameters: Vec<Vec<Fp>>,
    pub(super) advance: Vec<Fp>,
}

/// How generic points of a branch are found.
#[derive(Clone, Debug)]
pub struct Branch<'a, const N: usize> {
    arcs: &'a Arcs<N>,
    blocks: Vec<Block>,
    /// Numbers that are drawn.
    drawn: Vec<usize>,
    /// Whether an angle was drawn that a rack ties to a length.
    has_racks: bool,
}

/// Why a block has no point at some numbers.
enum Failure {
    /// A root is not in the field there.
    NoRoot,
    /// It is singular, or no relation of the degrees looked for holds: others will fail, too.
    Always,
}

impl<'a, const N: usize> Branch<'a, N> {
    /// `None` where the equations have no such blocks.
    pub(super) fn new(arcs: &'a Arcs<N>) -> Option<Self> {
        let tree = &arcs.tree;
        let (racks, others): (Vec<Group>, Vec<Group>) =
            arcs.constraints.groups_of_rows().into_iter().partition(|group| arcs.is_rack(group));
        let mut groups: Vec<Vec<Group>> = others.into_iter().map(|group| vec![group]).collect();
        let (blocks, mut drawn) = loop {
            match blocks(arcs, &groups) {
                Ok(found) => break found,
                Err(Obstacle::Other) => return None,
                Err(Obstacle::Together(a, b)) => {
                    let more = groups.remove(a.max(b));
                    groups[a.min(b)].extend(more);
                }
            }
        };
        let solved = |k: &usize| blocks.iter().any(|block| block.solved.contains(k));
        let is_carried = |k: usize| arcs.constraints.is_carrier(arcs.segment_of(k));
        let rest = (0..tree.dof).filter(|k| !is_carried(*k) && !drawn.contains(k) && !solved(k));
        drawn.extend(rest.collect::<Vec<_>>());
        let carried = (0..tree.dof).filter(|&k| is_carried(k)).count();
        let has_screws = drawn.iter().any(|&k| arcs.is_screw(arcs.segment_of(k)));
        let counts = drawn.len() + carried == arcs.plan.independent.len() + racks.len();
        counts.then_some(Branch { arcs, blocks, drawn, has_racks: has_screws || !racks.is_empty() })
    }

    /// Some points of the branch; `None` where none is found in the field, or where angles that were drawn are
    /// related after all.
    pub fn points(&self, count: usize, mut draw: impl FnMut() -> Fp) -> Option<Vec<Place>> {
        let dof = self.arcs.plan.independent.len();
        let wanted = if self.has_racks { count.max(self.drawn.len() / dof.max(1) + 2) } else { count };
        let points = (0..wanted).map(|_| self.point(&mut draw)).collect::<Option<Vec<_>>>()?;
        (!self.has_racks || self.are_unrelated(&points)?).then_some(points)
    }

    /// Whether no sum of drawn angles with constant factors stands still, nor one of lengths.
    fn are_unrelated(&self, points: &[Place]) -> Option<bool> {
        let arcs = self.arcs;
        let mut rates: Vec<Vec<Fp>> = vec![Vec::new(); arcs.tree.dof];
        for place in points {
            let at = arcs.situation(&arcs.point_at(place));
            let (z, echelon, _) = velocity_map(&arcs.constraints.jacobian(&at), &arcs.plan);
            if !arcs.determines(&echelon) {
                return None;
            }
            rates.iter_mut().enumerate().for_each(|(k, row)| {
                row.extend(z.row(k).iter().map(|x| x.coefficients()[0]));
            });
        }
        let (mut angles, mut lengths) = (Span::<Fp>::new(0.0), Span::<Fp>::new(0.0));
        Some(self.drawn.iter().all(|&k| {
            match arcs.tree.segments[arcs.segment_of(k)].placing {
                Placing::Turn { .. } => angles.insert(rates[k].clone()),
                Placing::Slide { .. } => lengths.insert(rates[k].clone()),
                // Several numbers at once: not looked into.
                _ => false,
            }
        }))
    }

    fn point(&self, draw: &mut impl FnMut() -> Fp) -> Option<Place> {
        let mut lines = EFFORT / self.arcs.tree.segments.len();
        loop {
            match self.attempt(&mut lines, draw) {
                Ok(place) => return Some(place),
                Err(Failure::NoRoot) if lines > 0 => {}
                Err(_) => return None,
            }
        }
    }

    fn attempt(&self, lines: &mut usize, draw: &mut impl FnMut() -> Fp) -> Result<Place, Failure> {
        let (arcs, file) = (self.arcs, self.arcs.file_place());
        let mut place = file.clone();
        let mut known = vec![false; arcs.tree.dof];
        for block in &self.blocks {
            let mut here = file.clone();
            // What is known must be met; what is drawn here may be drawn again.
            let (fixed, fresh): (Vec<usize>, Vec<usize>) = block.given.iter().partition(|&&k| known[k]);
            let numbers: Vec<usize> = fixed.iter().chain(&fresh).copied().collect();
            for (index, &k) in numbers.iter().enumerate() {
                let target = known[k].then(|| arcs.value(&place, k));
                here = loop {
                    match self.moved(block, &here, k, target, lines, draw) {
                        // From elsewhere it may go.
                        Err(Failure::NoRoot) if index + 1 < numbers.len() => {
                            let later = &numbers[index + 1..];
                            let other = later[(draw().residue() % later.len() as u64) as usize];
                            here = self.moved(block, &here, other, None, lines, draw)?;
                        }
                        moved => break moved?,
                    }
                };
            }
            for &k in fresh.iter().chain(&block.solved) {
                let (segment, number) = arcs.number(k);
                place.parameters[segment][number] = here.parameters[segment][number];
                place.advance[segment] = here.advance[segment];
                known[k] = true;
            }
        }
        for &k in self.drawn.iter().filter(|&&k| !known[k]) {
            let (segment, number) = arcs.number(k);
            (place.parameters[segment][number], place.advance[segment]) = (draw(), draw());
        }
        Ok(place)
    }

    /// A block with one number moved to a value that is given or drawn, and the turn of the screw it may belong to.
    fn moved(
        &self,
        block: &Block,
        here: &Place,
        k: usize,
        target: Option<(Fp, Fp)>,
        lines: &mut usize,
        draw: &mut impl FnMut() -> Fp,
    ) -> Result<Place, Failure> {
        let (segment, number) = self.arcs.number(k);
        let (value, turn) = (target.map(|target| target.0), target.map(|target| target.1));
        let next = self.along_line(block, here, (segment, Some(number)), value, lines, draw)?;
        match self.arcs.is_screw(segment) {
            true => self.along_line(block, &next, (segment, None), turn, lines, draw),
            false => Ok(next),
        }
    }

    /// One parameter of a segment, or its turn, moved along a line. Once the relations there are known, they tell
    /// what is in the field at any value.
    fn along_line(
        &self,
        block: &Block,
        here: &Place,
        (segment, number): (usize, Option<usize>),
        target: Option<Fp>,
        lines: &mut usize,
        draw: &mut impl FnMut() -> Fp,
    ) -> Result<Place, Failure> {
        let arcs = self.arcs;
        let start = number.map_or(here.advance[segment], |k| here.parameters[segment][k]);
        if target == Some(start) {
            return Ok(here.clone());
        }
        *lines = lines.checked_sub(1).ok_or(Failure::Always)?;
        let mut point = arcs.point_at(here);
        let mut coefficients = [Fp::zero(); N];
        (coefficients[0], coefficients[1]) = (start, Fp::one());
        match number {
            Some(k) => point.parameters[segment][k] = Series::new(coefficients),
            None => point.advance[segment] = Series::new(coefficients),
        }
        self.solve(block, &mut point).ok_or(Failure::Always)?;
        let relation = |&k: &usize| {
            let (segment, number) = arcs.number(k);
            Some((k, Relation::of(&point.parameters[segment][number], &mut *draw)?))
        };
        let relations: Vec<_> =
            block.solved.iter().map(relation).collect::<Option<_>>().ok_or(Failure::Always)?;
        let tries = if target.is_some() { 1 } else { TRIES };
        for _ in 0..tries {
            let value = target.unwrap_or_else(&mut *draw);
            let values = |(k, relation): &(usize, Relation)| {
                let values = relation.values_at(value - start, &mut *draw);
                Some((*k, values)).filter(|(_, values)| !values.is_empty())
            };
            let Some(unknown) = relations.iter().map(values).collect::<Option<Vec<_>>>() else { continue };
            let mut next = here.clone();
            match number {
                Some(k) => next.parameters[segment][k] = value,
                None => next.advance[segment] = value,
            }
            match self.closed(block, unknown, next, draw) {
                Err(Failure::NoRoot) => {}
                closed => return closed,
            }
        }
        Err(if target.is_some() { Failure::NoRoot } else { Failure::Always })
    }

    /// A place with those of some values that close the loops of a block, one after the other.
    fn closed(
        &self,
        block: &Block,
        mut unknown: Vec<(usize, Vec<Fp>)>,
        mut place: Place,
        draw: &mut impl FnMut() -> Fp,
    ) -> Result<Place, Failure> {
        let mut open_choices = 0;
        for closing in &block.loops {
            let (own, others): (Vec<_>, Vec<_>) =
                unknown.into_iter().partition(|(k, _)| closing.velocities.contains(k));
            unknown = others;
            let ways;
            (place, ways) = self.chosen(closing, &own, place, draw)?;
            open_choices += usize::from(ways > 1);
        }
        // Couplings alone determine the rest, rationally. Loops solved together may have conjugates together only.
        if open_choices > 1 || unknown.iter().any(|(_, values)| values.len() > 1) {
            return Err(Failure::Always);
        }
        Ok(self.chosen(&Group::default(), &unknown, place, draw)?.0)
    }

    /// A place with values of some numbers that close a loop, and in how many ways they do.
    fn chosen(
        &self,
        closing: &Group,
        unknown: &[(usize, Vec<Fp>)],
        mut place: Place,
        draw: &mut impl FnMut() -> Fp,
    ) -> Result<(Place, usize), Failure> {
        let arcs = self.arcs;
        let combinations = unknown.iter().fold(1usize, |all, (_, values)| all.saturating_mul(values.len()));
        if combinations > COMBINATIONS {
            return Err(Failure::Always);
        }
        let mut closing_ones: Vec<Vec<Fp>> = Vec::new();
        for mut index in 0..combinations {
            let mut values_there = Vec::with_capacity(unknown.len());
            for (k, values) in unknown {
                let (segment, number) = arcs.number(*k);
                let value = values[index % values.len()];
                index /= values.len();
                place.parameters[segment][number] = value;
                values_there.push(value);
            }
            let at = arcs.situation(&arcs.point_at(&place));
            if arcs.constraints.residual_in(&at, &closing.rows).iter().all(Series::is_zero) {
                closing_ones.push(values_there);
            }
        }
        // All values of one number are conjugates. So are the ways to close the loop if it tells them apart; if none
        // does, some may belong to other branches.
        let tells_apart = |c: usize| {
            let mut seen: Vec<u64> = closing_ones.iter().map(|values| values[c].residue()).collect();
            seen.sort_unstable();
            seen.windows(2).all(|pair| pair[0] != pair[1])
        };
        if closing_ones.len() > 1 && !(0..unknown.len()).any(tells_apart) {
            return Err(Failure::Always);
        }
        if closing_ones.is_empty() {
            return Err(Failure::NoRoot);
        }
        let chosen = &closing_ones[(draw().residue() % closing_ones.len() as u64) as usize];
        for ((k, _), value) in unknown.iter().zip(chosen) {
            let (segment, number) = arcs.number(*k);
            place.parameters[segment][number] = *value;
        }
        Ok((place, closing_ones.len()))
    }

    /// Newton's iteration on the numbers of a block.
    fn solve(&self, block: &Block, point: &mut Point<N>) -> Option<()> {
        let arcs = self.arcs;
        for _ in 0..N.next_power_of_two().trailing_zeros() + 2 {
            arcs.measure_change(point);
            let at = arcs.situation(point);
            let residual = arcs.constraints.residual_in(&at, &block.rows);
            if residual.iter().all(Series::is_zero) {
                return Some(());
            }
            let jacobian = arcs.constraints.jacobian_in(&at, &block.rows);
            let own = arcs.derivatives(&jacobian, &block.solved, point);
            let columns: Vec<usize> = (0..block.solved.len()).collect();
            let (step, solved) = balanced_by(&own, &columns, &residual);
            if solved.values.len() < columns.len() {
                return None;
            }
            for (&k, step) in block.solved.iter().zip(step) {
                let (segment, number) = arcs.number(k);
                point.parameters[segment][number] += step;
            }
        }
        None
    }
}
