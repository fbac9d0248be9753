"""Measuring proved candidates on this machine, and keeping what is fastest."""
