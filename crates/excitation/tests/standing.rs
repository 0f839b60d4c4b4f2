//! A quadruped on its four feet moves its trunk: nothing slips, nothing lifts.

use steiner_dynamics::Mechanism;
use steiner_excitation::{Bound, Design, Foot, Quantity, design, standing};
use steiner_formats::{ReadOptions, read_robot};

fn feet() -> Vec<Foot> {
    ["FL_foot", "FR_foot", "RL_foot", "RR_foot"].map(|foot| foot.parse().unwrap()).to_vec()
}

#[test]
fn go2_moves_its_trunk_within_friction_cones() {
    let go2 = read_robot("go2", &ReadOptions::default()).unwrap();
    let mechanism = Mechanism::new(standing(&go2, &feet(), &[]).unwrap()).unwrap();
    assert_eq!(mechanism.dof(), 6);
    let mut wish = Design { starts: 1, friction: Some(0.6), ..Design::default() };
    wish.question.drives = false;
    let found = design(&mechanism, &wish, &|_| false).unwrap_or_else(|error| panic!("{error}"));
    println!(
        "{:.1} s, {} of {:?}, log det {:.1}",
        found.seconds,
        found.deviations.len(),
        found.limits.iter().map(|l| &l.name).collect::<Vec<_>>(),
        found.log_det
    );
    for margin in &found.margins {
        println!(
            "{} {} {:.3} of {:.3} margin {:.3} {:?}",
            margin.of,
            margin.quantity.name(),
            margin.value,
            margin.limit,
            margin.margin,
            margin.bound
        );
    }
    assert!(found.feasible);
    let of = |quantity: Quantity| found.margins.iter().filter(move |margin| margin.quantity == quantity);
    assert_eq!(of(Quantity::NormalForce).count(), 4);
    assert_eq!(of(Quantity::Slip).count(), 4);
    assert_eq!(of(Quantity::Effort).count(), 12);
    assert!(found.margins.iter().all(|margin| margin.bound != Bound::Violated));
    assert_eq!(found.noise.len(), 12);
}
