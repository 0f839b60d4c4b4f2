//! Placements as text: `xyz` with `rpy` or `rotation`, or `mdh`.

use steiner_robot::{Frame, Orientation, Step};
use steiner_scalar::{Exact, Fp};

use super::Writer;
use super::values::{list, number, numbers};
use crate::toml::HEAVIEST_EXPRESSION;

/// Characters of a frame beyond which a product that no field holds exactly is written in digits.
const LONGEST_PRODUCT: usize = 600;

impl Writer<'_> {
    /// `xyz` with `rpy` or `rotation`, whatever is not the default.
    pub(super) fn frame_entries(&self, frame: &Frame) -> Vec<(&'static str, String)> {
        let exact = frame.as_one_step(HEAVIEST_EXPRESSION);
        let is_single = frame.steps().len() <= 1;
        if let Some(step) = exact.filter(|step| self.reads_back(step)) {
            let entries = step_entries(&step);
            // A page of sines is worth it only where it is exact and digits would not be.
            let is_short = entries.iter().all(|(_, text)| text.len() <= LONGEST_PRODUCT);
            if is_single || is_short || frame.evaluate::<Fp>().is_ok_and(|pose| !pose.rounded) {
                return entries;
            }
        }
        step_entries(&frame.to_thirty_digits())
    }

    /// Whether the reader accepts the expressions of a step.
    fn reads_back(&self, step: &Step) -> bool {
        let names = |name: &str| {
            let constant = self.description.constants.iter().find(|constant| constant.name == name);
            constant.map(|constant| constant.symbol.clone())
        };
        let mut sources: Vec<&Exact> = step.xyz.iter().collect();
        match &step.orientation {
            Orientation::RollPitchYaw(angles) => sources.extend(angles),
            Orientation::Quaternion(q) => sources.extend(q),
            Orientation::Matrix(rows) => sources.extend(rows.iter().flatten()),
        }
        sources.into_iter().all(|x| {
            x.weight() <= HEAVIEST_EXPRESSION
                && Exact::parse_with(&x.to_string(), &names)
                    .is_ok_and(|read| read.weight() <= HEAVIEST_EXPRESSION && read.to_f64().is_ok())
        })
    }
}

fn step_entries(step: &Step) -> Vec<(&'static str, String)> {
    let mut entries = Vec::new();
    if !step.xyz.iter().all(Exact::is_zero) {
        entries.push(("xyz", numbers(&step.xyz)));
    }
    match &step.orientation {
        Orientation::RollPitchYaw(angles) if angles.iter().all(Exact::is_zero) => {}
        Orientation::RollPitchYaw(angles) => entries.push(("rpy", numbers(angles))),
        turned => entries.push(("rotation", list(turned.matrix().iter().map(numbers)))),
    }
    entries
}

/// Rx(alpha), then Tx(a) Tz(d) Rz(theta): the two steps that `mdh` stands for.
pub(super) fn modified_dh(frame: &Frame) -> Option<Vec<(&'static str, String)>> {
    let [first, second] = frame.steps() else { return None };
    let (Orientation::RollPitchYaw(outer), Orientation::RollPitchYaw(inner)) =
        (&first.orientation, &second.orientation)
    else {
        return None;
    };
    let must_vanish = first.xyz.iter().chain([&outer[1], &outer[2], &second.xyz[1], &inner[0], &inner[1]]);
    if !must_vanish.into_iter().all(Exact::is_zero) {
        return None;
    }
    let entries = [("theta", &inner[2]), ("d", &second.xyz[2]), ("a", &second.xyz[0]), ("alpha", &outer[0])];
    Some(entries.into_iter().map(|(key, x)| (key, number(x))).collect())
}
