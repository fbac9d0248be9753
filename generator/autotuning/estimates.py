"""What compilers make of operations, judged without running it: the same on a busy machine as on another."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from functools import cached_property
from statistics import geometric_mean
from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError
from efdgen.generator.measuring.compilers import run

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from efdgen.generator.autotuning.stopwatch import Compiler, Timed

# A function's label in C and, mangled, in Rust: that which calls an operation, or the operation's own.
_LABEL = re.compile(r"(?:_ZN.*\d)?((?:t\d+_limbs_f|call_|(?<=\d)f)\d+)(?:17h\w+E)?(?:\.\w+)*:")
_INSTRUCTION = re.compile(r"\t(?!\.|ret)[a-z]")
# The newest first, for it knows the newest processors.
_SIMULATORS = (*(f"llvm-mca-{version}" for version in range(40, 13, -1)), "llvm-mca")
_CYCLES = re.compile(r"Total Cycles:\s+(\d+)")

MERGED = 1e9
"""What stands for an operation that a compiler found to be another one, to the last instruction: no rival."""

PASSES = 8
"""How many passes of an operation are simulated side by side, beside one alone."""


@dataclass(frozen=True)
class InstructionCount:
    """A compiler as a stopwatch whose times are numbers of instructions, in every round the same."""

    compiler: Compiler

    @property
    def title(self) -> str:
        """The compiler, and that its instructions are counted."""
        return f"{self.compiler.title}, by instructions"

    def __call__(self, operations: Sequence[Timed], rounds: int) -> list[list[float]]:
        """Return the instructions of operations, in their order."""
        bodies = _bodies(self.compiler.assembly(operations), len(operations))
        return [[float(len(body)) if body else MERGED] * rounds for body in bodies]


@dataclass(frozen=True)
class Simulation:
    """A compiler as a stopwatch by which processors that need not be there are simulated, by llvm-mca.

    ``processors`` are names that LLVM has for them. Cycles are the geometric mean over these, and over one
    pass and each of several. Raises :class:`EfdgenError` where there is no llvm-mca, or it knows no such
    processor.
    """

    compiler: Compiler
    processors: tuple[str, ...]

    @property
    def title(self) -> str:
        """The compiler, the processor, and what simulates it."""
        said = re.search(r"LLVM version \S+", run([self._simulator, "--version"]))
        by = said[0] if said else "LLVM"
        return f"{self.compiler.title}, {' and '.join(self.processors)} as simulated by llvm-mca, {by}"

    def __call__(self, operations: Sequence[Timed], rounds: int) -> list[list[float]]:
        """Return the cycles of operations, in their order."""
        bodies = _bodies(self.compiler.assembly(operations), len(operations))
        return [[self._cycles(body) if body else MERGED] * rounds for body in bodies]

    def _cycles(self, body: Sequence[str]) -> float:
        return geometric_mean(
            self._total(body, processor, passes) / passes
            for processor in self.processors
            for passes in (1, PASSES)
        )

    def _total(self, body: Sequence[str], processor: str, passes: int) -> int:
        options = (f"-mcpu={processor}", f"-iterations={passes}", "-all-views=false", "-summary-view")
        said = run([self._simulator, *options], text="".join(f"{line}\n" for line in body))
        found = _CYCLES.search(said)
        if found is None:
            raise EfdgenError(f"{self._simulator} says nothing of cycles; LLVM 19 is known to")
        return int(found[1])

    @cached_property
    def _simulator(self) -> str:
        found = next((name for name in _SIMULATORS if shutil.which(name)), None)
        if found is None:
            raise EfdgenError("there is no llvm-mca to simulate a processor with; install LLVM's tools")
        return found


def _bodies(assembly: str, count: int) -> list[list[str]]:
    """Return the instructions of each of so many operations; none for what was merged with another.

    They are those of the operation's own function where it has one, else of what calls it.
    """
    functions = dict(_functions(assembly))
    called = [functions.get(f"call_{at}", []) for at in range(count)]
    own = [functions.get(f"f{at}", []) for at in range(count)]
    return own if any(own) else called


def _functions(assembly: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the instructions of functions, by what they are called without prefixes and endings."""
    body: list[str] = []
    for line in (text.partition("#")[0].rstrip() for text in assembly.splitlines()):
        label = _LABEL.fullmatch(line)
        if label:
            body = []
            yield label[1].rpartition("_")[2] if "limbs" in label[1] else label[1], body
        elif line == "\t.cfi_endproc":
            body = []
        elif _INSTRUCTION.match(line):
            body.append(line)
