//! Recordings from anywhere, checked before they are used.

use steiner_dynamics::Mechanism;
use steiner_logs::Recording;

use crate::failure::IdentificationError;

/// Checks that a recording has the sizes of a mechanism, and that every number is finite.
pub(crate) fn check(recording: &Recording, mechanism: &Mechanism) -> Result<(), IdentificationError> {
    let dof = mechanism.dof();
    let mut arrays: Vec<(String, &[f64], usize)> = vec![
        ("q".to_owned(), &recording.q, mechanism.configuration_size()),
        ("qd".to_owned(), &recording.qd, dof),
        ("qdd".to_owned(), &recording.qdd, dof),
        ("tau".to_owned(), &recording.tau, dof),
    ];
    if !recording.t.is_empty() {
        arrays.push(("t".to_owned(), &recording.t, 1));
    }
    if let Some(values) = &recording.base_wrench {
        arrays.push(("base_wrench".to_owned(), values, 6));
    }
    for signal in recording.joint_wrenches.iter().chain(&recording.contacts) {
        arrays.push((format!("wrench_{}", signal.place), &signal.values, 6));
    }
    for signal in &recording.friction {
        arrays.push(("friction".to_owned(), &signal.values, 1));
    }
    for (what, values, width) in arrays {
        let (found, wanted) = (values.len(), recording.count * width);
        if found != wanted {
            return Err(IdentificationError::Shape { what, found, count: recording.count, width, wanted });
        }
        // Without a way out of the loop the test runs in lanes.
        if !values.iter().fold(true, |finite, x| finite & x.is_finite()) {
            let at = values.iter().position(|x| !x.is_finite()).unwrap_or_default();
            return Err(IdentificationError::NotFinite { what, sample: at / width.max(1) });
        }
    }
    if recording.measured.len() != dof {
        let (what, found) = ("measured".to_owned(), recording.measured.len());
        return Err(IdentificationError::Shape { what, found, count: 1, width: dof, wanted: dof });
    }
    if !recording.rest.is_empty() && recording.rest.len() != dof {
        let (what, found) = ("rest".to_owned(), recording.rest.len());
        return Err(IdentificationError::Shape { what, found, count: 1, width: dof, wanted: dof });
    }
    let mut end = 0;
    for part in &recording.parts {
        if part.samples.start < end
            || part.samples.end < part.samples.start
            || part.samples.end > recording.count
        {
            return Err(IdentificationError::Setting {
                what: "a part of the log".to_owned(),
                value: format!("{}..{}", part.samples.start, part.samples.end),
                remedy: format!("parts follow each other within the {} samples", recording.count),
            });
        }
        end = part.samples.end;
    }
    Ok(())
}
