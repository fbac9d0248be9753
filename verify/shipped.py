"""Proofs that are part of efdgen: verdicts on its own database, in a committed file that shipping.py writes.

The head names what they were made with, the hashes of the provers' files, and a seal, the hash of all further
lines. Each of these has the hash of a claim and the verdict as JSON; they are sorted. A verdict is found as
long as its prover's files have one of these hashes, and unless ``EFDGEN_SHIPPED_PROOFS`` is ``never``.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

FILE = Path(__file__).with_name("shipped-proofs")  # without a suffix: provers do not depend on it
_HEAD = (
    "# Verdicts on the built-in database, by make prove, with {}.\n"
    "# Hashes of their provers: {}\n"
    "# Hash of all lines below: {}\n"
)
_log = logging.getLogger(__name__)


class Shipped(NamedTuple):
    """Verdicts as JSON by the hashes of their claims, and the hashes of the files of their provers."""

    provers: frozenset[str]
    verdicts: Mapping[str, str]


@cache
def shipped() -> Shipped:
    """Return the content of the file; nothing where it is missing, or not as it was written."""
    nothing = Shipped(frozenset(), {})
    try:
        text = FILE.read_text(encoding="ascii", errors="replace")
    except OSError:
        return nothing
    head, body = text.split("\n")[:3], "".join(text.split("\n", 3)[3:])
    if head[-1].rpartition(" ")[2] != _seal(body):
        _log.warning("%s was edited or damaged; it is ignored", FILE)
        return nothing
    verdicts = dict(line.split(" ", 1) for line in body.splitlines())
    return Shipped(frozenset(head[1].partition(": ")[2].split()), verdicts)


def value(name: str) -> Any:  # noqa: ANN401 - any value that JSON represents
    """Return the verdict under a key; None if none is shipped for its claim and its prover's files."""
    if os.environ.get("EFDGEN_SHIPPED_PROOFS") == "never":
        return None
    claim, _, rest = name.partition("-")
    found = shipped()
    text = found.verdicts.get(claim) if rest.partition("-")[0] in found.provers else None
    return None if text is None else json.loads(text)


def text_of(verdicts: Iterable[tuple[str, object]], versions: str) -> str:
    """Return the text of the file for verdicts with their keys; ``versions`` name their provers."""
    keys = {tuple(name.split("-")[:2]): json.dumps(found, separators=(",", ":")) for name, found in verdicts}
    body = "".join(f"{claim} {text}\n" for (claim, _), text in sorted(keys.items()))
    provers = " ".join(sorted({files for _, files in keys}))
    return _HEAD.format(versions, provers, _seal(body)) + body


def _seal(body: str) -> str:
    return hashlib.sha256(body.encode()).hexdigest()
