//! Linear combinations of parameters as pages show them.

use maud::{Markup, html};

use steiner_robot::Label;

use crate::family::Family;
use crate::formula::{Summand, not_shown, shown, summands};

/// A combination with its first parameter set off and its coefficients in the background.
pub(crate) fn combination(family: &Family, names: &[Label], terms: &[(usize, f64)]) -> Markup {
    let factor = |summand: &Summand| html! { i { (summand.factor) } "·" };
    let summands = summands(family, names, terms);
    let shown = shown(&summands);
    html! { (signed_sum(shown, true, factor)) (not_shown(summands.len() - shown.len())) }
}

/// Summands with their signs; `factor` writes the coefficients that are not 1. The parameter the sum is
/// named after, if there is one, leads.
pub(crate) fn signed_sum(
    summands: &[Summand],
    first_leads: bool,
    factor: impl Fn(&Summand) -> Markup,
) -> Markup {
    let sign = |k: usize, summand: &Summand| match (k, summand.negative) {
        (0, true) => "−",
        (0, false) => "",
        (_, true) => " − ",
        (_, false) => " + ",
    };
    html! {
        @for (k, summand) in summands.iter().enumerate() {
            (sign(k, summand))
            @if !summand.factor.is_empty() { (factor(summand)) }
            @let owned = long_minus(&summand.owned());
            @if k == 0 && first_leads { b { (owned) } } @else { (owned) }
        }
    }
}

/// A minus between summands is longer than a hyphen.
pub(crate) fn long_minus(text: &str) -> String {
    text.replace(" - ", " − ")
}
