mod support;
use steiner_dynamics::Mechanism;
use steiner_robot::{ReadOptions, read_robot};
#[test]
fn probe() {
    for name in ["four_bar", "five_bar", "palletizer", "delta", "stewart", "pkm_2rru_1rrs", "pkm_2prs_1psr"] {
        let o = ReadOptions { floating: true, ..ReadOptions::default() };
        let m = Mechanism::new(read_robot(name, &o).unwrap()).unwrap();
        print!("{name} takes_tree={}", m.takes_tree_configuration());
        let mut noise = support::Noise::of(name, 3);
        let here = support::random_configuration(&m, &mut noise, 0.1);
        let v = noise.vector(m.dof());
        let near = m.regressor(&here, &v, &v).unwrap();
        for e in [0, 1, 2, 3, 4, 5, 6, 7] {
            let mut q = here.clone();
            let d = 10f64.powi(e);
            q[..3].copy_from_slice(&[d, -d, d]);
            let t = std::time::Instant::now();
            match m.regressor(&q, &v, &v) {
                Ok(y) => print!("  1e{e} {:.0e}", support::discrepancy(near.entries(), y.entries())),
                Err(_) => print!("  1e{e} ERR {:?}", t.elapsed()),
            }
        }
        println!();
    }
}
