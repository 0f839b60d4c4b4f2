//! The noise of forces, with and without its unit.

use steiner::{ForceNoise, parse_force_noise, parse_noise};

#[test]
fn a_plain_number_means_what_the_setting_is_in() {
    assert_eq!(parse_noise("0.02"), Ok(ForceNoise::Relative(0.02)));
    assert_eq!(parse_force_noise("0.02"), Ok(0.02));
}

#[test]
fn a_unit_says_it() {
    assert_eq!(parse_noise("2 %"), Ok(ForceNoise::Relative(0.02)));
    for text in ["0.5Nm", "0.5 N·m", "0.5N", "0.5 N m", "0.5N*m"] {
        assert_eq!(parse_noise(text), Ok(ForceNoise::Absolute(0.5)), "{text}");
        assert_eq!(parse_force_noise(text), Ok(0.5), "{text}");
    }
}

#[test]
fn what_is_no_noise_is_refused_in_one_sentence() {
    for text in ["", "-1", "nan", "much", "2 A", "%", "Nm"] {
        assert!(parse_noise(text).unwrap_err().contains("0.5Nm"), "{text}");
        assert!(parse_force_noise(text).unwrap_err().contains("N·m or N"), "{text}");
    }
    assert!(parse_force_noise("2%").unwrap_err().starts_with("this is a part of each force"));
}
