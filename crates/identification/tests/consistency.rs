//! Physically consistent bodies, from logs that excite too little.

use crate::{program, support};
use std::time::Instant;

use steiner_dynamics::Mechanism;
use steiner_identification::{
    Bounds, CentreBound, Identification, IdentificationNote, Pull, SensorFaults, Settings, Simulation,
    identify, simulate,
};
use support::{mechanism, with_drives, wrong_file, zoo};

/// A short, timid, noisy log of the true robot, and a mechanism whose file is wrong.
fn ill_excited(name: &str, seed: u64) -> (Mechanism, steiner_logs::Recording) {
    let robot = zoo(name);
    let faults = SensorFaults { relative_force: 0.05, ..SensorFaults::default() };
    let simulation =
        Simulation { duration: 3.0, rate: 100.0, reach: 0.15, seed, faults, ..Simulation::default() };
    let data = simulate(&with_drives(robot.clone()), &simulation).unwrap();
    (Mechanism::new(wrong_file(&robot)).unwrap(), data)
}

/// Strictly inside by exact minors, computed apart from the solver: the pseudo-inertia's leading
/// principal minors are positive.
fn has_positive_minors(link: &steiner_identification::LinkConsistency) -> bool {
    let n = &link.inertia;
    let [xx, xy, yy, xz, yz, zz] = n.second;
    let [hx, hy, hz] = n.first;
    let m = [[n.mass, hx, hy, hz], [hx, xx, xy, xz], [hy, xy, yy, yz], [hz, xz, yz, zz]];
    fn minor(m: &[[f64; 4]; 4], size: usize) -> f64 {
        // Laplace, along the last row of the leading block.
        fn det(m: &[Vec<f64>]) -> f64 {
            if m.len() == 1 {
                return m[0][0];
            }
            let without = |c: usize| -> Vec<Vec<f64>> {
                m[1..]
                    .iter()
                    .map(|row| row.iter().enumerate().filter(|(k, _)| *k != c).map(|(_, x)| *x).collect())
                    .collect()
            };
            (0..m.len()).map(|c| if c % 2 == 0 { 1.0 } else { -1.0 } * m[0][c] * det(&without(c))).sum()
        }
        det(&m[..size].iter().map(|row| row[..size].to_vec()).collect::<Vec<_>>())
    }
    (1..=4).all(|size| minor(&m, size) > 0.0)
}

fn negative_masses(found: &Identification) -> usize {
    found.consistency.iter().filter(|link| link.inertia.mass < 0.0).count()
}

#[test]
fn where_least_squares_give_negative_masses_bodies_stay_possible() {
    for (name, seed) in [("panda", 1), ("ur5", 2), ("go2", 3), ("palletizer", 4), ("puma560", 5)] {
        let (mechanism, data) = ill_excited(name, seed);
        let plain =
            identify(&mechanism, &data, &Settings { consistent: None, ..Settings::default() }).unwrap();
        let started = Instant::now();
        let found = identify(&mechanism, &data, &Settings::default()).unwrap();
        let seconds = started.elapsed().as_secs_f64();
        let optimality = found.optimality.unwrap();
        let loss = found.training.model.total / found.training.least_squares.total - 1.0;
        eprintln!(
            "{name:11} least squares: {} of {} bodies impossible, {} negative masses; consistent: residual +{:.3} %, {seconds:.2} s, {optimality:?}",
            plain.consistency.iter().filter(|link| !link.is_consistent()).count(),
            plain.consistency.len(),
            negative_masses(&plain),
            100.0 * loss,
        );
        assert!(!plain.is_consistent(), "{name}: the log is good enough for least squares");
        assert!(found.is_consistent(), "{name}: {:?}", found.consistency);
        assert!(found.consistency.iter().all(has_positive_minors), "{name}");
        assert!(found.consistency.iter().all(|link| link.least_eigenvalue > 0.0), "{name}");
        // The sum over joints in N·m may even fall: least squares weigh joints by their noise.
        assert!(loss <= 0.02, "{name}: {loss}");
        assert!(optimality.stationarity < 1e-7 && optimality.least >= 0.0, "{name}: {optimality:?}");
        assert!(optimality.gap < 1e-6, "{name}: {optimality:?}");
        for (label, value) in found.labels().iter().zip(&found.all) {
            let positive = [".Ia", ".fv", ".fc"].iter().any(|kind| label.ends_with(kind));
            assert!(!positive || *value >= 0.0, "{name}: {label} = {value}");
        }
    }
    let (mechanism, data) = ill_excited("panda", 1);
    let plain = identify(&mechanism, &data, &Settings { consistent: None, ..Settings::default() }).unwrap();
    assert!(negative_masses(&plain) > 0, "the example has a negative mass");
}

#[test]
fn clarabel_finds_the_same_minimum() {
    // The same programs, written down in cvxpy 1.9 and solved by Clarabel 0.11 with tolerances of 1e-10.
    let expected = [
        ("panda", 1, [21.981377998937475, 26.34853279393744, 22.224060549217537, 26.494722898275167]),
        ("ur5", 2, [18.34079284573793, 18.459280247619095, 18.003449850410522, 18.364143568804682]),
    ];
    for (name, seed, minima) in expected {
        let (mechanism, data) = ill_excited(name, seed);
        let truth = zoo(name);
        let bounded = Bounds {
            total_mass: Some(truth.bodies.iter().map(|body| body.inertia.mass).sum()),
            masses: vec![(truth.bodies[2].name.clone(), 2.0, 2.5)],
            centres: vec![(
                truth.bodies[5].name.clone(),
                CentreBound::Box { lower: [-0.01; 3], upper: [0.01; 3] },
            )],
            ..Bounds::default()
        };
        let pulls = [Pull::Entropic { weight: 1.0 }, Pull::Quadratic { weight: 1.0 }];
        let programs = pulls
            .iter()
            .flat_map(|&pull| [Bounds::default(), bounded.clone()].map(|bounds| Bounds { pull, ..bounds }));
        for (bounds, minimum) in programs.zip(minima) {
            let settings = Settings { consistent: Some(bounds), ..Settings::default() };
            let found = identify(&mechanism, &data, &settings).unwrap();
            if std::env::var_os("STEINER_WRITE_PROGRAMS").is_some() {
                // For bench/consistent.py, with --show.
                eprintln!("{}", program::program_json(found.program.as_ref().unwrap()));
                continue;
            }
            let found = found.optimality.unwrap();
            let difference = found.objective - minimum;
            assert!(difference.abs() < 1e-7 * minimum, "{name}: {} beside {minimum}", found.objective);
        }
    }
}

#[test]
fn a_good_log_decides_alone() {
    let robot = zoo("puma560");
    let faults = SensorFaults { relative_force: 0.01, ..SensorFaults::default() };
    let simulation = Simulation { duration: 20.0, rate: 200.0, faults, ..Simulation::default() };
    let data = simulate(&with_drives(robot.clone()), &simulation).unwrap();
    let mechanism = Mechanism::new(wrong_file(&robot)).unwrap();
    let found = identify(&mechanism, &data, &Settings::default()).unwrap();
    let loss = found.training.model.total / found.training.least_squares.total - 1.0;
    assert!(loss < 1e-3, "{loss}");
    assert!(found.training.model.total < 0.5 * found.training.prior.total);
}

#[test]
fn what_is_known_of_masses_and_centres_holds() {
    let (mechanism, data) = ill_excited("ur5", 7);
    let truth = zoo("ur5");
    let total: f64 = truth.bodies.iter().map(|body| body.inertia.mass).sum();
    let link = truth.bodies[1].name.clone();
    let hull: Vec<[f64; 3]> = (0..8)
        .map(|k| [[-0.05, 0.05][k & 1], [-0.04, 0.06][(k >> 1) & 1], [0.0, 0.2][(k >> 2) & 1]])
        .collect();
    let bounds = Bounds {
        masses: vec![(truth.bodies[2].name.clone(), 2.0, 2.5), (truth.bodies[4].name.clone(), 0.1, 0.2)],
        total_mass: Some(total),
        centres: vec![
            (link.clone(), CentreBound::Hull(hull)),
            (truth.bodies[5].name.clone(), CentreBound::Box { lower: [-0.01; 3], upper: [0.01; 3] }),
        ],
        ..Bounds::default()
    };
    for pull in [Pull::Entropic { weight: 1.0 }, Pull::Quadratic { weight: 1.0 }] {
        let settings = Settings {
            consistent: Some(Bounds { pull, ..bounds.clone() }),
            known: vec![(format!("{}.mx", truth.bodies[3].name), 0.01)],
            ..Settings::default()
        };
        let found = identify(&mechanism, &data, &settings).unwrap();
        assert!(found.is_consistent(), "{:?}", found.consistency);
        let masses: Vec<f64> = found.consistency.iter().map(|link| link.inertia.mass).collect();
        assert!((masses.iter().sum::<f64>() - total).abs() < 1e-9 * total);
        assert!((2.0 - 1e-9..=2.5 + 1e-9).contains(&masses[2]), "{masses:?}");
        assert!((0.1 - 1e-9..=0.2 + 1e-9).contains(&masses[4]), "{masses:?}");
        assert_eq!(found.consistency[3].inertia.first[0], 0.01);
        let centre = |k: usize| found.consistency[k].inertia.centred().com;
        let [x, y, z] = centre(1);
        assert!(
            (-0.05..=0.05).contains(&x) && (-0.04..=0.06).contains(&y) && (0.0..=0.2).contains(&z),
            "{x} {y} {z}"
        );
        assert!(centre(5).iter().all(|x| x.abs() <= 0.01 + 1e-9), "{:?}", centre(5));
        let optimality = found.optimality.unwrap();
        assert!(optimality.violation < 1e-9 && optimality.stationarity < 1e-6, "{optimality:?}");
    }
}

#[test]
fn bounds_that_contradict_are_refused() {
    let (mechanism, data) = ill_excited("two_link", 1);
    let with = |bounds: Bounds| {
        let settings = Settings { consistent: Some(bounds), ..Settings::default() };
        identify(&mechanism, &data, &settings).map(|_| ()).unwrap_err().to_string()
    };
    let links: Vec<String> = mechanism.robot().bodies.iter().map(|body| body.name.clone()).collect();
    let heavy = Bounds {
        masses: links.iter().map(|link| (link.clone(), 5.0, 6.0)).collect(),
        total_mass: Some(1.0),
        ..Bounds::default()
    };
    assert!(with(heavy).contains("bounds contradict"));
    let flat = CentreBound::Hull(vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]]);
    let bounds = Bounds { centres: vec![(links[0].clone(), flat)], ..Bounds::default() };
    assert!(with(bounds).contains("without inside"));
    let bounds = Bounds { masses: vec![("linkk".to_owned(), 1.0, 2.0)], ..Bounds::default() };
    assert!(with(bounds).contains("no link `linkk`"));
}

/// A humanoid of thirty bodies: a floating pelvis, two legs of six joints, two arms of
/// seven, three joints to the head.
fn humanoid() -> Mechanism {
    let mut text = "name = \"humanoid\"\n".to_owned();
    let mut body = |name: &str,
                    parent: &str,
                    joint: &str,
                    xyz: [f64; 3],
                    axis: usize,
                    mass: f64,
                    size: f64| {
        let mut unit = [0; 3];
        unit[axis] = 1;
        let i = mass * size * size / 12.0;
        text += &format!(
            "[[body]]\nname = \"{name}\"\nparent = \"{parent}\"\njoint = \"{joint}\"\nxyz = {xyz:?}\naxis = {unit:?}\ninertia = {{ mass = {mass}, com = [0.01, -0.005, {}], tensor = [{i}, 0, {}, 0, 0, {}] }}\n",
            -0.4 * size,
            0.9 * i,
            0.3 * i
        );
    };
    body("pelvis", "base", "floating", [0.0, 0.0, 0.9], 2, 9.0, 0.2);
    for (side, y) in [("left", 0.1), ("right", -0.1)] {
        let mut parent = "pelvis".to_owned();
        for (k, (axis, drop, mass)) in
            [(2, 0.0, 1.2), (0, 0.05, 1.5), (1, 0.05, 4.0), (1, 0.35, 3.0), (1, 0.35, 0.6), (0, 0.03, 1.0)]
                .into_iter()
                .enumerate()
        {
            let name = format!("{side}_leg{k}");
            let y = if k == 0 { y } else { 0.0 };
            body(&name, &parent, "revolute", [0.0, y, -drop], axis, mass, 0.1 + drop);
            parent = name;
        }
    }
    body("waist", "pelvis", "revolute", [0.0, 0.0, 0.1], 2, 3.0, 0.2);
    body("torso", "waist", "revolute", [0.0, 0.0, 0.1], 1, 12.0, 0.4);
    body("head", "torso", "revolute", [0.0, 0.0, 0.4], 1, 3.5, 0.2);
    for (side, y) in [("left", 0.2), ("right", -0.2)] {
        let mut parent = "torso".to_owned();
        for (k, (axis, drop, mass)) in [
            (1, 0.0, 1.5),
            (0, 0.05, 1.0),
            (2, 0.1, 1.2),
            (1, 0.2, 0.8),
            (2, 0.1, 0.6),
            (1, 0.15, 0.3),
            (0, 0.03, 0.4),
        ]
        .into_iter()
        .enumerate()
        {
            let name = format!("{side}_arm{k}");
            let place = if k == 0 { [0.0, y, 0.3] } else { [0.0, 0.0, -drop] };
            body(&name, &parent, "revolute", place, axis, mass, 0.08 + drop);
            parent = name;
        }
    }
    support::written(&text)
}

#[test]
fn a_humanoid_of_thirty_bodies_is_solved() {
    let humanoid = with_drives(humanoid().robot().clone());
    assert_eq!(humanoid.robot().bodies.len(), 30);
    let faults = SensorFaults { relative_force: 0.05, ..SensorFaults::default() };
    let simulation = Simulation { duration: 5.0, rate: 100.0, reach: 0.3, faults, ..Simulation::default() };
    let data = simulate(&humanoid, &simulation).unwrap();
    let wrong = Mechanism::new(wrong_file(humanoid.robot())).unwrap();
    let plain = identify(&wrong, &data, &Settings { consistent: None, ..Settings::default() }).unwrap();
    let started = Instant::now();
    let found = identify(&wrong, &data, &Settings::default()).unwrap();
    let seconds = started.elapsed().as_secs_f64();
    eprintln!("humanoid: {} parameters, {seconds:.2} s, {:?}", found.labels().len(), found.optimality);
    assert!(found.labels().len() > 400 && !plain.is_consistent() && found.is_consistent());
    assert!(found.training.model.total < 1.02 * found.training.least_squares.total);
}

#[test]
fn a_file_without_inertias_is_no_obstacle() {
    let robot = mechanism("two_link").robot().clone();
    let data = simulate(
        &with_drives(robot.clone()),
        &Simulation { duration: 5.0, rate: 100.0, ..Simulation::default() },
    )
    .unwrap();
    let empty = |body: &mut steiner_robot::Body| body.inertia = steiner_robot::PseudoInertia::ZERO;
    let robot = robot.changed(|parts| parts.bodies.iter_mut().for_each(empty)).unwrap();
    let found = identify(&Mechanism::new(robot).unwrap(), &data, &Settings::default()).unwrap();
    assert!(found.is_consistent());
    let links = found.robot.bodies.iter().map(|body| body.name.clone());
    let replaced: Vec<_> = links.map(|link| IdentificationNote::Replaced { link, mass: 1.0 }).collect();
    assert_eq!(found.notes, replaced);
}
