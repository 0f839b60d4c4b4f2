//! The equations of loops in blocks that can be solved one after the other.

use steiner_linalg::elimination::Matrix;
use steiner_linalg::span::Span;
use steiner_scalar::{Field, Fp, Series};

use super::numbers::{angle_along, velocities_of};
use super::{Arcs, Place, Point};
use crate::closure::balanced_by;
use crate::constraints::Group;
use crate::tree::Placing;

/// Equations that determine some numbers from others. A segment has as many free numbers as velocities, and they
/// are counted like these.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub(super) rows: Vec<usize>,
    /// The equations that a configuration satisfies by itself, with the numbers they depend on: not those of
    /// couplings, which relate angles.
    pub(super) loops: Vec<Group>,
    pub(super) given: Vec<usize>,
    pub(super) solved: Vec<usize>,
}

/// Why some order of groups makes no blocks.
pub(super) enum Obstacle {
    /// These two must be solved together.
    Together(usize, usize),
    /// No order will do.
    Other,
}

impl<const N: usize> Arcs<N> {
    pub(super) fn segment_of(&self, velocity: usize) -> usize {
        self.tree.segments.partition_point(|segment| segment.velocity <= velocity) - 1
    }

    /// The segment and the parameter of a number.
    pub(super) fn number(&self, k: usize) -> (usize, usize) {
        let segment = self.segment_of(k);
        (segment, k - self.tree.segments[segment].velocity)
    }

    /// The value of a number, and the turn of its segment.
    pub(super) fn value(&self, place: &Place, k: usize) -> (Fp, Fp) {
        let (segment, number) = self.number(k);
        (place.parameters[segment][number], place.advance[segment])
    }

    /// Derivatives of some equations with respect to some numbers.
    pub(super) fn derivatives(
        &self,
        jacobian: &Matrix<Series<N>>,
        numbers: &[usize],
        point: &Point<N>,
    ) -> Matrix<Series<N>> {
        let mut out = Matrix::zeros(jacobian.rows(), numbers.len());
        for (c, &k) in numbers.iter().enumerate() {
            let (index, number) = self.number(k);
            let segment = &self.tree.segments[index];
            let velocity = velocities_of(segment, &point.parameters[index], number);
            for row in 0..jacobian.rows() {
                out[(row, c)] = velocity
                    .iter()
                    .enumerate()
                    .fold(Series::zero(), |sum, (j, v)| sum + jacobian[(row, segment.velocity + j)] * *v);
            }
        }
        out
    }

    /// How far coordinates of one number each have come: what couplings relate.
    pub(super) fn measure_change(&self, point: &mut Point<N>) {
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
pub(super) fn blocks<const N: usize>(
    arcs: &Arcs<N>,
    groups: &[Vec<Group>],
) -> Result<(Vec<Block>, Vec<usize>), Obstacle> {
    let tree = &arcs.tree;
    let series = arcs.constraints.jacobian(&arcs.situation(&arcs.at_file));
    let series = arcs.derivatives(&series, &(0..tree.dof).collect::<Vec<_>>(), &arcs.at_file);
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
        let loops = groups[group].iter().filter(|part| !part.is_coupling).cloned().collect();
        blocks.push(Block { loops, rows, given, solved: columns });
        done.push(group);
    }
    Ok((blocks, drawn))
}
