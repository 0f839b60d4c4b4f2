//! The names of a log's columns: families of joints, wrenches, and what belongs to nobody.

use steiner_files::close_name;

use crate::channels::Channels;
use crate::error::LogError;
use crate::log::WRENCH;
use crate::note::{LogNote, ReadingNote};

/// The names of a log's columns.
pub(crate) struct Table<'a> {
    pub(crate) names: &'a [String],
    pub(crate) file: &'a str,
    pub(crate) robot: &'a str,
}

impl Table<'_> {
    /// For each name the column `family_name`; where none of them is there, the
    /// columns of the array `family`.
    pub(crate) fn family(&self, family: &str, wanted: &[String]) -> Result<Vec<Option<usize>>, LogError> {
        let place = |name: &str| self.names.iter().position(|other| other == name);
        let named: Vec<Option<usize>> =
            wanted.iter().map(|name| place(&format!("{family}_{name}"))).collect();
        let found = self.names.iter().filter(|name| name.starts_with(&format!("{family}["))).count();
        let single = if wanted.len() == 1 { place(family) } else { None };
        if named.iter().any(Option::is_some) || (found == 0 && single.is_none()) {
            return Ok(named);
        }
        if single.is_some() {
            return Ok(vec![single]);
        }
        if found != wanted.len() {
            return Err(LogError::Width {
                file: self.file.to_owned(),
                name: family.to_owned(),
                found,
                robot: self.robot.to_owned(),
                wanted: wanted.len(),
                order: wanted.join(", "),
            });
        }
        Ok((0..found).map(|k| place(&format!("{family}[{k}]"))).collect())
    }

    pub(crate) fn wrenches(&self) -> Result<Vec<(String, [usize; 6])>, LogError> {
        let mut contacts: Vec<&str> = Vec::new();
        for name in self.names {
            let contact = name.strip_prefix("wrench_").and_then(|rest| rest.rsplit_once('_'));
            if let Some((contact, component)) = contact
                && WRENCH.contains(&component)
                && !contacts.contains(&contact)
            {
                contacts.push(contact);
            }
        }
        let columns = |contact: &str| -> Result<(String, [usize; 6]), LogError> {
            let mut columns = [0; 6];
            for (column, component) in columns.iter_mut().zip(WRENCH) {
                let wanted = format!("wrench_{contact}_{component}");
                let found = self.names.iter().position(|name| *name == wanted);
                *column = found.ok_or_else(|| LogError::Missing {
                    file: self.file.to_owned(),
                    column: wanted,
                    hint: Box::default(),
                    robot: format!("the wrench of {contact}"),
                    needed: WRENCH.join(", ").into(),
                    joint: None,
                })?;
            }
            Ok((contact.to_owned(), columns))
        };
        contacts.into_iter().map(columns).collect()
    }

    /// Columns that look like those of a joint the robot does not have, or whose force is not
    /// that of an independent coordinate.
    pub(crate) fn strangers(&self, channels: &Channels) -> Vec<LogNote> {
        let of_robot = |name: &str| {
            let (joint, component) = name.rsplit_once(':').unwrap_or((name, ""));
            channels.joints.iter().any(|known| {
                known.name == name || (known.name == joint && component.parse::<usize>().is_ok())
            })
        };
        let (mut foreign, mut dependent) = (Vec::new(), Vec::new());
        for name in self.names {
            let split = ["qdd_", "qd_", "tau_", "q_"].iter().find_map(|p| Some((*p, name.strip_prefix(p)?)));
            let Some((prefix, joint)) = split else { continue };
            let known = if prefix == "q_" { &channels.configuration } else { &channels.velocities };
            match known.iter().any(|other| other.name == joint) {
                true => {}
                false if channels.held.iter().any(|held| held == joint) => {}
                false if !of_robot(joint) => foreign.push(name.clone()),
                false if prefix == "tau_" => dependent.push(name.clone()),
                false => {}
            }
        }
        let mut notes = Vec::new();
        let file = self.file.to_owned();
        let forces: Vec<&str> =
            foreign.iter().map(String::as_str).filter(|name| name.starts_with("tau_")).collect();
        let driven = channels.velocities.iter().filter(|velocity| {
            let joint = &channels.joints[velocity.joint];
            joint.motion.is_single() && !joint.passive
        });
        let (there, missing): (Vec<String>, Vec<String>) = driven
            .map(|velocity| format!("tau_{}", velocity.name))
            .partition(|column| self.names.contains(column));
        if !there.is_empty() && !missing.is_empty() {
            let near = |column: &str| close_name(column, forces.iter().copied()).map(str::to_owned);
            let columns = missing.into_iter().map(|column| (near(&column), column));
            let columns = columns.map(|(near, column)| (column, near)).collect();
            notes.push(ReadingNote::MissingForces { file: file.clone(), columns }.into());
        }
        if !foreign.is_empty() {
            let (file, robot) = (file.clone(), self.robot.to_owned());
            notes.push(ReadingNote::NotOfRobot { file, columns: foreign, robot }.into());
        }
        if !dependent.is_empty() {
            let independent = channels.velocity_names();
            notes.push(ReadingNote::DependentForces { file, columns: dependent, independent }.into());
        }
        notes
    }
}
