use steiner_dynamics::Mechanism;
use steiner_excitation::{Design, design};
use steiner_formats::{ReadOptions, read_robot};
fn main() {
    let name = std::env::args().nth(1).unwrap();
    let starts: usize = std::env::args().nth(2).map_or(1, |s| s.parse().unwrap());
    let drives = std::env::args().nth(3).is_some();
    let mechanism = Mechanism::new(
        read_robot(
            &name,
            &ReadOptions {
                lock: std::env::var("LOCK")
                    .ok()
                    .map(|j| (j, steiner_scalar::Exact::zero()))
                    .into_iter()
                    .collect(),
                ..ReadOptions::default()
            },
        )
        .unwrap(),
    )
    .unwrap();
    for seed in 0..3 {
        let mut wish =
            Design { starts, seed, threads: std::num::NonZeroUsize::new(1).unwrap(), ..Design::default() };
        wish.question.drives = drives;
        let found = design(&mechanism, &wish, &|_| false).unwrap_or_else(|e| panic!("{e}"));
        let sd =
            (found.deviations.iter().map(|d| d.sd.ln()).sum::<f64>() / found.deviations.len() as f64).exp();
        println!(
            "{name} seed {seed}: {:.2} s, log det {:.2}, cond {:.1}, sd {:.3e} of {}",
            found.seconds,
            found.log_det,
            found.condition_number,
            sd,
            found.deviations.len()
        );
        for b in found.blame.iter().take(4) {
            println!("   {} {} +{:.2}", b.joint, b.quantity.name(), b.gain);
        }
        for m in found.margins.iter().filter(|m| m.margin < 0.02 || m.bound.name() != "proven").take(30) {
            println!(
                "   {} {} {:.6} of {:.6} at {:.3} s, margin {:.2e} {}",
                m.of,
                m.quantity.name(),
                m.value,
                m.limit,
                m.time,
                m.margin,
                m.bound.name()
            );
        }
    }
}
