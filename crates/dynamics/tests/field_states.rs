//! States in F_p of joints whose numbers the field lacks: rotations stay rotations,
//! ranks stay those of the motion.

mod support;

use steiner_dynamics::{Mechanism, RationalStates, regressor};
use steiner_linalg::elimination::{Matrix, reduce};
use steiner_linalg::{Mat3, Stream};
use steiner_scalar::{DoubleDouble, Field, Fp, Scalar};
use support::{Noise, mechanism, random_configuration};

fn states<S: Scalar>(mechanism: &Mechanism) -> RationalStates<S> {
    RationalStates::new(mechanism.robot(), mechanism.plan())
        .unwrap_or_else(|error| panic!("{error}"))
        .expect("no loops")
}

fn field_numbers(seed: u64) -> impl FnMut() -> Fp {
    let mut stream = Stream::new(seed);
    move || stream.residue()
}

/// The rank of as many states as could ever be needed, with how clear it was.
fn rank<S: Field>(
    mechanism: &Mechanism,
    tolerance: f64,
    mut next: impl FnMut() -> Matrix<S>,
) -> (usize, f64) {
    let columns = mechanism.layout().columns();
    let mut rows = Matrix::zeros(0, columns);
    for _ in 0..columns.div_ceil(mechanism.dof()) + 8 {
        let y = next();
        (0..y.rows()).for_each(|r| rows.push_row(y.row(r)));
    }
    let echelon = reduce(rows, columns, tolerance);
    (echelon.rank(), echelon.decision.gap())
}

fn rank_in_the_field(mechanism: &Mechanism) -> usize {
    let states = states::<Fp>(mechanism);
    let mut draw = field_numbers(0x1234_5678_9abc_def1);
    rank(mechanism, 0.0, || regressor(states.tree(), mechanism.layout(), &states.state(&mut draw))).0
}

/// Of the same construction in 30 digits.
fn rank_in_thirty_digits(mechanism: &Mechanism) -> usize {
    let states = states::<DoubleDouble>(mechanism);
    let mut noise = Noise::new(7);
    let mut draw = || DoubleDouble::from_f64(noise.uniform());
    let (rank, gap) =
        rank(mechanism, 1e-20, || regressor(states.tree(), mechanism.layout(), &states.state(&mut draw)));
    assert!(gap > 1e6, "no clear rank: gap {gap:e}");
    rank
}

/// Of the robot as it moves, with sines and cosines.
fn rank_in_motion(mechanism: &Mechanism) -> usize {
    let mut noise = Noise::new(11);
    let (rank, gap) = rank(mechanism, 1e-11, || {
        let q = random_configuration(mechanism, &mut noise, 2.0);
        let (qd, qdd) = (noise.vector(mechanism.dof()), noise.vector(mechanism.dof()));
        mechanism.regressor(&q, &qd, &qdd).unwrap_or_else(|error| panic!("{error}"))
    });
    assert!(gap > 1e3, "no clear rank: gap {gap:e}");
    rank
}

fn assert_ranks(what: &str, mechanism: &Mechanism) -> usize {
    let moving = rank_in_motion(mechanism);
    assert_eq!(rank_in_thirty_digits(mechanism), moving, "{what}: thirty digits against the motion");
    assert_eq!(rank_in_the_field(mechanism), moving, "{what}: F_p against the motion");
    moving
}

fn assert_rotations(what: &str, mechanism: &Mechanism) {
    let states = states::<Fp>(mechanism);
    for seed in 1..6 {
        let state = states.state(field_numbers(seed));
        for (segment, pose) in state.poses.iter().enumerate() {
            let r = pose.rotation;
            assert_eq!(r.transpose() * r, Mat3::identity(), "{what}, segment {segment}");
            assert!(r != Mat3::identity(), "{what}, segment {segment} does not turn");
        }
    }
}

fn body(name: &str, parent: &str, joint: &str, more: &str) -> String {
    format!("[[body]]\nname = \"{name}\"\nparent = \"{parent}\"\njoint = \"{joint}\"\n{more}\n")
}

fn coupling(coordinate: &str, terms: &str, offset: &str) -> String {
    format!("[[coupling]]\ncoordinate = \"{coordinate}\"\nterms = [{terms}]\noffset = {offset}\n")
}

/// Axes whose length is a root: √11, √2, √14, √(1 + 0.3² + 0.7²), √5.
const AXES: [&str; 5] = ["[1, 1, 3]", "[1, 0, 1]", "[-3, 2, 1]", "[1, 0.3, 0.7]", "[0, -1, -2]"];

#[test]
fn a_planar_joint_with_a_normal_of_irrational_length_turns_by_rotations_of_the_field() {
    for axis in AXES.iter().chain(&["[0, 0, -1]", "[0, 0, -11]", "[1, 2, 2]"]) {
        let machine = mechanism(&body("plate", "base", "planar", &format!("axis = {axis}")));
        assert_rotations(axis, &machine);
        assert_ranks(axis, &machine);
    }
}

/// Both joints turn about the same direction, which they must do in the field as well:
/// parallel axes have a lower rank.
fn assert_parallel(kind: &str, more: &str, tail: &str) {
    for axis in AXES {
        let text = body("a", "base", "revolute", &format!("axis = {axis}"))
            + &body("b", "a", kind, &format!("{more}axis = {axis}\nxyz = [0.2, 0, 0.1]"))
            + &tail.replace("AXIS", axis);
        let machine = mechanism(&text);
        let what = format!("{kind} {axis}");
        let state = states::<Fp>(&machine).state(field_numbers(3));
        for (segment, pose) in state.poses.iter().enumerate() {
            let r = pose.rotation;
            assert_eq!(r.transpose() * r, Mat3::identity(), "{what}, segment {segment}");
        }
        assert_ranks(&what, &machine);
    }
}

#[test]
fn joints_about_parallel_axes_of_irrational_length_are_parallel_in_the_field() {
    assert_parallel("revolute", "", "");
    assert_parallel("cylindrical", "", "");
    assert_parallel("prismatic", "", "");
}

#[test]
fn a_screw_about_the_axis_of_a_hinge_is_parallel_to_it_in_the_field() {
    assert_parallel("helical", "pitch = 0.01\n", "");
}

#[test]
fn a_coupled_joint_is_parallel_to_a_free_one_about_the_same_axis_in_the_field() {
    let tail =
        body("c", "b", "revolute", "axis = AXIS\nxyz = [0, 0.3, 0]") + &coupling("c", "[\"b\", -2]", "0.5");
    assert_parallel("revolute", "", &tail);
}

#[test]
fn placements_at_arbitrary_angles_are_rotations_of_the_field() {
    let text = body("a", "base", "revolute", "axis = [1, 1, 3]\nrpy = [0.3, -0.4, \"pi/3\"]")
        + &body("b", "a", "planar", "axis = [1, 1, 3]\nrpy = [1, 2, 3]")
        + &body("c", "b", "spherical", "rpy = [\"pi/5\", 0.1, 0]")
        + &body("d", "c", "universal", "axis = [1, 1, 3]\naxis2 = [1, -1, 1]\nrpy = [0.7, 0, 0.2]");
    assert_rotations("arbitrary angles", &mechanism(&text));
}

#[test]
fn coupled_joints_about_axes_of_irrational_length_turn_by_rotations_of_the_field() {
    for axis in AXES {
        for (ratio, offset) in [("-2.5", "0"), ("3", "\"pi/2\""), ("0.5", "0.1"), ("\"1/7\"", "\"pi/6\"")] {
            let text = body("a", "base", "revolute", &format!("axis = {axis}"))
                + &body("b", "a", "revolute", &format!("axis = {axis}\nxyz = [0.3, 0, 0.1]"))
                + &body("c", "b", "revolute", "axis = [1, 0, 2]\nxyz = [0, 0.2, 0.1]")
                + &coupling("b", &format!("[\"a\", {ratio}]"), offset)
                + &coupling("c", "[\"a\", -1]", "0");
            let machine = mechanism(&text);
            assert_eq!(machine.dof(), 1);
            let what = format!("{axis}, {ratio}, {offset}");
            assert_rotations(&what, &machine);
            assert_ranks(&what, &machine);
        }
    }
}

#[test]
fn the_coupled_angle_of_a_planar_joint_is_the_same_motion_in_the_field() {
    for axis in ["[0, 0, 1]", "[1, 1, 3]", "[1, 2, 2]"] {
        for (ratio, offset) in [("1", "0"), ("-1", "0"), ("2.5", "\"pi/2\""), ("-0.3", "0.2")] {
            // The arm turns about the plate's normal: at ratio −1 the plate never turns in the room.
            let text = body("arm", "base", "revolute", &format!("axis = {axis}"))
                + &body("plate", "arm", "planar", &format!("axis = {axis}\nxyz = [0.2, 0.1, 0]"))
                + &body("tool", "plate", "revolute", "axis = [1, 0, 0]\nxyz = [0.1, 0, 0.3]")
                + &coupling("plate:2", &format!("[\"arm\", {ratio}]"), offset);
            let machine = mechanism(&text);
            assert_eq!(machine.dof(), 4);
            let what = format!("normal {axis}, {ratio}, {offset}");
            assert_rotations(&what, &machine);
            assert_ranks(&what, &machine);
        }
    }
}

#[test]
fn a_plate_turned_back_by_its_coupling_keeps_its_attitude_in_the_field() {
    for axis in ["[0, 0, 1]", "[1, 1, 3]"] {
        let text = body("arm", "base", "revolute", &format!("axis = {axis}"))
            + &body("plate", "arm", "planar", &format!("axis = {axis}"))
            + &coupling("plate:2", "[\"arm\", -1]", "0");
        let machine = mechanism(&text);
        let states = states::<Fp>(&machine);
        let attitude = |seed| {
            let state = states.state(field_numbers(seed));
            state.poses[0].rotation * state.poses[1].rotation
        };
        assert_eq!(attitude(1), attitude(2), "{axis}");
    }
}

/// Two wheels on one pin of an arm. Gravity is along the axes, so that only their
/// turning against the arm can be felt.
fn geared(first: &str, second: &str) -> Mechanism {
    mechanism(
        &("gravity = [0, -9.81, 0]\n".to_owned()
            + &body("a", "base", "revolute", "axis = [0, 1, 0]")
            + &body("b", "a", "revolute", "axis = [0, 1, 0]\nxyz = [0.3, 0, 0.1]")
            + &body("c", "b", "revolute", "axis = [0, 1, 0]")
            + &coupling("b", &format!("[\"a\", {first}]"), "0")
            + &coupling("c", &format!("[\"a\", {second}]"), "0")),
    )
}

#[test]
fn a_gear_of_irrational_ratio_has_the_rank_of_its_motion() {
    let machine = geared("\"sqrt(2)\"", "3");
    assert_rotations("sqrt(2)", &machine);
    assert_ranks("sqrt(2), 3", &machine);
}

#[test]
fn a_gear_whose_ratio_has_a_huge_denominator_has_the_rank_of_its_motion() {
    for ratio in ["0.123456789012345", "\"12345678901/98765432101\"", "\"1000003/1048583\""] {
        let machine = geared(ratio, "-2");
        assert_rotations(ratio, &machine);
        assert_ranks(ratio, &machine);
    }
}

/// c turns back what b turned, as a parallelogram does: no ratio may hide that.
fn assert_undone(ratio: &str, opposite: &str) {
    let whole = assert_ranks("2, -2", &geared("2", "-2"));
    assert!(whole < assert_ranks("2, -5", &geared("2", "-5")), "the case is worth a test");
    assert_eq!(assert_ranks(&format!("{ratio}, {opposite}"), &geared(ratio, opposite)), whole, "{ratio}");
}

#[test]
fn two_gears_of_opposite_irrational_ratios_undo_each_other_in_the_field_too() {
    assert_undone("\"sqrt(2)\"", "\"-sqrt(2)\"");
}

#[test]
fn two_gears_of_opposite_ratios_with_huge_denominators_undo_each_other_in_the_field_too() {
    assert_undone("0.123456789012345", "-0.123456789012345");
    assert_undone("\"1000003/1048583\"", "\"-1000003/1048583\"");
}
