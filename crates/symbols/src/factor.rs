//! Common factors taken out of sums: a x + b x = (a + b) x, where the products serve nothing else.

use std::collections::HashMap;

use crate::cost::count;
use crate::graph::{Expression, Graph, Node};

/// Rewrites a graph with common factors taken out, as long as that saves operations.
pub fn factor(graph: &Graph, outputs: &[Expression]) -> (Graph, Vec<Expression>) {
    let mut best = (graph.clone(), outputs.to_vec());
    let operations = |(graph, outputs): &(Graph, Vec<Expression>)| {
        let operations = count(graph, outputs);
        operations.multiplications + operations.additions
    };
    loop {
        let next = factored_once(&best.0, &best.1);
        if operations(&next) >= operations(&best) {
            return best;
        }
        best = next;
    }
}

/// One pass over all sums.
fn factored_once(graph: &Graph, outputs: &[Expression]) -> (Graph, Vec<Expression>) {
    let uses = graph.uses(outputs);
    let mut pass = Pass { old: graph, uses: &uses, new: Graph::new(), image: vec![None; uses.len()] };
    // Inputs keep their order, so that both graphs mean the same by a place.
    for name in graph.input_names() {
        pass.new.input(name);
    }
    let inside = pass.inside_sums();
    for node in (0..uses.len()).filter(|&node| uses[node] > 0 && !inside[node]) {
        pass.image[node] = Some(pass.rebuilt(node));
    }
    let outputs = outputs.iter().map(|&e| pass.image_of(e)).collect();
    (pass.new, outputs)
}

struct Pass<'a> {
    old: &'a Graph,
    uses: &'a [u32],
    new: Graph,
    image: Vec<Option<Expression>>,
}

impl Pass<'_> {
    /// Sums that are only a part of one other sum, and products that are only a term of
    /// one: they are seen from there.
    fn inside_sums(&self) -> Vec<bool> {
        let mut inside = vec![false; self.uses.len()];
        for (node, _) in self.old.nodes().iter().zip(self.uses).filter(|(_, uses)| **uses > 0) {
            if let Node::Sum(a, b) = node {
                for part in [a, b] {
                    inside[part.node()] |= self.is_own_part(*part);
                }
            }
        }
        inside
    }

    fn is_own_part(&self, part: Expression) -> bool {
        self.uses[part.node()] == 1 && matches!(self.old.node(part), Node::Sum(..) | Node::Product(..))
    }

    fn image_of(&mut self, e: Expression) -> Expression {
        let image = match self.image[e.node()] {
            Some(image) => image,
            // A part seen on its own after all: a factor of a term, for instance.
            None => {
                let image = self.rebuilt(e.node());
                self.image[e.node()] = Some(image);
                image
            }
        };
        image.negated_if(e.is_negative())
    }

    fn rebuilt(&mut self, node: usize) -> Expression {
        match self.old.nodes()[node] {
            Node::Constant(x) => self.new.constant(x),
            Node::Input(place) => self.new.input(&self.old.input_names()[place]),
            Node::Sum(..) => {
                let mut terms = Vec::new();
                self.flatten(Expression::positive(node), true, &mut terms);
                self.grouped(terms)
            }
            Node::Product(a, b) => {
                let (a, b) = (self.image_of(a), self.image_of(b));
                self.new.product(a, b)
            }
            Node::Quotient(a, b) => {
                let (a, b) = (self.image_of(a), self.image_of(b));
                self.new.quotient(a, b)
            }
            Node::Sine(a) => {
                let a = self.image_of(a);
                self.new.sine(a)
            }
            Node::Cosine(a) => {
                let a = self.image_of(a);
                self.new.cosine(a)
            }
            Node::Root(a) => {
                let a = self.image_of(a);
                self.new.root(a)
            }
            Node::Exponential(a) => {
                let a = self.image_of(a);
                self.new.exponential(a)
            }
            Node::Sign(a) => {
                let a = self.image_of(a);
                self.new.sign(a)
            }
        }
    }

    /// The terms of a sum, with those of sums that serve nothing else.
    fn flatten(&self, e: Expression, open: bool, terms: &mut Vec<Expression>) {
        match *self.old.node(e) {
            Node::Sum(a, b) if open => {
                for part in [a, b].map(|part| part.negated_if(e.is_negative())) {
                    self.flatten(part, self.is_own_part(part), terms);
                }
            }
            _ => terms.push(e),
        }
    }

    /// The factors of a term that is a product and serves nothing else.
    fn factors(&self, term: Expression) -> Option<[Expression; 2]> {
        match *self.old.node(term) {
            Node::Product(a, b) if self.uses[term.node()] == 1 => Some([a, b]),
            _ => None,
        }
    }

    /// Sums terms, the most common factor taken out first.
    fn grouped(&mut self, terms: Vec<Expression>) -> Expression {
        let mut occurrences: HashMap<Expression, usize> = HashMap::new();
        for [a, b] in terms.iter().filter_map(|&term| self.factors(term)) {
            *occurrences.entry(a).or_default() += 1;
            if a != b {
                *occurrences.entry(b).or_default() += 1;
            }
        }
        let common =
            occurrences.into_iter().max_by_key(|&(factor, times)| (times, std::cmp::Reverse(factor)));
        let Some((common, _)) = common.filter(|(_, times)| *times > 1) else {
            return self.summed(&terms);
        };
        let (mut cofactors, mut others) = (Vec::new(), Vec::new());
        for term in terms {
            match self.factors(term) {
                Some([a, b]) if a == common => cofactors.push(b.negated_if(term.is_negative())),
                Some([a, b]) if b == common => cofactors.push(a.negated_if(term.is_negative())),
                _ => others.push(term),
            }
        }
        let inner = self.grouped(cofactors);
        let factor = self.image_of(common);
        let product = self.new.product(factor, inner);
        if others.is_empty() {
            return product;
        }
        let rest = self.grouped(others);
        self.new.sum(rest, product)
    }

    fn summed(&mut self, terms: &[Expression]) -> Expression {
        let mut sum = Expression::ZERO;
        for &term in terms {
            let image = self.image_of(term);
            sum = self.new.sum(sum, image);
        }
        sum
    }
}
