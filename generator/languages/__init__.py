"""Languages for printed routines: one folder each."""
