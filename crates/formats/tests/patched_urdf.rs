//! Patching: a URDF with new inertias and friction keeps every byte it should, and they are read back.

mod support;

use std::collections::BTreeMap;

use proptest::prelude::*;
use steiner_formats::{Format, FormatError, JointFriction, ReadOptions, UrdfPatch, parse_text, patch_urdf};
use steiner_robot::{CentredInertia, Description, Friction, PseudoInertia, RobotError};
use support::dice::Dice;
use support::same_robot::close;

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
    assert_eq!(read.joints[0].joint.friction, Friction::simple(0.1, 0.7, 0.0));
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

#[test]
fn the_example_robots_come_back_byte_for_byte_and_patched() {
    let mut dice = Dice(7);
    for path in support::example_urdfs() {
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
