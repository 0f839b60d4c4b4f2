//! Logs with gaps: between them, filters have little room.

use crate::support;
use steiner_dynamics::Mechanism;
use steiner_identification::{
    Estimator, Identification, IdentificationError, LogPlace, RecordedLogs, Settings, Simulation, channels,
    identify_from, simulate,
};
use steiner_logs::{Cutoff, Log, LogError, LogNote, LogOptions, Processing, ProcessingNote, Role};
use support::{with_drives, zoo};

/// Positions and forces without noise, at the times that are kept.
fn log_with_gaps(arm: &Mechanism, is_kept: impl Fn(f64) -> bool) -> Log {
    let simulation = Simulation { duration: 40.0, rate: 500.0, seed: 2, ..Simulation::default() };
    let data = simulate(arm, &simulation).unwrap();
    let columns = data.columns(&channels(arm), false);
    let times = columns.iter().find(|(name, _)| name == "t").unwrap().1.clone();
    let kept = |values: &[f64]| -> Vec<f64> {
        values.iter().zip(&times).filter(|(_, t)| is_kept(**t)).map(|(x, _)| *x).collect()
    };
    let columns = columns.iter().map(|(name, values)| (name.clone(), kept(values))).collect();
    Log::from_columns("log", columns).unwrap()
}

fn identified(
    arm: &Mechanism,
    log: Log,
    cutoff: f64,
) -> Result<(Identification, Vec<LogNote>), IdentificationError> {
    let settings = Settings { estimator: Estimator::Ordinary, consistent: None, ..Settings::default() };
    let processing = Processing { cutoff: Cutoff::Hertz(cutoff), ..Processing::default() };
    let place = vec![(LogPlace::from(log), Role::Training)];
    let mut source =
        RecordedLogs::new(arm, place, &LogOptions::default(), &processing).with_friction(settings.friction());
    let found = identify_from(arm, &mut source, &settings)?;
    let notes = source.notes().iter().map(|note| note.note.clone()).collect();
    Ok((found, notes))
}

#[test]
fn gaps_bias_nothing() {
    let arm = with_drives(zoo("ur5"));
    let five = |t: f64| ![5.0, 12.0, 18.0, 25.0, 33.0].iter().any(|start| (*start..start + 0.5).contains(&t));
    let pieces = |length: f64| move |t: f64| t % (length + 0.1) < length;
    for (title, log, cutoff) in [
        ("five gaps", log_with_gaps(&arm, five), 3.0),
        ("five gaps", log_with_gaps(&arm, five), 10.0),
        ("pieces of 2.5 s", log_with_gaps(&arm, pieces(2.5)), 3.0),
        ("pieces of 1.5 s", log_with_gaps(&arm, pieces(1.5)), 10.0),
        ("pieces of 0.65 s", log_with_gaps(&arm, pieces(0.65)), 10.0),
    ] {
        let (found, _) = identified(&arm, log, cutoff).unwrap();
        let left = found.training.least_squares.total;
        println!("{title} at {cutoff} Hz: residual {left:.1e}, {:?}", found.alarms);
        // Up to 6 % were left, and alarms raised, when forces were reflected and rows were not.
        assert!(left < 1e-3, "{title} at {cutoff} Hz: {left}");
        assert!(found.alarms.is_empty(), "{title} at {cutoff} Hz: {:?}", found.alarms);
    }
}

#[test]
fn pieces_too_short_for_the_filter_are_left_out_or_refused() {
    let arm = with_drives(zoo("ur5"));
    let mixed = log_with_gaps(&arm, |t| t < 20.0 || t % 0.25 < 0.15);
    let (found, notes) = identified(&arm, mixed, 5.0).unwrap();
    assert!(found.training.least_squares.total < 1e-3);
    let left_out = notes.iter().find_map(|note| match note {
        LogNote::Processing(ProcessingNote::ShortStretches { stretches, all, .. }) => {
            Some((*stretches, *all))
        }
        _ => None,
    });
    let (stretches, samples) = left_out.expect("a note");
    assert!(stretches >= 79 && (70 * stretches..=76 * stretches).contains(&samples), "{stretches} {samples}");
    let pieces = log_with_gaps(&arm, |t| t % 0.25 < 0.15);
    let refusal = identified(&arm, pieces, 5.0).unwrap_err();
    assert!(matches!(&refusal, IdentificationError::Log(LogError::Setting { .. })), "{refusal}");
    let said = refusal.to_string();
    assert!(said.contains("lasts 0.152 s") && said.contains("5 Hz needs 1.2 s"), "{said}");
}

#[test]
fn a_cut_off_below_the_end_of_the_motion_is_said() {
    let arm = with_drives(zoo("ur5"));
    let mentions = |cutoff: f64| {
        let (_, notes) = identified(&arm, log_with_gaps(&arm, |_| true), cutoff).unwrap();
        let cuts = |note: &LogNote| matches!(note, LogNote::Processing(ProcessingNote::CutsMotion { .. }));
        notes.iter().any(cuts)
    };
    // The motion has five harmonics of 0.1 Hz.
    assert!(mentions(0.2));
    assert!(!mentions(2.0));
}
