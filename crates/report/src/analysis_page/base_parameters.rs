//! The section on base parameters: those that are one parameter alone, and the combinations.

use maud::{Markup, html};
use steiner_identifiability::{Analysis, BaseParameter};

use crate::combination::combination;
use crate::family::Family;
use crate::fate::{Owner, owners};
use crate::words::count;

use super::{MOST_LISTED, left_out};

pub(super) fn base_parameter_lists(analysis: &Analysis, family: &Family) -> Markup {
    let columns = analysis.names();
    let (grouped, alone): (Vec<&BaseParameter>, Vec<&BaseParameter>) =
        analysis.regrouping.base.iter().partition(|base| base.terms.len() > 1);
    let mut is_alone = vec![false; columns.len()];
    alone.iter().for_each(|base| is_alone[base.column] = true);
    let alone_of = |owner: &Owner| -> Vec<&str> {
        let own = owner.parameters.iter().enumerate();
        own.filter(|(k, _)| is_alone[owner.first + k]).map(|(_, name)| *name).collect()
    };
    html! {
        @if !alone.is_empty() {
            p.alone-list {
                b { (count(alone.len(), "parameter")) " alone:" } " "
                @for owner in owners(analysis) {
                    @let names = alone_of(&owner);
                    @if !names.is_empty() { span { (owner.name) " " em { (names.join(" ")) } } " " }
                }
            }
        }
        @if !grouped.is_empty() {
            p { b { (count(grouped.len(), "combination")) ":" } }
            ul.formulas {
                @for base in grouped.iter().take(MOST_LISTED) {
                    li { (combination(family, &columns, &base.terms)) } "\n"
                }
            }
            (left_out(grouped.len()))
        }
    }
}
