//! Tables II, III and IV, printed beside ours.

use steiner_dynamics::Mechanism;
use steiner_logs::Recording;

use super::pendulum::{Evaluated, PRINTED, columns_of_the_tables, evaluated, recorded};
use super::{Pendulums, hand, noise_everywhere, wrench_noise};

/// A log with what models make of it.
pub(super) struct Recovered {
    pub(super) data: Recording,
    pub(super) models: Vec<Evaluated>,
    pub(super) seed: u64,
}

pub(super) fn table_2(pendulum: &Mechanism) {
    println!("### Table II: the model\n");
    println!("T = (0, 0, 0), l₁ = 0.4 m.\n");
    println!("| frame | initial pose g₀ᵢ(0): printed | ours | twist (v; ω): printed | ours |");
    println!("|---|---|---|---|---|");
    println!("| base | 𝟙, (T_x, T_y, T_z) | 𝟙, (0, 0, 0) | (0; 0) | fixed to the ground |");
    let tree = pendulum.tree();
    let mut poses = Vec::new();
    tree.poses_at(&[0.0, 0.0], &mut poses);
    let world = tree.world_poses(&poses);
    let jacobian = tree.jacobian(&poses);
    let printed = ["T_z", "T_z + l₁"];
    for (k, body) in pendulum.robot().bodies.iter().enumerate() {
        let segment = tree.segment_of_body[k];
        let pose = &world[segment];
        let unit = (0..3).all(|r| (0..3).all(|c| pose.rotation.0[r][c] == f64::from(u8::from(r == c))));
        let own = jacobian[segment].last().expect("the joint's own column");
        println!(
            "| {} | 𝟙, (T_x, T_y, {}) | {}, {:?} | (0; 1, 0, 0) | ({:?}; {:?}) |",
            body.name,
            printed[k],
            if unit { "𝟙" } else { "turned" },
            pose.translation.0,
            own.linear.0,
            own.angular.0,
        );
    }
    println!();
}

pub(super) fn table_3(machines: &Pendulums, seed: u64) -> Recovered {
    let data = recorded(&machines.full, seed, Vec::new(), wrench_noise());
    let models: Vec<Evaluated> = [&machines.simple, &machines.full]
        .into_iter()
        .map(|model| evaluated(model, &data, &columns_of_the_tables()))
        .collect();
    println!("### Table III: axes 5° off x\n");
    println!(
        "Excitation {seed}, 1 % noise. Errors in kg, kg·m, kg·m²; in brackets relative to the true value, where there is one.\n"
    );
    println!("| parameter | simplified, printed | simplified, ours | full, printed | full, ours |");
    println!("|---|---:|---:|---:|---:|");
    let rows: Vec<_> = models.iter().map(Evaluated::rows).collect();
    for (k, row) in PRINTED.iter().enumerate() {
        let own = |model: usize| {
            rows[model][k].map_or("–".to_owned(), |[truth, error, _]| {
                if truth.abs() < 1e-9 {
                    format!("{error:.3}")
                } else {
                    format!("{error:.3} ({:.0} %)", 100.0 * error / truth)
                }
            })
        };
        println!("| {} | {:.2} | {} | {:.2} | {} |", row.symbol, row.simplified, own(0), row.full, own(1));
    }
    let [simple, full] = [0, 1].map(|model| models[model].epsilon());
    let signs = PRINTED.iter().zip(&rows[0]).filter(|(row, own)| {
        let agree = own.is_some_and(|[_, error, _]| error * row.simplified > 0.0);
        row.simplified != 0.0 && agree
    });
    println!(
        "| ε of (5), N and N·m | | {:.1} ({:.2} %) | | {:.1} ({:.2} %) |",
        simple[0],
        100.0 * simple[1],
        full[0],
        100.0 * full[1]
    );
    println!("\nThe simplified model's errors have the printed sign in {} of 12 cases.\n", signs.count());
    Recovered { data, models, seed }
}

pub(super) fn table_4(pendulum: &Mechanism, seed: u64) -> Recovered {
    let data = recorded(pendulum, seed, hand(), noise_everywhere());
    let model = evaluated(pendulum, &data, &columns_of_the_tables());
    println!("### Table IV: two contacts\n");
    println!("Excitation {seed}; 0.2 % noise of wrenches, 0.1 mrad, 1 mrad/s, 10 mrad/s² of the states.\n");
    println!("| parameter | true, printed | error, printed | true, ours | error, ours | σ |");
    println!("|---|---:|---:|---:|---:|---:|");
    for (row, own) in PRINTED.iter().zip(model.rows()) {
        let [truth, error, sigma] = own.unwrap_or([f64::NAN; 3]);
        // −0.00 is 0.00.
        let truth = if truth.abs() < 5e-3 { 0.0 } else { truth };
        println!(
            "| {} | {:.2} | {:.2} | {truth:.2} | {error:.4} | {sigma:.4} |",
            row.symbol, row.truth, row.two_contacts
        );
    }
    let [norm, relative] = model.epsilon();
    let mut blind = data.clone();
    blind.contacts.clear();
    let [_, without] = evaluated(pendulum, &blind, &columns_of_the_tables()).epsilon();
    println!(
        "\nε of (5): {norm:.1} ({:.2} % of the total effective wrench). Without the second contact in (17): {:.0} %.\n",
        100.0 * relative,
        100.0 * without
    );
    Recovered { data, models: vec![model], seed }
}
