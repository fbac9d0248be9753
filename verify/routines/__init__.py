"""Printed routines, read back: the C and the Rust have to equal the routine."""
