"""The third representation: programs with places for their values, and the bundles that they come in."""
