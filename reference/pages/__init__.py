"""The reference as static pages, which need no server and no network."""
