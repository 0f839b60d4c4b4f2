//! Writing: a patched URDF keeps every byte it should, a native file reads back as the same robot, and a file on disk is
//! either the old one or the new one.

mod support;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use steiner_files::{Place, write_atomically};
use steiner_formats::{
    Format, FormatError, JointFriction, ReadOptions, UrdfPatch, assemble, describe, parse_text, patch_urdf,
    write_toml, zoo,
};
use steiner_robot::{
    CentredInertia, CouplingDescription, Description, Frame, Friction, GuessEntry, Joint, JointKind, Limits,
    Link, LoopDescription, LoopKind, LoopSide, Mention, Orientation, PseudoInertia, Robot, RobotError,
    TreeJoint, evaluate_vector,
};
use steiner_scalar::{Exact, Fp};

const ARM: &str = r#"<?xml version="1.0"?>
<!-- An arm, written by hand. -->
<robot name='arm' xmlns:drake="http://drake.mit.edu">
	<link name="base"/>
	<link name = "upper">   <!-- kept -->
		<inertial>
			<mass value='2.50'/>
			<origin rpy="0.3 -0.2 0.1" xyz="0.10   0.0	-0.050"/>
			<inertia ixx="0.02" ixy="1e-3" ixz="0" iyy='0.03' iyz="0" izz="0.0250" />
		</inertial>
		<visual><geometry><mesh filename="package://a&amp;b/mesh.stl"/></geometry></visual>
	</link>
	<link name="fore">
		<visual/>
	</link>
	<link name="hand"></link>
	<joint name="shoulder" type="revolute"> <parent link="base"/> <child link="upper"/>
		<limit effort="1" velocity="1"/>
		<dynamics damping="0.10"   />
	</joint>
	<joint name="elbow" type="continuous">
		<parent link="upper"/>
		<child link="fore"/>
	</joint>
	<joint name="wrist" type="fixed"><parent link="fore"/><child link="hand"/></joint>
</robot>
"#;

fn read_urdf(text: &str) -> Description {
    parse_text(text, "arm.urdf", Format::Urdf, None, &ReadOptions::default()).unwrap()
}

fn inertias(description: &Description) -> BTreeMap<String, PseudoInertia> {
    let given = description.links.iter().filter_map(|link| Some((link.name.clone(), link.inertia?)));
    given.collect()
}

fn patch_of(entries: &[(&str, PseudoInertia)]) -> UrdfPatch {
    let inertials = entries.iter().map(|(name, inertia)| ((*name).to_owned(), *inertia)).collect();
    UrdfPatch { inertials, ..UrdfPatch::default() }
}

fn close(a: &PseudoInertia, b: &PseudoInertia) -> bool {
    let (a, b) = (a.parameters(), b.parameters());
    let within = |range: std::ops::Range<usize>| {
        let scale = a[range.clone()].iter().fold(0.0f64, |most, x| most.max(x.abs()));
        range.into_iter().all(|k| (a[k] - b[k]).abs() <= 1e-12 * scale)
    };
    within(0..1) && within(1..4) && within(4..10)
}

/// A small random number generator (splitmix64).
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
    /// In (−1, 1).
    fn signed(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
    fn inertia(&mut self) -> PseudoInertia {
        // Random points of mass are always a body.
        let mut sum = PseudoInertia::ZERO;
        for _ in 0..5 {
            let com = [self.signed(), self.signed(), self.signed()];
            let mass = 0.01 + self.signed().abs();
            sum = sum.plus(&PseudoInertia::from_centred(&CentredInertia { mass, com, tensor: [0.0; 6] }));
        }
        sum
    }
}

#[test]
fn a_patch_of_nothing_changes_no_byte() {
    for text in [ARM.to_owned(), ARM.replace('\n', "\r\n"), format!("\u{feff}{ARM}")] {
        assert_eq!(patch_urdf(&text, "arm.urdf", &UrdfPatch::default()).unwrap(), text);
        let same = UrdfPatch { inertials: inertias(&read_urdf(&text)), ..UrdfPatch::default() };
        assert_eq!(patch_urdf(&text, "arm.urdf", &same).unwrap(), text, "the inertias just read");
    }
}

#[test]
fn only_the_numbers_that_change_are_exchanged() {
    let old = inertias(&read_urdf(ARM))["upper"];
    // Half a kilogram more at the old centre, and the old tensor about it.
    let centred = old.centred();
    let heavier = PseudoInertia::from_centred(&CentredInertia { mass: 3.0, ..centred });
    let patched = patch_urdf(ARM, "arm.urdf", &patch_of(&[("upper", heavier)])).unwrap();
    assert_eq!(patched, ARM.replace("'2.50'", "'3'"));
    // The centre moves along z only, and its other digits stay.
    let com = [centred.com[0], centred.com[1], -0.06];
    let shifted = PseudoInertia::from_centred(&CentredInertia { com, ..centred });
    let patched = patch_urdf(ARM, "arm.urdf", &patch_of(&[("upper", shifted)])).unwrap();
    assert_eq!(patched, ARM.replace("0.10   0.0	-0.050", "0.10   0.0	-0.06"));
}

#[test]
fn what_is_missing_is_added_with_the_files_indentation() {
    let inertia = PseudoInertia::from_centred(&CentredInertia {
        mass: 1.5,
        com: [0.0, 0.25, 0.0],
        tensor: [0.1, 0.0, 0.2, 0.0, -1e-6, 0.25],
    });
    let mut patch = patch_of(&[("base", inertia), ("fore", inertia), ("hand", inertia)]);
    let friction = |viscous, coulomb| JointFriction { viscous, coulomb };
    patch.friction.insert("shoulder".to_owned(), friction(0.1, 0.7));
    patch.friction.insert("elbow".to_owned(), friction(0.25, 0.0));
    patch.friction.insert("wrist".to_owned(), friction(0.0, 0.0));
    let block = "\t\t<inertial>\n\t\t\t<origin xyz=\"0 0.25 0\" rpy=\"0 0 0\"/>\n\t\t\t<mass value=\"1.5\"/>\n\
                 \t\t\t<inertia ixx=\"0.1\" ixy=\"0\" ixz=\"0\" iyy=\"0.2\" iyz=\"-1e-6\" izz=\"0.25\"/>\n\t\t</inertial>\n";
    let expected = ARM
        .replace("<link name=\"base\"/>", &format!("<link name=\"base\">\n{block}\t</link>"))
        .replace("<link name=\"fore\">\n", &format!("<link name=\"fore\">\n{block}"))
        .replace("<link name=\"hand\"></link>", &format!("<link name=\"hand\">\n{block}\t</link>"))
        .replace("damping=\"0.10\"   />", "damping=\"0.10\" friction=\"0.7\"   />")
        .replace(
            "\t\t<child link=\"fore\"/>\n",
            "\t\t<child link=\"fore\"/>\n\t\t<dynamics damping=\"0.25\" friction=\"0\"/>\n",
        );
    assert_eq!(patch_urdf(ARM, "arm.urdf", &patch).unwrap(), expected);
    let windows = patch_urdf(&ARM.replace('\n', "\r\n"), "arm.urdf", &patch).unwrap();
    assert_eq!(windows, expected.replace('\n', "\r\n"));
    let read = read_urdf(&expected);
    assert!(inertias(&read).values().filter(|found| close(found, &inertia)).count() == 3);
    assert_eq!(read.joints[0].joint.friction, Friction { viscous: 0.1, coulomb: 0.7, offset: 0.0 });
}

#[test]
fn a_file_of_one_line_stays_one() {
    let text = "<robot name='r'><link name='a'/><link name='b'><inertial><mass value='1'/></inertial></link>\
                <joint name='j' type='revolute'><parent link='a'/><child link='b'/></joint></robot>";
    let inertia = PseudoInertia::from_centred(&CentredInertia {
        mass: 1.0,
        com: [0.5, 0.0, 0.0],
        tensor: [1.0, 0.0, 1.0, 0.0, 0.0, 1.0],
    });
    let patched = patch_urdf(text, "r.urdf", &patch_of(&[("a", inertia), ("b", inertia)])).unwrap();
    assert!(!patched.contains('\n'));
    let read = inertias(&read_urdf(&patched));
    assert_eq!((read["a"], read["b"]), (inertia, inertia));
    assert!(patched.contains(
        "<link name='b'><inertial><origin xyz=\"0.5 0 0\" rpy=\"0 0 0\"/><mass value='1'/>\
         <inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial></link>"
    ));
}

#[test]
fn odd_but_legal_markup_is_patched_in_place() {
    let blanks = " ".repeat(300);
    let text = format!(
        "<robot name='r'>\n  <link name='a'/>\n  <link name='b' xmlns:x='a>b'>\n    <inertial\n    >\n      \
         <mass value{blanks}=\n '1'/><origin xyz='&#48; 0 0'/><inertia\n/>\n    </inertial>\n  </link>\n  \
         <joint name='j' type='revolute'><parent link='a'/><child link='b'/></joint>\n</robot>\n"
    );
    let mut dice = Dice(1);
    let inertia = dice.inertia();
    let patched = patch_urdf(&text, "r.urdf", &patch_of(&[("b", inertia)])).unwrap();
    assert!(close(&inertias(&read_urdf(&patched))["b"], &inertia), "{patched}");
    assert!(patched.contains(&format!("value{blanks}=\n '")));
}

#[test]
fn a_patch_that_cannot_be_written_says_why() {
    let error = |name: &str, inertia: PseudoInertia| {
        patch_urdf(ARM, "arm.urdf", &patch_of(&[(name, inertia)])).unwrap_err().to_string()
    };
    let one = PseudoInertia { mass: 1.0, ..PseudoInertia::ZERO };
    assert_eq!(
        error("uper", one),
        "arm.urdf: new inertia: there is no link or body `uper` (did you mean `upper`?); define it or correct the name"
    );
    assert_eq!(
        error("upper", PseudoInertia { mass: -1.0, ..one }),
        "arm.urdf:5: <link name=\"upper\">: the mass -1 kg is negative; correct the inertia"
    );
    assert_eq!(
        error("upper", PseudoInertia { mass: 0.0, first: [1.0, 0.0, 0.0], ..one }),
        "arm.urdf:5: <link name=\"upper\">: it has first moments but no mass, so that its centre of mass lies \
         nowhere; correct the inertia"
    );
    assert!(error("upper", PseudoInertia { mass: f64::NAN, ..one }).contains("not finite"));
    let mut patch = UrdfPatch::default();
    patch.friction.insert("shoulders".to_owned(), JointFriction::default());
    assert!(matches!(
        patch_urdf(ARM, "arm.urdf", &patch),
        Err(FormatError::Robot(RobotError::UnknownJoint { .. }))
    ));
    let macros = "<robot xmlns:xacro='http://www.ros.org/wiki/xacro'>\n<xacro:macro name='m'/></robot>";
    assert_eq!(
        patch_urdf(macros, "r.xacro", &UrdfPatch::default()).unwrap_err().to_string(),
        "r.xacro:2: <macro name=\"m\">: this is xacro, whose links come into being when it is expanded; expand it \
         and patch the URDF that comes out"
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn patched_inertias_are_read_back(seed in any::<u64>()) {
        let mut dice = Dice(seed);
        let mut patch = UrdfPatch::default();
        for link in ["base", "upper", "fore", "hand"] {
            if dice.chance(70) {
                let inertia = dice.inertia();
                patch.inertials.insert(link.to_owned(), inertia);
            }
        }
        let patched = patch_urdf(ARM, "arm.urdf", &patch).unwrap();
        let read = inertias(&read_urdf(&patched));
        for (link, wanted) in &patch.inertials {
            prop_assert!(close(&read[link], wanted), "{link}: {:?} {wanted:?}", read[link]);
        }
        // Patching again with what was read changes nothing.
        let again = UrdfPatch { inertials: read, ..UrdfPatch::default() };
        prop_assert_eq!(patch_urdf(&patched, "arm.urdf", &again).unwrap(), patched);
    }
}

/// URDFs of `example-robot-data`, where `pip install example-robot-data` puts them.
fn example_urdfs() -> Vec<PathBuf> {
    let Some(root) = support::example_robots() else { return Vec::new() };
    let mut found = Vec::new();
    let mut folders = vec![root];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(folder) else { continue };
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "urdf") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

#[test]
fn the_example_robots_come_back_byte_for_byte_and_patched() {
    let mut dice = Dice(7);
    for path in example_urdfs() {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(&path).unwrap();
        let description = match parse_text(&text, &name, Format::Urdf, None, &ReadOptions::default()) {
            Ok(description) => description,
            Err(error) => {
                // A few files of the package are not robots; the reader's own tests look at its refusals.
                println!("not a robot: {error}");
                continue;
            }
        };
        let same = UrdfPatch { inertials: inertias(&description), ..UrdfPatch::default() };
        assert_eq!(patch_urdf(&text, &name, &same).unwrap(), text);
        let new: BTreeMap<String, PseudoInertia> =
            description.links.iter().map(|link| (link.name.clone(), dice.inertia())).collect();
        let patch = UrdfPatch { inertials: new.clone(), ..UrdfPatch::default() };
        let patched = patch_urdf(&text, &name, &patch).unwrap();
        let read =
            inertias(&parse_text(&patched, &name, Format::Urdf, None, &ReadOptions::default()).unwrap());
        for (link, wanted) in &new {
            assert!(close(&read[link], wanted), "{name}: {link}");
        }
    }
}

// ---- native files

fn assert_same_frame(a: &Frame, b: &Frame, what: &str) {
    let (pa, pb) = (a.pose(), b.pose());
    let rotation = pa.rotation - pb.rotation;
    let translation = pa.translation - pb.translation;
    let worst = rotation.0.iter().flatten().chain(&translation.0).fold(0.0f64, |most, x| most.max(x.abs()));
    assert!(worst < 1e-13, "{what}: differs by {worst}");
    // Where a prime field can hold the frame, it is the same to all digits.
    let (fa, fb) = (a.evaluate::<Fp>().unwrap(), b.evaluate::<Fp>().unwrap());
    if !fa.rounded {
        assert!(!fb.rounded && fa.value == fb.value, "{what}: not the same exact number");
    }
}

/// The same numbers, though perhaps of another form.
fn assert_same_vector(a: &[Exact; 3], b: &[Exact; 3], what: &str) {
    let (a, b) = (evaluate_vector::<Fp>(a).unwrap(), evaluate_vector::<Fp>(b).unwrap());
    assert_eq!(a, b, "{what}");
}

fn assert_same_robot(a: &Robot, b: &Robot) {
    assert_eq!(a.gravity, b.gravity);
    assert_eq!(a.planar, b.planar);
    assert_eq!(a.labels().len(), b.labels().len());
    let is_taken = a.description.links.iter().any(|link| link.name == "base_link");
    let base = if is_taken { "base_link_" } else { "base_link" };
    let renamed = |name: &str| if name == "base" { base.to_owned() } else { name.to_owned() };
    for (x, y) in a.bodies.iter().zip(&b.bodies) {
        assert_eq!(renamed(&x.name), y.name);
        assert_eq!(x.parent, y.parent, "{}", x.name);
        assert_eq!(x.joint.kind.name(), y.joint.kind.name());
        assert_eq!(x.joint.limits, y.joint.limits);
        assert_eq!(x.joint.friction, y.joint.friction);
        assert_eq!(x.joint.rotor_inertia, y.joint.rotor_inertia);
        assert_eq!(x.capsules.len(), y.capsules.len());
        let (stages, others) = (x.joint.stages(), y.joint.stages());
        assert_eq!(stages.len(), others.len());
        for (s, t) in stages.iter().zip(&others) {
            assert_eq!(s.motion, t.motion);
            if x.joint.kind.has_axis() {
                assert_same_vector(&s.axis, &t.axis, &x.name);
            }
            assert_same_frame(&s.before, &t.before, &x.name);
            assert_same_frame(&s.after, &t.after, &x.name);
        }
        assert_eq!(x.own_inertia.is_some(), y.own_inertia.is_some());
        assert!(close(&x.inertia, &y.inertia), "{}: {:?} {:?}", x.name, x.inertia, y.inertia);
        assert_eq!(x.lumped.len(), y.lumped.len());
        for (s, t) in x.lumped.iter().zip(&y.lumped) {
            assert_eq!(renamed(&s.name), t.name);
            assert_same_frame(&s.frame, &t.frame, &s.name);
        }
    }
    assert_eq!(a.ground.len(), b.ground.len());
    assert_eq!(a.loops.len(), b.loops.len());
    for (x, y) in a.loops.iter().zip(&b.loops) {
        assert_eq!((&x.name, x.kind.name()), (&y.name, y.kind.name()));
        assert_same_vector(&x.axis, &y.axis, &x.name);
        if let (LoopKind::Universal { axis2: a }, LoopKind::Universal { axis2: b }) = (&x.kind, &y.kind) {
            assert_same_vector(a, b, &x.name);
        }
        for (s, t) in [(&x.predecessor, &y.predecessor), (&x.successor, &y.successor)] {
            assert_eq!(s.body, t.body);
            assert_same_frame(&s.frame, &t.frame, &x.name);
        }
    }
    assert_eq!(a.couplings.len(), b.couplings.len());
    for (x, y) in a.couplings.iter().zip(&b.couplings) {
        assert_eq!((x.coordinate, &x.terms, &x.offset), (y.coordinate, &y.terms, &y.offset));
    }
    assert_eq!(a.independent, b.independent);
    assert_eq!(a.dependent, b.dependent);
    assert_eq!(a.reference, b.reference);
    assert_eq!(a.constants, b.constants);
}

fn round_trip(description: Description, options: &ReadOptions) -> String {
    let text = write_toml(&description).unwrap();
    let name = description.name.clone();
    let read = parse_text(&text, "written.toml", Format::Toml, None, options)
        .unwrap_or_else(|error| panic!("{error}\n{text}"));
    if !name.trim().is_empty() {
        assert_eq!(read.name, name);
    }
    let first = assemble(description, options).unwrap();
    let second = assemble(read, options).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_same_robot(&first, &second);
    text
}

#[test]
fn the_reference_mechanisms_survive_a_round_trip() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/reference/mechanisms");
    let Ok(entries) = std::fs::read_dir(&folder) else {
        support::skipped("the reference mechanisms are not beside the project");
        return;
    };
    let options = ReadOptions::default();
    let mut count = 0;
    for path in entries.flatten().map(|entry| entry.path()) {
        let description = describe(&path.display().to_string(), &options).unwrap();
        round_trip(description, &options);
        count += 1;
    }
    assert!(count > 0);
}

#[test]
fn the_zoo_survives_a_round_trip() {
    let options = ReadOptions::default();
    assert!(!zoo::ENTRIES.is_empty());
    for entry in zoo::ENTRIES {
        round_trip(describe(entry.name, &options).unwrap(), &options);
    }
}

#[test]
fn the_example_robots_survive_the_way_to_a_native_file() {
    for path in example_urdfs() {
        for options in
            [ReadOptions::default(), ReadOptions { floating: true, snap: 0.0, ..Default::default() }]
        {
            let name = path.display().to_string();
            let description = describe(&name, &options);
            match description.and_then(|d| assemble(d.clone(), &options).map(|_| d)) {
                Ok(description) => drop(round_trip(description, &options)),
                Err(error) => println!("not a robot: {error}"),
            }
        }
    }
}

#[test]
fn a_urdf_with_everything_becomes_a_native_file() {
    let text = r#"<robot name="every &quot;thing&quot;">
  <link name="base"/><link name="a"><inertial><mass value="1.2"/><origin xyz="0.1 0 0"/></inertial></link>
  <link name="b"/><link name="c"/><link name="tip"/>
  <joint name="z" type="revolute"><parent link="base"/><child link="a"/><origin xyz="0 0 0.3" rpy="1.5708 0 0"/>
    <limit lower="1" upper="-1" velocity="2" effort="3"/><dynamics damping="0.1"/></joint>
  <joint name="y" type="prismatic"><parent link="base"/><child link="b"/><mimic joint="z" multiplier="-2" offset="0.5"/></joint>
  <joint name="x" type="revolute" independent="false"><parent link="a"/><child link="c"/><axis xyz="0 1 1"/></joint>
  <joint name="f" type="fixed"><parent link="c"/><child link="tip"/><origin rpy="0.1 0.2 0.3"/></joint>
  <loop name="close" type="spherical"><predecessor link="b"><origin xyz="1 0 0"/></predecessor><successor link="tip"/></loop>
</robot>"#;
    let options = ReadOptions::default();
    let description = parse_text(text, "every.urdf", Format::Urdf, None, &options).unwrap();
    let mut unlimited = description.clone();
    unlimited.joints[0].joint.limits.lower = None;
    unlimited.joints[0].joint.limits.upper = None;
    round_trip(unlimited, &options);
    assert_eq!(
        write_toml(&description).unwrap(),
        r#"name = "every \"thing\""
dependent = ["c"]
# The link `base` is called `base_link` here.

[[body]]
name = "base_link"
parent = "base"
joint = "fixed"

[[body]]
name = "b"
parent = "base_link"
joint = "prismatic"
axis = [1, 0, 0]

[[body]]
name = "a"
parent = "base_link"
joint = "revolute"
xyz = [0, 0, 0.3]
rpy = ["0.5*pi", 0, 0]
axis = [1, 0, 0]
inertia = { mass = 1.2, com = [0.1, 0, 0] }
limits = { velocity = 2, effort = 3 }
friction = { viscous = 0.1 }

[[body]]
name = "c"
parent = "a"
joint = "revolute"
axis = [0, 1, 1]

[[body]]
name = "tip"
parent = "c"
joint = "fixed"
rpy = [0.1, 0.2, 0.3]

[[loop]]
name = "close"
joint = "spherical"
predecessor = { body = "b", xyz = [1, 0, 0] }
successor = { body = "tip" }
axis = [1, 0, 0]

[[coupling]]
name = "y"
coordinate = "b"
terms = [["a", -2]]
offset = 0.5
"#
    );
}

#[test]
fn an_mjcf_file_becomes_a_native_file() {
    let text = r#"<mujoco model="arm"><compiler angle="radian"/><worldbody>
  <body name="base" pos="0 0 1"><freejoint/><geom type="box" size="0.1 0.2 0.3"/>
    <body name="thigh" pos="0.3 0 0" quat="0.9 0.1 0.2 0.3"><inertial pos="0 0 -0.1" mass="2" diaginertia="0.1 0.1 0.05"/>
      <joint name="hip" axis="0 1 0" pos="0.1 0.2 0" range="-1 1" damping="0.5" armature="0.01"/>
      <body name="foot" pos="0 0 -0.3"><joint name="ankle" type="ball"/><geom type="sphere" size="0.05"/></body>
    </body></body></worldbody></mujoco>"#;
    let options = ReadOptions::default();
    let description = parse_text(text, "arm.xml", Format::Mjcf, None, &options).unwrap();
    let written = round_trip(description, &options);
    assert!(written.contains("name = \"thigh\"\nparent = \"base_link\""), "{written}");
}

#[test]
fn named_lengths_stay_symbols() {
    let text = r#"gravity = [0, "-g0", 0]
[lengths]
g0 = 9.81
l0 = 0.3
"ℓ" = "sqrt(l0^2 + 1)/2"
[angles]
alpha = "pi/7"
tilt = 1.5708
[[body]]
name = "a"
parent = "base"
joint = "helical"
pitch = "l0/(2*pi)"
mdh = { a = "l0 - ℓ", alpha = "alpha", d = 1e-30, theta = "-tilt" }
[[body]]
name = "b"
parent = "a"
joint = "universal"
axis2 = [1, "l0", 0]
dh = { a = "l0", alpha = "alpha/2", d = "1/3", theta = "tilt" }
frame = { xyz = [1, 2, 3], rpy = [0.1, "tilt", 0] }
[guess]
"b:1" = "pi/3"
"#;
    let options = ReadOptions::default();
    let description = parse_text(text, "symbols.toml", Format::Toml, None, &options).unwrap();
    let written = round_trip(description, &options);
    for expected in [
        "\"ℓ\" = \"sqrt(l0^2 + 1)/2\"",
        "mdh = { theta = \"-tilt\", d = 1e-30, a = \"l0 - ℓ\", alpha = \"alpha\" }",
        "pitch = \"l0/(2*pi)\"",
        "tilt = \"0.5*pi\"",
        "\"b:1\" = \"pi/3\"",
    ] {
        assert!(written.contains(expected), "{expected}\n{written}");
    }
}

#[test]
fn what_has_no_native_form_is_an_error() {
    let options = ReadOptions::default();
    let text = "[[body]]\nname = \"a\"\nparent = \"base\"\njoint = \"revolute\"\n";
    let mut description = parse_text(text, "a.toml", Format::Toml, None, &options).unwrap();
    description.links[0].inertia = Some(PseudoInertia { first: [1.0, 0.0, 0.0], ..PseudoInertia::ZERO });
    assert!(
        write_toml(&description)
            .unwrap_err()
            .to_string()
            .starts_with("a.toml:1: body `a`: it has first moments")
    );
    description.joints[0].joint.kind = JointKind::Compound(Vec::new());
    assert_eq!(
        write_toml(&description).unwrap_err().to_string(),
        "a.toml:1: joint `a`: several joints of one MJCF body have no form in a native file; keep the MJCF file, or \
         give each joint a body of its own"
    );
}

fn random_number(dice: &mut Dice) -> Exact {
    let text = match dice.below(8) {
        0 => "0".to_owned(),
        1 => format!("{}", dice.below(7) as i64 - 3),
        2 => "sqrt(3)/2".to_owned(),
        3 => "1/3".to_owned(),
        4 => "-2.5e-9".to_owned(),
        5 => format!("{:e}", dice.signed() * 1e40),
        _ => format!("{:.3}", dice.signed()),
    };
    Exact::parse(&text).unwrap()
}

fn random_angle(dice: &mut Dice) -> Exact {
    let text = match dice.below(5) {
        0 | 1 => "0".to_owned(),
        2 => format!("{}*pi/12", dice.below(25) as i64 - 12),
        3 => format!("{:.4}", 3.0 * dice.signed()),
        _ => "atan(1/3)".to_owned(),
    };
    Exact::parse(&text).unwrap()
}

fn random_frame(dice: &mut Dice) -> Frame {
    let mut frame = Frame::identity();
    for _ in 0..dice.below(4) {
        let length = |dice: &mut Dice| Exact::parse(&format!("{:.2}", dice.signed())).unwrap();
        let xyz = [length(dice), length(dice), Exact::zero()];
        let orientation = match dice.below(4) {
            0 => Orientation::Quaternion(std::array::from_fn(|k| {
                if k == 0 { Exact::one() } else { Exact::parse(&format!("{:.2}", dice.signed())).unwrap() }
            })),
            _ => Orientation::RollPitchYaw([random_angle(dice), random_angle(dice), random_angle(dice)]),
        };
        frame = frame.then(&Frame::new(xyz, orientation));
    }
    frame
}

fn random_axis(dice: &mut Dice) -> [Exact; 3] {
    [random_number(dice), random_number(dice), Exact::one()]
}

/// Parallel to none of the random axes.
fn second_axis() -> [Exact; 3] {
    [Exact::one(), Exact::one(), Exact::parse("-sqrt(7)").unwrap()]
}

fn random_description(dice: &mut Dice) -> Description {
    let place = Place::file("random");
    let mut d =
        Description { name: format!("random \"{}\"\n\\", dice.below(9)), place, ..Description::default() };
    let count = 1 + dice.below(7);
    let mut one_dof = Vec::new();
    for k in 0..count {
        let kind = match dice.below(if k == 0 { 9 } else { 11 }) {
            0..=2 => JointKind::Revolute,
            3 => JointKind::Continuous,
            4 => JointKind::Prismatic,
            5 => JointKind::Helical { pitch: random_number(dice) },
            6 => JointKind::Cylindrical,
            7 => JointKind::Universal { axis2: second_axis() },
            8 => JointKind::Floating,
            9 => JointKind::Spherical,
            _ => JointKind::Fixed,
        };
        let (link, joint) = (format!("link {k}é"), format!("{}.joint", 9 - k));
        if kind.dof() == 1 {
            one_dof.push(joint.clone());
        }
        let limit = |dice: &mut Dice| dice.chance(30).then(|| dice.signed());
        d.links.push(Link {
            name: link.clone(),
            inertia: dice.chance(70).then(|| dice.inertia()),
            capsules: Vec::new(),
            place: Place::file("random"),
        });
        d.joints.push(TreeJoint {
            joint: Joint {
                name: joint,
                kind,
                placement: random_frame(dice),
                axis: random_axis(dice),
                body_frame: random_frame(dice),
                limits: Limits {
                    velocity: limit(dice),
                    effort: limit(dice),
                    upper: limit(dice),
                    ..Limits::default()
                },
                rotor_inertia: dice.signed().abs(),
                friction: Friction { viscous: dice.signed(), coulomb: 0.0, offset: dice.signed() },
            },
            parent: (k > 0 && dice.chance(90)).then(|| format!("link {}é", dice.below(k))),
            child: link,
            place: Place::file("random"),
        });
    }
    if dice.chance(50) {
        d.loops.push(LoopDescription {
            name: "loop".to_owned(),
            kind: if dice.chance(50) {
                LoopKind::Universal { axis2: second_axis() }
            } else {
                LoopKind::Fixed
            },
            predecessor: LoopSide { link: None, frame: random_frame(dice) },
            successor: LoopSide { link: Some(d.links[0].name.clone()), frame: random_frame(dice) },
            axis: random_axis(dice),
            place: Place::file("random"),
        });
    }
    if let [first, .., last] = &one_dof[..] {
        d.couplings.push(CouplingDescription {
            name: "gear".to_owned(),
            coordinate: first.clone(),
            terms: vec![(last.clone(), random_number(dice))],
            offset: random_number(dice),
            is_mimic: dice.chance(50),
            place: Place::file("random"),
        });
        d.guess.push(GuessEntry {
            coordinate: last.clone(),
            values: vec![random_number(dice)],
            place: Place::file("random"),
        });
        d.independent = Some(vec![Mention { name: last.clone(), place: Place::file("random") }]);
        d.dependent = vec![Mention { name: first.clone(), place: Place::file("random") }];
    }
    d.gravity = dice.chance(50).then(|| random_axis(dice));
    d.planar = dice.chance(20);
    d
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_robots_survive_a_round_trip(seed in any::<u64>().no_shrink()) {
        let description = random_description(&mut Dice(seed));
        round_trip(description, &ReadOptions { snap: 0.0, ..ReadOptions::default() });
    }
}

// ---- files

fn scratch(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("steiner-writers-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn entries(folder: &Path) -> usize {
    std::fs::read_dir(folder).unwrap().count()
}

#[test]
fn a_file_is_replaced_whole_and_leaves_nothing_behind() {
    let folder = scratch("replace");
    let path = folder.join("robot.urdf");
    write_atomically(&path, "first").unwrap();
    write_atomically(&path, "second").unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "second");
    assert_eq!(entries(&folder), 1);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_failed_write_loses_nothing() {
    let folder = scratch("fail");
    // A folder of that name stands in the way.
    let path = folder.join("robot.urdf");
    std::fs::create_dir(&path).unwrap();
    std::fs::write(path.join("inside"), "kept").unwrap();
    assert!(write_atomically(&path, "text").is_err());
    assert_eq!(std::fs::read_to_string(path.join("inside")).unwrap(), "kept");
    assert_eq!(entries(&folder), 1);
    assert!(write_atomically(&folder.join("no/such/robot.urdf"), "text").is_err());
    std::fs::remove_dir_all(folder).unwrap();
}

#[cfg(unix)]
#[test]
fn links_and_permissions_survive() {
    use std::os::unix::fs::PermissionsExt;
    let folder = scratch("links");
    let (path, link) = (folder.join("robot.urdf"), folder.join("link.urdf"));
    std::fs::write(&path, "old").unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
    std::os::unix::fs::symlink(&path, &link).unwrap();
    write_atomically(&link, "new").unwrap();
    assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "new");
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
    write_atomically(Path::new("/dev/null"), "gone").unwrap();
    std::fs::remove_dir_all(folder).unwrap();
}
