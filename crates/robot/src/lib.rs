//! Robots.
