"""Curves: their files, checks, points and oracle."""
