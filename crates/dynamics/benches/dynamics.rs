//! Steiner's side of `bench/run`: times one task on the states of a file, or writes what it computes.
//!
//! `dynamics ROBOT fixed|floating STATES TASK [FILE | SAMPLES]`; the peer,
//! `bench/pinocchio.cpp`, takes the same.

use std::hint::black_box;
use std::num::NonZeroUsize;
use std::time::Instant;

use steiner_dynamics::{Mechanism, SampleMemory, Samples, Zeros};
use steiner_formats::{ReadOptions, read_robot};

/// The caller's reused buffer: small enough for the second-level cache.
const CACHED_BYTES: usize = 1 << 20;
/// A buffer that no cache holds.
const DRAM_BYTES: usize = 256 << 20;
/// Repeats of which the median is told, and the shortest time of one.
const REPEATS: usize = 31;
const REPEAT_SECONDS: f64 = 2e-3;

struct States {
    q: Vec<f64>,
    qd: Vec<f64>,
    qdd: Vec<f64>,
    count: usize,
}

impl States {
    /// The file is little-endian doubles: count, size of q, size of q̇, then all q, all q̇, all q̈.
    fn read(path: &str) -> Result<Self, Box<dyn std::error::Error>> {
        let bytes = std::fs::read(path)?;
        let numbers: Vec<f64> = bytes.as_chunks::<8>().0.iter().map(|b| f64::from_le_bytes(*b)).collect();
        let [count, nq, nv] = [0, 1, 2].map(|k| numbers[k] as usize);
        let (q, rates) = numbers[3..].split_at(count * nq);
        let (qd, qdd) = rates.split_at(count * nv);
        Ok(States { q: q.to_vec(), qd: qd.to_vec(), qdd: qdd.to_vec(), count })
    }

    /// The first `wanted` samples, starting over as often as needed.
    fn take(&self, wanted: usize) -> Self {
        let tiled = |values: &[f64]| {
            values.iter().copied().cycle().take(wanted * (values.len() / self.count)).collect()
        };
        States { q: tiled(&self.q), qd: tiled(&self.qd), qdd: tiled(&self.qdd), count: wanted }
    }

    fn samples(&self) -> Samples<'_> {
        Samples { q: &self.q, qd: &self.qd, qdd: &self.qdd, count: self.count }
    }

    fn each(&self) -> impl Iterator<Item = (&[f64], &[f64], &[f64])> {
        let (nq, nv) = (self.q.len() / self.count, self.qd.len() / self.count);
        self.q
            .chunks_exact(nq)
            .zip(self.qd.chunks_exact(nv))
            .zip(self.qdd.chunks_exact(nv))
            .map(|((q, v), a)| (q, v, a))
    }
}

/// Prints the median and the least time of one sample in nanoseconds, where `pass`
/// works through `count` of them.
fn report(count: usize, mut pass: impl FnMut()) {
    pass();
    let mut seconds = |passes: usize| {
        let start = Instant::now();
        for _ in 0..passes {
            pass();
        }
        start.elapsed().as_secs_f64()
    };
    let mut passes = 1;
    while seconds(passes) < REPEAT_SECONDS {
        passes *= 2;
    }
    let mut times: Vec<f64> = (0..REPEATS).map(|_| seconds(passes) / (passes * count) as f64).collect();
    times.sort_by(f64::total_cmp);
    println!("{:.1} {:.1}", times[REPEATS / 2] * 1e9, times[0] * 1e9);
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [robot, base, states, task, rest @ ..] = &arguments[..] else {
        return Err("usage: dynamics ROBOT fixed|floating STATES TASK [FILE | SAMPLES]".into());
    };
    let options = ReadOptions { snap: 0.0, mimic: false, floating: base == "floating", ..Default::default() };
    let mechanism = Mechanism::new(read_robot(robot, &options)?)?;
    let parameters = mechanism.robot().parameters();
    let states = States::read(states)?;
    let stride = mechanism.layout().dense_size();
    let one = NonZeroUsize::MIN;
    let threads = if task.ends_with("two-threads") { one.saturating_add(1) } else { one };

    // What the counts of instructions run: exactly so many samples, once.
    if let Some(task) = task.strip_prefix("count-") {
        let states = states.take(rest[0].parse()?);
        let mut memory = SampleMemory::new(&mechanism);
        let mut row = vec![0.0; stride];
        let mut tau = vec![0.0; mechanism.dof()];
        match task {
            "batch" => {
                let mut out = vec![0.0; states.count * stride];
                mechanism.regressors(&states.samples(), one, Zeros::AlreadyThere, &mut out)?;
            }
            "batch-inverse-dynamics" => {
                let mut out = vec![0.0; states.count * mechanism.dof()];
                mechanism.inverse_dynamics_batch(&parameters, &states.samples(), one, &mut out)?;
            }
            "single" => {
                for (q, qd, qdd) in states.each() {
                    mechanism.regressor_into(q, qd, qdd, &mut memory, &mut row)?;
                }
            }
            _ => {
                for (q, qd, qdd) in states.each() {
                    mechanism.inverse_dynamics_into(q, qd, qdd, &mut memory, &mut tau)?;
                }
            }
        }
        return Ok(());
    }

    match task.as_str() {
        "write" => {
            let mut out = vec![0.0; states.count * stride];
            mechanism.regressors(&states.samples(), one, Zeros::Write, &mut out)?;
            let mut forces = vec![0.0; states.count * mechanism.dof()];
            mechanism.inverse_dynamics_batch(&parameters, &states.samples(), one, &mut forces)?;
            let bytes: Vec<u8> = out.iter().chain(&forces).flat_map(|x| x.to_le_bytes()).collect();
            std::fs::write(&rest[0], bytes)?;
        }
        "batch" | "dram" | "two-threads" | "dram-two-threads" => {
            let bytes = if task.starts_with("dram") { DRAM_BYTES } else { CACHED_BYTES * threads.get() };
            // Whole lane groups, as a caller who chooses a buffer's size would.
            let count = bytes / (8 * stride) / 8 * 8;
            let states = states.take(count);
            let mut out = vec![0.0; states.count * stride];
            report(states.count, || {
                mechanism
                    .regressors(&states.samples(), threads, Zeros::AlreadyThere, black_box(&mut out))
                    .expect("valid samples");
            });
        }
        "batch-inverse-dynamics" => {
            let mut out = vec![0.0; states.count * mechanism.dof()];
            report(states.count, || {
                mechanism
                    .inverse_dynamics_batch(&parameters, &states.samples(), one, black_box(&mut out))
                    .expect("valid samples");
            });
        }
        "single" => {
            let mut memory = SampleMemory::new(&mechanism);
            let mut out = vec![0.0; stride];
            report(states.count, || {
                for (q, qd, qdd) in states.each() {
                    mechanism
                        .regressor_into(q, qd, qdd, &mut memory, black_box(&mut out))
                        .expect("a valid state");
                }
            });
        }
        "inverse-dynamics" => {
            let mut memory = SampleMemory::new(&mechanism);
            let mut tau = vec![0.0; mechanism.dof()];
            report(states.count, || {
                for (q, qd, qdd) in states.each() {
                    mechanism
                        .inverse_dynamics_into(q, qd, qdd, &mut memory, black_box(&mut tau))
                        .expect("a valid state");
                }
            });
        }
        // What the table says about the robot: degrees of freedom, bodies, doubles per sample,
        // of them not structurally zero.
        "shape" => {
            // Rows of pure translations have four numbers per block that are not zero in every state, others
            // ten.
            let (layout, translates) = (mechanism.layout(), &mechanism.tree().translates);
            let written = |&(row, _): &(usize, usize)| if translates[row] { 4 } else { 10 };
            let nonzero: usize = layout.blocks.iter().map(written).sum();
            println!("{} {} {} {}", layout.rows, layout.bodies, stride, nonzero);
        }
        other => return Err(format!("no task is called {other}").into()),
    }
    Ok(())
}
