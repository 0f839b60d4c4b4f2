//! Inertias that a body could have, but hardly this one: far larger than the distances to its joints, or far smaller.

use crate::inertia::PseudoInertia;
use crate::joint::JointKind;
use crate::robot::Robot;

/// A radius of gyration beyond this multiple of the longest distance near the body is remarkable.
const REMARKABLE: f64 = 3.0;

/// A radius of gyration below this part of the distance that the body itself spans is remarkable: that of a tube is a
/// third of its half length.
const POINT: f64 = 0.01;

/// A body whose inertia is that of something much larger, or much smaller.
#[derive(Clone, Debug, PartialEq)]
pub struct Bulky {
    /// Name of the body.
    pub body: String,
    /// Its largest radius of gyration about the centre of mass, m.
    pub radius: f64,
    /// The longest distance from a centre of mass to a joint or to the surface, of it and its neighbours, m.
    pub reach: f64,
}

impl Robot {
    /// Bodies whose inertia is that of something much larger than the distances around them. Files with inertias of
    /// other units, or copied from other links, have such bodies.
    pub fn bulky_bodies(&self) -> Vec<Bulky> {
        let reaches = self.reaches();
        let mut near = reaches.clone();
        for (body, parent) in self.bodies.iter().enumerate().filter_map(|(k, b)| Some((k, b.parent?.0))) {
            near[body] = near[body].max(reaches[parent]);
            near[parent] = near[parent].max(reaches[body]);
        }
        let bodies = self.bodies.iter().zip(near);
        let found = bodies.filter(|(body, _)| body.inertia.mass > 0.0).map(|(body, reach)| {
            let largest = body.inertia.principal_moments()[2].max(0.0);
            Bulky { body: body.name.clone(), radius: (largest / body.inertia.mass).sqrt(), reach }
        });
        found.filter(|bulky| bulky.reach > 0.0 && bulky.radius > REMARKABLE * bulky.reach).collect()
    }

    /// Bodies whose inertia is that of a point, although their own joints and surfaces are far from their centre of
    /// mass. Files with placeholders (1e-6) or inertias in other units have such bodies; masses without any inertia
    /// are meant as points.
    pub fn slight_bodies(&self) -> Vec<Bulky> {
        let bodies = self.bodies.iter().zip(self.reaches());
        let found = bodies.filter(|(body, _)| body.inertia.mass > 0.0).map(|(body, reach)| {
            let largest = body.inertia.principal_moments()[2].max(0.0);
            Bulky { body: body.name.clone(), radius: (largest / body.inertia.mass).sqrt(), reach }
        });
        found.filter(|slight| slight.radius > 1e-9 && slight.radius < POINT * slight.reach).collect()
    }

    /// For each body the longest distance from its centre of mass to its joints and to its surface, as far as the
    /// file tells, m.
    fn reaches(&self) -> Vec<f64> {
        let own = self.bodies.iter().map(|body| {
            let sides = body.capsules.iter().flat_map(|capsule| {
                [capsule.from, capsule.to].map(|end| distance(&body.inertia, end) + capsule.radius)
            });
            // Where the frame of a body lies that floats says nothing of its size.
            let joint = match body.joint.kind {
                JointKind::Floating => 0.0,
                _ => distance(&body.inertia, [0.0; 3]),
            };
            sides.fold(joint, f64::max)
        });
        let mut out: Vec<f64> = own.collect();
        for body in &self.bodies {
            if let (Some(parent), Ok(place)) = (body.parent, body.joint.placement.evaluate::<f64>()) {
                let joint = distance(&self.bodies[parent.0].inertia, place.value.translation.0);
                out[parent.0] = out[parent.0].max(joint);
            }
        }
        out
    }
}

fn distance(inertia: &PseudoInertia, point: [f64; 3]) -> f64 {
    let mass = if inertia.mass > 0.0 { inertia.mass } else { 1.0 };
    (0..3).map(|k| (inertia.first[k] / mass - point[k]).powi(2)).sum::<f64>().sqrt()
}
