//! Projective geometric algebra.
