"""What the commands print about formulas: costs, totals, descriptions."""
