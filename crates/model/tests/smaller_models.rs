//! Section 4.3: models with fewer functions that are accurate enough for a task.

mod support;

use steiner_dynamics::{Mechanism, Samples};
use steiner_model::{Acceleration, ModelError, Profile, Psdm, ReducedPsdm, ReductionGoal, TaskStates};
use support::{derived, named, relative};

fn slow(mechanism: &Mechanism, samples: usize, seed: u64) -> TaskStates {
    Profile { samples, seed, ..Profile::slow(mechanism.robot()).unwrap() }.states()
}

fn fast(mechanism: &Mechanism, samples: usize, seed: u64) -> TaskStates {
    Profile { samples, seed, ..Profile::fast(mechanism.robot()).unwrap() }.states()
}

fn rows(states: &TaskStates, joints: usize) -> impl Iterator<Item = [&[f64]; 3]> {
    let rows = |values: &'_ [f64]| {
        (0..values.len() / joints).map(|k| k * joints..(k + 1) * joints).collect::<Vec<_>>()
    };
    rows(&states.q).into_iter().map(|range| [&states.q, &states.qd, &states.qdd].map(|x| &x[range.clone()]))
}

/// The error that a part of the states stays below, by evaluating the model one state after
/// the other and asking recursion.
fn error_of_forces(mechanism: &Mechanism, model: &Psdm, states: &TaskStates, confidence: f64) -> f64 {
    let arm = model.calibrate(&model.nominal()).unwrap();
    let error = |[q, qd, qdd]: [&[f64]; 3]| {
        let tau = mechanism.inverse_dynamics(q, qd, qdd).unwrap();
        relative(&arm.inverse_dynamics(q, qd, qdd).unwrap(), &tau)
    };
    quantile(rows(states, mechanism.dof()).map(error).collect(), confidence)
}

/// The same of accelerations from the forces of recursion.
fn error_of_accelerations(mechanism: &Mechanism, model: &Psdm, states: &TaskStates, confidence: f64) -> f64 {
    let arm = model.calibrate(&model.nominal()).unwrap();
    let error = |[q, qd, qdd]: [&[f64]; 3]| {
        let tau = mechanism.inverse_dynamics(q, qd, qdd).unwrap();
        relative(&arm.forward_dynamics(q, qd, &tau).unwrap(), qdd)
    };
    quantile(rows(states, mechanism.dof()).map(error).collect(), confidence)
}

fn quantile(mut errors: Vec<f64>, confidence: f64) -> f64 {
    errors.sort_by(f64::total_cmp);
    errors[(confidence * errors.len() as f64).ceil() as usize - 1]
}

fn reduced(model: &Psdm, states: &TaskStates, goal: ReductionGoal) -> ReducedPsdm {
    model.reduced(&model.nominal(), &states.samples(), &goal).unwrap()
}

/// Whether two numbers agree to a part of themselves.
fn close(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance * b.abs()
}

#[test]
fn two_digits_of_a_slow_kr6_need_a_fraction_of_its_functions() {
    let kr6 = named("kr6");
    let model = derived(&kr6);
    let states = slow(&kr6, 4000, 1);
    for refit in [false, true] {
        let goal = ReductionGoal { confidence: 0.95, refit, ..ReductionGoal::default() };
        let reduced = reduced(&model, &states, goal);
        println!("{} of 6086 functions, error {:.4e}", reduced.model.functions().len(), reduced.error);
        assert!(reduced.error <= 0.01 && reduced.error <= reduced.truncated_error);
        assert!(reduced.model.functions().len() < 6086 / 8);
        // The same error, found by other means; and nearly the same at states the choice did not know.
        let seen = error_of_forces(&kr6, &reduced.model, &states, 0.95);
        assert!(close(seen, reduced.error, 1e-6), "{seen} {}", reduced.error);
        let fresh = error_of_forces(&kr6, &reduced.model, &slow(&kr6, 4000, 2), 0.95);
        assert!(close(fresh, reduced.error, 0.1), "{fresh} {}", reduced.error);
    }
}

#[test]
fn no_function_more_could_have_been_left_out() {
    let scara = named("scara_sr6ia");
    let (model, states) = (derived(&scara), fast(&scara, 501, 3));
    let theta = model.nominal();
    let (samples, goal) =
        (states.samples(), ReductionGoal { accuracy: 1e-3, refit: false, ..ReductionGoal::default() });
    let task = model.task(&theta, &samples).unwrap();
    let reduced = task.reduced(&goal).unwrap();
    let order = task.order(false).unwrap();
    let kept = reduced.model.functions();
    let dropped = model.functions().len() - kept.len();
    assert!(dropped > 5, "{dropped}");
    assert!(order[..dropped].iter().all(|&k| !kept.contains(&model.functions()[k])));
    // One more, by hand: its contribution is gone from the forces.
    let evaluator = model.evaluator();
    let errors = |dropped: usize| {
        let error = |[q, qd, qdd]: [&[f64]; 3]| {
            let y = evaluator.functions(q, qd, qdd).unwrap();
            let joint = |i: usize| {
                let gone = order[..dropped].iter();
                gone.map(|&k| y[k] * model.reduction(i).row(k).map(|(p, x)| x * theta[p]).sum::<f64>())
                    .sum::<f64>()
            };
            let tau = scara.inverse_dynamics(q, qd, qdd).unwrap();
            let missing: Vec<f64> = (0..4).map(|i| tau[i] - joint(i)).collect();
            relative(&missing, &tau)
        };
        quantile(rows(&states, 4).map(error).collect(), goal.confidence)
    };
    assert!(close(errors(dropped), reduced.error, 1e-9), "{} {}", errors(dropped), reduced.error);
    assert!(errors(dropped + 1) > goal.accuracy);
}

#[test]
fn fitted_parameters_cannot_be_improved_by_small_changes() {
    let kr6 = named("kr6");
    let (model, states) = (derived(&kr6), fast(&kr6, 300, 11));
    let goal = ReductionGoal { accuracy: 0.1, confidence: 0.9, ..ReductionGoal::default() };
    let reduced = reduced(&model, &states, goal);
    assert!(reduced.error < reduced.truncated_error, "the fit was not worth it");
    let theta = reduced.model.nominal();
    let squares = |theta: &[f64]| -> f64 {
        let arm = reduced.model.calibrate(theta).unwrap();
        let error = |[q, qd, qdd]: [&[f64]; 3]| {
            let tau = kr6.inverse_dynamics(q, qd, qdd).unwrap();
            relative(&arm.inverse_dynamics(q, qd, qdd).unwrap(), &tau).powi(2)
        };
        rows(&states, 6).map(error).sum()
    };
    let best = squares(&theta);
    for k in 0..theta.len() {
        for by in [-1e-3, 1e-3] {
            let mut other = theta.clone();
            other[k] += by * theta[k].abs().max(1e-3);
            assert!(squares(&other) > best, "{k}: {by}");
        }
    }
}

#[test]
fn models_for_accelerations_keep_their_mass_matrix_and_are_judged_by_accelerations() {
    let kr6 = named("kr6");
    let (model, states) = (derived(&kr6), fast(&kr6, 1500, 4));
    for refit in [false, true] {
        let goal = ReductionGoal { accuracy: 0.05, confidence: 0.95, forward: true, refit };
        let reduced = reduced(&model, &states, goal);
        let functions = reduced.model.functions().len();
        println!("{functions} functions, error {:.4e}", reduced.error);
        assert!(functions < 3000 && reduced.error <= 0.05);
        for joint in 0..6 {
            let of_mass = |m: &Psdm| m.functions_of(Acceleration::Joint(joint)).len();
            assert_eq!(of_mass(&reduced.model), of_mass(&model));
        }
        let seen = error_of_accelerations(&kr6, &reduced.model, &states, 0.95);
        assert!(close(seen, reduced.error, 1e-6), "{seen} {}", reduced.error);
        let fresh = error_of_accelerations(&kr6, &reduced.model, &fast(&kr6, 1500, 5), 0.95);
        assert!(close(fresh, reduced.error, 0.15), "{fresh} {}", reduced.error);
    }
}

#[test]
fn curves_run_from_the_exact_model_to_none_and_agree_with_the_search() {
    let scara = named("scara_sr6ia");
    let (model, states) = (derived(&scara), slow(&scara, 2000, 6));
    let task = model.task(&model.nominal(), &states.samples()).unwrap();
    for forward in [false, true] {
        let curve = task.trade_off(&[0.5, 0.95, 0.999], forward).unwrap();
        let first = &curve.points[0];
        assert_eq!((first.functions, first.parameters), (69, 8));
        assert!(first.fitted_errors.iter().all(|error| *error < 1e-12));
        let mut last = 0;
        for pair in curve.points.windows(2) {
            assert!(pair[0].functions > pair[1].functions && pair[0].parameters >= pair[1].parameters);
            last = pair[1].functions;
        }
        for point in &curve.points {
            let grow = |errors: &[f64]| errors.windows(2).all(|pair| pair[0] <= pair[1]);
            assert!(grow(&point.truncated_errors) && grow(&point.fitted_errors));
        }
        let smallest = &curve.points[curve.points.len() - 1];
        assert!(smallest.truncated_errors[2] > 0.1, "{last} functions: {smallest:?}");
        // A goal that is the error of a point is met by at most its functions.
        let point = &curve.points[curve.points.len() / 2];
        let accuracy = point.truncated_errors[1] * (1.0 + 1e-9);
        let goal = ReductionGoal { accuracy, confidence: 0.95, forward, refit: false };
        let found = task.reduced(&goal).unwrap();
        assert!(found.model.functions().len() <= point.functions, "{}", found.model.functions().len());
    }
}

#[test]
fn stricter_goals_keep_more_functions() {
    let kr6 = named("kr6");
    let (model, states) = (derived(&kr6), fast(&kr6, 1000, 7));
    let task = model.task(&model.nominal(), &states.samples()).unwrap();
    let functions = |accuracy: f64, confidence: f64| {
        let goal = ReductionGoal { accuracy, confidence, refit: false, ..ReductionGoal::default() };
        task.reduced(&goal).unwrap().model.functions().len()
    };
    for confidence in [0.9, 0.99, 1.0] {
        assert!(functions(0.1, confidence) < functions(0.01, confidence));
        assert!(functions(0.01, confidence) < functions(0.001, confidence));
    }
    assert!(functions(0.01, 0.9) < functions(0.01, 0.99) && functions(0.01, 0.99) < functions(0.01, 1.0));
    assert!(functions(1e-14, 1.0) > 6000);
}

#[test]
fn contributions_are_shares_of_the_force() {
    let two_link = named("two_link");
    let model = derived(&two_link);
    let states = slow(&two_link, 301, 8);
    let theta = model.nominal();
    let contributions = model.contributions(&theta, &states.samples()).unwrap();
    // Each by hand: (65) and (66).
    let evaluator = model.evaluator();
    for (k, found) in contributions.iter().enumerate() {
        let shares: Vec<f64> = rows(&states, 2)
            .map(|[q, qd, qdd]| {
                let y = evaluator.functions(q, qd, qdd).unwrap()[k];
                let phi = |i: usize| model.reduction(i).row(k).map(|(p, x)| x * theta[p]).sum::<f64>();
                let tau = two_link.inverse_dynamics(q, qd, qdd).unwrap();
                (y * phi(0)).hypot(y * phi(1)) / tau[0].hypot(tau[1])
            })
            .collect();
        let mean = shares.iter().sum::<f64>() / 301.0;
        assert!(close(found.mean, mean, 1e-9), "{found:?} {mean}");
        assert!(close(found.largest, quantile(shares.clone(), 1.0), 1e-9));
        assert!(close(found.median, quantile(shares, 0.5), 0.1), "{found:?}");
    }
    // A slow arm mostly carries its weight.
    let place = contributions.iter().enumerate().max_by(|a, b| a.1.mean.total_cmp(&b.1.mean)).unwrap().0;
    assert_eq!(model.functions()[place].acceleration, Acceleration::Gravity);
}

#[test]
fn any_number_of_states_is_a_task() {
    let arm = named("two_link");
    let model = derived(&arm);
    for count in [1, 7, 8, 9, 129] {
        let states = fast(&arm, count, 9);
        let goal = ReductionGoal { accuracy: 0.1, confidence: 1.0, ..ReductionGoal::default() };
        let reduced = reduced(&model, &states, goal);
        let seen = error_of_forces(&arm, &reduced.model, &states, 1.0);
        assert!(
            reduced.error <= 0.1 && (seen - reduced.error).abs() < 1e-9,
            "{count}: {seen} {}",
            reduced.error
        );
    }
    // An arm that rests without gravity needs no forces: nothing is wrong with leaving everything out.
    let still = TaskStates { q: vec![0.3; 8], qd: vec![0.0; 8], qdd: vec![0.0; 8], count: 4 };
    let floating = support::mechanism(&arm_without_gravity());
    let model = derived(&floating);
    let goal = ReductionGoal::default();
    assert_eq!(reduced(&model, &still, goal).error, 0.0);
}

fn arm_without_gravity() -> String {
    let text = steiner_formats::zoo::find("two_link").unwrap().text;
    let line = text.lines().find(|line| line.starts_with("gravity")).unwrap();
    text.replace(line, "gravity = [0, 0, 0]")
}

#[test]
fn impossible_goals_and_empty_tasks_are_refused() {
    let arm = named("two_link");
    let model = derived(&arm);
    let states = slow(&arm, 5, 10);
    let theta = model.nominal();
    for accuracy in [-1.0, 0.0, 1.0, 3.0, f64::NAN] {
        let goal = ReductionGoal { accuracy, ..ReductionGoal::default() };
        let refused = model.reduced(&theta, &states.samples(), &goal);
        assert!(matches!(refused, Err(ModelError::Accuracy { .. })), "{accuracy}");
    }
    for confidence in [-0.5, 0.0, 1.1, f64::NAN] {
        let goal = ReductionGoal { confidence, ..ReductionGoal::default() };
        let refused = model.reduced(&theta, &states.samples(), &goal);
        assert!(matches!(refused, Err(ModelError::Confidence { .. })), "{confidence}");
        let refused = model.trade_off(&theta, &states.samples(), &[confidence], false);
        assert!(matches!(refused, Err(ModelError::Confidence { .. })), "{confidence}");
    }
    let nothing = model.contributions(&theta, &Samples { q: &[], qd: &[], qdd: &[], count: 0 });
    assert!(matches!(nothing, Err(ModelError::TooFewSamples { .. })));
    let short = model.task(&theta, &Samples { q: &[0.0; 3], qd: &[0.0; 4], qdd: &[0.0; 4], count: 2 });
    assert!(matches!(short.err(), Some(ModelError::Shape { what: "q", .. })));
    let strange =
        model.task(&theta, &Samples { q: &[0.0, f64::NAN], qd: &[0.0; 2], qdd: &[0.0; 2], count: 1 });
    assert!(matches!(strange.err(), Some(ModelError::NotFinite { what: "q", index: 1, .. })));
    let wrong = model.task(&theta[1..], &states.samples());
    assert!(matches!(wrong.err(), Some(ModelError::Shape { what: "theta", .. })));
    // Accelerations need a mass matrix.
    let massless: Vec<f64> = theta.iter().map(|_| 0.0).collect();
    let goal = ReductionGoal { forward: true, ..ReductionGoal::default() };
    let refused = model.reduced(&massless, &states.samples(), &goal);
    assert!(matches!(refused, Err(ModelError::MassNotPositive { .. })));
}
