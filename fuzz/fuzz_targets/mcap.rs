//! MCAP.
#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};

fuzz_target!(|bytes: &[u8]| -> Corpus {
    if !bytes.starts_with(b"\x89MCAP0\r\n") {
        return Corpus::Reject; // another reader's
    }
    steiner_fuzz::read_log(bytes, "mcap");
    Corpus::Keep
});
