//! Numbers and lists on the command line.

use steiner::parse_force_noise;

/// A number that is one.
pub(crate) fn finite(text: &str) -> Option<f64> {
    text.trim().parse::<f64>().ok().filter(|x| x.is_finite())
}

/// A part of something: from 0 to below 1.
pub(crate) fn parse_part(text: &str) -> Result<f64, String> {
    finite(text).filter(|x| (0.0..1.0).contains(x)).ok_or("give a part from 0 to below 1".to_owned())
}

/// A number above 0.
pub(crate) fn parse_positive(text: &str) -> Result<f64, String> {
    finite(text).filter(|x| *x > 0.0).ok_or("give a number above 0".to_owned())
}

/// A number that is not negative.
pub(crate) fn parse_not_negative(text: &str) -> Result<f64, String> {
    finite(text).filter(|x| *x >= 0.0).ok_or("give 0 or a number above".to_owned())
}

/// A standard deviation of forces above 0, N·m or N.
pub(crate) fn parse_positive_noise(text: &str) -> Result<f64, String> {
    let sigma = parse_force_noise(text)?;
    if sigma > 0.0 { Ok(sigma) } else { Err("give a standard deviation above 0, in N·m or N".to_owned()) }
}

/// Numbers joined by commas.
pub(crate) fn numbers(text: &str) -> Option<Vec<f64>> {
    text.split(',').map(finite).collect()
}
