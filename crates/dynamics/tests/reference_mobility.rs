//! Mobility and closure of the reference mechanisms.

mod support;

use steiner_dynamics::Mechanism;

#[test]
fn every_reference_mechanism_has_its_recorded_mobility_and_closes() {
    let Some(folder) = support::reference("mechanisms") else { return };
    for path in support::files(&folder) {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let answer =
            std::fs::read_to_string(folder.join(format!("../nullspace/{name}.json"))).expect("its answer");
        let key = "\"mobility\": ";
        let at = answer.find(key).expect("a mobility") + key.len();
        let recorded: usize = answer[at..].split([',', '}']).next().unwrap().trim().parse().unwrap();
        let mechanism =
            Mechanism::new(support::read(&path)).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(mechanism.dof(), recorded, "{name}");
        let residual = mechanism.closure().residual(mechanism.reference_tree());
        assert!(residual < 1e-12, "{name}: {residual}");
        let mut noise = support::Noise::new(7);
        for _ in 0..5 {
            let q = support::random_configuration(&mechanism, &mut noise, 0.4);
            let tree = mechanism.tree_configuration(&q).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(mechanism.closure().residual(&tree) < 1e-10, "{name}");
        }
        println!("{name}: {:?} {residual:.1e}", mechanism.independent_names());
    }
}
