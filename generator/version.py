"""The version, below everything that prints it."""

__version__ = "0.3.0.dev0"
