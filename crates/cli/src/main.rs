//! The `steiner` command.
fn main() {}
