"""Counts the instructions of operations as a compiler emits them: the same on any machine, however busy."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError
from efdgen.generator.measuring.compilers import run

if TYPE_CHECKING:
    from collections.abc import Sequence

    from efdgen.generator.autotuning.stopwatch import Compiler, Timed

_DISASSEMBLER = ("objdump", "--disassemble", "--demangle", "--no-show-raw-insn")
_FUNCTION = re.compile(r"[0-9a-f]+ <(?:\w+::)*(\w+)[^>]*>:")
_INSTRUCTION = re.compile(r" +[0-9a-f]+:\t")

MERGED = 1e9
"""What stands for the instructions of an operation that is another's, to the last one: it is no rival."""


@dataclass(frozen=True)
class InstructionCount:
    """A compiler as a stopwatch whose times are numbers of instructions, each round the same.

    Raises :class:`EfdgenError` where there is no objdump.
    """

    compiler: Compiler

    def __post_init__(self) -> None:
        if shutil.which(_DISASSEMBLER[0]) is None:
            raise EfdgenError("there is no objdump to count instructions with; install binutils")

    def __call__(self, operations: Sequence[Timed], rounds: int) -> list[list[float]]:
        """Return the instructions of operations, in their order."""
        with TemporaryDirectory(prefix="efdgen-") as name:
            folder = Path(name)
            program = self.compiler.build(operations, folder)
            counts = instructions(run([*_DISASSEMBLER, str(program)], folder))
        # Each is a function that calls it, and one of its own where the compiler does not merge these two.
        parts = [
            [name for name in counts if re.fullmatch(rf"call_{at}|(t\d+_limbs_)?f{at}", name)]
            for at in range(len(operations))
        ]
        most = max(map(len, parts))
        return [[sum(counts[name] for name in own) if len(own) == most else MERGED] * rounds for own in parts]


def instructions(disassembly: str) -> Counter[str]:
    """Return how many instructions each function has, by its name without modules and endings."""
    found: Counter[str] = Counter()
    function = ""
    for line in disassembly.splitlines():
        if begins := _FUNCTION.match(line):
            function = begins[1]
        elif function and _INSTRUCTION.match(line):
            found[function] += 1
    return found
