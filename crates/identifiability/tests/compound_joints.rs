//! MJCF bodies with several joints: one compound joint, without parameters between its axes.

mod random;

use std::fmt::Write;

use proptest::prelude::*;
use proptest::sample::select;
use random::forces::Forces;
use random::singular_values::clear_rank;
use random::{cases, nullspace_of};
use steiner_dynamics::Mechanism;
use steiner_formats::{Format, ReadOptions, assemble, parse_text};

const AXES: [&str; 5] = ["0 0 1", "1 0 0", "0 1 0", "0 0 -1", "1 1 0"];
const PLACES: [&str; 5] = ["0 0 0", "0.3 0 0", "0 0 0.2", "0 0 0", "0.1 -0.2 0.15"];
const KINDS: [&str; 4] = ["hinge", "hinge", "slide", "ball"];
const GRAVITIES: [&str; 3] = ["0 0 -9.81", "0 0 0", "1.3 -2.7 -9.1"];

type Joint = (&'static str, &'static str, &'static str);

fn model(bodies: &[(&str, Vec<Joint>)], gravity: &str, floating: bool) -> String {
    let mut text = format!("<mujoco>\n<option gravity=\"{gravity}\"/>\n<worldbody>\n");
    for (k, (place, joints)) in bodies.iter().enumerate() {
        let _ = writeln!(text, "<body name=\"b{k}\" pos=\"{place}\">");
        if k == 0 && floating {
            let _ = writeln!(text, "<freejoint name=\"free\"/>");
        } else {
            let mut balls = 0;
            for (n, (kind, axis, at)) in joints.iter().enumerate() {
                balls += usize::from(*kind == "ball");
                // MuJoCo wants no joint of its own after a ball.
                let kind =
                    if *kind == "ball" && (balls > 1 || n + 1 < joints.len()) { "hinge" } else { kind };
                let _ =
                    writeln!(text, "<joint name=\"j{k}_{n}\" type=\"{kind}\" axis=\"{axis}\" pos=\"{at}\"/>");
            }
        }
        let _ = writeln!(text, "<inertial pos=\"0 0 0.1\" mass=\"1\" diaginertia=\"0.1 0.1 0.1\"/>");
    }
    text + &"</body>\n".repeat(bodies.len()) + "</worldbody>\n</mujoco>\n"
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn doubles_see_the_certified_rank_of_compound_joints(
        bodies in proptest::collection::vec(
            (
                select(&PLACES[..]),
                proptest::collection::vec((select(&KINDS[..]), select(&AXES[..]), select(&PLACES[..])), 1..=3),
            ),
            1..=3,
        ),
        gravity in select(&GRAVITIES[..]),
        floating in any::<bool>(),
    ) {
        let text = model(&bodies, gravity, floating);
        let options = ReadOptions::default();
        let description = parse_text(&text, "test.xml", Format::Mjcf, None, &options)
            .unwrap_or_else(|error| panic!("{error}\n{text}"));
        let robot = assemble(description, &options).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let robot = Mechanism::new(robot).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let rank = clear_rank(&Forces::all(&robot).stacked(1));
        let found = nullspace_of(&robot, "all").certificate.rank;
        prop_assert!(rank.is_none_or(|rank| rank == found), "certified {found}, doubles {rank:?}\n{text}");
    }
}
