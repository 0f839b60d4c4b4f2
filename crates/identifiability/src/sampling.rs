//! Rows of the regressor at generic states, in the arithmetic that decides and in the one that measures.

use std::sync::{Arc, Mutex, PoisonError};

use steiner_dynamics::{
    Arcs, Closure, DynamicsError, Feasible, Mechanism, Place, RationalStates, Segment, Tree, weighted_row,
};
use steiner_linalg::Stream;
use steiner_linalg::elimination::Matrix;
use steiner_robot::Pose;
use steiner_scalar::{Field, Fp, Prime, Real, Scalar, Series};

use crate::drives::Drive;
use crate::error::IdentifiabilityError;
use crate::measure::{Measurement, at_rest};
use crate::principles::{Candidate, Evidence, candidates, glimpses};
use crate::transfers::{SKETCHES, Transfer, transfers};

/// Rows of the regressor in some field, one state after another.
pub(crate) trait RowSource {
    /// The field.
    type Number: Field;
    /// The number as a double: meaningless in F_p, whose residues have no size.
    fn measure(number: &Self::Number) -> f64;
    /// The vectors geometry proposes, in the same order for every source of a mechanism.
    fn candidates(&mut self) -> Result<Vec<Candidate<Self::Number>>, IdentifiabilityError>;
    /// The rows of one more random state.
    fn rows(&mut self) -> Result<Matrix<Self::Number>, IdentifiabilityError>;
    /// How many states are enough, where a state gives one row: a weighted sum of those it has.
    fn sketches(&self) -> Option<usize> {
        None
    }
    /// Where rows are such sums: what each joint shows of inertia that passes through it from one body to the
    /// next, ten columns each, and the size of the numbers this is the difference of.
    fn by_joint(&self, rows: &Matrix<Self::Number>) -> Option<Vec<(Matrix<Self::Number>, f64)>> {
        let _ = rows;
        None
    }
    /// Below which fraction of the largest entry pivots are zero for what the states so far leave open.
    fn openness(&self) -> f64 {
        0.0
    }
}

fn proposed<S: Scalar>(
    mechanism: &Mechanism,
    measurement: &Measurement,
    evidence: &Evidence<'_, S>,
) -> Result<Vec<Candidate<S>>, IdentifiabilityError> {
    let geometry = |reason| DynamicsError::Geometry { robot: mechanism.robot().name.clone(), reason };
    Ok(candidates(mechanism, measurement, evidence).map_err(geometry)?)
}

/// Numbers that may have a size.
pub(crate) trait Measured {
    /// NaN for residues.
    fn measured(&self) -> f64;
    /// The signs of the drives' velocities.
    fn signs(drives: &[Drive], velocity: &[Self], stream: &mut Stream) -> Vec<Self>
    where
        Self: Scalar,
    {
        let _ = stream;
        drives.iter().map(|drive| sign(velocity[drive.velocity].measured())).collect()
    }
}

fn sign<S: Scalar>(velocity: f64) -> S {
    match velocity.partial_cmp(&0.0) {
        Some(std::cmp::Ordering::Greater) => S::one(),
        Some(std::cmp::Ordering::Less) => -S::one(),
        _ => S::zero(),
    }
}

impl Measured for Fp {
    fn measured(&self) -> f64 {
        f64::NAN
    }
    /// Residues have no sign. As no polynomial of the velocities follows the sign of one, each sign may be an
    /// unknown of its own: the linear relations among the columns are the same.
    fn signs(drives: &[Drive], _: &[Self], stream: &mut Stream) -> Vec<Self> {
        let sets = drives.iter().map(|drive| drive.together.0 + 1).max().unwrap_or(0);
        let unknowns: Vec<Fp> = (0..sets).map(|_| stream.residue()).collect();
        let of = |&Drive { together: (set, direction), .. }: &Drive| match direction {
            0 => Fp::zero(),
            d if d < 0 => -unknowns[set],
            _ => unknowns[set],
        };
        drives.iter().map(of).collect()
    }
}

impl Measured for f64 {
    fn measured(&self) -> f64 {
        *self
    }
}

impl<const N: usize> Measured for steiner_scalar::Expansion<N> {
    fn measured(&self) -> f64 {
        self.to_f64()
    }
}

/// Trees and couplings, in a field that needs no sine: F_p decides, extended precision measures.
pub(crate) struct Rational<'m, S> {
    mechanism: &'m Mechanism,
    measurement: &'m Measurement,
    states: RationalStates<S>,
    stream: Stream,
    draw: fn(&mut Stream) -> S,
    /// Where all joints are free and all their forces measured: the body before each, and where it is in its
    /// frame at zero. See [`crate::transfers`].
    transfers: Option<Vec<Transfer<S>>>,
}

impl<'m, S: Scalar> Rational<'m, S> {
    /// `None` for mechanisms with loops.
    pub(crate) fn new(
        mechanism: &'m Mechanism,
        measurement: &'m Measurement,
        seed: u64,
        draw: fn(&mut Stream) -> S,
    ) -> Result<Option<Self>, IdentifiabilityError> {
        let states = RationalStates::new(mechanism.robot(), mechanism.plan())?;
        Ok(states.map(|states| {
            let local = mechanism.robot().couplings.is_empty() && measurement.is_of_all_joints();
            let transfers =
                local.then(|| transfers(mechanism.robot(), states.tree(), &at_zero(states.tree())));
            Rational { mechanism, measurement, states, stream: Stream::new(seed), draw, transfers }
        }))
    }

    /// Every row of a state by itself.
    pub(crate) fn with_all_rows(self) -> Self {
        Rational { transfers: None, ..self }
    }

    pub(crate) fn largest_power(&self) -> u64 {
        self.states.largest_power()
    }

    pub(crate) fn is_exact(&self) -> bool {
        !self.states.rounded
    }
}

impl<S: Scalar + Measured> RowSource for Rational<'_, S> {
    type Number = S;
    fn measure(number: &S) -> f64 {
        number.measured()
    }
    fn candidates(&mut self) -> Result<Vec<Candidate<Self::Number>>, IdentifiabilityError> {
        let (draw, stream) = (self.draw, &mut self.stream);
        let states: Vec<_> =
            (0..glimpses(self.mechanism)).map(|_| self.states.state(|| draw(stream))).collect();
        let tree = self.states.tree();
        let reference = at_zero(tree);
        proposed(self.mechanism, self.measurement, &Evidence { tree, reference: &reference, states: &states })
    }
    fn rows(&mut self) -> Result<Matrix<S>, IdentifiabilityError> {
        let (draw, stream) = (self.draw, &mut self.stream);
        let state = self.states.state(|| draw(stream));
        if self.transfers.is_some() {
            let state = if self.measurement.is_static() { at_rest(&state) } else { state };
            let weights: Vec<S> = state.velocity.iter().map(|_| draw(stream)).collect();
            let row = weighted_row(self.states.tree(), &state, &weights).concat();
            return Ok(Matrix::from_fn(1, row.len(), |_, c| row[c]));
        }
        let signs = S::signs(self.measurement.drives(), &state.velocity, stream);
        self.measurement.rows(self.mechanism, self.states.tree(), &state, &signs)
    }
    fn sketches(&self) -> Option<usize> {
        self.transfers.as_ref().map(|_| SKETCHES)
    }
    fn by_joint(&self, rows: &Matrix<S>) -> Option<Vec<(Matrix<S>, f64)>> {
        let weight = self.states.tree().gravity.0.iter().fold(0.0, |most: f64, x| most.max(x.pivot_weight()));
        let shown = |(body, transfer): (usize, &Transfer<S>)| transfer.shown(rows, body, weight);
        Some(self.transfers.as_ref()?.iter().enumerate().map(shown).collect())
    }
}

/// Poses of all segments in their parents' at zero, the same in every scalar.
fn at_zero<S: Scalar>(tree: &Tree<S>) -> Vec<Pose<S>> {
    let at_zero = |segment: &Segment<S>| {
        let mut q = vec![S::zero(); segment.configuration_size()];
        if let Some(w) = q.last_mut().filter(|_| segment.configuration_size() > segment.dof()) {
            *w = S::one();
        }
        segment.pose_at_parameters(&q, S::zero())
    };
    tree.segments.iter().map(at_zero).collect()
}

/// Mechanisms with loops, closed in extended precision.
pub(crate) struct Closed<'m, R> {
    mechanism: &'m Mechanism,
    measurement: &'m Measurement,
    closure: Closure<R>,
    stream: Stream,
    /// How far independent coordinates are moved from one state to the next, rad or lengths of a link.
    reach: f64,
    /// The configuration of the last state, from which the next is reached, and the direction.
    here: Vec<f64>,
    course: Vec<f64>,
    /// The largest residual of the states so far.
    open: f64,
    /// Pivot ratio of the passive Jacobian below which a state is too close to a singularity.
    least_pivot: f64,
    extent: Extent,
    /// Below it nothing moves.
    least_reach: f64,
    found: usize,
}

/// How far states are from the file's configuration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Extent {
    /// All along the branch, one after the other: what grows with a high power of the distance shows.
    Branch,
    /// So near that no singularity comes in between: a walk may step across one, into another branch.
    Near,
}

/// Reach of near states and of steps along the branch, rad or lengths of a link.
const NEARBY: f64 = 0.02;
const FAR: f64 = 0.6;

/// Pivots of the passive Jacobian closer to zero than this (relative) are too close to a singularity, unless
/// the reference itself is that close.
const LEAST_PIVOT: f64 = 1e-2;

/// What rounding leaves of a zero, in units of the last digit beside the largest entry. States as close to a
/// singularity as are taken cost a few digits in the closure, its velocities and its accelerations each, and
/// elimination a few more: ten orders, of the 31, 62 or 124 there are.
pub(crate) const ROUNDING: f64 = 1e10;

/// Loops are closed to all digits up to this many units of the last one.
const CLOSED: f64 = 1e6;
/// What an open loop makes of a zero, in units of its residual.
const OPEN: f64 = 1e4;
/// States in about the same direction.
const STRAIGHT: usize = 8;

impl<'m, R: Real> Closed<'m, R> {
    pub(crate) fn new(
        mechanism: &'m Mechanism,
        measurement: &'m Measurement,
        seed: u64,
    ) -> Result<Self, IdentifiabilityError> {
        Self::within(Extent::Branch, mechanism, measurement, seed)
    }

    pub(crate) fn within(
        extent: Extent,
        mechanism: &'m Mechanism,
        measurement: &'m Measurement,
        seed: u64,
    ) -> Result<Self, IdentifiabilityError> {
        let closure = Closure::new(mechanism.robot())?;
        let least_pivot = LEAST_PIVOT.min(0.3 * mechanism.passive_pivot_ratio(mechanism.reference_tree()));
        let stream = Stream::new(seed);
        let here = mechanism.reference_tree().to_vec();
        let (course, open) = (Vec::new(), 0.0);
        let reach = if extent == Extent::Near { NEARBY } else { FAR };
        Ok(Closed {
            mechanism,
            measurement,
            closure,
            stream,
            reach,
            least_reach: reach / 60.0,
            here,
            course,
            open,
            least_pivot,
            extent,
            found: 0,
        })
    }

    /// Whether the loops close to all digits of the arithmetic in all states so far.
    pub(crate) fn is_closed(&self) -> bool {
        self.open <= CLOSED * R::epsilon().to_f64()
    }

    /// Below which fraction of the largest entry pivots are zero, and whether the loops close to all digits
    /// of the arithmetic. Those of a file with rounded numbers don't, being redundant: what they
    /// leave open is noise, not structure.
    pub(crate) fn tolerance(&self) -> (f64, bool) {
        let reference: Vec<R> = self.mechanism.reference_tree().iter().map(|&x| R::from_f64(x)).collect();
        let open = self.closure.attainable_residual(self.mechanism.plan(), &reference);
        let (arithmetic, epsilon) = (ROUNDING * R::epsilon().to_f64(), R::epsilon().to_f64());
        match open > CLOSED * epsilon {
            true => (arithmetic.max(OPEN * open), false),
            false => (arithmetic, true),
        }
    }

    fn state(&mut self) -> Option<Feasible<R>> {
        let mechanism = self.mechanism;
        // A walk along the branch: it keeps its direction for a while, so that it comes far.
        if self.found.is_multiple_of(STRAIGHT) || self.course.is_empty() {
            self.course = (0..mechanism.dof()).map(|_| self.stream.uniform()).collect();
        }
        let (reach, stream) = (self.reach, &mut self.stream);
        let delta: Vec<f64> =
            self.course.iter().map(|x| reach * (0.7 * x + 0.3 * stream.uniform())).collect();
        let walked = mechanism.walked_from(&self.here, &delta);
        self.course.clear();
        let q = walked?;
        if mechanism.passive_pivot_ratio(&q) < self.least_pivot {
            return None;
        }
        let rates = |stream: &mut Stream| -> Vec<R> {
            (0..mechanism.dof()).map(|_| R::from_f64(stream.uniform())).collect()
        };
        let there: Vec<R> = q.iter().map(|x| R::from_f64(*x)).collect();
        let (qd, qdd) = (rates(&mut self.stream), rates(&mut self.stream));
        let (state, open) = self.closure.closed_state(mechanism.plan(), &there, &qd, &qdd).ok()?;
        self.open = self.open.max(open);
        if self.extent == Extent::Branch {
            (self.here, self.course) = (q, delta.iter().map(|x| x / reach).collect());
        }
        Some(state)
    }
}

impl<R: Real> RowSource for Closed<'_, R> {
    type Number = R;
    fn measure(number: &R) -> f64 {
        number.to_f64()
    }
    fn openness(&self) -> f64 {
        if self.is_closed() { 0.0 } else { OPEN * self.open }
    }
    fn candidates(&mut self) -> Result<Vec<Candidate<Self::Number>>, IdentifiabilityError> {
        let states: Vec<_> =
            (0..glimpses(self.mechanism)).map(|_| self.near_state()).collect::<Result<_, _>>()?;
        let reference: Vec<R> = self.mechanism.reference_tree().iter().map(|&x| R::from_f64(x)).collect();
        let still = vec![R::zero(); self.mechanism.dof()];
        let state = self.closure.feasible(self.mechanism.plan(), &reference, &still, &still)?;
        let tree = &self.closure.tree;
        proposed(
            self.mechanism,
            self.measurement,
            &Evidence { tree, reference: &state.poses, states: &states },
        )
    }
    fn rows(&mut self) -> Result<Matrix<R>, IdentifiabilityError> {
        let state = self.near_state()?;
        // States stay around the reference, where a dependent velocity may keep its sign; further on it
        // changes. As for trees, each sign is an unknown of its own unless joints move in a constant ratio.
        let drives = self.measurement.drives();
        let sets = drives.iter().map(|drive| drive.together.0 + 1).max().unwrap_or(0);
        let unknowns: Vec<f64> = (0..sets).map(|_| self.stream.uniform()).collect();
        let along = |drive: &Drive| sign(unknowns[drive.together.0] * f64::from(drive.together.1));
        let signs: Vec<R> = drives.iter().map(along).collect();
        self.measurement.rows(self.mechanism, &self.closure.tree, &state, &signs)
    }
}

impl<R: Real> Closed<'_, R> {
    /// A random assembled state away from singularities.
    fn near_state(&mut self) -> Result<Feasible<R>, IdentifiabilityError> {
        for attempt in 0..200 {
            if let Some(state) = self.state() {
                self.found += 1;
                return Ok(state);
            }
            // Near the edge of the workspace: stay closer, but not so close that nothing moves.
            if attempt % 4 == 3 {
                self.reach = (self.reach * 0.85).max(self.least_reach);
            }
        }
        Err(IdentifiabilityError::TooFewConfigurations {
            robot: self.mechanism.robot().name.clone(),
            found: self.found,
            wanted: self.found + 1,
        })
    }
}

/// Mechanisms with loops that close exactly in F_p, along curves through generic points of the branch, or through
/// the file's configuration. Each coefficient of a row is a row of its own: what vanishes along the curve vanishes on all of them.
pub(crate) struct Curves<'m, const N: usize> {
    mechanism: &'m Mechanism,
    measurement: &'m Measurement,
    curves: Arc<CurveStates<N>>,
    /// Signs of the drives' velocities.
    stream: Stream,
    states: usize,
}

/// Where curves start.
#[derive(Clone, Copy)]
pub(crate) enum Start<'a> {
    /// At the file's configuration.
    File,
    /// At the generic points that all questions to a mechanism share, in turn.
    Generic(&'a [Place]),
    /// At another point.
    At(&'a Place),
}

impl<'m, const N: usize> Curves<'m, N> {
    /// `None` where the field has no such curves.
    pub(crate) fn new(
        mechanism: &'m Mechanism,
        measurement: &'m Measurement,
        start: Start<'_>,
    ) -> Result<Option<Self>, IdentifiabilityError> {
        let is_generic = matches!(start, Start::Generic(_));
        let curves = match start {
            Start::At(place) => Arc::new(CurveStates::new(mechanism, &[place])?),
            Start::File => {
                mechanism.found_once((Prime::current(), is_generic), || CurveStates::new(mechanism, &[]))?
            }
            Start::Generic(places) => {
                let places: Vec<&Place> = places.iter().collect();
                mechanism
                    .found_once((Prime::current(), is_generic), || CurveStates::new(mechanism, &places))?
            }
        };
        let is_there = !curves.arcs.is_empty();
        Ok(is_there.then(|| Curves { mechanism, measurement, curves, stream: Stream::new(17), states: 0 }))
    }

    pub(crate) fn is_exact(&self) -> bool {
        self.curves.arcs.iter().all(|arcs| !arcs.rounded)
    }

    /// A state of the next curve.
    pub(crate) fn state(&mut self) -> Option<Arc<Feasible<Series<N>>>> {
        self.states += 1;
        self.curves.state(self.states - 1)
    }
}

/// States on curves, made when they are asked for: each takes longer than all rows that sensors make of it.
struct CurveStates<const N: usize> {
    /// Through each start; none where the field has no curves there.
    arcs: Vec<Arcs<N>>,
    made: Mutex<Made<N>>,
}

struct Made<const N: usize> {
    stream: Stream,
    /// `None` where the curve leaves the loops open.
    states: Vec<Option<Arc<Feasible<Series<N>>>>>,
}

impl<const N: usize> CurveStates<N> {
    fn new(mechanism: &Mechanism, places: &[&Place]) -> Result<Self, IdentifiabilityError> {
        let mut arcs: Vec<Arcs<N>> = Arcs::new(mechanism)?.into_iter().collect();
        if let ([at_file], false) = (&arcs[..], places.is_empty()) {
            let through: Option<Vec<_>> = places.iter().map(|place| at_file.through(place)).collect();
            arcs = through.unwrap_or_default();
        }
        let made = Made { stream: Stream::new(5), states: Vec::new() };
        Ok(CurveStates { arcs, made: Mutex::new(made) })
    }

    fn state(&self, k: usize) -> Option<Arc<Feasible<Series<N>>>> {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        let Made { stream, states } = &mut *made;
        while states.len() <= k {
            let arcs = &self.arcs[states.len() % self.arcs.len()];
            states.push(arcs.state(|| stream.residue()).map(Arc::new));
        }
        states[k].clone()
    }
}

impl<const N: usize> RowSource for Curves<'_, N> {
    type Number = Fp;
    fn measure(number: &Fp) -> f64 {
        number.measured()
    }
    /// None: curves decide a rank, and candidates are read off states that lie apart.
    fn candidates(&mut self) -> Result<Vec<Candidate<Fp>>, IdentifiabilityError> {
        Ok(Vec::new())
    }
    fn rows(&mut self) -> Result<Matrix<Fp>, IdentifiabilityError> {
        let Some(state) = self.state() else {
            let robot = self.mechanism.robot().name.clone();
            return Err(IdentifiabilityError::TooFewConfigurations { robot, found: 0, wanted: 1 });
        };
        let velocity: Vec<Fp> = state.velocity.iter().map(|x| x.coefficients()[0]).collect();
        let signs = Fp::signs(self.measurement.drives(), &velocity, &mut self.stream);
        let signs: Vec<Series<N>> = signs.into_iter().map(Series::constant).collect();
        let rows = self.measurement.rows(self.mechanism, self.curves.arcs[0].tree(), &state, &signs)?;
        Ok(Matrix::from_fn(rows.rows() * N, rows.columns(), |r, c| rows[(r / N, c)].coefficients()[r % N]))
    }
}
