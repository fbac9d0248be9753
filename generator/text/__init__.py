"""Text of every language: templates, words that are taken, prefixes, lines."""
