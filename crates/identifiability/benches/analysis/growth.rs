//! How times grow with the number of bodies: between two rows, the exponent p of time ∝ bodies^p. Fastest
//! calls, for what interrupts the others doesn't grow.

use std::error::Error;

use steiner_dynamics::Mechanism;
use steiner_identifiability::{
    Measurement, NumericOptions, TetrahedralModel, drng, numeric_nullspace, rpna, structural_nullspace,
};
use steiner_robot::Robot;

use crate::clock::{Call, Clock, call, duration};
use crate::robots::{Shape, tree};
use crate::table::Table;

/// What grows, and for which numbers of bodies.
struct Growth {
    title: &'static str,
    sizes: &'static [usize],
    needs_mechanism: bool,
    call: fn(&Subject) -> Call<'_>,
}

/// A robot as the methods want it. DRNG needs no mechanism, whose tables grow with the depth of every body.
struct Subject {
    robot: Robot,
    model: TetrahedralModel,
    mechanism: Option<Mechanism>,
}

const GROWTHS: [Growth; 6] = [
    Growth {
        title: "DRNG",
        sizes: &[10, 100, 1000, 10_000],
        needs_mechanism: false,
        call: |of| call(|| drng(&of.model)),
    },
    Growth {
        title: "DRNG's model from the robot",
        sizes: &[10, 100, 1000, 10_000],
        needs_mechanism: false,
        call: |of| call(|| TetrahedralModel::from_robot(&of.robot)),
    },
    Growth {
        title: "RPNA",
        sizes: &[10, 30, 100, 300, 1000],
        needs_mechanism: true,
        call: |of| with_mechanism(of, |mechanism| drop(rpna(mechanism, &Measurement::all()))),
    },
    Growth {
        title: "certified (auto)",
        sizes: &[5, 10, 20, 40],
        needs_mechanism: true,
        call: |of| with_mechanism(of, |mechanism| drop(structural_nullspace(mechanism, &Measurement::all()))),
    },
    Growth {
        title: "numeric",
        sizes: &[5, 10, 20, 40],
        needs_mechanism: true,
        call: |of| {
            with_mechanism(of, |mechanism| {
                drop(numeric_nullspace(mechanism, &Measurement::all(), &NumericOptions::default()));
            })
        },
    },
    Growth {
        title: "making the mechanism",
        sizes: &[10, 100, 300, 1000, 3000],
        needs_mechanism: false,
        call: |of| call(|| Mechanism::new(of.robot.clone())),
    },
];

fn with_mechanism(of: &Subject, work: fn(&Mechanism)) -> Call<'_> {
    call(move || of.mechanism.as_ref().map(work))
}

/// One table for each.
pub(crate) fn tables(clock: &Clock) -> Result<Vec<Table>, Box<dyn Error>> {
    GROWTHS.iter().map(|growth| growth.table(clock)).collect()
}

impl Growth {
    fn table(&self, clock: &Clock) -> Result<Table, Box<dyn Error>> {
        let mut table = Table::new(
            format!("**Growth: {}**, fastest calls", self.title),
            0,
            &["bodies", "bush", "exponent", "chain", "exponent"],
        );
        let subject = |&bodies: &usize, shape: Shape| -> Result<Subject, Box<dyn Error>> {
            let robot = tree(bodies, shape)?;
            let model = TetrahedralModel::from_robot(&robot)?;
            let mechanism = match self.needs_mechanism {
                true => Some(Mechanism::new(robot.clone())?),
                false => None,
            };
            Ok(Subject { robot, model, mechanism })
        };
        let mut subjects = Vec::new();
        for bodies in self.sizes {
            for shape in Shape::BOTH {
                subjects.push(subject(bodies, shape)?);
            }
        }
        let calls: Vec<Call> = subjects.iter().map(self.call).collect();
        let times: Vec<f64> = clock.times(&calls).iter().map(|time| time.fastest).collect();
        for (row, bodies) in self.sizes.iter().enumerate() {
            let mut cells = vec![bodies.to_string()];
            for shape in 0..2 {
                let time = times[2 * row + shape];
                let exponent = row.checked_sub(1).map(|before| {
                    let longer = time / times[2 * before + shape];
                    longer.ln() / (*bodies as f64 / self.sizes[before] as f64).ln()
                });
                cells.push(duration(time));
                cells.push(exponent.map_or(String::new(), |p| format!("{p:.2}")));
            }
            table.push(cells);
        }
        Ok(table)
    }
}
