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
//! length, nor are they related to each other's by any (Ax 1971, Schanuel's conjecture for functions), unless
//! angles are related by a constant integer ratio. So such an angle is drawn, too, and the rack relates
//! velocities.

use steiner_linalg::elimination::Matrix;
use steiner_linalg::span::Span;
use steiner_scalar::{Field, Fp, Series};

use super::algebraic::values_at_one;
use super::numbers::{angle_along, velocities_of};
use super::{Arcs, Point};
use crate::closure::{balanced_by, velocity_map};
use crate::constraints::Group;
use crate::tree::Placing;

/// Lines along which numbers are moved for one point. Half of all square roots are not in the field, and what moves
/// there is tried again.
const LINES: usize = 60;
/// Combinations of conjugates that are tried.
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

/// Equations that determine some numbers from others. A segment has as many free numbers as velocities, and they
/// are counted like these.
#[derive(Clone, Debug)]
struct Block {
    rows: Vec<usize>,
    /// Those of its rows that a configuration satisfies by itself: not couplings, which relate angles.
    loops: Vec<usize>,
    given: Vec<usize>,
    solved: Vec<usize>,
}

/// Why a block has no point at some numbers.
enum Failure {
    /// A root is not in the field there.
    NoRoot,
    /// It is singular, or no relation of the degrees looked for holds: others will fail, too.
    Always,
}

/// Why some order of groups makes no blocks.
enum Obstacle {
    /// These two must be solved together.
    Together(usize, usize),
    /// No order will do.
    Other,
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
            let (z, echelon) = velocity_map(&arcs.constraints.jacobian(&at), &arcs.plan);
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
        let mut lines = LINES;
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
                loop {
                    let target = if known[k] { arcs.value(&place, k) } else { (draw(), draw()) };
                    match self.moved(block, here.clone(), k, target, lines, draw) {
                        Ok(next) => here = next,
                        // From elsewhere it may go.
                        Err(Failure::NoRoot) if index + 1 < numbers.len() || !known[k] => {
                            let later = &numbers[index..];
                            let other = later[(draw().residue() % later.len() as u64) as usize];
                            match self.moved(block, here.clone(), other, (draw(), draw()), lines, draw) {
                                Ok(next) => here = next,
                                Err(Failure::NoRoot) if *lines > 0 => {}
                                Err(failure) => return Err(failure),
                            }
                            continue;
                        }
                        Err(failure) => return Err(failure),
                    }
                    break;
                }
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

    /// A block with one number moved to another value, and then the turn of the screw it may belong to.
    fn moved(
        &self,
        block: &Block,
        here: Place,
        k: usize,
        (target, turn): (Fp, Fp),
        lines: &mut usize,
        draw: &mut impl FnMut() -> Fp,
    ) -> Result<Place, Failure> {
        let (segment, number) = self.arcs.number(k);
        let next = self.along_line(block, here, (segment, Some(number)), target, lines, draw)?;
        match self.arcs.is_screw(segment) {
            true => self.along_line(block, next, (segment, None), turn, lines, draw),
            false => Ok(next),
        }
    }

    /// One parameter of a segment, or its turn.
    fn along_line(
        &self,
        block: &Block,
        here: Place,
        (segment, number): (usize, Option<usize>),
        target: Fp,
        lines: &mut usize,
        draw: &mut impl FnMut() -> Fp,
    ) -> Result<Place, Failure> {
        let arcs = self.arcs;
        let start = number.map_or(here.advance[segment], |k| here.parameters[segment][k]);
        if start == target {
            return Ok(here);
        }
        *lines = lines.checked_sub(1).ok_or(Failure::Always)?;
        let mut point = arcs.point_at(&here);
        let mut coefficients = [Fp::zero(); N];
        (coefficients[0], coefficients[1]) = (start, target - start);
        let mut next = here;
        match number {
            Some(k) => {
                point.parameters[segment][k] = Series::new(coefficients);
                next.parameters[segment][k] = target;
            }
            None => {
                point.advance[segment] = Series::new(coefficients);
                next.advance[segment] = target;
            }
        }
        self.solve(block, &mut point).ok_or(Failure::Always)?;
        let mut unknown = Vec::new();
        let mut combinations = 1usize;
        for &k in &block.solved {
            let (segment, number) = arcs.number(k);
            let values = values_at_one(&point.parameters[segment][number], &mut *draw);
            let values = values.ok_or(Failure::Always)?;
            combinations = combinations.saturating_mul(values.len());
            unknown.push((segment, number, values));
        }
        if combinations == 0 {
            return Err(Failure::NoRoot);
        }
        if combinations > COMBINATIONS {
            return Err(Failure::Always);
        }
        let first = draw().residue() as usize % combinations;
        let closing = (first..combinations).chain(0..first).find_map(|mut index| {
            for (segment, number, values) in &unknown {
                next.parameters[*segment][*number] = values[index % values.len()];
                index /= values.len();
            }
            self.closes(block, &next).then(|| next.clone())
        });
        closing.ok_or(Failure::NoRoot)
    }

    /// Newton's iteration on the numbers of a block.
    fn solve(&self, block: &Block, point: &mut Point<N>) -> Option<()> {
        let arcs = self.arcs;
        for _ in 0..N.next_power_of_two().trailing_zeros() + 2 {
            arcs.measure_change(point);
            let at = arcs.situation(point);
            let all = arcs.constraints.residual(&at);
            let residual: Vec<Series<N>> = block.rows.iter().map(|&r| all[r]).collect();
            if residual.iter().all(Series::is_zero) {
                return Some(());
            }
            let own = arcs.derivatives(&arcs.constraints.jacobian(&at), &block.rows, &block.solved, point);
            let columns: Vec<usize> = (0..block.solved.len()).collect();
            let (step, echelon) = balanced_by(&own, &columns, &residual);
            if echelon.rank() < columns.len() {
                return None;
            }
            for (&k, step) in block.solved.iter().zip(step) {
                let (segment, number) = arcs.number(k);
                point.parameters[segment][number] += step;
            }
        }
        None
    }

    fn closes(&self, block: &Block, place: &Place) -> bool {
        let residual = self.arcs.constraints.residual(&self.arcs.situation(&self.arcs.point_at(place)));
        block.loops.iter().all(|&row| residual[row].is_zero())
    }
}

impl<const N: usize> Arcs<N> {
    fn segment_of(&self, velocity: usize) -> usize {
        self.tree.segments.partition_point(|segment| segment.velocity <= velocity) - 1
    }

    /// The segment and the parameter of a number.
    fn number(&self, k: usize) -> (usize, usize) {
        let segment = self.segment_of(k);
        (segment, k - self.tree.segments[segment].velocity)
    }

    /// The value of a number, and the turn of its segment.
    fn value(&self, place: &Place, k: usize) -> (Fp, Fp) {
        let (segment, number) = self.number(k);
        (place.parameters[segment][number], place.advance[segment])
    }

    /// Derivatives of some equations with respect to some numbers.
    fn derivatives(
        &self,
        jacobian: &Matrix<Series<N>>,
        rows: &[usize],
        numbers: &[usize],
        point: &Point<N>,
    ) -> Matrix<Series<N>> {
        let mut out = Matrix::zeros(rows.len(), numbers.len());
        for (c, &k) in numbers.iter().enumerate() {
            let (index, number) = self.number(k);
            let segment = &self.tree.segments[index];
            let velocity = velocities_of(segment, &point.parameters[index], number);
            for (r, &row) in rows.iter().enumerate() {
                out[(r, c)] = velocity
                    .iter()
                    .enumerate()
                    .fold(Series::zero(), |sum, (j, v)| sum + jacobian[(row, segment.velocity + j)] * *v);
            }
        }
        out
    }

    /// How far coordinates of one number each have come: what couplings relate.
    fn measure_change(&self, point: &mut Point<N>) {
        for (segment, parameters) in self.tree.segments.iter().zip(&point.parameters) {
            let t = parameters[0];
            let start = Series::constant(t.coefficients()[0]);
            match segment.placing {
                Placing::Turn { .. } if t != start => {
                    point.change[segment.configuration] = angle_along(t, segment.axis_norm2);
                }
                Placing::Slide { .. } => point.change[segment.configuration] = t - start,
                _ => {}
            }
        }
    }
}

/// The blocks of an order of groups, and the numbers that are drawn.
fn blocks<const N: usize>(
    arcs: &Arcs<N>,
    groups: &[Vec<Group>],
) -> Result<(Vec<Block>, Vec<usize>), Obstacle> {
    let tree = &arcs.tree;
    let series = arcs.constraints.jacobian(&arcs.situation(&arcs.at_file));
    let (rows, numbers): (Vec<usize>, Vec<usize>) = ((0..series.rows()).collect(), (0..tree.dof).collect());
    let series = arcs.derivatives(&series, &rows, &numbers, &arcs.at_file);
    let jacobian = Matrix::from_fn(series.rows(), series.columns(), |r, c| series[(r, c)].coefficients()[0]);
    let mut known = vec![false; tree.dof];
    // The motions of what is known, one for each velocity drawn.
    let mut motions: Vec<Vec<Fp>> = Vec::new();
    let (mut blocks, mut drawn): (Vec<Block>, Vec<usize>) = (Vec::new(), Vec::new());
    let mut left: Vec<usize> = (0..groups.len()).collect();
    let mut done: Vec<usize> = Vec::new();
    let velocities = |group: usize| {
        let mut all: Vec<usize> =
            groups[group].iter().flat_map(|part| part.velocities.iter().copied()).collect();
        all.sort_unstable();
        all.dedup();
        all
    };
    while !left.is_empty() {
        let open = |group: usize| velocities(group).iter().filter(|&&k| !known[k]).count();
        let place = (0..left.len()).min_by_key(|&k| open(left[k])).unwrap_or(0);
        let group = left.remove(place);
        let involved = velocities(group);
        let rows: Vec<usize> = groups[group].iter().flat_map(|part| part.rows.iter().copied()).collect();
        let own = Matrix::from_fn(rows.len(), tree.dof, |r, c| jacobian[(rows[r], c)]);
        let mut span = Span::<Fp>::new(0.0);
        // The last coordinates are solved for: the first ones carry them.
        let open: Vec<usize> = involved.iter().copied().filter(|&k| !known[k]).collect();
        let solvable = |k: &usize| span.insert((0..rows.len()).map(|r| own[(r, *k)]).collect());
        let mut columns: Vec<usize> = open.iter().rev().copied().filter(solvable).collect();
        columns.sort_unstable();
        let free: Vec<usize> = open.iter().copied().filter(|k| !columns.contains(k)).collect();
        for velocity in &free {
            let mut motion = vec![Fp::zero(); tree.dof];
            motion[*velocity] = Fp::one();
            motions.push(motion);
        }
        for motion in &mut motions {
            let rate = own.apply(motion);
            if span.admits(&rate) {
                let shares = |&&other: &&usize| velocities(other).iter().any(|k| involved.contains(k));
                let other = done.iter().rev().find(shares).copied();
                return Err(other.map_or(Obstacle::Other, |other| Obstacle::Together(other, group)));
            }
            let (step, _) = balanced_by(&own, &columns, &rate);
            columns.iter().for_each(|&k| motion[k] = step[k]);
        }
        // A screw that follows: no polynomial equations.
        if columns.iter().any(|&k| arcs.is_screw(arcs.segment_of(k))) {
            return Err(Obstacle::Other);
        }
        open.iter().for_each(|&k| known[k] = true);
        let given = involved.iter().copied().filter(|k| !columns.contains(k)).collect();
        drawn.extend(free);
        let loops =
            groups[group].iter().filter(|part| !part.is_coupling).flat_map(|part| part.rows.iter().copied());
        blocks.push(Block { loops: loops.collect(), rows, given, solved: columns });
        done.push(group);
    }
    Ok((blocks, drawn))
}
