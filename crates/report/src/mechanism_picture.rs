//! The mechanism of an analysis in its reference configuration: bodies, joints, and the points and axes
//! that take parameters out of sight.

use maud::Markup;
use steiner_dynamics::Mechanism;
use steiner_identifiability::{Analysis, Principle};

use crate::scene::{Hides, Scene};
use crate::skeleton::{JointMark, skeleton};

/// One large oblique view and three plain ones.
pub(crate) fn mechanism_picture(mechanism: &Mechanism, analysis: &Analysis) -> Markup {
    let skeleton = skeleton(mechanism);
    let about = |joint: &JointMark, principle: Principle| {
        analysis.vectors.iter().any(|v| v.principle() == principle && v.joint() == Some(&joint.name))
    };
    let hides = |joint: &JointMark| match joint.shape {
        _ if about(joint, Principle::SharedPoints) => Hides::SharedPoints,
        _ if about(joint, Principle::FixedPoints) => Hides::FixedPoints,
        _ => Hides::Nothing,
    };
    let hides = skeleton.joints.iter().map(hides).collect();
    let mut scene = Scene::new(mechanism, skeleton, &analysis.bodies);
    scene.hides = hides;
    scene.pictures()
}
