//! Which parameters form φ₂: section 3.3 of \[iriarte2015\], and what its example prefers.

use super::linkage::{Linkage, Pair};
use super::opening::Opening;
use super::parametrisation::Parametrisation;

/// The masses that section 3.3 requires in φ₂: those of the link nearest to the ground of each serial chain.
///
/// Behind a prismatic joint a mass is seen by itself, whatever section 3.3 says: only a moment
/// of inertia passes there (A.3).
pub(crate) fn required_masses(linkage: &Linkage, opening: &Opening) -> Vec<usize> {
    let branches = |link: usize| opening.outer(linkage, link).len() > 1;
    let is_required = |&link: &usize| match opening.towards_ground[link].map(|k| &linkage.joints[k]) {
        Some(joint) if joint.pair == Pair::Prismatic => false,
        Some(joint) => joint.other(link).is_none_or(branches),
        None => true,
    };
    (0..linkage.links.len()).filter(is_required).map(|link| 4 * link).collect()
}

/// All parameters in the order in which they are taken into φ₂ where they can be: the user's, the masses of
/// section 3.3, moments of inertia as in the example of section 5, the other masses from the outside, first
/// moments; last what the user wants to keep.
///
/// Of moments of inertia those come first whose link has one joint besides that towards the ground, so that
/// the transfer there removes them alone: elsewhere several transfers meet, and what removes one of them is a
/// product of more than two lengths.
pub(crate) fn order(
    linkage: &Linkage,
    opening: &Opening,
    parametrisation: &Parametrisation,
    eliminate: &[usize],
    keep: &[usize],
) -> Vec<usize> {
    let links = linkage.links.len();
    let is_removed_alone = |&link: &usize| match opening.outer(linkage, link)[..] {
        [only] => linkage.joints[only].pair == Pair::Prismatic || parametrisation.point(link, only).is_some(),
        _ => false,
    };
    let slides = |&link: &usize| {
        opening.towards_ground[link].is_some_and(|k| linkage.joints[k].pair == Pair::Prismatic)
    };
    let moment = |link: usize| 4 * link + 3;
    let mut order: Vec<usize> = eliminate.to_vec();
    order.extend(required_masses(linkage, opening));
    order.extend((0..links).filter(slides).map(moment));
    order.extend((0..links).filter(is_removed_alone).map(moment));
    order.extend((0..links).map(moment));
    order.extend(opening.order.iter().rev().map(|link| 4 * link));
    order.extend((0..links).flat_map(|link| [4 * link + 1, 4 * link + 2]));
    order.retain(|column| eliminate.contains(column) || !keep.contains(column));
    order.extend(keep);
    let mut seen = vec![false; 4 * links];
    order.retain(|&column| !std::mem::replace(&mut seen[column], true));
    order
}
