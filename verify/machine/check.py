"""The check of an object file: instruction by instruction without loops, and by the pass over secrets."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from efdgen.verify.machine.architectures import HARMLESS, LIBRARY
from efdgen.verify.machine.effects import number, operands_of, table_of
from efdgen.verify.machine.source import own_name
from efdgen.verify.machine.taint import Secrets

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from efdgen.verify.machine.objects import Binary, Function, Instruction

_MULTIPLIES = re.compile(r"__(?:mul[sdt]i3|ash[lr][sdt]i3|lshr[sdt]i3|aeabi_l(?:mul|lsl|lsr|asr))")
_OUTLINED = re.compile(r"OUTLINED_FUNCTION_\d+")


@dataclass(frozen=True)
class Finding:
    """An instruction whose time may depend on a secret; ``what`` is a branch, an address and so on."""

    function: str
    what: str
    instruction: str

    def __str__(self) -> str:
        """Return the finding as a line."""
        return f"{self.function}: {self.what}: {self.instruction}"


@dataclass(frozen=True)
class Verdict:
    """The outcome for an object file.

    ``straight`` counts functions that have to be without branches, ``followed`` those that the pass over
    secrets follows, and ``unjudged`` names the others, with reasons.
    """

    architecture: str
    note: str
    straight: int
    followed: int
    findings: tuple[Finding, ...]
    unjudged: Mapping[str, str] = field(default_factory=dict)

    @property
    def faults(self) -> list[Finding]:
        """The findings without calls of library functions that multiply or shift."""
        return [each for each in self.findings if not _MULTIPLIES.fullmatch(each.what)]

    @property
    def products(self) -> Mapping[str, Mapping[str, int]]:
        """The library functions for products and shifts of secrets, by caller, with numbers of calls."""
        found: dict[str, Counter[str]] = {}
        for finding in self.findings:
            if _MULTIPLIES.fullmatch(finding.what):
                found.setdefault(finding.function, Counter())[finding.what] += 1
        return found


@dataclass(frozen=True)
class Expected:
    """Facts on functions from their text: without loops, to be followed, or left out.

    ``roots`` are symbols whose arguments are public, ``variable`` functions that may take variable time, and
    ``unjudged`` functions that cannot be judged, with reasons. ``names`` maps symbols to functions, if the
    language is not C.
    """

    straight: frozenset[str]
    others: frozenset[str]
    roots: frozenset[str]
    variable: frozenset[str] = frozenset()
    unjudged: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, str] | None = None


def judge(binary: Binary, expected: Expected) -> Verdict:
    """Judge the functions of an object file."""
    names = expected.names or {symbol: own_name(symbol) for symbol in binary.functions}
    free = {*expected.variable, *expected.unjudged}
    found: dict[Finding, None] = {}
    unjudged = dict(expected.unjudged)
    followed: set[str] = set()
    judged: set[str] = set()
    table = table_of(binary.architecture)
    if table is None:
        reason = f"no table of the instructions of {binary.architecture.name}"
        unjudged |= dict.fromkeys(expected.others - free, reason)
    else:
        skipped = frozenset(symbol for symbol, name in names.items() if name in free)
        secrets = Secrets(binary, table, skipped)
        roots = [
            symbol for symbol in binary.functions if symbol in expected.roots and names[symbol] not in free
        ]
        leaks = secrets.run(roots)
        for symbol, many in leaks.items():
            found |= dict.fromkeys(
                Finding(names.get(symbol, symbol), each.what, each.instruction) for each in many
            )
        unjudged |= {names[symbol]: reason for symbol, reason in secrets.unknown.items()}
        judged = {symbol for symbol, known in secrets.known.items() if known.seen} - secrets.unknown.keys()
        followed = {names[symbol] for symbol in judged}
        missing = expected.others - free - followed - unjudged.keys()
        unjudged |= dict.fromkeys(missing, "its arguments are not public")
    for symbol, function in binary.functions.items():
        if names[symbol] in expected.straight - free or _OUTLINED.fullmatch(symbol):
            found |= dict.fromkeys(_decisions(binary, names[symbol], function, followed=symbol in judged))
    return Verdict(
        binary.architecture.name,
        binary.note,
        len({*names.values()} & (expected.straight - free)),
        len(followed & (expected.others | expected.straight) - free),
        (*found,),
        unjudged,
    )


def _decisions(binary: Binary, name: str, function: Function, *, followed: bool) -> Iterator[Finding]:
    """Yield what code without loops must not have.

    A branch backwards copies a structure in a loop, if the pass over secrets followed the function and does
    not name it.
    """
    architecture = binary.architecture
    if function.unknown:
        yield Finding(name, "bytes that are not instructions", function.name)
    relative = architecture.name.startswith("riscv")
    for one in function.code:
        for what, pattern in (
            ("branch", architecture.branch),
            ("division", architecture.division),
            ("conditional instruction", architecture.conditional),
            ("search for a bit", architecture.search),
        ):
            if pattern.fullmatch(one.mnemonic) and not (
                what == "branch" and followed and _backwards(one, relative=relative)
            ):
                yield Finding(name, what, f"{one}")
        symbol = one.symbol
        if symbol and not symbol.section and symbol.name and not _OUTLINED.fullmatch(name):
            if LIBRARY.fullmatch(symbol.name):
                yield Finding(name, symbol.name, f"{one}")
            elif not HARMLESS.fullmatch(symbol.name) and not symbol.name.startswith(
                ("_GLOBAL_OFFSET", "_gp_disp", ".TOC.", "__gnu_local_gp")
            ):
                yield Finding(name, "call outside", symbol.name)


def _backwards(instruction: Instruction, *, relative: bool) -> bool:
    """Return whether a branch is to a lower address; RISC-V's operands are relative."""
    target = number(operands_of(instruction.operands)[-1])
    if instruction.symbol:
        return instruction.symbol.offset < instruction.address
    return target is not None and target < (0 if relative else instruction.address)
