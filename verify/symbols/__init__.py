"""Symbols of proofs about routines: bits, words and numbers of them, linear forms, and ways of decisions."""
