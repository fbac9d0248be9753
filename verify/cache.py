"""What has been proved, kept by content as JSON, so that nothing is proved twice.

Files are in ``EFDGEN_CACHE``, or in ``efdgen`` below ``XDG_CACHE_HOME``, or in ``~/.cache/efdgen``; where
that cannot be written, nothing is kept.
"""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from efdgen.generator.errors import EfdgenError
from efdgen.verify.files import write_whole

_PACKAGE = Path(__file__).resolve().parent.parent


@cache
def prover_digest() -> str:
    """Return a hash of all code that a verdict could depend on."""
    code = hashlib.sha256()
    for folder in ("generator", "verify"):
        for path in sorted((_PACKAGE / folder).rglob("*.py")):
            code.update(path.read_bytes())
    return code.hexdigest()


def name_of(*content: str) -> str:
    """Return the name under which what this code proves of some content is kept."""
    return hashlib.sha256("\n".join((prover_digest(), *content)).encode()).hexdigest()


def load(name: str) -> Any:  # noqa: ANN401 - whatever was stored
    """Return what is kept under a name, None where nothing is or where it cannot be read."""
    try:
        return json.loads((_directory() / f"{name}.json").read_text(encoding="utf-8"))
    except (OSError, RuntimeError, ValueError):
        return None


def store(name: str, value: object) -> None:
    """Keep a value under a name; where that cannot be written, nothing is kept."""
    with suppress(OSError, RuntimeError, EfdgenError):
        directory = _directory()
        directory.mkdir(parents=True, exist_ok=True)
        write_whole(directory / f"{name}.json", json.dumps(value))


def _directory() -> Path:
    """Return where things are kept; raise RuntimeError where there is no home directory."""
    chosen = os.environ.get("EFDGEN_CACHE")
    if chosen:
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "efdgen")
