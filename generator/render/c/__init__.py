"""Text in C: kernels, fields, curves, scalars and protocols."""
