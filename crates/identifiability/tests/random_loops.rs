//! Random mechanisms with loops: certified in extended precision with a clear gap, and compared with what
//! doubles see at states of their own, and with the same mechanism cut at other joints.

mod random;

use proptest::prelude::*;
use random::agreement::{mostly_agree, same_nullity};
use random::cases;
use random::linkages::{Linkage, planar_loops, six_bars, spatial_loops};

#[test]
fn doubles_see_the_certified_rank_of_planar_loops() {
    mostly_agree(64, planar_loops(), Linkage::description, (1.0, 0));
}

#[test]
fn doubles_see_the_certified_rank_of_six_bars() {
    mostly_agree(24, six_bars(), Linkage::description, (1.0, 0));
}

#[test]
fn doubles_see_the_certified_rank_of_spatial_loops() {
    mostly_agree(48, spatial_loops(), Linkage::description, (1.0, 5));
}

proptest! {
    #![proptest_config(cases(16))]

    #[test]
    fn the_joint_at_which_a_planar_loop_is_cut_does_not_matter(linkage in planar_loops()) {
        prop_assert!(same_nullity((0..linkage.hinges.len()).map(|cut| linkage.cut_at(&[cut]).description())));
    }

    #[test]
    fn the_joints_at_which_a_six_bar_is_cut_do_not_matter(linkage in six_bars(), one in 0..7usize, other in 0..7usize) {
        let cut = linkage.cut_at(&[one, other]);
        prop_assume!(one != other && cut.is_drawable());
        prop_assert!(same_nullity([linkage.description(), cut.description()]));
    }

    #[test]
    fn the_joint_at_which_a_spatial_loop_is_cut_does_not_matter(linkage in spatial_loops()) {
        prop_assume!(linkage.cuts.len() == 1);
        prop_assert!(same_nullity((0..linkage.hinges.len()).map(|cut| linkage.cut_at(&[cut]).description())));
    }
}
