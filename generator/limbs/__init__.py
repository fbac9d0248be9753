"""The fourth representation: programs over machine words, and how a field's programs become such."""
