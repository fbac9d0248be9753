"""Timing of emitted code on the local machine."""
