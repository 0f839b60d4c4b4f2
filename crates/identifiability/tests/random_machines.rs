//! Machines of known kinds with random dimensions: the certified rank, against what doubles see, and against
//! the same machine cut at other joints.

mod random;

use proptest::prelude::*;
use random::agreement::{certified, mostly_agree, same_nullity};
use random::cases;
use random::linkages::{Hinge, Linkage, Mount, Point, TURNING_AXIS, cross};
use random::machines::{
    Machine, bennetts, deltas, geared_loops, jacks, palletizers, parallel_plates, platforms, sarrus,
};

#[test]
fn doubles_see_the_certified_rank_of_palletizers() {
    mostly_agree(16, palletizers(), Linkage::description, (1.0, 0));
}

#[test]
fn doubles_see_the_certified_rank_of_plates_on_parallel_bars() {
    mostly_agree(16, parallel_plates(), Linkage::description, (1.0, 0));
}

#[test]
fn doubles_see_the_certified_rank_of_sarrus_linkages() {
    mostly_agree(16, sarrus(), Linkage::description, (1.0, 0));
}

#[test]
fn doubles_see_the_certified_rank_of_platforms() {
    mostly_agree(16, platforms(), Linkage::description, (1.0, 0));
}

#[test]
fn doubles_see_the_certified_rank_of_screws_in_loops() {
    // A spindle turns several times before the rocker has moved far: a radian shows doubles too little of it.
    mostly_agree(16, jacks(), Linkage::description, (20.0, 0));
}

#[test]
fn doubles_see_the_certified_rank_of_geared_loops() {
    mostly_agree(24, geared_loops(), Machine::description, (1.0, 0));
}

#[test]
fn doubles_see_the_certified_rank_of_bennett_linkages() {
    mostly_agree(16, bennetts(), Machine::description, (1.0, 0));
}

/// Null vectors that an arm has beside those of a general one, on a mount that turns about an axis through the
/// origin of the drawing.
fn arm_seen_from(mount: Point, arm: &Hinge) -> usize {
    let normal = cross(mount, arm.axis);
    match (normal, (0..3).map(|k| normal[k] * arm.at[k]).sum::<i64>()) {
        ([0, 0, 0], _) => 6,
        (_, 0) => 2,
        _ => 0,
    }
}

/// Whether two rods of a Delta tilt alike: their arms' axes are parallel, and they are as long and reach as far along
/// them. Their speeds are in a fixed ratio then, so that moments of one can belong to the other.
fn rods_tilt_alike(delta: &Linkage) -> bool {
    let dot = |a: Point, b: Point| (0..3).map(|k| a[k] * b[k]).sum::<i64>();
    let rod = |arm: usize| {
        let [elbow, end] = [3 + 4 * arm, 4 + 4 * arm].map(|hinge| delta.hinges[hinge].at);
        [0, 1, 2].map(|k| end[k] - elbow[k])
    };
    [(0, 1), (0, 2), (1, 2)].iter().any(|&(one, other)| {
        let (axis, a, b) = (delta.hinges[one].axis, rod(one), rod(other));
        cross(axis, delta.hinges[other].axis) == [0; 3]
            && dot(a, a) == dot(b, b)
            && dot(axis, a) == dot(axis, b)
    })
}

proptest! {
    #![proptest_config(cases(4))]

    #[test]
    fn the_joint_at_which_a_sarrus_linkage_is_cut_does_not_matter(linkage in sarrus()) {
        prop_assert!(same_nullity((0..6).map(|cut| linkage.cut_at(&[cut]).description())));
    }

    #[test]
    fn the_joints_at_which_a_palletizer_is_cut_do_not_matter(linkage in palletizers(), one in 0..8usize, other in 0..8usize) {
        let cut = linkage.cut_at(&[one, other]);
        prop_assume!(one != other && cut.is_drawable());
        prop_assert!(same_nullity([linkage.description(), cut.description()]));
    }

    /// Their rods fold within a fraction of a radian, where a motion begins in which the platform turns:
    /// doubles that walk there are no witnesses.
    #[test]
    fn deltas_of_all_dimensions_have_the_nullity_of_their_mount(linkage in deltas()) {
        prop_assume!(!rods_tilt_alike(&linkage));
        const GENERIC: [&str; 3] = ["1.3", "-2.7", "-9.1"];
        let weightless = ["0", "0", "0"];
        // Without gravity a mount that turns shows less of an arm whose axis it meets: the point where it does is
        // fixed. If they are parallel, the arm moves in a plane that is.
        let special: usize = linkage.hinges[..3].iter().map(|arm| arm_seen_from(TURNING_AXIS, arm)).sum();
        for (mount, gravity, expected) in [
            (Mount::Fixed, weightless, 72),
            (Mount::Fixed, GENERIC, 66),
            (Mount::Turning, weightless, 55 + special),
            (Mount::Floating, GENERIC, 45),
        ] {
            let delta = Linkage { mount, gravity, ..linkage.clone() };
            let found = certified(&delta.description()).map(|nullspace| nullspace.vectors.len());
            prop_assert_eq!(found, Some(expected), "{:?}", mount);
        }
    }
}
