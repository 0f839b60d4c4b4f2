//! Mapping files, alone, over a log and with files of their own.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| steiner_fuzz::read_mapping(text));
