//! Equations (7)–(18) of [matthew2016] written out with 4×4 poses and 6×6 adjoints, against the simulated
//! wrench from the ground. They share no code with it.
//!
//! Read as printed, with Ad of g_{i−1,i} where velocities go outward (9) and its transpose where wrenches
//! come back (11), (14), they are wrong: both need the inverse, as (15)–(18) have it for wrenches.

use crate::pendulum;
use pendulum::*;
use steiner_identification::{ContactWrench, SensorFaults, SimulatedContact};

type M3 = [[f64; 3]; 3];
/// (linear, angular), as the paper orders twists and wrenches.
type Six = [f64; 6];

fn hat(w: [f64; 3]) -> M3 {
    [[0.0, -w[2], w[1]], [w[2], 0.0, -w[0]], [-w[1], w[0], 0.0]]
}

fn times(a: M3, b: M3) -> M3 {
    std::array::from_fn(|r| std::array::from_fn(|c| (0..3).map(|k| a[r][k] * b[k][c]).sum()))
}

fn transposed(a: M3) -> M3 {
    std::array::from_fn(|r| std::array::from_fn(|c| a[c][r]))
}

fn on(a: M3, x: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|r| (0..3).map(|k| a[r][k] * x[k]).sum())
}

/// A pose g = (R, p).
#[derive(Clone, Copy)]
struct Pose {
    r: M3,
    p: [f64; 3],
}

impl Pose {
    fn inverse(self) -> Pose {
        let r = transposed(self.r);
        Pose { r, p: on(r, self.p).map(|x| -x) }
    }

    /// Ad_g = [R, p̂R; 0, R].
    fn adjoint(self) -> [[f64; 6]; 6] {
        let pr = times(hat(self.p), self.r);
        std::array::from_fn(|i| {
            std::array::from_fn(|j| match (i < 3, j < 3) {
                (true, true) => self.r[i][j],
                (true, false) => pr[i][j - 3],
                (false, true) => 0.0,
                (false, false) => self.r[i - 3][j - 3],
            })
        })
    }
}

fn apply(a: &[[f64; 6]; 6], x: &Six) -> Six {
    std::array::from_fn(|r| (0..6).map(|k| a[r][k] * x[k]).sum())
}

fn apply_transposed(a: &[[f64; 6]; 6], x: &Six) -> Six {
    std::array::from_fn(|r| (0..6).map(|k| a[k][r] * x[k]).sum())
}

/// ad of a twist: [ω̂, v̂; 0, ω̂].
fn ad(x: &Six) -> [[f64; 6]; 6] {
    let (v, w) = (hat([x[0], x[1], x[2]]), hat([x[3], x[4], x[5]]));
    std::array::from_fn(|i| {
        std::array::from_fn(|j| match (i < 3, j < 3) {
            (true, true) => w[i][j],
            (true, false) => v[i][j - 3],
            (false, true) => 0.0,
            (false, false) => w[i - 3][j - 3],
        })
    })
}

fn plus(a: Six, b: Six) -> Six {
    std::array::from_fn(|k| a[k] + b[k])
}

/// Y_{i,2} of (12): M V = Y φ for φ = (m, mr, I_xx, I_yy, I_zz, I_xy, I_xz, I_yz), the
/// tensor about the body's origin.
fn momentum(x: &Six, phi: &[f64; 10]) -> Six {
    let (v, w) = ([x[0], x[1], x[2]], [x[3], x[4], x[5]]);
    let first = [phi[1], phi[2], phi[3]];
    let [xx, yy, zz, xy, xz, yz] = [phi[4], phi[5], phi[6], phi[7], phi[8], phi[9]];
    let (linear, turning) = (on(hat(w), first), on(hat(v), first));
    let tensor = on([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]], w);
    std::array::from_fn(|k| if k < 3 { phi[0] * v[k] + linear[k] } else { tensor[k - 3] - turning[k - 3] })
}

fn rotation(axis: [f64; 3], angle: f64) -> M3 {
    let k = hat(axis);
    let k2 = times(k, k);
    let (s, c) = angle.sin_cos();
    std::array::from_fn(|r| {
        std::array::from_fn(|j| f64::from(u8::from(r == j)) + s * k[r][j] + (1.0 - c) * k2[r][j])
    })
}

/// The wrench on the base: (9), (13), (15)–(18). `as_printed` takes Ad where Ad⁻¹ is needed.
fn ground_wrench(
    axes: [[f64; 3]; 2],
    bodies: &[[f64; 10]; 3],
    [q, qd, qdd]: [&[f64]; 3],
    exerted_on_last: &Six,
    as_printed: bool,
) -> Six {
    let adjoint = |pose: Pose| if as_printed { pose.adjoint() } else { pose.inverse().adjoint() };
    let offsets = [[0.0; 3], [0.0, 0.0, 0.4]];
    let mut velocities = vec![[0.0; 6]];
    let mut accelerations = vec![[0.0, 0.0, 9.81, 0.0, 0.0, 0.0]];
    let mut poses = Vec::new();
    for i in 0..2 {
        let pose = Pose { r: rotation(axes[i], q[i]), p: offsets[i] };
        let twist = [0.0, 0.0, 0.0, axes[i][0], axes[i][1], axes[i][2]];
        let moving = twist.map(|x| x * qd[i]);
        let carried = apply(&adjoint(pose), &velocities[i]);
        let mut acceleration = apply(&adjoint(pose), &accelerations[i]);
        acceleration = plus(acceleration, twist.map(|x| x * qdd[i]));
        acceleration = plus(acceleration, apply(&ad(&moving), &carried).map(|x| -x));
        velocities.push(plus(carried, moving));
        accelerations.push(acceleration);
        poses.push(pose);
    }
    // What the environment exerts on the last link, the joints need not.
    let mut wrench = exerted_on_last.map(|x| -x);
    for i in (0..3).rev() {
        let gyroscopic = apply_transposed(&ad(&velocities[i]), &momentum(&velocities[i], &bodies[i]));
        wrench = plus(wrench, plus(momentum(&accelerations[i], &bodies[i]), gyroscopic.map(|x| -x)));
        if i > 0 {
            wrench = apply_transposed(&adjoint(poses[i - 1]), &wrench);
        }
    }
    wrench
}

#[test]
fn the_equations_give_the_wrench_from_the_ground_once_their_adjoints_are_inverted() {
    for (seed, axis) in [(1, ALONG_X), (2, leaning(5.0, 2.0)), (3, leaning(40.0, 0.3))] {
        let robot = pendulum([axis, axis]);
        let order = |p: [f64; 10]| [p[0], p[1], p[2], p[3], p[4], p[6], p[9], p[5], p[7], p[8]];
        let base = robot.ground[0].inertia.expect("the base's inertia");
        let bodies = [base, robot.bodies[0].inertia, robot.bodies[1].inertia].map(|n| order(n.parameters()));
        let machine = moving(robot);
        let hand = SimulatedContact {
            link: "link2".to_owned(),
            wrench: ContactWrench::Random { force: 30.0, torque: 5.0 },
        };
        let data = recorded(&machine, seed, vec![hand], SensorFaults::default());
        let measured = data.base_wrench.as_ref().expect("the wrench from the ground");
        let (mut worst, mut worst_as_printed) = (0.0f64, 0.0f64);
        for sample in (0..data.count).step_by(37) {
            let two = |values: &'_ [f64]| values[2 * sample..2 * sample + 2].to_vec();
            let (q, qd, qdd) = (two(&data.q), two(&data.qd), two(&data.qdd));
            let six = |values: &[f64]| -> Six { std::array::from_fn(|k| values[6 * sample + k]) };
            let exerted = six(&data.contacts[0].values);
            let found =
                |as_printed| ground_wrench(axis_pair(axis), &bodies, [&q, &qd, &qdd], &exerted, as_printed);
            let wanted = six(measured);
            let distance = |a: Six| (0..6).map(|k| (a[k] - wanted[k]).abs()).fold(0.0, f64::max);
            worst = worst.max(distance(found(false)));
            worst_as_printed = worst_as_printed.max(distance(found(true)));
        }
        assert!(worst < 1e-11, "{worst:.1e}");
        assert!(worst_as_printed > 1.0, "as printed: {worst_as_printed:.1e}");
    }
}

fn axis_pair(axis: [f64; 3]) -> [[f64; 3]; 2] {
    [axis, axis]
}
