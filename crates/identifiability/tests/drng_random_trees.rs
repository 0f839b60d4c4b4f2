//! DRNG on random trees in which axes are often parallel, points often coincide and
//! gravity often runs along an axis.

mod support;

use proptest::prelude::*;
use support::drng::{assert_prepared_alike, compared};
use support::mechanism;

/// A joint as text: kind, axis, placement and body frame from small sets, so that coincidences are frequent.
fn joint() -> impl Strategy<Value = String> {
    let kind = prop::sample::select(vec![
        "revolute",
        "revolute",
        "revolute",
        "prismatic",
        "prismatic",
        "helical",
        "cylindrical",
        "planar",
        "universal",
        "spherical",
    ]);
    let axes = ["[0, 0, 1]", "[0, 0, 1]", "[0, 0, -2]", "[1, 0, 0]", "[0, 1, 0]", "[0, 3, 4]", "[1, 1, 0]"];
    let axis = prop::sample::select(axes.to_vec());
    let offset = || prop::sample::select(vec!["0", "0", "0.3", "-0.4"]);
    let turn = || prop::sample::select(vec!["0", "0", "0", "'pi/2'", "'pi/4'", "'atan(3/4)'"]);
    let place = move || (offset(), offset(), offset(), turn(), turn(), turn());
    (kind, axis, place(), place(), any::<bool>()).prop_map(|(kind, axis, outer, inner, has_frame)| {
        let (x, y, z, roll, pitch, yaw) = outer;
        let mut text = format!("joint = \"{kind}\"\nxyz = [{x}, {y}, {z}]\nrpy = [{roll}, {pitch}, {yaw}]\n");
        match kind {
            "spherical" => {}
            "helical" => text += &format!("axis = {axis}\npitch = 0.05\n"),
            "universal" if axis == "[1, 0, 0]" => text += "axis = [0, 0, 1]\naxis2 = [1, 0, 0]\n",
            "universal" => text += &format!("axis = {axis}\naxis2 = [1, 0, 0]\n"),
            _ => text += &format!("axis = {axis}\n"),
        }
        if has_frame {
            let (x, y, z, roll, pitch, yaw) = inner;
            text += &format!("frame = {{ xyz = [{x}, {y}, {z}], rpy = [{roll}, {pitch}, {yaw}] }}\n");
        }
        text
    })
}

fn tree() -> impl Strategy<Value = String> {
    let gravity = prop::sample::select(vec![
        "[0, 0, -9.81]",
        "[0, 0, -9.81]",
        "[-9.81, 0, 0]",
        "[0, -6, -8]",
        "[0, 0, 0]",
    ]);
    let bodies = prop::collection::vec((joint(), 0..8usize), 1..6);
    (gravity, bodies, 0..6u8).prop_map(|(gravity, bodies, root)| {
        let mut text = format!("name = \"tree\"\ngravity = {gravity}\n");
        for (k, (joint, parent)) in bodies.iter().enumerate() {
            // Mostly chains, some forks, now and then a second body on the base.
            let parent = match (k, parent) {
                (0, _) | (_, 0) => "base".to_owned(),
                (_, 1) => format!("b{}", (k - 1) / 2),
                _ => format!("b{}", k - 1),
            };
            let joint = if k == 0 && root == 0 { "joint = \"floating\"\n" } else { joint };
            text += &format!("[[body]]\nname = \"b{k}\"\nparent = \"{parent}\"\n{joint}");
        }
        text
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_vector_is_true_and_new(text in tree()) {
        let mechanism = mechanism(&text);
        compared(&text, &mechanism);
        assert_prepared_alike(&text, &mechanism);
    }
}
