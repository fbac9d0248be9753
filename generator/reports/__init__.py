"""Reports of the commands about formulas: costs, totals, descriptions."""
