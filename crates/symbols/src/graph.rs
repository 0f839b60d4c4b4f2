//! The graph: nodes that are never equal, and references to them that carry a sign.

use std::collections::HashMap;

use steiner_scalar::{DoubleDouble, Real, Scalar};

/// A reference to a node, or to its negative.
///
/// The sign sits on the edge: −x needs no node, and x − y and y − x are two references to one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Expression(u32);

impl Expression {
    /// Zero, in every graph.
    pub const ZERO: Expression = Expression(0);
    /// One, in every graph.
    pub const ONE: Expression = Expression(2);

    pub(crate) fn positive(node: usize) -> Self {
        // A graph of 2³¹ nodes would need more memory than machines that run this have.
        Expression((node as u32) << 1)
    }
    /// The index of the node in [`Graph::nodes`].
    pub fn node(self) -> usize {
        (self.0 >> 1) as usize
    }
    /// Whether it stands for the negative of its node.
    pub fn is_negative(self) -> bool {
        self.0 & 1 == 1
    }
    /// The node without its sign.
    pub fn magnitude(self) -> Self {
        Expression(self.0 & !1)
    }
    /// Its negative. Zero has none but itself.
    pub fn negated(self) -> Self {
        if self.node() == 0 { self } else { Expression(self.0 ^ 1) }
    }
    /// Its negative if asked to.
    pub fn negated_if(self, negative: bool) -> Self {
        if negative { self.negated() } else { self }
    }
}

/// What a node computes. Operands are older than the node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Node {
    /// A number ≥ 0, kept to 30 digits so that sums of constants cancel when they should.
    Constant(DoubleDouble),
    /// A value from outside, by its place in [`Graph::input_names`].
    Input(usize),
    /// A sum; the first operand has the lower index and no sign.
    Sum(Expression, Expression),
    /// A product of two operands without signs, the first with the lower index (constants first).
    Product(Expression, Expression),
    /// A quotient of two operands without signs.
    Quotient(Expression, Expression),
    /// Sine of an operand without sign.
    Sine(Expression),
    /// Cosine of an operand without sign.
    Cosine(Expression),
    /// Square root.
    Root(Expression),
    /// Exponential function.
    Exponential(Expression),
    /// Sign of an operand without sign: 1 if it is positive, −1 if it is negative, otherwise 0.
    Sign(Expression),
}

impl Node {
    /// Its operands, in order; a sign looks at its own twice.
    pub fn operands(&self) -> impl Iterator<Item = Expression> + use<> {
        let pair = match *self {
            Node::Constant(_) | Node::Input(_) => [None, None],
            Node::Sum(a, b) | Node::Product(a, b) | Node::Quotient(a, b) => [Some(a), Some(b)],
            Node::Sine(a) | Node::Cosine(a) | Node::Root(a) | Node::Exponential(a) => [Some(a), None],
            Node::Sign(a) => [Some(a), Some(a)],
        };
        pair.into_iter().flatten()
    }
}

/// What makes two nodes the same. Constants are compared as doubles: code has no more digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Key {
    Constant(u64),
    Input(usize),
    Operation(u8, Expression, Expression),
}

/// Expressions that share what they have in common.
#[derive(Clone)]
pub struct Graph {
    nodes: Vec<Node>,
    index: HashMap<Key, usize>,
    input_names: Vec<String>,
}

impl std::fmt::Debug for Graph {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Graph of {} nodes and {} inputs", self.nodes.len(), self.input_names.len())
    }
}

impl Default for Graph {
    fn default() -> Self {
        Self::new()
    }
}

impl Graph {
    /// With nothing but 0 and 1.
    pub fn new() -> Self {
        let mut graph = Graph { nodes: Vec::new(), index: HashMap::new(), input_names: Vec::new() };
        for x in [0.0, 1.0] {
            graph.constant(DoubleDouble::from_f64(x));
        }
        graph
    }

    /// All nodes, operands before what uses them.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The node behind a reference.
    pub fn node(&self, expression: Expression) -> &Node {
        &self.nodes[expression.node()]
    }

    /// Names of the inputs, as they appear in code.
    pub fn input_names(&self) -> &[String] {
        &self.input_names
    }

    /// The input with a name: a variable or element of an array in the languages it will be printed in.
    pub fn input(&mut self, name: &str) -> Expression {
        let place = self.input_names.iter().position(|known| known == name).unwrap_or_else(|| {
            self.input_names.push(name.to_owned());
            self.input_names.len() - 1
        });
        self.intern(Node::Input(place))
    }

    /// A number.
    pub fn constant(&mut self, x: DoubleDouble) -> Expression {
        let negative = x.to_f64() < 0.0;
        self.intern(Node::Constant(if negative { -x } else { x })).negated_if(negative)
    }

    /// The number an expression is, if it is one.
    pub fn value_of(&self, expression: Expression) -> Option<DoubleDouble> {
        match *self.node(expression) {
            Node::Constant(x) => Some(if expression.is_negative() { -x } else { x }),
            _ => None,
        }
    }

    /// The one node that computes this.
    pub(crate) fn intern(&mut self, node: Node) -> Expression {
        let key = match node {
            // −0 and 0 are one number.
            Node::Constant(x) => Key::Constant((x.to_f64() + 0.0).to_bits()),
            Node::Input(place) => Key::Input(place),
            Node::Sum(a, b) => Key::Operation(0, a, b),
            Node::Product(a, b) => Key::Operation(1, a, b),
            Node::Quotient(a, b) => Key::Operation(2, a, b),
            Node::Sine(a) => Key::Operation(3, a, a),
            Node::Cosine(a) => Key::Operation(4, a, a),
            Node::Root(a) => Key::Operation(5, a, a),
            Node::Sign(a) => Key::Operation(6, a, a),
            Node::Exponential(a) => Key::Operation(7, a, a),
        };
        let nodes = &mut self.nodes;
        let place = *self.index.entry(key).or_insert_with(|| {
            nodes.push(node);
            nodes.len() - 1
        });
        Expression::positive(place)
    }

    /// Values of some expressions, where `inputs` gives that of each name.
    pub fn evaluate(&self, outputs: &[Expression], inputs: &dyn Fn(&str) -> f64) -> Vec<f64> {
        let mut values: Vec<f64> = Vec::with_capacity(self.nodes.len());
        let signed = |values: &[f64], e: Expression| {
            let x = values[e.node()];
            if e.is_negative() { -x } else { x }
        };
        for node in &self.nodes {
            let at = |e| signed(&values, e);
            let value = match *node {
                Node::Constant(x) => x.to_f64(),
                Node::Input(place) => inputs(&self.input_names[place]),
                Node::Sum(a, b) => at(a) + at(b),
                Node::Product(a, b) => at(a) * at(b),
                Node::Quotient(a, b) => at(a) / at(b),
                Node::Sine(a) => at(a).sin(),
                Node::Cosine(a) => at(a).cos(),
                Node::Root(a) => at(a).sqrt(),
                Node::Exponential(a) => at(a).exp(),
                Node::Sign(a) => f64::from(i8::from(at(a) > 0.0) - i8::from(at(a) < 0.0)),
            };
            values.push(value);
        }
        outputs.iter().map(|&e| signed(&values, e)).collect()
    }

    /// For each node, whether some output needs it.
    pub fn needed(&self, outputs: &[Expression]) -> Vec<bool> {
        let mut needed = vec![false; self.nodes.len()];
        outputs.iter().for_each(|e| needed[e.node()] = true);
        for node in (0..self.nodes.len()).rev() {
            if needed[node] {
                self.nodes[node].operands().for_each(|operand| needed[operand.node()] = true);
            }
        }
        needed
    }

    /// How often each node is used by needed nodes and outputs.
    pub fn uses(&self, outputs: &[Expression]) -> Vec<u32> {
        let needed = self.needed(outputs);
        let mut uses = vec![0; self.nodes.len()];
        outputs.iter().for_each(|e| uses[e.node()] += 1);
        for (node, _) in self.nodes.iter().zip(&needed).filter(|(_, needed)| **needed) {
            node.operands().for_each(|operand| uses[operand.node()] += 1);
        }
        uses
    }
}
