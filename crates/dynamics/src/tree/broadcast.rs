//! The tree once more in another scalar, every number the image of its double.

use steiner_linalg::{Mat3, Vec3};
use steiner_robot::Pose;
use steiner_scalar::Scalar;

use super::{Column, Placing, Segment, Tree};

impl Tree<f64> {
    /// The same tree in lanes, every lane alike.
    pub(crate) fn broadcast<S: Scalar>(&self) -> Tree<S> {
        Tree {
            segments: self.segments.iter().map(segment).collect(),
            segment_of_body: self.segment_of_body.clone(),
            gravity: vector(&self.gravity),
            dof: self.dof,
            configuration_size: self.configuration_size,
            rounded: self.rounded,
            ancestry: self.ancestry.clone(),
            translates: self.translates.clone(),
            rounds_axes: self.rounds_axes,
        }
    }
}

fn vector<S: Scalar>(v: &Vec3<f64>) -> Vec3<S> {
    Vec3(v.0.map(S::from_f64))
}

fn matrix<S: Scalar>(m: &Mat3<f64>) -> Mat3<S> {
    Mat3(m.0.map(|row| row.map(S::from_f64)))
}

fn pose<S: Scalar>(p: &Pose<f64>) -> Pose<S> {
    Pose { rotation: matrix(&p.rotation), translation: vector(&p.translation) }
}

fn segment<S: Scalar>(of: &Segment<f64>) -> Segment<S> {
    let column = |c: &Column<f64>| Column { angular: vector(&c.angular), linear: vector(&c.linear) };
    Segment {
        parent: of.parent,
        body: of.body,
        configuration: of.configuration,
        velocity: of.velocity,
        columns: of.columns.iter().map(column).collect(),
        placing: placing(&of.placing),
        axis_norm2: S::from_f64(of.axis_norm2),
    }
}

fn placing<S: Scalar>(of: &Placing<f64>) -> Placing<S> {
    match of {
        Placing::Turn { rotation, translation, moves_origin } => Placing::Turn {
            rotation: rotation.each_ref().map(matrix),
            translation: translation.each_ref().map(vector),
            moves_origin: *moves_origin,
        },
        Placing::Slide { rotation, origin, direction } => Placing::Slide {
            rotation: matrix(rotation),
            origin: vector(origin),
            direction: vector(direction),
        },
        Placing::Ball { before, after } => Placing::Ball { before: pose(before), after: pose(after) },
        Placing::Plane { before, after } => Placing::Plane { before: pose(before), after: pose(after) },
        Placing::Free { before, after } => Placing::Free { before: pose(before), after: pose(after) },
    }
}
