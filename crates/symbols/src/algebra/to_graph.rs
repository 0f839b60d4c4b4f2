//! Formulas as expression graphs, for the printer of C, Rust and Python.

use super::factored::Factored;
use super::names::{Names, Variable};
use super::polynomial::Polynomial;
use super::radical::Radical;
use super::rational_function::RationalFunction;
use crate::graph::{Expression, Graph};

/// Where a graph takes lengths and angles from: names of inputs in code.
pub struct Inputs<'a> {
    /// The code for a length by its place, in m.
    pub length: &'a dyn Fn(usize) -> String,
    /// The code for an angle by its place, in rad.
    pub angle: &'a dyn Fn(usize) -> String,
}

impl Inputs<'_> {
    fn variable(&self, graph: &mut Graph, names: &Names, place: usize) -> Expression {
        match names.variable(place) {
            Variable::Length(k) => graph.input(&(self.length)(k)),
            Variable::Cosine(k) => {
                let angle = graph.input(&(self.angle)(k));
                graph.cosine(angle)
            }
            Variable::Sine(k) => {
                let angle = graph.input(&(self.angle)(k));
                graph.sine(angle)
            }
        }
    }
}

impl Polynomial {
    /// Its value as an expression of a graph.
    pub fn expression(&self, graph: &mut Graph, inputs: &Inputs<'_>) -> Expression {
        let mut sum = Expression::ZERO;
        for (monomial, c) in super::reading::shortest(&self.names, &self.terms).iter() {
            let mut product = constant(graph, c);
            for (place, e) in monomial.exponents().iter().enumerate().filter(|(_, e)| **e > 0) {
                let variable = inputs.variable(graph, &self.names, place);
                let power = power(graph, variable, (*e).into());
                product = graph.product(product, power);
            }
            sum = graph.sum(sum, product);
        }
        sum
    }
}

impl RationalFunction {
    /// Its value as an expression of a graph, common variables taken out of sums.
    pub fn expression(&self, graph: &mut Graph, inputs: &Inputs<'_>) -> Expression {
        Factored::plain(self).expression(graph, inputs)
    }
}

impl Factored {
    /// Its value as an expression of a graph; factors that several formulas share are computed once.
    pub fn expression(&self, graph: &mut Graph, inputs: &Inputs<'_>) -> Expression {
        let mut sides = [constant(graph, &self.coefficient), Expression::ONE];
        for (place, e) in self.powers.iter().enumerate().filter(|(_, e)| **e != 0) {
            let variable = inputs.variable(graph, &self.names, place);
            let power = power(graph, variable, e.unsigned_abs());
            let side = &mut sides[usize::from(*e < 0)];
            *side = graph.product(*side, power);
        }
        for (factor, e) in &self.factors {
            let value = factor.expression(graph, inputs);
            let power = power(graph, value, e.unsigned_abs());
            let side = &mut sides[usize::from(*e < 0)];
            *side = graph.product(*side, power);
        }
        graph.quotient(sides[0], sides[1])
    }
}

fn constant(graph: &mut Graph, value: &Radical) -> Expression {
    graph.constant(value.to_wide())
}

fn power(graph: &mut Graph, base: Expression, exponent: u32) -> Expression {
    (0..exponent).fold(Expression::ONE, |product, _| graph.product(product, base))
}
