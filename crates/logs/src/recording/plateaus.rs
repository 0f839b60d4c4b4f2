//! Forces that stand still while their joint moves: a frozen signal, or an amplifier at its limit.
//!
//! A measured force is never the same for long. Coarse steps make plateaus everywhere, a limit makes them at the
//! extremes alone, and a signal that froze has one while the joint goes on.

use super::columns::Columns;
use super::rows::Rows;
use crate::channels::Channels;
use crate::note::Suspicion;
use crate::signals::significant;

/// Equal samples in a row that are a plateau.
const PLATEAU: u64 = 5;
/// A limit holds this part of the samples at an extreme, at least…
const CLIPPED: f64 = 0.01;
/// …and this part of all plateaus.
const AT_EXTREMES: f64 = 0.5;
/// A signal that froze stands for this part of the samples, at least…
const FROZEN: f64 = 0.03;
/// …while the joint passes this part of its range.
const MOVES: f64 = 0.2;

/// Plateaus of one force.
#[derive(Clone, Debug)]
struct Plateaus {
    /// Its value now, for how many samples, and the range of the joint's position meanwhile.
    value: f64,
    run: u64,
    positions: (f64, f64),
    /// Least and greatest value, with the samples on plateaus there.
    least: (f64, u64),
    most: (f64, u64),
    /// Samples on all plateaus.
    all: u64,
    /// The longest plateau on which the joint moved: samples, and how far.
    longest: (u64, f64),
}

impl Plateaus {
    fn add(&mut self, force: f64, position: f64) {
        if force == self.value {
            self.run += 1;
            self.positions = (self.positions.0.min(position), self.positions.1.max(position));
            return;
        }
        self.end();
        (self.value, self.run, self.positions) = (force, 1, (position, position));
        if force < self.least.0 {
            self.least = (force, 0);
        }
        if force > self.most.0 {
            self.most = (force, 0);
        }
    }

    /// Counts the plateau that ends.
    fn end(&mut self) {
        if self.run < PLATEAU {
            return;
        }
        self.all += self.run;
        for extreme in [&mut self.least, &mut self.most] {
            if extreme.0 == self.value {
                extreme.1 += self.run;
            }
        }
        let moved = self.positions.1 - self.positions.0;
        if self.run > self.longest.0 && moved > 0.0 {
            self.longest = (self.run, moved);
        }
        self.run = 0;
    }
}

/// Plateaus of all forces of joints with one coordinate.
#[derive(Clone, Debug, Default)]
pub(crate) struct StandingForces {
    /// (column of the force, column of the position) with what was found.
    forces: Vec<((usize, usize), Plateaus)>,
    samples: u64,
}

impl StandingForces {
    pub(crate) fn new(channels: &Channels, columns: &Columns) -> Self {
        let places = columns.tau.iter().filter_map(|&(coordinate, force)| {
            let velocity = &channels.velocities[coordinate];
            let joint = channels.joint_of(velocity);
            let number = channels.number(velocity.joint, 0).filter(|_| joint.motion.is_single())?;
            Some((force, columns.q[number]))
        });
        let none = Plateaus {
            value: f64::NAN,
            run: 0,
            positions: (0.0, 0.0),
            least: (f64::INFINITY, 0),
            most: (f64::NEG_INFINITY, 0),
            all: 0,
            longest: (0, 0.0),
        };
        StandingForces { forces: places.map(|place| (place, none.clone())).collect(), samples: 0 }
    }

    pub(crate) fn add(&mut self, rows: &Rows) {
        for ((force, position), plateaus) in &mut self.forces {
            let (force, position) = (&rows.columns[*force], &rows.columns[*position]);
            force.iter().zip(position).for_each(|(force, position)| plateaus.add(*force, *position));
        }
        self.samples += rows.columns.first().map_or(0, |column| column.len() as u64);
    }

    /// What looks strange; `span` is the range of a column.
    pub(crate) fn suspicions(
        &self,
        channels: &Channels,
        columns: &Columns,
        span: impl Fn(usize) -> f64,
    ) -> Vec<Suspicion> {
        let mut out = Vec::new();
        for ((force, position), plateaus) in &self.forces {
            let mut plateaus = plateaus.clone();
            plateaus.end();
            let part = |samples: u64| samples as f64 / self.samples.max(1) as f64;
            let Some(&(coordinate, _)) = columns.tau.iter().find(|(_, slot)| slot == force) else { continue };
            let column = format!("tau_{}", channels.velocities[coordinate].name);
            // What is zero throughout is said elsewhere.
            if plateaus.least.0 == plateaus.most.0 {
                continue;
            }
            let extremes = plateaus.least.1 + plateaus.most.1;
            if part(extremes) >= CLIPPED && extremes as f64 >= AT_EXTREMES * plateaus.all as f64 {
                let at = if plateaus.most.1 >= plateaus.least.1 { plateaus.most } else { plateaus.least };
                out.push(Suspicion::Clipped { column, at: significant(at.0, 4), share: part(extremes) });
            } else if part(plateaus.longest.0) >= FROZEN && plateaus.longest.1 >= MOVES * span(*position) {
                out.push(Suspicion::Frozen { column, share: part(plateaus.longest.0) });
            }
        }
        out
    }
}
