"""Kernel bundles to source files, one module per language; the text itself is in ``templates``."""
