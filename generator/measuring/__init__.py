"""Timing emitted code on the machine at hand."""
