//! How the points of a body can move: which of them stay, which only move along gravity or across it.
//!
//! Each is a linear condition on the point (p, w), finite or at infinity, for every velocity field [ω^ | v]
//! the body can have: [ω^ | v] (p, w) = 0, and so on. Decided in the arithmetic that decides the rank.

use steiner_dynamics::{Column, Feasible, Mechanism, Segment, Tree};
use steiner_linalg::elimination::{Matrix, reduce};
use steiner_linalg::{Mat3, Vec3};
use steiner_scalar::Scalar;

use crate::principles::Point;

/// Pivots below this are zero; every entry is a residue or of the order of a length or of one, and few
/// operations round it.
pub(crate) const ZERO_PIVOT: f64 = 1e-12;

/// Points of a body by the way they move, each set as a basis.
#[derive(Clone, Debug)]
pub(crate) struct PointMotions<S> {
    /// Directions that stay: none for a body that turns at will, one for a body that turns about it, three
    /// without turning.
    pub(crate) directions: Vec<Vec3<S>>,
    /// Points that only move along gravity; without gravity, points that stay.
    pub(crate) along: Vec<Point<S>>,
    /// Points that only move across gravity; without gravity, all.
    pub(crate) across: Vec<Point<S>>,
}

impl<S> PointMotions<S> {
    fn none() -> Self {
        PointMotions { directions: Vec::new(), along: Vec::new(), across: Vec::new() }
    }

    fn is_none(&self) -> bool {
        self.directions.is_empty() && self.along.is_empty() && self.across.is_empty()
    }
}

/// Of all bodies, from a few generic states.
pub(crate) fn point_motions<S: Scalar>(
    mechanism: &Mechanism,
    tree: &Tree<S>,
    states: &[Feasible<S>],
) -> Vec<PointMotions<S>> {
    let robot = mechanism.robot();
    let open = robot.loops.is_empty() && robot.couplings.is_empty();
    let weightless = tree.gravity == Vec3::zero();
    // The Jacobian lines of each segment in each state, as far as they are needed.
    let mut lines: Vec<Vec<Vec<Column<S>>>> = vec![Vec::new(); tree.segments.len()];
    let mut next = 0;
    let world: Vec<_> = states.iter().map(|state| tree.world_poses(&state.poses)).collect();
    let mut out: Vec<PointMotions<S>> = Vec::with_capacity(robot.bodies.len());
    for (child, body) in robot.bodies.iter().enumerate() {
        let last = tree.segment_of_body[child];
        let own = next..=last;
        next = last + 1;
        // In an open chain all points of a child can do what all points of its parent can.
        if open && body.parent.is_some_and(|parent| out[parent.0].is_none()) {
            out.push(PointMotions::none());
            continue;
        }
        for segment in own {
            let of_state = |(k, state): (usize, &Feasible<S>)| {
                let Segment { parent, columns, .. } = &tree.segments[segment];
                let inherited = parent.map_or(&[][..], |parent| &lines[parent][k]);
                let carried = inherited.iter().map(|line| line.carried(&state.poses[segment]));
                carried.chain(columns.iter().copied()).collect()
            };
            lines[segment] = states.iter().enumerate().map(of_state).collect();
        }
        let segment = last;
        let mut turning = Matrix::zeros(0, 4);
        let (mut sideways, mut downwards) = (Matrix::zeros(0, 4), Matrix::zeros(0, 4));
        // Finite points are no directions.
        turning.push_row(&[S::zero(), S::zero(), S::zero(), S::one()]);
        for ((state, lines), world) in states.iter().zip(&lines[segment]).zip(&world) {
            let down = world[segment].rotation.apply_transposed(tree.gravity);
            for (angular, linear) in fields(state, tree, segment, lines) {
                let field = [angular.column(0), angular.column(1), angular.column(2), linear];
                for k in 0..3 {
                    let sidewards = |v: Vec3<S>| if weightless { v } else { v.cross(down) };
                    sideways.push_row(&field.map(|v| sidewards(v)[k]));
                    let [x, y, z, _] = field.map(|v| v[k]);
                    turning.push_row(&[x, y, z, S::zero()]);
                }
                downwards.push_row(&field.map(|v| v.dot(down)));
            }
        }
        out.push(PointMotions {
            directions: points(turning).into_iter().map(|(direction, _)| direction).collect(),
            along: points(sideways),
            across: points(downwards),
        });
    }
    out
}

/// Unit-rate velocity fields [ω^ | v] of the independent coordinates, in body axes.
fn fields<S: Scalar>(
    state: &Feasible<S>,
    tree: &Tree<S>,
    segment: usize,
    lines: &[Column<S>],
) -> Vec<(Mat3<S>, Vec3<S>)> {
    unit_rates(state, tree, segment, lines).map(|rate| (rate.angular.skew(), rate.linear)).collect()
}

/// What unit rates of the coordinates give a segment, in its axes: of the independent ones, or in an open tree of
/// those before it.
fn unit_rates<'a, S: Scalar>(
    state: &'a Feasible<S>,
    tree: &'a Tree<S>,
    segment: usize,
    lines: &'a [Column<S>],
) -> impl Iterator<Item = Column<S>> + 'a {
    let count = state.reduction.as_ref().map_or(lines.len(), |z| z.columns());
    (0..count).map(move |j| match &state.reduction {
        None => lines[j],
        Some(z) => {
            let zero = Column { angular: Vec3::zero(), linear: Vec3::zero() };
            lines.iter().zip(&tree.ancestry[segment]).fold(zero, |sum, (line, &k)| Column {
                angular: sum.angular.plus_scaled(z[(k, j)], line.angular),
                linear: sum.linear.plus_scaled(z[(k, j)], line.linear),
            })
        }
    })
}

/// The points on which all rows vanish, as the one basis in reduced echelon form: the same in every scalar.
/// Directions come last.
pub(crate) fn points<S: Scalar>(rows: Matrix<S>) -> Vec<Point<S>> {
    let basis = reduce(rows, 4, ZERO_PIVOT).nullspace();
    let reversed = basis.into_iter().map(|v| v.into_iter().rev().collect()).collect();
    echelon(reversed, 4).into_iter().map(|v| (Vec3([v[3], v[2], v[1]]), v[0])).collect()
}

/// The reduced echelon form of a basis, pivots in the first columns possible.
pub(crate) fn echelon<S: Scalar>(basis: Vec<Vec<S>>, columns: usize) -> Vec<Vec<S>> {
    let mut rows = Matrix::from_fn(basis.len(), columns, |r, c| basis[r][c]);
    let mut step = 0;
    for column in 0..columns {
        let weight = |r: usize, rows: &Matrix<S>| rows[(r, column)].pivot_weight();
        let best = (step..rows.rows()).max_by(|&a, &b| weight(a, &rows).total_cmp(&weight(b, &rows)));
        let Some(best) = best.filter(|&r| weight(r, &rows) > ZERO_PIVOT) else { continue };
        let Some(inverse) = rows[(best, column)].try_inv() else { continue };
        let pivot: Vec<S> = rows.row(best).iter().map(|x| *x * inverse).collect();
        let displaced = rows.row(step).to_vec();
        rows.row_mut(best).copy_from_slice(&displaced);
        rows.row_mut(step).copy_from_slice(&pivot);
        for r in (0..rows.rows()).filter(|&r| r != step) {
            let factor = rows[(r, column)];
            for (x, p) in rows.row_mut(r).iter_mut().zip(&pivot) {
                *x -= factor * *p;
            }
        }
        step += 1;
    }
    let clean = |x: &S| if x.pivot_weight() > ZERO_PIVOT { *x } else { S::zero() };
    (0..step).map(|r| rows.row(r).iter().map(clean).collect()).collect()
}

/// For each body and state, the velocities that unit rates of the independent coordinates give it, in its axes.
pub(crate) fn rates_of_bodies<S: Scalar>(tree: &Tree<S>, states: &[Feasible<S>]) -> Vec<Vec<Vec<Column<S>>>> {
    let mut out = vec![Vec::with_capacity(states.len()); tree.segment_of_body.len()];
    for state in states {
        let mut lines: Vec<Vec<Column<S>>> = Vec::with_capacity(tree.segments.len());
        for (k, Segment { parent, columns, .. }) in tree.segments.iter().enumerate() {
            let inherited = parent.map_or(&[][..], |parent| &lines[parent]);
            let carried = inherited.iter().map(|line| line.carried(&state.poses[k]));
            let all = carried.chain(columns.iter().copied()).collect();
            lines.push(all);
        }
        for (body, &segment) in tree.segment_of_body.iter().enumerate() {
            out[body].push(unit_rates(state, tree, segment, &lines[segment]).collect());
        }
    }
    out
}
