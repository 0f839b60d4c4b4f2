//! New inertias in old files: lumps shared among their links, and everything else left as it was.

use proptest::prelude::*;
use steiner_formats::{
    Format, ReadOptions, UrdfPatch, assemble, parse_text, patch_toml, patch_urdf, write_toml,
};
use steiner_robot::{
    CentredInertia, Description, Friction, LumpNote, Lumped, NewDrive, NewDynamics, PseudoInertia, Robot,
    RobotError, whole_of,
};

const ARM: &str = r#"<robot name="arm">
  <link name="base"><inertial><mass value="4"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
  <link name="upper">
    <inertial>
      <!-- weighed -->
      <origin xyz="0 0 0.2" rpy="0 0 0"/>
      <mass value="2"/>
      <inertia ixx="0.03" ixy="0" ixz="0" iyy="0.04" iyz="0.001" izz="0.02"/>
    </inertial>
  </link>
  <link name="flange"><inertial><origin xyz="0.01 0 0"/><mass value="0.5"/><inertia ixx="1e-3" iyy="1e-3" izz="1.5e-3"/></inertial></link>
  <link name="marker"/>
  <link name="sensor"><inertial><mass value="0.1"/></inertial></link>
  <link name="hand"><inertial><mass value="1"/><inertia ixx="0.01" iyy="0.012" izz="0.013"/></inertial></link>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 1 0"/><limit effort="9" velocity="9" lower="-1" upper="1"/></joint>
  <joint name="weld" type="fixed"><origin xyz="0 0.1 0.4" rpy="0.3 -0.8 1.1"/><parent link="upper"/><child link="flange"/></joint>
  <joint name="glue" type="fixed"><origin xyz="0.02 0 0.1" rpy="0 0 0.7"/><parent link="flange"/><child link="marker"/></joint>
  <joint name="screw" type="fixed"><origin xyz="0.2 0 0.3"/><parent link="flange"/><child link="sensor"/></joint>
  <joint name="wrist" type="continuous"><origin xyz="0 0 0.5"/><parent link="sensor"/><child link="hand"/><axis xyz="1 0 0"/></joint>
</robot>
"#;

fn read(text: &str, format: Format) -> Robot {
    let options = ReadOptions::default();
    assemble(parse_text(text, "robot", format, None, &options).unwrap(), &options).unwrap()
}

/// A body of random points; its parameters are as different as the seed likes.
fn body(seed: u64) -> PseudoInertia {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(1);
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    (0..6).fold(PseudoInertia::ZERO, |sum, _| {
        let point =
            CentredInertia { mass: 0.02 + next().abs(), com: [next(), next(), next()], tensor: [0.0; 6] };
        sum.plus(&PseudoInertia::from_centred(&point))
    })
}

/// Largest difference, relative to the largest moment of the same order.
fn distance(a: &PseudoInertia, b: &PseudoInertia) -> f64 {
    let (a, b) = (a.parameters(), b.parameters());
    [0..1, 1..4, 4..10]
        .into_iter()
        .map(|range| {
            let scale = a[range.clone()].iter().fold(1e-300f64, |most, x| most.max(x.abs()));
            range.map(|k| (a[k] - b[k]).abs() / scale).fold(0.0, f64::max)
        })
        .fold(0.0, f64::max)
}

fn dynamics(upper: PseudoInertia, hand: PseudoInertia) -> NewDynamics {
    NewDynamics { inertias: vec![("upper".to_owned(), upper), ("hand".to_owned(), hand)], drives: Vec::new() }
}

fn inertia_of(description: &Description, link: &str) -> Option<PseudoInertia> {
    description.links.iter().find(|other| other.name == link).unwrap().inertia
}

#[test]
fn a_lump_is_its_links_where_they_sit() {
    let robot = read(ARM, Format::Urdf);
    let parts = robot.lump("upper").unwrap();
    let names: Vec<&str> = parts.iter().map(|part| part.link.as_str()).collect();
    assert_eq!(names, ["upper", "flange", "marker", "sensor"]);
    assert!(distance(&robot.bodies[0].inertia, &whole_of(&parts)) < 1e-15);
    assert_eq!(robot.lump("base").unwrap().len(), 1);
    assert!(robot.lump("sensor").is_none(), "a lump is called by the link that moves");
}

#[test]
fn points_of_a_stretched_lump_move_with_it() {
    // Six points on the axes; the lump becomes three times as heavy, twice as long
    // along x, and moves by (0, 0, 1).
    let point = |com: [f64; 3], mass: f64| {
        PseudoInertia::from_centred(&CentredInertia { mass, com, tensor: [0.0; 6] })
    };
    let places = [
        [1.0, 0.0, 0.0],
        [-1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, -1.0, 0.0],
        [0.0, 0.0, 1.0],
        [0.0, 0.0, -1.0],
    ];
    let mut text = r#"<robot name="star"><link name="base"/>
        <joint name="spin" type="continuous"><parent link="base"/><child link="part0"/></joint>"#
        .to_owned();
    for (k, [x, y, z]) in places.into_iter().enumerate() {
        text += &format!(
            r#"<link name="part{k}"><inertial><origin xyz="{x} {y} {z}"/><mass value="0.5"/></inertial></link>"#
        );
        if k > 0 {
            text += &format!(
                r#"<joint name="weld{k}" type="fixed"><parent link="part0"/><child link="part{k}"/></joint>"#
            );
        }
    }
    let robot = read(&(text + "</robot>"), Format::Urdf);
    let moved = places.map(|[x, y, z]| point([2.0 * x, y, z + 1.0], 1.5));
    let whole = moved.iter().fold(PseudoInertia::ZERO, |sum, part| sum.plus(part));
    let new = NewDynamics { inertias: vec![("part0".to_owned(), whole)], drives: Vec::new() };
    let shared = robot.redescribed(&new, Lumped::Proportional).unwrap().description;
    for (k, wanted) in moved.iter().enumerate() {
        let share = inertia_of(&shared, &format!("part{k}")).unwrap();
        assert!(distance(wanted, &share) < 1e-14, "{share:?} {wanted:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn files_with_new_inertias_read_back_as_the_same_lumps(seed in any::<u64>()) {
        let robot = read(ARM, Format::Urdf);
        let new = dynamics(body(seed), body(seed ^ 0xABCD));
        for lumped in [Lumped::MovingLink, Lumped::Proportional] {
            let redescribed = robot.redescribed(&new, lumped).unwrap().description;
            let urdf = patch_urdf(ARM, "arm.urdf", &UrdfPatch::between(&robot.description, &redescribed)).unwrap();
            let toml = write_toml(&redescribed).unwrap();
            let patched = patch_toml(&toml, "arm.toml", &redescribed, &redescribed).unwrap();
            prop_assert_eq!(&patched, &toml, "nothing new, nothing written");
            for (text, format) in [(urdf, Format::Urdf), (toml, Format::Toml)] {
                let again = read(&text, format);
                for (body, (_, wanted)) in again.bodies.iter().zip(&new.inertias) {
                    prop_assert!(distance(wanted, &body.inertia) < 1e-12, "{lumped:?}: {}", distance(wanted, &body.inertia));
                }
                for link in &again.description.links {
                    prop_assert!(link.inertia.is_none_or(|inertia| inertia.check().is_ok()), "{}", link.name);
                }
            }
        }
    }

    #[test]
    fn shares_keep_their_part_of_the_mass(seed in any::<u64>()) {
        let robot = read(ARM, Format::Urdf);
        let whole = body(seed);
        let parts = robot.lump("upper").unwrap();
        let new = NewDynamics { inertias: vec![("upper".to_owned(), whole)], drives: Vec::new() };
        let shared = robot.redescribed(&new, Lumped::Proportional).unwrap().description;
        let factor = whole.mass / whole_of(&parts).mass;
        for part in &parts {
            let share = inertia_of(&shared, &part.link);
            let masses = (part.inertia.map(|x| factor * x.mass), share.map(|x| x.mass));
            prop_assert!(masses.0.is_some() == masses.1.is_some());
            prop_assert!((masses.0.unwrap_or(0.0) - masses.1.unwrap_or(0.0)).abs() < 1e-14 * whole.mass);
        }
    }
}

#[test]
fn the_moving_link_takes_all_and_says_so() {
    let robot = read(ARM, Format::Urdf);
    let new = dynamics(body(1), robot.bodies[1].inertia);
    let redescribed = robot.redescribed(&new, Lumped::MovingLink).unwrap();
    let emptied = ["flange", "sensor"].map(str::to_owned).to_vec();
    assert_eq!(redescribed.notes, [LumpNote::TakenOver { link: "upper".to_owned(), emptied }]);
    assert_eq!(inertia_of(&redescribed.description, "flange"), Some(PseudoInertia::ZERO));
    assert_eq!(inertia_of(&redescribed.description, "marker"), None, "what had no inertia gets none");
    let text = patch_urdf(ARM, "arm.urdf", &UrdfPatch::between(&robot.description, &redescribed.description))
        .unwrap();
    assert!(text.contains("<!-- weighed -->") && text.contains("<link name=\"marker\"/>"));
    let hand = "<link name=\"hand\"><inertial><mass value=\"1\"/><inertia ixx=\"0.01\" iyy=\"0.012\" izz=\"0.013\"/></inertial></link>";
    assert!(text.contains(hand), "what did not change keeps its characters");
    assert_eq!(text.lines().count(), ARM.lines().count());
}

#[test]
fn flat_and_impossible_parts_are_shared_all_the_same() {
    // All mass on a line, and a part whose tensor violates the triangle inequality.
    let rod = ARM
        .replace("xyz=\"0 0.1 0.4\" rpy=\"0.3 -0.8 1.1\"", "xyz=\"0 0 0.4\"")
        .replace("ixx=\"0.03\" ixy=\"0\" ixz=\"0\" iyy=\"0.04\" iyz=\"0.001\" izz=\"0.02\"", "ixx=\"0.5\" iyy=\"0.5\" izz=\"0\"")
        .replace("<origin xyz=\"0.01 0 0\"/><mass value=\"0.5\"/><inertia ixx=\"1e-3\" iyy=\"1e-3\" izz=\"1.5e-3\"/>", "<mass value=\"0.5\"/>")
        .replace("xyz=\"0.2 0 0.3\"", "xyz=\"0 0 0.3\"");
    let impossible = ARM.replace("izz=\"1.5e-3\"", "izz=\"1.5e-2\"");
    let stood_for = LumpNote::NearestBody { link: "flange".to_owned(), lump: "upper".to_owned() };
    for (text, notes) in [(rod, Vec::new()), (impossible, vec![stood_for])] {
        let robot = read(&text, Format::Urdf);
        let whole = body(5);
        let redescribed = robot.redescribed(&dynamics(whole, body(6)), Lumped::Proportional).unwrap();
        assert_eq!(redescribed.notes, notes);
        let again = read(&write_toml(&redescribed.description).unwrap(), Format::Toml);
        assert!(distance(&whole, &again.bodies[0].inertia) < 1e-12);
        assert!(again.description.links.iter().all(|l| l.inertia.is_none_or(|i| i.check().is_ok())));
    }
}

#[test]
fn a_lump_without_mass_leaves_it_to_the_moving_link() {
    let text = ARM
        .replace("<mass value=\"2\"/>", "<mass value=\"0\"/>")
        .replace("<mass value=\"0.5\"/>", "<mass value=\"0\"/>")
        .replace("<mass value=\"0.1\"/>", "<mass value=\"0\"/>");
    let text = text
        .replace("ixx=\"0.03\" ixy=\"0\" ixz=\"0\" iyy=\"0.04\" iyz=\"0.001\" izz=\"0.02\"", "")
        .replace("ixx=\"1e-3\" iyy=\"1e-3\" izz=\"1.5e-3\"", "");
    let robot = read(&text, Format::Urdf);
    let redescribed = robot.redescribed(&dynamics(body(2), body(3)), Lumped::Proportional).unwrap();
    assert_eq!(inertia_of(&redescribed.description, "upper"), Some(body(2)));
    assert_eq!(redescribed.notes[0], LumpNote::NoMass { link: "upper".to_owned() });
}

#[test]
fn what_cannot_be_written_says_why() {
    let robot = read(ARM, Format::Urdf);
    let impossible = PseudoInertia { mass: -1.0, ..body(1) };
    let error = robot.redescribed(&dynamics(impossible, body(2)), Lumped::Proportional).unwrap_err();
    assert_eq!(
        error.to_string(),
        "robot:3: link `upper`: its new inertia cannot be shared in proportion, for it belongs to no body (the mass -1 kg is negative); \
         identify a consistent model, or give it to the moving link"
    );
    let nobody = NewDynamics { inertias: vec![("uper".to_owned(), body(1))], drives: Vec::new() };
    assert!(matches!(robot.redescribed(&nobody, Lumped::MovingLink), Err(RobotError::UnknownLink { .. })));
    let drive = NewDrive { joint: "elbow".to_owned(), rotor_inertia: 1.0, friction: Friction::default() };
    let nobody = NewDynamics { inertias: Vec::new(), drives: vec![drive] };
    assert!(matches!(robot.redescribed(&nobody, Lumped::MovingLink), Err(RobotError::UnknownJoint { .. })));
}

const PENDULUM: &str = "# weighed on Monday\r\nname = \"pendulum\"\r\n[[body]] # the only one\r\nname = \"rod\"\r\nparent = \"base\"\r\njoint = \"revolute\"\r\n\
    inertia = { mass = \"1/2\", com = [0, 0, 0.1] } # by hand\r\nxyz = [0, 0, 1] # up\r\n\r\n[[body]]\r\nname = \"bob\"\r\nparent = \"rod\"\r\njoint = \"fixed\"";

#[test]
fn native_files_keep_their_comments() {
    let robot = read(PENDULUM, Format::Toml);
    let friction = Friction::simple(0.25, 0.0, -0.5);
    let whole = PseudoInertia::from_centred(&CentredInertia {
        mass: 0.75,
        com: [0.0, 0.0, 0.5],
        tensor: [0.5, 0.0, 0.5, 0.0, 0.0, 0.25],
    });
    let new = NewDynamics {
        inertias: vec![("rod".to_owned(), whole)],
        drives: vec![NewDrive { joint: "rod".to_owned(), rotor_inertia: 0.125, friction }],
    };
    let redescribed = robot.redescribed(&new, Lumped::Proportional).unwrap().description;
    let patched = patch_toml(PENDULUM, "pendulum.toml", &robot.description, &redescribed).unwrap();
    let expected = PENDULUM
        .replace(
            "{ mass = \"1/2\", com = [0, 0, 0.1] }",
            "{ mass = 0.75, com = [0, 0, 0.5], tensor = [0.5, 0, 0.5, 0, 0, 0.25] }",
        )
        .replace(
            " # up\r\n",
            " # up\r\nrotor_inertia = 0.125\r\nfriction = { viscous = 0.25, offset = -0.5 }\r\n",
        );
    assert_eq!(patched, expected);
    assert_eq!(read(&patched, Format::Toml).bodies[0].joint.friction, friction);
    // Bodies in one line, and one without an end of line.
    let inline = "body = [{ name = \"rod\", parent = \"base\", joint = \"revolute\" }]";
    let robot = read(inline, Format::Toml);
    let redescribed = robot.redescribed(&new, Lumped::MovingLink).unwrap().description;
    let patched = patch_toml(inline, "rod.toml", &robot.description, &redescribed).unwrap();
    assert!(distance(&whole, &read(&patched, Format::Toml).bodies[0].inertia) < 1e-15, "{patched}");
    let dotted = "[[body]]\nname = \"rod\"\nparent = \"base\"\njoint = \"revolute\"\ninertia.mass = 1\n";
    let robot = read(dotted, Format::Toml);
    let redescribed = robot.redescribed(&new, Lumped::MovingLink).unwrap().description;
    assert_eq!(
        patch_toml(dotted, "rod.toml", &robot.description, &redescribed).unwrap_err().to_string(),
        "rod.toml: body `rod`: its `inertia` is not written as one value; write `inertia = …` on one line"
    );
}
