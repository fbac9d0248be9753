"""Routines: typed functions that are written once, and that every language prints."""
