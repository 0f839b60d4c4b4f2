//! How noisy forces are, as people write it: a plain number means what the setting is in, `2%` and `0.5Nm` say it
//! themselves.

/// The standard deviation of the noise of forces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ForceNoise {
    /// A part of the root mean square of each force.
    Relative(f64),
    /// N·m or N.
    Absolute(f64),
}

/// Units of forces, longest first.
const UNITS: [&str; 5] = ["N·m", "N*m", "N m", "Nm", "N"];

/// A noise that without a unit is a part of each force: `0.02`, `2%`, `0.5Nm`.
pub fn parse_noise(text: &str) -> Result<ForceNoise, String> {
    let wrong =
        || "write a part of each force, as in 0.02 or 2%, or a standard deviation with its unit, as in 0.5Nm";
    let text = text.trim();
    let size = |number: &str| {
        let x = number.trim().parse::<f64>().ok().filter(|x| x.is_finite() && *x >= 0.0);
        x.ok_or_else(|| wrong().to_owned())
    };
    if let Some(number) = text.strip_suffix('%') {
        return Ok(ForceNoise::Relative(size(number)? / 100.0));
    }
    match UNITS.iter().find_map(|unit| text.strip_suffix(unit)) {
        Some(number) => Ok(ForceNoise::Absolute(size(number)?)),
        None => Ok(ForceNoise::Relative(size(text)?)),
    }
}

/// A noise that without a unit is in N·m or N: `0.5`, `0.5Nm`.
pub fn parse_force_noise(text: &str) -> Result<f64, String> {
    let has_unit = text.trim().ends_with(['%', 'm', 'N']);
    match parse_noise(text) {
        Ok(ForceNoise::Absolute(sigma)) => Ok(sigma),
        Ok(ForceNoise::Relative(sigma)) if !has_unit => Ok(sigma),
        Ok(ForceNoise::Relative(_)) => {
            Err("this is a part of each force; write a standard deviation in N·m or N, as in 0.5".to_owned())
        }
        Err(_) => Err("write a standard deviation in N·m or N, as in 0.5 or 0.5Nm".to_owned()),
    }
}
