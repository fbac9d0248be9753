"""The fixtures and hooks of all tests, those of the examples too."""

pytest_plugins = ("shared",)
