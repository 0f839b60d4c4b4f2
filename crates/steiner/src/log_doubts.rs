//! What is wrong with logs, by an identification from them: its alarms, for those who only ask what logs excite.

use steiner_dynamics::Mechanism;
use steiner_identification::{Alarm, IdentificationError, LogDoubts, Settings, Source};
use steiner_robot::SensorSet;

use crate::identified::{identify_logs, noted_doubts};
use crate::recorded::{Logs, Watch};

/// The alarms of an identification from the logs with its defaults and the sensors `measure`: where the logs lack their
/// forces, those that were recorded have to do; without any, reading alone raises alarms. Where the defaults ask for more
/// unknowns than the logs have samples for, the parameters known by `asked` are taken as such.
pub(crate) fn log_doubts<'w>(
    mechanism: &Mechanism,
    asked: &Settings,
    measure: &Option<SensorSet>,
    logs: &Logs,
    watch: &dyn Fn() -> Watch<'w>,
) -> Result<LogDoubts, IdentificationError> {
    let measuring = |measure| Logs { measure, division: None, ..logs.clone() };
    let of = |logs: &Logs, settings: &Settings| {
        identify_logs(mechanism, logs, settings, watch()).map(|found| found.identification.alarms)
    };
    // The defaults of who identifies from a log, for whom friction is chosen.
    let usual = Settings { choose_friction: true, ..Settings::default() };
    let asked_for = measuring(measure.clone());
    let mut told = of(&asked_for, &usual);
    if let Err(IdentificationError::NotRecorded { .. }) = told {
        told = of(&measuring(None), &usual);
    }
    let is_final = |told: &Result<_, IdentificationError>| match told {
        Ok(_) => true,
        Err(error) => matches!(error, IdentificationError::Interrupted) || lacks_forces(error),
    };
    if !is_final(&told) {
        told = of(&asked_for, asked).or(told);
    }
    let refusal = match told {
        Ok(alarms) => return Ok(LogDoubts { alarms, refusal: None }),
        Err(IdentificationError::Interrupted) => return Err(IdentificationError::Interrupted),
        Err(error) => (!lacks_forces(&error)).then(|| error.to_string()),
    };
    let mut recorded = asked_for.open(mechanism, usual.friction(), watch())?;
    recorded.chunks(&mut |_| Ok(()))?;
    Ok(LogDoubts { alarms: Alarm::settled(noted_doubts(&recorded, &[]), Vec::new()), refusal })
}

fn lacks_forces(error: &IdentificationError) -> bool {
    matches!(error, IdentificationError::NotRecorded { .. } | IdentificationError::NoForces)
}
