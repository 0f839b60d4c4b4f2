//! Recorded velocities and accelerations that are not the rates of the positions: what they look like is said.

use std::f64::consts::PI;

use steiner_dynamics::Mechanism;
use steiner_formats::{Format, ReadOptions, assemble, parse_text};
use steiner_identification::channels;
use steiner_linalg::{Mat3, Stream, Vec3};
use steiner_logs::{
    Channels, Cutoff, Log, LogNote, Processing, RateDisagreement, RateFault, Recording, Suspicion,
};
use steiner_report::log_note;

const BODY: &str =
    "[[body]]\nname = \"body\"\nparent = \"base\"\njoint = \"floating\"\ninertia = { mass = 1 }\n";
const ARM: &str = "[[body]]\nname = \"arm\"\nparent = \"base\"\njoint = \"revolute\"\naxis = [0, 1, 0]\ninertia = { mass = 1 }\n";

fn native(text: &str) -> Channels {
    let options = ReadOptions::default();
    let description = parse_text(text, "robot.toml", Format::Toml, None, &options).unwrap();
    channels(&Mechanism::new(assemble(description, &options).unwrap()).unwrap())
}

/// What a log says of its rates.
fn disagreements(robot: &str, columns: Vec<(String, Vec<f64>)>) -> Vec<RateDisagreement> {
    let log = Log::from_columns("log", columns).unwrap();
    let recording = Recording::of(&native(robot), &log, &Processing::default()).unwrap();
    let rates = |note: &LogNote| match note {
        LogNote::Suspicion(Suspicion::Rates(rates)) => Some(rates.clone()),
        _ => None,
    };
    recording.notes.iter().filter_map(rates).collect()
}

fn even(count: usize, rate: f64) -> Vec<f64> {
    (0..count).map(|k| k as f64 / rate).collect()
}

/// A swinging arm with its rates, each from a time of its own and with noise of its own.
fn arm(late: [f64; 2], factor: [f64; 2], noise: [f64; 3]) -> Vec<(String, Vec<f64>)> {
    let times = even(20_000, 1000.0);
    let (a, b) = (2.0 * PI * 0.7, 2.0 * PI * 1.9);
    let mut random = Stream::new(3);
    let mut column = |of: &dyn Fn(f64) -> f64, late: f64, factor: f64, sigma: f64| {
        times.iter().map(|t| factor * of(t - late) + sigma * random.normal()).collect::<Vec<f64>>()
    };
    let q = column(&|t| (a * t).sin() + 0.2 * (b * t).cos(), 0.0, 1.0, noise[0]);
    let qd = column(&|t| a * (a * t).cos() - 0.2 * b * (b * t).sin(), late[0], factor[0], noise[1]);
    let slope = |t: f64| -a * a * (a * t).sin() - 0.2 * b * b * (b * t).cos();
    let qdd = column(&slope, late[1], factor[1], noise[2]);
    vec![
        ("t".to_owned(), times.clone()),
        ("q_arm".to_owned(), q),
        ("qd_arm".to_owned(), qd),
        ("qdd_arm".to_owned(), qdd),
    ]
}

#[test]
fn right_rates_are_not_doubted() {
    for noise in [[0.0; 3], [1e-4, 1e-2, 0.5], [1e-3, 0.05, 5.0], [1e-3, 0.5, 0.0]] {
        assert_eq!(disagreements(ARM, arm([0.0; 2], [1.0; 2], noise)), [], "{noise:?}");
    }
    // A joint at rest has noise alone.
    let mut still = arm([0.0; 2], [0.0; 2], [0.0, 1e-3, 0.5]);
    let mut random = Stream::new(8);
    still[1].1.iter_mut().for_each(|q| *q = 0.3 + 1e-4 * random.normal());
    assert_eq!(disagreements(ARM, still), []);
}

#[test]
fn late_velocities_are_named_with_their_lag() {
    for (milliseconds, noise) in [(0.4, 0.0), (1.7, 1e-4), (5.3, 1e-4), (-2.0, 0.0)] {
        let lag = 1e-3 * milliseconds;
        let found = disagreements(ARM, arm([lag, lag], [1.0; 2], [noise, 10.0 * noise, 0.0]));
        let [RateDisagreement { columns, fault: RateFault::Late { seconds }, .. }] = &found[..] else {
            panic!("{milliseconds}: {found:?}")
        };
        assert_eq!(columns[..], ["qd_arm"]);
        assert!((seconds - lag).abs() < 0.05 * lag.abs(), "{milliseconds}: {seconds}");
    }
    let found = disagreements(ARM, arm([0.0, 0.004], [1.0; 2], [0.0; 3]));
    assert!(found[0].acceleration && matches!(found[0].fault, RateFault::Late { .. }), "{found:?}");
    let words = log_note(&Suspicion::Rates(found[0].clone()).into());
    assert!(
        words.starts_with("qdd_arm: the recorded accelerations differ from the rates of the velocities by")
            && words.contains("they come 4 ms too late"),
        "{words}"
    );
}

#[test]
fn signs_units_and_strange_columns_are_named() {
    for factor in [-1.0, 180.0 / PI, 1.05] {
        let found = disagreements(ARM, arm([0.0; 2], [factor, factor], [1e-4, 1e-3, 0.0]));
        let [RateDisagreement { fault: RateFault::Factor { factor: seen }, acceleration: false, .. }] =
            found[..]
        else {
            panic!("{factor}: {found:?}")
        };
        assert!((seen - factor).abs() < 0.01 * factor.abs(), "{seen}");
    }
    for factor in [0.0, 1.0] {
        let mut strange = arm([0.0; 2], [1.0, 1.0], [0.0; 3]);
        strange[2].1.iter_mut().enumerate().for_each(|(k, v)| *v = factor * (0.01 * k as f64).sin());
        let found = disagreements(ARM, strange);
        assert_eq!(found[0].fault, RateFault::Unexplained, "{found:?}");
        assert!(found[0].matters() && found[0].is_serious());
    }
}

/// How a floating body was recorded.
#[derive(Clone, Copy, Default)]
struct Recorded {
    wxyz: bool,
    world_velocity: bool,
    world_acceleration: bool,
    point: bool,
    accelerometer: bool,
    late: f64,
}

/// A body that flies in loops: turned by t about z, then by sin t about its own x.
fn body(how: Recorded) -> Vec<(String, Vec<f64>)> {
    let times = even(4000, 200.0);
    let quaternion = |t: f64| {
        let ((sz, cz), (sx, cx)) = ((0.5 * t).sin_cos(), (0.5 * t.sin()).sin_cos());
        [cz * sx, sz * sx, sz * cx, cz * cx]
    };
    let rotation = |t: f64| {
        let [x, y, z, w] = quaternion(t);
        Mat3::from_quaternion(w, Vec3([x, y, z]))
    };
    let position = |t: f64| [(1.3 * t).cos(), 0.7 * t.sin(), 0.5 * (2.0 * t).sin()];
    let rate = |t: f64| Vec3([-1.3 * (1.3 * t).sin(), 0.7 * t.cos(), (2.0 * t).cos()]);
    let second = |t: f64| Vec3([-1.69 * (1.3 * t).cos(), -0.7 * t.sin(), -2.0 * (2.0 * t).sin()]);
    // R = Rz(t) Rx(sin t): ω = (cos t, sin(sin t), cos(sin t)) in body axes.
    let spin = |t: f64| Vec3([t.cos(), t.sin().sin(), t.sin().cos()]);
    let spin_rate = |t: f64| Vec3([-t.sin(), t.sin().cos() * t.cos(), -t.sin().sin() * t.cos()]);
    let velocity = |t: f64| {
        let linear = if how.world_velocity { rate(t) } else { rotation(t).apply_transposed(rate(t)) };
        [linear.0, spin(t).0].concat()
    };
    let acceleration = |t: f64| {
        let gravity = Vec3([0.0, 0.0, if how.accelerometer { 9.81 } else { 0.0 }]);
        let point = rotation(t).apply_transposed(second(t) + gravity);
        let body = point - spin(t).cross(rotation(t).apply_transposed(rate(t)));
        let linear = match (how.world_acceleration, how.point || how.accelerometer) {
            (true, _) => second(t),
            (_, true) => point,
            _ => body,
        };
        [linear.0, spin_rate(t).0].concat()
    };
    let mut columns = vec![("t".to_owned(), times.clone())];
    let mut add = |name: String, of: &dyn Fn(f64) -> f64| {
        columns.push((name, times.iter().map(|t| of(*t)).collect()));
    };
    for k in 0..7 {
        let order = if how.wxyz { [3, 0, 1, 2] } else { [0, 1, 2, 3] };
        add(format!("q_body:{k}"), &|t| if k < 3 { position(t)[k] } else { quaternion(t)[order[k - 3]] });
    }
    (0..6).for_each(|k| add(format!("qd_body:{k}"), &|t| velocity(t - how.late)[k]));
    (0..6).for_each(|k| add(format!("qdd_body:{k}"), &|t| acceleration(t - how.late)[k]));
    columns
}

/// The columns and what they look like.
fn faults(how: Recorded) -> Vec<(String, RateFault)> {
    let found = disagreements(BODY, body(how));
    assert!(found.iter().all(RateDisagreement::matters), "{found:?}");
    found.into_iter().map(|found| (found.columns.join(", "), found.fault)).collect()
}

#[test]
fn what_programs_write_of_floating_bodies_is_recognised() {
    let right = Recorded::default();
    let (velocity, acceleration) = ("qd_body:0 … qd_body:2".to_owned(), "qdd_body:0 … qdd_body:2".to_owned());
    assert_eq!(faults(right), []);
    let mujoco = Recorded { world_velocity: true, world_acceleration: true, ..right };
    assert_eq!(faults(mujoco), [(velocity.clone(), RateFault::WorldAxes)]);
    let point = Recorded { point: true, ..right };
    assert_eq!(faults(point), [(acceleration.clone(), RateFault::PointAcceleration)]);
    let world = Recorded { world_acceleration: true, ..right };
    assert_eq!(faults(world), [(acceleration.clone(), RateFault::WorldAxes)]);
    let found = faults(Recorded { accelerometer: true, ..right });
    let [(column, RateFault::Accelerometer { gravity })] = &found[..] else { panic!("{found:?}") };
    assert!(*column == acceleration && (gravity - 9.81).abs() < 0.01, "{gravity}");
    let found = faults(Recorded { wxyz: true, ..right });
    assert_eq!(found[0].1, RateFault::QuaternionOrder, "{found:?}");
    let found = faults(Recorded { late: 0.02, ..right });
    assert!(matches!(found[0].1, RateFault::Late { seconds } if (seconds - 0.02).abs() < 1e-3), "{found:?}");
}

#[test]
fn a_filter_does_not_hide_what_is_wrong() {
    let mut columns = arm([0.005, 0.0], [1.0; 2], [1e-4, 1e-3, 0.0]);
    columns.pop();
    let log = Log::from_columns("log", columns).unwrap();
    for cutoff in [Cutoff::Auto, Cutoff::Hertz(10.0), Cutoff::Off] {
        let processing = Processing { cutoff, ..Processing::default() };
        let recording = Recording::of(&native(ARM), &log, &processing).unwrap();
        let words: Vec<String> = recording.notes.iter().map(log_note).collect();
        assert!(words.iter().any(|note| note.contains("they come 5 ms too late")), "{words:?}");
    }
}

#[test]
fn turns_of_a_limited_joint_are_undone_and_steps_are_not() {
    let times = even(4000, 200.0);
    let wrapped = |t: &f64| (4.0 * t.sin() + PI).rem_euclid(2.0 * PI) - PI;
    let columns =
        |q: Vec<f64>, times: &[f64]| vec![("t".to_owned(), times.to_vec()), ("q_arm".to_owned(), q)];
    let read = |columns| {
        let log = Log::from_columns("log", columns).unwrap();
        let processing = Processing { cutoff: Cutoff::Off, ..Processing::default() };
        Recording::of(&native(ARM), &log, &processing).unwrap()
    };
    let recording = read(columns(times.iter().map(wrapped).collect(), &times));
    let worst =
        recording.t.iter().zip(&recording.qd).map(|(t, v)| (v - 4.0 * t.cos()).abs()).fold(0.0, f64::max);
    assert!(worst < 1e-3, "{worst}");
    let words: Vec<String> = recording.notes.iter().map(log_note).collect();
    assert!(words.iter().any(|note| note.contains("q_arm")), "{words:?}");
    // Behind a pause a joint may be anywhere.
    let paused: Vec<f64> = times.iter().map(|t| if *t < 10.0 { *t } else { t + 30.0 }).collect();
    let q = times.iter().map(|t| if *t < 10.0 { -PI } else { PI }).collect();
    let recording = read(columns(q, &paused));
    assert!((recording.q[recording.count - 1] - PI).abs() < 1e-12);
}
