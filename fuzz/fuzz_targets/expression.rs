//! Exact expressions, as mechanism files and profiles hold them.
#![no_main]

use libfuzzer_sys::fuzz_target;
use steiner::scalar::{Exact, parse_decimal};

fuzz_target!(|text: &str| {
    let _ = parse_decimal(text);
    let length = |name: &str| (name == "l").then(|| Exact::symbol("l", Exact::fraction(3, 10)));
    if let Ok(value) = Exact::parse_with(text, &length) {
        let _ = (value.to_rational(), value.pi_multiple(), value.is_zero());
        let _ = (value.to_f64(), value.to_thirty_digits());
        let _ = value.to_string();
    }
});
