"""Text in Python: modules, packages, compiled kernels."""
