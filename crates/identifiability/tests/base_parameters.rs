//! Regroupings: Khalil's for the Puma 560, and what must hold for any robot.

use steiner_dynamics::Mechanism;
use steiner_formats::{ReadOptions, read_robot, zoo};
use steiner_identifiability::{Question, Regrouping, analyze};

fn regrouped(name: &str) -> (Mechanism, Regrouping) {
    let mechanism = Mechanism::new(read_robot(name, &ReadOptions::default()).unwrap()).unwrap();
    let analysis = analyze(&mechanism, &Question::default()).unwrap();
    assert!(analysis.certificate.as_ref().is_some_and(|certificate| certificate.complete), "{name}");
    assert_eq!(analysis.regrouping.base.len(), analysis.identifiable(), "{name}");
    (mechanism, analysis.regrouping)
}

#[test]
fn the_second_moment_of_the_upper_arm_of_the_puma_takes_the_masses_beyond() {
    let (mechanism, regrouping) = regrouped("puma560");
    let labels = mechanism.robot().labels();
    let group = regrouping.base.iter().find(|base| labels[base.column] == "link2.Izz").unwrap();
    let factor = |label: &str| {
        let column = labels.iter().position(|other| other == label).unwrap();
        group.terms.iter().find(|(c, _)| *c == column).map(|(_, x)| *x)
    };
    // a2² = 0.4318² = 0.18645124, exactly as printed.
    assert_eq!(factor("link2.Izz"), Some(1.0));
    assert_eq!(factor("link3.m"), Some(0.18645124));
    assert!(regrouping.unidentifiable.iter().any(|&c| labels[c] == "link1.m"));
}

#[test]
fn base_parameters_predict_the_forces_of_the_whole_zoo() {
    for entry in zoo::ENTRIES {
        let (mechanism, regrouping) = regrouped(entry.name);
        let pi = mechanism.robot().parameters();
        // A parameter vector with everything in the base parameters: forces must not change.
        let mut grouped = vec![0.0; pi.len()];
        for base in &regrouping.base {
            grouped[base.column] = base.terms.iter().map(|&(c, x)| x * pi[c]).sum();
        }
        let q = mechanism.reference();
        let qd: Vec<f64> = (0..mechanism.dof()).map(|k| 0.3 - 0.1 * k as f64).collect();
        let qdd: Vec<f64> = (0..mechanism.dof()).map(|k| 0.2 * k as f64 - 0.5).collect();
        let y = mechanism.regressor(&q, &qd, &qdd).unwrap();
        let (full, short) = (y.apply(&pi), y.apply(&grouped));
        let scale = full.iter().fold(1e-9, |most: f64, x| most.max(x.abs()));
        for (a, b) in full.iter().zip(&short) {
            assert!((a - b).abs() < 1e-9 * scale, "{}: {a} {b}", entry.name);
        }
    }
}

#[test]
fn every_parameter_is_alone_in_a_group_or_without_effect() {
    for name in ["puma560", "go2", "delta", "gantry", "palletizer"] {
        let (mechanism, regrouping) = regrouped(name);
        let mut seen = vec![0; mechanism.layout().columns()];
        for &c in regrouping.alone.iter().chain(&regrouping.combined).chain(&regrouping.unidentifiable) {
            seen[c] += 1;
        }
        assert!(seen.iter().all(|&n| n == 1), "{name}");
    }
}
