//! Writing TOML.
