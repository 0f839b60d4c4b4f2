//! Forward dynamics against recursion and energy, and derivatives against differences.

use steiner_dynamics::Mechanism;
use steiner_formats::{ReadOptions, read_robot};
use steiner_logs::{Part, Recording, Role};

use super::forward::Forward;
use super::stretch::Stretch;
use super::window::Window;
use crate::problem::Problem;
use crate::settings::Settings;

fn arm(name: &str) -> Mechanism {
    Mechanism::new(read_robot(name, &ReadOptions::default()).unwrap()).unwrap()
}

fn without_drives(arm: &Mechanism) -> (Problem, Vec<f64>) {
    let problem = Problem::new(arm, &Settings { drives: false, ..Settings::default() }).unwrap();
    let base = problem.base_values(problem.prior());
    (problem, base)
}

/// Numbers between −1 and 1.
fn numbers(count: usize, seed: usize) -> Vec<f64> {
    (0..count).map(|k| ((k * 7919 + seed * 104_729) as f64).sin()).collect()
}

#[test]
fn forces_of_the_recursion_cause_the_accelerations_they_came_from() {
    let arm = arm("puma560");
    let (problem, base) = without_drives(&arm);
    let mut forward = Forward::new(&problem).unwrap();
    for seed in 1..20 {
        let (state, wanted) = (numbers(12, seed), numbers(6, seed + 100));
        let tau = arm.inverse_dynamics(&state[..6], &state[6..], &wanted).unwrap();
        let found = forward.acceleration(&base, &state, &tau).unwrap();
        for (a, b) in found.iter().zip(&wanted) {
            assert!((a - b).abs() < 1e-8, "{found:?} {wanted:?}");
        }
    }
}

#[test]
fn derivatives_are_those_of_differences() {
    let arm = arm("two_link");
    let problem = Problem::new(&arm, &Settings::default()).unwrap();
    let mut base = problem.base_values(problem.prior());
    base.iter_mut().enumerate().for_each(|(k, x)| *x += 0.01 * k as f64);
    let mut forward = Forward::new(&problem).unwrap();
    let (state, tau) = (vec![0.3, -0.7, 1.1, 0.4], vec![3.0, -2.0]);
    let found = forward.derivatives(&base, &state, &tau).unwrap();
    let mut change = |base: &[f64], other: &[f64], x: &[f64], y: &[f64]| -> Vec<f64> {
        let (a, b) = (forward.acceleration(base, x, &tau), forward.acceleration(other, y, &tau));
        b.unwrap().iter().zip(a.unwrap()).map(|(b, a)| (b - a) / 2e-5).collect()
    };
    let shifted = |x: &[f64], k: usize, by: f64| {
        let mut x = x.to_vec();
        x[k] += by;
        x
    };
    for k in 0..4 {
        let wanted = change(&base, &base, &shifted(&state, k, -1e-5), &shifted(&state, k, 1e-5));
        for r in 0..2 {
            assert!((found.by_state[(r, k)] - wanted[r]).abs() < 1e-6 * (1.0 + wanted[r].abs()), "{k}");
        }
    }
    for k in 0..base.len() {
        let wanted = change(&shifted(&base, k, -1e-5), &shifted(&base, k, 1e-5), &state, &state);
        for r in 0..2 {
            assert!((found.by_parameters[(r, k)] - wanted[r]).abs() < 1e-6 * (1.0 + wanted[r].abs()), "{k}");
        }
    }
}

/// Potential energy of the zoo's two_link from its numbers, kinetic energy from composite bodies.
#[test]
fn a_free_swing_keeps_its_energy() {
    let arm = arm("two_link");
    let (problem, base) = without_drives(&arm);
    let (count, period) = (1001, 0.002);
    let recording = Recording {
        count,
        t: (0..count).map(|k| period * k as f64).collect(),
        q: vec![0.0; 2 * count],
        qd: vec![0.0; 2 * count],
        tau: vec![0.0; 2 * count],
        parts: vec![Part { samples: 0..count, role: Role::Training }],
        ..Recording::default()
    };
    let stretches = Stretch::of(&recording, 2).unwrap();
    let stretch = &stretches[0];
    let energy = |x: &[f64]| {
        let mass = arm.mass_matrix(&x[..2]).unwrap();
        let momentum = mass.apply(&x[2..]);
        let kinetic = 0.5 * (x[2] * momentum[0] + x[3] * momentum[1]);
        let (first, second) = (x[0].sin(), (x[0] + x[1]).sin());
        kinetic + 9.81 * (10.0 * 0.58 * first + 6.0 * (1.2 * first + 0.52 * second))
    };
    let window = Window { stretch, of: 0, samples: 0..stretch.count };
    let mut forward = Forward::new(&problem).unwrap();
    let start = [0.4, 0.3, 0.0, 1.0];
    let (before, mut worst, mut furthest) = (energy(&start), 0.0f64, 0.0f64);
    let done = window.simulate(&mut forward, (&base, &start), 4, false, |_, x, _| {
        worst = worst.max((energy(x) - before).abs());
        furthest = furthest.max((x[0] - start[0]).abs());
    });
    println!("energy {before:.2} J changes by {worst:.1e} J");
    assert!(done && furthest > 1.0 && worst < 1e-6 * before.abs().max(100.0), "{worst} of {before}");
}
