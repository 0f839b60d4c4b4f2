//! Physically consistent parameters: the residual of the log minimised over pseudo-inertias ≻ 0, friction and
//! drive inertia ≥ 0, and the bounds a user knows.
//!
//! minimise ½‖R β(z) − b‖² + γ Σ_i d(S_i) + ½γ ‖s − s₀‖² over z = (S_1 … S_N, s), subject to S_i ≻ 0, s ≥ 0,
//! C z ≥ c, E z = e,
//!
//! in the coordinates of `metric.rs`, where S = 1 and s₀ are the file's values. R is in units of the noise, so
//! the first term is half of χ², and γ = 1 treats the file as known to 100 %: where the log says something it
//! decides, where it says nothing the file does. d is the log-det divergence of `log_det.rs`, which minds a
//! factor of ten up and down alike, the entropic divergence tr S − log det S − 4 of \[lee2020\], or ½‖S − 1‖².
//!
//! A semidefinite program with blocks of 4×4 and a few hundred unknowns: a barrier method with dense Newton
//! steps (`barrier.rs`) is exact and fast. `optimality.rs` bounds the distance to the minimum with formulas of
//! its own, and a point that fails is never handed out.

mod barrier;
mod hull;
mod local;
mod log_det;
mod optimality;
mod program;

use steiner_linalg::dot;
use steiner_linalg::triangle::Triangle;

use crate::failure::IdentificationError;
use crate::metric::Metric;
use crate::note::IdentificationNote;
use crate::problem::{Problem, no_body};
use barrier::End;
use local::Point;

pub use hull::{HalfSpace, convex_hull, enclosing_sides};
pub use optimality::Optimality;
pub use program::Program;

/// What keeps directions that the log cannot see.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pull {
    /// Log-det divergence from the file's inertias, 4 log det((1 + S)/2) − 2 log det S: the data decide even where
    /// the file is wrong by orders of magnitude.
    LogDet {
        /// Weight γ: 1 treats the file as known to 100 %.
        weight: f64,
    },
    /// Entropic divergence from the file's inertias: never reaches the boundary.
    Entropic {
        /// Weight γ: 1 treats the file as known to 100 %.
        weight: f64,
    },
    /// Squared distance in the metric of the pseudo-inertia; bodies may end on the boundary (to 1e-9).
    Quadratic {
        /// Weight γ: 1 treats the file as known to 100 %.
        weight: f64,
    },
}

impl Pull {
    /// γ.
    pub fn weight(self) -> f64 {
        match self {
            Pull::LogDet { weight } | Pull::Entropic { weight } | Pull::Quadratic { weight } => weight,
        }
    }
}

/// Where a centre of mass can be, in the link's frame.
#[derive(Clone, Debug, PartialEq)]
pub enum CentreBound {
    /// Between two corners, m.
    Box {
        /// Least x, y, z, m.
        lower: [f64; 3],
        /// Greatest x, y, z, m.
        upper: [f64; 3],
    },
    /// In the convex hull of points, m: the vertices of the link's mesh, for instance.
    Hull(Vec<[f64; 3]>),
}

impl CentreBound {
    /// A point inside, m.
    pub(crate) fn middle(&self) -> [f64; 3] {
        match self {
            CentreBound::Box { lower, upper } => std::array::from_fn(|k| 0.5 * (lower[k] + upper[k])),
            CentreBound::Hull(points) => std::array::from_fn(|k| {
                points.iter().map(|point| point[k]).sum::<f64>() / points.len().max(1) as f64
            }),
        }
    }
}

/// What else is known of a consistent model.
#[derive(Clone, Debug, PartialEq)]
pub struct Bounds {
    /// Default: log-det, 1.
    pub pull: Pull,
    /// (link, least, greatest) mass, kg.
    pub masses: Vec<(String, f64, f64)>,
    /// Mass of all bodies together, kg.
    pub total_mass: Option<f64>,
    /// (link, where its centre of mass can be).
    pub centres: Vec<(String, CentreBound)>,
}

impl Default for Bounds {
    fn default() -> Self {
        Bounds {
            pull: Pull::LogDet { weight: 1.0 },
            masses: Vec::new(),
            total_mass: None,
            centres: Vec::new(),
        }
    }
}

/// A consistent estimate.
#[derive(Clone, Debug)]
pub struct ConsistentEstimate {
    /// All parameters, in the order of the problem's labels.
    pub parameters: Vec<f64>,
    /// How well it solves the program.
    pub optimality: Optimality,
    /// The program; of a log-det pull, that of the last round.
    pub program: Program,
    /// Newton steps it took.
    pub steps: usize,
    /// What a user should know.
    pub notes: Vec<IdentificationNote>,
}

/// How far above its minimum an estimate may be at most: this part of the objective…
const OPTIMAL: f64 = 1e-6;
/// …and this much of ½χ², which moves no parameter by more than 0.015 standard deviations.
const NEGLIGIBLE: f64 = 1e-4;

/// Solves for consistent parameters; `stack` is the triangle of the log in units of the noise.
pub(crate) fn consistent(
    problem: &Problem,
    metric: &Metric,
    stack: &Triangle,
    bounds: &Bounds,
) -> Result<ConsistentEstimate, IdentificationError> {
    solved(metric, bounds.pull, |metric, pull| {
        program(problem, metric, stack, &Bounds { pull, ..bounds.clone() })
    })
}

/// Solves the programs that `state` makes of a metric and a pull.
pub(crate) fn solved(
    metric: &Metric,
    pull: Pull,
    state: impl Fn(&Metric, Pull) -> Result<Program, IdentificationError>,
) -> Result<ConsistentEstimate, IdentificationError> {
    let weight = pull.weight();
    let solve = |metric: &Metric, pull: Pull, near: Option<&Solved>, end: End| {
        let mut program = state(metric, pull)?;
        // Numbers are pulled alike in every round.
        program.weigh_numbers(metric, weight);
        let near = near.and_then(|near| {
            let factors = metric.factors_of(&near.parameters)?;
            Some(Point::new(&program, factors, &metric.scalars_of(&near.parameters)))
        });
        let mut found = barrier::solve(&program, near, end)?;
        let mut optimality = optimality::judge(&program, &found.point, &found.multipliers);
        // What doubles lose where b is in units of a noise that a simulated log does not have.
        let rounding = 8.0 * f64::EPSILON * dot(&program.rhs, &program.rhs);
        // Not a number is a failure too.
        let fails = |found: &Optimality| {
            found.gap.is_nan() || found.gap > OPTIMAL * found.objective.abs() + NEGLIGIBLE + rounding
        };
        if end == End::Exact && fails(&optimality) {
            found = barrier::solve(&program, None, End::Careful)?;
            optimality = optimality::judge(&program, &found.point, &found.multipliers);
            if fails(&optimality) {
                return Err(IdentificationError::NotOptimal { gap: optimality.gap });
            }
        }
        if end == End::Exact {
            let mut polished = found.point.clone();
            polished.settle_on_zero(&program);
            let judged = optimality::judge(&program, &polished, &found.multipliers);
            if !fails(&judged) {
                (found.point, optimality) = (polished, judged);
            }
        }
        let (parameters, fit) = (metric.parameters(&found.point.z), program.fit(&found.point.z));
        Ok(Solved { parameters, fit, optimality, program, steps: found.steps })
    };
    let Solved { parameters, optimality, program, steps, .. } = match pull {
        Pull::LogDet { weight } => log_det::solve(metric, weight, solve)?,
        pull => solve(metric, pull, None, End::Exact)?,
    };
    Ok(ConsistentEstimate { parameters, optimality, program, steps, notes: metric.notes.clone() })
}

/// The solution of one program.
struct Solved {
    parameters: Vec<f64>,
    /// The objective without the pull of bodies.
    fit: f64,
    optimality: Optimality,
    program: Program,
    steps: usize,
}

/// States the program.
pub(crate) fn program(
    problem: &Problem,
    metric: &Metric,
    stack: &Triangle,
    bounds: &Bounds,
) -> Result<Program, IdentificationError> {
    let weight = bounds.pull.weight();
    if !(weight > 0.0 && weight.is_finite()) {
        return Err(IdentificationError::Setting {
            what: "the weight of the pull towards the file".to_owned(),
            value: weight.to_string(),
            remedy: "give a positive one; 1 treats the file as known to 100 %".to_owned(),
        });
    }
    let mut program = Program::new(&metric.base_matrix(problem), metric, stack, bounds.pull);
    let names = problem.measurement().bodies(problem.mechanism());
    let body = |link: &str| -> Result<Option<usize>, IdentificationError> {
        let at = names.iter().position(|name| name == link);
        let at = at.ok_or_else(|| no_body(problem.mechanism(), link, &names))?;
        Ok(metric.bodies.iter().position(|body| body.body == at))
    };
    let mut bounded = Vec::new();
    for (link, least, greatest) in &bounds.masses {
        check_mass(link, *least, *greatest)?;
        if let Some(k) = body(link)? {
            program.bound_mass(metric, k, *least, *greatest);
            bounded.push(k);
        }
    }
    for (link, bound) in &bounds.centres {
        if let Some(k) = body(link)? {
            program.bound_centre(metric, k, &sides(link, bound)?, bound.middle());
        }
    }
    if let Some(total) = bounds.total_mass {
        let least: f64 = bounds.masses.iter().map(|(_, least, _)| least.max(0.0)).sum();
        if least > total {
            let links: Vec<&str> = bounds.masses.iter().map(|(link, ..)| link.as_str()).collect();
            let why =
                format!("{} weigh at least {least} kg together, and all bodies {total} kg", links.join(", "));
            return Err(IdentificationError::Infeasible { why });
        }
        program.total_mass(problem, metric, total, &bounded)?;
    }
    Ok(program)
}

/// Whether some mass can lie within bounds.
pub(crate) fn check_mass(link: &str, least: f64, greatest: f64) -> Result<(), IdentificationError> {
    if least < greatest && greatest > 0.0 {
        return Ok(());
    }
    let why = format!("the mass of {link} shall be at least {least} kg and at most {greatest} kg");
    Err(IdentificationError::Infeasible { why })
}

/// The sides of where the centre of mass of a link can be.
pub(crate) fn sides(link: &str, bound: &CentreBound) -> Result<Vec<HalfSpace>, IdentificationError> {
    let sides = match bound {
        CentreBound::Box { lower, upper } => hull::sides_of_box(*lower, *upper),
        CentreBound::Hull(points) => enclosing_sides(points),
    };
    sides.ok_or_else(|| IdentificationError::Infeasible {
        why: format!("the centre of mass of {link} in a box or hull without inside"),
    })
}
