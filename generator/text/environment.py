"""The template environment that every language shares.

Templates hold text, and renderers prepare what they print; a name that nobody gives is an error.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Literal

from jinja2 import Environment, FileSystemLoader, StrictUndefined

TEMPLATES = Path(__file__).resolve().parents[2] / "templates"


@cache
def environment(language: Literal["c", "rust", "python"]) -> Environment:
    """Return the environment for the templates of one language, ``templates/<language>``."""
    return Environment(
        loader=FileSystemLoader(TEMPLATES / language),
        undefined=StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
