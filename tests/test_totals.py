"""The command `efdgen cost totals`: sums done by hand from costs in the literature."""

import csv
import io
import json
import re
from collections.abc import Callable
from fractions import Fraction

import pytest

from efdgen.generator.formulas.cost import Cost
from efdgen.generator.formulas.database import Database
from efdgen.generator.reports.total_formats import cost_text, render
from efdgen.generator.reports.totals import Section, Step, Total, cost_totals, operations, price
from efdgen.generator.reports.weights import parse_weights

ODD, LADDERS, WINDOWS = "Tables of n odd multiples P, 3P, 5P, …", "Ladders, a bit", "Windows, a bit"
AFFINE = "Tables of n odd multiples with Z = 1, or with one Z"


@pytest.fixture(scope="module")
def sections(database: Database) -> list[Section]:
    return cost_totals(database)


def total(sections: list[Section], name: str) -> Total:
    (found,) = [total for section in sections for total in section.totals if total.name == name]
    return found


def counted(sections: list[Section], name: str) -> tuple[int, int]:
    units = operations(total(sections, name).steps)
    return int(units["M"]), int(units["S"])


@pytest.mark.parametrize(
    ("means", "number", "expected"),
    [
        ("co-Z, any Z", 2, (3 + 5, 4 + 2)),
        ("co-Z, any Z", 8, (38, 18)),  # libsecp256k1 has the same
        ("co-Z, any Z", 16, (3 + 15 * 5, 4 + 15 * 2)),
        ("co-Z, Z = 1", 8, (1 + 7 * 5, 5 + 7 * 2)),
        ("without, any Z", 4, (2 + 3 * 11, 5 + 3 * 5)),
        ("without, Z = 1", 2, (1 + 7, 5 + 4)),
        ("without, Z = 1", 8, (1 + 7 + 6 * 11, 5 + 4 + 6 * 5)),
        ("without, libsecp256k1", 8, (87, 32)),  # libsecp256k1 has the same
    ],
)
def test_tables_of_odd_multiples(sections, means: str, number: int, expected: tuple[int, int]) -> None:
    assert counted(sections, f"g1p/shortw/jacobian-0, n = {number}, {means}") == expected


def test_where_a_is_not_0_dblu_costs_more(sections: list[Section]) -> None:
    assert counted(sections, "g1p/shortw/jacobian, n = 8, co-Z, any Z") == (1 + 7 * 5, 8 + 7 * 2)
    assert counted(sections, "g1p/shortw/jacobian-3, n = 8, co-Z, any Z") == (3 + 7 * 5, 5 + 7 * 2)
    assert counted(sections, "g1p/shortw/jacobian-3, n = 4, without, any Z") == (3 + 3 * 11, 5 + 3 * 5)


@pytest.mark.parametrize(
    ("system", "means", "expected"),
    [
        # DBLU, ZADDU, and 3(n - 1) + 3n multiplications and n squarings for one inversion.
        ("jacobian-0", "co-Z, batch", (38 + 21 + 24, 18 + 8, 1)),
        ("jacobian-0", "without, batch", (2 + 7 * 11 + 21 + 24, 5 + 7 * 5 + 8, 1)),
        # ZADDU in (X, Y) alone, 3M + 1S for each multiple but the last, and a product for each factor of Z.
        ("jacobian-0", "co-Z, one Z", (3 + 7 * 4 + 7 * 3 + 7, 4 + 7 * 2 + 7, 0)),
        # libsecp256k1 does it so: P mapped, mixed additions, and back over the factors of Z.
        ("jacobian-0", "effective affine", (2 + 3 + 7 * 7 + 7 * 3 + 6, 5 + 1 + 7 * 4 + 7, 0)),
        ("jacobian", "co-Z, batch", (1 + 7 * 5 + 21 + 24, 8 + 7 * 2 + 8, 1)),
        ("projective", "without, batch", (5 + 7 * 12 + 21 + 16, 6, 1)),
    ],
)
def test_tables_of_affine_points(sections, system: str, means: str, expected: tuple[int, int, int]) -> None:
    found = total(sections, f"g1p/shortw/{system}, n = 8, {means}")
    units = operations(found.steps)
    assert (int(units["M"]), int(units["S"]), int(units.get("I", 0))) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("g1p/shortw/jacobian, Montgomery, ZACAU", (9, 7)),
        ("g1p/shortw/jacobian, Montgomery, ZACAU, (X,Y) alone", (8, 6)),
        ("g1p/shortw/jacobian, Montgomery, ZADDC and ZADDU", (6 + 5, 3 + 2)),
        ("g1p/shortw/jacobian, Montgomery, ZADDC and ZADDU, (X,Y) alone", (5 + 4, 3 + 2)),
        ("g1p/shortw/jacobian, Joye double-add, ZDAU", (9, 7)),
        ("g1p/shortw/jacobian, signed digits, ZDAU", (9, 7)),
        ("g1p/shortw/jacobian, signed digits, ZDAU, (X,Y) alone", (8, 6)),
        ("g1p/shortw/xz, Montgomery, co-Z", (9, 5)),
        ("g1p/shortw/xz, Montgomery, co-Z, X alone", (11, 5)),
        ("g1p/montgom/xz, Montgomery", (6, 4)),
        ("g1p/montgom/xz, Montgomery, Z = 1 in the difference", (5, 4)),
    ],
)
def test_ladders_a_bit(sections: list[Section], name: str, expected: tuple[int, int]) -> None:
    assert counted(sections, name) == expected
    found = total(sections, name)
    assert price(found.whole, found.weights) == 256 * (expected[0] + Fraction(4, 5) * expected[1])


def test_binary_systems_have_weights_of_their_own(sections: list[Section]) -> None:
    found = total(sections, "g12o/shortw/xz, Montgomery, Z = 1 in the difference")
    assert price(found.steps, found.weights) == 5 + Fraction(4, 5)  # 5M + 4S, where S = 0.2


@pytest.mark.parametrize(
    ("bits", "width", "whole"),
    [
        (256, 5, "2129.8"),  # 256*(6.2 + 10.8/6) + 6.2 + 7*10.8; w = 4 and 6 give 2178.76 and 2150.37
        (32, 3, "301.8"),  # 32*(6.2 + 10.8/4) + 6.2 + 10.8; w = 2 and 4 give 313.6 and 306.12
        (3, 2, "29.4"),  # 3*(6.2 + 10.8/3), without a table
    ],
)
def test_the_window_is_the_one_that_costs_least(
    database: Database, bits: int, width: int, whole: str
) -> None:
    """On Edwards curves a doubling is 3M + 4S and an addition 10M + 1S: 6.2 and 10.8."""
    found = total(cost_totals(database, bits=bits), f"g1p/edwards/projective, w = {width}")
    assert price(found.whole, found.weights) == Fraction(whole)
    assert price(found.steps, found.weights) == Fraction("6.2") + Fraction("10.8") / (width + 1)


def test_weights_choose_the_formulas(database: Database) -> None:
    """With S = 0.1 the doubling 1M + 7S is less than 2M + 5S."""
    found = total(cost_totals(database, "S=0.1"), "g1p/shortw/jacobian-0, n = 2, without, any Z")
    assert [step.id.rpartition("/")[2] for step in found.steps] == ["dbl-2009-alnr", "add-2007-bl"]


def test_costs_are_written_with_averages_as_decimals() -> None:
    cost = Cost(1, 2, 1, 3, {"a": 1}, {"2": 1, "16": 2, "1/2": 1}, {3: 1})
    steps = [Step(Fraction(1), "x/y/z", cost), Step(Fraction(1, 3), "x/y/w", Cost(10, additions=30))]
    assert cost_text(steps) == "1I + 4.3333M + 2S + 1^3 + 1*a + 13add + 1*1/2 + 1*2 + 2*16"
    assert cost_text([]) == "0M"


def test_formats_hold_the_same_rows(sections: list[Section]) -> None:
    number = sum(len(section.totals) for section in sections)
    objects = json.loads(render(sections, "json"))
    rows = list(csv.DictReader(io.StringIO(render(sections, "csv"))))
    assert [row["computation"] for row in rows] == [found["computation"] for found in objects]
    assert len(rows) == number
    assert {row["section"] for row in rows} == {ODD, AFFINE, LADDERS, WINDOWS}
    lines = [line for line in render(sections, "markdown").splitlines() if line.startswith("| g1")]
    assert len(lines) == number
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in lines} == {5, 6}
    assert not re.search(r"(?<!\\)\*", "".join(lines))


def test_a_row_has_the_fields_that_readers_count_on() -> None:
    step = Step(Fraction(1, 6), "g1p/m/s/addition/add-x", Cost(12, 3))
    row = Total("s, w = 5", (step,), parse_weights(), (step * 12,))
    (found,) = json.loads(render([Section("Windows", "Counted.", (row,), 12)], "json"))
    assert found == {
        "section": "Windows",
        "computation": "s, w = 5",
        "steps": [{"id": "g1p/m/s/addition/add-x", "times": "1/6"}],
        "operations": {"M": "2", "S": "0.5"},
        "text": "2M + 0.5S",
        "weight": "2.4",
        "whole": {"bits": 12, "text": "24M + 6S", "weight": "28.8"},
    }


def test_the_command_prints_tables_and_what_is_counted(efdgen: Callable) -> None:
    result = efdgen("cost", "totals", "--bits", "100")
    assert (result.code, result.err) == (0, "")
    line = next(line for line in result.out.splitlines() if "n = 8, without, libsecp256k1" in line)
    assert "1 dblu, 7 add-1998-cmo-2" in line
    assert "87M + 32S" in line
    assert result.out.count("Counted:") == 4
    assert result.out.count("100 bits") == 2
    assert "\x1b" not in result.out


def test_json_is_an_option_too(efdgen: Callable, sections: list[Section]) -> None:
    assert efdgen("cost", "totals", "--json").out == render(sections, "json")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--weights", "S=x"], "'x' is not a number of multiplications"),
        (["--weights", "a23=1"], "no formula has a parameter a23; did you mean a"),
        (["--bits", "0"], "0 is not in the range x>=1"),
    ],
)
def test_mistakes_are_told_with_status_2(efdgen: Callable, arguments: list[str], reason: str) -> None:
    result = efdgen("cost", "totals", *arguments)
    assert (result.code, result.out) == (2, "")
    assert reason in result.err
