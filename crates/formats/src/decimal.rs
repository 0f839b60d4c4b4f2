//! Doubles as the decimals an engineer would have written: 0.1, not 0.09999999999999999.

use steiner_robot::{CentredInertia, PseudoInertia};

/// The shortest decimal that reads back as the same double.
pub(crate) fn shortest(x: f64) -> String {
    if x == 0.0 {
        return "0".to_owned();
    }
    let text = format!("{x:?}");
    match text.strip_suffix(".0") {
        Some(whole) => whole.to_owned(),
        None => text,
    }
}

/// The double nearest to `x` within `slack` that has the fewest digits.
pub(crate) fn fewest_digits(x: f64, slack: f64) -> f64 {
    if x.abs() <= slack {
        return 0.0;
    }
    let rounded = |digits: usize| format!("{x:.digits$e}").parse::<f64>().unwrap_or(x);
    (0..17).map(rounded).find(|candidate| (candidate - x).abs() <= slack).unwrap_or(x)
}

/// The coordinate of a centre of mass with as few digits as give the first moment
/// back, to the last bit if possible.
pub(crate) fn printable_centre(mass: f64, first: f64) -> f64 {
    if mass == 0.0 || first == 0.0 {
        return 0.0;
    }
    let x = first / mass;
    let rounded = |digits: usize| format!("{x:.digits$e}").parse::<f64>().unwrap_or(x);
    let exact = |candidate: &f64| mass * candidate == first;
    (0..17).map(rounded).find(exact).unwrap_or_else(|| fewest_digits(x, f64::EPSILON * x.abs()))
}

/// What the conversion from moments about the origin to moments about the centre may round away, kg·m².
pub(crate) fn tensor_slack(inertia: &PseudoInertia) -> f64 {
    let largest = inertia.second.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    8.0 * f64::EPSILON * largest
}

/// Mass, centre and tensor with as few digits as describe the inertia up to rounding.
pub(crate) fn printable(inertia: &PseudoInertia) -> CentredInertia {
    let com = std::array::from_fn(|k| printable_centre(inertia.mass, inertia.first[k]));
    let slack = tensor_slack(inertia);
    let tensor = inertia.tensor_about(com).map(|x| fewest_digits(x, slack));
    CentredInertia { mass: inertia.mass, com, tensor }
}

/// Why a file that prints mass, centre and tensor cannot hold this inertia.
pub(crate) fn unprintable(inertia: &PseudoInertia) -> Option<String> {
    let mut numbers = inertia.first.iter().chain(&inertia.second).chain([&inertia.mass]);
    if numbers.any(|x| !x.is_finite()) {
        return Some("a number is not finite".to_owned());
    }
    if inertia.mass < 0.0 {
        return Some(format!("the mass {} kg is negative", inertia.mass));
    }
    let shifted = inertia.mass == 0.0 && inertia.first.iter().any(|h| *h != 0.0);
    if shifted || inertia.centred().com.iter().any(|x| !x.is_finite()) {
        return Some("it has first moments but no mass, so that its centre of mass lies nowhere".to_owned());
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_short_and_read_back() {
        for (x, text) in
            [(0.1, "0.1"), (1.0, "1"), (-0.0, "0"), (1e-7, "1e-7"), (-2.5e22, "-2.5e22"), (1e300, "1e300")]
        {
            assert_eq!(shortest(x), text);
            assert_eq!(shortest(x).parse::<f64>().unwrap(), x);
        }
        assert_eq!(fewest_digits(0.12 / 1.2, 1e-16), 0.1);
        assert_eq!(fewest_digits(1.7e-18, 1e-17), 0.0);
        assert_eq!(fewest_digits(std::f64::consts::PI, 0.0), std::f64::consts::PI);
        assert_eq!(fewest_digits(9.999999, 1e-3), 10.0);
    }
}
