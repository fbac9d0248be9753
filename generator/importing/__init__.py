"""Reader of the published database."""
