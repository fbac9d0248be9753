"""Scalars as digits, windows, combs and halves: pure mathematics on integers, with bounds."""
