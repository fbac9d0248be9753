"""Certificates of formulas for the proof assistant Rocq: statements, and proofs that its kernel checks."""
