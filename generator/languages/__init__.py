"""Languages that routines are printed in: one folder each."""
