//! Saved models.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| steiner_fuzz::read_model(text));
