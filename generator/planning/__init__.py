"""The plan of a whole curve: system, formulas, windows and tables of each operation, and its safety."""
