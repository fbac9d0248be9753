"""The reference: what is known of the database, as data and as pages."""
