"""Why the multiplications of a whole curve are right for every scalar and every point."""
