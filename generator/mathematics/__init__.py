"""Numbers, primes and polynomials."""
