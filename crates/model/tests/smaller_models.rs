//! Section 4.3: models with fewer functions that are accurate enough for a task.

mod support;

use steiner_dynamics::Samples;
use steiner_model::{Acceleration, ModelError, ReductionGoal};
use support::{Random, derived, named};

/// The slow profile of section 4.3: q̇ in ±0.1, q̈ in ±1.
fn slow(joints: usize, count: usize) -> [Vec<f64>; 3] {
    let mut random = Random::new(11);
    let pi = std::f64::consts::PI;
    [pi, 0.1, 1.0].map(|scale| random.numbers(joints * count, scale))
}

fn samples(values: &[Vec<f64>; 3], count: usize) -> Samples<'_> {
    Samples { q: &values[0], qd: &values[1], qdd: &values[2], count }
}

#[test]
fn two_digits_of_a_slow_kr6_need_a_fraction_of_its_functions() {
    let model = derived(&named("kr6"));
    let values = slow(6, 120);
    let (theta, goal) = (model.nominal(), ReductionGoal::default());
    let reduced = model.reduced(&theta, &samples(&values, 120), &goal).unwrap();
    println!("{} of {} functions, error {:.2e}", reduced.model.functions().len(), 6086, reduced.error);
    assert!(reduced.error <= 0.01);
    assert!(reduced.model.functions().len() < 6086 / 4);
    // Other states of the same kind are as accurate, or nearly.
    let other = slow(6, 200);
    let (full, small) =
        (model.calibrate(&theta).unwrap(), reduced.model.calibrate(&reduced.model.nominal()).unwrap());
    let mut errors: Vec<f64> = (120..200)
        .map(|k| {
            let [q, qd, qdd] = [0, 1, 2].map(|v| &other[v][6 * k..6 * k + 6]);
            let tau = full.inverse_dynamics(q, qd, qdd).unwrap();
            support::relative(&small.inverse_dynamics(q, qd, qdd).unwrap(), &tau)
        })
        .collect();
    errors.sort_by(f64::total_cmp);
    assert!(errors[errors.len() * 9 / 10] < 0.03, "{:?}", errors.last());
}

#[test]
fn models_for_simulation_keep_their_mass_matrix() {
    let model = derived(&named("scara_sr6ia"));
    let values = slow(4, 100);
    let goal = ReductionGoal { accuracy: 0.1, forward: true, ..ReductionGoal::default() };
    let reduced = model.reduced(&model.nominal(), &samples(&values, 100), &goal).unwrap();
    assert!(reduced.model.functions().len() < model.functions().len());
    for joint in 0..4 {
        let of_mass = |m: &steiner_model::Psdm| m.functions_of(Acceleration::Joint(joint)).len();
        assert_eq!(of_mass(&reduced.model), of_mass(&model));
    }
}

#[test]
fn contributions_are_shares_of_the_force() {
    let model = derived(&named("two_link"));
    let values = slow(2, 50);
    let contributions = model.contributions(&model.nominal(), &samples(&values, 50)).unwrap();
    assert_eq!(contributions.len(), model.functions().len());
    assert!(contributions.iter().all(|c| c.mean <= c.largest));
    // A slow arm mostly carries its weight.
    let place = contributions.iter().enumerate().max_by(|a, b| a.1.mean.total_cmp(&b.1.mean)).unwrap().0;
    assert_eq!(model.functions()[place].acceleration, Acceleration::Gravity);
}

#[test]
fn impossible_goals_and_empty_tasks_are_refused() {
    let model = derived(&named("two_link"));
    let values = slow(2, 5);
    let goal = ReductionGoal { accuracy: -1.0, ..ReductionGoal::default() };
    let refused = model.reduced(&model.nominal(), &samples(&values, 5), &goal);
    assert!(matches!(refused, Err(ModelError::Accuracy { .. })));
    let nothing = model.contributions(&model.nominal(), &Samples { q: &[], qd: &[], qdd: &[], count: 0 });
    assert!(matches!(nothing, Err(ModelError::TooFewSamples { .. })));
}
