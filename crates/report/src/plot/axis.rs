//! Axes: which values they span, where these lie, and at which of them a tick stands.

use super::Scale;

/// Values beyond this have no finite difference and are left out like infinities.
const LARGEST: f64 = 1e300;

/// What an axis shows, as asked for.
#[derive(Clone, Default)]
pub(super) struct Axis {
    pub(super) quantity: String,
    pub(super) unit: String,
    pub(super) scale: Scale,
    /// Ends that were asked for; the data decide the others.
    pub(super) low: Option<f64>,
    pub(super) high: Option<f64>,
    /// Names that stand at 1, 2, … in place of numbers.
    pub(super) names: Vec<String>,
}

impl Axis {
    pub(super) fn named(&mut self, quantity: &str, unit: &str) {
        (self.quantity, self.unit) = (quantity.to_owned(), unit.to_owned());
    }

    /// Whether a value can be shown at all.
    pub(super) fn shows(&self, value: f64) -> bool {
        value.abs() < LARGEST && (self.scale == Scale::Linear || value > 1.0 / LARGEST)
    }

    /// Quantity and unit, with the power of ten that the ticks leave out.
    pub(super) fn label(&self, exponent: i32) -> String {
        let factor = if exponent == 0 { String::new() } else { power_of_ten(exponent) };
        let unit = [factor, self.unit.clone()].into_iter().filter(|part| !part.is_empty());
        let unit = unit.collect::<Vec<_>>().join(" ");
        match (self.quantity.is_empty(), unit.is_empty()) {
            (_, true) => self.quantity.clone(),
            (true, false) => unit,
            (false, false) => format!("{} ({unit})", self.quantity),
        }
    }

    /// The axis over these values, widened at the ends that nobody fixed by a part of its length.
    pub(super) fn ruler(&self, values: impl Iterator<Item = f64>, margin: f64) -> Ruler {
        let log = self.scale == Scale::Logarithmic;
        let along = |value: f64| if log { value.log10() } else { value };
        let ends = values
            .filter(|&value| self.shows(value))
            .map(along)
            .fold(None, |ends, v| ends.map_or(Some((v, v)), |(low, high)| Some((v.min(low), v.max(high)))));
        let asked = |end: Option<f64>| end.filter(|&value| self.shows(value)).map(along);
        let (asked_low, asked_high) = (asked(self.low), asked(self.high));
        let (mut low, mut high) = ends.unwrap_or(match (asked_low, asked_high) {
            (Some(low), _) => (low, low + 1.0),
            (_, Some(high)) => (high - 1.0, high),
            _ => (0.0, 1.0),
        });
        let spread = margin * (high - low);
        low = asked_low.unwrap_or(low - spread);
        high = asked_high.unwrap_or(high + spread);
        if low > high {
            (low, high) = (high, low);
        }
        // One value, or values that doubles cannot tell apart on the screen: as much room as they are large.
        let size = low.abs().max(high.abs());
        if high - low <= 1e-12 * size || high - low < 1.0 / LARGEST {
            let room = if log {
                0.5
            } else if size > 1.0 / LARGEST {
                0.1 * size
            } else {
                1.0
            };
            (low, high) = (low - room, high + room);
        }
        Ruler { log, low, high }
    }
}

/// A resolved axis. Logarithmic axes keep the logarithms to base ten.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ruler {
    pub(super) log: bool,
    pub(super) low: f64,
    pub(super) high: f64,
}

/// Ticks with their labels, lines between them, and the power of ten the labels leave out.
#[derive(Debug, PartialEq)]
pub(super) struct Ticks {
    /// Place along the axis (0 to 1), label.
    pub(super) major: Vec<(f64, String)>,
    pub(super) minor: Vec<f64>,
    pub(super) exponent: i32,
}

impl Ruler {
    /// Where a value lies: 0 at the low end, 1 at the high one. Values that can't be shown are NaN.
    pub(super) fn place(&self, value: f64) -> f64 {
        let along = if self.log { if value > 0.0 { value.log10() } else { f64::NAN } } else { value };
        let place = (along - self.low) / (self.high - self.low);
        if place.is_finite() { place } else { f64::NAN }
    }

    /// Ticks with names, at 1, 2, …
    pub(super) fn named_ticks(&self, names: &[String]) -> Ticks {
        let major = (1..).zip(names).map(|(k, name)| (self.place(f64::from(k)), name.clone()));
        let inside = major.filter(|(place, _)| (0.0..=1.0).contains(place));
        Ticks { major: inside.collect(), minor: Vec::new(), exponent: 0 }
    }

    /// About as many ticks as wished, at round numbers.
    pub(super) fn ticks(&self, wished: f64) -> Ticks {
        let wished = wished.max(1.0);
        if !self.log {
            return self.linear_ticks(self.low, self.high, wished);
        }
        let decades = self.high - self.low;
        // Within half a decade round values make better ticks than powers do.
        if decades < 0.7 {
            return self.linear_ticks(10f64.powf(self.low), 10f64.powf(self.high), wished);
        }
        let (first, last) = (self.low.ceil() as i32, self.high.floor() as i32);
        let stride = ((decades / wished).ceil() as i32).max(1);
        let multiples: &[i32] = match decades {
            d if d < 1.5 => &[1, 2, 5],
            d if d < 2.3 && wished >= 5.0 => &[1, 3],
            _ => &[1],
        };
        let place = |along: f64| (along - self.low) / decades;
        let inside = |place: &f64| (-1e-9..=1.0 + 1e-9).contains(place);
        // All ticks of an axis are written in one way.
        let short = first >= -3 && last <= 4;
        let mut major = Vec::new();
        for exponent in first - 1..=last {
            if exponent.rem_euclid(stride) != 0 {
                continue;
            }
            for &multiple in multiples {
                let place = place(f64::from(exponent) + f64::from(multiple).log10());
                if inside(&place) {
                    major.push((place, power(multiple, exponent, short)));
                }
            }
        }
        let minor = if stride == 1 {
            let steps =
                (first - 1..=last).flat_map(|e| (2..10).map(move |m| f64::from(e) + f64::from(m).log10()));
            steps.map(place).filter(inside).collect()
        } else {
            (first..=last).map(|e| place(f64::from(e))).filter(inside).collect()
        };
        Ticks { major, minor, exponent: 0 }
    }

    /// Ticks at multiples of 1, 2 or 5 times a power of ten, between two values.
    fn linear_ticks(&self, low: f64, high: f64, wished: f64) -> Ticks {
        let rough = (high - low) / wished;
        let mut power = rough.log10().floor() as i32;
        let mut digit = 1.0;
        let mantissa = rough / 10f64.powi(power);
        match mantissa {
            m if m <= 1.0 + 1e-9 => {}
            m if m <= 2.0 + 1e-9 => digit = 2.0,
            m if m <= 5.0 + 1e-9 => digit = 5.0,
            _ => power += 1,
        }
        let step = digit * 10f64.powi(power);
        let largest = low.abs().max(high.abs());
        let magnitude = largest.log10().floor() as i32;
        let exponent = if (-3..5).contains(&magnitude) { 0 } else { 3 * magnitude.div_euclid(3) };
        let decimals = usize::try_from(exponent - power).unwrap_or(0);
        let (first, last) = ((low / step - 1e-9).ceil(), (high / step + 1e-9).floor());
        let count = (last - first).clamp(-1.0, 1000.0) as i64 + 1;
        // One tick tells no scale.
        if count < 2 && wished < 8.0 {
            return self.linear_ticks(low, high, 2.0 * wished);
        }
        let major = (0..count).map(|k| {
            let multiple = first + k as f64;
            // The factor is taken out before rounding to the digits shown.
            let value = multiple * digit * 10f64.powi(power - exponent);
            (self.place(multiple * step), plain(value, decimals))
        });
        Ticks { major: major.filter(|(place, _)| !place.is_nan()).collect(), minor: Vec::new(), exponent }
    }
}

/// A number with a true minus sign, never a negative zero.
fn plain(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    match text.strip_prefix('-') {
        Some(rest) if rest.chars().all(|c| c == '0' || c == '.') => rest.to_owned(),
        Some(rest) => format!("−{rest}"),
        None => text,
    }
}

/// A digit times a power of ten, written out where that is short.
fn power(digit: i32, exponent: i32, short: bool) -> String {
    match exponent {
        0 => digit.to_string(),
        _ if short => plain(f64::from(digit) * 10f64.powi(exponent), usize::try_from(-exponent).unwrap_or(0)),
        _ if digit == 1 => power_of_ten(exponent),
        _ => format!("{digit}·{}", power_of_ten(exponent)),
    }
}

fn power_of_ten(exponent: i32) -> String {
    const RAISED: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let digits = exponent.unsigned_abs().to_string();
    let raised = digits.bytes().map(|digit| RAISED[usize::from(digit - b'0')]);
    let sign = if exponent < 0 { "⁻" } else { "" };
    format!("10{sign}{}", raised.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::{Axis, Ruler, Scale};

    fn labels(low: f64, high: f64, wished: f64) -> (Vec<String>, i32) {
        let ticks = Ruler { log: false, low, high }.ticks(wished);
        (ticks.major.into_iter().map(|(_, label)| label).collect(), ticks.exponent)
    }

    fn log_labels(low: f64, high: f64, wished: f64) -> Vec<String> {
        let ruler = Ruler { log: true, low: low.log10(), high: high.log10() };
        ruler.ticks(wished).major.into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn ticks_stand_at_round_numbers() {
        assert_eq!(labels(0.0, 10.0, 5.0).0, ["0", "2", "4", "6", "8", "10"]);
        assert_eq!(labels(-1.0, 1.0, 4.0).0, ["−1.0", "−0.5", "0.0", "0.5", "1.0"]);
        assert_eq!(labels(0.0, 0.3, 3.0).0, ["0.0", "0.1", "0.2", "0.3"]);
        assert_eq!(labels(3.2, 3.3, 4.0).0, ["3.20", "3.25", "3.30"]);
    }

    #[test]
    fn large_and_small_values_share_one_power_of_ten() {
        assert_eq!(
            labels(0.0, 2e6, 4.0),
            (["0.0", "0.5", "1.0", "1.5", "2.0"].map(str::to_owned).to_vec(), 6)
        );
        assert_eq!(labels(0.0, 4e-5, 4.0), (["0", "10", "20", "30", "40"].map(str::to_owned).to_vec(), -6));
        let axis = Axis { quantity: "time".into(), unit: "s".into(), ..Axis::default() };
        assert_eq!([axis.label(0), axis.label(-6)], ["time (s)", "time (10⁻⁶ s)"]);
    }

    #[test]
    fn ticks_lie_where_their_values_lie() {
        let ruler = Ruler { log: false, low: -3.7, high: 12.9 };
        for (place, label) in ruler.ticks(7.0).major {
            let value: f64 = label.replace('−', "-").parse().unwrap();
            assert!((place - (value + 3.7) / 16.6).abs() < 1e-12, "{label} at {place}");
        }
    }

    #[test]
    fn logarithmic_ticks_follow_the_length_of_the_axis() {
        assert_eq!(log_labels(0.01, 1000.0, 6.0), ["0.01", "0.1", "1", "10", "100", "1000"]);
        assert_eq!(log_labels(1e-12, 1.0, 5.0), ["10⁻¹²", "10⁻⁹", "10⁻⁶", "10⁻³", "1"]);
        assert_eq!(log_labels(1.0, 10.0, 5.0), ["1", "2", "5", "10"]);
        assert_eq!(log_labels(3.0, 5.0, 4.0), ["3.0", "3.5", "4.0", "4.5", "5.0"]);
    }

    #[test]
    fn any_values_make_an_axis() {
        let linear = Axis::default();
        let log = Axis { scale: Scale::Logarithmic, ..Axis::default() };
        let nan = f64::NAN;
        for values in [
            vec![],
            vec![nan, f64::INFINITY],
            vec![0.0],
            vec![5.0, 5.0],
            vec![-1e308, 1e308],
            vec![1e-320, 2e-320],
            vec![1e15, 1e15 + 0.1],
            vec![-4.0, 0.0],
        ] {
            for axis in [&linear, &log] {
                let ruler = axis.ruler(values.iter().copied(), 0.05);
                assert!(
                    ruler.low.is_finite() && ruler.high.is_finite() && ruler.low < ruler.high,
                    "{values:?}"
                );
                let ticks = ruler.ticks(6.0);
                assert!((1..40).contains(&ticks.major.len()), "{values:?}: {ticks:?}");
                assert!(
                    ticks.major.iter().all(|(place, _)| (-1e-6..1.0 + 1e-6).contains(place)),
                    "{values:?}: {ticks:?}"
                );
            }
        }
    }

    #[test]
    fn ends_that_were_asked_for_are_kept() {
        let axis = Axis { low: Some(0.0), high: Some(8.0), ..Axis::default() };
        assert_eq!(axis.ruler([3.0, 20.0].into_iter(), 0.1), Ruler { log: false, low: 0.0, high: 8.0 });
    }
}
