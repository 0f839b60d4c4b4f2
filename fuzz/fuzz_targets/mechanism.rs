//! Native mechanism files.
#![no_main]

use libfuzzer_sys::fuzz_target;
use steiner::formats::Format;

fuzz_target!(|text: &str| steiner_fuzz::read_robot(text, Format::Toml));
