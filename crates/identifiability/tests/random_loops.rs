//! Random mechanisms with loops: certified in extended precision with a clear gap, and compared with what doubles see at
//! states of their own, and with the same mechanism cut at other joints.

mod support;

use std::cell::Cell;

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use steiner_identifiability::{Arithmetic, Nullspace};
use support::forces::Forces;
use support::linkages::{Linkage, planar_loops, six_bars, spatial_loops};
use support::singular_values::{clear_rank, independent};
use support::{cases, dense, mechanism, nullspace_of};

fn certified(linkage: &Linkage) -> Nullspace {
    let nullspace = nullspace_of(&mechanism(linkage.description()), "all");
    let Arithmetic::Extended { gap, .. } = nullspace.certificate.arithmetic else {
        panic!("a loop decided in {:?}", nullspace.certificate.arithmetic)
    };
    assert!(gap >= 1e12, "gap {gap:e}");
    assert_eq!(independent(&dense(&nullspace)), nullspace.vectors.len());
    nullspace
}

/// Compares with the singular values of forces, and says whether these were clear.
fn agrees_with_doubles(linkage: &Linkage) -> bool {
    let nullspace = certified(linkage);
    let robot = mechanism(linkage.description());
    let rows = Forces { reach: 0.5, ..Forces::all(&robot) }.stacked(7);
    let largest = rows.entries().iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    for vector in dense(&nullspace) {
        let worst = rows.apply(&vector).iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        assert!(worst < 1e-8 * largest, "a vector is seen: {worst:e} of {largest:e}");
    }
    let Some(rank) = clear_rank(&rows) else { return false };
    assert_eq!(nullspace.certificate.rank, rank, "certified, and seen in doubles");
    true
}

/// Of random mechanisms, most must be clear in doubles.
fn mostly_clear(usual: u32, linkages: impl Strategy<Value = Linkage>) {
    let (clear, all) = (Cell::new(0), Cell::new(0));
    let seen = TestRunner::new(cases(usual)).run(&linkages, |linkage| {
        all.set(all.get() + 1);
        clear.set(clear.get() + usize::from(agrees_with_doubles(&linkage)));
        Ok(())
    });
    if let Err(error) = seen {
        panic!("{error}");
    }
    assert!(10 * clear.get() >= 8 * all.get(), "only {} of {} are clear", clear.get(), all.get());
}

#[test]
fn doubles_see_the_certified_rank_of_planar_loops() {
    mostly_clear(64, planar_loops());
}

#[test]
fn doubles_see_the_certified_rank_of_six_bars() {
    mostly_clear(24, six_bars());
}

#[test]
fn doubles_see_the_certified_rank_of_spatial_loops() {
    mostly_clear(40, spatial_loops());
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn the_joint_at_which_a_planar_loop_is_cut_does_not_matter(linkage in planar_loops()) {
        let expected = certified(&linkage).vectors.len();
        for cut in 0..linkage.hinges.len() {
            prop_assert_eq!(certified(&linkage.cut_at(&[cut])).vectors.len(), expected, "cut at {}", cut);
        }
    }

    #[test]
    fn the_joints_at_which_a_six_bar_is_cut_do_not_matter(linkage in six_bars(), one in 0..7usize, other in 0..7usize) {
        let cut = linkage.cut_at(&[one, other]);
        prop_assume!(one != other && cut.is_drawable());
        prop_assert_eq!(certified(&cut).vectors.len(), certified(&linkage).vectors.len());
    }

    #[test]
    fn the_joint_at_which_a_spatial_loop_is_cut_does_not_matter(linkage in spatial_loops()) {
        prop_assume!(linkage.cuts.len() == 1);
        let expected = certified(&linkage).vectors.len();
        for cut in 0..linkage.hinges.len() {
            prop_assert_eq!(certified(&linkage.cut_at(&[cut])).vectors.len(), expected, "cut at {}", cut);
        }
    }
}
