//! Placements: xyz with rpy or a matrix, and Denavit–Hartenberg parameters.

use steiner_robot::{Frame, Orientation, no_displacement};
use steiner_scalar::Exact;
use toml_edit::Item;

use super::{Reader, Section};
use crate::error::FormatError;

impl Reader<'_> {
    /// `xyz` with `rpy` or `rotation`.
    pub(super) fn frame(&mut self, section: &Section<'_>) -> Result<Frame, FormatError> {
        let Section { table, element, line } = section;
        let xyz = match table.get("xyz") {
            Some(item) => self.vector(item, &format!("{element}, xyz"), *line)?,
            None => no_displacement(),
        };
        let orientation = match (table.get("rpy"), table.get("rotation")) {
            (Some(_), Some(item)) => {
                return Err(self.wrong(
                    self.line(item, *line),
                    element,
                    "both rpy and rotation are given",
                    "keep one",
                ));
            }
            (Some(item), None) => {
                let angles = self.vector(item, &format!("{element}, rpy"), *line)?;
                self.snapper.roll_pitch_yaw(angles)
            }
            (None, Some(item)) => self.rotation(item, &format!("{element}, rotation"), *line)?,
            (None, None) => Orientation::identity(),
        };
        Ok(Frame::new(xyz, orientation))
    }

    pub(super) fn rotation(
        &mut self,
        item: &Item,
        element: &str,
        line: u32,
    ) -> Result<Orientation, FormatError> {
        let line = self.line(item, line);
        let wrong =
            |problem: String| self.wrong(line, element, problem, "give three orthonormal rows, right-handed");
        let array = item.as_array().ok_or_else(|| wrong("a 3×3 list is expected".to_owned()))?;
        let rows: Vec<[Exact; 3]> = array
            .iter()
            .map(|row| self.vector(&Item::Value(row.clone()), element, line))
            .collect::<Result<_, _>>()?;
        let rows: [[Exact; 3]; 3] = rows
            .try_into()
            .map_err(|rows: Vec<_>| wrong(format!("3 rows are expected, {} found", rows.len())))?;
        let orientation = Orientation::from_matrix(rows)
            .map_err(|error| wrong(error.to_string()))?
            .map_err(|not| wrong(format!("the matrix is not a rotation (defect {:.1e})", not.defect)))?;
        Ok(self.snapper.orientation(orientation))
    }

    /// Denavit and Hartenberg's four numbers, as (placement, body frame).
    pub(super) fn denavit_hartenberg(
        &mut self,
        item: &Item,
        element: &str,
        line: u32,
        modified: bool,
    ) -> Result<(Frame, Frame), FormatError> {
        let section = self.section(item, element, line)?;
        self.known_keys(&section, &["theta", "d", "a", "alpha"])?;
        let mut get = |key: &str, is_angle: bool| -> Result<Exact, FormatError> {
            let Some(item) = section.table.get(key) else { return Ok(Exact::zero()) };
            let value = self.number_item(item, &format!("{element}.{key}"), section.line)?;
            Ok(if is_angle { self.snapper.angle(value) } else { value })
        };
        let (theta, d, a, alpha) =
            (get("theta", true)?, get("d", false)?, get("a", false)?, get("alpha", true)?);
        let zero = Exact::zero;
        let about_x = |angle: Exact| Orientation::RollPitchYaw([angle, zero(), zero()]);
        let about_z = |angle: Exact| Orientation::RollPitchYaw([zero(), zero(), angle]);
        Ok(if modified {
            // Rx(alpha) Tx(a) Rz(theta) Tz(d), then the joint.
            let first = Frame::new(no_displacement(), about_x(alpha));
            let second = Frame::new([a, zero(), d], about_z(theta));
            (first.then(&second), Frame::identity())
        } else {
            // Rz(theta), the joint, Tz(d) Tx(a) Rx(alpha).
            (Frame::new(no_displacement(), about_z(theta)), Frame::new([a, zero(), d], about_x(alpha)))
        })
    }
}
