"""Printed routines, read back: what stands in C and in Rust has to be the routine."""
