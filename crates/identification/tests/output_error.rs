//! Output error: parameters from simulated motion, and where that is refused.

use crate::support;
use steiner_dynamics::Mechanism;
use steiner_identification::{
    Division, Estimator, Identification, IdentificationNote, LogPlace, Problem, RecordedLogs, SensorFaults,
    Settings, Simulation, channels, identify, identify_from, simulate,
};
use steiner_logs::{DryFriction, Log, LogOptions, Processing, Role};
use support::{mechanism, truth, with_drives, zoo};

const SMOOTH: DryFriction = DryFriction::Smoothed { speed: 0.1 };

fn settings(estimator: Estimator) -> Settings {
    Settings { estimator, consistent: None, dry_friction: SMOOTH, ..Settings::default() }
}

fn simulation(seed: u64, noise: f64) -> Simulation {
    let faults = SensorFaults { position: noise, ..SensorFaults::default() };
    Simulation { seed, duration: 10.0, rate: 200.0, dry_friction: SMOOTH, faults, ..Simulation::default() }
}

/// Positions and torques alone.
fn found(arm: &Mechanism, seed: u64, noise: f64, estimator: Estimator) -> Identification {
    let data = simulate(arm, &simulation(seed, noise)).unwrap();
    let log = Log::from_columns("log", data.columns(&channels(arm), false)).unwrap();
    let asked = settings(estimator);
    let mut logs = RecordedLogs::new(
        arm,
        vec![(LogPlace::from(log), Role::Training)],
        &LogOptions::default(),
        &Processing { friction: asked.friction(), ..Processing::default() },
    )
    .divided(Division::Last(0.2));
    identify_from(arm, &mut logs, &asked).unwrap()
}

const ONE_SECOND: Estimator = Estimator::Simulation { window: 1.0 };

#[test]
fn simulated_motion_finds_the_parameters_that_moved_the_arm() {
    let arm = with_drives(zoo("two_link"));
    let problem = Problem::new(&arm, &settings(Estimator::Weighted)).unwrap();
    let (mut squares, mut count) = (0.0, 0);
    for seed in 1..=3 {
        let found = found(&arm, seed, 1e-3, ONE_SECOND);
        let truth = truth(&found, &problem);
        for (p, truth) in found.parameters.iter().zip(&truth) {
            let z = (p.least_squares - truth) / p.sigma;
            println!("{} {:.4} ± {:.4}, true {truth:.4}: {z:.1} σ", p.name, p.least_squares, p.sigma);
            assert!(z.abs() < 3.0, "seed {seed}: {} {} ± {}", p.name, p.least_squares, p.sigma);
            squares += z * z;
            count += 1;
        }
        let told = found.notes.iter().find_map(|note| match note {
            IdentificationNote::Simulated { windows, distance, deviations, .. } => {
                Some((*windows, *distance, deviations.clone()))
            }
            _ => None,
        });
        let (windows, distance, deviations) = told.unwrap();
        // The borders of the filter take a part of the log.
        assert!((5..=8).contains(&windows) && distance < 0.05, "{windows} {distance}");
        // What is left is the noise of the encoders.
        assert!(deviations.iter().all(|(_, rms, _)| (0.9e-3..1.1e-3).contains(rms)), "{deviations:?}");
    }
    let rms = f64::sqrt(squares / f64::from(count));
    println!("rms of (error)/σ: {rms:.2}");
    assert!((0.5..1.4).contains(&rms), "{rms}");
}

#[test]
fn without_noise_simulation_and_least_squares_agree() {
    let arm = with_drives(zoo("two_link"));
    let problem = Problem::new(&arm, &settings(Estimator::Weighted)).unwrap();
    let found = found(&arm, 7, 0.0, ONE_SECOND);
    let worst = support::worst_error(&found, &truth(&found, &problem));
    println!("worst error {worst:.1e}");
    assert!(worst < 0.02, "{worst}");
}

#[test]
fn what_cannot_be_simulated_is_refused_with_a_sentence() {
    let refused = |arm: &Mechanism, recorded: &Simulation, change: &dyn Fn(&mut Settings)| {
        let mut asked = Settings { estimator: ONE_SECOND, ..Settings::default() };
        change(&mut asked);
        let data = simulate(arm, recorded).unwrap();
        identify(arm, &data, &asked).err().map(|error| error.to_string()).unwrap_or_default()
    };
    let short = Simulation { duration: 4.0, rate: 100.0, ..Simulation::default() };
    let loops = refused(&mechanism("four_bar"), &short, &|_| {});
    assert!(loops.contains("one-dof joints on a fixed base"), "{loops}");
    let arm = with_drives(zoo("two_link"));
    let gains = refused(&arm, &short, &|asked| asked.unknown_gains = vec!["link1".to_owned()]);
    assert!(gains.contains("simulation; use weighted"), "{gains}");
    let one = refused(&arm, &short, &|asked| asked.measure = support::sensors("joints:link1"));
    assert!(one.contains("the forces of all joints"), "{one}");
    let windows = refused(&arm, &short, &|asked| asked.estimator = Estimator::Simulation { window: -1.0 });
    assert!(windows.contains("1 is usual"), "{windows}");
    let long = Simulation { duration: 1000.0, rate: 250.0, ..Simulation::default() };
    let long = refused(&arm, &long, &|_| {});
    assert!(long.contains("takes too long") && long.contains("from and to"), "{long}");
}
