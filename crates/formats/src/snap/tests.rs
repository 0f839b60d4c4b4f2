//! Printed decimals are not the machine: which angles are read as multiples of 15°, and how many were.

use steiner_robot::Orientation;
use steiner_scalar::Exact;

use super::{Snapper, roll_pitch_yaw_of};
use crate::read::{Format, ReadOptions, parse_text};

fn decimal(text: &str) -> Exact {
    Exact::parse(text).unwrap()
}

fn snapped(text: &str, tolerance: f64) -> (Option<String>, usize) {
    let mut snapper = Snapper::new(tolerance);
    let angle = snapper.angle(decimal(text));
    (angle.pi_multiple().map(|r| r.to_string()), snapper.snapped)
}

#[test]
fn rounded_multiples_of_fifteen_degrees_are_exact() {
    for (printed, multiple) in [
        ("1.5708", "1/2"),
        ("-1.5708", "-1/2"),
        ("1.57079632679", "1/2"),
        ("3.14159", "1"),
        ("3.1416", "1"),
        ("0.785398", "1/4"),
        ("0.2618", "1/12"),
        ("6.28319", "2"),
        ("-4.71239", "-3/2"),
    ] {
        assert_eq!(snapped(printed, 1e-5), (Some(multiple.to_owned()), 1), "{printed}");
    }
}

#[test]
fn nearly_zero_is_zero_and_zero_is_not_counted() {
    assert_eq!(snapped("1e-6", 1e-5), (Some("0".to_owned()), 1));
    assert_eq!(snapped("-3.2e-9", 1e-5), (Some("0".to_owned()), 1));
    assert_eq!(snapped("0", 1e-5), (Some("0".to_owned()), 0));
    assert_eq!(snapped("0.0", 1e-5), (Some("0".to_owned()), 0));
}

#[test]
fn other_angles_stay_as_printed() {
    for printed in ["1.57", "0.1", "3.14", "1.5709", "2e-5", "1e30"] {
        assert_eq!(snapped(printed, 1e-5), (None, 0), "{printed}");
        assert_eq!(Snapper::new(1e-5).angle(decimal(printed)), decimal(printed));
    }
    // An expression is already what its author meant.
    let mut snapper = Snapper::new(1e-5);
    let meant = decimal("atan(1000000)");
    assert_eq!(snapper.angle(meant.clone()), meant);
    assert_eq!(snapper.snapped, 0);
}

#[test]
fn a_tolerance_of_zero_turns_it_off() {
    for printed in ["1.5708", "1e-6", "3.14159"] {
        assert_eq!(snapped(printed, 0.0), (None, 0));
    }
    assert_eq!(snapped("1.57", 1e-2), (Some("1/2".to_owned()), 1));
}

#[test]
fn printed_quaternions_are_read_as_the_angles_they_stand_for() {
    let quaternion = |text: &str| {
        let numbers: Vec<Exact> = text.split(' ').map(decimal).collect();
        Orientation::Quaternion(numbers.try_into().unwrap())
    };
    let angles = |orientation: Orientation| match orientation {
        Orientation::RollPitchYaw(angles) => Some(angles.map(|a| a.pi_multiple().unwrap().to_string())),
        _ => None,
    };
    let mut snapper = Snapper::new(1e-5);
    let quarter = angles(snapper.orientation(quaternion("0.707107 0 0 0.707107")));
    assert_eq!(quarter, Some(["0", "0", "1/2"].map(str::to_owned)));
    let third = angles(snapper.orientation(quaternion("0.8660254 0 0.5 0")));
    assert_eq!(third, Some(["0", "1/3", "0"].map(str::to_owned)));
    let diagonal = angles(snapper.orientation(quaternion("0.5 0.5 0.5 0.5")));
    assert!(diagonal.is_some());
    let general = quaternion("0.9 0.1 0.2 0.3");
    assert_eq!(snapper.orientation(general.clone()), general);
    let printed = quaternion("0.707107 0 0 0.707107");
    assert_eq!(Snapper::new(0.0).orientation(printed.clone()), printed);
}

#[test]
fn printed_matrices_are_snapped_and_exact_ones_kept() {
    let read = |rotation: &str, snap: f64| {
        let text =
            format!("[[body]]\nname = 'a'\nparent = 'base'\njoint = 'revolute'\nrotation = {rotation}\n");
        let options = ReadOptions { snap, ..ReadOptions::default() };
        let description = parse_text(&text, "m.toml", Format::Toml, None, &options).unwrap();
        (description.joints[0].joint.placement.steps()[0].orientation.clone(), description.snapped)
    };
    let rounded = "[[0.70711, -0.70711, 0], [0.70711, 0.70711, 0], [0, 0, 1]]";
    let (orientation, count) = read(rounded, 1e-5);
    let quarter = Exact::parse("pi/4").unwrap().pi_multiple();
    assert!(matches!(&orientation, Orientation::RollPitchYaw([_, _, yaw]) if yaw.pi_multiple() == quarter));
    assert_eq!(count, 1);
    let (orientation, count) = read(rounded, 0.0);
    assert!(matches!(orientation, Orientation::Quaternion(_)));
    assert_eq!(count, 0);
    let exact = "[[0.6, -0.8, 0], [0.8, 0.6, 0], [0, 0, 1]]";
    assert!(matches!(read(exact, 1e-5), (Orientation::Matrix(_), 0)));
}

#[test]
fn the_reader_says_how_many_angles_it_snapped() {
    let text = "<robot><link name='a'/><link name='b'><inertial><origin rpy='1.5708 0 0'/><mass value='1'/></inertial>\
                </link><joint name='j' type='revolute'><parent link='a'/><child link='b'/>\
                <origin rpy='1.5708 0 -3.14159'/></joint></robot>";
    let count = |snap: f64| {
        let options = ReadOptions { snap, ..ReadOptions::default() };
        parse_text(text, "r.urdf", Format::Urdf, None, &options).unwrap().snapped
    };
    // The inertial frame is a measurement and keeps its digits.
    assert_eq!(count(1e-5), 2);
    assert_eq!(count(0.0), 0);
}

#[test]
fn angles_of_a_rotation_give_it_back() {
    for angles in [[0.1, 0.2, 0.3], [0.0, 1.5, -3.0], [3.0, -1.2, 0.0]] {
        let turn = Orientation::RollPitchYaw(angles.map(|x: f64| Exact::from_f64(x).unwrap()));
        let found = roll_pitch_yaw_of(&turn.evaluate().unwrap().value);
        for (a, b) in angles.into_iter().zip(found) {
            assert!((a - b).abs() < 1e-12, "{angles:?} {found:?}");
        }
    }
}
