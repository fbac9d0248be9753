"""Solver for the bounds of a host's field, and checks of functions against the host's rules."""
