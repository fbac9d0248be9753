"""Images of emitted C: the command that emits a curve, and its operations."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from images import HERE, Image, compiled, run
from machines import MACHINES

TABLES = {"speed": "small", "size": "tiny"}
_FIELD = ("product", "square", "sum")
# The file with a curve's operations, in the order in which they are counted.
CURVES = {
    "P-256": ("ecdsa", (*_FIELD, "keygen", "sign", "verify", "exchange")),
    "secp256k1": ("ecdsa", (*_FIELD, "keygen", "sign", "verify", "exchange")),
    "Ed25519": ("eddsa", ("keygen", "sign", "verify")),
    "X25519": ("exchange", (*_FIELD, "exchange")),
}


@dataclass(frozen=True)
class Emission:
    """A curve as it is emitted: options of ``efdgen compile``."""

    curve: str
    target: str
    optimize: str
    table: str
    representation: str | None = None

    def folder(self, build: Path) -> Path:
        """Return the folder of the files."""
        kind = self.representation or "default"
        return build / f"{self.curve}-{self.target}-{kind}-{self.optimize}-{self.table}"

    def emit(self, build: Path) -> str:
        """Write the files; return the name of their folder."""
        command = [sys.executable, "-m", "efdgen", "--quiet", "compile", "--lang", "c", "--curve", self.curve]
        command += ["--set", "protocols", "--prefix", "ec", "--target", self.target, "--table", self.table]
        command += ["--optimize", self.optimize, "--out", str(self.folder(build))]
        command += ["--representation", self.representation] if self.representation else []
        run(command)
        return self.folder(build).name

    def image(self, machine: str, level: str, build: Path, kept: Sequence[str]) -> Image:
        """Compile the operations over the files for a machine."""
        folder = self.folder(build)
        source = HERE / f"{CURVES[self.curve][0]}.c"
        options = [level, "-std=c99", f"-I{folder}"]
        return compiled(MACHINES[machine], folder / f"{machine}{level}.elf", [source], options, kept)
