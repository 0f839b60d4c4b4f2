//! Tables I and II of [matthew2016] describe the same double pendulum: ten modified DH frames, or two poses and twists.

use steiner_dynamics::Mechanism;
use steiner_robot::{Format, PseudoInertia, ReadOptions, assemble, parse_text, read_robot};

const LENGTHS: &str = "[lengths]\nTx = 0.3\nTy = -0.2\nTz = 0.5\nl1 = 0.4\n";

fn mechanism(text: &str, name: &str) -> Mechanism {
    let options = ReadOptions::default();
    let description =
        parse_text(text, name, Format::Toml, None, &options).unwrap_or_else(|error| panic!("{error}"));
    let robot = assemble(description, &options).unwrap_or_else(|error| panic!("{error}"));
    Mechanism::new(robot).unwrap_or_else(|error| panic!("{error}"))
}

/// The inertia lines of base, link 1 and link 2: those of the zoo.
fn inertia_lines() -> [String; 3] {
    let zoo =
        read_robot("double_pendulum", &ReadOptions::default()).unwrap_or_else(|error| panic!("{error}"));
    let line = |inertia: &PseudoInertia| {
        let c = inertia.centred();
        format!("inertia = {{ mass = {:?}, com = {:?}, tensor = {:?} }}\n", c.mass, c.com, c.tensor)
    };
    let base = zoo.ground[0].inertia.expect("the base's inertia");
    [line(&base), line(&zoo.bodies[0].inertia), line(&zoo.bodies[1].inertia)]
}

fn table_one([base, link1, link2]: &[String; 3]) -> Mechanism {
    // alpha, d, theta, r of the paper; frames 4 and 8 turn by θ1 and θ2.
    let rows = [
        ("-pi/2", "Tx", "0", "Ty"),
        ("pi/2", "0", "0", "Tz"),
        ("0", "0", "-pi/2", "0"),
        ("-pi/2", "0", "0", "0"),
        ("pi/2", "0", "0", "0"),
        ("0", "0", "pi/2", "0"),
        ("0", "0", "-pi/2", "l1"),
        ("-pi/2", "0", "0", "0"),
        ("pi/2", "0", "0", "0"),
        ("0", "0", "pi/2", "0"),
    ];
    let mut text = LENGTHS.to_owned();
    for (row, (alpha, d, theta, r)) in (1..).zip(rows) {
        let parent = if row == 1 { "base".to_owned() } else { format!("frame{}", row - 1) };
        let joint = if row == 4 || row == 8 { "revolute" } else { "fixed" };
        text += &format!("[[body]]\nname = \"frame{row}\"\nparent = \"{parent}\"\njoint = \"{joint}\"\n");
        text += &format!("mdh = {{ alpha = \"{alpha}\", a = \"{d}\", theta = \"{theta}\", d = \"{r}\" }}\n");
        text += match row {
            2 => base,
            6 => link1,
            10 => link2,
            _ => "",
        };
    }
    mechanism(&text, "table I")
}

fn table_two([base, link1, link2]: &[String; 3]) -> Mechanism {
    let body = |name: &str, parent: &str, rest: &str, inertia: &str| {
        format!("[[body]]\nname = \"{name}\"\nparent = \"{parent}\"\n{rest}\n{inertia}")
    };
    let text = [
        LENGTHS.to_owned(),
        body("base_link", "base", "joint = \"fixed\"\nxyz = [\"Tx\", \"Ty\", \"Tz\"]", base),
        body("link1", "base_link", "joint = \"revolute\"\naxis = [1, 0, 0]", link1),
        body("link2", "link1", "joint = \"revolute\"\nxyz = [0, 0, \"l1\"]\naxis = [1, 0, 0]", link2),
    ]
    .concat();
    mechanism(&text, "table II")
}

#[test]
fn tables_one_and_two_of_the_double_pendulum_need_the_same_torques() {
    let inertias = inertia_lines();
    let (one, two) = (table_one(&inertias), table_two(&inertias));
    assert_eq!((one.dof(), two.dof()), (2, 2));
    let states = [
        ([0.4, -1.1], [0.7, 2.0], [3.0, -1.0]),
        ([2.5, 0.3], [-1.5, 0.4], [-2.0, 5.0]),
        ([-0.9, 1.9], [0.2, -3.0], [0.0, 0.0]),
    ];
    for (q, qd, qdd) in states {
        let torques = |mechanism: &Mechanism| {
            mechanism.inverse_dynamics(&q, &qd, &qdd).unwrap_or_else(|error| panic!("{error}"))
        };
        for (a, b) in torques(&one).iter().zip(torques(&two)) {
            assert!((a - b).abs() < 1e-11, "{a} {b}");
        }
    }
}
