//! Logs written: CSV to be read by people and any program, NPZ for long ones.

use std::fmt::Write;
use std::path::Path;

use steiner_files::write_atomically;

use super::{Recording, WrenchSignal};
use crate::channels::Channels;
use crate::error::LogError;
use crate::log::WRENCH;

impl Recording {
    /// Its columns by the names of the log format: `t`, `q_<joint>`, `qd_<joint>`, `qdd_<joint>`,
    /// `tau_<joint>` where forces were measured, `wrench_<link>_fx` … for contacts (`wrench_base_…` for
    /// the wrench from the ground, `wrench_<joint>_…` for sensors inside joints). Velocities and
    /// accelerations only if `rates`.
    pub fn columns(&self, channels: &Channels, rates: bool) -> Vec<(String, Vec<f64>)> {
        let mut columns = Vec::new();
        if !self.t.is_empty() {
            columns.push(("t".to_owned(), self.t.clone()));
        }
        let mut add = |names: Vec<String>, values: &[f64]| {
            let width = names.len();
            for (k, name) in names.into_iter().enumerate().filter(|(_, name)| !name.is_empty()) {
                columns.push((name, values.iter().skip(k).step_by(width).copied().collect()));
            }
        };
        let prefixed = |prefix: &str, names: Vec<String>| -> Vec<String> {
            names.into_iter().map(|name| format!("{prefix}_{name}")).collect()
        };
        add(prefixed("q", channels.configuration_names()), &self.q);
        if rates {
            add(prefixed("qd", channels.velocity_names()), &self.qd);
            add(prefixed("qdd", channels.velocity_names()), &self.qdd);
        }
        let forces = prefixed("tau", channels.velocity_names()).into_iter().zip(&self.measured);
        add(forces.map(|(name, measured)| if *measured { name } else { String::new() }).collect(), &self.tau);
        let wrench = |place: &str| WRENCH.map(|part| format!("wrench_{place}_{part}")).to_vec();
        if let Some(values) = &self.base_wrench {
            // The wrench on a link of that name would be read as one in the link's axes.
            let place = if channels.links.iter().any(|link| link == "base") { "base@base" } else { "base" };
            add(wrench(place), values);
        }
        for WrenchSignal { place, values } in self.contacts.iter().chain(&self.joint_wrenches) {
            add(wrench(place), values);
        }
        columns
    }

    /// Writes a log, CSV or NPZ by the ending of its name, to a temporary file
    /// first; see [`Recording::columns`].
    pub fn write(&self, channels: &Channels, path: &Path, rates: bool) -> Result<(), LogError> {
        let columns = self.columns(channels, rates);
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_lowercase();
        let file = path.display().to_string();
        let written = match ending.as_str() {
            "csv" => write_atomically(path, csv(&columns)).map_err(|error| error.to_string()),
            #[cfg(feature = "npz")]
            "npz" => super::npz::write_npz(path, &columns).map_err(|error| error.to_string()),
            #[cfg(not(feature = "npz"))]
            "npz" => {
                return Err(LogError::Unsupported {
                    file,
                    what: "an NPZ file, which this build of Steiner cannot write".to_owned(),
                    remedy: "build it with the Cargo feature `npz`, or let the name end in .csv".to_owned(),
                });
            }
            _ => return Err(LogError::UnknownEnding { file }),
        };
        written.map_err(|reason| LogError::Unwritable { file, reason })
    }
}

/// Names, then numbers with all their digits.
fn csv(columns: &[(String, Vec<f64>)]) -> String {
    let names: Vec<&str> = columns.iter().map(|(name, _)| name.as_str()).collect();
    let rows = columns.first().map_or(0, |(_, values)| values.len());
    let mut text = names.join(",") + "\n";
    for row in 0..rows {
        for (k, (_, values)) in columns.iter().enumerate() {
            let separator = if k == 0 { "" } else { "," };
            // Writing to a string cannot fail.
            let _ = write!(text, "{separator}{}", values[row]);
        }
        text.push('\n');
    }
    text
}
