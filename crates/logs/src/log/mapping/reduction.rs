//! Motors that drive joints together: q_motor = N q, so q = N⁻¹ q_motor and τ = Nᵀ τ_motor.

use steiner_linalg::elimination::{Matrix, reduce};

/// A reduction between some motors and some joints.
#[derive(Clone, Debug)]
pub(crate) struct Reduction {
    pub(crate) joints: Vec<String>,
    pub(crate) motors: Vec<String>,
    /// N⁻¹, for positions, velocities and accelerations.
    motion: Matrix<f64>,
    /// Nᵀ, for efforts.
    effort: Matrix<f64>,
    /// Added to the joints' positions, rad or m.
    offset: Vec<f64>,
    pub(crate) line: u32,
}

impl Reduction {
    /// `None` if N is singular; its shape must be that of motors × joints, square.
    pub(crate) fn new(
        joints: Vec<String>,
        motors: Vec<String>,
        matrix: &Matrix<f64>,
        offset: Vec<f64>,
        line: u32,
    ) -> Option<Self> {
        let size = joints.len();
        let extended = Matrix::from_fn(size, 2 * size, |r, c| match c.checked_sub(size) {
            None => matrix[(r, c)],
            Some(c) => f64::from(u8::from(c == r)),
        });
        let largest = matrix.entries().iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        let echelon = reduce(extended, size, 1e-12 * largest);
        if echelon.rank() < size {
            return None;
        }
        let mut motion = Matrix::zeros(size, size);
        for (r, &pivot) in echelon.pivots.iter().enumerate() {
            (0..size).for_each(|c| motion[(pivot, c)] = echelon.reduced[(r, size + c)]);
        }
        Some(Reduction { joints, motors, motion, effort: matrix.transpose(), offset, line })
    }

    /// The joints' columns from those of the motors, for one family of columns (`q`, `qd`, `qdd`, `tau`).
    pub(crate) fn apply(&self, family: &str, motors: &[&[f64]]) -> Vec<Vec<f64>> {
        let matrix = if family == "tau" { &self.effort } else { &self.motion };
        let rows = motors.first().map_or(0, |column| column.len());
        (0..self.joints.len())
            .map(|joint| {
                let offset = if family == "q" { self.offset[joint] } else { 0.0 };
                let mut out = vec![offset; rows];
                for (motor, column) in motors.iter().enumerate() {
                    let entry = matrix[(joint, motor)];
                    if entry != 0.0 {
                        out.iter_mut().zip(*column).for_each(|(sum, x)| *sum += entry * x);
                    }
                }
                out
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn power_is_the_same_on_both_sides() {
        // Two wrist axes: the second motor turns with the first joint as well.
        let n = Matrix::from_fn(2, 2, |r, c| [[45.0, 0.0], [32.0, -32.0]][r][c]);
        let names = |a: &str, b: &str| vec![a.to_owned(), b.to_owned()];
        let wrist = Reduction::new(names("j5", "j6"), names("m5", "m6"), &n, vec![0.0; 2], 1).unwrap();
        let (qd_motor, tau_motor) = ([90.0, 16.0], [0.3, -0.7]);
        let columns = |values: [f64; 2]| values.map(|x| vec![x]);
        let (qd, tau) = (columns(qd_motor), columns(tau_motor));
        let qd = wrist.apply("qd", &[&qd[0], &qd[1]]);
        let tau = wrist.apply("tau", &[&tau[0], &tau[1]]);
        assert_eq!((qd[0][0], qd[1][0]), (2.0, 1.5));
        let joint_power = qd[0][0] * tau[0][0] + qd[1][0] * tau[1][0];
        let motor_power = qd_motor[0] * tau_motor[0] + qd_motor[1] * tau_motor[1];
        assert!((joint_power - motor_power).abs() < 1e-12);
        let singular = Matrix::from_fn(2, 2, |_, _| 1.0);
        assert!(Reduction::new(names("a", "b"), names("c", "d"), &singular, vec![0.0; 2], 1).is_none());
    }
}
