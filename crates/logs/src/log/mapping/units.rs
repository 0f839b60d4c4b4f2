//! Units of foreign columns, as factors to SI.

use std::f64::consts::PI;

/// What a column measures, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    Time,
    Position,
    Velocity,
    Acceleration,
    Effort,
    Wrench,
}

impl Family {
    /// The family of a column of a log; `None` if no log has such a column.
    pub(crate) fn of(name: &str) -> Option<Self> {
        let after = |prefix: &str| name.strip_prefix(prefix).is_some_and(|rest| !rest.is_empty());
        // Column k of a matrix has the k-th joint of the robot.
        let indexed = |family: &str| {
            let index = name.strip_prefix(family).and_then(|rest| rest.strip_prefix('[')?.strip_suffix(']'));
            index.is_some_and(|index| index == "*" || index.parse::<usize>().is_ok())
        };
        Some(match name {
            "t" => Family::Time,
            _ if indexed("q") => Family::Position,
            _ if indexed("qd") => Family::Velocity,
            _ if indexed("qdd") => Family::Acceleration,
            _ if indexed("tau") => Family::Effort,
            _ if after("q_") => Family::Position,
            _ if after("qd_") => Family::Velocity,
            _ if after("qdd_") => Family::Acceleration,
            _ if after("tau_") => Family::Effort,
            _ if name.starts_with("wrench_") && name.len() > 10 => match name.rsplit_once('_') {
                Some((_, "px" | "py" | "pz")) => Family::Position,
                _ => Family::Wrench,
            },
            _ => return None,
        })
    }

    /// How it depends on a gear of ratio n (motor turns per joint turn): motions are
    /// divided by n, efforts multiplied.
    pub(crate) fn through_gear(self, ratio: f64) -> Option<f64> {
        match self {
            Family::Position | Family::Velocity | Family::Acceleration => Some(1.0 / ratio),
            Family::Effort => Some(ratio),
            Family::Time | Family::Wrench => None,
        }
    }

    /// Units it may come in, for messages.
    pub(crate) fn units(self) -> &'static str {
        match self {
            Family::Time => "s, ms, us, ns",
            Family::Position => "rad, deg, rev, mrad, counts, m, mm",
            Family::Velocity => "rad/s, deg/s, rev/s, rpm, counts/s, m/s, mm/s",
            Family::Acceleration => "rad/s2, deg/s2, rev/s2, counts/s2, m/s2, mm/s2",
            Family::Effort => "Nm, Nmm, Ncm, mNm, kNm, N, kN, A, mA",
            Family::Wrench => "N, kN, Nm, Nmm, Ncm, mNm, kNm, kgf",
        }
    }

    /// The factor from a unit to SI, and what else must be given for it.
    pub(crate) fn factor(self, unit: &str) -> Option<(f64, Need)> {
        let unit = unit.replace(['·', ' ', '*'], "").replace('²', "2").replace("^2", "2");
        let unit = unit.as_str();
        let per = |suffix: &str| unit.strip_suffix(suffix).filter(|root| !root.is_empty());
        let position = |unit: &str| {
            Some(match unit {
                "rad" | "m" | "" => (1.0, Need::Nothing),
                "deg" | "°" => (PI / 180.0, Need::Nothing),
                "rev" | "turn" | "turns" => (2.0 * PI, Need::Nothing),
                "mrad" | "mm" => (1e-3, Need::Nothing),
                "counts" | "count" | "ticks" => (2.0 * PI, Need::CountsPerRevolution),
                _ => return None,
            })
        };
        Some(match self {
            Family::Time => match unit {
                "s" => (1.0, Need::Nothing),
                "ms" => (1e-3, Need::Nothing),
                "us" | "µs" | "μs" => (1e-6, Need::Nothing),
                "ns" => (1e-9, Need::Nothing),
                _ => return None,
            },
            Family::Position => return position(unit).filter(|_| !unit.is_empty()),
            Family::Velocity if unit == "rpm" => (2.0 * PI / 60.0, Need::Nothing),
            Family::Velocity => return per("/s").and_then(position),
            Family::Acceleration => return per("/s2").or_else(|| per("/s/s")).and_then(position),
            Family::Effort => match unit {
                "Nm" | "N" => (1.0, Need::Nothing),
                "mNm" | "mN" | "Nmm" => (1e-3, Need::Nothing),
                "Ncm" => (1e-2, Need::Nothing),
                "kNm" | "kN" => (1e3, Need::Nothing),
                "A" => (1.0, Need::Gain),
                "mA" => (1e-3, Need::Gain),
                _ => return None,
            },
            Family::Wrench => match unit {
                "N" | "Nm" => (1.0, Need::Nothing),
                "mN" | "mNm" | "Nmm" => (1e-3, Need::Nothing),
                "Ncm" => (1e-2, Need::Nothing),
                "kN" | "kNm" => (1e3, Need::Nothing),
                "kgf" => (9.80665, Need::Nothing),
                _ => return None,
            },
        })
    }
}

/// What a unit needs to become SI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    Nothing,
    /// `counts_per_revolution`.
    CountsPerRevolution,
    /// `gain`, N·m (or N) per ampere.
    Gain,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_become_si() {
        let factor = |family: Family, unit: &str| family.factor(unit).map(|(factor, _)| factor);
        assert_eq!(factor(Family::Position, "deg"), Some(PI / 180.0));
        assert_eq!(factor(Family::Velocity, "deg/s"), Some(PI / 180.0));
        assert_eq!(factor(Family::Velocity, "rpm"), Some(PI / 30.0));
        assert_eq!(factor(Family::Acceleration, "rev/s²"), Some(2.0 * PI));
        assert_eq!(factor(Family::Effort, "N·m"), Some(1.0));
        assert_eq!(Family::Effort.factor("mA"), Some((1e-3, Need::Gain)));
        assert_eq!(factor(Family::Time, "µs"), Some(1e-6));
        for (family, wrong) in [
            (Family::Position, "deg/s"),
            (Family::Velocity, "rad"),
            (Family::Velocity, "/s"),
            (Family::Effort, "rad"),
            (Family::Time, "Nm"),
            (Family::Position, "A"),
        ] {
            assert_eq!(factor(family, wrong), None, "{wrong}");
        }
    }
}
