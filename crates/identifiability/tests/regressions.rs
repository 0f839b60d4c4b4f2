//! Questions that were once answered wrongly or not at all, each with its answer.

mod random;

use random::forces::Forces;
use random::rewriting::with_scaled_lengths;
use random::singular_values::clear_rank;
use random::{description, mechanism, nullity, nullspace_of, zoo};
use steiner_identifiability::{Measurement, Principle, Verified, structural_nullspace};
use steiner_robot::Description;
use steiner_scalar::Exact;

#[test]
fn a_gear_whose_encoder_starts_at_a_thousand_radians_can_be_assembled() {
    let geared = |offset: &str| {
        description(&format!(
            r#"
[[body]]
name = "link"
parent = "base"
joint = "revolute"
[[body]]
name = "rotor"
parent = "base"
joint = "revolute"
[[coupling]]
coordinate = "rotor"
terms = [["link", 1]]
offset = {offset}
"#
        ))
    };
    // About the vertical both show one moment of inertia, the same.
    assert_eq!(nullity(&geared("1")), 19);
    assert_eq!(nullity(&geared("1000")), 19);
}

/// Its frame is at the end of the link, as Denavit and Hartenberg put it. The reason given was gravity.
#[test]
fn mass_on_a_fixed_axis_is_a_fixed_point_wherever_the_frame_is() {
    let arm = mechanism(zoo("two_link"));
    let labels = arm.robot().labels();
    let found = nullspace_of(&arm, "all").vectors;
    assert!(found.iter().all(|vector| vector.principle() != Principle::Gravity));
    let on_axis = [("link1.m", 1.0), ("link1.mx", -1.2), ("link1.Iyy", 1.44), ("link1.Izz", 1.44)];
    let claimed = found.iter().find(|vector| {
        let entries: Vec<(&str, f64)> =
            vector.entries.iter().map(|&(column, x)| (labels[column].as_str(), x)).collect();
        entries.len() == on_axis.len()
            && on_axis
                .iter()
                .all(|(label, x)| entries.iter().any(|(l, y)| l == label && (x - y).abs() < 1e-12))
    });
    assert_eq!(claimed.map(|vector| vector.principle()), Some(Principle::FixedPoints));
}

#[test]
fn a_second_sensor_takes_nothing_away() {
    let robot = mechanism(zoo("go2"));
    let rank = |measure| nullspace_of(&robot, measure).certificate.rank;
    assert_eq!((rank("joints:base_link:3"), rank("joints:FR_calf")), (91, 7));
    assert_eq!(rank("joints:base_link:3,FR_calf"), 91);
}

/// A train of geared links beside pendulums that have nothing to do with it.
fn train_and_pendulums(links: usize, pendulums: usize) -> Description {
    let mut text = String::from("gravity = [1, 2, -9]\n");
    for k in 0..links {
        let parent = if k == 0 { "base".to_owned() } else { format!("l{}", k - 1) };
        text += &format!(
            "[[body]]\nname = \"l{k}\"\nparent = \"{parent}\"\njoint = \"revolute\"\n\
             xyz = [0.3, 0.1, 0.2]\nrpy = [\"pi/2\", 0, \"pi/3\"]\n"
        );
        if k > 0 {
            text += &format!("[[coupling]]\ncoordinate = \"l{k}\"\nterms = [[\"l0\", {}]]\n", k + 1);
        }
    }
    for k in 0..pendulums {
        text += &format!("[[body]]\nname = \"p{k}\"\nparent = \"base\"\njoint = \"revolute\"\n");
    }
    description(&text)
}

#[test]
fn a_pendulum_beside_a_machine_adds_its_three_parameters() {
    let rank = |links, pendulums| {
        let robot = mechanism(train_and_pendulums(links, pendulums));
        nullspace_of(&robot, "all").certificate.rank
    };
    assert_eq!((rank(0, 1), rank(6, 0), rank(6, 1)), (3, 36, 39));
    assert_eq!(rank(6, 2), 42);
    assert_eq!(rank(6, 10), 66);
}

/// Two coaxial bodies that gears keep at the same angle: one at first + 1 of a shaft's angle through the
/// shaft, the other at `second` of it from the ground.
fn coaxial(first: &str, second: &str) -> Description {
    description(&format!(
        r#"
gravity = [0, -9.81, 0]
[[body]]
name = "shaft"
parent = "base"
joint = "revolute"
[[body]]
name = "through"
parent = "shaft"
joint = "revolute"
[[body]]
name = "aside"
parent = "base"
joint = "revolute"
[[coupling]]
coordinate = "through"
terms = [["shaft", "{first}"]]
[[coupling]]
coordinate = "aside"
terms = [["shaft", "{second}"]]
"#
    ))
}

#[test]
fn bodies_kept_parallel_by_ratios_of_nine_digits_share_their_moments() {
    assert_eq!(nullity(&coaxial("1/3", "4/3")), 25);
    assert_eq!(nullity(&coaxial("0.333333333", "1.333333333")), 25);
}

#[test]
fn bodies_kept_parallel_by_irrational_ratios_share_their_moments() {
    assert_eq!(nullity(&coaxial("sqrt(2)", "1+sqrt(2)")), 25);
}

/// A four-bar on a moving carrier. The coupler's frame is turned by (0.3, −0.4, 1.1), and what is seen from
/// it is printed with the digits of a double, as any program would.
fn printed_four_bar(carrier: &str, coupler: &str, side: &str) -> Description {
    description(&format!(
        r#"
gravity = [1.3, -2.7, -9.1]
[[body]]
name = "carrier"
parent = "base"
joint = "{carrier}"
rpy = [0.2, 0.3, 0.4]
[[body]]
name = "crank"
parent = "carrier"
joint = "revolute"
[[body]]
name = "coupler"
parent = "crank"
joint = "revolute"
xyz = [0.3, 0, 0]
{coupler}
[[body]]
name = "rocker"
parent = "carrier"
joint = "revolute"
xyz = [0.8, 0.1, 0]
[[loop]]
name = "closure"
joint = "revolute"
predecessor = {{ body = "coupler", {side} }}
successor = {{ body = "rocker", xyz = [-0.1, 0.6, 0] }}
"#
    ))
}

/// The coupler's axis, the printed one where the loop cuts it, and the frame there.
const PRINTED: [&str; 2] = [
    "rpy = [0.3, -0.4, 1.1]\naxis = [0.38941834230865052, 0.2721921352954314, 0.87992317628125705]",
    "xyz = [0.74171531363504917, -0.12989814907245453, -0.28807093637993236], \
     rotation = [[0.4177896944760956, 0.82085633692087279, 0.38941834230865052], \
     [-0.90360320070274536, 0.33077590172663379, 0.2721921352954314], \
     [0.094620435791243601, -0.46559872956632831, 0.87992317628125705]]",
];

#[test]
fn a_four_bar_printed_in_doubles_has_the_nullity_of_the_exact_one() {
    let [turned, side] = PRINTED;
    for (carrier, expected) in [("fixed", 22), ("revolute", 29), ("floating", 12)] {
        assert_eq!(nullity(&printed_four_bar(carrier, "", "xyz = [0.4, 0.7, 0]")), expected, "{carrier}");
        let printed = mechanism(printed_four_bar(carrier, turned, side));
        let found = structural_nullspace(&printed, &Measurement::all()).unwrap();
        assert_eq!(found.vectors.len(), expected, "{carrier}, printed");
        assert_eq!(found.certificate.rank + expected, found.parameters, "{carrier}, printed");
    }
}

#[test]
fn loops_that_close_to_the_printed_digits_alone_are_never_complete() {
    // As filed, the printed one is rigid. An arm on its coupler may be misaligned by less than the loop leaves open:
    // digits that must overlook the one overlook the other.
    let [turned, side] = PRINTED;
    let ranks = ["0", "1e-3", "1e-14"].map(|e| {
        let on = |name: &str, parent: &str, e: &str| {
            format!(
                "[[body]]\nname = \"{name}\"\nparent = \"{parent}\"\njoint = \"revolute\"\nxyz = [1, 0, 0]\n\
                 axis = [\"0.38941834230865052 + {e}\", 0.2721921352954314, 0.87992317628125705]\n"
            )
        };
        let arm = format!("{turned}\n{}{}", on("upper", "coupler", "0"), on("lower", "upper", e));
        let robot = mechanism(printed_four_bar("fixed", &arm, side));
        let certificate = structural_nullspace(&robot, &Measurement::all()).unwrap().certificate;
        assert!(!certificate.complete && !certificate.exact_geometry, "{e}: {certificate:?}");
        assert!(certificate.digits_needed.is_none(), "{e}: more digits of the arithmetic do not help");
        let Verified::Extended { digits } = certificate.null_verified else { panic!("{certificate:?}") };
        assert!((8..16).contains(&digits), "{digits} digits of null vectors");
        certificate.rank
    });
    assert!(ranks[0] < ranks[1] && ranks[0] == ranks[2], "{ranks:?}");
}

#[test]
fn a_walk_that_leaves_the_branch_is_no_witness() {
    // Walks in doubles step across a singularity into a motion in which the platform turns: 61, "complete to all digits".
    let robot = mechanism(description(include_str!("data/delta.toml")));
    let nullspace = structural_nullspace(&robot, &Measurement::all()).unwrap();
    assert_eq!((nullspace.certificate.rank, nullspace.vectors.len()), (28, 72));
    assert!(nullspace.certificate.complete, "{:?}", nullspace.certificate);
}

/// Revolute, spherical, universal, revolute, on a turning carrier without gravity: its independent coordinate
/// is one of the three of the spherical joint.
const RSUR: &str = r#"
gravity = [0, 0, 0]
[[body]]
name = "carrier"
parent = "base"
joint = "revolute"
xyz = [0.1, 0.2, 0]
axis = [0.3, 0.4, -0.2]
[[body]]
name = "crank"
parent = "carrier"
joint = "revolute"
xyz = [0, 0, -0.05]
axis = [0, 0, -1]
[[body]]
name = "rocker"
parent = "carrier"
joint = "revolute"
xyz = [0, 0, -0.05]
axis = [0, 1, 1]
[[body]]
name = "coupler"
parent = "crank"
joint = "spherical"
xyz = [-0.45, 0, 0.25]
[[loop]]
name = "closure"
joint = "universal"
predecessor = { body = "coupler", xyz = [0, -0.05, -0.2] }
successor = { body = "rocker", xyz = [-0.45, -0.05, 0.05] }
axis = [0, -1, 0]
axis2 = [0, 1, -1]
"#;

#[test]
fn a_loop_whose_independent_coordinate_is_part_of_a_ball_has_the_rank_that_doubles_see() {
    let robot = mechanism(description(RSUR));
    assert_eq!(clear_rank(&Forces::all(&robot).stacked(7)), Some(21));
    let found = structural_nullspace(&robot, &Measurement::all()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(found.certificate.rank, 21);
    assert!(found.certificate.complete);
}

/// Two cranks joined by a rod with a ball at either end, closed at the first crank.
const RSSR: &str = r#"
gravity = [0, -9.81, 0]
[[body]]
name = "rocker"
parent = "base"
joint = "revolute"
xyz = [0, 0.2, 0.25]
axis = [-2, 0, -1]
[[body]]
name = "rod"
parent = "rocker"
joint = "spherical"
xyz = [-0.25, 0.25, -0.15]
[[body]]
name = "crank"
parent = "rod"
joint = "spherical"
xyz = [0.25, -0.85, 0]
[[loop]]
name = "closure"
joint = "revolute"
predecessor = { body = "base", xyz = [-0.1, 0, 0] }
successor = { body = "crank", xyz = [-0.1, 0.4, -0.1] }
axis = [0, -1, 2]
"#;

#[test]
fn a_regular_loop_has_an_answer_wherever_it_is_cut() {
    // Cut at any of its other joints, it has nullity 16.
    assert_eq!(nullity(&description(RSSR)), 16);
}

#[test]
fn a_parallel_machine_the_size_of_a_thumb_has_the_nullity_of_a_large_one() {
    for (name, expected) in [("stewart", 48), ("pkm_2prs_1psr", 47)] {
        for scale in [10, 100] {
            let small = with_scaled_lengths(zoo(name), &Exact::fraction(1, scale));
            assert_eq!(nullity(&small), expected, "{name}, 1:{scale}");
        }
    }
}

#[test]
fn a_parallel_machine_written_in_millimetres_has_the_nullity_of_the_one_in_metres() {
    let millimetres = with_scaled_lengths(zoo("pkm_2prs_1psr"), &Exact::integer(1000));
    assert_eq!(nullity(&millimetres), 47);
}

/// A Delta that reaches, within half a radian of where it is drawn, a configuration in which a pair of rods
/// is in line and could begin to cross: from there another motion leads on, in which the platform turns.
const FOLDING_DELTA: &str = r#"
gravity = [0, 0, 0]
[[body]]
name = "arm0"
parent = "base"
joint = "revolute"
xyz = ["8/20", "4/20", "6/20"]
axis = [-1, 2, -2]
[[body]]
name = "arm1"
parent = "base"
joint = "revolute"
xyz = ["2/20", "5/20", "5/20"]
axis = [-1, 2, 1]
[[body]]
name = "arm2"
parent = "base"
joint = "revolute"
xyz = ["-4/20", "4/20", "4/20"]
axis = [2, 2, -1]
[[body]]
name = "rod0a"
parent = "arm0"
joint = "universal"
xyz = ["-21/20", "-8/20", "3/20"]
axis = [-1, 2, -2]
axis2 = [20, -23, -33]
[[body]]
name = "rod0b"
parent = "arm0"
joint = "universal"
xyz = ["-19/20", "-12/20", "7/20"]
axis = [-1, 2, -2]
axis2 = [20, -23, -33]
[[body]]
name = "rod1a"
parent = "arm1"
joint = "universal"
xyz = ["-2/20", "7/20", "-2/20"]
axis = [-1, 2, 1]
axis2 = [-8, -12, 16]
[[body]]
name = "rod1b"
parent = "arm1"
joint = "universal"
xyz = ["0/20", "3/20", "-4/20"]
axis = [-1, 2, 1]
axis2 = [-8, -12, 16]
[[body]]
name = "rod2a"
parent = "arm2"
joint = "universal"
xyz = ["6/20", "0/20", "4/20"]
axis = [2, 2, -1]
axis2 = [-42, 46, 8]
[[body]]
name = "rod2b"
parent = "arm2"
joint = "universal"
xyz = ["2/20", "-4/20", "6/20"]
axis = [2, 2, -1]
axis2 = [-42, 46, 8]
[[body]]
name = "platform"
parent = "rod0a"
joint = "spherical"
xyz = ["10/20", "13/20", "-3/20"]
[[loop]]
name = "loop0b"
joint = "spherical"
predecessor = { body = "rod0b", xyz = ["10/20", "13/20", "-3/20"] }
successor = { body = "platform", xyz = ["2/20", "-4/20", "4/20"] }
[[loop]]
name = "loop1a"
joint = "spherical"
predecessor = { body = "rod1a", xyz = ["-2/20", "-12/20", "-10/20"] }
successor = { body = "platform", xyz = ["1/20", "-9/20", "-13/20"] }
[[loop]]
name = "loop1b"
joint = "spherical"
predecessor = { body = "rod1b", xyz = ["-2/20", "-12/20", "-10/20"] }
successor = { body = "platform", xyz = ["3/20", "-13/20", "-15/20"] }
[[loop]]
name = "loop2a"
joint = "spherical"
predecessor = { body = "rod2a", xyz = ["-4/20", "0/20", "-21/20"] }
successor = { body = "platform", xyz = ["1/20", "-5/20", "-19/20"] }
[[loop]]
name = "loop2b"
joint = "spherical"
predecessor = { body = "rod2b", xyz = ["-4/20", "0/20", "-21/20"] }
successor = { body = "platform", xyz = ["-3/20", "-9/20", "-17/20"] }
"#;

#[test]
fn a_delta_whose_rods_could_cross_is_analysed_with_its_rods_parallel() {
    assert_eq!(nullity(&description(FOLDING_DELTA)), 72);
}

#[test]
fn a_slide_across_gravity_weighs_nothing_however_its_frame_is_turned() {
    let slide = description(
        r#"
gravity = [0, -9.81, 0]
[[body]]
name = "slide"
parent = "base"
joint = "prismatic"
rpy = [0, 0, "pi/2"]
axis = [0, 1, 0]
frame = { rpy = ["5*pi/12", "-pi/3", "pi/6"] }
"#,
    );
    // In numbers a weight of rounding is left, which no vector takes away.
    assert_eq!(nullspace_of(&mechanism(slide), "static").vectors.len(), 10);
}

/// The angles of its three hinges add up to a constant, so that dry friction in them is
/// dependent as long as none turns back.
const SLIDER_CRANK: &str = r#"
gravity = [0, -9.81, 0]
[[body]]
name = "crank"
parent = "base"
joint = "revolute"
xyz = ["-4/20", "-8/20", 0]
[[body]]
name = "rod"
parent = "crank"
joint = "revolute"
xyz = ["-5/20", "2/20", 0]
[[body]]
name = "slide"
parent = "rod"
joint = "revolute"
xyz = ["9/20", "10/20", 0]
[[loop]]
name = "guide"
joint = "prismatic"
predecessor = { body = "slide" }
successor = { body = "base", xyz = [0, "4/20", 0] }
axis = [2, -6, 0]
"#;

#[test]
fn dry_friction_in_a_loop_is_judged_by_all_its_motion() {
    let robot = mechanism(description(SLIDER_CRANK));
    let drives = Measurement::all().with_drives(&robot).unwrap_or_else(|error| panic!("{error}"));
    let found = structural_nullspace(&robot, &drives).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(found.certificate.rank, 15);
}
