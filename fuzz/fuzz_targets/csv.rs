//! CSV.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| steiner_fuzz::read_log(bytes, "csv"));
