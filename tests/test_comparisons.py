"""Comparisons on the site: equal values by arithmetic modulo a prime, and a page for each pair."""

from __future__ import annotations

import re
from itertools import combinations
from typing import TYPE_CHECKING, Any

import pytest
from flint import nmod

from efdgen.reference.comparisons import comparisons, equal_values, groups_of, pairs_of
from efdgen.reference.document import collect
from efdgen.reference.pages.comparisons import address, links
from efdgen.reference.pages.site import Parts, site_files

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from random import Random

pytestmark = pytest.mark.slow
PRIME = 2**61 - 1
SYSTEMS = {"g1p/shortw/jacobian": None, "g1p/shortw/jacobian-0": 0}


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return collect([*SYSTEMS], 1)


def element(value: int) -> nmod:
    return nmod(value, PRIME)


def point(rng: Random, a: nmod, b: nmod) -> tuple[nmod, nmod]:
    """Return affine coordinates of a random point; the prime is 3 modulo 4."""
    while True:
        x = element(rng.randrange(PRIME))
        square = x**3 + a * x + b
        y = square ** ((PRIME + 1) // 4)
        if y * y == square:
            return x, y


def inputs(rng: Random, formula: Mapping[str, Any]) -> dict[str, nmod]:
    """Return parameters and random points in Jacobian coordinates, as a formula assumes them."""
    a, b, half = (element(rng.randrange(1, PRIME)) for _ in range(3))
    a = a if SYSTEMS[formula["system_id"]] is None else element(0)
    values, common = {"a": a, "b": b, "half": 1 / element(2)}, half
    for number in (1, 2):
        x, y = point(rng, a, b)
        assumed = formula["input_assumptions"]
        z = element(1) if f"Z{number} == 1" in assumed else element(rng.randrange(1, PRIME))
        z = common if "Z1 == Z2" in assumed else z
        values |= {f"X{number}": x * z**2, f"Y{number}": y * z**3, f"Z{number}": z}
    return values


def outputs(formula: Mapping[str, Any], values: Mapping[str, nmod]) -> dict[str, int]:
    """Return what the program of a formula computes, by python-flint."""
    known, found = dict(values), dict[str, int]()
    for line in formula["program"]:
        name, equals, text = line.partition(" = ")
        if not equals:
            continue
        powers = re.sub(r"(?<![\w^])\d+", r"element(\g<0>)", text).replace("^", "**")
        value = eval(powers, {"element": element}, known)
        known[name] = value
        if name.startswith("output "):
            found[name.removeprefix("output ")] = int(value)
    return found


def in_groups(document: Mapping[str, Any]) -> Iterator[list[Any]]:
    formulas = {each["id"]: each for each in document["formulas"]}
    for groups in groups_of(document).values():
        for group in groups:
            yield [formulas[name] for name in group]


def test_formulas_of_equal_values_compute_the_same_and_others_do_not(document, rng):
    groups = list(in_groups(document))
    same = equal_values([[each["id"] for each in group] for group in groups])
    pairs = equal = 0
    for group in groups:
        values = inputs(rng, group[0])
        for one, other in combinations(group, 2):
            found = outputs(one, values) == outputs(other, values)
            assert found == (other["id"] in same.get(one["id"], ())), (one["id"], other["id"])
            assert found == (one["id"] in same.get(other["id"], ()))
            pairs, equal = pairs + 1, equal + found
    assert 20 < equal < pairs - 20


def test_each_formula_but_the_cheapest_has_a_page_beside_it(document):
    pairs = [pair for found in pairs_of(document).values() for pair in found]
    weights = {each["id"]: float(each["weights"]["large-S0.8"]) for each in document["formulas"]}
    assert all(weights[best] <= weights[other] for other, best in pairs)
    assert len({other for other, _ in pairs}) == len(pairs) > 30
    some = [pair for pair in pairs if "/doubling/" in pair[0]]
    differences = comparisons(some)
    files = site_files(document, Parts(comparisons=differences))
    led = links(differences)
    for (other, best), each in zip(some, differences, strict=True):
        page = files[address(other, best)].decode()
        assert f"efdgen diff {other} {best}" in page
        assert ("The same, proved" in page) == (each["same_values"] is True)
        assert address(other, best).rpartition("/")[2] in files[f"{other}.html"].decode()
        assert address(other, best) in {path for path, _ in led[best]}
