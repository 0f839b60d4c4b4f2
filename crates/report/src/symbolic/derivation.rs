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
}

impl Derivation {
    /// The word documents use.
    pub fn path(&self) -> &'static str {
        match self {
            Derivation::Interpolated { .. } => "derived",
        }
    }

    /// One sentence.
    pub fn sentence(&self) -> String {
        match self {
            Derivation::Interpolated { evaluations, checks, digits } => {
                let arithmetic = match digits {
                    None => "exactly, in F_p".to_owned(),
                    Some(digits) => format!("with {digits} digits, recognised as rationals"),
                };
                format!(
                    "Derived: β evaluated {arithmetic}, for {evaluations} sets of lengths and angles, and interpolated; \
                     every formula was compared with {checks} fresh sets."
                )
            }
        }
    }
}
