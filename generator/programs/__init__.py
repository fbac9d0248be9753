"""The second representation: straight-line programs, what they cost, and what they compute."""
