"""Decisions measured on a machine, instead of estimated."""
