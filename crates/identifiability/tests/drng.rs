//! DRNG of [sun2025]: the paper's tables, and that what it claims is true and independent.

mod support;

use steiner_dynamics::Mechanism;
use steiner_formats::{Format, ReadOptions, assemble, parse_text, read_robot, zoo};
use steiner_identifiability::{Cause, NullVector, Principle, Site, TetrahedralModel, drng, drng_nullspace};
use steiner_robot::Robot;
use steiner_scalar::Exact;
use support::drng::{assert_independent_and_within, assert_prepared_alike, compared};
use support::{dense, mechanism, named, references, robot};

#[test]
fn the_dimensions_of_table_3() {
    for (name, nullity) in [("puma560", 24), ("go2", 36), ("pkm_2rru_1rrs", 45), ("pkm_2prs_1psr", 47)] {
        assert_eq!(compared(name, &named(name)), (nullity, 0), "{name}");
    }
}

#[test]
fn gravity_along_the_first_axis_of_the_puma_hides_two_parameters() {
    // Section 6.1: 36 parameters are identifiable with gravity along z, 38 otherwise. Remark 5: without
    // gravity two more hide, in fixed points of the second link, which the method leaves out.
    for (gravity, found, missed) in [([0, 0, -10], 24, 0), ([-10, 0, 0], 22, 0), ([0; 3], 24, 2)] {
        let options = ReadOptions { gravity: Some(gravity.map(Exact::integer)), ..ReadOptions::default() };
        let puma = Mechanism::new(read_robot("puma560", &options).unwrap()).unwrap();
        assert_eq!(compared("puma560", &puma), (found, missed), "{gravity:?}");
    }
}

#[test]
fn no_reference_has_a_false_vector_and_these_miss_some() {
    // (mechanism, nullity, missed)
    let incomplete = [
        ("base_u_gz_axis1", 2, 1),
        ("bennett", 21, 5),
        ("delta", 66, 33),
        ("exechon", 31, 1),
        ("floating_fourbar", 15, 1),
        ("gantry_ppp", 27, 2),
        ("gantry_ppr", 25, 1),
        ("gear1_par", 30, 6),
        ("gear9_par", 26, 2),
        ("parallelogram_gplane", 27, 5),
        ("puma560_g0", 26, 2),
        ("rotating_fourbar", 21, 1),
        ("rr_coaxial_gz", 18, 2),
        ("sarrus", 42, 4),
        ("scara_prrr_gz", 32, 2),
        ("slidercrank_looped_p", 24, 2),
    ];
    let mut missing = Vec::new();
    let references = references();
    for (name, path, recorded) in &references {
        let mechanism = named(&path.to_string_lossy());
        let found = drng_nullspace(&mechanism).unwrap();
        let columns = mechanism.layout().columns();
        assert_independent_and_within(name, &dense(&found, columns), recorded, columns);
        if found.len() < recorded.len() {
            missing.push((name.as_str(), recorded.len(), recorded.len() - found.len()));
        }
    }
    assert!(references.is_empty() || missing == incomplete, "{missing:?}");
}

#[test]
fn no_robot_of_the_zoo_has_a_false_vector_and_these_miss_some() {
    let incomplete = [("gantry", 2), ("palletizer", 33), ("delta", 33)];
    let missed = zoo::ENTRIES.iter().map(|entry| (entry.name, compared(entry.name, &named(entry.name)).1));
    assert_eq!(missed.filter(|(_, missed)| *missed > 0).collect::<Vec<_>>(), incomplete);
}

#[test]
fn a_robot_and_its_mechanism_give_the_same_span() {
    for entry in zoo::ENTRIES {
        assert_prepared_alike(entry.name, &named(entry.name));
    }
}

#[test]
fn every_vector_has_a_joint_and_a_cause() {
    let first = |vectors: &[NullVector], principle: Principle| {
        vectors.iter().find(|vector| vector.principle() == principle).unwrap().reason.clone()
    };
    let puma = drng_nullspace(&named("puma560")).unwrap();
    assert!(puma.iter().all(|vector| vector.joint().is_some()));
    assert!(puma.iter().all(|vector| vector.entries.iter().any(|(_, x)| *x == 1.0)));
    assert!(puma.iter().all(|vector| vector.entries.is_sorted_by_key(|(column, _)| *column)));
    let shared = first(&puma, Principle::SharedPoints);
    assert_eq!((shared.cause, &shared.bodies[..]), (Cause::MassOnSharedAxis, &[0, 1][..]));
    assert_eq!(shared.site, Some(Site::Joint("link2".to_owned())));
    let planar = first(&puma, Principle::PlanarRotation);
    assert_eq!((planar.cause, &planar.bodies[..]), (Cause::TurnsAboutOneDirection, &[0][..]));
    let four_bar = drng_nullspace(&named("four_bar")).unwrap();
    let last = four_bar.last().unwrap();
    // A point mass of b3 on the pin that joins it to the ground does not move.
    assert_eq!((last.reason.cause, &last.reason.bodies[..]), (Cause::FixedAxis, &[2][..]));
    assert_eq!(last.reason.site, Some(Site::Loop("closure".to_owned())));
}

#[test]
fn a_chain_of_ten_thousand_bodies_needs_no_mechanism() {
    let mut text = String::from("name = \"chain\"\n");
    for body in 0..10_000 {
        let parent = if body == 0 { "base".to_owned() } else { format!("b{}", body - 1) };
        let axis = if body % 2 == 0 { "[0, 0, 1]" } else { "[0, 1, 0]" };
        text += &format!(
            "[[body]]\nname = \"b{body}\"\nparent = \"{parent}\"\njoint = \"revolute\"\nxyz = [0.1, 0, 0.2]\naxis = {axis}\n"
        );
    }
    // Three at every joint, and six more at the first.
    assert_eq!(drng(&TetrahedralModel::from_robot(&robot(&text)).unwrap()).len(), 30_006);
}

#[test]
fn a_machine_of_micrometres_has_the_vectors_of_a_large_one() {
    let five_bar = |size: &str| {
        let body = |name: &str, parent: &str, x: &str| {
            format!(
                "[[body]]\nname = \"{name}\"\nparent = \"{parent}\"\njoint = \"revolute\"\nxyz = [\"{x}*{size}\", 0, 0]\n"
            )
        };
        let text =
            [body("a", "base", "0"), body("b", "a", "0.3"), body("c", "base", "0.2"), body("d", "c", "0.3")];
        let closure = format!(
            "[[loop]]\nname = \"l\"\njoint = \"revolute\"\naxis = [0, 0, 1]\n\
             predecessor = {{ body = \"b\", xyz = [\"0.4*{size}\", 0, 0] }}\n\
             successor = {{ body = \"d\", xyz = [\"0.4*{size}\", 0, 0] }}\n"
        );
        let robot = robot(&(text.concat() + &closure));
        drng(&TetrahedralModel::from_robot(&robot).unwrap()).len()
    };
    // Gravity runs along the axes: nine at each of the two first links, seven at
    // the others, and one at the loop.
    assert_eq!([five_bar("1"), five_bar("1e-6")], [33, 33]);
}

#[test]
fn a_loop_joint_shares_what_a_tree_joint_does() {
    // An arm, and a body that six joints let move freely, joined at their
    // origins; the arm comes first or last.
    let chain = |joints: &[(&str, &str, &str)]| {
        let mut parent = "base";
        let mut text = String::new();
        for &(name, joint, axis) in joints {
            text += &format!(
                "[[body]]\nname = \"{name}\"\nparent = \"{parent}\"\njoint = \"{joint}\"\naxis = {axis}\n"
            );
            parent = name;
        }
        text
    };
    let (x, y, z) = ("[1, 0, 0]", "[0, 1, 0]", "[0, 0, 1]");
    let arm = chain(&[("a1", "revolute", z), ("arm", "revolute", y)]);
    let free = chain(&[
        ("f1", "prismatic", x),
        ("f2", "prismatic", y),
        ("f3", "prismatic", z),
        ("f4", "revolute", z),
        ("f5", "revolute", y),
        ("free", "revolute", x),
    ]);
    let alone = drng_nullspace(&mechanism(&(arm.clone() + &free))).unwrap().len();
    let kinds = [
        ("revolute\"\naxis = [1, 0, 0]\n", 3),
        ("prismatic\"\naxis = [1, 0, 0]\n", 6),
        ("cylindrical\"\naxis = [1, 0, 0]\n", 1),
        ("planar\"\naxis = [1, 0, 0]\n", 1),
        ("universal\"\naxis = [1, 0, 0]\naxis2 = [0, 1, 0]\n", 1),
        ("spherical\"\n", 1),
        ("fixed\"\n", 10),
    ];
    for (kind, shared) in kinds {
        for bodies in [[&*arm, &*free].concat(), [&*free, &*arm].concat()] {
            let text = format!(
                "{bodies}[[loop]]\nname = \"l\"\njoint = \"{kind}\
                 predecessor = {{ body = \"arm\" }}\nsuccessor = {{ body = \"free\" }}\n"
            );
            assert_eq!(compared(&text, &mechanism(&text)).0 - alone, shared, "{text}");
        }
    }
}

/// A body with several joints on another that tumbles, from MuJoCo's format.
fn compound(base: &str, joints: &str) -> Robot {
    let body = format!(
        "<body name=\"carried\" pos=\"0.1 0.2 0.3\" euler=\"0 45 0\"><inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 1\"/>{joints}</body>"
    );
    let text = format!(
        "<mujoco><worldbody><body name=\"carrier\"><inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 1\"/>{base}{body}</body></worldbody></mujoco>"
    );
    let options = ReadOptions::default();
    assemble(parse_text(&text, "model.xml", Format::Mjcf, None, &options).unwrap(), &options).unwrap()
}

#[test]
fn compound_joints_share_what_is_certain() {
    let hinge = |axis: &str, pos: &str| format!("<joint type=\"hinge\" axis=\"{axis}\" pos=\"{pos}\"/>");
    let slide = |axis: &str| format!("<joint type=\"slide\" axis=\"{axis}\"/>");
    let (x, y, z, here, there) = ("1 0 0", "0 1 0", "0 0 1", "0.1 0 0.2", "0.3 0 0.2");
    let free = "<freejoint/>";
    for (joints, found) in [
        (hinge(x, here) + &hinge(y, here), 1),
        (hinge(x, here) + &hinge(y, here) + &hinge(z, here), 1),
        (hinge(x, here) + &hinge(y, there), 0),
        (hinge(z, here) + &hinge(z, there), 1),
        (hinge(x, here) + &hinge(x, there), 3),
        (slide(z) + &hinge(z, here), 1),
        (slide(x) + &slide(y) + &hinge(z, here), 1),
        (slide(x) + &hinge(y, here) + &hinge(z, here), 0),
        (slide(x) + &slide(y), 6),
        (slide(x) + &slide(x), 6),
    ] {
        let mechanism = Mechanism::new(compound(free, &joints)).unwrap();
        assert_eq!(compared(&joints, &mechanism).0, found, "{joints}");
        // On a carrier that turns about one direction, itself fixed to the base, and on one that slides.
        for base in [hinge(z, here), hinge("1 0 -1", here), slide(z), hinge(z, here) + &slide(z)] {
            compared(&joints, &Mechanism::new(compound(&base, &joints)).unwrap());
        }
    }
}

#[test]
fn a_helical_joint_along_gravity_shows_its_mass_and_one_moment() {
    let joint = |kind: &str, axis: &str| {
        mechanism(&format!(
            "[[body]]\nname = \"b\"\nparent = \"base\"\njoint = \"{kind}\"\naxis = {axis}\nxyz = [0.1, 0.2, 0.3]\nframe = {{ xyz = [0.3, 0, 0.1] }}\n"
        ))
    };
    let z = "[0, 0, 1]";
    let slanted = "[0, 3, 4]";
    assert_eq!(compared("helical", &joint("helical\"\npitch = \"0.01", z)), (8, 0));
    assert_eq!(compared("helical", &joint("helical\"\npitch = \"0.01", slanted)), (6, 0));
    assert_eq!(compared("cylindrical", &joint("cylindrical", z)), (8, 0));
    assert_eq!(compared("cylindrical", &joint("cylindrical", slanted)), (6, 0));
    assert_eq!(compared("planar", &joint("planar", z)), (6, 0));
}
