"""Measurement of proved candidates on this machine, and the choice of the fastest."""
