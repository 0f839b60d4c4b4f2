//! Python.
