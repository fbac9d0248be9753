"""One command, one file; each loads what it needs when it is called."""
