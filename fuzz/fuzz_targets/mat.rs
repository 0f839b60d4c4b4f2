//! MAT, version 5.
#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};

fuzz_target!(|bytes: &[u8]| -> Corpus {
    if !bytes.starts_with(b"MATLAB 5.0") {
        return Corpus::Reject; // another reader's
    }
    steiner_fuzz::read_log(bytes, "mat");
    Corpus::Keep
});
