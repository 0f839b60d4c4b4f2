//! PRI, Algorithm 2 of \[sun2025\]: the bodies that turn about one fixed direction only.

use steiner_linalg::Vec3;

use super::joint_geometry::parallel;
use super::shared_points::JointType;

/// The direction d_pr about which a body turns exclusively, in its frame; zero if it never turns.
pub(super) type PlanarRotation = Option<Vec3<f64>>;

/// What a joint makes of its parent's planar rotation: `above` is d_pr of the parent already seen from the
/// child (of no matter at which angle: the joint turns about it, or not at all), zero for the base; `z`
/// the joint's axis in the child.
pub(super) fn planar_rotation(kind: JointType, above: PlanarRotation, z: Vec3<f64>) -> PlanarRotation {
    let d = above?;
    match kind {
        // L_d is zero for joints that only slide: lines 12 and 13.
        JointType::Prismatic | JointType::Translating | JointType::Fixed => Some(d),
        // Line 8 prints L_d of the parent, which is zero behind a P joint and hides the rotations before it.
        // (75) needs all rotations about one direction: d_pr of the parent. Lines 10 to 16 then leave the
        // axis itself, the same direction up to sign without the rounding of the way.
        JointType::Revolute | JointType::Screw | JointType::Turning => parallel(d, z).then_some(z),
        JointType::Spherical | JointType::Floating => None,
    }
}
