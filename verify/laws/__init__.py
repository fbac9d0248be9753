"""The law of a formula, proved on the generic curve."""
