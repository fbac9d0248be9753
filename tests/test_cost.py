"""Costs: against what the literature and the database publish, and against a second way of counting."""

import re
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

from efdgen.generator.errors import EfdgenError
from efdgen.generator.formulas.cost import Cost, count
from efdgen.generator.formulas.database import BUILT_IN, Database
from efdgen.generator.formulas.formula import Formula
from efdgen.generator.formulas.reader import read_formula
from efdgen.generator.language.parser import parse_document
from efdgen.generator.programs.lower import lower
from efdgen.generator.reports.tables import Row, Table, cost_tables
from efdgen.generator.reports.weights import PRESETS, parse_weights

# Numbers of the papers: M, S, I, and products by parameters.
LITERATURE = {
    "g1p/shortw/jacobian/addition/add-2007-bl": (11, 5, 0, {}),
    "g1p/shortw/jacobian/addition/add-1998-cmo-2": (12, 4, 0, {}),
    "g1p/shortw/jacobian/addition/madd-2007-bl": (7, 4, 0, {}),
    "g1p/shortw/jacobian/addition/mmadd-2007-bl": (4, 2, 0, {}),
    "g1p/shortw/jacobian/addition/zadd-2007-m": (5, 2, 0, {}),
    "g1p/shortw/jacobian/doubling/dbl-2007-bl": (1, 8, 0, {"a": 1}),
    "g1p/shortw/jacobian/scaling/z": (3, 1, 1, {}),
    "g1p/shortw/jacobian/tripling/tpl-2007-bl": (5, 10, 0, {"a": 1}),
    "g1p/shortw/jacobian-0/doubling/dbl-2009-l": (2, 5, 0, {}),
    "g1p/shortw/jacobian-3/doubling/dbl-2001-b": (3, 5, 0, {}),
    "g1p/shortw/projective/addition/add-1998-cmo-2": (12, 2, 0, {}),
    "g1p/shortw/xyzz/addition/madd-2008-s": (8, 2, 0, {}),
    "g1p/twisted/extended-1/addition/add-2008-hwcd-3": (8, 0, 0, {"k": 1}),
    "g1p/twisted/extended-1/addition/add-2008-hwcd-4": (8, 0, 0, {}),
    "g1p/twisted/extended-1/addition/add-cached": (8, 0, 0, {}),
    "g1p/twisted/extended-1/addition/add-cached-to-projective": (7, 0, 0, {}),
    "g1p/twisted/extended-1/addition/add-niels": (7, 0, 0, {}),
    "g1p/twisted/extended-1/addition/add-niels-to-projective": (6, 0, 0, {}),
    "g1p/twisted/extended-1/subtraction/sub-cached": (8, 0, 0, {}),
    "g1p/twisted/extended-1/subtraction/sub-niels": (7, 0, 0, {}),
    "g1p/twisted/extended-1/doubling/dbl-to-completed": (0, 4, 0, {}),
    "g1p/twisted/extended-1/doubling/dbl-to-projective": (3, 4, 0, {}),
    "g1p/twisted/projective/doubling/dbl-to-extended": (4, 4, 0, {}),
    "g1p/twisted/completed/conversion/to-extended": (4, 0, 0, {}),
    "g1p/twisted/completed/conversion/to-projective": (3, 0, 0, {}),
    "g1p/twisted/extended/addition/add-2008-hwcd": (9, 0, 0, {"a": 1, "d": 1}),
    "g1p/twisted/extended/doubling/dbl-2008-hwcd": (4, 4, 0, {"a": 1}),
    "g1p/twisted/projective/addition/add-2008-bbjlp": (10, 1, 0, {"a": 1, "d": 1}),
    "g1p/edwards/projective/addition/add-2007-bl": (10, 1, 0, {"c": 1, "d": 1}),
    "g1p/edwards/inverted/addition/add-2007-bl": (9, 1, 0, {"c": 2, "d": 1}),
    "g1p/montgom/xz/ladder/ladd-1987-m-3": (6, 4, 0, {"a24": 1}),
    "g1p/montgom/xz/ladder/mladd-1987-m": (5, 4, 0, {"a24": 1}),
    "g1p/montgom/xz/doubling/dbl-1987-m-3": (2, 2, 0, {"a24": 1}),
    "g1p/hessian/standard/addition/add-2001-jq": (12, 0, 0, {}),
    "g12o/shortw/xz/ladder/mladd-2003-s": (5, 5, 0, {"a6": 1}),
}

# Cost lines of the database's pages, additions and constants included.
PUBLISHED = {
    "g1p/shortw/jacobian/addition/add-2007-bl": "11M + 5S + 9add + 4*2",
    "g1p/shortw/projective/addition/mmadd-1998-cmo": "5M + 2S + 6add + 1*2",
    "g1p/shortw/projective/addition/madd-1998-cmo": "9M + 2S + 6add + 1*2",
    "g1p/twisted/inverted/addition/mmadd-2008-bbjlp": "7M + 1*a + 7add",
    "g1p/twisted/inverted/addition/madd-2008-bbjlp": "8M + 1S + 1*a + 1*d + 7add",
    "g1p/twisted/inverted/doubling/mdbl-2008-bbjlp": "3M + 3S + 1*a + 6add",
    "g1p/hessian/extended/addition/madd-20080225-hwcd": "5M + 6S + 12add",
    "g1p/hessian/extended/doubling/dbl-20080225-hwcd": "3M + 6S + 18add + 3*2",
}


@pytest.mark.parametrize("formula_id", LITERATURE)
def test_costs_are_those_of_the_literature(database: Database, formula_id: str) -> None:
    cost = count(lower(database.formula(formula_id)))
    counted = (cost.multiplications, cost.squarings, cost.inversions, cost.by_parameter)
    assert counted == LITERATURE[formula_id]
    assert not cost.powers


@pytest.mark.parametrize("formula_id", PUBLISHED)
def test_costs_are_written_as_the_database_writes_them(database: Database, formula_id: str) -> None:
    assert str(count(lower(database.formula(formula_id)))) == PUBLISHED[formula_id]


def counted_by_line(code: str, parameters: set[str]) -> Counter[str]:
    """Count three-operand code line by line, by the words of the convention and nothing else."""
    units: Counter[str] = Counter()
    parameters = set(parameters)
    for line in code.splitlines():
        target, equals, value = line.partition(" = ")
        if not equals:
            continue
        operator = re.search(r"(?<=\w)[-+*/^]|^-", value)
        left, _, right = value.partition(operator.group()) if operator else (value, "", "")
        match operator.group() if operator else None:
            case "+" | "-":
                units["add"] += 1
            case "^" if right == "2":
                units["S"] += 1
            case "^":
                units[f"^{right}"] += 1
            case "/":
                units["I"] += 1
                units["M"] += left != "1"
            case "*":
                special = [f for f in (left, right) if f in parameters] + [
                    f for f in (left, right) if f.isdigit()
                ]
                units[f"*{special[0]}" if special else "M"] += 1
        parameters.discard(target)
    return +units


def rows(tables: list[Table]) -> dict[str, Row]:
    return {row.id: row for table in tables for row in table.rows}


@pytest.fixture(scope="module")
def published(upstream: Path) -> dict[str, Row]:
    return rows(cost_tables(Database(upstream, "upstream"), []))


def test_published_code_is_counted_as_it_stands(upstream: Path, published: dict[str, Row]) -> None:
    tree = Database(upstream, "upstream")
    assert len(published) == 589
    for formula_id, row in published.items():
        assert row.cost is not None
        expected = counted_by_line(tree.text(f"{formula_id}.op3"), set(row.parameters))
        assert {unit: number for number, unit in row.cost.terms} == expected, formula_id


def test_only_eight_published_files_cost_other_than_their_formula(
    published: dict[str, Row], database: Database
) -> None:
    def respelled(row: Row) -> str:
        return str(row.cost).replace("*2d", "*d2")

    differing = {i for i in published if respelled(published[i]) != str(cost(database, i))}
    addition = "g1p/shortw/{}/addition/add-1986-cc{}"
    expected = {f"g1p/jintersect/{system}/doubling/dbl-2001-ls" for system in ("standard", "extended")}
    expected |= {addition.format(system, "-2") for system in ("jacobian", "jacobian-0", "jacobian-3")}
    expected |= {addition.format(system, "") for system in ("projective", "projective-1", "projective-3")}
    assert differing == expected


def cost(database: Database, formula_id: str) -> Cost:
    return count(lower(database.formula(formula_id)))


def test_the_lines_of_code_that_an_error_cut_short_are_counted(published: dict[str, Row]) -> None:
    row = published["g1p/shortw/jacobian/addition/add-1986-cc-2"]
    assert str(row.cost).startswith("8M + 6S + 2^3 + ")  # the database's page says so
    assert row.error.endswith(".op3:24:1: the published code stops with an error of its generator")


def test_names_of_a_published_tree_stay_as_they_are(published: dict[str, Row], database: Database) -> None:
    formula_id = "g1p/twistedhessian/projective/doubling/dbl-2009-bkl-3"
    cost_published = published[formula_id].cost
    assert cost_published is not None
    assert dict(cost_published.by_parameter) == {"2d": 1, "i": 1, "minustwo": 1}
    assert "d2" in cost(database, formula_id).by_parameter


def formula(database: Database, text: str) -> Formula:
    """A doubling in Jacobian coordinates; every coordinate that the text leaves out is a copy."""
    missing = [name for name in ("X3", "Y3", "Z3") if f"compute {name} =" not in text]
    lines = [*text.splitlines(), *(f"compute {name} = {name[0]}1" for name in missing)]
    statements = parse_document("\n".join(lines))
    system = database.system("g1p/shortw/jacobian")
    return read_formula(statements, "g1p/t/t/doubling/t", lambda _: system, database.kind("doubling"), "", "")


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ("X3 = X1*X1", "1M"),
        ("X3 = X1^2", "1S"),
        ("X3 = X1^3", "1^3"),
        ("X3 = X1^1", "0M"),
        ("X3 = a*X1", "1*a"),
        ("X3 = X1*a", "1*a"),
        ("X3 = a*b", "1*a"),
        ("X3 = b*a", "1*b"),
        ("X3 = a*a", "1*a"),
        ("X3 = a^2", "1S"),
        ("X3 = 2*a", "1*a"),
        ("X3 = 2*X1", "1*2"),
        ("X3 = 5*X1", "1*5"),
        ("X3 = 1/X1", "1I"),
        ("X3 = Y1/X1", "1I + 1M"),
        ("X3 = X1 + Y1; Y3 = X1 - Y1; Z3 = -X1", "3add"),
        ("X3 = Y1; Y3 = X3; Z3 = 1", "0M"),
        ("a = Y1; X3 = a*X1", "1M"),
        ("a = a^2; X3 = a*X1", "1M + 1S"),
        ("a = 2*a; X3 = a*X1", "1M + 1*a"),
        ("X1 = Y1*Z1; X1 = X1*Z1; X3 = X1", "2M"),
        ("t = X1*Y1; t = X1^2; X3 = Z1", "1M + 1S"),
        ("t = a + b; u = a*b; X3 = Z1", "1*a + 1add"),
        ("X3 = X1*Y1; Y3 = X1*Y1", "2M"),
    ],
)
def test_the_convention_sentence_by_sentence(database: Database, steps: str, expected: str) -> None:
    text = "\n".join(f"compute {step}" for step in steps.split("; "))
    assert str(count(lower(formula(database, text)))) == expected


def test_a_cost_is_written_in_one_order() -> None:
    cost = Cost(1, 2, 3, 4, {"a": 5, "d": 6}, {"2": 7, "16": 8}, {3: 9})
    assert str(cost) == "3I + 1M + 2S + 9^3 + 5*a + 6*d + 4add + 7*2 + 8*16"
    assert str(Cost()) == "0M"
    assert cost.fields() == {
        "M": 1,
        "S": 2,
        "I": 3,
        "add": 4,
        "mul_param": {"a": 5, "d": 6},
        "mul_const": {"2": 7, "16": 8},
        "pow": {"3": 9},
        "text": str(cost),
    }


@pytest.mark.parametrize(
    ("weights", "price"),
    [
        ("", "409.6"),  # 400 + 3 + 3.2, x³ as 1.8 and x⁴ as 1.6
        ("large-S1", "411"),
        ("binary-S0", "44"),
        ("S=0", "404"),
        ("I=0,^3=0,^4=0,a=2,param=1,add=0.1,2=0.5,const=1", "11.8"),  # 3 + 3.2 + 2 + 1 + 0.6 + 1 + 1
        ("large-S1,I=0,M=0,S=0,*a=1/3", "1/3"),
    ],
)
def test_weights_price_every_unit(weights: str, price: str) -> None:
    cost = Cost(
        multiplications=3,
        squarings=4,
        inversions=4,
        additions=6,
        by_parameter={"a": 1, "d": 1},
        by_constant={"2": 2, "3": 1},
        powers={3: 1, 4: 1},
    )
    assert parse_weights(weights).price(cost) == Fraction(price)


def test_presets_are_the_weightings_of_the_databases_tables() -> None:
    for name, (inversion, squaring) in {
        "large-S1": ("100", "1"),
        "large-S0.8": ("100", "0.8"),
        "large-S0.67": ("100", "0.67"),
        "binary-S0": ("10", "0"),
        "binary-S0.2": ("10", "0.2"),
    }.items():
        weights = parse_weights(name)
        assert (weights.unit("I"), weights.unit("S")) == (Fraction(inversion), Fraction(squaring))
        assert [weights.unit(unit) for unit in ("M", "*a", "add", "*2")] == [1, 0, 0, 0]
    assert len(PRESETS) == 5
    assert parse_weights() == parse_weights("large-S0.8")
    assert parse_weights(binary=True) == parse_weights("binary-S0.2")


@pytest.mark.parametrize(
    ("weights", "reason"),
    [
        ("large-S0.9", "did you mean large-S0.8"),
        ("S", "neither a preset"),
        ("S=", "not a number"),
        ("S=-1", "not a number"),
        ("S=nan", "not a number"),
        ("S=1/0", "not a number"),
        ("s=1", "write S for the operation, *s for a parameter"),
        ("a!=1", "unknown operation"),
        ("nosuch=1", "no formula has a parameter nosuch"),
    ],
)
def test_wrong_weights_are_refused(database: Database, weights: str, reason: str) -> None:
    with pytest.raises(EfdgenError, match=re.escape(reason)):
        cost_tables(database, ["g1p/hessian/standard/scaling"], weights)


def test_tables_are_sorted_by_kind_and_weight(database: Database) -> None:
    (table,) = cost_tables(database, ["g1p/shortw/jacobian"], "large-S0.67,a=1")
    kinds = [row.kind for row in table.rows]
    assert kinds == sorted(kinds)
    prices = [(row.kind, table.weights.price(row.cost)) for row in table.rows if row.cost]
    assert prices == sorted(prices)
    assert len(prices) == len(list((BUILT_IN / "g1p/shortw/jacobian").glob("*/*")))
    names = [row.name for row in table.rows]
    assert names.index("dbl-2007-bl") < names.index("dbl-1998-cmo-2")  # 1M + 8S + 1*a and 3M + 6S + 1*a


def test_weights_decide_the_order(database: Database) -> None:
    def names(weights: str) -> list[str]:
        (table,) = cost_tables(
            database, ["jacobian/addition/add-*-bl", "jacobian/addition/add-1998-cmo-2"], weights
        )
        return [row.name for row in table.rows]

    assert names("S=0.8") == ["add-2007-bl", "add-1998-cmo-2"]  # 15 and 15.2
    assert names("S=1.1") == ["add-1998-cmo-2", "add-2007-bl"]  # 16.5 and 16.4


def test_the_emitted_cost_is_that_of_the_optimised_program(database: Database) -> None:
    found = rows(cost_tables(database, ["g1p/twistedhessian/projective/doubling/dbl-2009-bkl"]))
    (row,) = found.values()
    assert str(row.cost) == "3M + 3^3 + 1*a + 3add"
    assert row.emitted is not None
    # Three cubes become a squaring and a multiplication each.
    assert (row.emitted.multiplications, row.emitted.squarings, row.emitted.powers) == (6, 3, {})
