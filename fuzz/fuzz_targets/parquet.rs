//! Parquet.
#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};

fuzz_target!(|bytes: &[u8]| -> Corpus {
    if !bytes.starts_with(b"PAR1") {
        return Corpus::Reject; // another reader's
    }
    steiner_fuzz::read_log(bytes, "parquet");
    Corpus::Keep
});
