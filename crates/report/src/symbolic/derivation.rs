//! How formulas were found, and why they are believed.

/// Where weights come from.
#[derive(Clone, Debug, PartialEq)]
pub enum Derivation {
    /// β evaluated at members of the family, interpolated, and compared with fresh members.
    Interpolated {
        /// Members at which β was evaluated, checks included.
        evaluations: usize,
        /// Fresh members every function was compared with.
        checks: usize,
        /// Digits β was evaluated with; `None` for residues, which are exact.
        digits: Option<u32>,
    },
    /// Products of at most two lengths, recognised by their values at prime lengths: \[iriarte2015\].
    Products {
        /// Products that were compared.
        candidates: usize,
        /// The joints at which loops were opened.
        opened_at: Vec<String>,
        /// How visible the regrouped combinations are at the file's lengths, relative to their parts.
        residual: Option<f64>,
        /// Sets of lengths at which transfers of mass and inertia gave the same weights.
        transfers: Option<usize>,
        /// Sets of lengths, other than the primes, at which all formulas were compared
        /// with weights found without them.
        checks: usize,
    },
}

impl Derivation {
    /// The word documents use.
    pub fn path(&self) -> &'static str {
        match self {
            Derivation::Interpolated { .. } => "derived",
            Derivation::Products { .. } => "planar",
        }
    }

    /// How the formulas were found, in a sentence or two.
    pub fn sentence(&self) -> String {
        match self {
            Derivation::Interpolated { evaluations, checks, digits } => {
                let arithmetic = match digits {
                    None => "exactly, in F_p".to_owned(),
                    Some(digits) => format!("with {digits} digits, recognised as exact numbers"),
                };
                format!(
                    "Derived: β evaluated {arithmetic}, for {evaluations} sets of lengths and angles, and interpolated; \
                     every formula was compared with {checks} fresh sets."
                )
            }
            Derivation::Products { candidates, residual, transfers, opened_at, checks: _ } => {
                let opened = match opened_at.is_empty() {
                    true => String::new(),
                    false => format!(", loops opened at {}", opened_at.join(", ")),
                };
                let residual = residual
                    .map(|x| format!("; null vectors change the file's forces by {x:.0e} (relative)"))
                    .unwrap_or_default();
                let transfers = transfers
                    .map(|sets| {
                        format!("; transfers of mass and inertia gave the same at {sets} sets of lengths")
                    })
                    .unwrap_or_default();
                format!(
                    "Planar: β recognised among {candidates} products of lengths by its values at prime lengths \
                     (Iriarte et al. 2015){opened}{residual}{transfers}. \
                     Moments of inertia are eliminated first, where the formulas in space (Khalil's rules) eliminate \
                     masses first: the groups differ, their span does not."
                )
            }
        }
    }
}
