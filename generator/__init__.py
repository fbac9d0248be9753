"""Text to formula, formula to program, program to kernel, kernel to text."""
