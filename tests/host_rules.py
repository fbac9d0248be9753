"""A host's rules against the host: each call is allowed on the bounds that its file says, and on no others.

The calls of libsecp256k1 are made on the largest elements of each magnitude in a build with its own checks,
which end the program where a rule is broken and keep the magnitude of every result.
"""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from efdgen.generator.hosts.host import Host, HostOperation

BOUNDS = (1, 2, 7, 8, 9, 15, 16, 17, 30, 31, 32)
FACTORS = {"mul_int": (1, 2, 3, 4, 8, 31, 32, 33), "set_int": (1, 2, 32767, 32768)}
MAIN = """
#define SECP256K1_BUILD
#include <stdio.h>
#include <stdlib.h>
#include "util.h"
#include "int128_impl.h"
#include "field_impl.h"
int main(int count, char **words) {
    secp256k1_fe r, a, b;
    secp256k1_fe_get_bounds(&r, 1), secp256k1_fe_get_bounds(&a, 1), secp256k1_fe_get_bounds(&b, 1);
    switch (count > 1 ? atoi(words[1]) : -1) {
CASES
    default: return 3;
    }
    secp256k1_fe_verify(&r);
    printf("%d", r.magnitude);
    return 0;
}
"""


@dataclass(frozen=True)
class Case:
    """A call: its operands' bounds, the integer in its code, and which operands are one object."""

    operation: HostOperation
    bounds: tuple[int, ...]
    factor: int
    same: tuple[str, str] | None = None

    def allowed(self, largest: int) -> int | None:
        """Return the bound of the result as the rules say, None where the call is not allowed."""
        names = {"k": self.factor, **dict(zip(self.operation.operands, self.bounds, strict=True))}
        pairs = {frozenset(pair) for pair in self.operation.distinct}
        if not all(condition.at(names) for condition in self.operation.needs):
            return None
        if self.same and frozenset(self.same) in pairs:
            return None
        # A comparison leaves r as it was.
        (bound,) = [given.at(names) for given in self.operation.gives] or [1]
        return bound if bound <= largest else None

    def code(self) -> str:
        """Return statements that make the operands and the call."""
        places = {name: f"&{name}" for name in "rab"}
        if self.same:
            places[self.same[1]] = places[self.same[0]]
        lines = []
        for name, bound in zip(self.operation.operands, self.bounds, strict=True):
            place = "&r" if name == "a" and self.operation.in_place else places[name]
            lines.append(f"secp256k1_fe_get_bounds({place}, {bound});")
        values = {f"{name}_value": f"(*{place})" for name, place in places.items()}
        bounds = {f"bound_{n}": b for n, b in zip(self.operation.operands, self.bounds, strict=True)}
        call = self.operation.code.format(**places, **values, **bounds, k=self.factor)
        return " ".join([*lines, f"{call};"])


def cases(host: Host) -> Iterator[Case]:
    """Yield calls of every operation, on bounds at which rules can change, and with operands at one place."""
    for operation in (*host.operations.values(), *host.restores):
        for bounds in product(BOUNDS, repeat=len(operation.operands)):
            for factor in FACTORS.get(operation.name, (0,)):
                yield Case(operation, bounds, factor)
        names = ("r", *operation.operands) if not operation.in_place else ("a", *operation.operands[1:])
        for first, second in ((x, y) for x, y in product(names, names) if x < y):
            yield Case(operation, (1,) * len(operation.operands), 1, (second, first))


def rule_faults(host: Host, sources: Path, folder: Path, cc: str) -> list[str]:
    """Return the calls of which libsecp256k1 has another opinion than a host file, or gives another bound."""
    found = list(cases(host))
    text = "\n".join(f"    case {number}: {{ {case.code()} break; }}" for number, case in enumerate(found))
    (folder / "rules.c").write_text(MAIN.replace("CASES", text))
    command = [cc, "-O0", "-w", "-DVERIFY", f"-I{sources}", "rules.c", "-o", "rules"]
    subprocess.run(command, cwd=folder, check=True)
    faults = []
    for number, case in enumerate(found):
        done = subprocess.run([folder / "rules", str(number)], capture_output=True, text=True, check=False)
        told = int(done.stdout) if done.returncode == 0 else None
        if told != case.allowed(host.largest):
            faults.append(f"{case.operation.name} on {case.bounds}, {case.factor}, {case.same}: {told}")
    return faults


def declared(header: str, prefix: str) -> Mapping[str, tuple[int, ...]]:
    """Return the bounds that fiat-crypto declares for result and operands: 1 for tight, 2 for loose."""
    found = {}
    for line in header.splitlines():
        if line.startswith("static") and f" void {prefix}_" in line and line.endswith(") {"):
            name, _, parameters = line.partition(f" void {prefix}_")[2].partition("(")
            kinds = [
                {"tight": 1, "loose": 2}.get(part.split("_")[-3])
                for part in parameters.split(",")
                if "field_element" in part
            ]
            found[name] = tuple(kinds)
    return found
