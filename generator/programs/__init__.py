"""The second representation: straight-line programs, their costs, and their values."""
