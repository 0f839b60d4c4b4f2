//! Notes as the reader sees them: what happened, with names and numbers, and what to do.

use steiner_identifiability::{AnalysisNote, Method};
use steiner_identification::{
    ComparisonNote, FileNote, IdentificationNote, NoteOfLog, SettingNote, Spelling,
};
use steiner_logs::ProcessingNote;
use steiner_report::{analysis_note, comparison_note, file_notes, identification_note, setting_note};

const FLAGS: Spelling = Spelling {
    prefix: "--",
    separator: "-",
    cut: ["--from", "--to"],
    command: "steiner ",
    document: "--json",
    numbers: [" ", "=", ",", ""],
};
const KEYWORDS: Spelling = Spelling {
    prefix: "",
    separator: "_",
    cut: ["start", "end"],
    command: "steiner.",
    document: "to_dict()",
    numbers: ["={\"", "\": ", ", \"", "}"],
};

#[test]
fn notes_of_an_analysis_name_the_parameter_or_the_method() {
    let kept = AnalysisNote::NotKept { label: "link1.m".to_owned(), no_effect: true };
    assert_eq!(analysis_note(&kept), "link1.m cannot be kept: it has no effect on what is measured.");
    let eliminated = AnalysisNote::NotEliminated { label: "link6.Izz".to_owned(), alone: true };
    assert_eq!(analysis_note(&eliminated), "link6.Izz cannot be eliminated: it is identifiable by itself.");
    let missed = AnalysisNote::Missed { method: Method::Drng, found: 33, nullity: 66 };
    assert_eq!(
        analysis_note(&missed),
        "drng found 33 of 66 null vectors and missed 33; the method auto finds them."
    );
    let links = vec!["foot".to_owned()];
    assert!(analysis_note(&AnalysisNote::Unweighed { links }).contains("measures the weight of foot"));
}

#[test]
fn notes_of_an_identification_say_what_was_left_out_and_what_stands_for_it() {
    let replaced = IdentificationNote::Replaced { link: "hook".to_owned(), mass: 1.0 };
    assert!(identification_note(&replaced).contains("a ball of 1.000 kg is used"));
    let standing = IdentificationNote::Standing {
        still: Vec::new(),
        speed: (0.01, 0.0204),
        training: Some((0.333, 0.333)),
        validation: Some((0.25, 0.5)),
    };
    assert_eq!(
        identification_note(&standing),
        "forces count only while their joint moves, since dry friction at rest is not determined: \
         33 % of samples for training and 25 to 50 % of those held out are slower than 0.01 to 0.02 rad/s or \
         m/s and left out"
    );
    let biased = IdentificationNote::FrictionNotFiltered { drives: vec!["wrist.fc".to_owned()] };
    assert!(identification_note(&biased).contains("not the dry friction of wrist.fc"));
    let simulated = IdentificationNote::Simulated {
        windows: 7,
        seconds: 0.95,
        rate: 1000.0,
        steps: 14,
        distance: 0.0007,
        deviations: vec![("slew".to_owned(), 0.0025, 0.025), ("lift".to_owned(), 0.01, f64::NAN)],
    };
    assert_eq!(
        identification_note(&simulated),
        "motion was simulated in 7 windows of 0.95 s at 1000 steps per second; after 14 steps the estimate is \
         within 0.0007 σ of the optimum; simulated minus recorded positions (RMS, rad or m): slew 0.0025 (least \
         squares: 0.025), lift 0.01"
    );
}

#[test]
fn notes_of_a_file_say_what_it_has_no_place_for() {
    let drives = vec![("slew".to_owned(), 0.0217)];
    let told = file_notes(&[FileNote::DriveInertias(drives.clone()), FileNote::Offsets(drives)]);
    assert!(told[0].contains("no place for drive inertias (kg·m² or kg): slew 0.0217"), "{told:?}");
    assert!(told[1].contains("no place for constant forces of drives (N·m or N): slew 0.0217"), "{told:?}");
}

#[test]
fn notes_of_settings_spell_them_as_they_were_asked_for() {
    let by_default = SettingNote::HeldOutByDefault { part: 0.25 };
    assert_eq!(
        setting_note(&by_default, FLAGS),
        "the last 25 % of every log is held out for validation (--hold-out, --validate-from or --validate change that)"
    );
    assert_eq!(
        setting_note(&by_default, KEYWORDS),
        "the last 25 % of every log is held out for validation (hold_out, validate_from or validate change that)"
    );
    let sensors = "joints:a,b".parse().expect("sensors");
    let links = vec!["foot".to_owned(), "hand".to_owned()];
    let said = [
        (
            SettingNote::Measured { sensors },
            "identified from what the logs measure: joints:a,b (--measure selects)",
        ),
        (
            SettingNote::NothingTrimmed { log: "run.csv".into() },
            "--trim cuts nothing off run.csv: its signals are neither filtered nor derived, so no filter has to settle (--from and --to cut it)",
        ),
        (
            SettingNote::NothingHeldOut,
            "nothing was recorded between --validate-from and --validate-to: no samples are held out for validation",
        ),
        (
            SettingNote::WithinHull {
                link: "upper".to_owned(),
                shape: "collision geometry",
                vertices: 1200,
                sides: 6,
            },
            "the centre of mass of upper lies within the hull of its collision geometry: 1,200 vertices, 6 sides",
        ),
        (SettingNote::NoShape { links }, "foot, hand without a shape: not bounded by one"),
    ];
    for (note, sentence) in said {
        assert_eq!(setting_note(&note, FLAGS), sentence);
    }
}

#[test]
fn notes_of_a_comparison_name_the_robot_and_the_log() {
    let only = ComparisonNote::OnlyOneHas { robot: "B".to_owned(), rows: vec!["two".to_owned()] };
    assert_eq!(comparison_note(&only), "Only B has two; they are not compared.");
    assert_eq!(
        comparison_note(&ComparisonNote::NoDrivesMeasured),
        "No measured force depends on the drives; none were fitted."
    );
    let note = NoteOfLog { file: Some("b.csv".into()), note: ProcessingNote::NoNoise.into() };
    let sentence = "b.csv: the spectra show no noise worth filtering: derivatives are taken unfiltered";
    assert_eq!(comparison_note(&ComparisonNote::Log(note.clone())), sentence);
    assert_eq!(identification_note(&IdentificationNote::Log(note)), sentence);
}
