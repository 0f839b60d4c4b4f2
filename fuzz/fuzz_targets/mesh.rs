//! Meshes of links. The first byte chooses the format, the others are the file.
#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};

fuzz_target!(|bytes: &[u8]| -> Corpus {
    let ending = match bytes.first() {
        Some(b's') => "stl",
        Some(b'o') => "obj",
        Some(b'd') => "dae",
        _ => return Corpus::Reject,
    };
    steiner_fuzz::read_mesh(&bytes[1..], ending);
    Corpus::Keep
});
