"""Filters of `efdgen list`, against what the files in efd/ say, read here, and points over a tiny field."""

import json
import re
from itertools import product
from pathlib import Path

import pytest

from efdgen.generator.formulas.layers import BUILT_IN

Point = tuple[int, int]


def lines_of(path: Path, keyword: str) -> list[str]:
    """Return what stands behind a keyword in a formula, and in the coordinate system that it is for."""
    found = [path, path.parents[1] / "variables"]
    lines = [line for file in found for line in file.read_text(encoding="utf-8").splitlines()]
    return [line.removeprefix(keyword).strip() for line in lines if line.startswith(f"{keyword} ")]


@pytest.fixture(scope="module")
def files() -> list[Path]:
    return sorted(path for path in BUILT_IN.glob("g1p/shortw/*/*/*") if path.is_file())


@pytest.fixture(scope="module")
def works() -> dict[str, str]:
    """The entries of the bibliography, by their keys."""
    text = (BUILT_IN / "references.bib").read_text(encoding="utf-8")
    return {entry.partition(",")[0]: entry for entry in re.split(r"^@\w+\{", text, flags=re.MULTILINE)[1:]}


def cited(path: Path, works: dict[str, str]) -> list[str]:
    source = path.read_text(encoding="utf-8").partition("source ")[2].partition("\n")[0]
    return [works[key] for key in re.findall(r"\[(.+?)\]", source)]


def year(work: str) -> int:
    return int(re.search(r"year = \{(\d+)\}", work)[1])


@pytest.fixture
def listed(efdgen):
    def run(*arguments: str) -> set[str]:
        done = efdgen("list", *arguments)
        assert (done.code, done.err) == (0, "")
        return set(done.out.split())

    return run


def ids(paths: list[Path]) -> set[str]:
    assert len(paths) > 10
    return {path.relative_to(BUILT_IN).as_posix() for path in paths}


def test_kinds_are_those_of_the_files(listed, files):
    expected = [path for path in files if path.parts[-2] in {"tripling", "zaddu"}]
    assert listed("g1p/shortw", "--kind", "tripling", "--kind", "zaddu") == ids(expected)


@pytest.mark.parametrize(("asked", "line"), [("a=-3", "a == -3"), ("Z2 == 1", "Z2 == 1")])
def test_assumptions_are_those_of_the_files(listed, files, asked, line):
    expected = [path for path in files if line in lines_of(path, "assume")]
    assert listed("g1p/shortw", "--assuming", asked) == ids(expected)


@pytest.mark.parametrize("text", ["", "a=", "=3", "a===3", "a=b=c", "3", "-a"])
def test_what_is_no_assumption_is_refused(efdgen, text):
    """Nothing was listed for it, as if no formula assumed it."""
    done = efdgen("list", f"--assuming={text}")
    assert (done.code, done.out) == (2, "")
    assert f"--assuming: {text!r} is neither an equation such as a=-3 nor a name" in done.err


def test_all_assumptions_that_are_asked_for_are_there(listed):
    place = "jacobian*/addition"
    first, second = (listed(place, f"--assuming={text}") for text in ("a=-3", "Z1"))
    both = listed(place, "--assuming=a=-3", "--assuming=Z1")
    assert both
    assert both == first & second
    nothing = listed(place, "--assuming", "nothing")
    assert "g1p/shortw/jacobian/addition/add-2007-bl" in nothing
    assert nothing.isdisjoint(first | second)


@pytest.mark.parametrize(
    ("asked", "first", "last"), [("2007", 2007, 2007), ("2009-2011", 2009, 2011), ("-1999", 0, 1999)]
)
def test_years_are_those_of_the_bibliography(listed, files, works, asked, first, last):
    expected = [path for path in files if any(first <= year(work) <= last for work in cited(path, works))]
    assert listed("g1p/shortw", "--year", asked) == ids(expected)


def test_author_and_year_are_of_one_work(listed, files, works):
    def wanted(work: str) -> bool:
        return "Lange" in work and year(work) == 2007

    expected = [path for path in files if any(map(wanted, cited(path, works)))]
    assert listed("g1p/shortw", "--author", "LANGE", "--year", "2007") == ids(expected)


def test_authors_are_found_without_their_accents(efdgen):
    found = json.loads(efdgen("list", "affine/doubleadd", "--author", "eisentrager", "--json").out)
    assert {each["source"].partition("]")[0] for each in found} == {"[2003-eisentraeger-lauter-montgomery"}


@pytest.mark.parametrize(
    ("arguments", "there"), [(("7",), True), (("6.99",), False), (("8", "--weights", "S=1"), True)]
)
def test_costs_are_weighed(listed, arguments, there):
    """dbl-2001-b is 3M + 5S, and no pass makes it cheaper: 7 multiplications where S = 0.8."""
    found = listed("jacobian-3/doubling", "--max-cost", *arguments)
    assert ("g1p/shortw/jacobian-3/doubling/dbl-2001-b" in found) is there


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--max-cost", "x"), "is not a number of multiplications"),
        (("--max-cost", "-1"), "is not a number of multiplications"),
        (("--weights", "S=1"), "--weights has no effect without --max-cost"),
        (("--max-cost", "9", "--weights", "S=x"), "'x' is not a number"),
        (("--year", "x"), "is neither a year nor two"),
        (("--year", "2010-2005"), "ends before it starts"),
        (("--year", "-"), "is neither a year nor two"),
        (("--kind", "doublin"), "did you mean doubling"),
    ],
)
def test_what_cannot_be_asked_is_refused(efdgen, arguments, said):
    done = efdgen("list", *arguments)
    assert (done.code, done.out) == (2, "")
    assert said in done.err


def test_nothing_found_is_nothing_printed(efdgen):
    nobody = ("list", "jacobian/doubling", "--author", "nobody")
    assert efdgen(*nobody) == (0, "", "")
    assert json.loads(efdgen(*nobody, "--json").out) == []


def is_sum(path: Path, first: Point, second: Point) -> bool:
    """Run the steps of a formula in Python's integers on two points of the curve."""
    scale = pow(second[0], -1, 13) if "X2 == 1" in lines_of(path, "assume") else 1
    names = {"c": 1, "d": 2, "c2": 2, "k": 1, "i": 5, "X1": first[0], "Y1": first[1], "Z1": 1}
    names |= {"X2": second[0] * scale, "Y2": second[1] * scale, "Z2": scale}
    for line in lines_of(path, "compute"):
        name, _, value = line.replace("^", "**").partition(" = ")
        names[name] = eval(value, {}, names) % 13
    (a, b), (c, d) = first, second
    t = 2 * a * b * c * d
    x, y = (a * d + b * c) * pow(1 + t, -1, 13), (b * d - a * c) * pow(1 - t, -1, 13)
    z = names["Z3"]
    return z != 0 and (names["X3"] - x * z) % 13 == (names["Y3"] - y * z) % 13 == 0


def test_complete_and_unified_are_what_runs_over_a_tiny_field_show(listed):
    """Complete additions are so on x^2 + y^2 = 1 + 2*x^2*y^2 over GF(13), where 2 is no square."""
    place = "g1p/edwards/projective/addition"
    square = [*product(range(13), repeat=2)]
    points = [(x, y) for x, y in square if (x * x + y * y - 1 - 2 * (x * y) ** 2) % 13 == 0]
    additions = {path.relative_to(BUILT_IN).as_posix(): path for path in (BUILT_IN / place).iterdir()}
    every, equal = [*product(points, repeat=2)], [(point, point) for point in points]
    for option, pairs in (("--complete", every), ("--unified", equal)):
        right = {
            name
            for name, path in additions.items()
            if all(is_sum(path, *pair) for pair in pairs if pair[1][0] or "xmadd" not in name)
        }
        assert listed(place, option) == right
        assert 0 < len(right) < len(additions)
    assert not listed("g1p/shortw/jacobian/addition/add-2007-bl", "--unified")
