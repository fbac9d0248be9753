"""Decisions that were measured on a machine, instead of estimated."""
