//! Table III's pattern over many choices of what the paper leaves open: motion, side
//! to which the axes lean, bodies.

use std::f64::consts::TAU;

use super::conditions::spread;
use super::pendulum::{
    ALONG_X, Draws, PRINTED, PRODUCTS, columns_of_the_tables, evaluated, leaning, moving, pendulum, recorded,
    with_other_bodies,
};
use super::wrench_noise;

pub(super) fn print(draws: u64) {
    let mut relative: Vec<[[f64; 4]; 2]> = Vec::new();
    let mut absolute: Vec<[[f64; 13]; 2]> = Vec::new();
    let mut left: Vec<[f64; 2]> = Vec::new();
    for seed in 1..=draws {
        let axis = leaning(5.0, Draws::new(seed).between(0.0, TAU));
        let with_axes = |axes| moving(with_other_bodies(pendulum(axes), &mut Draws::new(1000 + seed)));
        let (full, simple) = (with_axes([axis; 2]), with_axes([ALONG_X; 2]));
        let data = recorded(&full, seed, Vec::new(), wrench_noise());
        let both = [&simple, &full].map(|model| evaluated(model, &data, &columns_of_the_tables()));
        let rows = both.each_ref().map(|evaluated| evaluated.rows());
        let entry = |model: usize, k: usize| rows[model][k].unwrap_or([f64::NAN; 3]);
        relative.push([0, 1].map(|model| {
            PRODUCTS.map(|k| {
                let [truth, error, _] = entry(model, k);
                (error / truth).abs()
            })
        }));
        absolute.push([0, 1].map(|model| std::array::from_fn(|k| entry(model, k)[1].abs())));
        left.push(both.each_ref().map(|evaluated| evaluated.epsilon()[1]));
    }
    println!("#### The pattern, whatever the motion, the side and the bodies\n");
    println!(
        "{draws} choices: noisy sinusoids, axes 5° off x to any side, centres of mass up to 5 cm beside the zoo's, 1 % noise of each wrench component.\n"
    );
    println!(
        "| parameter | simplified: median error | full: median error | simplified: beyond 20 % | full: beyond 20 % |"
    );
    println!("|---|---:|---:|---:|---:|");
    for (k, row) in PRINTED.iter().enumerate() {
        let median = |model: usize| spread(absolute.iter().map(|x| x[model][k]).collect())[1];
        let beyond = |model: usize| match PRODUCTS.iter().position(|product| *product == k) {
            Some(p) => {
                let count = relative.iter().filter(|x| x[model][p] > 0.2).count();
                format!("{:.0} %", 100.0 * count as f64 / draws as f64)
            }
            None => String::new(),
        };
        println!("| {} | {:.4} | {:.4} | {} | {} |", row.symbol, median(0), median(1), beyond(0), beyond(1));
    }
    let part = |test: &dyn Fn(&[f64; 4]) -> bool| {
        100.0 * relative.iter().filter(|x| test(&x[0])).count() as f64 / draws as f64
    };
    println!(
        "\nAt least one product of the simplified model is wrong by more than 20 % in {:.0} % of the choices, all four in {:.0} %.",
        part(&|x| x.iter().any(|e| *e > 0.2)),
        part(&|x| x.iter().all(|e| *e > 0.2)),
    );
    let [[low, middle, high], [_, full, _]] =
        [0, 1].map(|model| spread(left.iter().map(|x| x[model]).collect()));
    println!(
        "Its relative residual is {:.1} % ({:.1} – {:.1} %), that of the full model {:.1} %.\n",
        100.0 * middle,
        100.0 * low,
        100.0 * high,
        100.0 * full
    );
}
