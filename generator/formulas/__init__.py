"""The first representation: formulas as they are written, and the database that they stand in."""
