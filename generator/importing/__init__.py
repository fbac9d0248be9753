"""The published database, read as it stands."""
