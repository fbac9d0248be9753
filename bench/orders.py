"""Searches the fastest order of formulas by timing them, and records it in generator/limbs/orders.toml.

    python bench/orders.py CURVE FORMULA ... [--rounds 20] [--size 30] [--seed 1]

A round compiles SIZE variants of the fastest orders so far with clang, each a function on points in memory,
and times them in one process. The search begins with the order of the formula, the one that the estimate
prefers, and the one that is recorded already. It takes some minutes for each formula.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from libraries import BUILD, FLAGS, HERE, ROOT, compilers
from measure import measure

from efdgen.generator.curves.load import load_curve
from efdgen.generator.formulas.database import Database
from efdgen.generator.kernels.candidate import candidate
from efdgen.generator.limbs.c import render_header
from efdgen.generator.limbs.lower import lower_to_limbs
from efdgen.generator.limbs.order import (
    ordered_for,
    reordered,
    with_later_operands_right,
)
from efdgen.generator.limbs.plan import FieldPlan, plan
from efdgen.generator.limbs.recorded import FILE, Order, fingerprint, recorded_orders
from efdgen.generator.limbs.spelling import LimbFunction
from efdgen.generator.passes.dead_code import remove_dead_code
from efdgen.generator.programs.program import Mul, Program

KEPT = 6  # of the fastest orders, whose variants are tried next
TIMED = 31


@dataclass(frozen=True)
class Search:
    """A program whose fastest order is looked for."""

    program: Program
    plan: FieldPlan
    rng: Random

    def first(self) -> list[Order]:
        """Return where the search begins: as written, as estimated, as recorded."""
        length = len(self.program.instructions)
        known = recorded_orders().get(fingerprint(self.program, self.plan))
        found = [Order(tuple(range(length)), ()), *([known] if known else [])]
        names = {i.label: at for at, i in enumerate(self.program.instructions)}
        estimated = ordered_for(self.program, self.plan)
        return [*found, Order(tuple(names[i.label] for i in estimated.instructions), ())]

    def variant(self, order: Order, steps: int) -> Order:
        """Return an order in which a few operations have moved, or a few operands changed sides."""
        places: list[float] = [0] * len(order.instructions)
        for place, value in enumerate(order.instructions):
            places[value] = place
        exchanged = set(order.exchanged)
        products = [at for at, i in enumerate(self.program.instructions) if isinstance(i.operation, Mul)]
        for _ in range(steps):
            one, other = self.rng.randrange(len(places)), self.rng.randrange(len(places))
            match self.rng.randrange(3):
                case 0:
                    exchanged ^= {self.rng.choice(products)} if products else set()
                case 1:
                    places[one], places[other] = places[other], places[one]
                case _:
                    places[one] = places[other] + self.rng.choice((-0.5, 0.5))
        program = with_later_operands_right(self.program)
        labelled = [replace(i, label=str(at)) for at, i in enumerate(program.instructions)]
        moved = reordered(Program(tuple(labelled), program.outputs), places)
        return Order(tuple(int(i.label) for i in moved.instructions), tuple(sorted(exchanged)))

    def times(self, orders: Sequence[Order], folder: Path) -> list[float]:
        """Return the core cycles that each order takes."""
        functions = [
            LimbFunction(f"order{at}", lower_to_limbs(order.of(self.program), self.plan), (f"Order {at}.",))
            for at, order in enumerate(orders)
        ]
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "orders.h").write_text(render_header(self.plan, functions, "toy"))
        (folder / "orders.c").write_text("\n".join(_source(functions)))
        library = folder / "orders.so"
        command = [compilers()["clang"], "-O2", "-std=gnu11", *FLAGS, folder / "orders.c", "-o", library]
        subprocess.run(command, check=True)
        rows = measure(BUILD / "harness", [library], TIMED)
        return [rows[function.name].cycles("clang", "latency") or 0.0 for function in functions]

    def run(self, rounds: int, size: int, folder: Path) -> Order:
        """Return the fastest order that was found."""
        orders = self.first()
        best: list[tuple[float, Order]] = []
        for at in range(rounds):
            steps = (1, 1, 2, 3, 5) if at else (2, 4, 8, 16)
            parents = [order for _, order in best] or orders
            variants = [self.variant(self.rng.choice(parents), self.rng.choice(steps)) for _ in range(size)]
            timed = zip(self.times([*orders, *variants], folder), [*orders, *variants], strict=True)
            best = sorted([*timed, *best], key=lambda found: found[0])[:KEPT]
            print(f"  round {at + 1}: {best[0][0]:.1f} core cycles")
            # The fastest is timed again, for it may have been lucky.
            orders = [best.pop(0)[1]]
        return orders[0]


def _source(functions: Sequence[LimbFunction]) -> Iterator[str]:
    """Yield C that calls each function on points in memory, outputs over inputs."""
    yield from (
        "#include <stddef.h>",
        '#include "entry.h"',
        '#include "orders.h"',
        "typedef uint64_t fe[16];",
    )
    for function in functions:
        taken = {n.name: f"p[{at}]" for at, n in enumerate(function.inputs)}
        stored = [_place(name, at, taken) for at, (name, _) in enumerate(function.outputs)]
        call = f"toy_{function.name}({', '.join([*stored, *taken.values()])})"
        count = len(taken) + len(stored)
        yield f"__attribute__((noinline)) static void call_{function.name}(fe *p) {{ {call}; }}"
        fill = "unsigned char *bytes = (void *)r; for (size_t i = 0; i < sizeof *r; i++) bytes[i] = 7 * i + 1"
        yield f"typedef struct {{ fe p[{count}]; }} points_{function.name};"
        yield f"LATENCY({function.name}, points_{function.name}, {fill}, call_{function.name}(r->p))"
    entries = [f'{{"clang", "{f.name}", "latency", {f.name}_latency}}' for f in functions]
    yield f"const bench_entry bench_entries[] = {{ {', '.join(entries)}, {{0, 0, 0, 0}} }};"


def _place(output: str, at: int, taken: dict[str, str]) -> str:
    """Return where an output is stored: over the input that begins with the same letters, if there is one."""
    letters = re.sub(r"\d+$", "", output)
    return next(
        (place for name, place in taken.items() if re.sub(r"\d+$", "", name) == letters),
        f"p[{len(taken) + at}]",
    )


def record(formula: str, curve: str, key: str, order: Order) -> None:
    """Write an order to the file, in place of the one that is recorded by the same key."""
    path = ROOT / "generator" / "limbs" / FILE
    head, *entries = path.read_text().split("[[order]]\n")
    fields = {"formula": formula, "curve": curve, "program": key}
    text = "".join(f"{name} = {json.dumps(value)}\n" for name, value in fields.items())
    text += f"instructions = {list(order.instructions)}\nexchanged = {list(order.exchanged)}\n"
    kept = [entry.strip("\n") + "\n" for entry in entries if key not in entry]
    path.write_text("\n".join([head.strip("\n") + "\n", *(f"[[order]]\n{e}" for e in sorted([*kept, text]))]))


def main() -> None:
    """Search an order for each formula, and record it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("curve")
    parser.add_argument("formulas", nargs="+")
    for name, default in (("rounds", 20), ("size", 30), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=default)
    given = parser.parse_args()
    BUILD.mkdir(parents=True, exist_ok=True)
    harness = ["cc", "-O2", "-o", BUILD / "harness", HERE / "c" / "harness.c", "-ldl"]
    subprocess.run(harness, check=True)
    database, curve = Database(), load_curve(given.curve)
    for formula in database.select(given.formulas):
        found = candidate(database.formula(formula), curve.prime, curve.parameters)
        program, chosen = remove_dead_code(found.specialised.program), plan(curve.prime)
        print(formula)
        search = Search(program, chosen, Random(given.seed))
        best = search.run(given.rounds, given.size, BUILD / "orders")
        record(formula, curve.name, fingerprint(program, chosen), best)


if __name__ == "__main__":
    main()
