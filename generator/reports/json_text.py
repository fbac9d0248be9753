"""JSON as every command writes it."""

from __future__ import annotations

import json


def json_text(value: object) -> str:
    """Return a document: two spaces an indent, ASCII alone, which any terminal and any reader takes."""
    return json.dumps(value, indent=2) + "\n"
