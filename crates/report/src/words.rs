//! Numbers and sentences as people read them; the exact ones are in the JSON document.

use steiner_identifiability::{Analysis, Arithmetic, Certificate, Verified};

/// Some significant digits, without trailing zeros.
pub fn number(x: f64, significant: usize) -> String {
    if x == 0.0 {
        return "0".to_owned();
    }
    let decimals = significant.saturating_sub(1);
    if !(1e-4..1e6).contains(&x.abs()) {
        let text = format!("{x:.decimals$e}");
        return match text.split_once('e') {
            Some((mantissa, exponent)) => format!("{}e{exponent}", without_trailing_zeros(mantissa)),
            None => text,
        };
    }
    let before = x.abs().log10().floor() as i64;
    let decimals = usize::try_from(decimals as i64 - before).unwrap_or(0);
    without_trailing_zeros(&format!("{x:.decimals$}")).to_owned()
}

fn without_trailing_zeros(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

/// A value as far as its standard deviation lets one know it: two digits of the
/// deviation, at most six of the value.
pub(crate) fn measured_value(value: f64, sigma: f64) -> String {
    if !value.is_finite() {
        return "–".to_owned();
    }
    if !(sigma > 0.0 && sigma.is_finite()) {
        return number(value, 5);
    }
    let last = sigma.log10().floor() as i32 - 1;
    let scale = 10f64.powi(last);
    let rounded = (value / scale).round() * scale;
    if rounded == 0.0 {
        return "0".to_owned();
    }
    let digits = (rounded.abs().log10().floor() as i32 - last + 1).clamp(1, 6);
    let text = number(rounded, digits as usize);
    // Zeros that are known are said, in plain decimals of bearable length.
    let decimals = usize::try_from(-last).unwrap_or(0);
    match digits < 6 && decimals <= 7 && !text.contains('e') {
        true => format!("{rounded:.decimals$}"),
        false => text,
    }
}

/// A share in per cent with three digits: "1.03 %".
pub fn percent(share: f64) -> String {
    match share.is_finite() {
        true if share != 0.0 && share.abs() < 5e-7 => "below 0.0001 %".to_owned(),
        true if share == 0.0 => "0 %".to_owned(),
        true if share.abs() >= 1e4 => format!("{} %", number(100.0 * share, 3)),
        true => {
            let decimals = |x: f64| usize::try_from(2 - x.abs().log10().floor() as i64).unwrap_or(0);
            let share = 100.0 * share;
            // 99.99 rounds to 100, which has a digit more before the point.
            let rounded: f64 = format!("{share:.*}", decimals(share)).parse().unwrap_or(share);
            format!("{share:.*} %", decimals(rounded))
        }
        false => "–".to_owned(),
    }
}

/// A count with its thousands set apart: "13,333".
pub fn thousands(n: usize) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (k, digit) in digits.chars().enumerate() {
        if k > 0 && (digits.len() - k).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// "1 loop", "2 loops".
pub fn count(n: usize, noun: &str) -> String {
    match (n, noun.strip_suffix('y')) {
        (1, _) => format!("1 {noun}"),
        (_, Some(stem)) => format!("{n} {stem}ies"),
        _ => format!("{n} {noun}s"),
    }
}

/// Breaks a line at its spaces; what follows the first is indented.
pub fn wrapped(line: &str, indent: usize, width: usize) -> String {
    let mut out = String::new();
    let mut column = 0;
    for word in line.split_inclusive(' ') {
        let length = word.trim_end().chars().count();
        if column > indent && column + length > width {
            out.truncate(out.trim_end().len());
            out.push('\n');
            out.extend(std::iter::repeat_n(' ', indent));
            column = indent;
        }
        out += word;
        column += word.chars().count();
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

/// Whether an answer is proven complete, for the file's own geometry: of one that the field had to round nothing is.
pub(crate) fn is_proven(certificate: &Certificate) -> bool {
    let in_field = certificate.arithmetic == Arithmetic::PrimeField && !certificate.from_below;
    certificate.complete && in_field && certificate.exact_geometry
}

/// Whether nothing but the digits of the file's numbers is in the way of a proof: loops that close to these alone.
fn by_printed_digits(certificate: &Certificate) -> bool {
    let in_field = certificate.arithmetic == Arithmetic::PrimeField;
    !certificate.complete && !certificate.exact_geometry && !in_field && certificate.digits_needed.is_none()
}

/// What is proven, in one sentence.
pub fn certificate_sentence(analysis: &Analysis) -> String {
    let Some(certificate) = &analysis.certificate else {
        return "Not certified: no certificate was asked for.".to_owned();
    };
    let (rank, found, all) = (certificate.rank, analysis.vectors.len(), analysis.parameters());
    let claim = match certificate.complete {
        true => {
            let how = match certificate.arithmetic {
                _ if is_proven(certificate) => "Proven complete",
                Arithmetic::PrimeField => "Complete",
                Arithmetic::Extended { .. } => "Complete to all digits",
            };
            format!("{how}: rank {rank} + nullity {found} = {all} parameters")
        }
        false if rank + found == all => {
            let doubt = match certificate.digits_needed {
                Some(digits) => {
                    format!("numbers of the file that nearly agree can make effects of 1e-{digits}")
                }
                None if by_printed_digits(certificate) => {
                    "the geometry is known to the digits of the file alone".to_owned()
                }
                None => "not beyond doubt".to_owned(),
            };
            format!("Not proven: rank {rank} + nullity {found} = {all} parameters, but {doubt}")
        }
        false => format!(
            "Not complete: rank {rank} + {} found, of {all} parameters; {} undecided",
            count(found, "null vector"),
            all.abs_diff(rank + found)
        ),
    };
    let decided = match certificate.arithmetic {
        Arithmetic::PrimeField if rank == 0 => "(nothing that is measured moves)".to_owned(),
        Arithmetic::Extended { gap, .. } if gap.is_infinite() => "(without any remainder)".to_owned(),
        Arithmetic::PrimeField if certificate.from_below => format!(
            "(rank from below in exact arithmetic; null vectors vanish to {} digits along the branch)",
            match certificate.null_verified {
                Verified::Extended { digits } => digits,
                Verified::PrimeField => 31,
            }
        ),
        Arithmetic::PrimeField => format!(
            "(exact arithmetic, error probability {:.0e})",
            certificate.error_probability(analysis.bodies.len())
        ),
        Arithmetic::Extended { digits, gap, visible } => {
            format!(
                "({digits} digits, gap {gap:.0e} between the smallest pivot and the largest remainder; an effect \
                 below {visible:.0e} of the largest would not show)"
            )
        }
    };
    let geometry = match (certificate.exact_geometry, certificate.arithmetic) {
        (true, _) => "",
        (false, Arithmetic::PrimeField) => ", of the geometry rounded to 110 digits",
        (false, _) if rank + found == all && by_printed_digits(certificate) => "",
        (false, _) => ", as far as the digits of the file's geometry go",
    };
    format!("{claim} {decided}{geometry}.")
}

/// "a", "a and b", "a, b and c".
pub(crate) fn joined(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

/// Names in a row, the last few counted only: "a, b, c and 17 more".
pub(crate) fn listed(names: &[String], most: usize) -> String {
    // One name more takes no more room than the remark that it is missing.
    if names.len() <= most + 1 {
        return names.join(", ");
    }
    format!("{} and {} more", names[..most].join(", "), names.len() - most)
}

#[cfg(test)]
mod tests {
    use super::{measured_value, number, percent, thousands, wrapped};

    #[test]
    fn values_have_the_digits_their_uncertainty_leaves() {
        for (value, sigma, text) in [
            (3.97341, 0.11, "3.97"),
            (0.0087633, 0.0012, "0.0088"),
            (-0.5, 0.0021, "-0.5000"),
            (2e-13, 0.00016, "0"),
            (1.23456789, 1e-9, "1.23457"),
            (4567.8, 130.0, "4570"),
            (1.5e-9, 2e-11, "1.5e-9"),
            (0.25, f64::INFINITY, "0.25"),
        ] {
            assert_eq!(measured_value(value, sigma), text);
        }
    }

    #[test]
    fn shares_and_counts_read_easily() {
        assert_eq!(
            [0.010321, 1.0, 3e-5, 0.0, 2e-9].map(percent),
            ["1.03 %", "100 %", "0.00300 %", "0 %", "below 0.0001 %"]
        );
        assert_eq!([f64::NAN, 0.99997, -0.5].map(percent), ["–", "100 %", "-50.0 %"]);
        assert_eq!([12.3, 2_252_915.28, 1e300].map(percent), ["1230 %", "2.25e8 %", "1e302 %"]);
        assert_eq!([7, 999, 1000, 20_000_000].map(thousands), ["7", "999", "1,000", "20,000,000"]);
    }

    #[test]
    fn numbers_keep_their_significant_digits_and_no_more() {
        for (x, text) in [
            (0.2089662425, "0.208966"),
            (0.4318, "0.4318"),
            (-71.893828125, "-71.8938"),
            (100000.0, "100000"),
            (1234567.0, "1.23457e6"),
            (0.0000123, "1.23e-5"),
            (1.0, "1"),
            (0.0, "0"),
        ] {
            assert_eq!(number(x, 6), text);
        }
    }

    #[test]
    fn long_lines_break_at_spaces_and_long_words_stay_whole() {
        assert_eq!(wrapped("  one two three", 4, 10), "  one two\n    three\n");
        assert_eq!(wrapped("one unbreakable-word b", 2, 8), "one\n  unbreakable-word\n  b\n");
        assert_eq!(wrapped("", 2, 8), "\n");
    }
}
