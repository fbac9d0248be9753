"""Square roots, inverse square roots, and roots of ratios, in constant time.

All are one power: with p - 1 = 2^s·q, q odd, x^((q-1)/2) is 1/√x up to a root of unity of order
2^(s-1), which Tonelli and Shanks find bit by bit, here in windows [2001-bernstein-roots]; there is none for
s = 1. What is no square takes one more root of unity, by which it becomes one. A root of x is x times that
one; for s = 1 a power by itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.fields.chains import Chain
from efdgen.generator.fields.constants import kept_bytes, word_rows
from efdgen.generator.fields.root_steps import RootSteps
from efdgen.generator.fields.template import Entry, functions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from efdgen.generator.fields.field import Field
    from efdgen.generator.fields.pieces import FieldFunction, Names

_OF_UNITY = (
    Entry("", "ROOT_OF_UNITY_64"),
    Entry("", "ROOT_OF_UNITY_32"),
    Entry("root_of_unity", "ROOT_OF_UNITY"),
    Entry("", "words_of_bytes"),
)
_ENTRIES = (
    Entry("chain_step", "chain_step"),
    Entry("root_power", "root_power"),
    Entry("inverse_root", "inverse_root"),
    Entry("root_of_square", "root_of_square"),
    Entry("sqrt", "sqrt", public=True, takes="a", gives="element if flag"),
    Entry("inv_sqrt", "inverse_sqrt", public=True, takes="a", gives="element if flag"),
    Entry("sqrt_ratio_z", "sqrt_ratio_z", public=True, takes="ab", gives="element and flag"),
    Entry("sqrt_ratio", "sqrt_ratio", public=True, takes="ab", gives="element if flag"),
)


def roots(field: Field, names: Names) -> Iterator[FieldFunction]:
    """Yield the functions that take square roots."""
    steps = RootSteps.of(field.prime)
    adicity, direct = steps.adicity, steps.direct
    powers = [("root_power", "(q - 1)/2" if field.prime - 1 >> adicity > 1 else "p - 1", steps.chain)]
    if direct is not None:
        powers.append(("root_of_square", "(p + 1)/4", direct))
    shared = {
        "steps": steps,
        "adicity": adicity,
        "direct": direct,
        "unity_text": "-1" if adicity == 1 else "z",
        "squarings": steps.squarings,
        "multiplications": steps.multiplications,
        "root_squarings": 1 + (direct or steps).squarings,
        "root_multiplications": direct.multiplications if direct else steps.multiplications + 1,
    }
    builds = [
        {"word": found.word, "rows": word_rows(found.element(steps.unity), found.word)}
        for found in field.representations
    ]
    c_values = {**shared, "builds": builds, "powers": [c_power(*power, names) for power in powers]}
    wide, narrow = field.representations[0], field.representations[-1]
    words = [
        (word, kept_bytes(f"ROOT_OF_UNITY_{word}", found, steps.unity))
        for word, found in ((64, wide), (32, narrow))
    ]
    rust_values = {**shared, "roots": words, "powers": [rust_power(*power) for power in powers]}
    left_out = set() if direct else {"root_of_square"}
    entries = [entry for entry in (_OF_UNITY if adicity > 1 else ()) + _ENTRIES if entry.c not in left_out]
    return functions("roots", entries, names, c_values, rust_values, (steps,))


def c_power(name: str, power: str, chain: Chain, names: Names) -> dict[str, object]:
    """Return what templates in C print of a power along a chain."""
    slots = _slots(chain)
    lines = list(_c_lines(chain, slots, names))
    return {"name": name, "power": power, "chain": chain, "slots": max(slots, default=-1) + 1, "lines": lines}


def rust_power(name: str, power: str, chain: Chain) -> dict[str, object]:
    """Return what templates in Rust print of a power along a chain."""
    return {"name": name, "power": power, "chain": chain, "lines": list(_rust_lines(chain))}


def _slots(chain: Chain) -> list[int]:
    """Return where each step but the last is kept, in as few places as its order needs."""
    last_use: dict[int, int] = {}
    for number, step in enumerate(chain.steps, 1):
        last_use |= {operand: number for operand in (step.left, step.right) if operand}
    free: list[int] = []
    slots: list[int] = []
    count = 0
    for number, step in enumerate(chain.steps[:-1], 1):
        for operand in sorted({step.left, step.right or 0} - {0}):
            if last_use[operand] == number:
                free.append(slots[operand - 1])
        if not free:
            free.append(count)
            count += 1
        slots.append(free.pop(0))
    return slots


def _c_lines(chain: Chain, slots: list[int], names: Names) -> Iterator[str]:
    places = ["a", *(f"&t[{slot}]" for slot in slots), "r"]
    fe = names.template["fe"]
    if not chain.steps:
        yield "*r = *a;"
    for place, step, power in zip(places[1:], chain.steps, chain.exponents(), strict=False):
        left = places[step.left]
        match step.squarings, step.right:
            case 1, None:
                call = f"{fe}_sqr({place}, {left});"
            case count, None:
                call = f"{fe}_sqr_n({place}, {left}, {count});"
            case 0, int(right):
                call = f"{fe}_mul({place}, {left}, {places[right]});"
            case count, right:
                call = f"{names.prefix}_chain_step({place}, {left}, {count}, {places[right]});"
        yield f"{call}{_remark(power, ' /* ', ' */')}"


def _rust_lines(chain: Chain) -> Iterator[str]:
    places = ["self", *(f"t{number}" for number in range(1, len(chain.steps) + 1))]
    if not chain.steps:
        yield "*self"
    for number, (step, power) in enumerate(zip(chain.steps, chain.exponents(), strict=True), 1):
        left = places[step.left]
        right = "" if step.right is None else f"{'&' if step.right else ''}{places[step.right]}"
        match step.squarings, right:
            case 1, "":
                call = f"{left}.square()"
            case count, "":
                call = f"{left}.square_n({count})"
            case 0, _:
                call = f"{left}.mul({right})"
            case count, _:
                call = f"{left}.chain_step({count}, {right})"
        if number == len(chain.steps):
            yield call
        else:
            yield f"let t{number} = {call};{_remark(power, ' // ', '')}"


def _remark(power: int, begin: str, end: str) -> str:
    """Say which power a step makes, where that is short: a small one, or a run of ones."""
    if power & power + 1 == 0 and power > 1:
        return f"{begin}2^{power.bit_length()} - 1{end}"
    return f"{begin}{power}{end}" if power < 1 << 10 else ""
