//! Joints that stand: dry friction then is whatever balances the rest, and no model can tell it.

use crate::support;
use steiner_dynamics::Mechanism;
use steiner_identification::{
    Identification, IdentificationNote, Problem, Settings, Simulation, channels, identify, simulate,
};
use steiner_logs::{Log, Processing, Recording};
use support::{truth, with_drives, worst_error, zoo};

/// An arm that moves for eight seconds and then stands for four, held by
/// friction of either sign and any size.
fn moved_then_stood() -> (Mechanism, Recording) {
    let arm = with_drives(zoo("two_link"));
    let simulation = Simulation { duration: 8.0, rate: 100.0, ..Simulation::default() };
    let mut data = simulate(&arm, &simulation).unwrap();
    let (first, dof) = (data.count, arm.dof());
    let at = |values: &[f64]| values[values.len() - dof..].to_vec();
    let (q, tau) = (at(&data.q), at(&data.tau));
    for k in 0..400 {
        data.t.push(0.01 * (first + k) as f64);
        data.q.extend(&q);
        // The encoder's last digit flickers, and with it the sign of the velocity.
        data.qd.extend((0..dof).map(|j| if (k + j) % 3 == 0 { 1e-4 } else { -1e-4 }));
        data.qdd.extend(vec![0.0; dof]);
        data.tau.extend(tau.iter().map(|tau| tau + 0.3 * (0.01 * k as f64).sin()));
    }
    data.count += 400;
    (arm, data)
}

fn found(arm: &Mechanism, data: &Recording, settings: &Settings) -> Identification {
    identify(arm, data, &Settings { consistent: None, ..settings.clone() }).unwrap()
}

fn counted(answer: &Identification) -> Vec<usize> {
    answer.training.model.rows.iter().map(|row| row.count).collect()
}

#[test]
fn what_stands_does_not_spoil_what_moved() {
    let (arm, mut data) = moved_then_stood();
    let standing = found(&arm, &data, &Settings::default());
    data.rest = vec![0.01; arm.dof()];
    let moving = found(&arm, &data, &Settings::default());
    let problem = Problem::new(&arm, &Settings::default()).unwrap();
    assert!(worst_error(&moving, &truth(&moving, &problem)) < 1e-6);
    assert!(worst_error(&standing, &truth(&standing, &problem)) > 1e-2);
    assert!(counted(&moving).iter().all(|count| (700..=800).contains(count)), "{:?}", counted(&moving));
    let [IdentificationNote::Standing { speed: (0.01, 0.01), training: Some((least, most)), .. }] =
        moving.notes[..]
    else {
        panic!("{:?}", moving.notes)
    };
    assert!(0.3 < least && most < 0.5, "about a third stands: {least} to {most}");
    assert!(standing.notes.is_empty(), "{:?}", standing.notes);
    // What the default became is among the settings, and asking for just that changes nothing.
    assert_eq!(moving.settings.least_speed.len(), arm.dof());
    let again = found(&arm, &data, &moving.settings);
    assert_eq!((counted(&again), &again.all), (counted(&moving), &moving.all));
}

#[test]
fn forces_at_rest_count_where_asked_for_or_without_dry_friction() {
    let (arm, mut data) = moved_then_stood();
    data.rest = vec![0.01; arm.dof()];
    let joints: Vec<String> = arm.independent_names().to_vec();
    let all = vec![data.count; arm.dof()];
    let asked = Settings {
        least_speed: joints.iter().map(|joint| (joint.clone(), 0.0)).collect(),
        ..Settings::default()
    };
    assert_eq!(counted(&found(&arm, &data, &asked)), all);
    let without = Settings { drives: false, ..Settings::default() };
    assert_eq!(counted(&found(&arm, &data, &without)), all);
    let smooth = Settings { known: vec![(format!("{}.fc", joints[0]), 0.0)], ..Settings::default() };
    let counts = counted(&found(&arm, &data, &smooth));
    assert!(counts[0] == data.count && counts[1] < data.count, "{counts:?}");
    data.rest = vec![0.01];
    let error = identify(&arm, &data, &Settings::default()).unwrap_err().to_string();
    assert!(error.contains("rest"), "{error}");
}

#[test]
fn a_fiftieth_of_the_usual_speed_is_rest() {
    let arm = Mechanism::new(zoo("two_link")).unwrap();
    let names = arm.independent_names().to_vec();
    // Speeds of 2 and of 3 at most, half of the time, so that their root mean squares are 1 and 1.5.
    let (speed, rate) = (6.0f64, 1000.0);
    let line = |k: usize, recorded: bool| {
        let t = k as f64 / rate;
        let moves = t < 2.0 * std::f64::consts::PI;
        let (s, c) = if moves { (speed * t).sin_cos() } else { (0.0, 0.0) };
        match recorded {
            true => format!("{t},{},{},{},{}\n", 2.0 / speed * s, 3.0 / speed * s, 2.0 * c, 3.0 * c),
            false => format!("{t},{},{}\n", 2.0 / speed * s, 3.0 / speed * s),
        }
    };
    for recorded in [false, true] {
        let mut text = format!(
            "t,q_{0},q_{1}{2}\n",
            names[0],
            names[1],
            match recorded {
                true => format!(",qd_{},qd_{}", names[0], names[1]),
                false => String::new(),
            }
        );
        (0..(4.0 * std::f64::consts::PI * rate) as usize).for_each(|k| text += &line(k, recorded));
        let log = Log::parse_csv(&text, "log.csv").unwrap();
        let recording = Recording::of(&channels(&arm), &log, &Processing::default()).unwrap();
        for (rest, usual) in recording.rest.iter().zip([1.0, 1.5]) {
            assert!((rest / (0.02 * usual) - 1.0).abs() < 0.02, "{:?}", recording.rest);
        }
        assert_eq!(recording.rest, recording.settled.rest);
        let never =
            Recording::of(&channels(&arm), &log, &Processing { rest: 0.0, ..Processing::default() }).unwrap();
        assert_eq!(never.rest, [0.0, 0.0]);
        let error = Recording::of(&channels(&arm), &log, &Processing { rest: 1.0, ..Processing::default() });
        assert!(error.unwrap_err().to_string().contains("choose 0 to below 1"));
    }
}
