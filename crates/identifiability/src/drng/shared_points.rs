//! SSP, Algorithm 1 of \[sun2025\]: the points that the two bodies of a joint share (table 1).
//!
//! Everything the method says about a joint is a symmetric product of two points of one frame: z along the
//! joint's axis, x and y normal to it, O on the axis. The paper lets the tetrahedral points of all bodies
//! coincide with the spatial frame at an initial configuration, so that a shared point has one set of
//! coordinates (95). Carried back by (94) to the bodies' own frames, in which the ten parameters are defined,
//! these coordinates no longer depend on the configuration: that is what being shared means. So the frame is
//! kept twice, as each body sees it, and neither an initial configuration nor the closure of loops enters.

use steiner_linalg::{Mat3, Vec3};
use steiner_robot::Pose;

/// What a joint lets its two bodies share: table 1 of \[sun2025\], with further rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JointType {
    /// R: turns about z through O.
    Revolute,
    /// P: slides along z.
    Prismatic,
    /// Slides in several directions: as P, but no direction is that of the motion.
    Translating,
    /// Helical, cylindrical: turns about z through O and slides along it.
    Screw,
    /// Planar: turns about the direction z and slides.
    Turning,
    /// S and U: turns about O.
    Spherical,
    /// F: free.
    Floating,
    /// A weld, where a loop is closed by one.
    Fixed,
}

/// A point of a joint's frame. x, y and z are directions, points at infinity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FramePoint {
    X,
    Y,
    Z,
    O,
}

use FramePoint::{O, X, Y, Z};

impl JointType {
    /// The points that parent and child share.
    pub(super) fn shared_points(self) -> &'static [FramePoint] {
        match self {
            JointType::Revolute => &[O, Z],
            JointType::Prismatic | JointType::Translating => &[X, Y, Z],
            JointType::Screw | JointType::Turning => &[Z],
            JointType::Spherical => &[O],
            // Line 9 of Algorithm 1 breaks off after the bracket: table 1 has no point for F.
            JointType::Floating => &[],
            JointType::Fixed => &[X, Y, Z, O],
        }
    }
}

/// Homogeneous coordinates of a point in a body's frame: weight 1 (m) or, at infinity, 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    pub(super) vector: Vec3<f64>,
    pub(super) weight: f64,
}

/// The frame of a joint as a body sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct TetrahedralPoints {
    /// Columns x, y, z, orthonormal.
    directions: Mat3<f64>,
    /// O, m.
    origin: Vec3<f64>,
}

impl TetrahedralPoints {
    /// A frame with the given unit z and O.
    pub(super) fn new(z: Vec3<f64>, origin: Vec3<f64>) -> Self {
        // From the coordinate axis farthest from z, so that frames along coordinate axes have them as x and
        // y.
        let farthest = (0..3).fold(0, |best, k| if z[k].abs() < z[best].abs() { k } else { best });
        let beside = Vec3::unit(farthest).plus_scaled(-z[farthest], z);
        let x = beside.scale(1.0 / beside.dot(beside).sqrt());
        TetrahedralPoints { directions: Mat3::from_columns([x, z.cross(x), z]), origin }
    }

    /// The same frame seen from the body in which `pose` places this one.
    pub(super) fn seen_from(&self, pose: &Pose<f64>) -> Self {
        TetrahedralPoints { directions: pose.rotation * self.directions, origin: pose.point(self.origin) }
    }

    pub(super) fn z(&self) -> Vec3<f64> {
        self.directions.column(2)
    }

    pub(super) fn origin(&self) -> Vec3<f64> {
        self.origin
    }

    #[inline(always)]
    pub(super) fn point(&self, which: FramePoint) -> Point {
        match which {
            X => direction(self.directions.column(0)),
            Y => direction(self.directions.column(1)),
            Z => direction(self.directions.column(2)),
            O => Point { vector: self.origin, weight: 1.0 },
        }
    }
}

/// A point at infinity.
pub(super) fn direction(vector: Vec3<f64>) -> Point {
    Point { vector, weight: 0.0 }
}
