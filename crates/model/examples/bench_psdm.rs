//! Times and sizes of PSDM derivations: one JSON line per robot.
//!
//! `bench_psdm [ROBOT …]`: names of the zoo or files; the arms of the paper unless told otherwise.

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use steiner_dynamics::Mechanism;
use steiner_model::{Psdm, PsdmOptions};
use steiner_robot::{ReadOptions, read_robot};

fn main() -> Result<(), Box<dyn Error>> {
    let mut names: Vec<String> = std::env::args().skip(1).collect();
    if names.is_empty() {
        names = ["two_link", "scara_sr6ia", "kr6", "lbr7"].map(str::to_owned).to_vec();
    }
    for name in names {
        let mechanism = Mechanism::new(read_robot(&name, &ReadOptions::default())?)?;
        let started = Instant::now();
        let model = Psdm::derive(&mechanism, &PsdmOptions::default())?;
        let seconds = started.elapsed().as_secs_f64();
        let arm = model.calibrate(&model.nominal())?;
        let (q, qd) = (vec![0.3; model.dof()], vec![0.7; model.dof()]);
        let started = Instant::now();
        for _ in 0..100 {
            black_box(arm.inverse_dynamics(black_box(&q), &qd, &qd)?);
        }
        let microseconds = started.elapsed().as_secs_f64() * 1e4;
        let entries: usize = (0..model.dof()).map(|joint| model.reduction(joint).entries()).sum();
        println!(
            "{{\"robot\": \"{name}\", \"p\": {}, \"l\": {}, \"entries\": {entries}, \"derivation_s\": {seconds:.4}, \"inverse_dynamics_us\": {microseconds:.2}}}",
            model.functions().len(),
            model.parameters().len()
        );
    }
    Ok(())
}
