"""Behaviour: cases with expected values, run on compiled kernels."""
