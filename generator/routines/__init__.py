"""Routines: typed functions, written once and printed in every language."""
