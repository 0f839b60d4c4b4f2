//! A scalar that records: generic kernels run with it and leave a graph behind.

use std::cell::RefCell;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

use steiner_scalar::{DoubleDouble, Evaluated, EvaluationError, Exact, Field, Real, Scalar, Trigonometric};

use crate::graph::{Expression, Graph};
use crate::simplify::settled;

thread_local! {
    /// The graph being recorded on this thread. Kernels want numbers that are
    /// `Copy`, so a number cannot own it.
    static RECORDING: RefCell<Option<Graph>> = const { RefCell::new(None) };
}

/// A number of the recording under way on this thread.
///
/// # Panics
/// Arithmetic outside [`trace`] panics, as would a number that outlives its recording.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Traced(Expression);

/// Hands out the inputs of a recording.
#[derive(Debug)]
pub struct Tracer(());

impl Tracer {
    /// An input by the name it has in code: `q[0]`.
    pub fn input(&self, name: &str) -> Traced {
        Traced(with_graph(|graph| graph.input(name)))
    }
    /// `count` elements of an array: `q[0]`, `q[1]`, …
    pub fn inputs(&self, array: &str, count: usize) -> Vec<Traced> {
        (0..count).map(|k| self.input(&format!("{array}[{k}]"))).collect()
    }
    /// What is built on the graph itself, such as [`crate::nested_sums`], as numbers of the recording.
    pub fn record(&self, build: impl FnOnce(&mut Graph) -> Vec<Expression>) -> Vec<Traced> {
        with_graph(build).into_iter().map(Traced).collect()
    }
}

/// Runs a computation on traced numbers and returns what it recorded.
///
/// # Panics
/// When called inside itself: the numbers of two recordings must not mix.
pub fn trace<R>(record: impl FnOnce(&Tracer) -> R) -> (Graph, R) {
    /// Forgets the recording even if the computation panics.
    struct Ending;
    impl Drop for Ending {
        fn drop(&mut self) {
            RECORDING.with(|recording| recording.borrow_mut().take());
        }
    }
    RECORDING.with(|recording| {
        let before = recording.borrow_mut().replace(Graph::new());
        assert!(before.is_none(), "a recording inside a recording");
    });
    let ending = Ending;
    let result = record(&Tracer(()));
    let graph = with_graph(std::mem::take);
    drop(ending);
    (graph, result)
}

fn with_graph<R>(f: impl FnOnce(&mut Graph) -> R) -> R {
    RECORDING.with(|recording| match recording.borrow_mut().as_mut() {
        Some(graph) => f(graph),
        None => panic!("a traced number outside `trace`"),
    })
}

impl Traced {
    /// What it stands for in the graph.
    pub fn expression(self) -> Expression {
        self.0
    }
    /// Square root.
    pub fn sqrt(self) -> Self {
        Traced(with_graph(|graph| graph.root(self.0)))
    }
    /// Exponential function.
    pub fn exp(self) -> Self {
        Traced(with_graph(|graph| graph.exponential(self.0)))
    }
    /// 1, −1 or 0.
    pub fn sign(self) -> Self {
        Traced(with_graph(|graph| graph.sign(self.0)))
    }
}

impl Add for Traced {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Traced(with_graph(|graph| graph.sum(self.0, other.0)))
    }
}

impl Sub for Traced {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Traced(with_graph(|graph| graph.difference(self.0, other.0)))
    }
}

impl Mul for Traced {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Traced(with_graph(|graph| graph.product(self.0, other.0)))
    }
}

impl Div for Traced {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        Traced(with_graph(|graph| graph.quotient(self.0, other.0)))
    }
}

impl Neg for Traced {
    type Output = Self;
    fn neg(self) -> Self {
        Traced(self.0.negated())
    }
}

impl AddAssign for Traced {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Traced {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Field for Traced {
    fn zero() -> Self {
        Traced(Expression::ZERO)
    }
    fn one() -> Self {
        Traced(Expression::ONE)
    }
    fn from_i64(n: i64) -> Self {
        Traced(with_graph(|graph| graph.constant(DoubleDouble::from_i64(n))))
    }
    fn try_inv(&self) -> Option<Self> {
        (*self != Self::zero()).then(|| self.inv())
    }
    /// Constants weigh what they are; of anything else all that is known is that it is not identically zero.
    fn pivot_weight(&self) -> f64 {
        with_graph(|graph| graph.value_of(self.0)).map_or(1.0, |x| x.abs().to_f64())
    }
    fn evaluate(source: &Exact) -> Result<Evaluated<Self>, EvaluationError> {
        let wide = DoubleDouble::evaluate(source)?;
        let value = Traced(with_graph(|graph| graph.constant(settled(wide.value))));
        Ok(Evaluated { value, rounded: wide.rounded })
    }
}

impl Scalar for Traced {
    const LARGE: bool = true;

    fn from_f64(x: f64) -> Self {
        Traced(with_graph(|graph| graph.constant(DoubleDouble::from_f64(x))))
    }
    fn inv(self) -> Self {
        Self::one() / self
    }
}

impl Trigonometric for Traced {
    fn sin_cos(self) -> (Self, Self) {
        with_graph(|graph| (Traced(graph.sine(self.0)), Traced(graph.cosine(self.0))))
    }
}
