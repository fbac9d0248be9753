"""Random single edits of what is proved and printed, each of which a proof or a test has to refuse."""
