//! Joints that follow others (mimic joints): their positions, speeds and torques stay within their own limits.

use steiner_dynamics::{Mechanism, SampleMemory};
use steiner_excitation::{Bound, Design, Designed, ExcitationError, Quantity, Shape, design};
use steiner_formats::{ReadOptions, read_robot};

/// An arm of three joints of which the last follows the second: q3 = −1.5 q2 + `offset`.
fn arm(name: &str, offset: f64, range: (f64, f64), limits: &str) -> Mechanism {
    let link = |k: usize| {
        format!(
            "<link name=\"l{k}\"><inertial><origin xyz=\"0.2 0.02 0.05\"/><mass value=\"2\"/>\
             <inertia ixx=\"0.03\" ixy=\"0.001\" ixz=\"0\" iyy=\"0.04\" iyz=\"0.002\" izz=\"0.05\"/></inertial></link>"
        )
    };
    let joint = |k: usize, axis: &str, rest: &str| {
        format!(
            "<joint name=\"j{k}\" type=\"revolute\"><parent link=\"{}\"/><child link=\"l{k}\"/>\
             <origin xyz=\"0.3 0 0.1\"/><axis xyz=\"{axis}\"/>{rest}</joint>",
            if k == 1 { "base".to_owned() } else { format!("l{}", k - 1) }
        )
    };
    let usual = "<limit lower=\"-2\" upper=\"2\" velocity=\"3\" effort=\"100\"/>";
    let follows = format!(
        "<mimic joint=\"j2\" multiplier=\"-1.5\" offset=\"{offset}\"/>\
         <limit lower=\"{}\" upper=\"{}\" {limits}/><dynamics damping=\"0.1\" friction=\"0.4\"/>",
        range.0, range.1
    );
    let text = format!(
        "<robot name=\"arm\"><link name=\"base\"/>{}{}{}{}{}{}</robot>",
        link(1),
        link(2),
        link(3),
        joint(1, "0 0 1", usual),
        joint(2, "0 1 0", usual),
        joint(3, "0 1 0", &follows)
    );
    let path = std::env::temp_dir().join(format!("steiner-follows-{}-{name}.urdf", std::process::id()));
    std::fs::write(&path, text).unwrap();
    let robot = read_robot(&path.display().to_string(), &ReadOptions::default()).unwrap();
    std::fs::remove_file(&path).unwrap();
    Mechanism::new(robot).unwrap()
}

fn quick() -> Design {
    let mut wish = Design { starts: Some(2), duration: 6.0, ..Design::default() };
    wish.shape = Shape::Fourier { harmonics: 4, periods: 1 };
    wish.question.drives = false;
    wish
}

/// The largest position, speed and torque of j3, and its least position, along a motion.
fn of_follower(arm: &Mechanism, found: &Designed) -> [f64; 4] {
    let motion = found.trajectory(arm, 500.0);
    let mut memory = SampleMemory::new(arm);
    let mut out = [f64::NEG_INFINITY, f64::INFINITY, 0.0, 0.0];
    for k in 0..motion.t.len() {
        let part = |values: &[f64]| values[2 * k..2 * k + 2].to_vec();
        let (q, qd, qdd) = (part(&motion.q), part(&motion.qd), part(&motion.qdd));
        let state = arm.feasible(&q, &qd, &qdd).unwrap();
        let mut forces = vec![0.0; 3];
        arm.tree_forces(&state, &mut memory, &mut forces);
        let (position, speed) = (arm.tree_configuration(&q).unwrap()[2], state.velocity[2]);
        let torque = forces[2] + 0.1 * speed;
        out = [out[0].max(position), out[1].min(position), out[2].max(speed.abs()), out[3].max(torque.abs())];
    }
    out
}

#[test]
fn a_joint_that_follows_keeps_its_own_torque() {
    let free = arm("free", 0.2, (-3.0, 3.0), "velocity=\"9\" effort=\"0\"");
    let loose = design(&free, &quick(), &|_| false).unwrap();
    let [.., most] = of_follower(&free, &loose);
    assert!(most > 5.0, "{most}: the limit below would not matter");
    let weak = arm("weak", 0.2, (-3.0, 3.0), "velocity=\"9\" effort=\"4.5\"");
    let found = design(&weak, &quick(), &|_| false).unwrap();
    assert!(found.feasible, "{:?}", found.margins);
    let [.., most] = of_follower(&weak, &found);
    // Dry friction may act either way.
    assert!(most + 0.4 <= 4.5 + 1e-9 && most > 3.0, "{most}");
    let own = |margin: &&steiner_excitation::Margin| margin.of == "j3" && margin.quantity == Quantity::Effort;
    let margin = found.margins.iter().find(own).expect("a margin of j3's torque");
    assert!((margin.limit.abs() - 4.5).abs() < 1e-12 && margin.value.abs() <= 4.5, "{margin:?}");
}

#[test]
fn at_rest_too() {
    // Its own weight at the worst angle takes 2 kg · 9.81 · about 0.2 m of torque.
    let weak = arm("rest", 0.2, (-3.0, 3.0), "velocity=\"9\" effort=\"3\"");
    let mut wish = quick();
    wish.question.measure = "static".parse().unwrap();
    let found = design(&weak, &wish, &|_| false).unwrap();
    assert!(found.feasible);
    for q in found.trajectory(&weak, 1.0).q.chunks_exact(2) {
        let state = weak.feasible(q, &[0.0; 2], &[0.0; 2]).unwrap();
        let mut forces = vec![0.0; 3];
        weak.tree_forces(&state, &mut SampleMemory::new(&weak), &mut forces);
        assert!(forces[2].abs() + 0.4 <= 3.0, "{forces:?}");
    }
}

#[test]
fn a_range_that_the_reference_is_outside_of_is_kept_and_proven() {
    // At the reference j3 is at 1.4, where it may not be.
    let arm = arm("outside", 1.4, (-0.5, 0.5), "velocity=\"1\" effort=\"80\"");
    let found = design(&arm, &quick(), &|_| false).unwrap();
    assert!(found.feasible, "{:?}", found.margins);
    let [most, least, speed, _] = of_follower(&arm, &found);
    assert!(-0.5 <= least && most <= 0.5 && speed <= 1.0, "{least} {most} {speed}");
    // The motion uses what there is.
    assert!(most - least > 0.9 && speed > 0.95, "{least} {most} {speed}");
    for quantity in [Quantity::Position, Quantity::Velocity] {
        let own = |margin: &&steiner_excitation::Margin| margin.of == "j3" && margin.quantity == quantity;
        let margin = found.margins.iter().find(own).expect("a margin of j3");
        assert_eq!(margin.bound, Bound::Proven, "{margin:?}");
    }
}

#[test]
fn a_range_that_is_never_reached_is_refused_with_both_joints() {
    let arm = arm("never", 5.0, (-0.5, 0.5), "velocity=\"2\" effort=\"80\"");
    let refused = design(&arm, &quick(), &|_| false).unwrap_err();
    assert!(matches!(refused, ExcitationError::NoRoom { .. }));
    let words = refused.to_string();
    for part in ["'j3'", "'j2'", "2 and 8", "-0.5 to 0.5"] {
        assert!(words.contains(part), "{words}");
    }
}

#[test]
fn dry_friction_above_what_a_joint_can_give_is_refused_with_both_numbers() {
    // Its friction is 0.4.
    let arm = arm("dry", 0.2, (-3.0, 3.0), "velocity=\"9\" effort=\"0.3\"");
    let words = design(&arm, &quick(), &|_| false).unwrap_err().to_string();
    for part in
        ["dry friction of joint 'j3' is 0.4", "can give 0.3", "correct its friction or its effort limit"]
    {
        assert!(words.contains(part), "{words}");
    }
}
