//! Random trees, with gears and without: the certified nullspace against the singular values of forces that
//! another recursion computes in doubles.

mod random;

use std::cell::RefCell;

use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::TestRunner;
use random::forces::{Forces, with_sensor};
use random::singular_values::{NO_FORCE, clear_rank, independent};
use random::trees::{RandomTree, trees};
use random::{cases, dense, description, mechanism, nullspace_of};
use steiner_dynamics::Mechanism;
use steiner_identifiability::Nullspace;
use steiner_linalg::elimination::Matrix;
use steiner_robot::{Description, JointKind};

fn size(numbers: &[f64]) -> f64 {
    numbers.iter().fold(0.0, |most: f64, x| most.max(x.abs()))
}

/// Checks vectors and rank against rows in doubles, and says whether these were clear.
fn agrees(nullspace: &Nullspace, rows: &Matrix<f64>, what: &str) -> bool {
    for vector in dense(nullspace) {
        let seen = size(&rows.apply(&vector));
        assert!(seen <= (1e-9 * size(rows.entries())).max(NO_FORCE), "{what}: a vector is seen: {seen:e}");
    }
    has_rank_of(nullspace, rows, what)
}

fn has_rank_of(nullspace: &Nullspace, rows: &Matrix<f64>, what: &str) -> bool {
    let vectors = dense(nullspace);
    assert_eq!(independent(&vectors), vectors.len(), "{what}: independent vectors");
    assert_eq!(nullspace.identifiable(), nullspace.certificate.rank, "{what}");
    let Some(rank) = clear_rank(rows) else { return false };
    assert_eq!(nullspace.certificate.rank, rank, "{what}: certified, and seen in doubles");
    true
}

/// Runs a comparison on random trees; most must be clear.
fn mostly_clear(
    usual: u32,
    strategy: impl Strategy<Value = (RandomTree, Index)>,
    clear: impl Fn(&Description, Index) -> bool,
) {
    let outcomes = RefCell::new(Vec::new());
    let run = TestRunner::new(cases(usual)).run(&strategy, |(tree, index)| {
        outcomes.borrow_mut().push(clear(&tree.description(), index));
        Ok(())
    });
    if let Err(error) = run {
        panic!("{error}");
    }
    let outcomes = outcomes.into_inner();
    let unclear = outcomes.iter().filter(|clear| !**clear).count();
    println!("{} trees, {unclear} unclear in doubles", outcomes.len());
    assert!(20 * unclear <= outcomes.len(), "{unclear} of {} trees are unclear", outcomes.len());
}

fn any_tree(geared: bool) -> impl Strategy<Value = (RandomTree, Index)> {
    (trees(6, any::<bool>(), geared), any::<Index>())
}

fn sees_all(description: &Description, _: Index) -> bool {
    let robot = mechanism(description.clone());
    agrees(&nullspace_of(&robot, "all"), &Forces::all(&robot).stacked(1), "all")
}

#[test]
fn doubles_see_the_certified_rank_of_trees() {
    mostly_clear(64, any_tree(false), sees_all);
}

#[test]
fn doubles_see_the_certified_rank_of_geared_trees() {
    mostly_clear(64, any_tree(true), sees_all);
}

#[test]
fn at_rest_doubles_see_the_certified_rank() {
    mostly_clear(64, any_tree(true), |description, _| {
        let robot = mechanism(description.clone());
        let forces = Forces { still: true, ..Forces::all(&robot) };
        agrees(&nullspace_of(&robot, "static"), &forces.stacked(2), "static")
    });
}

#[test]
fn a_joint_alone_shows_the_certified_rank() {
    mostly_clear(64, any_tree(true), |description, index| {
        let robot = mechanism(description.clone());
        let names = robot.independent_names();
        let chosen = index.index(names.len());
        let measure = format!("joints:{}", names[chosen]);
        let forces = Forces { rows: vec![chosen], ..Forces::all(&robot) };
        agrees(&nullspace_of(&robot, &measure), &forces.stacked(3), &measure)
    });
}

#[test]
fn two_joints_show_the_certified_rank() {
    mostly_clear(512, any_tree(true), |description, index| {
        let robot = mechanism(description.clone());
        let names = robot.independent_names();
        let first = index.index(names.len());
        let second = (first + 1) % names.len();
        let measure = format!("joints:{},{}", names[first], names[second]);
        let forces = Forces { rows: vec![first, second], ..Forces::all(&robot) };
        agrees(&nullspace_of(&robot, &measure), &forces.stacked(3), &measure)
    });
}

/// The forces of the six freedoms of `sensor`.
fn felt<'m>(robot: &'m Mechanism, weightless: bool) -> Forces<'m> {
    let sensor = robot.robot().body_named("sensor").expect("a sensor").0;
    let named = robot.independent_names();
    let rows = (0..named.len()).filter(|&row| named[row].starts_with("sensor")).collect();
    let weightless = weightless.then_some(sensor);
    Forces { rows, frozen: Some(sensor), weightless, ..Forces::all(robot) }
}

#[test]
fn a_sensor_inside_a_joint_feels_the_certified_rank() {
    mostly_clear(64, any_tree(true), |description, index| {
        let robot = mechanism(description.clone());
        let bodies = &robot.robot().bodies;
        let name = bodies[index.index(bodies.len())].name.clone();
        let measure = format!("wrench:{name}");
        let cut = mechanism(with_sensor(description.clone(), Some(&name)));
        agrees(&nullspace_of(&robot, &measure), &felt(&cut, true).stacked(4), &measure)
    });
}

#[test]
fn a_force_plate_under_a_fixed_base_feels_the_certified_rank() {
    let fixed = (trees(6, Just(false), true), any::<Index>());
    mostly_clear(64, fixed, |description, _| {
        let robot = mechanism(description.clone());
        // A tree whose first joint floats stands on nothing.
        if robot.robot().is_floating() {
            return true;
        }
        // What is fixed to the base is weighed with the plate, in the plate's frame.
        let on_plate = description
            .joints
            .iter()
            .any(|joint| joint.parent.is_none() && joint.joint.kind == JointKind::Fixed);
        let plate = mechanism(with_sensor(description.clone(), None));
        let (nullspace, rows) = (nullspace_of(&robot, "base-wrench"), felt(&plate, !on_plate).stacked(5));
        let compare = if on_plate { has_rank_of } else { agrees };
        compare(&nullspace, &rows, "base-wrench")
    });
}

proptest! {
    #![proptest_config(cases(64))]

    /// What all forces of a floating tree tell, its base wrench tells alone \[ayusawa2014\].
    #[test]
    fn the_base_wrench_of_a_floating_tree_tells_all(tree in trees(6, Just(true), false)) {
        let robot = mechanism(tree.description());
        let (all, base) = (nullspace_of(&robot, "all"), nullspace_of(&robot, "base-wrench"));
        prop_assert_eq!(all.vectors.len(), base.vectors.len());
        let both: Vec<Vec<f64>> = dense(&all).into_iter().chain(dense(&base)).collect();
        prop_assert_eq!(independent(&both), all.vectors.len(), "the same span");
    }

    #[test]
    fn the_base_wrench_of_a_geared_floating_tree_tells_no_more_than_all(tree in trees(6, Just(true), true)) {
        let robot = mechanism(tree.description());
        let (all, base) = (nullspace_of(&robot, "all"), nullspace_of(&robot, "base-wrench"));
        let both: Vec<Vec<f64>> = dense(&all).into_iter().chain(dense(&base)).collect();
        prop_assert_eq!(independent(&both), base.vectors.len(), "what is never seen is not seen there");
    }
}

#[test]
fn a_geared_rotor_hides_from_the_base_wrench() {
    let geared = description(
        r#"
gravity = [0, 0, -9.81]
[[body]]
name = "trunk"
parent = "base"
joint = "floating"
[[body]]
name = "link"
parent = "trunk"
joint = "revolute"
xyz = [0.3, 0, 0]
[[body]]
name = "rotor"
parent = "trunk"
joint = "revolute"
xyz = [0.1, 0, 0]
[[coupling]]
coordinate = "rotor"
terms = [["link", 9]]
"#,
    );
    let robot = mechanism(geared);
    let nullity = |measure| nullspace_of(&robot, measure).vectors.len();
    // Its spin adds 9 Izz to the torque of the trunk but 81 Izz to that of the link, which
    // the link's own Izz cannot hide.
    assert_eq!((nullity("all"), nullity("base-wrench")), (6, 7));
}
