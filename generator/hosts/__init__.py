"""Kernels in the field arithmetic of a host project: its calls, its bounds, its aliasing rules."""
