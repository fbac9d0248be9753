"""``--json``: one document on standard output, the same way in every command that there is."""

import json
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from plots import row

from efdgen.cli import cli

DOUBLING = "g1p/shortw/jacobian-0/doubling/dbl-2009-l"
CURVE = 'name = "tiny"\nmodel = "g1p/shortw"\nprime = 37\nparameters = {a = 0, b = 7}\n'
PROJECT = '[[generate]]\ncommand = "field"\nlang = "python"\nprime = "7"\nout = "made"\n'
MODEL = "name M\nparameter a\ncoordinate x\nsatisfying x = a\n"
SYSTEM = "name S\nvariable X\nvariable Z\nsatisfying x = X/Z\n"

# A quick run of every command; the files that it reads are those of the fixture below.
RUNS = {
    "bench": "--curve M-221 --rounds 1 --lang python",
    "certify": f"{DOUBLING} --out certificates",
    "check": "draft --as g1p/shortw/jacobian-0/doubling",
    "compile": "--lang python --curve secp256k1 --formulas dbl-2009-l --out kernels",
    "cost tables": DOUBLING,
    "cost totals": "--bits 8",
    "curves": "",
    "curves check": "./tiny.toml",
    "curves show": "P-256",
    "diff": f"{DOUBLING} {DOUBLING}",
    "dump": f"{DOUBLING} --after lower",
    "export": f"{DOUBLING} --out made.json",
    "field": "--prime 7 --lang python --out fields",
    "generate": "",
    "graph": DOUBLING,
    "import": "tree",
    "list": DOUBLING,
    "man": "compile",
    "new": "g1p/shortw/jacobian-0/doubling/dbl-mine",
    "plan": "--curve secp256k1 --operation fixed-base --table small --coords jacobian",
    "plot": "times.json --out plots",
    "regenerate": "made",
    "show": DOUBLING,
    "site": f"{DOUBLING} --out site",
    "test": "--lang python --curve tiny.toml --formulas dbl-2009-l",
    "tune": "--prime 2^31-1 --operations mul --by instructions --cc gcc",
    "verify": DOUBLING,
}
MEASURED = {"seconds", "nanoseconds", "cycles", "cycles_before", "cycles_rival", "ratio", "noise"}


def commands(group: click.Group, above: tuple[str, ...] = ()) -> Iterator[tuple[str, click.Command]]:
    """Yield all commands of a group that do something, with their names."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if not isinstance(command, click.Group) or command.invoke_without_command:
            yield " ".join((*above, name)), command
        if isinstance(command, click.Group):
            yield from commands(command, (*above, name))


ALL = dict(commands(cli))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, efdgen) -> Path:
    """A directory with the files that the commands read."""
    monkeypatch.chdir(tmp_path)
    texts = {
        "tiny.toml": CURVE,
        "efdgen.toml": PROJECT,
        "times.json": json.dumps([row("affine", "Rust", operation="addition", nanoseconds=5.0)]),
        "draft": "compute X3 = X1\ncompute Y3 = Y1\ncompute Z3 = Z1\n",
        "tree/g1p/m/coordinates": MODEL,
        "tree/g1p/m/s/variables": SYSTEM,
        "tree/g1p/m/s/doubling/dbl": "compute X3 = X1\ncompute Z3 = Z1\n",
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.usefixtures("gcc")
@pytest.mark.parametrize("name", ALL)
def test_every_command_prints_one_document(name, efdgen, folder):
    if name == "regenerate":
        assert efdgen("generate").code == 0
    done = efdgen(*name.split(), *RUNS[name].split(), "--json")
    found = json.loads(done.out)
    assert done.code == (name == "check"), done.err  # the draft is false
    assert done.out == json.dumps(found, indent=2) + "\n"
    assert isinstance(found, dict) or (found and all(isinstance(each, dict) for each in found))
    assert inexact(found) == []


def inexact(value: object, name: str = "") -> list[tuple[str, object]]:
    """Return what a reader of JSON may round: large integers, and fractions but for measured times."""
    match value:
        case dict():
            return [each for key, below in value.items() for each in inexact(below, key)]
        case list():
            return [each for below in value for each in inexact(below, name)]
        case float() if name not in MEASURED:
            return [(name, value)]
        case int() if abs(value) >= 2**53:
            return [(name, value)]
    return []


def test_what_a_reader_may_round_is_found():
    assert inexact({"weight": [8.2], "seconds": 1.5}) == [("weight", 8.2)]
    assert inexact([{"prime": 2**53}, {"bits": 2**53 - 1}]) == [("prime", 2**53)]


@pytest.mark.parametrize("name", ALL)
def test_it_is_a_flag_with_one_meaning(name):
    """Was D16: a flag here, a file there, and missing in five commands."""
    (option,) = [parameter for parameter in ALL[name].params if "--json" in parameter.opts]
    assert option.is_flag
    assert option.help.startswith("Print JSON: ")


@pytest.mark.parametrize(
    "arguments",
    [
        "cost tables --format csv",
        "cost totals --format markdown",
        "plan --curve P-256 --format csv",
        f"graph {DOUBLING} --format dot",
        "compile --lang python --curve P-256 --out -",
        "field --lang python --prime 7 --out -",
        "check draft --as g1p/shortw/jacobian-0/doubling --print",
    ],
)
def test_another_form_is_refused_beside_it(arguments, efdgen, folder):
    done = efdgen(*arguments.split(), "--json")
    assert (done.code, done.out) == (2, "")
    assert "contradicts --json; remove one" in done.err


def test_it_stands_behind_the_command_that_it_is_for(efdgen):
    done = efdgen("curves", "--json", "show", "P-256")
    assert (done.code, done.out) == (2, "")
    assert "--json must follow show" in done.err


def test_an_error_prints_no_document(efdgen):
    assert efdgen("show", "nope", "--json").out == ""


def test_graphs_have_their_values_and_edges(efdgen):
    """2*P in Jacobian coordinates: each operand of each product is a value, and an edge leads from it."""
    found = json.loads(efdgen("graph", DOUBLING, "--json", "--published").out)
    texts = {each["number"]: each["text"] for each in found["values"]}
    at = {text.partition(" = ")[0]: number for number, text in texts.items()}
    assert {(at["X1"], at["A"]), (at["Y1"], at["B"]), (at["B"], at["C"])} <= {
        (a, b) for a, b in found["edges"]
    }
    assert set(found["outputs"]) == {"X3", "Y3", "Z3"}
    assert [each["product"] for each in found["values"]].count(True) == 7  # 2M + 5S


def test_imported_files_are_listed_with_their_states(efdgen, folder):
    (folder / "tree/g1p/m/s/doubling/bad").write_text("compute X3 = ?\n")
    done = efdgen("import", "tree", "--json")
    assert done.code == 1
    found = json.loads(done.out)
    assert found["written"] is None
    states = {Path(each["path"]).name: each["state"] for each in found["files"]}
    assert states == {"coordinates": "new", "variables": "new", "dbl": "new", "bad": "error"}
    (reason,) = [each["reason"] for each in found["files"] if each["state"] == "error"]
    assert "bad:1:" in reason


def test_numbers_are_exact(efdgen):
    """A doubling of 2M + 5S where a squaring is a third of a product, and where it is 0.8."""
    for weights, weight in (("S=1/3", "11/3"), ("S=0.8", "6"), ("S=0.67", "5.35")):
        (found,) = json.loads(efdgen("cost", "tables", DOUBLING, "--weights", weights, "--json").out)
        assert found["cost"]["weight"] == weight
