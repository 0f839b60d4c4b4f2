//! The weights as rational functions of the lengths, for everything that writes,
//! differentiates or evaluates formulas.

use std::sync::Arc;

use steiner_symbols::algebra::{Names, Polynomial, RationalFunction};

use super::base_parameters::PlanarBaseParameters;
use super::product::{LengthFactor, LengthProduct, PlanarWeight};

impl PlanarBaseParameters {
    /// The names of the lengths, each once, in their order.
    pub fn names(&self) -> Arc<Names> {
        let mut names: Vec<String> = Vec::new();
        for length in &self.lengths {
            if !names.contains(&length.name) {
                names.push(length.name.clone());
            }
        }
        Names::new(names, Vec::new())
    }

    /// A product over these names; `None` if it has a name that they lack.
    pub fn rational_function(&self, product: &LengthProduct, names: &Arc<Names>) -> Option<RationalFunction> {
        let length = |k: usize| Polynomial::length(names, &self.lengths[k].name);
        let factor = |factor: &LengthFactor| match factor {
            LengthFactor::Length(k) => length(*k),
            LengthFactor::Square(k) => {
                let [x, y] = self.squares[*k].lengths.map(|k| length(k).map(|l| l.power(2)));
                Some(&x? + &y?)
            }
        };
        let side = |factors: &[LengthFactor]| {
            factors.iter().try_fold(Polynomial::one(names), |total, f| Some(&total * &factor(f)?))
        };
        let function = RationalFunction::new(side(&product.numerator)?, side(&product.denominator)?)?;
        Some(if product.negative { -&function } else { function })
    }

    /// β over given names, base by dependent; `None` if a weight was not recognised.
    pub fn rational_functions(&self, names: &Arc<Names>) -> Option<Vec<Vec<RationalFunction>>> {
        let of = |weight: &PlanarWeight| match weight {
            PlanarWeight::Zero => Some(RationalFunction::zero(names)),
            PlanarWeight::Product(product) => self.rational_function(product, names),
            PlanarWeight::Ambiguous { .. } | PlanarWeight::Outside { .. } => None,
        };
        self.weights.iter().map(|row| row.iter().map(of).collect()).collect()
    }

    /// Base parameters as combinations of all 4 N parameters about the file's origins, over given names;
    /// `None` if a weight was not recognised.
    pub fn rational_functions_in_file_parameters(
        &self,
        names: &Arc<Names>,
    ) -> Option<Vec<Vec<RationalFunction>>> {
        let of = |sum: &super::recast::LengthProductSum| {
            sum.iter().try_fold(RationalFunction::zero(names), |total, (factor, product)| {
                let scaled =
                    &RationalFunction::constant(names, *factor) * &self.rational_function(product, names)?;
                Some(&total + &scaled)
            })
        };
        self.in_file_parameters()?.iter().map(|row| row.iter().map(of).collect()).collect()
    }
}
