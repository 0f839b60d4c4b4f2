//! Wrenches of sensors that stand somewhere else: force plates, load cells on a rig, a sensor turned on its flange.
//!
//! With the sensor's frame at a pose (R, x) of the frame that the log's columns are in, its force f and its torque
//! n about its origin become R f and R n + x × R f. Where a force plate gives a centre of pressure p and a free
//! moment, n = p × f + (0, 0, tz).

/// A sensor whose columns become those of another frame.
#[derive(Clone, Debug)]
pub(crate) struct WrenchRule {
    /// Its columns are `wrench_<sensor>_fx` and so on.
    pub(crate) sensor: String,
    /// What the columns of the log are called after: a link, perhaps with `@base`, or `base`.
    pub(crate) place: String,
    /// Rotation from its axes, by rows.
    pub(crate) rotation: [[f64; 3]; 3],
    /// Its origin, m.
    pub(crate) origin: [f64; 3],
    /// 1, or −1 for what the robot exerts on the sensor.
    pub(crate) sign: f64,
    pub(crate) line: u32,
}

/// Where the columns of a sensor stand among others: force, then either all of the torque or the centre of
/// pressure (its height may be absent: zero) and the free moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SensorColumns {
    pub(crate) force: [usize; 3],
    pub(crate) moment: Moment,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Moment {
    Torque([usize; 3]),
    Pressure { x: usize, y: usize, z: Option<usize>, free: usize },
}

impl SensorColumns {
    /// Every column.
    pub(crate) fn all(&self) -> Vec<usize> {
        let mut all = self.force.to_vec();
        match self.moment {
            Moment::Torque(torque) => all.extend(torque),
            Moment::Pressure { x, y, z, free } => all.extend([x, y, free].into_iter().chain(z)),
        }
        all
    }
}

impl WrenchRule {
    /// The columns of a sensor, found by the ends of their names; or what is missing.
    pub(crate) fn columns(&self, place: impl Fn(&str) -> Option<usize>) -> Result<SensorColumns, String> {
        let find = |end: &str| place(&format!("wrench_{}_{end}", self.sensor));
        let need = |end: &str| find(end).ok_or_else(|| format!("wrench_{}_{end}", self.sensor));
        let force = [need("fx")?, need("fy")?, need("fz")?];
        let moment = match (find("px"), find("py")) {
            (None, None) => Moment::Torque([need("tx")?, need("ty")?, need("tz")?]),
            _ => Moment::Pressure { x: need("px")?, y: need("py")?, z: find("pz"), free: need("tz")? },
        };
        Ok(SensorColumns { force, moment })
    }

    /// The six columns of the log.
    pub(crate) fn apply(&self, columns: &SensorColumns, plain: &[Vec<f64>], rows: usize) -> [Vec<f64>; 6] {
        let mut out: [Vec<f64>; 6] = std::array::from_fn(|_| Vec::with_capacity(rows));
        for row in 0..rows {
            let at = |column: usize| plain[column][row];
            let force = columns.force.map(at);
            let torque = match columns.moment {
                Moment::Torque(torque) => torque.map(at),
                // Where nothing presses there is no centre, whatever the file says.
                Moment::Pressure { free, .. } if force == [0.0; 3] => [0.0, 0.0, at(free)],
                Moment::Pressure { x, y, z, free } => {
                    let mut torque = cross([at(x), at(y), z.map_or(0.0, at)], force);
                    torque[2] += at(free);
                    torque
                }
            };
            let turned = |x: [f64; 3]| self.rotation.map(|row| self.sign * dot(row, x));
            let (force, torque) = (turned(force), turned(torque));
            let arm = cross(self.origin, force);
            for k in 0..3 {
                out[k].push(force[k]);
                out[3 + k].push(torque[k] + arm[k]);
            }
        }
        out
    }
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Rz(yaw) Ry(pitch) Rx(roll), by rows.
pub(crate) fn rotation([roll, pitch, yaw]: [f64; 3]) -> [[f64; 3]; 3] {
    // Quarter turns stay exact.
    let pair = |angle: f64| {
        let (s, c) = angle.sin_cos();
        let settled = |x: f64| if (x - x.round()).abs() < 1e-15 { x.round() } else { x };
        (settled(s), settled(c))
    };
    let ((sr, cr), (sp, cp), (sy, cy)) = (pair(roll), pair(pitch), pair(yaw));
    [
        [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
        [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
        [-sp, cp * sr, cp * cr],
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule() -> WrenchRule {
        WrenchRule {
            sensor: "plate".to_owned(),
            place: "foot@base".to_owned(),
            rotation: rotation([std::f64::consts::PI, 0.0, 0.0]),
            origin: [0.6, 0.4, 0.1],
            sign: -1.0,
            line: 1,
        }
    }

    fn found(names: &[&str]) -> Result<SensorColumns, String> {
        rule().columns(|name| names.iter().position(|end| format!("wrench_plate_{end}") == name))
    }

    #[test]
    fn a_centre_of_pressure_is_a_torque() {
        // A plate upside down, 700 N onto it at (0.05, −0.02) with 3 N·m about its normal.
        let columns = found(&["fx", "fy", "fz", "px", "py", "tz"]).unwrap();
        let plain: Vec<Vec<f64>> = [10.0, 0.0, 700.0, 0.05, -0.02, 3.0].map(|x| vec![x]).to_vec();
        let [fx, fy, fz, tx, ty, tz] = rule().apply(&columns, &plain, 1).map(|column| column[0]);
        // On the robot, in the base's axes: the other way, turned half about x.
        assert_eq!([fx, fy, fz], [-10.0, 0.0, 700.0]);
        // The same force through the point of the base where it acts, and the free moment.
        let point = [0.6 + 0.05, 0.4 + 0.02, 0.1];
        let mut torque = cross(point, [fx, fy, fz]);
        torque[2] += 3.0;
        for (a, b) in torque.iter().zip([tx, ty, tz]) {
            assert!((a - b).abs() < 1e-12, "{a} {b}");
        }
    }

    #[test]
    fn columns_are_torques_or_a_centre_of_pressure() {
        assert_eq!(found(&["fx", "fy", "fz", "tx", "ty"]), Err("wrench_plate_tz".to_owned()));
        assert_eq!(found(&["fx", "fy", "fz", "px", "tz"]), Err("wrench_plate_py".to_owned()));
        assert_eq!(found(&["fx", "fz"]), Err("wrench_plate_fy".to_owned()));
        let all = found(&["fx", "fy", "fz", "px", "py", "pz", "tz"]).unwrap().all();
        assert_eq!(all, [0, 1, 2, 3, 4, 6, 5]);
    }
}
