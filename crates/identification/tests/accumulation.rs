//! One pass, in any number of chunks and threads, against plain sums over dense regressors.

use crate::support;
use std::num::NonZeroUsize;

use steiner_identification::{
    IdentificationError, Problem, Reduced, SensorFaults, Settings, Simulation, Source, identify,
    identify_from, simulate,
};
use steiner_logs::{Recording, Role};
use support::{thorough, with_drives, zoo};

fn noisy(name: &str, duration: f64) -> (steiner_dynamics::Mechanism, Recording) {
    let mechanism = with_drives(zoo(name));
    let faults = SensorFaults { relative_force: 0.05, ..SensorFaults::default() };
    let data =
        simulate(&mechanism, &Simulation { duration, rate: 100.0, faults, ..Simulation::default() }).unwrap();
    (mechanism, data)
}

#[test]
fn residuals_from_triangles_are_those_of_dense_regressors() {
    for name in ["puma560", "go2", "five_bar"] {
        let (mechanism, data) = noisy(name, 3.0);
        let settings = Settings::default();
        let problem = Problem::new(&mechanism, &settings).unwrap();
        let mut reduced = Reduced::new(&problem);
        reduced.absorb(&problem, &data, Role::Training, settings.threads()).unwrap();
        // Any parameters will do; all of them, so that the regrouping is tested along.
        let all: Vec<f64> =
            problem.prior().iter().enumerate().map(|(k, x)| x * (1.0 + 0.1 * (k as f64).sin())).collect();
        let base = problem.base_values(&all);
        let (nq, nv) = (mechanism.configuration_size(), mechanism.dof());
        let bodies = 10 * mechanism.robot().bodies.len();
        let mut squares = vec![0.0; nv];
        for k in 0..data.count {
            let (q, qd, qdd) = (&data.q[nq * k..][..nq], &data.qd[nv * k..][..nv], &data.qdd[nv * k..][..nv]);
            let mut tau = mechanism.regressor(q, qd, qdd).unwrap().apply(&all[..bodies]);
            let state = mechanism.feasible(q, qd, qdd).unwrap();
            let mut tree = vec![0.0; mechanism.tree_dof()];
            let driven = mechanism.robot().bodies.iter().zip(mechanism.robot().velocity_offsets());
            for (drive, (_, v)) in driven.filter(|(body, _)| body.joint.kind.dof() == 1).enumerate() {
                let four = &all[bodies + 4 * drive..][..4];
                let rate = state.velocity[v];
                tree[v] =
                    four[0] * state.acceleration[v] + four[1] * rate + four[2] * rate.signum() + four[3];
            }
            let of_drives = state.reduction.as_ref().map_or(tree.clone(), |z| z.transpose().apply(&tree));
            for r in 0..nv {
                tau[r] += of_drives[r];
                squares[r] += (data.tau[nv * k + r] - tau[r]).powi(2);
            }
        }
        for (r, (ours, plain)) in reduced.residual_squares(&base).iter().zip(&squares).enumerate() {
            assert!((ours - plain).abs() < 1e-9 * plain, "{name} row {r}: {ours} {plain}");
        }
        let plain: Vec<f64> =
            (0..nv).map(|r| data.tau.iter().skip(r).step_by(nv).map(|x| x * x).sum()).collect();
        for (ours, plain) in reduced.squares().iter().zip(plain) {
            assert!((ours - plain).abs() < 1e-11 * plain);
        }
    }
}

/// A recording handed over in pieces.
struct Pieces<'d> {
    data: &'d Recording,
    size: usize,
    passes: usize,
    widths: (usize, usize),
}

impl Source for Pieces<'_> {
    fn chunks(
        &mut self,
        each: &mut dyn FnMut(&Recording) -> Result<(), IdentificationError>,
    ) -> Result<(), IdentificationError> {
        self.passes += 1;
        let (nq, nv) = self.widths;
        for first in (0..self.data.count).step_by(self.size) {
            let last = (first + self.size).min(self.data.count);
            let part = |values: &[f64], width: usize| values[width * first..width * last].to_vec();
            each(&Recording {
                count: last - first,
                t: part(&self.data.t, 1),
                q: part(&self.data.q, nq),
                qd: part(&self.data.qd, nv),
                qdd: part(&self.data.qdd, nv),
                tau: part(&self.data.tau, nv),
                measured: self.data.measured.clone(),
                ..Recording::default()
            })?;
        }
        Ok(())
    }
}

#[test]
fn pieces_and_threads_change_nothing() {
    let (arm, data) = noisy("panda", 20.0);
    let whole = identify(&arm, &data, &Settings { consistent: None, ..Settings::default() }).unwrap();
    for (size, threads) in [(data.count, 1), (700, 2), (113, 3)] {
        let mut source = Pieces { data: &data, size, passes: 0, widths: (7, 7) };
        let settings =
            Settings { threads: NonZeroUsize::new(threads), consistent: None, ..Settings::default() };
        let found = identify_from(&arm, &mut source, &settings).unwrap();
        assert_eq!(source.passes, 2);
        for (a, b) in whole.parameters.iter().zip(&found.parameters) {
            let difference = (a.least_squares - b.least_squares).abs();
            assert!(difference < 1e-9 * a.sigma.max(a.value.abs()), "{}: {difference}", a.name);
            assert!((a.white_sigma / b.white_sigma - 1.0).abs() < 1e-9);
        }
    }
}

#[test]
fn samples_held_out_are_only_judged() {
    let (arm, mut data) = noisy("puma560", 20.0);
    data.hold_out(1.0 / 3.0);
    assert_eq!((data.samples_for(Role::Training), data.samples_for(Role::Validation)), (1333, 667));
    let found = identify(&arm, &data, &Settings::default()).unwrap();
    let validation = found.validation.as_ref().unwrap();
    assert_eq!((found.training.model.samples, validation.model.samples), (1333, 667));
    for (held, trained) in validation.model.rows.iter().zip(&found.training.model.rows) {
        assert!((held.rms / trained.rms - 1.0).abs() < 0.15, "{}: {} {}", held.name, held.rms, trained.rms);
    }
    // What happens there has no influence.
    let untouched = found.parameters.iter().map(|p| p.value).collect::<Vec<_>>();
    for x in &mut data.tau[6 * 1333..] {
        *x *= 2.0;
    }
    let again = identify(&arm, &data, &Settings::default()).unwrap();
    assert_eq!(untouched, again.parameters.iter().map(|p| p.value).collect::<Vec<_>>());
    assert!(again.validation.unwrap().model.total > 0.4);
}

#[test]
fn recordings_can_be_joined() {
    let (arm, first) = noisy("two_link", 4.0);
    let second =
        simulate(&arm, &Simulation { duration: 3.0, rate: 100.0, seed: 9, ..Simulation::default() }).unwrap();
    let mut both = first.clone();
    both.append(second.clone()).unwrap();
    assert_eq!(both.count, 700);
    assert_eq!(
        both.parts.iter().map(|part| part.samples.clone()).collect::<Vec<_>>(),
        vec![0..400, 400..700]
    );
    let problem = Problem::new(&arm, &Settings::default()).unwrap();
    let mut reduced = Reduced::new(&problem);
    let threads = Settings::default().threads();
    reduced.absorb(&problem, &first, Role::Training, threads).unwrap();
    reduced.absorb(&problem, &second, Role::Training, threads).unwrap();
    let mut joined = Reduced::new(&problem);
    joined.absorb(&problem, &both, Role::Training, threads).unwrap();
    for (a, b) in reduced.squares().iter().zip(joined.squares()) {
        assert!((a - b).abs() < 1e-12 * a);
    }
    let mut other = second;
    other.measured[0] = false;
    assert!(both.append(other).unwrap_err().to_string().contains("same columns"));
}

#[test]
fn a_slow_joint_does_not_count() {
    let (arm, data) = noisy("puma560", 5.0);
    let joint = arm.robot().bodies[0].joint.name.clone();
    let settings = Settings { least_speed: vec![(joint, 0.3)], ..Settings::default() };
    let found = identify(&arm, &data, &settings).unwrap();
    let fast = data.qd.iter().step_by(6).filter(|v| v.abs() >= 0.3).count();
    assert!(fast < data.count);
    assert_eq!(found.training.model.rows[0].count, fast);
    assert_eq!(found.training.model.rows[1].count, data.count);
}

#[test]
fn a_long_log_streams_in_the_memory_of_a_chunk() {
    if !thorough() {
        return;
    }
    // Twenty million samples, as twenty thousand times the same thousand: the sums are
    // known, the memory is that of one.
    let arm = with_drives(zoo("panda"));
    let data = simulate(&arm, &Simulation { duration: 10.0, rate: 100.0, ..Simulation::default() }).unwrap();
    let problem = Problem::new(&arm, &Settings::default()).unwrap();
    let (mut one, mut many) = (Reduced::new(&problem), Reduced::new(&problem));
    let threads = Settings::default().threads();
    one.absorb(&problem, &data, Role::Training, threads).unwrap();
    for _ in 0..20_000 {
        many.absorb(&problem, &data, Role::Training, threads).unwrap();
    }
    for (a, b) in one.squares().iter().zip(many.squares()) {
        assert!((2e4 * a / b - 1.0).abs() < 1e-9);
    }
    let resident = std::fs::read_to_string("/proc/self/status").unwrap();
    let peak = resident.lines().find(|line| line.starts_with("VmHWM")).unwrap();
    let kilobytes: usize = peak.split_whitespace().nth(1).unwrap().parse().unwrap();
    assert!(kilobytes < 200 << 10, "{peak}");
}
