//! Databases of rosbag2.
#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};

fuzz_target!(|bytes: &[u8]| -> Corpus {
    if !bytes.starts_with(b"SQLite format 3\0") {
        return Corpus::Reject; // another reader's
    }
    steiner_fuzz::read_log(bytes, "db3");
    Corpus::Keep
});
