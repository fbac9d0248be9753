"""What several commands take and print."""

from __future__ import annotations

import json
from pathlib import Path

import click

DIRECTORY = click.Path(file_okay=False, path_type=Path)
FILE = click.Path(dir_okay=False, path_type=Path)
FORMATS = ["table", "markdown", "csv", "json"]


def echo_json(value: object) -> None:
    """Print a value as JSON, two spaces an indent."""
    click.echo(json.dumps(value, indent=2))
