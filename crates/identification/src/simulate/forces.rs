//! Forces and wrenches along a motion.

use steiner_dynamics::{Feasible, Mechanism, SampleMemory};
use steiner_identifiability::{MeasuredRow, Measurement};
use steiner_linalg::elimination::Matrix;
use steiner_linalg::{Stream, Vec3};
use steiner_logs::{Recording, WrenchSignal};
use steiner_robot::{Pose, Sensor, SensorSet};

use super::fourier::{Fourier, Range};
use super::{ContactWrench, SimulatedContact, Simulation};
use crate::drive_forces::{DriveForces, independent};
use crate::failure::IdentificationError;
use crate::problem::{States, floating_root, link_in_body, moved, prior_of, reduced};

/// Harmonics of contact wrenches.
const HARMONICS: usize = 4;

/// Writes generalised forces, and wrenches as they are asked for.
pub(super) fn record(
    mechanism: &Mechanism,
    simulation: &Simulation,
    data: &mut Recording,
    random: &mut Stream,
) -> Result<(), IdentificationError> {
    let period = data.period().unwrap_or(1e-3) * data.count as f64;
    let applied = contact_wrenches(simulation, period.min(10.0), random);
    let links = simulation
        .contacts
        .iter()
        .map(|contact| link_in_body(mechanism, &contact.link))
        .collect::<Result<Vec<_>, _>>()?;
    let coupled = simulation.coupled_drives.as_slice();
    let drives = DriveForces::of(mechanism, simulation.drives, simulation.dry_friction, coupled)?;
    let sensors = Sensors::new(mechanism, simulation)?;
    // What a plate under a floating robot shows is all that acts on it; what no contact exerts acts on its root.
    let mut ground =
        floating_root(mechanism).filter(|_| simulation.base_wrench).map(|root| (root, Vec::new()));
    let mut memory = SampleMemory::new(mechanism);
    let mut states = States::new(mechanism);
    let mut contacts: Vec<WrenchSignal> = simulation
        .contacts
        .iter()
        .map(|contact| WrenchSignal {
            place: contact.link.clone(),
            values: Vec::with_capacity(6 * data.count),
        })
        .collect();
    let mut tau = vec![0.0; mechanism.tree_dof()];
    let mut all = Vec::with_capacity(data.count * mechanism.dof());
    let mut wrenches: Vec<Vec<f64>> = vec![Vec::new(); sensors.measurements.len()];
    for sample in 0..data.count {
        let (q, state) = states.at(data, sample)?;
        let tree = mechanism.tree();
        mechanism.tree_forces(&state, &mut memory, &mut tau);
        let by_load = drives.friction_by_load(&state, |rotors| {
            let load: Vec<f64> = tau.iter().zip(rotors).map(|(a, b)| a + b).collect();
            independent(&state, &load)
        });
        drives.add_rest(q, &state, &mut tau);
        let t = data.t.get(sample).copied().unwrap_or(sample as f64 * 1e-3);
        for (k, wrench) in applied.iter().enumerate() {
            let own = match wrench.is_empty() {
                false => std::array::from_fn(|i| wrench[i].at(t)[0]),
                true => carrying(mechanism, &state, &tau, links[k]).ok_or_else(not_carried)?,
            };
            contacts[k].values.extend(own);
            subtract_contact(mechanism, &state, links[k], &own, &mut tau);
        }
        if let Some((root, values)) = &mut ground {
            let rest =
                carrying(mechanism, &state, &tau, (*root, Pose::identity())).ok_or_else(not_carried)?;
            subtract_contact(mechanism, &state, (*root, Pose::identity()), &rest, &mut tau);
            let world = tree.world_poses(&state.poses);
            let acting =
                links.iter().zip(&contacts).map(|(link, signal)| (link, &signal.values[6 * sample..]));
            let mut total = [0.0; 6];
            for ((body, place), w) in acting.chain([(&(*root, Pose::identity()), &rest[..])]) {
                let at = world[tree.segment_of_body[*body]].then(place);
                let [force, torque] = moved([Vec3([w[0], w[1], w[2]]), Vec3([w[3], w[4], w[5]])], &at);
                (0..3)
                    .for_each(|i| (total[i], total[3 + i]) = (total[i] + force[i], total[3 + i] + torque[i]));
            }
            values.extend(total);
        }
        for (values, (measurement, parameters)) in wrenches.iter_mut().zip(&sensors.measurements) {
            let mut felt = measurement.rows(mechanism, tree, &state, &[])?.apply(parameters);
            let acting =
                links.iter().zip(&contacts).map(|(link, signal)| (link, &signal.values[6 * sample..]));
            relieve(mechanism, measurement, &state, acting, &mut felt);
            values.extend(felt);
        }
        let forces = independent(&state, &tau);
        all.extend(forces.iter().zip(by_load.into_iter().chain(std::iter::repeat(0.0))).map(|(f, x)| f + x));
    }
    data.tau = all;
    data.contacts = contacts;
    data.base_wrench = ground.map(|(_, values)| values);
    for (place, values) in sensors.places.into_iter().zip(wrenches) {
        match place {
            None => data.base_wrench = Some(values),
            Some(place) => data.joint_wrenches.push(WrenchSignal { place, values }),
        }
    }
    Ok(())
}

/// The six components of each contact wrench as Fourier series; none for a contact that carries the robot.
fn contact_wrenches(simulation: &Simulation, period: f64, random: &mut Stream) -> Vec<Vec<Fourier>> {
    let component = |distance: f64, random: &mut Stream| {
        let free = f64::INFINITY;
        let range = Range { centre: 0.0, distance, speed: free, acceleration: free };
        Fourier::within(&range, 1.0, HARMONICS, period, random)
    };
    let wrench = |contact: &SimulatedContact| match contact.wrench {
        ContactWrench::Random { force, torque } => {
            (0..6).map(|k| component(if k < 3 { force } else { torque }, random)).collect()
        }
        ContactWrench::Carries => Vec::new(),
    };
    simulation.contacts.iter().map(wrench).collect()
}

/// Takes the wrenches of contacts (link, then force and torque on it) off what a sensor feels.
fn relieve<'c>(
    mechanism: &Mechanism,
    measurement: &Measurement,
    state: &Feasible<f64>,
    contacts: impl Iterator<Item = (&'c (usize, Pose<f64>), &'c [f64])>,
    felt: &mut [f64],
) {
    let tree = mechanism.tree();
    let world = tree.world_poses(&state.poses);
    let row = measurement.measured_rows(mechanism)[0];
    let bodies = measurement.felt(mechanism, row);
    let frame = match row {
        MeasuredRow::JointWrench { body, .. } => world[tree.segment_of_body[body]].inverse(),
        _ => Pose::identity(),
    };
    for ((body, place), w) in contacts.filter(|((body, _), _)| bodies.contains(body)) {
        let at = frame.then(&world[tree.segment_of_body[*body]]).then(place);
        let [force, torque] = moved([Vec3([w[0], w[1], w[2]]), Vec3([w[3], w[4], w[5]])], &at);
        (0..3).for_each(|i| felt[i] -= force[i]);
        (0..3).for_each(|i| felt[3 + i] -= torque[i]);
    }
}

/// Wrench sensors: a measurement each, with the parameters it speaks of.
struct Sensors {
    /// `None` is the ground.
    places: Vec<Option<String>>,
    measurements: Vec<(Measurement, Vec<f64>)>,
}

impl Sensors {
    fn new(mechanism: &Mechanism, simulation: &Simulation) -> Result<Self, IdentificationError> {
        let mut out = Sensors { places: Vec::new(), measurements: Vec::new() };
        let ground = (simulation.base_wrench && floating_root(mechanism).is_none()).then_some(None);
        for place in ground.into_iter().chain(simulation.joint_wrenches.iter().cloned().map(Some)) {
            let sensor = place.clone().map_or(Sensor::BaseWrench, Sensor::JointWrench);
            let measurement = Measurement::new(&SensorSet::new(vec![sensor]), mechanism)?;
            if measurement.measured_rows(mechanism).len() != 6 {
                return Err(IdentificationError::Setting {
                    what: "a wrench sensor".to_owned(),
                    value: place.unwrap_or_else(|| "at the base".to_owned()),
                    remedy: "ask for one inside a joint, or at the base".to_owned(),
                });
            }
            let parameters = prior_of(mechanism, &measurement);
            out.places.push(place);
            out.measurements.push((measurement, parameters));
        }
        Ok(out)
    }
}

/// Velocities of the tree that carry a link, with the power of a wrench on it per unit of each.
fn powers(
    mechanism: &Mechanism,
    state: &Feasible<f64>,
    (body, frame): (usize, Pose<f64>),
    wrench: &[f64; 6],
) -> Vec<(usize, f64)> {
    let tree = mechanism.tree();
    let segment = tree.segment_of_body[body];
    let [fx, fy, fz, tx, ty, tz] = *wrench;
    let [force, torque] = moved([Vec3([fx, fy, fz]), Vec3([tx, ty, tz])], &frame);
    let lines = &tree.jacobian(&state.poses)[segment];
    let power = lines.iter().map(|line| force.dot(line.linear) + torque.dot(line.angular));
    tree.ancestry[segment].iter().copied().zip(power).collect()
}

fn subtract_contact(
    mechanism: &Mechanism,
    state: &Feasible<f64>,
    link: (usize, Pose<f64>),
    wrench: &[f64; 6],
    tau: &mut [f64],
) {
    powers(mechanism, state, link, wrench).into_iter().for_each(|(k, power)| tau[k] -= power);
}

fn not_carried() -> IdentificationError {
    IdentificationError::NoMotion {
        what: "contact that carries the robot".to_owned(),
        why: "it has no floating root, or the link does not move with it".to_owned(),
        remedy: "let a contact carry a robot that floats".to_owned(),
    }
}

/// The wrench on a link that leaves nothing for the floating root; `None` if there is none.
fn carrying(
    mechanism: &Mechanism,
    state: &Feasible<f64>,
    tau: &[f64],
    link: (usize, Pose<f64>),
) -> Option<[f64; 6]> {
    let first = mechanism.robot().velocity_offsets()[floating_root(mechanism)?];
    let rows: Vec<usize> = (first..first + 6)
        .map(|k| mechanism.plan().independent.iter().position(|&i| i == k))
        .collect::<Option<_>>()?;
    let mut matrix = Matrix::<f64>::zeros(6, 7);
    for c in 0..6 {
        let mut unit = [0.0; 6];
        unit[c] = 1.0;
        for (k, power) in powers(mechanism, state, link, &unit) {
            (0..6).for_each(|r| matrix[(r, c)] += reduced(state, k, rows[r]) * power);
        }
    }
    for r in 0..6 {
        matrix[(r, 6)] = (0..tau.len()).map(|k| reduced(state, k, rows[r]) * tau[k]).sum();
    }
    let solved = steiner_linalg::elimination::reduce(matrix, 6, 1e-12);
    if solved.rank() < 6 {
        return None;
    }
    let mut out = [0.0; 6];
    solved.pivots.iter().enumerate().for_each(|(r, &c)| out[c] = solved.reduced[(r, 6)]);
    Some(out)
}
