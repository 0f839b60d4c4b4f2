//! What readers of robot files and writers of identified ones have to say.

use steiner_files::Place;
use steiner_report::{lump_note, robot_note};
use steiner_robot::{LumpNote, RobotNote};

#[test]
fn notes_of_a_reader_name_the_place_and_what_is_left_out() {
    let place = Place::file("arm.urdf").at_line(7);
    let element = "<limit> of <joint name=\"j1\">".to_owned();
    let body = "hull".to_owned();
    let said = [
        (
            RobotNote::NotRead {
                place: place.clone(),
                element: "<inertail> of <link name=\"a\">".to_owned(),
                meant: "inertial".to_owned(),
            },
            "arm.urdf:7: <inertail> of <link name=\"a\"> is not read (did you mean `inertial`?)",
        ),
        (
            RobotNote::RangeNotUsed { place: place.clone(), element: element.clone() },
            "arm.urdf:7: <limit> of <joint name=\"j1\">: lower exceeds upper; the range is not used",
        ),
        (
            RobotNote::Inactive { place: place.clone(), element: "<weld>".to_owned() },
            "arm.urdf:7: <weld> is inactive and ignored",
        ),
        (
            RobotNote::AlignmentIgnored { place: place.clone() },
            "arm.urdf:7: align is ignored, the body frame stays as written",
        ),
        (
            RobotNote::DrivesIgnored { place: place.clone(), joint: "hip".to_owned() },
            "arm.urdf:7: armature, damping and frictionloss of the several joints of `hip` are ignored",
        ),
        (
            RobotNote::OnlyLinearDamping { place: place.clone() },
            "arm.urdf:7: only the linear term of damping is read",
        ),
        (
            RobotNote::SpringIgnored { place: place.clone(), element: "<joint>".to_owned() },
            "arm.urdf:7: the spring of <joint> is ignored",
        ),
        (
            RobotNote::InertiaInMesh { place: place.clone(), body: body.clone() },
            "arm.urdf:7: body `hull` has no inertia here, for it would come from a mesh; give it an <inertial>",
        ),
        (
            RobotNote::TotalMassIgnored { place: Place::file("arm.xml") },
            "arm.xml: settotalmass is ignored, for some masses come from meshes",
        ),
        (
            RobotNote::GravityCompensationIgnored { place, body },
            "arm.urdf:7: the gravity compensation of body `hull` is ignored",
        ),
    ];
    for (note, sentence) in said {
        assert_eq!(robot_note(&note), sentence);
    }
}

#[test]
fn notes_of_a_lump_say_who_has_its_inertia() {
    let link = "upper".to_owned();
    let emptied = ["flange", "sensor"].map(str::to_owned).to_vec();
    assert_eq!(
        lump_note(&LumpNote::TakenOver { link: link.clone(), emptied }),
        "upper has the inertia of all that is fixed to it; that of flange, sensor is zero in the file now."
    );
    assert_eq!(
        lump_note(&LumpNote::NearestBody { link: "flange".to_owned(), lump: link.clone() }),
        "flange: the file's inertia belongs to no body; the nearest that does stood for it when upper's was shared."
    );
    assert_eq!(
        lump_note(&LumpNote::NoMass { link }),
        "upper and what is fixed to it have no mass in the file to share by; upper has it all."
    );
}
