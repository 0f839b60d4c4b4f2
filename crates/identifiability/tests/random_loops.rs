//! Random mechanisms with loops: certified in extended precision with a clear gap, and compared with what doubles see at
//! states of their own, and with the same mechanism cut at other joints.

mod random;

use std::cell::RefCell;

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use random::forces::Forces;
use random::linkages::{Linkage, planar_loops, six_bars, spatial_loops};
use random::singular_values::{clear_rank, independent};
use random::{cases, dense, mechanism};
use steiner_identifiability::{
    Arithmetic, IdentifiabilityError, Measurement, Nullspace, structural_nullspace,
};

/// The certified nullspace; `None` where the answer is that there is none: too few regular configurations are found, or the
/// gap is not clear.
fn certified(linkage: &Linkage) -> Option<Nullspace> {
    let robot = mechanism(linkage.description());
    let nullspace = match structural_nullspace(&robot, &Measurement::all()) {
        Err(IdentifiabilityError::TooFewConfigurations { .. }) => return None,
        answer => answer.unwrap_or_else(|error| panic!("{error}")),
    };
    let Arithmetic::Extended { gap, .. } = nullspace.certificate.arithmetic else {
        panic!("a loop decided in {:?}", nullspace.certificate.arithmetic)
    };
    if gap < 1e12 {
        return None;
    }
    assert!(nullspace.certificate.complete, "{:?}", nullspace.certificate);
    assert_eq!(independent(&dense(&nullspace)), nullspace.vectors.len());
    Some(nullspace)
}

/// How a comparison ended.
#[derive(Clone, Copy, PartialEq)]
enum Outcome {
    Agreement,
    /// Doubles do not show a rank.
    Unclear,
    /// There is no certified answer.
    Refusal,
}

/// Compares with the singular values of forces.
fn compared_with_doubles(linkage: &Linkage) -> Outcome {
    let Some(nullspace) = certified(linkage) else { return Outcome::Refusal };
    let robot = mechanism(linkage.description());
    let rows = Forces { reach: 1.0, ..Forces::all(&robot) }.stacked(7);
    let largest = rows.entries().iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    for vector in dense(&nullspace) {
        let worst = rows.apply(&vector).iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        assert!(worst < 1e-8 * largest, "a vector is seen: {worst:e} of {largest:e}");
    }
    let Some(rank) = clear_rank(&rows) else { return Outcome::Unclear };
    assert_eq!(nullspace.certificate.rank, rank, "certified, and seen in doubles");
    Outcome::Agreement
}

/// Of random mechanisms, most must agree and none may disagree; at most `refused` of ten may have no answer.
fn mostly_agree(usual: u32, linkages: impl Strategy<Value = Linkage>, refused: usize) {
    let outcomes = RefCell::new(Vec::new());
    let run = TestRunner::new(cases(usual)).run(&linkages, |linkage| {
        outcomes.borrow_mut().push(compared_with_doubles(&linkage));
        Ok(())
    });
    if let Err(error) = run {
        panic!("{error}");
    }
    let outcomes = outcomes.into_inner();
    let count = |outcome| outcomes.iter().filter(|other| **other == outcome).count();
    let (all, unclear, refusals) = (outcomes.len(), count(Outcome::Unclear), count(Outcome::Refusal));
    println!("{all} mechanisms: {unclear} unclear in doubles, {refusals} without an answer");
    assert!(10 * refusals <= refused * all, "{refusals} of {all} have no answer");
    assert!(10 * unclear <= 2 * all, "{unclear} of {all} are not clear in doubles");
}

#[test]
fn doubles_see_the_certified_rank_of_planar_loops() {
    mostly_agree(64, planar_loops(), 0);
}

#[test]
fn doubles_see_the_certified_rank_of_six_bars() {
    mostly_agree(24, six_bars(), 0);
}

#[test]
fn doubles_see_the_certified_rank_of_spatial_loops() {
    mostly_agree(48, spatial_loops(), 2);
}

/// Whether all that have an answer have the same.
fn same_nullity(linkages: impl IntoIterator<Item = Linkage>) -> bool {
    let found: Vec<usize> =
        linkages.into_iter().filter_map(|linkage| Some(certified(&linkage)?.vectors.len())).collect();
    found.windows(2).all(|pair| pair[0] == pair[1])
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn the_joint_at_which_a_planar_loop_is_cut_does_not_matter(linkage in planar_loops()) {
        prop_assert!(same_nullity((0..linkage.hinges.len()).map(|cut| linkage.cut_at(&[cut]))));
    }

    #[test]
    fn the_joints_at_which_a_six_bar_is_cut_do_not_matter(linkage in six_bars(), one in 0..7usize, other in 0..7usize) {
        let cut = linkage.cut_at(&[one, other]);
        prop_assume!(one != other && cut.is_drawable());
        prop_assert!(same_nullity([linkage, cut]));
    }

    #[test]
    fn the_joint_at_which_a_spatial_loop_is_cut_does_not_matter(linkage in spatial_loops()) {
        prop_assume!(linkage.cuts.len() == 1);
        prop_assert!(same_nullity((0..linkage.hinges.len()).map(|cut| linkage.cut_at(&[cut]))));
    }
}
