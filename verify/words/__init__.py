"""Emitted routines on words, read from their C and Rust text: executed, followed symbolically, proved."""
