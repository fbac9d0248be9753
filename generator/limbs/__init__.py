"""The fourth representation: programs over machine words, and their construction from field programs."""
