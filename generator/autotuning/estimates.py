"""Estimates of compiled operations without running them, reproducible on every machine."""

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
    from collections.abc import Iterator, Mapping, Sequence

    from efdgen.generator.autotuning.stopwatch import Compiler, Timed

# A function in C or, mangled, in Rust: that which calls an operation, or the operation's own.
_SYMBOL = re.compile(r"(?:_ZN.*\d)?((?:t\d+_limbs_f|call_|(?<=\d)f)\d+)(?:17h\w+E)?(?:\.\w+)*(?:@PLT)?")
_ALIAS = re.compile(r"\t\.set\t(\S+), ?(\S+)")
_COMMENT = re.compile(r"\s*#\s.*")
_CALLS = ("call", "callq", "jmp")
_INSTRUCTION = re.compile(r"\t(?!\.|ret)[a-z]")
# The newest first, for it knows the newest processors.
_SIMULATORS = (*(f"llvm-mca-{version}" for version in range(40, 13, -1)), "llvm-mca")
_CYCLES = re.compile(r"Total Cycles:\s+(\d+)")

PASSES = 8
"""Passes of an operation that are simulated side by side, compared with a single pass."""


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
        return [[float(len(body))] * rounds for body in bodies]


@dataclass(frozen=True)
class Simulation:
    """A compiler as a stopwatch by which processors that need not be there are simulated, by llvm-mca.

    ``processors`` are names that LLVM has for them. Cycles are the geometric mean over these, and over one
    pass and each of several. Raises :class:`EfdgenError` if there is no llvm-mca, or it knows no such
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

    def require(self) -> None:
        """Raise :class:`EfdgenError` if there is no simulator, or it does not know a processor."""
        for processor in self.processors:
            self._total(("nop",), processor, 1)

    def __call__(self, operations: Sequence[Timed], rounds: int) -> list[list[float]]:
        """Return the cycles of operations, in their order."""
        bodies = _bodies(self.compiler.assembly(operations), len(operations))
        return [[self._cycles(body)] * rounds for body in bodies]

    def _cycles(self, body: Sequence[str]) -> float:
        return geometric_mean(
            self._total(body, processor, passes) / passes
            for processor in self.processors
            for passes in (1, PASSES)
        )

    def _total(self, body: Sequence[str], processor: str, passes: int) -> int:
        options = (f"-mcpu={processor}", f"-iterations={passes}", "-all-views=false", "-summary-view")
        try:
            said = run([self._simulator, *options], text="".join(f"{line}\n" for line in body))
        except EfdgenError as error:
            if "not a recognized processor" not in str(error):
                raise
            hint = f"{self._simulator} -mcpu=help lists those that there are"
            raise EfdgenError(f"{self._simulator} knows no processor {processor!r}; {hint}") from None
        found = _CYCLES.search(said)
        if found is None:
            raise EfdgenError(f"{self._simulator} says nothing of cycles; LLVM 19 is known to")
        return int(found[1])

    @cached_property
    def _simulator(self) -> str:
        found = next((name for name in _SIMULATORS if shutil.which(name)), None)
        if found is None:
            raise EfdgenError("llvm-mca is missing, which simulates a processor; install LLVM's tools")
        return found


def _bodies(assembly: str, count: int) -> list[list[str]]:
    """Return the instructions of each of ``count`` operations: of its caller, or of the called function.

    If a compiler merges two operations, both have the instructions of the merged one. Raises
    :class:`EfdgenError` where functions have other names than in ELF.
    """
    functions = dict(_functions(assembly))
    aliases = ((_name(alias), _name(known)) for alias, known in _ALIAS.findall(assembly))
    functions |= {alias: functions[known] for alias, known in aliases if known in functions}
    called = [functions.get(f"call_{at}") for at in range(count)]
    if not all(called):
        raise EfdgenError("the compiler's assembler is not understood here; tune --by time")
    return [_followed(functions, body) for body in called if body]


def _followed(functions: Mapping[str, list[str]], body: list[str]) -> list[str]:
    called = (_name(line.split()[-1]) for line in body if line.split()[0] in _CALLS)
    return next((functions[name] for name in called if name in functions), body)


def _functions(assembly: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the instructions of the functions that are operations or call these, by their plain names."""
    body: list[str] = []
    for line in (_COMMENT.sub("", text).rstrip() for text in assembly.splitlines()):
        if line.endswith(":") and (name := _name(line[:-1])):
            body = []
            yield name, body
        elif line == "\t.cfi_endproc":
            body = []
        elif _INSTRUCTION.match(line):
            body.append(line)


def _name(symbol: str) -> str:
    """Return a function's name without prefixes and endings; empty for what is no operation."""
    found = _SYMBOL.fullmatch(symbol)
    return found[1].rpartition("_limbs_")[2] if found else ""
