//! Sections V–VII of [matthew2016]: what its tables say of a double pendulum on a force plate, for
//! many excitations instead of one.

use crate::pendulum;
use std::f64::consts::FRAC_PI_4;

use pendulum::*;
use steiner_identification::{ContactWrench, Estimator, Problem, SensorFaults, Settings, SimulatedContact};

/// What the paper's axes seem to lean towards, by the signs of table III: away from y and towards z.
const SIDE: f64 = -FRAC_PI_4 + std::f64::consts::PI;

fn wrench_noise(relative_force: f64) -> SensorFaults {
    SensorFaults { relative_force, ..SensorFaults::default() }
}

fn hand() -> Vec<SimulatedContact> {
    vec![SimulatedContact {
        link: "link2".to_owned(),
        wrench: ContactWrench::Random { force: 30.0, torque: 5.0 },
    }]
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

#[test]
fn thirteen_base_parameters_with_the_names_of_the_tables() {
    for axis in [ALONG_X, leaning(5.0, 0.0), leaning(5.0, SIDE), leaning(5.0, 1.3)] {
        let machine = moving(pendulum([axis, axis]));
        let problem = Problem::new(&machine, &columns_of_the_tables()).unwrap();
        let names: Vec<&str> =
            problem.base().iter().map(|base| problem.labels()[base.column].as_str()).collect();
        assert_eq!(names, PRINTED.map(|row| row.label), "{axis:?}");
    }
    // Axes that lean differently turn the second link about two directions: two parameters more.
    let crossed = moving(pendulum([leaning(5.0, 0.0), leaning(5.0, 1.3)]));
    assert_eq!(Problem::new(&crossed, &plain_settings()).unwrap().base().len(), 15);
}

#[test]
fn the_check_epsilon_vanishes_without_noise_and_for_the_right_model_alone() {
    let (simple, full) = (moving(pendulum([ALONG_X; 2])), moving(pendulum([leaning(5.0, SIDE); 2])));
    for contacts in [Vec::new(), hand()] {
        let data = recorded(&full, 4, contacts, SensorFaults::default());
        let [exact, relative] = evaluated(&full, &data, &columns_of_the_tables()).epsilon();
        assert!(exact < 1e-9 && relative < 1e-12, "{exact:.1e} N, {relative:.1e}");
        let [_, simplified] = evaluated(&simple, &data, &columns_of_the_tables()).epsilon();
        assert!((1e-3..0.05).contains(&simplified), "wrong, and harmless to look at: {simplified:.4}");
    }
}

#[test]
fn table_3_simplified_axes_spoil_products_of_inertia_whatever_the_motion() {
    let draws = 40;
    let (mut beyond, mut all, mut harmless, mut full_products) = ([0usize; 4], 0, 0, Vec::new());
    let (mut simple_products, mut sigmas) = (Vec::new(), Vec::new());
    for seed in 1..=draws {
        let mut random = Draws::new(seed);
        let side = random.between(0.0, std::f64::consts::TAU);
        let axis = leaning(5.0, side);
        let full = moving(with_other_bodies(pendulum([axis, axis]), &mut Draws::new(1000 + seed)));
        let simple = moving(with_other_bodies(pendulum([ALONG_X; 2]), &mut Draws::new(1000 + seed)));
        let data = recorded(&full, seed, Vec::new(), wrench_noise(0.01));
        let by_simple = evaluated(&simple, &data, &columns_of_the_tables());
        // Noise differs by component: σ is right where each is weighed by its own.
        let weighted = Settings { estimator: Estimator::Weighted, ..columns_of_the_tables() };
        let by_full = evaluated(&full, &data, &weighted);
        let rows = by_simple.rows();
        let wrong = PRODUCTS.map(|k| rows[k].map_or(0.0, |[truth, error, _]| (error / truth).abs()));
        (0..4).for_each(|k| beyond[k] += usize::from(wrong[k] > 0.2));
        all += usize::from(wrong.iter().all(|x| *x > 0.2));
        assert!(wrong.iter().any(|x| *x > 0.2), "seed {seed}: {wrong:?}");
        harmless += usize::from(by_simple.epsilon()[1] < 0.03);
        let full_rows = by_full.rows();
        for k in PRODUCTS {
            simple_products.push(rows[k].map_or(f64::NAN, |[_, error, _]| error.abs()));
            full_products.push(full_rows[k].map_or(f64::NAN, |[_, error, _]| error.abs()));
        }
        sigmas.extend(full_rows.iter().flatten().map(|[_, error, sigma]| (error / sigma).abs()));
    }
    let (simple, full) = (median(simple_products), median(full_products));
    eprintln!("beyond 20 %: {beyond:?} of {draws}, all four {all}; wrench within 3 %: {harmless}");
    eprintln!("median error of a product: {simple:.4} kg m² simplified, {full:.4} full");
    let draws = draws as usize;
    // A lean towards y shows in I_xy, one towards z in I_xz; gravity on what swings out is the
    // larger part, and it is I_xy's.
    assert!(10 * beyond[0].min(beyond[2]) > 9 * draws, "I_xy nearly always: {beyond:?}");
    assert!(3 * beyond[1].min(beyond[3]) > draws, "I_xz in more than a third: {beyond:?}");
    assert!(10 * harmless > 9 * draws, "while the wrench looks harmless: {harmless}");
    assert!(simple > 10.0 * full, "{simple} {full}");
    let inside = sigmas.iter().filter(|x| **x < 3.0).count();
    eprintln!("full model: {inside} of {} within 3 σ", sigmas.len());
    assert!(100 * inside >= 97 * sigmas.len(), "below the noise: {inside} of {}", sigmas.len());
}

#[test]
fn condition_numbers_tell_which_columns_were_kept_and_not_which_model_is_right() {
    let (simple, full) = (moving(pendulum([ALONG_X; 2])), moving(pendulum([leaning(5.0, SIDE); 2])));
    let mut near_the_paper = Vec::new();
    for seed in 1..=60 {
        let data = recorded(&full, seed, Vec::new(), SensorFaults::default());
        let condition = evaluated(&simple, &data, &first_columns()).condition();
        let same = evaluated(&full, &data, &columns_of_the_tables()).condition();
        assert!((same / condition - 1.0).abs() < 0.1, "the same columns: {condition} {same}");
        let first = evaluated(&full, &data, &first_columns()).condition();
        assert!(first > 1.5 * condition, "columns that show by the lean alone: {condition} {first}");
        if (condition / PRINTED_CONDITIONS[0]).ln().abs() < 0.25 {
            near_the_paper.push(first);
        }
    }
    near_the_paper.sort_by(f64::total_cmp);
    eprintln!("simplified near 38.1, full with its first columns: {near_the_paper:.0?} (the paper: 334.2)");
    let printed = PRINTED_CONDITIONS[1];
    assert!(near_the_paper.first().is_some_and(|x| *x < printed));
    assert!(near_the_paper.last().is_some_and(|x| *x > printed));
}

#[test]
fn table_4_two_contacts_at_the_level_of_the_paper() {
    let machine = moving(pendulum([ALONG_X; 2]));
    let faults = SensorFaults {
        relative_force: 0.002,
        position: 1e-4,
        velocity: 1e-3,
        acceleration: 1e-2,
        ..SensorFaults::default()
    };
    // The largest error printed of each kind, rounding included: 0.00 kg, 0.01 kg m, 0.08 kg m².
    let level = |label: &str| match label.rsplit_once('.').map_or("", |(_, kind)| kind) {
        "m" => 0.005,
        "mx" | "my" | "mz" => 0.015,
        _ => 0.085,
    };
    let mut errors = vec![Vec::new(); 13];
    let mut as_good = 0;
    for seed in 1..=40 {
        let data = recorded(&machine, seed, hand(), faults);
        assert_eq!(data.count, SAMPLES);
        let found = evaluated(&machine, &data, &columns_of_the_tables());
        let own: Vec<f64> =
            found.rows().iter().map(|row| row.map_or(f64::INFINITY, |[_, error, _]| error.abs())).collect();
        as_good += usize::from(PRINTED.iter().zip(&own).all(|(row, error)| *error < level(row.label)));
        errors.iter_mut().zip(own).for_each(|(list, error)| list.push(error));
        if seed > 5 {
            continue;
        }
        // Equation (17) matters: with the ground's wrench alone nothing fits.
        let mut blind = data.clone();
        blind.contacts.clear();
        let [_, left] = evaluated(&machine, &blind, &columns_of_the_tables()).epsilon();
        assert!(left > 0.03, "{left}");
    }
    for (row, errors) in PRINTED.iter().zip(errors) {
        let (worst, middle) = (errors.iter().copied().fold(0.0, f64::max), median(errors));
        eprintln!("{:14} printed {:5.2}; median {middle:.4}, worst {worst:.4}", row.label, row.two_contacts);
        assert!(middle < 0.5 * level(row.label), "{}: {middle}", row.label);
    }
    eprintln!("all thirteen at the printed level: {as_good} of 40 motions");
    assert!(as_good >= 32, "{as_good}");
}

#[test]
fn the_true_values_of_table_4_are_not_those_of_a_ur5() {
    // ∫ z² dm ≤ I_xx and Cauchy and Schwarz: m₃ ≥ (m₃ r_z3)²/I_xx3, with printed digits
    // rounded as kindly as possible.
    let (first, second) = (PRINTED[9].truth - 0.005, PRINTED[10].truth + 0.005);
    let outer = first * first / second;
    // A UR5's forearm and wrists weigh 4.9 kg; all that moves behind its shoulder 13.3 kg.
    assert!(outer > 16.9, "{outer}");
    // (I_xx2)_R = I_xx2 + l₁² m₃: the first link is shorter than a UR5's upper arm of 0.425 m.
    let longest = ((PRINTED[5].truth + 0.005) / outer).sqrt();
    assert!(longest < 0.38, "{longest}");
}
