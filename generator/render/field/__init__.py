"""Field functions by themselves, in each language."""
