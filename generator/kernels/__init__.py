"""The third representation: programs with places for their values, and bundles of them."""
