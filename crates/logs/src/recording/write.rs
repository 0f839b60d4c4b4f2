//! Logs written: CSV to be read by people and any program, NPZ for long ones.

use std::fmt::Write;
use std::path::Path;

use steiner_files::write_atomically;

use super::{Recording, WrenchSignal};
use crate::channels::Channels;
use crate::error::LogError;
use crate::log::WRENCH;

impl Recording {
    /// Its columns by the names of the log format: `t`, `q_<joint>`, `qd_<joint>`, `qdd_<joint>`, `tau_<joint>` where forces were
    /// measured, `wrench_<link>_fx` … for contacts (`wrench_base_…` for the wrench from the ground, `wrench_<joint>_…` for sensors
    /// inside joints). Velocities and accelerations only if `rates`.
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
            add(wrench("base"), values);
        }
        for WrenchSignal { place, values } in self.contacts.iter().chain(&self.joint_wrenches) {
            add(wrench(place), values);
        }
        columns
    }

    /// Writes a log, CSV or NPZ by the ending of its name, to a temporary file first; see [`Recording::columns`].
    pub fn write(&self, channels: &Channels, path: &Path, rates: bool) -> Result<(), LogError> {
        let columns = self.columns(channels, rates);
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_lowercase();
        let contents = match ending.as_str() {
            "csv" => csv(&columns).into_bytes(),
            "npz" => npz(&columns),
            _ => return Err(LogError::UnknownEnding { file: path.display().to_string() }),
        };
        write_atomically(path, contents).map_err(|error| LogError::Unwritable {
            file: path.display().to_string(),
            reason: error.to_string(),
        })
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

/// A ZIP archive with one uncompressed array of doubles for each column, as `numpy.savez` makes it.
fn npz(columns: &[(String, Vec<f64>)]) -> Vec<u8> {
    let mut archive = Archive::default();
    for (name, values) in columns {
        let head = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({},), }}", values.len());
        // The numbers start at a multiple of 64; the last character of the head is a new line.
        let length = (10 + head.len() + 1).next_multiple_of(64) - 10;
        let mut member = b"\x93NUMPY\x01\x00".to_vec();
        member.extend((length as u16).to_le_bytes());
        member.extend(format!("{head:<width$}\n", width = length - 1).into_bytes());
        values.iter().for_each(|x| member.extend(x.to_le_bytes()));
        archive.add(&format!("{name}.npy"), &member);
    }
    archive.finish()
}

/// ZIP with 64-bit sizes throughout, so that long logs need no special case.
#[derive(Default)]
struct Archive {
    bytes: Vec<u8>,
    directory: Vec<u8>,
    members: u64,
}

/// Value of a 32-bit field whose true value is in the 64-bit extension.
const ELSEWHERE: u32 = u32::MAX;

impl Archive {
    fn add(&mut self, name: &str, data: &[u8]) {
        let (offset, size) = (self.bytes.len() as u64, data.len() as u64);
        // Version 4.5, no flags, stored, midnight of 1 January 1980.
        let mut common: Vec<u8> = Vec::new();
        [45u16, 0, 0, 0, 0x21].iter().for_each(|x| common.extend(x.to_le_bytes()));
        [crc32fast::hash(data), ELSEWHERE, ELSEWHERE].iter().for_each(|x| common.extend(x.to_le_bytes()));
        common.extend((name.len() as u16).to_le_bytes());
        let extension = |fields: &[u64]| {
            let mut extension: Vec<u8> = Vec::new();
            [1u16, 8 * fields.len() as u16].iter().for_each(|x| extension.extend(x.to_le_bytes()));
            fields.iter().for_each(|x| extension.extend(x.to_le_bytes()));
            extension
        };
        let local = extension(&[size, size]);
        self.bytes.extend(b"PK\x03\x04");
        self.bytes.extend(&common);
        self.bytes.extend((local.len() as u16).to_le_bytes());
        self.bytes.extend(name.as_bytes());
        self.bytes.extend(local);
        self.bytes.extend(data);
        let central = extension(&[size, size, offset]);
        self.directory.extend(b"PK\x01\x02");
        self.directory.extend(45u16.to_le_bytes());
        self.directory.extend(&common);
        self.directory.extend((central.len() as u16).to_le_bytes());
        // No remark, first disk, no attributes.
        self.directory.extend([0; 10]);
        self.directory.extend(ELSEWHERE.to_le_bytes());
        self.directory.extend(name.as_bytes());
        self.directory.extend(central);
        self.members += 1;
    }

    fn finish(mut self) -> Vec<u8> {
        let (start, size) = (self.bytes.len() as u64, self.directory.len() as u64);
        self.bytes.extend(&self.directory);
        let end = start + size;
        self.bytes.extend(b"PK\x06\x06");
        self.bytes.extend(44u64.to_le_bytes());
        [45u16, 45].iter().for_each(|x| self.bytes.extend(x.to_le_bytes()));
        self.bytes.extend([0; 8]);
        [self.members, self.members, size, start].iter().for_each(|x| self.bytes.extend(x.to_le_bytes()));
        self.bytes.extend(b"PK\x06\x07");
        self.bytes.extend(0u32.to_le_bytes());
        self.bytes.extend(end.to_le_bytes());
        self.bytes.extend(1u32.to_le_bytes());
        self.bytes.extend(b"PK\x05\x06");
        self.bytes.extend([0xFF; 16]);
        self.bytes.extend([0; 2]);
        self.bytes
    }
}
