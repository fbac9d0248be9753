"""The formula language: its syntax tree, its grammar, its two dialects and its printer."""
