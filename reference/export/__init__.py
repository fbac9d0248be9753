"""The reference as data: JSON, SQLite, LaTeX and BibTeX."""
