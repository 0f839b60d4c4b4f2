//! Profiles of tasks.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| steiner_fuzz::read_profile(text));
