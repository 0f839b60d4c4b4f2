//! What must not matter to identifiability: which link is called the root, where frames are put, in which
//! unit lengths are written, in which order links are listed, whether a link is one piece or two, and
//! which hand describes the robot.

mod random;

use proptest::prelude::*;
use random::rewriting::{
    fifteens, mirrored, re_rooted, vector, with_moved_joint_frames, with_moved_link_frames,
    with_reversed_order, with_scaled_lengths, with_split_link,
};
use random::trees::{RandomTree, trees};
use random::{cases, nullity, zoo};
use steiner_robot::{Description, Frame, Orientation};
use steiner_scalar::Exact;

/// Placements of all sorts: exact turns, rational ones, and angles no field represents.
fn shift(k: usize) -> Frame {
    match k % 4 {
        0 => Frame::new(vector(["0.1", "-0.2", "0.3"]), fifteens([3, -5, 2])),
        1 => {
            let quaternion = [1, 2, -3, 1].map(Exact::integer);
            Frame::new(vector(["0", "1/3", "0"]), Orientation::Quaternion(quaternion))
        }
        2 => Frame::new(vector(["0.25", "0", "0"]), fifteens([0, 6, 0])),
        _ => Frame::new(
            vector(["0.17", "0.05", "-0.4"]),
            Orientation::RollPitchYaw(vector(["0.37", "-0.81", "1.234"])),
        ),
    }
}

/// Turns of joint frames, by 15°.
fn turn(k: usize) -> [i64; 3] {
    [[2, -3, 7], [6, 0, 0], [1, 4, -2], [0, 0, 5]][k % 4]
}

fn turned_joints(description: Description) -> Description {
    with_moved_joint_frames(description, turn, &Exact::fraction(1, 4))
}

fn any_tree(geared: bool) -> impl Strategy<Value = RandomTree> {
    trees(6, any::<bool>(), geared)
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn the_frames_of_links_do_not_matter(tree in any_tree(false)) {
        let first = tree.description();
        prop_assert_eq!(nullity(&first), nullity(&with_moved_link_frames(first.clone(), shift)));
    }

    #[test]
    fn the_frames_of_joints_do_not_matter(tree in any_tree(false)) {
        let first = tree.description();
        prop_assert_eq!(nullity(&first), nullity(&turned_joints(first.clone())));
    }

    #[test]
    fn the_unit_of_length_does_not_matter(tree in any_tree(false)) {
        let first = tree.description();
        let expected = nullity(&first);
        for by in [Exact::integer(1000), Exact::fraction(1, 1000)] {
            prop_assert_eq!(expected, nullity(&with_scaled_lengths(first.clone(), &by)));
        }
    }

    #[test]
    fn the_order_of_links_does_not_matter(tree in any_tree(false)) {
        let first = tree.description();
        prop_assert_eq!(nullity(&first), nullity(&with_reversed_order(first.clone())));
    }

    #[test]
    fn a_link_welded_of_two_pieces_is_one_link(tree in any_tree(false), which in any::<prop::sample::Index>()) {
        let first = tree.description();
        let k = which.index(first.links.len());
        prop_assert_eq!(nullity(&first), nullity(&with_split_link(first.clone(), k, &shift(k))));
    }

    #[test]
    fn the_mirror_shows_the_same(tree in any_tree(false)) {
        let first = tree.description();
        prop_assert_eq!(nullity(&first), nullity(&mirrored(first.clone())));
    }

    #[test]
    fn any_link_of_a_floating_tree_may_be_its_root(tree in trees(6, Just(true), false), which in any::<prop::sample::Index>()) {
        let first = tree.description();
        let root = first.links[which.index(first.links.len())].name.clone();
        prop_assert_eq!(nullity(&first), nullity(&re_rooted(first.clone(), &root)));
    }

    #[test]
    fn geared_trees_keep_their_nullity_however_they_are_written(tree in any_tree(true)) {
        let first = tree.description();
        let expected = nullity(&first);
        prop_assert_eq!(expected, nullity(&with_moved_link_frames(first.clone(), shift)), "link frames");
        prop_assert_eq!(expected, nullity(&turned_joints(first.clone())), "joint frames");
        prop_assert_eq!(expected, nullity(&with_reversed_order(first.clone())), "order");
        prop_assert_eq!(expected, nullity(&with_scaled_lengths(first.clone(), &Exact::integer(1000))), "unit");
        prop_assert_eq!(expected, nullity(&mirrored(first.clone())), "mirror");
    }

    #[test]
    fn any_link_of_a_geared_floating_tree_may_be_its_root(tree in trees(5, Just(true), true), which in any::<prop::sample::Index>()) {
        let first = tree.description();
        let root = first.links[which.index(first.links.len())].name.clone();
        prop_assert_eq!(nullity(&first), nullity(&re_rooted(first.clone(), &root)));
    }
}

/// Checks every rewriting of a robot, with lengths up to `scale` times as large and as small.
fn however_written(name: &str, scale: u64) {
    let first = zoo(name);
    let expected = nullity(&first);
    let last = first.links.len() - 1;
    let rewritten = [
        ("link frames", with_moved_link_frames(first.clone(), shift)),
        ("joint frames", turned_joints(first.clone())),
        ("smaller", with_scaled_lengths(first.clone(), &Exact::fraction(1, scale))),
        ("larger", with_scaled_lengths(first.clone(), &Exact::integer(scale as i64))),
        ("order", with_reversed_order(first.clone())),
        ("first link split", with_split_link(first.clone(), 0, &shift(0))),
        ("last link split", with_split_link(first.clone(), last, &shift(last))),
        ("mirror", mirrored(first.clone())),
    ];
    for (how, description) in rewritten {
        assert_eq!(nullity(&description), expected, "{name}: {how}");
    }
}

#[test]
fn trees_of_the_zoo_keep_their_nullity_however_they_are_written() {
    for name in ["puma560", "ur5", "panda", "scara_sr6ia", "gantry", "go2"] {
        however_written(name, 1000);
    }
}

#[test]
fn loops_of_the_zoo_keep_their_nullity_however_they_are_written() {
    for name in ["four_bar", "five_bar", "palletizer", "pkm_2rru_1rrs", "delta"] {
        however_written(name, 1000);
    }
    // Driven by slides.
    for name in ["pkm_2prs_1psr", "stewart"] {
        however_written(name, 1000);
    }
}

#[test]
fn any_link_of_a_quadruped_may_be_its_root() {
    let first = zoo("go2");
    let expected = nullity(&first);
    for link in first.links.iter().step_by(3) {
        assert_eq!(nullity(&re_rooted(first.clone(), &link.name)), expected, "{}", link.name);
    }
}
