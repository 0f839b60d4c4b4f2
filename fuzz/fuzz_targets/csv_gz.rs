//! Gzipped CSV.
#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};

fuzz_target!(|bytes: &[u8]| -> Corpus {
    if !bytes.starts_with(b"\x1f\x8b") {
        return Corpus::Reject; // another reader's
    }
    steiner_fuzz::read_log(bytes, "csv.gz");
    Corpus::Keep
});
