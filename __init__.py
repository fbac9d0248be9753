"""efdgen: a compiler for elliptic-curve explicit formulas."""

__version__ = "0.1.0"
