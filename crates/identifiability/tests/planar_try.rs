mod support;
use steiner_identifiability::*;
#[test]
fn show() {
    let names = std::env::var("ROBOTS").unwrap_or("four_bar".into());
    for name in names.split(',') {
        let mechanism = support::named(name);
        let started = std::time::Instant::now();
        match planar_base_parameters(&mechanism, &PlanarQuestion::default()) {
            Err(e) => println!("== {name}: {e}"),
            Ok(f) => {
                println!(
                    "== {name}: {:?} base {} dep {:?} primes {:?} digits {} gap {:.1e} cond {:.1e} inst {} cand {:?} tol {:.1e} res {:?} {:?} cuts {:?}",
                    started.elapsed(),
                    f.base.len(),
                    f.dependent.iter().map(|&d| f.labels[d].clone()).collect::<Vec<_>>(),
                    f.primes,
                    f.numbers.digits,
                    f.numbers.gap,
                    f.numbers.condition,
                    f.numbers.instants,
                    f.candidates,
                    f.tolerance,
                    f.residual,
                    f.transfers,
                    f.opened_at
                );
                for b in 0..f.base.len() {
                    println!("   {}", f.formula(b));
                }
                for d in f.definitions() {
                    println!("   where {d}");
                }
                for d in &f.notes {
                    println!("   note {d}");
                }
            }
        }
    }
}
