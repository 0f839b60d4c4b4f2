//! Straight-line code from a graph.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;

use steiner_scalar::Real;

use crate::graph::{Expression, Graph, Node};
use crate::schedule::{Order, Step, schedule};

/// The language of the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// C99.
    C,
    /// Rust; additions, multiplications and divisions need nothing but `core`.
    Rust,
    /// Python 3.
    Python,
}

/// The width of its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Precision {
    /// 64 bits.
    #[default]
    Double,
    /// 32 bits.
    Single,
}

impl Precision {
    /// The name of the type.
    pub fn type_name(self, language: Language) -> &'static str {
        match (self, language) {
            (Precision::Double, Language::C) => "double",
            (Precision::Single, Language::C) => "float",
            (Precision::Double, Language::Rust) => "f64",
            (Precision::Single, Language::Rust) => "f32",
            (_, Language::Python) => "float",
        }
    }

    /// A number as the language writes it: the shortest decimal that is read as the same number.
    pub fn literal(self, language: Language, x: f64) -> String {
        match self {
            Precision::Double => format!("{x:?}"),
            Precision::Single if language == Language::C => format!("{:?}f", x as f32),
            Precision::Single => format!("{:?}", x as f32),
        }
    }
}

/// Expressions longer than this become a variable of their own.
const LONGEST_INLINE: usize = 56;

/// Writes the statements of a function's body.
#[derive(Clone, Debug)]
pub struct Printer {
    language: Language,
    precision: Precision,
    order: Order,
    bound: HashMap<Expression, String>,
}

/// How tightly the surroundings of an expression bind.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Binding {
    Sum,
    Product,
    Divisor,
}

impl Printer {
    /// A printer for a language and a number type.
    pub fn new(language: Language, precision: Precision) -> Self {
        Printer { language, precision, order: Order::default(), bound: HashMap::new() }
    }

    /// Prints statements in this order.
    pub fn ordered(self, order: Order) -> Self {
        Printer { order, ..self }
    }

    /// An expression whose value is there already, under a name: sines and cosines, for instance.
    pub fn bind(&mut self, expression: Expression, name: String) {
        self.bound.insert(expression, name);
    }

    /// The sine of an angle is there already.
    pub fn bind_sine(&mut self, graph: &Graph, angle: Expression, name: String) {
        self.bind_node(graph, Node::Sine(angle), name);
    }

    /// The cosine of an angle is there already.
    pub fn bind_cosine(&mut self, graph: &Graph, angle: Expression, name: String) {
        self.bind_node(graph, Node::Cosine(angle), name);
    }

    fn bind_node(&mut self, graph: &Graph, wanted: Node, name: String) {
        if let Some(node) = graph.nodes().iter().position(|node| *node == wanted) {
            self.bind(Expression::positive(node), name);
        }
    }

    /// An expression in one piece, without variables.
    pub fn inline(&self, graph: &Graph, expression: Expression) -> String {
        Page { printer: self, graph, text: HashMap::new() }.signed(expression)
    }

    /// Statements that assign every output: pairs of a place and its value.
    ///
    /// Inputs appear under their names; what is used more than once, or is long,
    /// becomes a variable `t0`, `t1`, …
    pub fn statements(&self, graph: &Graph, outputs: &[(String, Expression)]) -> String {
        let values: Vec<Expression> = outputs.iter().map(|(_, value)| *value).collect();
        let uses = self.uses(graph, &values);
        let is_output: HashSet<usize> = values.iter().map(|value| value.node()).collect();
        let mut page = Page { printer: self, graph, text: HashMap::new() };
        let mut code = String::new();
        let mut variables = 0;
        for step in schedule(graph, &values, self.order) {
            match step {
                Step::Compute(node) => {
                    let own = Expression::positive(node);
                    if uses[node] == 0 || self.bound.contains_key(&own) {
                        continue;
                    }
                    let text = page.operation(own, Binding::Sum);
                    if uses[node] == 1 && (text.len() <= LONGEST_INLINE || is_output.contains(&node)) {
                        continue;
                    }
                    let name = format!("t{variables}");
                    variables += 1;
                    self.declaration(&mut code, &name, &text);
                    page.text.insert(node, name);
                }
                Step::Output(place) => {
                    let (target, value) = &outputs[place];
                    let text = page.signed(*value);
                    let end = if self.language == Language::Python { "" } else { ";" };
                    let _ = writeln!(code, "    {target} = {text}{end}");
                }
            }
        }
        code
    }

    /// How often each node is written: as [`Graph::uses`], but nothing needs the
    /// operands of what is there already.
    fn uses(&self, graph: &Graph, outputs: &[Expression]) -> Vec<u32> {
        let mut uses = vec![0; graph.nodes().len()];
        outputs.iter().for_each(|e| uses[e.node()] += 1);
        for node in (0..uses.len()).rev() {
            if uses[node] > 0 && !self.bound.contains_key(&Expression::positive(node)) {
                graph.nodes()[node].operands().for_each(|operand| uses[operand.node()] += 1);
            }
        }
        uses
    }

    fn declaration(&self, code: &mut String, name: &str, text: &str) {
        let _ = match self.language {
            Language::C => {
                writeln!(code, "    const {} {name} = {text};", self.precision.type_name(self.language))
            }
            Language::Rust => writeln!(code, "    let {name} = {text};"),
            Language::Python => writeln!(code, "    {name} = {text}"),
        };
    }
}

/// Expressions as text, where some nodes have become variables.
struct Page<'a> {
    printer: &'a Printer,
    graph: &'a Graph,
    text: HashMap<usize, String>,
}

impl Page<'_> {
    /// With its sign.
    fn signed(&self, e: Expression) -> String {
        match (e.is_negative(), self.name(e)) {
            (false, _) => self.text(e, Binding::Sum),
            (true, None) if matches!(self.graph.node(e), Node::Sum(..)) => self.operation(e, Binding::Sum),
            (true, _) => match (self.negated_factor(e), self.name(e)) {
                (Some(text), None) => text,
                _ => format!("-{}", self.text(e.magnitude(), Binding::Product)),
            },
        }
    }

    /// −a (b − c) as a (c − b), where the difference is written in place.
    fn negated_factor(&self, e: Expression) -> Option<String> {
        let Node::Product(a, b) = *self.graph.node(e) else { return None };
        let is_open = |f: Expression| matches!(self.graph.node(f), Node::Sum(..)) && self.name(f).is_none();
        let (kept, turned) = if is_open(b) { (a, b) } else { (b, a) };
        is_open(turned).then(|| {
            let turned = self.operation(turned.negated(), Binding::Divisor);
            format!("{} * {turned}", self.text(kept, Binding::Product))
        })
    }

    /// The variable, input or number that it is.
    fn name(&self, e: Expression) -> Option<String> {
        let bound = self.printer.bound.get(&e.magnitude()).or_else(|| self.text.get(&e.node()));
        match (bound, self.graph.node(e)) {
            (Some(name), _) => Some(name.clone()),
            (None, Node::Constant(x)) => {
                Some(self.printer.precision.literal(self.printer.language, x.to_f64()))
            }
            (None, Node::Input(place)) => Some(self.graph.input_names()[*place].clone()),
            _ => None,
        }
    }

    /// Without its sign.
    fn text(&self, e: Expression, around: Binding) -> String {
        self.name(e).unwrap_or_else(|| self.operation(e.magnitude(), around))
    }

    /// What a node does to its operands; a sum takes the sign of the reference into account.
    fn operation(&self, e: Expression, around: Binding) -> String {
        let (text, own) = match *self.graph.node(e) {
            Node::Sum(a, b) => {
                let (a, b) = (a.negated_if(e.is_negative()), b.negated_if(e.is_negative()));
                let (a, b) = if a.is_negative() && !b.is_negative() { (b, a) } else { (a, b) };
                let lead = if a.is_negative() { "-" } else { "" };
                let sign = if b.is_negative() { "-" } else { "+" };
                let first = self.text(a, if a.is_negative() { Binding::Product } else { Binding::Sum });
                (format!("{lead}{first} {sign} {}", self.text(b, Binding::Product)), Binding::Sum)
            }
            Node::Product(a, b) => {
                let text = format!("{} * {}", self.text(a, Binding::Product), self.text(b, Binding::Divisor));
                (text, Binding::Product)
            }
            Node::Quotient(a, b) => {
                let text = format!("{} / {}", self.text(a, Binding::Product), self.text(b, Binding::Divisor));
                (text, Binding::Product)
            }
            Node::Sine(a) => return self.call("sin", a),
            Node::Cosine(a) => return self.call("cos", a),
            Node::Root(a) => return self.call("sqrt", a),
            Node::Exponential(a) => return self.call("exp", a),
            Node::Sign(a) => return self.sign(a),
            Node::Constant(_) | Node::Input(_) => return self.name(e).unwrap_or_default(),
        };
        if around > own { format!("({text})") } else { text }
    }

    /// Comparisons subtracted: no branch, and 0 for what is neither positive nor negative.
    fn sign(&self, argument: Expression) -> String {
        let Printer { language, precision, .. } = *self.printer;
        let (x, number) = (self.text(argument, Binding::Divisor), precision.type_name(language));
        let zero = precision.literal(language, 0.0);
        match language {
            Language::C => format!("({number})(({x} > {zero}) - ({x} < {zero}))"),
            Language::Rust => format!("{number}::from(i8::from({x} > {zero}) - i8::from({x} < {zero}))"),
            Language::Python => format!("float(({x} > {zero}) - ({x} < {zero}))"),
        }
    }

    fn call(&self, function: &str, argument: Expression) -> String {
        let argument = self.signed(argument);
        match (self.printer.language, self.printer.precision) {
            (Language::Rust, _) => format!("({argument}).{function}()"),
            (Language::C, Precision::Single) => format!("{function}f({argument})"),
            _ => format!("{function}({argument})"),
        }
    }
}
