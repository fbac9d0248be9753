"""The first representation: formulas as they are written, and their database."""
