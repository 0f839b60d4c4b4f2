//! How good a motion is after how much time: 10 s, five harmonics, 1 N·m of noise, from rest, no drives.
//!
//! `cargo bench -p steiner-excitation --bench excitation -- [ROBOT…] [--starts N] [--seeds N] [--drives]
//! [--lock JOINT]`: CPU seconds with the analysis, log det, geometric mean of deviations, worst excess at
//! 20 kHz.

use std::num::NonZeroUsize;

use steiner_dynamics::{Mechanism, Samples};
use steiner_excitation::{Bound, Design, Designed, design};
use steiner_formats::{ReadOptions, read_robot};
use steiner_scalar::Exact;

/// CPU seconds of this process.
fn cpu() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after = stat.rsplit(')').next().unwrap_or_default();
    let fields: Vec<f64> = after.split_whitespace().filter_map(|field| field.parse().ok()).collect();
    fields.get(10).zip(fields.get(11)).map_or(0.0, |(user, system)| (user + system) / 100.0)
}

/// By how much some limit of a joint is exceeded at 20 kHz, relative to its size.
fn excess(mechanism: &Mechanism, found: &Designed) -> f64 {
    let motion = found.trajectory(mechanism, 20_000.0);
    let count = motion.t.len();
    let dof = mechanism.dof();
    let mut forces = vec![0.0; count * dof];
    let names = mechanism.independent_names();
    let tree = mechanism.is_plain_tree();
    if tree {
        let samples = Samples { q: &motion.q, qd: &motion.qd, qdd: &motion.qdd, count };
        let parameters = mechanism.robot().parameters();
        mechanism
            .inverse_dynamics_batch(&parameters, &samples, NonZeroUsize::MIN, &mut forces)
            .expect("states of a tree");
    }
    let mut worst = f64::NEG_INFINITY;
    for limits in &found.limits {
        let Some(k) = names.iter().position(|name| *name == limits.name) else { continue };
        for t in 0..count {
            let half = 0.5 * (limits.upper - limits.lower);
            let q = motion.q[t * mechanism.configuration_size() + k];
            worst = worst.max((q - limits.upper) / half).max((limits.lower - q) / half);
            worst = worst.max(motion.qd[t * dof + k].abs() / limits.velocity - 1.0);
            if let Some(effort) = limits.effort.filter(|_| tree) {
                worst = worst.max(forces[t * dof + k].abs() / effort - 1.0);
            }
        }
    }
    worst
}

fn main() {
    let mut robots = Vec::new();
    let (mut starts, mut seeds, mut drives, mut lock) = (Design::default().starts, 3u64, false, Vec::new());
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut number = || arguments.next().and_then(|n| n.parse::<usize>().ok()).expect("a number");
        match argument.as_str() {
            "--bench" => {}
            "--starts" => starts = Some(number()),
            "--seeds" => seeds = number() as u64,
            "--drives" => drives = true,
            "--lock" => lock.push((arguments.next().expect("a joint"), Exact::zero())),
            _ => robots.push(argument),
        }
    }
    if robots.is_empty() {
        robots = ["panda", "ur5", "kr6", "puma560", "lbr7"].map(str::to_owned).to_vec();
    }
    for name in robots {
        let options = ReadOptions { lock: lock.clone(), ..ReadOptions::default() };
        let mechanism = match read_robot(&name, &options).map(Mechanism::new) {
            Ok(Ok(mechanism)) => mechanism,
            Ok(Err(error)) => panic!("{error}"),
            Err(error) => panic!("{error}"),
        };
        for seed in 0..seeds {
            let mut wish = Design { starts, seed, threads: NonZeroUsize::MIN, ..Design::default() };
            wish.question.drives = drives;
            let before = cpu();
            let found = match design(&mechanism, &wish, &|_| false) {
                Ok(found) => found,
                Err(error) => {
                    println!("{name} seed {seed}: {error}");
                    continue;
                }
            };
            let seconds = cpu() - before;
            let logs: f64 = found.deviations.iter().map(|deviation| deviation.sd.ln()).sum();
            let count = |bound: Bound| found.margins.iter().filter(|margin| margin.bound == bound).count();
            println!(
                "{} seed {seed}: {seconds:.2} s, log det {:.2}, cond {:.1}, sd {:.3e} of {}, proven {} sampled {} \
                 violated {}, 20 kHz {:.1e}",
                mechanism.robot().name,
                found.log_det,
                found.condition_number,
                (logs / found.deviations.len() as f64).exp(),
                found.deviations.len(),
                count(Bound::Proven),
                count(Bound::Sampled),
                count(Bound::Violated),
                excess(&mechanism, &found)
            );
            if std::env::var_os("MARGINS").is_some() {
                for margin in &found.margins {
                    println!(
                        "   {} {} {:.6} of {:.6} at {:.3} s, margin {:.2e} {}",
                        margin.of,
                        margin.quantity.name(),
                        margin.value,
                        margin.limit,
                        margin.time,
                        margin.margin,
                        margin.bound.name()
                    );
                }
            }
        }
    }
}
