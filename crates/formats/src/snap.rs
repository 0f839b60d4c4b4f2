//! Printed decimals are not the machine: 1.5708 is a rounded π/2.

#[cfg(test)]
mod tests;

use steiner_linalg::Mat3;
use steiner_scalar::Exact;

use steiner_robot::Orientation;

/// Reads printed angles as the multiple of 15° they stand for, and counts them.
#[derive(Clone, Debug)]
pub(crate) struct Snapper {
    /// Largest distance, rad; 0 turns snapping off.
    tolerance: f64,
    /// How many angles were changed.
    pub(crate) snapped: usize,
}

impl Snapper {
    /// With a tolerance in radians (default 1e-5, 0 for none).
    pub(crate) fn new(tolerance: f64) -> Self {
        Snapper { tolerance, snapped: 0 }
    }

    fn multiple(&self, angle: f64) -> Option<Exact> {
        let twelfths = (angle * 12.0 / std::f64::consts::PI).round();
        let close = (angle - twelfths * std::f64::consts::PI / 12.0).abs() <= self.tolerance;
        (close && self.tolerance > 0.0 && twelfths.abs() < 1e6)
            .then(|| Exact::fraction(twelfths as i64, 12) * Exact::pi())
    }

    /// An angle in rad. Only plain numbers are snapped: an expression is already what its author meant.
    pub(crate) fn angle(&mut self, angle: Exact) -> Exact {
        if angle.is_zero() || angle.to_rational().is_none() {
            return angle;
        }
        let Ok(value) = angle.to_f64() else { return angle };
        match self.multiple(value) {
            Some(exact) => {
                self.snapped += 1;
                exact
            }
            None => angle,
        }
    }

    /// Roll, pitch, yaw in rad.
    pub(crate) fn roll_pitch_yaw(&mut self, angles: [Exact; 3]) -> Orientation {
        Orientation::RollPitchYaw(angles.map(|angle| self.angle(angle)))
    }

    /// An orientation given as a quaternion or matrix: if its roll, pitch and yaw are all within the
    /// tolerance of multiples of 15°, it is read as those.
    pub(crate) fn orientation(&mut self, orientation: Orientation) -> Orientation {
        let printed = match &orientation {
            Orientation::RollPitchYaw(_) => return orientation,
            Orientation::Quaternion(q) => q.iter().all(|x| x.to_rational().is_some()),
            Orientation::Matrix(_) => false,
        };
        let Ok(rotation) = orientation.evaluate::<f64>() else { return orientation };
        if !printed {
            return orientation;
        }
        let angles = roll_pitch_yaw_of(&rotation.value);
        let multiples = angles.map(|angle| self.multiple(angle));
        let [Some(roll), Some(pitch), Some(yaw)] = multiples else { return orientation };
        let snapped = Orientation::RollPitchYaw([roll, pitch, yaw]);
        // Near the poles of the angles a small residue can hide; the matrices decide.
        let moved = snapped.evaluate::<f64>().map_or(f64::INFINITY, |exact| {
            let difference = exact.value - rotation.value;
            difference.0.iter().flatten().fold(0.0, |most: f64, x| most.max(x.abs()))
        });
        if moved > 2.0 * self.tolerance {
            return orientation;
        }
        if moved > 1e-15 {
            self.snapped += 1;
        }
        snapped
    }
}

/// Roll, pitch and yaw of R = Rz Ry Rx, rad; at the poles the roll is zero.
fn roll_pitch_yaw_of(m: &Mat3<f64>) -> [f64; 3] {
    let e = &m.0;
    let horizontal = f64::hypot(e[0][0], e[1][0]);
    let pitch = f64::atan2(-e[2][0], horizontal);
    if horizontal < 1e-6 {
        return [0.0, pitch, f64::atan2(-e[0][1], e[1][1])];
    }
    [f64::atan2(e[2][1], e[2][2]), pitch, f64::atan2(e[1][0], e[0][0])]
}
