//! Links that don't move against their parent are lumped into it, and remembered.

use steiner_formats::{Format, ReadOptions, assemble, parse_text};
use steiner_robot::{CentredInertia, PseudoInertia, Robot};

fn read(text: &str, format: Format) -> Robot {
    let options = ReadOptions::default();
    assemble(parse_text(text, "r", format, None, &options).unwrap(), &options).unwrap()
}

fn point(mass: f64, com: [f64; 3]) -> PseudoInertia {
    PseudoInertia::from_centred(&CentredInertia { mass, com, tensor: [0.0; 6] })
}

fn link(name: &str, mass: &str) -> String {
    format!("<link name='{name}'><inertial><mass value='{mass}'/></inertial></link>")
}

fn joint(name: &str, kind: &str, parent: &str, child: &str, origin: &str) -> String {
    format!(
        "<joint name='{name}' type='{kind}'><parent link='{parent}'/><child link='{child}'/><origin {origin}/></joint>"
    )
}

fn arm() -> Robot {
    let parts = [
        link("base", "9"),
        link("pedestal", "8"),
        link("arm", "1"),
        link("flange", "2"),
        link("tool", "3"),
        link("finger", "4"),
        joint("f0", "fixed", "base", "pedestal", "xyz='0 0 1'"),
        joint("shoulder", "revolute", "pedestal", "arm", "xyz='0 0 1'"),
        joint("f1", "fixed", "arm", "flange", "xyz='1 0 0' rpy='0 0 1.5708'"),
        joint("f2", "fixed", "flange", "tool", "xyz='2 0 0'"),
        joint("slide", "prismatic", "tool", "finger", "xyz='0 0 5'"),
    ];
    read(&format!("<robot name='r'>{}</robot>", parts.concat()), Format::Urdf)
}

#[test]
fn fixed_links_add_their_inertia_where_they_sit() {
    let robot = arm();
    assert_eq!(robot.bodies.len(), 2);
    let arm = &robot.bodies[0];
    // The flange at (1, 0, 0) is turned by 90°, so that the tool sits at (1, 2, 0).
    let expected = point(1.0, [0.0; 3]).plus(&point(2.0, [1.0, 0.0, 0.0])).plus(&point(3.0, [1.0, 2.0, 0.0]));
    for (found, wanted) in arm.inertia.parameters().into_iter().zip(expected.parameters()) {
        assert!((found - wanted).abs() < 1e-12);
    }
    assert_eq!(arm.own_inertia, Some(point(1.0, [0.0; 3])), "the link's own, without what is fixed to it");
}

#[test]
fn lumped_links_keep_their_name_frame_and_inertia() {
    let robot = arm();
    let lumped = &robot.bodies[0].lumped;
    assert_eq!(lumped.iter().map(|link| link.name.as_str()).collect::<Vec<_>>(), ["flange", "tool"]);
    let tool = lumped[1].frame.pose().translation.0;
    assert!((tool[0] - 1.0).abs() < 1e-15 && (tool[1] - 2.0).abs() < 1e-15);
    assert_eq!(lumped[1].inertia, Some(point(3.0, [0.0; 3])));
}

#[test]
fn children_of_lumped_links_hang_on_the_body() {
    let robot = arm();
    let finger = &robot.bodies[1];
    assert_eq!(finger.parent, robot.body_named("arm"));
    let origin = finger.joint.placement.pose().translation.0;
    for (found, wanted) in origin.into_iter().zip([1.0, 2.0, 5.0]) {
        assert!((found - wanted).abs() < 1e-15);
    }
}

#[test]
fn links_fixed_to_the_base_carry_no_parameters() {
    let robot = arm();
    assert_eq!(robot.ground.iter().map(|link| link.name.as_str()).collect::<Vec<_>>(), ["base", "pedestal"]);
    assert_eq!(robot.labels().len(), 20);
    assert_eq!(robot.bodies[0].parent, None);
    assert_eq!(robot.bodies[0].joint.placement.pose().translation.0, [0.0, 0.0, 2.0]);
}

#[test]
fn capsules_move_with_their_links() {
    let text = "[[body]]\nname = 'a'\nparent = 'base'\njoint = 'revolute'\n\
                [[body]]\nname = 'b'\nparent = 'a'\njoint = 'fixed'\nxyz = [1, 0, 0]\nrpy = [0, 0, 'pi/2']\n\
                capsules = [{ from = [0, 0, 0], to = [1, 0, 0], radius = 0.1 }]\n";
    let robot = read(text, Format::Toml);
    let [capsule] = &robot.bodies[0].capsules[..] else { panic!("one capsule") };
    assert_eq!(capsule.from, [1.0, 0.0, 0.0]);
    assert!((capsule.to[0] - 1.0).abs() < 1e-15 && (capsule.to[1] - 1.0).abs() < 1e-15);
}

#[test]
fn floating_bases_are_bodies_with_what_is_fixed_to_them() {
    let options = ReadOptions { floating: true, ..ReadOptions::default() };
    let text = format!(
        "<robot>{}{}{}</robot>",
        link("base", "9"),
        link("shell", "1"),
        joint("f", "fixed", "base", "shell", "xyz='0 0 1'")
    );
    let robot = assemble(parse_text(&text, "r", Format::Urdf, None, &options).unwrap(), &options).unwrap();
    assert_eq!(robot.bodies[0].inertia.mass, 10.0);
    assert!(robot.ground.is_empty());
}
