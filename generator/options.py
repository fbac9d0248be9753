"""Values of options that have a list of them."""

from typing import Literal

Language = Literal["c", "rust", "python"]
OddMultiples = Literal["additions", "co-z", "effective-affine"]
"""Methods for tables of P, 3P, 5P and so on."""
Lowering = Literal["whole", "calls"]
"""Code for formulas: each fused into one limb function, or as calls of field functions."""
Target = Literal["gcc", "clang", "rust", "portable", "rv32im"]
"""The compiler that code is written for; portable for any that compiles C.

rv32im is a machine without flags, for words of 32 bits; in words of 64 bits, code for it is portable.
"""
RepresentationKind = Literal["saturated", "unsaturated"]
