//! Numbers go where they cost nothing: c (1 + 2 x) with c = 3 is 3 + 6 x, one product less.
//!
//! Inner sums are kept up to a constant so that they can be shared. One that is used once has nothing to
//! share, and may take in the constant it is multiplied by.

use std::rc::Rc;

use super::{Layer, Nest, operations};
use crate::graph::Expression;

impl Nest {
    /// Moves constants inward, from the results to the innermost sums, and counts again.
    pub(super) fn absorbed(self, alphabets: &[Vec<Expression>]) -> Self {
        let Some(last) = self.layers.len().checked_sub(1) else { return self };
        let layers: Vec<Layer> = self.layers.iter().map(|layer| (**layer).clone()).collect();
        let mut absorbing = Absorbing { uses: uses(&layers, &self), layers, alphabets };
        let mut items = (*self.items).clone();
        for item in &mut items {
            if absorbing.moves(last, item.sum as usize, item.factor) {
                item.factor = 1.0;
            }
        }
        for at in (1..=last).rev() {
            for k in 0..absorbing.layers[at].summands.len() {
                let summand = absorbing.layers[at].summands[k];
                if absorbing.moves(at - 1, summand.sum as usize, summand.factor) {
                    absorbing.layers[at].summands[k].factor = 1.0;
                }
            }
        }
        let of_layer = |(at, layer): (usize, &Layer)| -> usize {
            let values = &alphabets[layer.alphabet];
            (0..layer.len()).map(|index| operations(layer.sum(index), values, at == 0)).sum()
        };
        let inner: usize = absorbing.layers.iter().enumerate().map(of_layer).sum();
        let cost = inner + items.iter().filter(|item| item.factor.abs() != 1.0).count();
        let layers = absorbing.layers.into_iter().map(Rc::new).collect();
        Nest { layers, items: Rc::new(items), cost }
    }
}

/// How often each sum of each layer is used.
fn uses(layers: &[Layer], nest: &Nest) -> Vec<Vec<u32>> {
    let mut uses: Vec<Vec<u32>> = layers.iter().map(|layer| vec![0; layer.len()]).collect();
    for at in 1..layers.len() {
        layers[at].summands.iter().for_each(|summand| uses[at - 1][summand.sum as usize] += 1);
    }
    if let Some(last) = uses.last_mut() {
        nest.items.iter().for_each(|item| last[item.sum as usize] += 1);
    }
    uses
}

struct Absorbing<'a> {
    layers: Vec<Layer>,
    uses: Vec<Vec<u32>>,
    alphabets: &'a [Vec<Expression>],
}

impl Absorbing<'_> {
    /// Multiplies a sum by a number if nothing else uses it and it saves a product.
    fn moves(&mut self, layer: usize, sum: usize, factor: f64) -> bool {
        let saves = factor.abs() != 1.0 && self.uses[layer][sum] == 1 && self.is_free(layer, sum);
        if saves {
            self.multiply(layer, sum, factor);
        }
        saves
    }

    /// Whether a sum can be multiplied by any number without a product more.
    fn is_free(&self, layer: usize, sum: usize) -> bool {
        self.layers[layer].range(sum).all(|k| self.takes(layer, k) || self.passes_on(layer, k))
    }

    /// Whether a summand is a number, or has a number as factor already.
    fn takes(&self, layer: usize, k: usize) -> bool {
        let summand = self.layers[layer].summands[k];
        let value = self.alphabets[self.layers[layer].alphabet][summand.digit as usize];
        summand.factor.abs() != 1.0 || (layer == 0 && value == Expression::ONE)
    }

    /// Whether the sum inside a summand can be multiplied instead.
    fn passes_on(&self, layer: usize, k: usize) -> bool {
        let inner = self.layers[layer].summands[k].sum as usize;
        layer > 0 && self.uses[layer - 1][inner] == 1 && self.is_free(layer - 1, inner)
    }

    fn multiply(&mut self, layer: usize, sum: usize, factor: f64) {
        for k in self.layers[layer].range(sum) {
            if self.takes(layer, k) {
                self.layers[layer].summands[k].factor *= factor;
            } else {
                let inner = self.layers[layer].summands[k].sum as usize;
                self.multiply(layer - 1, inner, factor);
            }
        }
    }
}
