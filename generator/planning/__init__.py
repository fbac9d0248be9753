"""The plan of a whole curve: system, formulas, windows and tables for each operation, and why it is safe."""
