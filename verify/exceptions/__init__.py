"""Question 2: on which inputs is a formula wrong? Derived in two ways, which must agree."""
