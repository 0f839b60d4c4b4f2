//! Rates of floating and spherical joints, which programs write in many ways.

use std::ops::Range;

use super::Motion;
use super::sums::{Sums, Window};
use crate::channels::JointMotion;
use crate::rate_fault::RateFault;
use crate::recording::columns::{Columns, RateSource};
use crate::recording::rates::{body_rates, turned, turned_back};
use crate::signals::{first_differences, uneven_first_differences};

/// Three components of a velocity, and of its rate.
#[derive(Clone, Debug)]
pub(super) struct VectorCheck {
    /// The first of the three among the velocities.
    pub(super) rate: usize,
    pub(super) velocity: Option<Sums>,
    pub(super) acceleration: Option<Sums>,
}

/// A floating or spherical joint.
#[derive(Clone, Debug)]
pub(super) struct BodyCheck {
    /// Its first number in the configuration, and that of its quaternion.
    first: usize,
    quaternion: usize,
    /// Absent where the joint only turns.
    linear: Option<VectorCheck>,
    angular: VectorCheck,
}

/// The joints of which all components were recorded.
pub(super) fn checks(columns: &Columns) -> Vec<BodyCheck> {
    let mut out = Vec::new();
    for (joint, body) in columns.body_joints.iter().enumerate() {
        let place = |component: usize| {
            let wanted = RateSource::Body { joint, component };
            columns.rates.iter().position(|rate| rate.source == wanted)
        };
        let vector = |component: usize| {
            let rate = place(component)?;
            let three = columns.rates.get(rate..rate + 3)?;
            let follow = (0..3).all(|k| place(component + k) == Some(rate + k));
            let sums = |recorded: bool| recorded.then(Sums::default);
            follow.then(|| VectorCheck {
                rate,
                velocity: sums(three.iter().all(|rate| rate.qd.is_some())),
                acceleration: sums(three.iter().all(|rate| rate.qdd.is_some())),
            })
        };
        let (linear, angular, quaternion) = match body.motion {
            JointMotion::Floating => (vector(0), vector(3), body.first + 3),
            JointMotion::Spherical => (None, vector(0), body.first),
            _ => continue,
        };
        if let Some(angular) = angular {
            out.push(BodyCheck { first: body.first, quaternion, linear, angular });
        }
    }
    let recorded = |vector: &VectorCheck| vector.velocity.is_some() || vector.acceleration.is_some();
    out.retain(|check| recorded(&check.angular) || check.linear.as_ref().is_some_and(recorded));
    out
}

impl BodyCheck {
    pub(super) fn vectors(&self) -> impl Iterator<Item = &VectorCheck> {
        self.linear.iter().chain([&self.angular])
    }

    pub(super) fn absorb(&mut self, motion: &Motion<'_>, windows: &[Range<usize>]) {
        let once = |x: &Vec<f64>| match motion.interval {
            Some(interval) => first_differences(x, interval, 8),
            None => uneven_first_differences(motion.times, x),
        };
        let turns = &motion.q[self.quaternion..][..4];
        let turning: Vec<Vec<f64>> = turns.iter().map(once).collect();
        let usual = [0, 1, 2, 3];
        // The same numbers, read as if the real part came first.
        let order = [1, 2, 3, 0];
        let angular = |order: [usize; 4]| {
            let q: Vec<&[f64]> = order.iter().map(|&c| turns[c].as_slice()).collect();
            let rates: Vec<Vec<f64>> = order.iter().map(|&c| turning[c].clone()).collect();
            body_rates(JointMotion::Spherical, &q, &rates, &rates).velocity
        };
        if let VectorCheck { rate, velocity: Some(sums), .. } = &mut self.angular {
            let (right, other) = (angular(usual), angular(order));
            let world = in_world(&right, unit(turns, usual));
            velocities(sums, motion, windows, *rate, [&right, &world, &other]);
        }
        if let Some(VectorCheck { rate, velocity: Some(sums), .. }) = &mut self.linear {
            let world: Vec<Vec<f64>> = motion.q[self.first..][..3].iter().map(once).collect();
            let right = in_body(&world, unit(turns, usual));
            let other = in_body(&world, unit(turns, order));
            velocities(sums, motion, windows, *rate, [&right, &world, &other]);
        }
        self.accelerations(motion, windows, &unit(turns, usual));
    }

    /// Accelerations against the rates of the velocities, recorded or derived.
    fn accelerations(
        &mut self,
        motion: &Motion<'_>,
        windows: &[Range<usize>],
        unit: &dyn Fn(usize) -> [f64; 4],
    ) {
        let three = |columns: &[Vec<f64>], rate: usize, of: &dyn Fn(&[f64]) -> f64| -> [f64; 3] {
            std::array::from_fn(|c| of(&columns[rate + c]))
        };
        let turning = self.angular.rate;
        let vectors = self.linear.iter_mut().map(|vector| (vector, true)).chain([(&mut self.angular, false)]);
        for (VectorCheck { rate, acceleration, .. }, is_linear) in vectors {
            let Some(sums) = acceleration else { continue };
            for window in windows {
                let middle = usize::midpoint(window.start, window.end);
                let change = |x: &[f64]| motion.change(x, window);
                let mean = |x: &[f64]| motion.mean(x, window);
                let right = three(motion.qd, *rate, &change);
                let recorded = three(motion.qdd, *rate, &mean);
                let changes = three(motion.qdd, *rate, &change);
                sums.add(&Window { right: &right, recorded: &recorded, change: &changes });
                let left = |reading: [f64; 3]| std::array::from_fn::<f64, 3, _>(|c| recorded[c] - reading[c]);
                if !is_linear {
                    sums.add_reading(RateFault::WorldAxes, left(turned(unit(middle), right)));
                    continue;
                }
                let swept = swept(motion, window, turning, *rate);
                let point: [f64; 3] = std::array::from_fn(|c| right[c] + swept[c]);
                sums.add_reading(RateFault::PointAcceleration, left(point));
                sums.add_reading(RateFault::WorldAxes, left(turned(unit(middle), point)));
                sums.add_with_gravity(0, turned(unit(middle), left(point)));
                sums.add_with_gravity(1, turned(unit(middle), left(right)));
            }
        }
    }
}

/// The mean of ω × v over a window.
fn swept(motion: &Motion<'_>, window: &Range<usize>, angular: usize, linear: usize) -> [f64; 3] {
    let at = |columns: &[Vec<f64>], first: usize, k: usize| -> [f64; 3] {
        std::array::from_fn(|c| columns[first + c][k])
    };
    let mut sum = [0.0; 3];
    for k in window.start..=window.end {
        let (w, v) = (at(motion.qd, angular, k), at(motion.qd, linear, k));
        let weight = if k == window.start || k == window.end { 0.5 } else { 1.0 };
        let product = [w[1] * v[2] - w[2] * v[1], w[2] * v[0] - w[0] * v[2], w[0] * v[1] - w[1] * v[0]];
        sum.iter_mut().zip(product).for_each(|(sum, x)| *sum += weight * x);
    }
    sum.map(|x| x / (window.end - window.start) as f64)
}

/// Velocities against what they should be, and against what else they may be: in world axes, or of quaternions
/// in another order.
fn velocities(
    sums: &mut Sums,
    motion: &Motion<'_>,
    windows: &[Range<usize>],
    rate: usize,
    [right, world, other]: [&[Vec<f64>]; 3],
) {
    for window in windows {
        let mean =
            |columns: &[Vec<f64>]| -> [f64; 3] { std::array::from_fn(|c| motion.mean(&columns[c], window)) };
        let (right, recorded) = (mean(right), mean(&motion.qd[rate..rate + 3]));
        let change: [f64; 3] = std::array::from_fn(|c| motion.change(&motion.qd[rate + c], window));
        sums.add(&Window { right: &right, recorded: &recorded, change: &change });
        let left = |reading: [f64; 3]| std::array::from_fn(|c| recorded[c] - reading[c]);
        sums.add_reading(RateFault::WorldAxes, left(mean(world)));
        sums.add_reading(RateFault::QuaternionOrder, left(mean(other)));
    }
}

/// The unit quaternion of a sample, its numbers read in an order.
fn unit(turns: &[Vec<f64>], order: [usize; 4]) -> impl Fn(usize) -> [f64; 4] {
    move |sample| {
        let q = order.map(|c| turns[c][sample]);
        let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
        q.map(|x| x / length)
    }
}

fn in_world(body: &[Vec<f64>], unit: impl Fn(usize) -> [f64; 4]) -> Vec<Vec<f64>> {
    each(body, |sample, v| turned(unit(sample), v))
}

fn in_body(world: &[Vec<f64>], unit: impl Fn(usize) -> [f64; 4]) -> Vec<Vec<f64>> {
    each(world, |sample, v| turned_back(unit(sample), v))
}

/// A vector signal, sample by sample.
fn each(columns: &[Vec<f64>], of: impl Fn(usize, [f64; 3]) -> [f64; 3]) -> Vec<Vec<f64>> {
    let samples = columns.first().map_or(0, Vec::len);
    let mut out = vec![Vec::new(); 3];
    for sample in 0..samples {
        let v = of(sample, [columns[0][sample], columns[1][sample], columns[2][sample]]);
        out.iter_mut().zip(v).for_each(|(column, x)| column.push(x));
    }
    out
}
