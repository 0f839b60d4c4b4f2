//! Dynamics.
