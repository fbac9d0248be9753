"""Guests of examples/zkvm as they are built, and with edits of their sources."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, replace
from pathlib import Path

import guests
from guests import HERE
from running import Counter, Report


def halts(status: str, check: str) -> str:
    return f"if ({check}) zk_halt(ZK_{status});"


@dataclass(frozen=True)
class Guest:
    """A guest, perhaps with edits of its sources: texts of a file and what replaces them."""

    folder: Path
    name: str
    edits: tuple[tuple[str, str, str], ...] = ()

    def run(self, given: bytes, *options: str) -> Report:
        options = (*options, "--limit", "9000000", "--input", f"io={given.hex()}")
        return Counter(self.folder / "counter")(self.program(), *options)

    def status(self, given: bytes, *options: str) -> int:
        return int(self.run(given, *options)["status"])

    def program(self) -> Path:
        if not self.edits:
            return self.folder / f"{self.name}.elf"
        made = self.folder / f"{abs(hash((self.name, self.edits)))}"
        right = self.folder / f"{self.name}.elf"
        program = made / right.name
        if not program.exists():
            shutil.copytree(HERE / "guest", made)
            for header in right.parent.glob("*.h"):
                shutil.copy(header, made)
            for file, before, after in self.edits:
                text = (made / file).read_text()
                assert text.count(before) == 1, before
                (made / file).write_text(text.replace(before, after))
            guests.compile_guest(made / f"{right.stem}.c", program)
        return program

    def without(self, *edits: tuple[str, str, str]) -> Guest:
        return replace(self, edits=edits)
