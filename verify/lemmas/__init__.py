"""Lemmas: proofs that functions on points and table entries are right for every input."""
