//! Numbers that look like other units, joints that never move: said, not refused.

use super::columns::Columns;
use super::rows::Rows;
use crate::channels::{Channels, JointChannel, JointMotion};
use crate::signals::significant;

/// Least and greatest value of each column.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ranges {
    ranges: Vec<(f64, f64)>,
}

impl Ranges {
    pub(crate) fn add(&mut self, rows: &Rows) {
        self.ranges.resize(rows.columns.len(), (f64::INFINITY, f64::NEG_INFINITY));
        for (range, column) in self.ranges.iter_mut().zip(&rows.columns) {
            *range = column.iter().fold(*range, |(least, most), x| (least.min(*x), most.max(*x)));
        }
    }

    fn reach(&self, slot: usize) -> f64 {
        self.ranges.get(slot).map_or(0.0, |(least, most)| least.abs().max(most.abs()))
    }

    fn span(&self, slot: usize) -> f64 {
        self.ranges.get(slot).map_or(0.0, |(least, most)| most - least)
    }
}

/// Spans below this are those of a joint that stands still, rad or m.
const STILL: f64 = 1e-3;

/// What looks strange in the ranges of a log's columns.
pub(crate) fn suspicions(
    channels: &Channels,
    columns: &Columns,
    ranges: &Ranges,
    interval: Option<f64>,
) -> Vec<String> {
    let mut notes = Vec::new();
    let mut still = Vec::new();
    for (number, &slot) in channels.configuration.iter().zip(&columns.q) {
        let (name, joint) = (&number.name, channels.joint_of(number));
        if !joint.motion.is_single() {
            continue;
        }
        let reach = significant(ranges.reach(slot), 5);
        let ends = [joint.limits.lower, joint.limits.upper];
        let limit = ends.into_iter().flatten().fold(0.0, |most: f64, x| most.max(x.abs()));
        let limit = significant(limit, 5);
        if limit > 0.0 && reach > 3.0 * limit {
            let unit = if is_rotary(joint) { "degrees" } else { "millimetres" };
            notes.push(format!(
                "q_{name} reaches {reach}, its limit is {limit}: {unit}? a mapping file can give its unit"
            ));
        }
        if ranges.span(slot) < STILL {
            still.push(name.as_str());
        }
    }
    match still.len() {
        0 => {}
        1 => {
            notes.push(format!("q_{} never moves: the log cannot show what only its motion shows", still[0]))
        }
        _ => notes.push(format!(
            "{} never move: the log cannot show what only their motion shows",
            still.join(", ")
        )),
    }
    for (velocity, rate) in channels.velocities.iter().zip(&columns.rates) {
        let joint = channels.joint_of(velocity);
        if let (Some(slot), Some(limit), true) = (rate.qd, joint.limits.velocity, joint.motion.is_single())
            && limit > 0.0
            && ranges.reach(slot) > 10.0 * limit
        {
            let unit = if is_rotary(joint) { "degrees per second" } else { "millimetres per second" };
            let reach = significant(ranges.reach(slot), 5);
            notes.push(format!(
                "qd_{} reaches {reach}, its limit is {limit}: {unit}? a mapping file can give its unit",
                rate.name
            ));
        }
    }
    for &(coordinate, slot) in &columns.tau {
        let name = &columns.rates[coordinate].name;
        let joint = channels.joint_of(&channels.velocities[coordinate]);
        let (reach, limit) =
            (significant(ranges.reach(slot), 5), joint.limits.effort.filter(|limit| *limit > 0.0));
        let unit = if is_rotary(joint) { "N·mm, or a current in mA" } else { "mN, or a current in mA" };
        match limit {
            Some(limit) if reach > 10.0 * limit => {
                notes.push(format!("tau_{name} reaches {reach}, its limit is {limit}: {unit}? a mapping file can give its unit"));
            }
            None if reach > 1000.0 => {
                notes.push(format!("tau_{name} reaches {reach}: {unit}? a mapping file can give its unit"));
            }
            _ => {}
        }
        // What floats freely feels no force.
        if reach == 0.0 && joint.motion != JointMotion::Floating {
            notes.push(format!("tau_{name} is 0 throughout: was it recorded?"));
        }
    }
    if let Some(interval) = interval.filter(|interval| *interval > 0.5) {
        notes.push(format!("t goes in steps of {} s: milliseconds?", significant(interval, 4)));
    }
    notes
}

fn is_rotary(joint: &JointChannel) -> bool {
    joint.motion != JointMotion::Length
}
