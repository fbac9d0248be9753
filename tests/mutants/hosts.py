"""Mutants of a host file: rules that the solver trusts, and the host itself refutes."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from host_packages import libsecp256k1_sources
from host_rules import rule_faults

from efdgen.generator.curves.load import load_curve
from efdgen.generator.errors import EfdgenError
from efdgen.generator.hosts.file import load_host
from mutants.edits import edits
from mutants.kinds import Mutant, difference
from mutants.targets import CurveTarget, Killed

if TYPE_CHECKING:
    from random import Random

ROOT = Path(__file__).parents[2]
FILE = ROOT / "efd" / "hosts" / "libsecp256k1.toml"


@dataclass(frozen=True)
class Rules:
    """Edits of the conditions and bounds of libsecp256k1's operations."""

    title: str
    targets: tuple[CurveTarget, ...] = ()

    def mutant(self, rng: Random) -> Mutant | None:
        text = FILE.read_text(encoding="utf-8")
        spans = [
            found.span(1)
            for found in re.finditer(r'(?:needs|distinct) = \[(.*?)\]|gives = ("[^"]*")', text)
            if found[1]
        ]
        spans += [found.span(1) for found in re.finditer(r'gives = ("[^"]*")', text)]
        spans += [found.span(1) for found in re.finditer(r"^largest = (\d+)", text, re.M)]
        found = [
            each for each in edits(text, "rules") if any(a <= each.start and each.end <= b for a, b in spans)
        ]
        edit = rng.choice(found)
        edited = edit.apply(text)
        return Mutant(
            "efd/hosts/libsecp256k1.toml", edit.sort, difference(text, edited), lambda f: _judge(edited, f)
        )


def _judge(edited: str, folder: Path) -> str:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "libsecp256k1.toml"
    path.write_text(edited, encoding="utf-8")
    try:
        host = load_host(str(path), load_curve("secp256k1").field)
    except EfdgenError as error:
        raise Killed("generator", str(error)) from None
    sources = libsecp256k1_sources(ROOT / "build" / "hosts") / "src"
    if faults := rule_faults(host, sources, folder, os.environ.get("CC", "cc")):
        raise Killed("tests", faults[0])
    return ""
