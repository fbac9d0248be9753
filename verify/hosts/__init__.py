"""Solving for the bounds of a host's field, and holding functions against the host's rules."""
