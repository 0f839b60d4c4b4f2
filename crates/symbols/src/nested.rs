//! Sums of products, nested: Σ c · x_i y_j z_k = Σ_i x_i (Σ_j y_j (Σ_k c z_k)),
//! with every inner sum written once.
//!
//! One factor after the other is taken into inner sums, as in section 4.1 of \[lloyd2021\]. Two things go
//! beyond it. Inner sums that differ by a constant only are one sum, whatever result they belong to. And the
//! order of the factors is the best one: the sums that are left when a set of factors has been taken in don't
//! depend on the order within the set, so the best order is a shortest path through the sets.

mod absorb;
mod layer;

use std::collections::HashMap;
use std::rc::Rc;

use layer::{Layer, Summand, Table, normalise};
use steiner_linalg::checkpoint;
use steiner_scalar::{DoubleDouble, Scalar};

use crate::graph::{Expression, Graph};

/// One product: a number times one value of each alphabet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProductTerm {
    /// Which result it is added to.
    pub output: u16,
    /// Which value of each alphabet is a factor; 0 beyond the last alphabet.
    pub digits: [u8; MOST_ALPHABETS],
    /// Numeric factor of the product.
    pub factor: f64,
}

/// Most alphabets a product can have factors from.
pub const MOST_ALPHABETS: usize = 14;

/// What is left of numbers that cancel, relative to them.
const CANCELLED: f64 = 1e-14;

/// How many products the search for the best order may touch before it keeps only the most promising sets.
const EFFORT: usize = 20_000_000;

/// Sums up products with few operations.
///
/// `alphabets` are the values that factors are taken from, [`Expression::ONE`] where there is none. Numbers
/// that agree to 13 digits are taken for one, so results carry relative errors of that size, not more.
///
/// # Panics
/// With more than 14 alphabets, or digits that are not in them.
pub fn nested_sums(
    graph: &mut Graph,
    alphabets: &[Vec<Expression>],
    outputs: usize,
    terms: &[ProductTerm],
) -> Vec<Expression> {
    assert!(alphabets.len() <= MOST_ALPHABETS, "at most {MOST_ALPHABETS} alphabets");
    Nest::best(alphabets, terms).written(graph, alphabets, outputs)
}

/// What is left of a product: the result, and the digits of the alphabets not yet taken in.
#[derive(Clone, Copy, Debug)]
struct Item {
    /// The output above, then a byte for each alphabet.
    key: u128,
    /// The inner sum that stands for what was taken in.
    sum: u32,
    factor: f64,
}

/// The layers from the inside, and what the results are made of.
#[derive(Clone)]
struct Nest {
    layers: Vec<Rc<Layer>>,
    items: Rc<Vec<Item>>,
    /// Operations of all layers.
    cost: usize,
}

impl Nest {
    /// All products, each once.
    fn start(terms: &[ProductTerm]) -> Self {
        let key = |term: &ProductTerm| {
            let output = u128::from(term.output) << (8 * MOST_ALPHABETS);
            let digits = term.digits.iter().enumerate();
            digits.fold(output, |key, (k, &digit)| key | u128::from(digit) << (8 * k))
        };
        let mut products: Vec<(u128, f64)> = terms.iter().map(|term| (key(term), term.factor)).collect();
        products.sort_by_key(|product| product.0);
        let items = products.chunk_by(|a, b| a.0 == b.0).filter_map(|same| {
            let (factor, size) =
                same.iter().fold((0.0, 0.0), |(sum, size), (_, x)| (sum + x, size + x.abs()));
            (f64::abs(factor) > CANCELLED * size).then_some(Item { key: same[0].0, sum: 0, factor })
        });
        Nest { layers: Vec::new(), items: Rc::new(items.collect()), cost: 0 }
    }

    /// The best order: layer by layer, the cheapest way to each set of alphabets.
    fn best(alphabets: &[Vec<Expression>], terms: &[ProductTerm]) -> Self {
        let start = Nest::start(terms);
        let width = EFFORT / (start.items.len() * alphabets.len()).max(1);
        let mut sets = vec![(0usize, start)];
        for _ in 1..alphabets.len() {
            let mut next: HashMap<usize, Nest> = HashMap::new();
            for (set, nest) in &sets {
                for alphabet in (0..alphabets.len()).filter(|k| set >> k & 1 == 0) {
                    let wider = set | 1 << alphabet;
                    let bound = next.get(&wider).map_or(usize::MAX, |known| known.cost);
                    if nest.cost < bound {
                        let candidate = nest.taking_in(alphabet, &alphabets[alphabet]);
                        if candidate.cost < bound {
                            next.insert(wider, candidate);
                        }
                    }
                }
            }
            sets = next.into_iter().collect();
            // Every item that is left costs an operation at least.
            sets.sort_by_key(|(set, nest)| (nest.cost + nest.items.len(), *set));
            sets.truncate(width.max(1));
        }
        let last = |set: usize| (0..alphabets.len()).find(|k| set >> k & 1 == 0);
        let whole = sets.iter().filter_map(|(set, nest)| {
            let alphabet = last(*set)?;
            Some(nest.taking_in(alphabet, &alphabets[alphabet]).absorbed(alphabets))
        });
        whole.min_by_key(|nest| nest.cost).unwrap_or_else(|| sets.swap_remove(0).1)
    }

    /// Takes the factors of one alphabet into the inner sums: (57).
    fn taking_in(&self, alphabet: usize, values: &[Expression]) -> Self {
        let shift = 8 * alphabet;
        let mut order: Vec<(u128, u8, u32)> = (0..)
            .zip(self.items.iter())
            .map(|(k, item)| (item.key & !(255 << shift), (item.key >> shift) as u8, k))
            .collect();
        order.sort_unstable();
        let mut table = Table::new(alphabet);
        let mut items = Vec::new();
        let mut cost = self.cost;
        let mut summands: Vec<Summand> = Vec::new();
        checkpoint();
        for group in order.chunk_by(|a, b| a.0 == b.0) {
            summands.clear();
            for &(_, digit, k) in group {
                let Item { sum, factor, .. } = self.items[k as usize];
                summands.push(Summand { digit, sum, factor });
            }
            let factor = normalise(&mut summands);
            let (sum, new) = table.intern(&summands);
            if new {
                cost += operations(&summands, values, self.layers.is_empty());
            }
            items.push(Item { key: group[0].0, sum, factor });
        }
        let mut layers = self.layers.clone();
        layers.push(Rc::new(table.into_layer()));
        Nest { layers, items: Rc::new(items), cost }
    }

    /// The sums as expressions.
    fn written(&self, graph: &mut Graph, alphabets: &[Vec<Expression>], outputs: usize) -> Vec<Expression> {
        let mut inner = vec![Expression::ONE];
        for layer in &self.layers {
            let values = &alphabets[layer.alphabet];
            let sums = (0..layer.len()).map(|index| {
                layer.sum(index).iter().fold(Expression::ZERO, |sum, summand| {
                    let value = values[summand.digit as usize];
                    let term = scaled(graph, summand.factor, value, inner[summand.sum as usize]);
                    graph.sum(sum, term)
                })
            });
            inner = sums.collect();
        }
        let mut results = vec![Expression::ZERO; outputs];
        for item in self.items.iter() {
            let value = scaled(graph, item.factor, Expression::ONE, inner[item.sum as usize]);
            let result = &mut results[(item.key >> (8 * MOST_ALPHABETS)) as usize];
            *result = graph.sum(*result, value);
        }
        results
    }
}

/// What a sum costs: additions, and products that are none by one.
fn operations(summands: &[Summand], values: &[Expression], innermost: bool) -> usize {
    let products = |summand: &Summand| {
        let plain = values[summand.digit as usize] == Expression::ONE;
        usize::from(!innermost && !plain) + usize::from(summand.factor.abs() != 1.0 && !(innermost && plain))
    };
    summands.iter().map(products).sum::<usize>() + summands.len() - 1
}

fn scaled(graph: &mut Graph, factor: f64, value: Expression, sum: Expression) -> Expression {
    let product = graph.product(value, sum);
    let factor = graph.constant(DoubleDouble::from_f64(factor));
    graph.product(factor, product)
}
