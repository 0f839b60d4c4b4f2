//! Batches against single samples: any robot, any count, any number of threads.

#[path = "support/random_robot.rs"]
mod random_robot;
mod support;

use std::num::NonZeroUsize;

use steiner_dynamics::{DynamicsError, Mechanism, SampleMemory, Samples, Zeros};
use steiner_linalg::all_threads;
use support::{Noise, discrepancy, random_configuration};

struct Log {
    q: Vec<f64>,
    qd: Vec<f64>,
    qdd: Vec<f64>,
    count: usize,
}

impl Log {
    fn random(mechanism: &Mechanism, count: usize, size: f64) -> Self {
        let mut noise = Noise::new(61 + count as u64);
        let mut log = Log { q: Vec::new(), qd: Vec::new(), qdd: Vec::new(), count };
        for _ in 0..count {
            log.q.extend(random_configuration(mechanism, &mut noise, size));
            log.qd.extend(noise.vector(mechanism.dof()));
            log.qdd.extend(noise.vector(mechanism.dof()));
        }
        log
    }
    fn samples(&self) -> Samples<'_> {
        Samples { q: &self.q, qd: &self.qd, qdd: &self.qdd, count: self.count }
    }
    fn state<'a>(&'a self, mechanism: &Mechanism, k: usize) -> [&'a [f64]; 3] {
        let (nq, nv) = (mechanism.configuration_size(), mechanism.dof());
        [&self.q[k * nq..(k + 1) * nq], &self.qd[k * nv..(k + 1) * nv], &self.qdd[k * nv..(k + 1) * nv]]
    }
}

fn threads(n: usize) -> NonZeroUsize {
    NonZeroUsize::new(n).unwrap()
}

const FOUR_BAR: &str = r#"
name = "four-bar"
gravity = [0, -9.81, 0]
independent = ["crank"]
[[body]]
name = "crank"
parent = "base"
joint = "revolute"
inertia = { mass = 1, com = [0.1, 0, 0], tensor = [0.01, 0, 0.01, 0, 0, 0.01] }
[[body]]
name = "coupler"
parent = "crank"
joint = "revolute"
xyz = [0.2, 0, 0]
inertia = { mass = 2, com = [0.3, 0, 0], tensor = [0.02, 0, 0.02, 0, 0, 0.02] }
[[body]]
name = "rocker"
parent = "base"
joint = "revolute"
xyz = [0.7, 0, 0]
inertia = { mass = 3, com = [0, 0.2, 0], tensor = [0.03, 0, 0.03, 0, 0, 0.03] }
[[loop]]
name = "closure"
joint = "revolute"
predecessor = { body = "coupler", xyz = [0.6, 0, 0] }
successor = { body = "rocker", xyz = [0, 0.5, 0] }
"#;

/// A tree, a floating tree, couplings on trees of both sorts, and loops.
fn menagerie() -> Vec<(&'static str, Mechanism, f64)> {
    let random = |seed: u64, floating: bool, couplings: usize| {
        let mut noise = Noise::new(seed);
        let robot = random_robot::random_tree(&mut noise, 7, floating, couplings);
        Mechanism::new(robot).unwrap_or_else(|error| panic!("{error}"))
    };
    let zoo = |name: &str| {
        let robot = steiner_formats::read_robot(name, &steiner_formats::ReadOptions::default()).unwrap();
        Mechanism::new(robot).unwrap_or_else(|error| panic!("{error}"))
    };
    vec![
        ("tree", random(3, false, 0), 1.5),
        ("floating", random(6, true, 0), 1.5),
        ("couplings", random(1003, false, 3), 1.0),
        ("floating couplings", random(1004, true, 3), 1.0),
        ("four-bar", support::mechanism(FOUR_BAR), 3.0),
        ("stewart", zoo("stewart"), 0.1),
        ("parallel machine", zoo("pkm_2prs_1psr"), 0.1),
    ]
}

/// Everything a batch can be asked, against one sample at a time.
fn check(name: &str, mechanism: &Mechanism, log: &Log, workers: usize) {
    check_to(name, mechanism, log, workers, 1e-11);
}

fn check_to(name: &str, mechanism: &Mechanism, log: &Log, workers: usize, tolerance: f64) {
    let layout = mechanism.layout();
    let (dense, blocks) = (layout.dense_size(), layout.block_size());
    let (count, samples) = (log.count, log.samples());
    let what = format!("{name}, {count} samples, {workers} threads");
    let parameters = mechanism.robot().parameters();
    // Garbage before, to be cleared.
    let mut out = vec![f64::NAN; count * dense];
    mechanism.regressors(&samples, threads(workers), Zeros::Write, &mut out).unwrap();
    let mut kept = vec![0.0; count * dense];
    mechanism.regressors(&samples, threads(workers), Zeros::AlreadyThere, &mut kept).unwrap();
    assert_eq!(out, kept, "{what}");
    let mut packed = vec![f64::NAN; count * blocks];
    mechanism.regressor_blocks(&samples, threads(workers), &mut packed).unwrap();
    let mut forces = vec![f64::NAN; count * mechanism.dof()];
    mechanism.inverse_dynamics_batch(&parameters, &samples, threads(workers), &mut forces).unwrap();
    let folded = mechanism
        .fold_regressors(
            &samples,
            threads(workers),
            Vec::new,
            |seen: &mut Vec<(usize, Vec<f64>)>, sample, blocks| {
                seen.push((sample, blocks.to_vec()));
            },
        )
        .unwrap();
    let folded: Vec<(usize, Vec<f64>)> = folded.into_iter().flatten().collect();
    assert_eq!(folded.len(), count, "{what}");
    let mut memory = SampleMemory::new(mechanism);
    for (k, (sample, fold)) in folded.iter().enumerate() {
        assert_eq!(*sample, k, "{what}");
        let [q, qd, qdd] = log.state(mechanism, k);
        let y = mechanism.regressor(q, qd, qdd).unwrap();
        let own = &out[k * dense..(k + 1) * dense];
        let wrong = discrepancy(y.entries(), own);
        assert!(wrong < tolerance, "{what}: sample {k} differs by {wrong:e}");
        let own_blocks = &packed[k * blocks..(k + 1) * blocks];
        assert_eq!(own_blocks, &fold[..], "{what}");
        let columns = layout.columns();
        for (&(row, body), block) in layout.blocks.iter().zip(own_blocks.chunks(10)) {
            assert_eq!(block, &own[row * columns + 10 * body..row * columns + 10 * body + 10], "{what}");
        }
        let tau = mechanism.inverse_dynamics(q, qd, qdd).unwrap();
        let own = &forces[k * mechanism.dof()..(k + 1) * mechanism.dof()];
        let wrong = discrepancy(&tau, own);
        assert!(wrong < tolerance, "{what}: forces of sample {k} differ by {wrong:e}");
        if k % 100 == 0 {
            // The reused-memory path for control loops.
            let mut into = vec![0.0; dense];
            mechanism.regressor_into(q, qd, qdd, &mut memory, &mut into).unwrap();
            assert!(discrepancy(y.entries(), &into) < 1e-14, "{what}");
            let mut into = vec![0.0; mechanism.dof()];
            mechanism.inverse_dynamics_into(q, qd, qdd, &mut memory, &mut into).unwrap();
            assert!(discrepancy(&tau, &into) < 1e-14, "{what}");
        }
    }
}

#[test]
fn batches_of_any_count_on_one_or_two_threads_equal_single_samples() {
    for (name, mechanism, size) in menagerie() {
        for count in [0, 1, 3, 4, 5, 130] {
            let log = Log::random(&mechanism, count, size);
            check(name, &mechanism, &log, 1);
            check(name, &mechanism, &log, 2);
        }
    }
}

#[test]
fn a_thousand_samples_equal_single_samples() {
    for (name, mechanism, size) in menagerie() {
        if matches!(name, "tree" | "floating couplings" | "four-bar") {
            let log = Log::random(&mechanism, 1000, size);
            check(name, &mechanism, &log, 2);
            check(name, &mechanism, &log, all_threads().get());
        }
    }
}

#[test]
fn a_smooth_log_through_many_turns_keeps_the_assembly_that_single_samples_find() {
    // Continuation from sample to sample in a batch, from the reference for one sample: the same branch.
    let mechanism = support::mechanism(FOUR_BAR);
    let count = 600;
    let q: Vec<f64> = (0..count).map(|k| 0.3 + 0.02 * k as f64).collect();
    let log = Log { q, qd: vec![1.3; count], qdd: vec![-0.4; count], count };
    check("turning four-bar", &mechanism, &log, 1);
    check("turning four-bar", &mechanism, &log, 2);
}

#[test]
fn folding_accumulates_the_gram_matrix_of_the_stacked_regressor() {
    for (name, mechanism, size) in menagerie() {
        let layout = mechanism.layout();
        let log = Log::random(&mechanism, 70, size);
        let columns = layout.columns();
        let gram_of = |workers: usize| -> Vec<f64> {
            let parts = mechanism
                .fold_regressors(
                    &log.samples(),
                    threads(workers),
                    || vec![0.0; columns * columns],
                    |gram: &mut Vec<f64>, _, blocks| {
                        for (a, &(row, body)) in layout.blocks.iter().enumerate() {
                            for (b, &(other_row, other)) in layout.blocks.iter().enumerate() {
                                if row != other_row {
                                    continue;
                                }
                                for i in 0..10 {
                                    for j in 0..10 {
                                        gram[(10 * body + i) * columns + 10 * other + j] +=
                                            blocks[10 * a + i] * blocks[10 * b + j];
                                    }
                                }
                            }
                        }
                    },
                )
                .unwrap();
            assert!(parts.len() <= workers);
            parts
                .into_iter()
                .reduce(|mut sum, part| {
                    sum.iter_mut().zip(part).for_each(|(a, b)| *a += b);
                    sum
                })
                .unwrap()
        };
        let mut stacked = vec![0.0; log.count * layout.dense_size()];
        mechanism.regressors(&log.samples(), threads(1), Zeros::Write, &mut stacked).unwrap();
        let mut gram = vec![0.0; columns * columns];
        for row in stacked.chunks(columns) {
            for i in 0..columns {
                for j in 0..columns {
                    gram[i * columns + j] += row[i] * row[j];
                }
            }
        }
        assert!(discrepancy(&gram, &gram_of(1)) < 1e-13, "{name}");
        assert!(discrepancy(&gram, &gram_of(2)) < 1e-13, "{name}");
    }
}

#[test]
fn wrong_shapes_are_refused_with_both_numbers() {
    let mechanism = support::mechanism(FOUR_BAR);
    let log = Log::random(&mechanism, 5, 1.0);
    let samples = log.samples();
    let size = mechanism.layout().dense_size();
    let mut out = vec![0.0; 5 * size - 1];
    let error = mechanism.regressors(&samples, threads(1), Zeros::Write, &mut out).unwrap_err();
    assert!(matches!(error, DynamicsError::Shape { found, wanted, .. } if found + 1 == wanted), "{error}");
    let short = Samples { qd: &log.qd[..4], ..samples };
    let mut out = vec![0.0; 5 * size];
    let error = mechanism.regressors(&short, threads(2), Zeros::Write, &mut out).unwrap_err();
    assert_eq!(
        error.to_string(),
        "qd has 4 numbers where the robot has 5 (5 samples of 1); give one per coordinate in that order"
    );
    let fold = mechanism.fold_regressors(&short, threads(1), || (), |(), _, _| ());
    assert!(matches!(fold, Err(DynamicsError::Shape { what: "qd", .. })));
    let mut tau = vec![0.0; 4];
    let parameters = mechanism.robot().parameters();
    let forces = mechanism.inverse_dynamics_batch(&parameters, &samples, threads(1), &mut tau);
    assert!(matches!(
        forces,
        Err(DynamicsError::Shape { what: "the output buffer", found: 4, wanted: 5, .. })
    ));
    let single = mechanism.regressor(&[0.1, 0.2], &[0.0], &[0.0]).unwrap_err();
    assert!(matches!(single, DynamicsError::Shape { what: "q", found: 2, wanted: 1, .. }), "{single}");
    assert!(single.to_string().contains("crank"), "{single}");
}

#[test]
fn parameters_of_the_wrong_count_are_refused() {
    let mechanism = support::mechanism(FOUR_BAR);
    let log = Log::random(&mechanism, 5, 1.0);
    let parameters = mechanism.robot().parameters();
    let mut tau = vec![0.0; 5];
    for wrong in [&parameters[..29], &parameters[..20], &[]] {
        let batch = mechanism.inverse_dynamics_batch(wrong, &log.samples(), threads(1), &mut tau);
        assert!(matches!(batch, Err(DynamicsError::Shape { .. })), "{} parameters in a batch", wrong.len());
        let [q, qd, qdd] = log.state(&mechanism, 0);
        let single = mechanism.inverse_dynamics_with(wrong, q, qd, qdd);
        assert!(matches!(single, Err(DynamicsError::Shape { .. })), "{} parameters", wrong.len());
    }
}

#[test]
fn numbers_that_are_not_finite_are_refused_with_their_place() {
    let mechanism = support::mechanism(FOUR_BAR);
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let mut log = Log::random(&mechanism, 6, 1.0);
        log.qdd[4] = bad;
        let mut out = vec![0.0; 6 * mechanism.layout().dense_size()];
        let error = mechanism.regressors(&log.samples(), threads(2), Zeros::Write, &mut out).unwrap_err();
        assert!(matches!(error, DynamicsError::NotFinite { what: "qdd", index: 4, .. }), "{error}");
        let error = mechanism.regressor(&[bad], &[0.0], &[0.0]).unwrap_err();
        assert!(matches!(error, DynamicsError::NotFinite { what: "q", index: 0, .. }), "{error}");
        let mut memory = SampleMemory::new(&mechanism);
        let mut tau = [0.0];
        let error =
            mechanism.inverse_dynamics_into(&[0.1], &[bad], &[0.0], &mut memory, &mut tau).unwrap_err();
        assert!(matches!(error, DynamicsError::NotFinite { what: "qd", index: 0, .. }), "{error}");
    }
}

#[test]
fn quaternions_that_are_not_of_unit_length_mean_the_same_in_every_path() {
    let mut noise = Noise::new(6);
    let robot = random_robot::random_tree(&mut noise, 4, true, 0);
    let mechanism = Mechanism::new(robot).unwrap_or_else(|error| panic!("{error}"));
    let mut log = Log::random(&mechanism, 5, 1.0);
    for sample in log.q.chunks_mut(mechanism.configuration_size()) {
        sample[3..7].iter_mut().for_each(|x| *x *= 1.001);
    }
    check("long quaternions", &mechanism, &log, 1);
}

#[test]
fn a_log_that_passes_near_a_branch_point_gives_every_sample_the_assembly_it_has_alone() {
    // A parallelogram through its flat position, where it could fold into the antiparallelogram.
    let text = FOUR_BAR
        .replace("xyz = [0, 0.5, 0] }", "xyz = [0.2, 0, 0] }")
        .replace("xyz = [0.7, 0, 0]", "xyz = [0.6, 0, 0]")
        + "[guess]\ncrank = 1\ncoupler = -1\nrocker = 1\n";
    let mechanism = support::mechanism(&text);
    let count = 120;
    let q: Vec<f64> = (0..count).map(|k| 0.6 - 0.0101 * k as f64).collect();
    let log = Log { q, qd: vec![1.3; count], qdd: vec![-0.4; count], count };
    for k in 0..count {
        let tree = mechanism.tree_configuration(&log.q[k..=k]).unwrap_or_else(|error| panic!("{error}"));
        assert!((tree[2] - log.q[k]).abs() < 1e-9, "{tree:?}");
    }
    // 6 milliradians from the singular position digits are lost; another
    // assembly would differ by all of them.
    check_to("parallelogram", &mechanism, &log, 1, 1e-8);
    check_to("parallelogram", &mechanism, &log, 2, 1e-8);
}
