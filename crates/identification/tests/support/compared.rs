//! Two robots compared with a log of one of them.

use steiner_dynamics::Mechanism;
use steiner_identification::{
    Contestant, RobotComparison, SensorFaults, Settings, Simulation, compare_robots, simulate,
};
use steiner_logs::Recording;
use steiner_robot::Robot;

/// A robot, ready to move.
pub(crate) fn mechanism(robot: Robot) -> Mechanism {
    Mechanism::new(robot).expect("a mechanism")
}

/// Ten seconds of its motion with noise in the torques, the last four tenths held out.
pub(crate) fn log(truth: &Mechanism, noise: f64) -> Recording {
    let faults = SensorFaults { relative_force: noise, ..SensorFaults::default() };
    let mut log =
        simulate(truth, &Simulation { duration: 10.0, rate: 100.0, faults, ..Simulation::default() })
            .expect("a log");
    log.hold_out(0.4);
    log
}

/// A.urdf and B.urdf, by the same log.
pub(crate) fn compare(a: &Mechanism, b: &Mechanism, log: &Recording, settings: &Settings) -> RobotComparison {
    compare_robots(
        Contestant { name: "A.urdf".to_owned(), mechanism: a, source: &mut &*log },
        Contestant { name: "B.urdf".to_owned(), mechanism: b, source: &mut &*log },
        settings,
    )
    .expect("a comparison")
}

/// The links of one robot with the joints, and so the drives, of another.
pub(crate) fn with_joints_of(robot: &Robot, right: &Robot) -> Robot {
    let mut robot = robot.clone().into_parts();
    for (body, right) in robot.bodies.iter_mut().zip(&right.bodies) {
        body.joint = right.joint.clone();
    }
    Robot::from_parts(robot).expect("a robot")
}
