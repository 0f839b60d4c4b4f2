//! Whether formulas found at prime lengths may be believed elsewhere.

use super::base_parameters::{PlanarBaseParameters, TransferCheck};

/// Forces that combinations may exert which should exert none, relative to those of their parts: rounding of
/// doubles in weights of a few dozen parameters is below 1e-14.
const INVISIBLE: f64 = 1e-12;

impl PlanarBaseParameters {
    /// Why the formulas may not be used, in a few words; `None` if all weights were
    /// recognised and every check agrees.
    pub fn doubt(&self) -> Option<String> {
        let open = self.unrecognised();
        if let Some(&(b, d)) = open.first() {
            let (dependent, base) = (&self.labels[self.dependent[d]], &self.labels[self.base[b]]);
            return Some(match open.len() {
                1 => format!("the weight of {dependent} in {base} is no single product of lengths"),
                n => format!("{n} weights are no single products of lengths ({dependent} in {base}, …)"),
            });
        }
        if let TransferCheck::Differ { entries } = &self.transfers {
            let n = entries.len();
            return Some(format!("{n} of the products differ from what transfers of mass and inertia give"));
        }
        match self.residual {
            Some(residual) if residual <= INVISIBLE && self.at_file.is_some() => {}
            Some(residual) if residual > INVISIBLE => {
                return Some(format!(
                    "at the lengths of the file the products leave {residual:.0e} of a force that should vanish"
                ));
            }
            _ => return Some("the products could not be compared with the mechanism of the file".to_owned()),
        }
        (self.verified_at() == 0).then(|| "the products were compared at no lengths but their own".to_owned())
    }

    /// At how many sets of lengths, other than those they were found at, all formulas were
    /// compared with weights found without them: those of the transfers, and the file's unless
    /// they are the prime lengths themselves.
    pub fn verified_at(&self) -> usize {
        let transfers = match self.transfers {
            TransferCheck::Agree { sets } => sets,
            _ => 0,
        };
        let (primes, factor) = &self.primes;
        let is_prime = |(length, prime): (&super::PlanarLength, &u64)| {
            let (given, searched) = (length.coordinate.to_f64().map(f64::abs), *prime as f64 * factor);
            given.is_ok_and(|given| (given - searched).abs() <= 1e-9 * searched)
        };
        let searched = &self.lengths[..self.searched];
        let is_fresh = self.searched > 0 && !searched.iter().zip(primes).all(is_prime);
        transfers + usize::from(is_fresh && self.residual.is_some() && self.at_file.is_some())
    }
}
