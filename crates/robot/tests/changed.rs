//! Robots made from others: changes are checked, and numbers that stand in several places stay in step.

use steiner_formats::{ReadOptions, read_robot};
use steiner_robot::{
    BodyIndex, Coordinate, Friction, JointKind, NewDrive, NewDynamics, PseudoInertia, Robot, RobotParts,
};
use steiner_scalar::Exact;

fn zoo(name: &str) -> Robot {
    read_robot(name, &ReadOptions::default()).unwrap()
}

#[test]
fn what_makes_no_robot_is_refused_in_one_sentence() {
    let four_bar = zoo("four_bar");
    let nowhere = Coordinate { body: BodyIndex(9), component: 0 };
    let refused = |change: &dyn Fn(&mut RobotParts), sentence: &str| {
        let error = four_bar.changed(change).unwrap_err().to_string();
        assert!(error.contains(sentence), "{error}");
    };
    refused(&|parts| parts.bodies.clear(), "no moving body");
    refused(&|parts| parts.bodies[0].parent = Some(BodyIndex(1)), "its parent does not precede it");
    refused(&|parts| parts.bodies[1].joint.kind = JointKind::Fixed, "its joint is fixed");
    refused(&|parts| parts.bodies[1].name = parts.bodies[0].name.clone(), "two bodies have this name");
    refused(&|parts| parts.loops[0].successor.body = Some(BodyIndex(7)), "it does not join two bodies");
    refused(&|parts| parts.independent = Some(vec![nowhere]), "coordinate 0 of body 9: there is none");
    refused(&|parts| parts.reference.truncate(1), "it has 1 numbers; give 3");
    refused(&|parts| parts.gravity[1] = Exact::one() / Exact::zero(), "gravity");
    refused(&|parts| parts.bodies[2].inertia.mass = f64::NAN, "its moments are not finite");
    assert!(four_bar.changed(|_| {}).is_ok());
}

#[test]
fn an_open_four_bar_is_a_tree_without_a_wish() {
    let open = zoo("four_bar").without_loops();
    assert!(open.loops.is_empty() && open.independent.is_none());
    assert_eq!(open.tree_dof(), 3);
}

#[test]
fn new_dynamics_stand_in_the_body_its_link_and_the_description() {
    let go2 = zoo("go2");
    // A body with links fixed to it: they keep theirs, it takes up the difference.
    let body = go2.bodies.iter().find(|body| body.lumped.iter().any(|link| link.inertia.is_some())).unwrap();
    let more = PseudoInertia::from_parameters(&[0.5, 0.01, 0.0, 0.02, 0.1, 0.0, 0.1, 0.0, 0.0, 0.1]);
    let joint = go2.bodies[3].joint.name.clone();
    let friction = Friction::simple(0.1, 0.2, 0.3);
    let new = NewDynamics {
        inertias: vec![(body.name.clone(), body.inertia.plus(&more))],
        drives: vec![NewDrive { joint: joint.clone(), rotor_inertia: 0.4, friction }],
    };
    let changed = go2.with_dynamics(&new).unwrap();
    let after = changed.bodies.iter().find(|other| other.name == body.name).unwrap();
    assert_eq!(after.inertia, body.inertia.plus(&more));
    let difference = after.own_inertia.unwrap().minus(&body.own_inertia.unwrap());
    for (found, wanted) in difference.parameters().iter().zip(more.parameters()) {
        assert!((found - wanted).abs() < 1e-12);
    }
    let described = changed.description.links.iter().find(|link| link.name == body.name).unwrap();
    assert_eq!(described.inertia, after.own_inertia);
    assert!(after.lumped.iter().zip(&body.lumped).all(|(a, b)| a.inertia == b.inertia));
    assert_eq!((changed.bodies[3].joint.rotor_inertia, changed.bodies[3].joint.friction), (0.4, friction));
    let described = changed.description.joints.iter().find(|other| other.joint.name == joint).unwrap();
    assert_eq!(described.joint.friction, friction);
    let strange = NewDynamics { inertias: vec![("trunk".to_owned(), more)], drives: Vec::new() };
    assert!(
        go2.with_dynamics(&strange).unwrap_err().to_string().contains("there is no link or body `trunk`")
    );
}
