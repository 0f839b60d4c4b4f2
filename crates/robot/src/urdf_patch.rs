//! Patching URDF.
