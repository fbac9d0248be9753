"""Methods on the pages of curves, and plots of weight by memory."""

from __future__ import annotations

import json
import re
from fractions import Fraction

import pytest

from efdgen.generator.reports.describe import description
from efdgen.reference.document import collect
from efdgen.reference.pages.plots import Dot, frontier, memory_plot
from efdgen.reference.pages.site import Parts, site_files
from efdgen.reference.pages.words import number
from efdgen.reference.plans import methods

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def document() -> dict:
    return collect(["g1p/shortw/jacobian", "g1p/twisted/extended-1"], 1)


@pytest.mark.parametrize("curve", ["secp256k1", "edwards25519", "Curve25519", "sect163k1"])
def test_the_page_of_a_curve_has_the_numbers_of_the_command(curve, document, efdgen):
    rows = json.loads(efdgen("plan", "--curve", curve, "--json").out)
    page = site_files(document, Parts(plans={curve: methods(curve)}))[f"curves/{curve}.html"].decode()
    table = page[page.index('id="plan"') :]
    taken = re.findall(r'<tr class="this"><th scope="row">(.*?)</th>.*?</tr>', table)
    lines = dict(zip(taken, re.findall(r'<tr class="this">.*?</tr>', table), strict=True))
    chosen = [row for row in rows if row["chosen"]]
    assert sorted(taken) == sorted(row["operation"] for row in chosen)
    for row in chosen:
        line = lines[row["operation"]]
        assert f"<td>{row['method']}</td>" in line
        assert f'<td class="n">{number(row["weight"])}</td><td class="n">{row["bytes"]}</td>' in line


def test_a_curve_that_is_no_whole_one_has_no_methods():
    assert methods("MNT4-753") == [] or methods("MNT4-753")[0]["chosen"]
    assert methods("no such curve") == []


def test_temporaries_are_those_of_the_kernel(document, efdgen):
    for formula in document["formulas"][::25]:
        dumped = efdgen("dump", formula["id"], "--after", "allocate").out
        assert f"temporaries {formula['temporaries']}\n" in dumped


def test_dots_on_the_frontier_are_not_undercut(rng):
    dots = [Dot(rng.randrange(9), Fraction(rng.randrange(40)), str(each)) for each in range(30)]
    best = frontier(dots)
    for each in dots:
        under = [o for o in dots if o.memory <= each.memory and o.weight < each.weight]
        equal = [o for o in best if o.memory <= each.memory and o.weight == each.weight]
        assert (each in best) <= (not under)
        assert under or equal
    plot = memory_plot("a plot", "bytes", dots)
    assert plot.count('class="best"') == len(best)
    assert plot.count("<circle") == len(dots)


def test_every_formula_is_described(database, rng):
    for name in rng.sample(database.ids, 60):
        found = description(database.formula(name))
        assert 0 <= found["temporaries"] < 60, name
