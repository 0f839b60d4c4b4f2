//! Mobility, and which coordinates to call independent.
//!
//! The mobility is the dimension of the nullspace of the constraint Jacobian K at a generic assembled
//! configuration; K may have redundant rows (every spatial model of a planar loop does). Independence is a
//! matroid: going through the coordinates in the order of preference and keeping each that is not determined
//! by those kept gives the best set.

use std::collections::BTreeMap;

use steiner_linalg::elimination::{Matrix, reduce};
use steiner_linalg::orthonormal::Orthonormal;
use steiner_linalg::{Stream, norm};
use steiner_robot::{Actuation, Coordinate, Robot};

use crate::closure::{Closed, Closure, Plan};
use crate::error::DynamicsError;

/// Singular pivots of K below this fraction of the largest are redundant constraints.
const REDUNDANT: f64 = 1e-8;
/// A coordinate is determined by others if less than this of its unit motion is free: above rounding of a
/// nullspace in doubles, below what any sound choice leaves.
const DETERMINED: f64 = 1e-7;
/// Loops closed to this are closed.
const CLOSED: f64 = 1e-9;

/// An assembled, generic configuration and what it tells.
pub(crate) struct Assembly {
    pub(crate) reference: Vec<f64>,
    pub(crate) plan: Plan,
    /// Whether the file's own configuration was singular and the reference is one near it.
    pub(crate) moved: bool,
}

/// Assembles a robot and chooses its independent coordinates.
pub(crate) fn assemble(robot: &Robot, closure: &Closure<f64>) -> Result<Assembly, DynamicsError> {
    let tree = &closure.tree;
    let evaluate = |x: &steiner_scalar::Exact| x.to_f64();
    let start: Vec<f64> = robot
        .reference
        .iter()
        .map(evaluate)
        .collect::<Result<_, _>>()
        .map_err(|reason| DynamicsError::Geometry { robot: robot.name.clone(), reason })?;
    let mut start = start;
    tree.normalise(&mut start);
    if closure.is_trivial() {
        let plan = Plan { independent: (0..tree.dof).collect(), dependent: Vec::new() };
        // Nothing ties the coordinates; without a choice to check, no matrix is needed to say so.
        if wanted(robot).is_some() {
            check_wanted(robot, closure, &Matrix::identity(tree.dof), tree.dof)?;
        }
        return Ok(Assembly { reference: start, plan, moved: false });
    }
    contradictory_couplings(robot)?;
    couple(robot, &mut start);
    let reference = first_closure(robot, closure, start)?;
    let (generic, null) = generic_nullspace(closure, reference.clone());
    let moved = generic != reference;
    let mobility = null.columns();
    // A structure that cannot move has no coordinates, whatever the file wants.
    let independent = match wanted(robot).filter(|_| mobility > 0) {
        Some(given) => {
            check_wanted(robot, closure, &null, mobility)?;
            given
        }
        None => choose(&null, &preference(robot)),
    };
    let dependent = (0..tree.dof).filter(|k| !independent.contains(k)).collect();
    Ok(Assembly { reference: generic, plan: Plan { independent, dependent }, moved })
}

fn velocity_index(robot: &Robot, coordinate: Coordinate) -> usize {
    robot.velocity_offsets()[coordinate.body.0] + coordinate.component
}

fn wanted(robot: &Robot) -> Option<Vec<usize>> {
    let mut given: Vec<usize> =
        robot.independent.as_ref()?.iter().map(|&c| velocity_index(robot, c)).collect();
    given.sort_unstable();
    Some(given)
}

/// Couplings alone must not determine a coordinate twice.
fn contradictory_couplings(robot: &Robot) -> Result<(), DynamicsError> {
    let mut rows = Matrix::<f64>::zeros(0, robot.tree_dof() + 1);
    for coupling in &robot.couplings {
        let mut row = vec![0.0; robot.tree_dof() + 1];
        row[velocity_index(robot, coupling.coordinate)] = 1.0;
        for (term, factor) in &coupling.terms {
            row[velocity_index(robot, *term)] -= factor.to_f64().unwrap_or(f64::NAN);
        }
        row[robot.tree_dof()] = coupling.offset.to_f64().unwrap_or(f64::NAN);
        rows.push_row(&row);
        let (all, free) = (rows.clone(), robot.tree_dof());
        let with_offset = reduce(all.clone(), free + 1, 1e-12).rank();
        if with_offset > reduce(all, free, 1e-12).rank() {
            return Err(DynamicsError::ContradictoryCoupling {
                robot: robot.name.clone(),
                coupling: coupling.name.clone(),
            });
        }
    }
    Ok(())
}

/// Satisfies couplings where the file leaves their coordinate free: they are linear, however far they lead.
fn couple(robot: &Robot, q: &mut [f64]) {
    let offsets = robot.configuration_offsets();
    let held: Vec<Coordinate> = robot.independent.iter().flatten().chain(&robot.guessed).copied().collect();
    let index = |c: Coordinate| offsets[c.body.0] + c.component;
    // Couplings may depend on each other in any order.
    for _ in 0..robot.couplings.len() {
        for coupling in robot.couplings.iter().filter(|coupling| !held.contains(&coupling.coordinate)) {
            let value = |x: &steiner_scalar::Exact| x.to_f64().unwrap_or(0.0);
            let terms = coupling.terms.iter().map(|(term, factor)| value(factor) * q[index(*term)]);
            let wanted = value(&coupling.offset) + terms.sum::<f64>();
            if wanted.is_finite() {
                q[index(coupling.coordinate)] = wanted;
            }
        }
    }
}

/// Starts that are tried when the guess itself leads nowhere.
const SCATTERED_STARTS: usize = 12;
/// No more of them once closing has taken so many products, which is seconds: with 50 coordinates and 100 equations
/// all starts are tried, with 100 coordinates and 500 equations the guess and a few.
const MOST_PRODUCTS: f64 = 5e9;

/// Closes the loops from the guess: first with the wanted independent (or guessed) coordinates held, then
/// with all free. A guess may be a saddle (bars drawn in line) or end in the mirror; then starts scattered
/// around it are tried.
fn first_closure(robot: &Robot, closure: &Closure<f64>, start: Vec<f64>) -> Result<Vec<f64>, DynamicsError> {
    let all: Vec<usize> = (0..closure.tree.dof).collect();
    let held = wanted(robot).unwrap_or_default();
    let guessed: Vec<usize> = robot.guessed.iter().map(|&c| velocity_index(robot, c)).collect();
    let movable =
        |fixed: &[usize]| -> Vec<usize> { all.iter().copied().filter(|k| !fixed.contains(k)).collect() };
    let starts = [&held[..], &guessed, &[]];
    let mut best: Option<Closed<f64>> = None;
    let mut stream = Stream::new(1);
    let mut products = 0.0;
    for attempt in 0..=SCATTERED_STARTS {
        let scatter = 1.5 * attempt as f64 / SCATTERED_STARTS as f64;
        for (k, fixed) in starts.iter().enumerate() {
            let movable = movable(fixed);
            let mut delta = vec![0.0; closure.tree.dof];
            for &k in &movable {
                delta[k] = scatter * stream.uniform();
            }
            let known = attempt == 0 && starts[..k].contains(fixed);
            if known || (attempt > 0 && products > MOST_PRODUCTS) {
                continue;
            }
            let mut closed = least_squares(closure, &closure.tree.displaced(&start, &delta), &movable);
            let (equations, unknowns) = (closure.constraints().len() as f64, movable.len() as f64);
            products += closed.iterations as f64 * unknowns.powi(2) * (equations + unknowns);
            let mirrored = closure.opposed(&closed.q).is_some();
            if closed.residual <= CLOSED && !mirrored {
                return Ok(closed.q);
            }
            if mirrored {
                closed.residual = closed.residual.max(1.0);
            }
            if best.as_ref().is_none_or(|b| closed.residual < b.residual) {
                best = Some(closed);
            }
        }
    }
    let (residual, worst, iterations) =
        best.map_or((f64::INFINITY, 0, 0), |closed| (closed.residual, closed.worst, closed.iterations));
    Err(DynamicsError::CannotAssemble {
        robot: robot.name.clone(),
        closure: closure.loop_name(worst),
        residual,
        iterations,
    })
}

/// Velocities that loops and couplings tie to one another, directly or by others, ascending: the constraints of
/// one such set do not contain those of another. A velocity that nothing ties is a set of its own.
fn tied_velocities(closure: &Closure<f64>) -> Vec<Vec<usize>> {
    let dof = closure.tree.dof;
    let mut leader: Vec<usize> = (0..dof).collect();
    fn find(leader: &mut [usize], mut k: usize) -> usize {
        while leader[k] != k {
            leader[k] = leader[leader[k]];
            k = leader[k];
        }
        k
    }
    for group in closure.constraints().groups() {
        for pair in group.windows(2) {
            let (a, b) = (find(&mut leader, pair[0]), find(&mut leader, pair[1]));
            leader[a.max(b)] = a.min(b);
        }
    }
    let mut sets: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    (0..dof).for_each(|k| sets.entry(find(&mut leader, k)).or_default().push(k));
    sets.into_values().collect()
}

/// Residuals below this that no step makes smaller are rounding.
const ROUNDING: f64 = 1e-12;

/// Levenberg and Marquardt on the given coordinates: reaches a closure from afar, and stops at the nearest
/// miss of one that doesn't exist.
pub(crate) fn least_squares(closure: &Closure<f64>, start: &[f64], movable: &[usize]) -> Closed<f64> {
    let (tree, constraints) = (&closure.tree, closure.constraints());
    let mut q = start.to_vec();
    let mut parts = tied_velocities(closure);
    parts.iter_mut().for_each(|part| part.retain(|k| movable.contains(k)));
    let mut damping = 1e-3;
    let evaluate = |q: &[f64]| {
        let at = constraints.situation(tree, q);
        let residual = constraints.residual(&at);
        let cost: f64 = residual.iter().map(|r| r * r).sum();
        (at, residual, cost)
    };
    let (mut at, mut residual, mut cost) = evaluate(&q);
    let mut iterations = 0;
    while iterations < 300 && cost.sqrt() > 1e-14 && damping < 1e12 {
        iterations += 1;
        let k = constraints.jacobian(&at);
        let mut delta = vec![0.0; tree.dof];
        for part in &parts {
            let normal = damped_normal_equations(&k, &residual, part, damping);
            let echelon = reduce(normal, part.len(), 0.0);
            for (row, &pivot) in echelon.pivots.iter().enumerate() {
                delta[part[pivot]] = echelon.reduced[(row, part.len())].clamp(-0.5, 0.5);
            }
        }
        let next = tree.displaced(&q, &delta);
        let (next_at, next_residual, next_cost) = evaluate(&next);
        if next_cost < cost {
            let gain = cost / next_cost.max(f64::MIN_POSITIVE);
            (q, at, residual, cost) = (next, next_at, next_residual, next_cost);
            damping = (damping * if gain > 2.0 { 0.1 } else { 0.5 }).max(1e-14);
        } else if cost.sqrt() < ROUNDING {
            break;
        } else {
            damping *= 4.0;
        }
    }
    let (size, worst) =
        residual.iter().enumerate().fold((0.0, 0), |(most, worst): (f64, usize), (row, r)| {
            if r.abs() > most { (r.abs(), row) } else { (most, worst) }
        });
    Closed { q, residual: size, worst, iterations }
}

/// (KᵀK + λ 1 | −Kᵀr) of the given columns of K. A row of K has few entries: those of the bodies in its loop.
fn damped_normal_equations(
    k: &Matrix<f64>,
    residual: &[f64],
    movable: &[usize],
    damping: f64,
) -> Matrix<f64> {
    let n = movable.len();
    let mut normal = Matrix::zeros(n, n + 1);
    for (row, r) in residual.iter().enumerate() {
        let entries: Vec<(usize, f64)> =
            movable.iter().map(|&c| k[(row, c)]).enumerate().filter(|(_, x)| *x != 0.0).collect();
        for &(a, x) in &entries {
            entries.iter().for_each(|&(b, y)| normal[(a, b)] += x * y);
            normal[(a, n)] -= x * r;
        }
    }
    (0..n).for_each(|c| normal[(c, c)] += damping);
    normal
}

/// The nullspace of K where its rank is largest: at the reference or at configurations near it. Returns the
/// reference, moved if it was singular itself, and an orthonormal basis (columns).
fn generic_nullspace(closure: &Closure<f64>, reference: Vec<f64>) -> (Vec<f64>, Matrix<f64>) {
    let all: Vec<usize> = (0..closure.tree.dof).collect();
    let mut best = (reference.clone(), orthonormal_nullspace(closure, &reference));
    let mut q = reference;
    // Where branches meet (a parallelogram drawn flat) the stream decides which one is taken.
    let mut stream = Stream::new(1);
    for _ in 0..6 {
        // A random feasible direction, then back onto the constraints.
        let null = orthonormal_nullspace(closure, &q);
        if null.columns() == 0 {
            break;
        }
        let weights: Vec<f64> = (0..null.columns()).map(|_| 0.15 * stream.uniform()).collect();
        let delta = null.apply(&weights);
        let closed = least_squares(closure, &closure.tree.displaced(&q, &delta), &all);
        if closed.residual > CLOSED || closure.opposed(&closed.q).is_some() {
            continue;
        }
        q = closed.q;
        let null = orthonormal_nullspace(closure, &q);
        if null.columns() < best.1.columns() {
            best = (q.clone(), null);
        }
    }
    best
}

fn orthonormal_nullspace(closure: &Closure<f64>, q: &[f64]) -> Matrix<f64> {
    let k = closure.jacobian(q);
    let (columns, tolerance) = (k.columns(), REDUNDANT * k.largest_weight());
    // One vector for each column that is free.
    let mut basis: Vec<(usize, Vec<f64>)> = Vec::new();
    for part in tied_velocities(closure) {
        let seeing: Vec<usize> = (0..k.rows()).filter(|&r| part.iter().any(|&c| k[(r, c)] != 0.0)).collect();
        let own = Matrix::from_fn(seeing.len(), part.len(), |r, c| k[(seeing[r], part[c])]);
        let echelon = reduce(own, part.len(), tolerance);
        let free = (0..part.len()).filter(|c| !echelon.pivots.contains(c)).map(|c| part[c]);
        for (free, own) in free.zip(echelon.nullspace()) {
            let mut whole = vec![0.0; columns];
            part.iter().zip(own).for_each(|(&c, x)| whole[c] = x);
            basis.push((free, whole));
        }
    }
    basis.sort_by_key(|(free, _)| *free);
    let mut orthonormal = Orthonormal::default();
    for (_, v) in basis {
        orthonormal.insert(v, |length| length > 0.0);
    }
    Matrix::from_fn(columns, orthonormal.len(), |r, c| orthonormal.vectors()[c][r])
}

/// Coordinates by preference: those not declared dependent, with a motor, of one-dof joints; file order within each.
fn preference(robot: &Robot) -> Vec<usize> {
    let rank = |coordinate: &Coordinate| {
        let declared = robot.dependent.contains(coordinate)
            || robot.couplings.iter().any(|coupling| coupling.coordinate == *coordinate);
        let joint = &robot.bodies[coordinate.body.0].joint;
        (declared, joint.actuation != Actuation::Motor, joint.kind.dof() != 1)
    };
    let mut order: Vec<(usize, Coordinate)> = robot.coordinates().into_iter().enumerate().collect();
    order.sort_by_key(|(index, coordinate)| (rank(coordinate), *index));
    order.into_iter().map(|(index, _)| index).collect()
}

/// Greedy choice of independent rows of the nullspace. A first pass insists on well-conditioned choices.
fn choose(null: &Matrix<f64>, preference: &[usize]) -> Vec<usize> {
    let mobility = null.columns();
    let mut chosen: Vec<usize> = Vec::new();
    let mut directions = Orthonormal::default();
    for tolerance in [0.05, 1e-3, DETERMINED] {
        for &row in preference {
            if chosen.len() == mobility || chosen.contains(&row) {
                continue;
            }
            if directions.insert(null.row(row).to_vec(), |rest| rest > tolerance) {
                chosen.push(row);
            }
        }
    }
    chosen.sort_unstable();
    chosen
}

/// Checks the file's own choice of independent coordinates.
fn check_wanted(
    robot: &Robot,
    closure: &Closure<f64>,
    null: &Matrix<f64>,
    mobility: usize,
) -> Result<(), DynamicsError> {
    let Some(given) = wanted(robot) else { return Ok(()) };
    let coordinates = robot.coordinates();
    let name = |k: usize| robot.coordinate_name(coordinates[k]);
    let list = |indices: &[usize]| {
        let names: Vec<String> = indices.iter().map(|&k| name(k)).collect();
        format!("[{}]", names.join(", "))
    };
    let suggestion = list(&choose(null, &preference(robot)));
    if given.len() != mobility {
        // Every coordinate that moves belongs to some valid choice.
        let moving: Vec<usize> = (0..coordinates.len()).filter(|&k| norm(null.row(k)) > DETERMINED).collect();
        return Err(DynamicsError::WrongIndependentCount {
            robot: robot.name.clone(),
            given: list(&given),
            found: given.len(),
            mobility,
            candidates: list(&moving).into(),
            suggestion,
        });
    }
    let mut directions = Orthonormal::default();
    for &row in &given {
        directions.insert(null.row(row).to_vec(), |rest| rest > DETERMINED);
    }
    if directions.len() < mobility {
        // Some coordinate keeps moving while all of these stand still.
        let undetermined =
            (0..closure.tree.dof).find(|&k| norm(&directions.beside(null.row(k).to_vec())) > 1e-6);
        return Err(DynamicsError::NotIndependent {
            robot: robot.name.clone(),
            given: list(&given),
            joint: undetermined.map_or_else(String::new, name),
            suggestion,
        });
    }
    Ok(())
}
