//! What a log excited: by its motion alone, and by what forces say of it.

use crate::support;
use steiner_identification::{
    Excitation, Problem, SensorFaults, Settings, Simulation, excitation_of, identify, simulate,
};
use steiner_logs::Recording;
use support::{mechanism, with_drives, zoo};

/// 1500 samples of sinusoids with the given frequencies, rad/s, without forces.
fn motion(frequencies: [f64; 6]) -> Recording {
    let mut recording = Recording { count: 1500, measured: vec![false; 6], ..Recording::default() };
    for k in 0..recording.count {
        let t = 0.004 * k as f64;
        recording.t.push(t);
        for w in frequencies {
            recording.q.push((w * t).sin());
            recording.qd.push(w * (w * t).cos());
            recording.qdd.push(-w * w * (w * t).sin());
        }
    }
    recording.tau = vec![0.0; 6 * recording.count];
    recording
}

fn names<'a>(problem: &'a Problem, excitation: &Excitation) -> Vec<&'a str> {
    excitation.weak.iter().map(|weak| problem.base_names()[weak.parameter]).collect()
}

#[test]
fn a_motion_of_one_joint_shows_little() {
    let settings = Settings { drives: false, ..Settings::default() };
    let problem = Problem::new(&mechanism("puma560"), &settings).unwrap();
    let show = |frequencies| excitation_of(&problem, &mut &motion(frequencies), &settings).unwrap();
    let all = show([0, 1, 2, 3, 4, 5].map(|j| 1.0 + 0.37 * f64::from(j)));
    assert_eq!((all.samples, all.held_out, all.rank), (1500, 0, 36));
    assert!(all.condition_number.is_finite() && all.unseen().is_empty());
    let one = show([0.0, 0.0, 2.0, 0.0, 0.0, 0.0]);
    assert!(one.rank < 20 && !one.unseen().is_empty() && one.condition_number.is_infinite());
}

#[test]
fn analysis_and_identification_judge_a_log_alike() {
    let arm = with_drives(zoo("ur5"));
    let faults = SensorFaults { relative_force: 0.02, ..SensorFaults::default() };
    let simulation = Simulation { duration: 10.0, rate: 200.0, faults, ..Simulation::default() };
    let log = simulate(&arm, &simulation).unwrap();
    for drives in [false, true] {
        let settings = Settings { drives, ..Settings::default() };
        let found = identify(&arm, &log, &settings).unwrap();
        let alone = excitation_of(found.problem(), &mut &log, &settings).unwrap();
        assert_eq!(alone.condition_number, found.excitation.condition_number);
        assert_eq!(alone.inflation, found.excitation.inflation);
        assert_eq!(names(found.problem(), &alone), found.weakly_excited());
    }
}

#[test]
fn a_parameter_known_to_be_zero_is_not_poorly_excited() {
    // Without friction in the robot, friction is identified as zero within its deviation.
    let arm = mechanism("ur5");
    let faults = SensorFaults { relative_force: 0.02, ..SensorFaults::default() };
    let simulation = Simulation { faults, ..Simulation::default() };
    let found = identify(&arm, &simulate(&arm, &simulation).unwrap(), &Settings::default()).unwrap();
    let zeros = found.parameters.iter().filter(|parameter| parameter.relative_sigma > 30.0);
    let zeros: Vec<&str> = zeros.map(|parameter| parameter.name.as_str()).collect();
    assert!(zeros.len() > 5, "{zeros:?}");
    assert!(found.weakly_excited().is_empty(), "{:?} of {zeros:?}", found.weakly_excited());
}

#[test]
fn a_joint_that_hardly_moves_is_poorly_excited() {
    let arm = with_drives(zoo("ur5"));
    let still = arm.robot().bodies[3].joint.name.clone();
    let faults = SensorFaults { relative_force: 0.02, ..SensorFaults::default() };
    let simulation =
        Simulation { rate: 200.0, duration: 10.0, still: vec![still.clone()], ..Simulation::default() };
    let mut log = simulate(&arm, &simulation).unwrap();
    // A slow drift instead of rest.
    let (dof, period) = (arm.dof(), 1.0 / simulation.rate);
    for k in 0..log.count {
        let t = k as f64 * period;
        log.q[dof * k + 3] += 1e-4 * (3.0 * t).sin();
        log.qd[dof * k + 3] = 3e-4 * (3.0 * t).cos();
        log.qdd[dof * k + 3] = -9e-4 * (3.0 * t).sin();
    }
    log = steiner_identification::simulate_along(&arm, log, &Simulation { faults, ..simulation }).unwrap();
    let found = identify(&arm, &log, &Settings::default()).unwrap();
    let weak = found.weakly_excited();
    for parameter in ["Ia", "fv"] {
        assert!(weak.contains(&format!("{still}.{parameter}").as_str()), "{parameter}: {weak:?}");
    }
}
