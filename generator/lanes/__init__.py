"""Several numbers at once in vector registers: representations, orders of instructions, and texts."""
