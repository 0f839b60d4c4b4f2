//! A swing of the planar arm, integrated with generated forward dynamics, keeps its energy.

mod support;

use std::process::Command;

use steiner_formats::{ReadOptions, read_robot};
use steiner_model::{Code, CodeOptions, Quantity};
use support::compiled::{Compiler, Folder, PREFIX, printed};

/// Ten seconds of Runge and Kutta's fourth-order rule at 1 kHz from rest, without
/// forces; prints q, q̇ every 10 ms.
const SWING: &str = r#"#include <stdio.h>
#include "r_dynamics.h"
static void rate(const double x[4], double dx[4])
{
    static const double tau[2] = { 0.0, 0.0 };
    dx[0] = x[2];
    dx[1] = x[3];
    r_forward_dynamics(x, x + 2, tau, dx + 2);
}
int main(void)
{
    const double h = 1e-3, share[4] = { 0.0, 0.5, 0.5, 1.0 }, weight[4] = { 1.0, 2.0, 2.0, 1.0 };
    double x[4] = { 0.6, -0.9, 0.0, 0.0 };
    for (int step = 0; step <= 10000; ++step) {
        double k[4] = { 0.0 }, sum[4] = { 0.0 };
        if (step % 10 == 0) printf("%.17g %.17g %.17g %.17g\n", x[0], x[1], x[2], x[3]);
        for (int stage = 0; stage < 4; ++stage) {
            double at[4];
            for (int i = 0; i < 4; ++i) at[i] = x[i] + share[stage] * h * k[i];
            rate(at, k);
            for (int i = 0; i < 4; ++i) sum[i] += weight[stage] * k[i];
        }
        for (int i = 0; i < 4; ++i) x[i] += h / 6.0 * sum[i];
    }
    return 0;
}
"#;

/// Kinetic and potential energy (J) of the arm, from the masses, centres of mass and moments of
/// inertia about them in its file.
fn energies([q1, q2, v1, v2]: [f64; 4]) -> (f64, f64) {
    let (m1, c1, i1, a1) = (10.0, 1.2 - 0.62, 1.21, 1.2);
    let (m2, c2, i2) = (6.0, 1.1 - 0.58, 0.605);
    let (turned, turning) = (q1 + q2, v1 + v2);
    let velocity =
        [-a1 * q1.sin() * v1 - c2 * turned.sin() * turning, a1 * q1.cos() * v1 + c2 * turned.cos() * turning];
    let kinetic = (m1 * c1 * c1 + i1) * v1 * v1
        + m2 * (velocity[0] * velocity[0] + velocity[1] * velocity[1])
        + i2 * turning * turning;
    let height = m1 * c1 * q1.sin() + m2 * (a1 * q1.sin() + c2 * turned.sin());
    (kinetic / 2.0, 9.81 * height)
}

#[test]
fn a_swing_of_ten_seconds_keeps_its_energy() {
    let compilers: Vec<Compiler> = Compiler::C.into_iter().filter(|compiler| compiler.is_there()).collect();
    let arm = read_robot("two_link", &ReadOptions::default()).unwrap();
    let options = CodeOptions {
        prefix: Some(PREFIX.to_owned()),
        quantities: vec![Quantity::ForwardDynamics],
        ..CodeOptions::default()
    };
    let code = Code::new(&arm, &options).unwrap();
    for compiler in compilers {
        let folder = Folder::new(&format!("swing-{}", compiler.program()));
        let text = printed(&mut Command::new(compiler.build(&folder, &code, SWING)));
        let states: Vec<[f64; 4]> = text
            .lines()
            .map(|line| line.split(' ').map(|x| x.parse().unwrap()).collect::<Vec<f64>>().try_into().unwrap())
            .collect();
        assert_eq!(states.len(), 1001);
        let all: Vec<(f64, f64)> = states.into_iter().map(energies).collect();
        let total = |(kinetic, potential): (f64, f64)| kinetic + potential;
        // What falls and rises again is the scale: it is exchanged many times, so the arm does swing.
        let scale = all.iter().map(|e| e.0).fold(0.0, f64::max);
        let exchanges = all.windows(2).filter(|w| (w[0].0 > scale / 2.0) != (w[1].0 > scale / 2.0)).count();
        assert!(scale > 50.0 && exchanges > 8, "{scale} J, {exchanges} exchanges");
        let drift = all.iter().map(|&e| (total(e) - total(all[0])).abs()).fold(0.0, f64::max) / scale;
        println!("{}: {scale:.1} J in motion, energy kept to {drift:.1e}", compiler.program());
        assert!(drift < 1e-6, "{drift}");
    }
}
