//! Numbers that look like other units, joints that never move: said, not refused.

use super::columns::Columns;
use super::rest::STILL;
use super::rows::Rows;
use crate::channels::{Channels, JointChannel, JointMotion};
use crate::note::{LikelyUnit, Suspicion};
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

    pub(crate) fn span(&self, slot: usize) -> f64 {
        self.ranges.get(slot).map_or(0.0, |(least, most)| most - least)
    }
}

/// An angle beyond this, rad, is one of a joint that turns without end, or is no angle in radians.
const MANY_TURNS: f64 = 20.0;

/// What looks strange in the ranges of a log's columns.
pub(crate) fn suspicions(
    channels: &Channels,
    columns: &Columns,
    ranges: &Ranges,
    interval: Option<f64>,
) -> Vec<Suspicion> {
    let mut notes = positions(channels, columns, ranges);
    for (velocity, rate) in channels.velocities.iter().zip(&columns.rates) {
        let joint = channels.joint_of(velocity);
        if let (Some(slot), Some(limit), true) = (rate.qd, joint.limits.velocity, joint.motion.is_single())
            && limit > 0.0
            && ranges.reach(slot) > 10.0 * limit
        {
            notes.push(Suspicion::OtherUnit {
                column: format!("qd_{}", rate.name),
                reach: significant(ranges.reach(slot), 5),
                limit: Some(limit),
                unit: either(joint, LikelyUnit::DegreesPerSecond, LikelyUnit::MillimetresPerSecond),
            });
        }
    }
    for &(coordinate, slot) in &columns.tau {
        let velocity = &channels.velocities[coordinate];
        let (joint, column) = (channels.joint_of(velocity), format!("tau_{}", velocity.name));
        let reach = significant(ranges.reach(slot), 5);
        let limit = joint.limits.effort.filter(|limit| *limit > 0.0);
        if limit.map_or(reach > 1000.0, |limit| reach > 10.0 * limit) {
            let unit = either(joint, LikelyUnit::NewtonMillimetres, LikelyUnit::Millinewtons);
            notes.push(Suspicion::OtherUnit { column: column.clone(), reach, limit, unit });
        }
        // What floats freely, and what nothing drives, feels no force.
        if reach == 0.0 && joint.motion != JointMotion::Floating && !joint.passive {
            notes.push(Suspicion::NoForce { column });
        }
    }
    notes.extend(
        interval.filter(|interval| *interval > 0.5).map(|interval| Suspicion::LongSteps { interval }),
    );
    notes
}

fn positions(channels: &Channels, columns: &Columns, ranges: &Ranges) -> Vec<Suspicion> {
    let (mut notes, mut still) = (Vec::new(), Vec::new());
    for (number, &slot) in channels.configuration.iter().zip(&columns.q) {
        let joint = channels.joint_of(number);
        if !joint.motion.is_single() {
            continue;
        }
        let reach = significant(ranges.reach(slot), 5);
        let ends = [joint.limits.lower, joint.limits.upper];
        let limit = ends.into_iter().flatten().fold(0.0, |most: f64, x| most.max(x.abs()));
        let limit = significant(limit, 5);
        let known = (limit > 0.0).then_some(limit);
        let beyond = match (known, joint.motion) {
            (Some(limit), _) => reach > 3.0 * limit,
            (None, JointMotion::Angle) => reach > MANY_TURNS,
            _ => false,
        };
        if beyond {
            notes.push(Suspicion::OtherUnit {
                column: format!("q_{}", number.name),
                reach,
                limit: known,
                unit: either(joint, LikelyUnit::Degrees, LikelyUnit::Millimetres),
            });
        }
        if ranges.span(slot) < STILL {
            still.push(number.name.clone());
        }
    }
    if !still.is_empty() {
        notes.push(Suspicion::NeverMoves { joints: still });
    }
    notes
}

/// The one for what turns, or the one for what slides.
fn either(joint: &JointChannel, rotary: LikelyUnit, sliding: LikelyUnit) -> LikelyUnit {
    if joint.motion == JointMotion::Length { sliding } else { rotary }
}
