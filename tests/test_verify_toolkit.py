"""Trees as the toolkit pyecsca keeps them: what they state more is proved, and formulas are compared."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from efdgen.generator.formulas.database import BUILT_IN, Database
from efdgen.generator.language.parser import parse_equation
from efdgen.generator.programs.interpreter import evaluate
from efdgen.verify.laws.algebra import RationalFunctions
from efdgen.verify.laws.neutral import is_scaled, neutral_limit
from efdgen.verify.laws.singular import fraction_field, to_fraction

COORDINATES = """name short Weierstrass curves
parameter a
parameter b
coordinate x
coordinate y
satisfying y^2 == x^3+a*x+b
ysquared x^3+a*x+b
addition x = (y2-y1)^2/(x2-x1)^2-x1-x2
addition y = (2*x1+x2)*(y2-y1)/(x2-x1)-(y2-y1)^3/(x2-x1)^3-y1
doubling x = (3*x1^2+a)^2/(2*y1)^2-x1-x1
doubling y = (2*x1+x1)*(3*x1^2+a)/(2*y1)-(3*x1^2+a)^3/(2*y1)^3-y1
negation x = x1
negation y = -y1
toweierstrass weierx = x
toweierstrass weiery = y
a0 = 1
a1 = 0
a2 = 0
a3 = 0
a4 = a
a6 = b
fromweierstrass x = weierx
fromweierstrass y = weiery
"""
VARIABLES = """name modified Jacobian coordinates
variable X
variable Y
variable Z
variable T
neutral X = 1
neutral Y = 1
neutral Z = 0
neutral T = 0
satisfying ZZ = Z^2
satisfying ZZZ = ZZ*Z
satisfying x = X/ZZ
satisfying y = Y/ZZZ
satisfying T = a*Z^4
toaffine x = X/ZZ
toaffine y = Y/ZZZ
tosystem X = x
tosystem Y = y
tosystem Z = 1
tosystem T = a
homogweight X = 2
homogweight Y = 3
homogweight Z = 1
homogweight T = 4
"""
NEGATION = "compute X3 = X1\ncompute Y3 = -Y1\ncompute Z3 = Z1\ncompute T3 = T1"  # no line end, as there
SYSTEM = "shortw/modified"
NEG = f"{SYSTEM}/negation/neg"


@pytest.fixture
def tree(tmp_path: Path) -> Callable[..., Path]:
    """Write a tree of one formula, after a replacement in one of its files, and more files."""

    def write(name: str = "", old: str = "", new: str = "", more: Mapping[str, str] = {}) -> Path:
        root = tmp_path / "toolkit"
        texts = {"shortw/coordinates": COORDINATES, f"{SYSTEM}/variables": VARIABLES, NEG: NEGATION}
        for path, text in {**texts, **more}.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            if path == name:
                assert text.count(old) == 1
            (root / path).write_text(text.replace(old, new) if path == name else text, encoding="utf-8")
        return root

    return write


@pytest.fixture
def findings(efdgen: Callable) -> Callable[[Path], list[dict[str, object]]]:
    """Run the command on a tree; return what it finds."""

    def run(root: Path) -> list[dict[str, object]]:
        outcome = efdgen("verify", "--from", root, "--json")
        found = json.loads(outcome.out)
        assert outcome.code == any(each["verdict"] != "proved" for each in found)
        return found

    return run


def test_a_right_tree_is_proved_with_all_it_states(tree, findings):
    """Was: every file of such a tree was an error, and nothing that it states was proved."""
    found = findings(tree())
    assert {each["verdict"] for each in found} == {"proved"}
    assert [(each["id"], each["kind"]) for each in found] == [
        (f"g1p/{NEG}", "negation"),
        ("g1p/shortw/coordinates", "ysquared"),
        (f"g1p/{SYSTEM}/variables", "homogweight"),
        (f"g1p/{SYSTEM}/variables", "neutral"),
        (f"g1p/{SYSTEM}/variables", "toaffine"),
        (f"g1p/{SYSTEM}/variables", "toaffine"),
        (f"g1p/{SYSTEM}/variables", "tosystem"),
    ]


# Wrong lines: the file, the right text, the slip, its line, and the message.
VARIED = f"{SYSTEM}/variables"
SLIPS = [
    ("shortw/coordinates", "ysquared x^3+a*x", "ysquared x^3-a*x", 7, "ysquared: y^2 == x^3 - a*x + b does"),
    (
        VARIED,
        "toaffine y = Y/ZZZ",
        "toaffine y = Y/ZZ",
        16,
        "toaffine: y == Y/Z^2 does not hold, for (Z1 - 1)",
    ),
    (VARIED, "tosystem T = a", "tosystem T = 1", 17, "tosystem: T == a*Z^4 does not hold, for (a - 1)"),
    (VARIED, "tosystem Z = 1", "tosystem Z = 0", 17, "tosystem: X/Z^2 divides by zero for every point"),
    (VARIED, "homogweight T = 4", "homogweight T = 3", 21, "homogweight: T == a*Z^4 does not hold"),
    (VARIED, "neutral Y = 1", "neutral Y = 2", 6, "neutral: the representatives of points near"),
    (VARIED, "neutral T = 0", "neutral T = a", 6, "tend to X = 1, Y = 1, Z = 0, T = 0, scaled"),
]


@pytest.mark.parametrize(("name", "right", "wrong", "line", "said"), SLIPS)
def test_a_false_statement_is_refuted(tree, findings, name, right, wrong, line, said):
    root = tree(name, right, wrong)
    (refuted,) = [each for each in findings(root) if each["verdict"] != "proved"]
    assert (refuted["id"], refuted["verdict"], refuted["line"]) == (f"g1p/{name}", "refuted", line)
    assert refuted["reason"].startswith(f"{root / name}:{line}: ")
    assert said in refuted["reason"]


def test_a_scaled_neutral_element_is_one(tree, findings):
    root = tree(f"{SYSTEM}/variables", "neutral X = 1\nneutral Y = 1\n", "neutral X = 4\nneutral Y = -8\n")
    assert {each["verdict"] for each in findings(root)} == {"proved"}


def test_every_bad_line_of_what_is_stated_is_told_at_once(tree, efdgen):
    wrong = "toaffine x = X/Q\ntoaffine y = y/R\ntosystem X = Z\n"
    root = tree(f"{SYSTEM}/variables", "toaffine x = X/ZZ\ntoaffine y = Y/ZZZ\ntosystem X = x\n", wrong)
    said = efdgen("verify", "--from", root).out
    place = f"  {root / SYSTEM / 'variables'}:"
    assert [line.partition(";")[0] for line in said.splitlines() if line.startswith(place)] == [
        f"{place}15:16: unknown name 'Q'",
        f"{place}16:14: unknown name 'y'",
        f"{place}16:16: unknown name 'R'",
        f"{place}17:14: unknown name 'Z'",
    ]


def test_an_error_of_a_system_is_told_once(tree, efdgen):
    """Was: an error in a system stood under each of its formulas."""
    more = {f"{SYSTEM}/negation/{name}": NEGATION for name in ("neg-2", "neg-3")}
    said = efdgen(
        "verify", "--from", tree(f"{SYSTEM}/variables", "tosystem T = a", "tosystem T = (a", more)
    ).out
    assert said.count("this parenthesis is never closed") == 2
    assert said.count(f"g1p/{NEG}") == 1
    (more,) = [line for line in said.splitlines() if " for the same reason: " in line]
    assert more.startswith("2 more cannot be proved for the same reason: ")
    assert "\n0 of 3 proved in " in said


def test_unified_is_held_against_what_is_derived(tree, findings):
    place = "g1p/shortw/jacobian/addition"
    text = (BUILT_IN / place / "add-2007-bl").read_text().partition("\n")[2]
    variables = (BUILT_IN / "g1p/shortw/jacobian/variables").read_text().replace("==", "=")
    added = {"variables": variables, "addition/add": f"unified\n{text}"}
    root = tree(more={f"shortw/jacobian/{name}": text for name, text in added.items()})
    (refuted,) = [each for each in findings(root) if each["verdict"] != "proved"]
    assert (refuted["kind"], refuted["verdict"]) == ("unified", "refuted")
    assert refuted["reason"] == f"{root}/shortw/jacobian/addition/add:1: unified: equal points are not added"


def doubling(**edits: str) -> str:
    """Return a doubling of jacobian-0 as such trees spell it, after edits."""
    text = (BUILT_IN / "g1p/shortw/jacobian-0/doubling/dbl-2009-l").read_text()
    for old, new in edits.items():
        assert old in text
        text = text.replace(old, new)
    return text


def test_formulas_are_compared_with_those_in_force(tree, findings, efdgen):
    """Was: a tree was proved by itself, and what it holds beyond the built-in formulas was not told."""
    place = "shortw/jacobian-0"
    variables = (BUILT_IN / "g1p" / place / "variables").read_text().replace("==", "=")
    texts = {
        "dbl-2009-l": doubling(),
        "dbl-1998-hnm": doubling(),
        "mdbl-2007-bl": doubling(),
        "dbl-2009-alnr": doubling(**{"X3 = F": "X3 = 4*F", "Y3 = E": "Y3 = 8*E"}),
        "dbl-mine": doubling(**{"F = E^2": "F = E*E"}),
    }
    more = {f"{place}/doubling/{name}": text for name, text in texts.items()}
    root = tree(more={f"{place}/variables": variables, **more})
    found = {each["id"].rpartition("/")[2]: each for each in findings(root) if "likeness" in each}
    own = f"g1p/{place}/doubling"
    assert {name: (each["likeness"], each["same_as"]) for name, each in found.items()} == {
        "dbl-2009-l": ("same text", []),
        "dbl-1998-hnm": ("same values", []),
        "mdbl-2007-bl": ("other values", [f"{own}/dbl-1986-cc"]),
        "dbl-2009-alnr": ("other values", []),
        "dbl-mine": ("new", [f"{own}/dbl-1986-cc"]),
        "neg": ("same text", []),
    }
    assert found["dbl-2009-alnr"]["verdict"] == "refuted"
    said = efdgen("verify", "--from", root).out.splitlines()
    assert f"new          {own}/dbl-mine, the values of {own}/dbl-1986-cc" in said
    assert said[-1] == "beside the formulas in force: 2 same text, 1 same values, 2 other values, 1 new"


def test_a_formula_that_cannot_be_read_is_not_compared(tree, findings):
    found = findings(tree(NEG, "T3 = T1", "T3 = T"))
    assert (found[0]["verdict"], found[0]["likeness"]) == ("error", None)


def test_import_reads_a_tree_with_no_field_class_above(tree, efdgen, tmp_path):
    outcome = efdgen("import", tree(), "--out", tmp_path / "out")
    assert outcome.code == 0
    same, used = outcome.out.splitlines()
    assert same == "beside the files in force: 3 same text, 0 other text, 0 new"
    assert used.startswith("3 of 3 files can be used")
    text = (tmp_path / "out/g1p" / SYSTEM / "variables").read_text()
    assert text == (
        "name modified Jacobian coordinates\nvariable X\nvariable Y\nvariable Z\nvariable T\n"
        "satisfying x == X/Z^2\nsatisfying y == Y/Z^3\nsatisfying T == a*Z^4\n"
    )
    assert efdgen("verify", "--database", tmp_path / "out", f"g1p/{NEG}").code == 0


# Representatives of the neutral element as textbooks have them, in the order of the system's variables.
NEUTRAL = {
    "g1p/shortw/jacobian": ("1", "1", "0"),
    "g1p/shortw/projective": ("0", "1", "0"),
    "g1p/shortw/xyzz": ("1", "1", "0", "0"),
    "g1p/shortw/xz": ("1", "0"),
    "g1p/montgom/xz": ("1", "0"),
    "g1p/twisted/extended": ("0", "1", "1", "0"),
    "g1p/twisted/inverted": ("1", "0", "0"),
    "g1p/edwards/projective": ("0", "c", "1"),
}


@pytest.mark.parametrize("system_id", NEUTRAL)
def test_representatives_near_the_neutral_element_tend_to_the_known_one(
    database: Database, system_id: str
) -> None:
    system = database.system(system_id)
    field = RationalFunctions(system.model.parameters, binary=False)
    parameters = {name: field.name(name) for name in system.model.parameters}
    limit, weights = neutral_limit(system, field, parameters)
    known = [evaluate(parse_equation(f"x == {text}").right, field, parameters) for text in NEUTRAL[system_id]]
    base = fraction_field(field)
    values = {n: to_fraction(base, v) for n, v in zip(system.variables, known, strict=True)}
    scaled = {n: v * base(3) ** w for (n, v), w in zip(values.items(), weights, strict=True)}
    assert is_scaled(values, limit, weights)
    assert is_scaled(scaled, limit, weights)
    for name in system.variables:
        wrong = {**values, name: base(1) if values[name] == 0 else base(0)}
        assert not is_scaled(wrong, limit, weights)


def test_powers_of_one_scale_have_to_fit_all_coordinates() -> None:
    """(1, -1, 0) is (s^2, s^3, 0) for s = -1; (2, 1, 0) is so for no s."""
    field = RationalFunctions((), binary=False)
    base = fraction_field(field)
    limit = {name: base(value) for name, value in (("X", 1), ("Y", 1), ("Z", 0))}
    for x, y, scaled in ((1, -1, True), (4, 8, True), (4, -8, True), (2, 1, False), (4, 7, False)):
        values = {"X": base(x), "Y": base(y), "Z": base(0)}
        assert is_scaled(values, limit, (2, 3, 1)) is scaled, (x, y)
