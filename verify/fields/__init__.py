"""Proofs of the operations of a field on words."""
