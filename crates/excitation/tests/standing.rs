//! A quadruped on its four feet moves its trunk: nothing slips, nothing lifts.

use std::sync::atomic::{AtomicUsize, Ordering};

use steiner_dynamics::Mechanism;
use steiner_excitation::{Bound, Design, Foot, Quantity, Shape, design, standing};
use steiner_formats::{ReadOptions, read_robot};

fn feet() -> Vec<Foot> {
    ["FL_foot", "FR_foot", "RL_foot", "RR_foot"].map(|foot| foot.parse().unwrap()).to_vec()
}

#[test]
fn go2_moves_its_trunk_within_friction_cones() {
    let go2 = read_robot("go2", &ReadOptions::default()).unwrap();
    let mechanism = Mechanism::new(standing(&go2, &feet(), &[]).unwrap()).unwrap();
    assert_eq!(mechanism.dof(), 6);
    let thorough = std::env::var_os("STEINER_THOROUGH").is_some();
    let harmonics = if thorough { 5 } else { 2 };
    let mut wish = Design { starts: Some(1), friction: Some(0.6), ..Design::default() };
    wish.shape = Shape::Fourier { harmonics, periods: 1 };
    wish.question.drives = false;
    // What takes long is stopped: each motion on the way is feasible.
    let steps = AtomicUsize::new(0);
    let most = if thorough { usize::MAX } else { 12 };
    let found = design(&mechanism, &wish, &|_| steps.fetch_add(1, Ordering::Relaxed) >= most).unwrap();
    println!(
        "{:.1} s, {} base parameters, log det {:.1}",
        found.seconds,
        found.deviations.len(),
        found.log_det
    );
    assert!(found.feasible);
    let of = |quantity: Quantity| found.margins.iter().filter(move |margin| margin.quantity == quantity);
    assert_eq!(of(Quantity::NormalForce).count(), 4);
    assert_eq!(of(Quantity::Slip).count(), 4);
    assert_eq!(of(Quantity::Effort).count(), 12);
    assert!(found.margins.iter().all(|margin| margin.bound != Bound::Violated));
    assert_eq!(found.noise.len(), 12);
}

#[test]
fn feet_are_points_of_links() {
    let foot: Foot = "FL_calf@0, 0,-0.213".parse().unwrap();
    assert_eq!(foot, Foot { link: "FL_calf".to_owned(), point: [0.0, 0.0, -0.213] });
    assert!("FL_calf@0,0".parse::<Foot>().unwrap_err().contains("three lengths"));
    let go2 = read_robot("go2", &ReadOptions::default()).unwrap();
    let refused = |feet: &[&str]| {
        let feet: Vec<Foot> = feet.iter().map(|foot| foot.parse().unwrap()).collect();
        standing(&go2, &feet, &[]).unwrap_err().to_string()
    };
    assert!(refused(&["FL_foot", "FR_foot"]).contains("at least three"));
    assert!(refused(&["FL_foot", "FR_foot", "RL_fot"]).contains("RL_foot"));
    let arm = read_robot("ur5", &ReadOptions::default()).unwrap();
    assert!(standing(&arm, &feet(), &[]).unwrap_err().to_string().contains("no floating trunk"));
}
