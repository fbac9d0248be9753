"""Rust: routines as functions of a crate without unsafe code."""
