"""Files that describe a host: what they may say, and faults in them."""

import re
from pathlib import Path

import pytest
from host_formulas import DOUBLING, HOSTS, SECP256K1
from host_provers import Bounds

from efdgen.generator.errors import EfdgenError, TextError
from efdgen.generator.formulas.database import Database
from efdgen.generator.hosts.compile import HostRequest, make_host_bundle
from efdgen.generator.hosts.file import load_host
from efdgen.generator.hosts.rules import Condition, Quantity


@pytest.mark.parametrize(
    ("text", "names"), [("a - 1", "a"), ("c + 1", "a"), ("1/a", "a"), ("a^2", "a"), ("2*", "a")]
)
def test_a_quantity_that_is_none_is_refused(text: str, names: str) -> None:
    with pytest.raises((ValueError, TextError)):
        Quantity.parse(text, names)


def test_conditions_round_down() -> None:
    assert Condition.parse("a/2 + 1 <= 3", "a").at({"a": 5})
    assert not Condition.parse("a/2 + 1 <= 3", "a").at({"a": 6})
    with pytest.raises(ValueError, match="left <= right"):
        Condition.parse("a < 3", "a")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("[operations]", "[operation]", "unknown key 'operation'; did you mean operations"),
        ("mul_int =", "times =", "unknown operation 'times'"),
        ("{bound_a}", "{bound}", "{bound} stands for nothing"),
        ("k*a <= 32", "k*c <= 32", "c is not one of a, k"),
        ('distinct = ["r b", "a b"]', 'distinct = ["r c"]', "distinct holds pairs"),
        ("cost = 20", "cost = -1", "cost must be a non-negative integer"),
        ("normalize_weak = {", "half = {", "half is an operation already"),
        ('language = "c"', 'language = "go"', "language must be c or rust, not 'go'"),
        ('names};"', 'names}"\nname = 3', "unknown key 'name'"),
        ('["a + b <= 32"]', "[3]", "needs must be a list of texts"),
        ("sqr({r}, {a})", "sqr({a})", "code must say where the result goes"),
        ("sqr({r}, {a})", "sqr({r, {a})", "a brace of the code's own is written twice"),
        ('["SECP256K1_GE_VERIFY({argument});"]', '["{arg}"]', "{arg} stands for nothing"),
        ("/* {text}", "/* {line}", "{line} stands for nothing; there can be {bound}, {text}"),
        ('{ X = "x", Y = "y" }', '{ X = 1, Y = "y" }', "secp256k1_ge: members must be names"),
        ("{ X = 4, Y = 3 }", "{ X = 4, Z = 3 }", "secp256k1_ge: bounds has Z, which is not a member"),
        ('prefix = "secp256k1_formula_"', 'prefix = "my prefix"', "prefix must be the start of a name"),
        (
            "largest = 32",
            'largest = 32\nvariables = "many"',
            "variables must be shared or bindings, not 'many'",
        ),
    ],
)
def test_a_fault_in_a_file_is_shown(tmp_path: Path, old: str, new: str, said: str) -> None:
    text = (HOSTS / "libsecp256k1.toml").read_text()
    assert old in text
    path = tmp_path / "mine.toml"
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(TextError, match=re.escape(said)):
        load_host(str(path), SECP256K1.field)


@pytest.mark.parametrize(
    ("missing", "said"),
    [("sqr", r"XX = X1\^2 needs more than mul, add"), ("neg", r"t1 = Y1 - Y2 needs more than mul, sqr")],
)
def test_what_a_host_cannot_compute_is_named(
    database: Database, tmp_path: Path, missing: str, said: str
) -> None:
    text = (HOSTS / "libsecp256k1.toml").read_text()
    path = tmp_path / "mine.toml"
    path.write_text(re.sub(rf"(?m)^{missing} = .*\n", "", text))
    formula = DOUBLING if missing == "sqr" else "jacobian/zaddu/zaddu-2007-m"
    request = HostRequest(str(path), "secp256k1", formulas=(formula,))
    with pytest.raises(EfdgenError, match=said):
        make_host_bundle(database, request, Bounds())
