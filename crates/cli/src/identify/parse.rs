//! Drives, masses and loads on the command line.

use steiner::logs::CoupledDrive;

use crate::parse::finite;

pub(super) fn parse_mass(text: &str) -> Result<(String, f64, f64), String> {
    let parse = || {
        let (link, range) = text.split_once('=')?;
        let (least, most) = range.split_once(':')?;
        Some((link.trim().to_owned(), finite(least)?, finite(most)?))
    };
    parse().ok_or("write a link and its least and greatest mass in kg, as in link1=3:5".to_owned())
}

pub(super) fn parse_drive(text: &str) -> Result<CoupledDrive, String> {
    let (crosswise, text) = match text.strip_prefix("crosswise:") {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let parse = || {
        let (name, joints) = text.split_once('=')?;
        let joint = |pair: &str| {
            let (joint, factor) = pair.rsplit_once(':')?;
            Some((joint.trim().to_owned(), finite(factor)?))
        };
        let joints: Option<Vec<(String, f64)>> = joints.split(',').map(joint).collect();
        Some(CoupledDrive { name: name.trim().to_owned(), joints: joints?, crosswise })
    };
    parse().ok_or("write a name and what the motor turns with, as in wrist=joint5:1,joint6:1".to_owned())
}

/// A log and the load it was recorded with, mass in kg and centre of mass in m; `None` if that is unknown.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LoadOfLog {
    pub(super) log: String,
    pub(super) load: Option<(f64, [f64; 3])>,
}

pub(super) fn parse_load(text: &str) -> Result<LoadOfLog, String> {
    let parse = || {
        let (log, numbers) = text.rsplit_once('=')?;
        let log = log.to_owned();
        if numbers.trim() == "?" {
            return Some(LoadOfLog { log, load: None });
        }
        let numbers: Option<Vec<f64>> = numbers.split(',').map(finite).collect();
        let load = match numbers?[..] {
            [mass] if mass >= 0.0 => (mass, [0.0; 3]),
            [mass, x, y, z] if mass >= 0.0 => (mass, [x, y, z]),
            _ => return None,
        };
        Some(LoadOfLog { log, load: Some(load) })
    };
    parse().ok_or(
        "write a log, a mass in kg and, if it is not at the link's origin, its centre in m, as in loaded.csv=2.5,0,0,0.1; loaded.csv=? if it is unknown"
            .to_owned(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masses_and_drives_are_lists_of_names_and_numbers() {
        assert_eq!(parse_mass("link1=3:5"), Ok(("link1".to_owned(), 3.0, 5.0)));
        assert!(parse_mass("link1=3").is_err() && parse_mass("link1=3:inf").is_err());
        let drive = parse_drive("crosswise:wrist=joint5:1,joint6:-0.5").expect("a drive");
        assert!(drive.crosswise && drive.joints[1] == ("joint6".to_owned(), -0.5));
        assert!(parse_drive("wrist=joint5").is_err());
        let load = |log: &str, load| Ok(LoadOfLog { log: log.to_owned(), load });
        assert_eq!(parse_load("a=b.csv=2.5"), load("a=b.csv", Some((2.5, [0.0; 3]))));
        assert_eq!(parse_load("b.csv=2.5,0,0,-0.1"), load("b.csv", Some((2.5, [0.0, 0.0, -0.1]))));
        assert_eq!(parse_load("b.csv=?"), load("b.csv", None));
        assert!(["b.csv", "b.csv=", "b.csv=-1", "b.csv=1,2"].iter().all(|text| parse_load(text).is_err()));
    }
}
