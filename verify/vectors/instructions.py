"""Variable-time instructions in the disassembly of the drivers that memcheck runs.

An instruction belongs to all functions that debug information names for its address, inlined ones included.
It is a fault in a function of the generated code unless one of them may take variable time. Libraries, of the
language or of hashes, are not looked at.
"""

from __future__ import annotations

import platform
import re
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

from efdgen.generator import processes
from efdgen.generator.errors import EfdgenError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_DIVIDES = "divides, in a time that depends on the operands"
_FLOATS = "computes in floating point, where subnormal numbers take longer"
_SEARCHES = "searches for a bit in a time that depends on where it is, on older processors"
_STOPS = "stops at the first byte that differs"
_MICROCODE = "takes a time that depends on its mask on AMD's processors before Zen 3"

# For each machine: patterns of objdump's output for an instruction, and why its time varies.
_X86 = (
    (r"i?div[bwlq]?\b", _DIVIDES),
    (r"f\w+|v?(add|sub|mul|div|sqrt|rcp|rsqrt)[sp][sd]\b|v?cvt\w+|vfn?m(add|sub)\w+", _FLOATS),
    (r"bs[fr][wlq]?\b", _SEARCHES),
    (r"repn?[ez] (cmps|scas)", _STOPS),
    (r"p(dep|ext)[lq]?\b", _MICROCODE),
)
_ARM = (
    (r"[us]div\b", _DIVIDES),
    (r"f(?!mov)\w+|[us]cvtf\b|v(add|sub|mul|div|sqrt|mla|fma)\.f\d+", _FLOATS),
)
VARIABLE = {
    **dict.fromkeys(("x86_64", "AMD64", "i386", "i686"), _X86),
    **dict.fromkeys(("aarch64", "arm64", "armv7l", "armv8l"), _ARM),
    **dict.fromkeys(
        ("riscv64", "riscv32"), ((r"(div|rem)u?w?\b", _DIVIDES), (r"f(?!ence)\w+\.[sdhq]\b.*", _FLOATS))
    ),
    "s390x": ((r"d(l|s)?(g)?(f)?r?\b", _DIVIDES), (r"[admsl](e|d|x)t?br\b", _FLOATS)),
    "ppc64le": ((r"(div|mod)[dw]\w*", _DIVIDES), (r"f(add|sub|mul|div|sqrt|m)\w*", _FLOATS)),
}
# Functions that compilers call where a machine has no instruction for it.
_CALLS = re.compile(r"<(__(?:u?div|u?mod|u?divmod)[sdt]i\d|__aeabi_u?[il]div\w*)(?:@plt)?>")
_LINE = re.compile(r"^\s*([0-9a-f]+):\s+(?:[0-9a-f]{2,8} )*\s*(\S.*)$")


@dataclass(frozen=True)
class Found:
    """An instruction of variable time, why it is that, and the functions that it is in, innermost first."""

    instruction: str
    why: str
    functions: tuple[str, ...]

    @property
    def intended(self) -> bool:
        """Return whether it is in the function that leaks on purpose."""
        return any(re.match(r"(\w+::)*leak\b", name) for name in self.functions)


def disassembler() -> str:
    """Return the name of a program that disassembles for this machine; empty if there is none."""
    known = platform.machine() in VARIABLE and shutil.which("addr2line")
    return next((name for name in ("objdump", "llvm-objdump") if known and shutil.which(name)), "")


def variable_instructions(program: str, prefixes: Sequence[str]) -> list[Found]:
    """Return the instructions of variable time of a program with debug information.

    They are those in functions whose names start with a prefix, and in the one that leaks on purpose; without
    those in functions whose names end in ``_var``.
    """
    listing = _run(disassembler(), "-d", "--no-show-raw-insn", program)
    suspects = [*_suspects(listing.splitlines())]
    places = _functions(program, [at for at, *_ in suspects])
    own = re.compile(rf"<?(?:{'|'.join(map(re.escape, prefixes))})")
    found = []
    for (_, instruction, why), functions in zip(suspects, places, strict=True):
        one = Found(instruction, why, functions)
        generated = any(map(own.match, functions))
        if one.intended or (generated and not any(re.search(r"_var\b", name) for name in functions)):
            found.append(one)
    return found


def _suspects(lines: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """Yield address, instruction and reason of what can take variable time."""
    patterns = [(re.compile(pattern), why) for pattern, why in VARIABLE[platform.machine()]]
    for line in lines:
        if parts := _LINE.match(line):
            at, instruction = parts[1], " ".join(parts[2].split())
            why = next((why for pattern, why in patterns if pattern.match(instruction)), "")
            why = why or (_DIVIDES if _CALLS.search(instruction) else "")
            if why:
                yield at, instruction, why


def _functions(program: str, addresses: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield for each address the functions that it is in, the innermost first."""
    if not addresses:
        return
    said = _run("addr2line", "-a", "-f", "-i", "-C", "-e", program, *addresses)
    for block in re.split(r"^0x[0-9a-f]+\n", said, flags=re.M)[1:]:
        yield tuple(block.splitlines()[::2])


def _run(*command: str) -> str:
    done = processes.run(command)
    if done.returncode:
        raise EfdgenError(f"{command[0]} failed with status {done.returncode}: {done.stderr.strip()[:200]}")
    return done.stdout
