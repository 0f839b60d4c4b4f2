//! The pose of a segment in its parent's frame: from angles, from rational parameters, from a sine and a
//! cosine.

use steiner_linalg::{Mat3, Vec3};
use steiner_robot::Pose;
use steiner_scalar::{Scalar, Trigonometric};

use super::{Placing, Segment};

impl<S: Scalar> Placing<S> {
    #[inline(always)]
    fn turned(&self, s: S, k: S, angle: S) -> Pose<S> {
        let Placing::Turn { rotation: [r0, r1, r2], translation: [p0, p1, p2, p3], moves_origin } = self
        else {
            return Pose::identity();
        };
        let rotation = r0.plus_scaled(s, r1).plus_scaled(k, r2);
        let translation = if *moves_origin {
            p0.plus_scaled(s, *p1).plus_scaled(k, *p2).plus_scaled(angle, *p3)
        } else {
            *p0
        };
        Pose { rotation, translation }
    }
}

impl<S: Scalar> Segment<S> {
    /// The pose in the parent segment's frame from *rational* coordinates: a rotation is the quaternion (1,
    /// t·axis) with t in place of the angle, a quaternion has any length but zero, and nothing needs a sine.
    /// `advance` is the angle of a screw, which is independent of t in this representation.
    pub fn pose_at_parameters(&self, q: &[S], advance: S) -> Pose<S> {
        let circle = |t: S| {
            let t2 = t * t;
            let norm = (S::one() + t2 * self.axis_norm2).inv();
            ((t + t) * norm, (t2 + t2) * norm)
        };
        match &self.placing {
            Placing::Turn { .. } => {
                let (s, k) = circle(q[0]);
                self.placing.turned(s, k, advance)
            }
            Placing::Plane { before, after } => {
                let (s, k) = circle(q[2]);
                before.then(&planar_pose(q[0], q[1], s, S::one() - k)).then(after)
            }
            Placing::Slide { .. } => self.slid(q[0]),
            Placing::Ball { before, after } => {
                let rotation = Mat3::from_quaternion(q[3], Vec3([q[0], q[1], q[2]]));
                before.then(&Pose { rotation, translation: Vec3::zero() }).then(after)
            }
            Placing::Free { before, after } => {
                let rotation = Mat3::from_quaternion(q[6], Vec3([q[3], q[4], q[5]]));
                before.then(&Pose { rotation, translation: Vec3([q[0], q[1], q[2]]) }).then(after)
            }
        }
    }

    /// As [`Segment::pose_at_parameters`] for one rotation given by its sine and cosine; `others` are x and
    /// y of a planar motion, or the advance of a screw.
    pub fn pose_at_sin_cos(&self, sin: S, cos: S, others: &[S]) -> Pose<S> {
        match &self.placing {
            Placing::Plane { before, after } => {
                before.then(&planar_pose(others[0], others[1], sin, cos)).then(after)
            }
            _ => self.placing.turned(sin, S::one() - cos, others[0]),
        }
    }

    #[inline(always)]
    fn slid(&self, q: S) -> Pose<S> {
        let Placing::Slide { rotation, origin, direction } = &self.placing else { return Pose::identity() };
        Pose { rotation: *rotation, translation: origin.plus_scaled(q, *direction) }
    }
}

#[inline(always)]
fn planar_pose<S: Scalar>(x: S, y: S, sin: S, cos: S) -> Pose<S> {
    let (o, l) = (S::zero(), S::one());
    Pose { rotation: Mat3([[cos, -sin, o], [sin, cos, o], [o, o, l]]), translation: Vec3([x, y, o]) }
}

impl<S: Trigonometric> Segment<S> {
    /// The pose in the parent segment's frame at configuration `q` (the segment's own coordinates;
    /// quaternions of any length but zero, so that logs with few digits mean the same here as after
    /// `Tree::normalise`).
    #[inline(always)]
    pub fn pose_at(&self, q: &[S]) -> Pose<S> {
        match &self.placing {
            Placing::Turn { .. } => {
                let (s, c) = q[0].sin_cos();
                self.placing.turned(s, S::one() - c, q[0])
            }
            Placing::Slide { .. } => self.slid(q[0]),
            Placing::Ball { before, after } => {
                let rotation = Mat3::from_quaternion(q[3], Vec3([q[0], q[1], q[2]]));
                before.then(&Pose { rotation, translation: Vec3::zero() }).then(after)
            }
            Placing::Plane { before, after } => {
                let (s, c) = q[2].sin_cos();
                before.then(&planar_pose(q[0], q[1], s, c)).then(after)
            }
            Placing::Free { before, after } => {
                let rotation = Mat3::from_quaternion(q[6], Vec3([q[3], q[4], q[5]]));
                before.then(&Pose { rotation, translation: Vec3([q[0], q[1], q[2]]) }).then(after)
            }
        }
    }
}
