//! From logs to a model and its documents.

use serde_json::Value;
use steiner_dynamics::Mechanism;
use steiner_identification::{
    Alarm, Aligned, Identification, IdentificationError, IdentificationNote, NoteOfLog, ReadLog,
    RecordedLogs, ResidualHistory, Settings, identify_aligned, identify_from,
};
use steiner_report::{identification_html, identification_json, signals_json};

use crate::recorded::{Logs, Watch};

/// What was identified from logs.
pub struct FromLogs<'a> {
    /// The parameters with their uncertainties, and the model. Its notes begin with those of the logs.
    pub identification: Identification,
    recorded: RecordedLogs<'a>,
}

/// Identifies the parameters of a mechanism from logs. What is measured is for the logs to say; the settings'
/// own is not asked.
pub fn identify_logs<'a>(
    mechanism: &'a Mechanism,
    logs: &Logs,
    settings: &Settings,
    watch: Watch<'a>,
) -> Result<FromLogs<'a>, IdentificationError> {
    let mut recorded = logs.open(mechanism, settings.friction(), watch)?;
    let settings = Settings { measure: logs.measured(&mut recorded)?, ..settings.clone() };
    let mut identification = match logs.align {
        true => identify_aligned(mechanism, &mut recorded, &settings)?,
        false => identify_from(mechanism, &mut recorded, &settings)?,
    };
    let doubts = noted_doubts(&recorded, &identification.settings.unknown_gains);
    // An alarm about rates is the whole sentence; that of a unit stays a note, too.
    let told = |note: &&NoteOfLog| !matches!(Alarm::of_log(note), Some(Alarm::Rates { .. }));
    let notes = recorded.notes().iter().filter(told).cloned().map(IdentificationNote::Log);
    let notes = notes.chain(logs.load_notes(mechanism)).chain(logs.weigh(&identification)?);
    let repeats = recorded.held_out_repeats().map(|period| IdentificationNote::HeldOutRepeats { period });
    let notes: Vec<IdentificationNote> = notes.chain(repeats).collect();
    identification.notes.splice(0..0, notes);
    identification.alarms = Alarm::settled(doubts, std::mem::take(&mut identification.alarms));
    Ok(FromLogs { identification, recorded })
}

/// The doubts that reading the logs raises, whatever is identified from them. What was recorded of a joint with an
/// unknown gain has any unit.
pub(crate) fn noted_doubts(recorded: &RecordedLogs<'_>, unknown_gains: &[String]) -> Vec<Alarm> {
    let mut doubts: Vec<Alarm> = recorded.notes().iter().filter_map(Alarm::of_log).collect();
    let in_amperes = |column: &String| unknown_gains.iter().any(|joint| *column == format!("tau_{joint}"));
    doubts.retain(|alarm| !alarm.force_unit().is_some_and(in_amperes));
    doubts.extend(recorded.repeated().into_iter().map(Alarm::Repeated));
    doubts
}

impl FromLogs<'_> {
    /// What became of each log.
    pub fn read(&self) -> &[ReadLog] {
        self.recorded.read()
    }

    /// Measured and predicted forces over time; runs through the logs once more.
    pub fn residual_history(&mut self) -> Result<ResidualHistory, IdentificationError> {
        let mut source = Aligned::as_identified(&mut self.recorded, &self.identification);
        let history = ResidualHistory::of_identification(&self.identification, &mut source)?;
        Ok(history.with_filters(self.recorded.read()))
    }

    /// The whole answer for programs.
    pub fn document(&self) -> Value {
        let mut document = identification_json(&self.identification);
        document["settings"]["signals"] = signals_json(self.read());
        document
    }
}

/// A self-contained page about an identification; runs through its logs once more for the curves.
pub fn identification_page(
    identification: &Identification,
    logs: &Logs,
    watch: Watch<'_>,
) -> Result<String, IdentificationError> {
    let mechanism = identification.problem().mechanism();
    let mut recorded = logs.open(mechanism, identification.settings.friction(), watch)?;
    if let Some(trials) = &identification.cutoff_trials {
        recorded.set_cutoff(trials);
    }
    let mut source = Aligned::as_identified(&mut recorded, identification);
    let history = ResidualHistory::of_identification(identification, &mut source)?;
    let history = history.with_filters(recorded.read());
    Ok(identification_html(identification, &history))
}
