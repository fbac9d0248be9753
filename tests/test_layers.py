"""Layers of descriptions: what a user has lies over what is built in, and a broken draft stops nothing."""

import json
import pickle
from pathlib import Path

import pytest

from efdgen.generator.curves.load import built_in_curves, load_curve
from efdgen.generator.errors import EfdgenError
from efdgen.generator.formulas import layers
from efdgen.generator.formulas.database import Database
from efdgen.generator.formulas.layers import BUILT_IN, Draft, Layers
from efdgen.generator.hosts.file import built_in_hosts
from efdgen.generator.kernels.bundle import priced_formulas
from efdgen.generator.reports.weights import parse_weights
from efdgen.verify.certificate import require_law

PLACE = "g1p/shortw/jacobian-0/doubling"
RIGHT = (BUILT_IN / PLACE / "dbl-2009-l").read_text(encoding="utf-8")
WRONG = RIGHT.replace("E = 3*A", "E = 3*B")
BROKEN = "X3 = (\n"


def lay(root: Path, texts: dict[str, str]) -> Path:
    for name, text in texts.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


@pytest.fixture
def own(tmp_path, monkeypatch) -> Path:
    """A directory of a user's, with a right, a wrong and a broken doubling, in force by EFDGEN_PATH."""
    root = lay(
        tmp_path / "own",
        {f"{PLACE}/dbl-own": RIGHT, f"{PLACE}/dbl-wrong": WRONG, f"{PLACE}/dbl-broken": BROKEN},
    )
    monkeypatch.setenv("EFDGEN_PATH", str(root))
    return root


def test_layers_are_asked_for_named_found_and_built_in(tmp_path, monkeypatch):
    for name in ("asked", "named", "project/efd", "project/deep"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "project/efdgen.toml").touch()
    monkeypatch.chdir(tmp_path / "project/deep")
    monkeypatch.setenv("EFDGEN_PATH", str(tmp_path / "named"))
    monkeypatch.setattr(layers, "_asked", (tmp_path / "asked",))
    wanted = *(tmp_path / name for name in ("asked", "named", "project/efd")), BUILT_IN
    assert layers.layers().roots == wanted


def test_an_upper_layer_hides_and_it_is_said(own, efdgen, caplog):
    lay(own, {f"{PLACE}/dbl-2009-l": WRONG})
    assert Database().text(f"{PLACE}/dbl-2009-l") == WRONG
    efdgen("list", "dbl-2009-l")
    assert caplog.messages == [f"{own / PLACE / 'dbl-2009-l'} hides {BUILT_IN / PLACE / 'dbl-2009-l'}"]


@pytest.mark.parametrize("name", ["dbl~", ".dbl.swp", "#dbl#", "dbl.orig", "4913~", ".#dbl", "dbl.bak"])
def test_what_editors_leave_is_no_formula(own, name):
    """Was D6: they were listed, counted and proved."""
    lay(own, {f"{PLACE}/{name}": RIGHT})
    (own / PLACE / "empty").mkdir()
    found = {found.rpartition("/")[2] for found in Database().ids}
    assert {"dbl-own", "dbl-wrong", "dbl-broken"} <= found
    assert {name, "empty"}.isdisjoint(found)


def test_a_broken_draft_is_left_out_with_a_warning(own, caplog):
    """Was D5b: one draft stopped the work on its whole system."""
    database = Database()
    found = database.formulas_for("g1p/shortw/jacobian-0")
    assert f"{PLACE}/dbl-own" in found
    assert f"{PLACE}/dbl-broken" not in found
    (line,) = caplog.messages
    path = own / PLACE / "dbl-broken"
    assert line.startswith(f"{PLACE}/dbl-broken is left out: {path}:1:1: a statement begins with a keyword")
    database.formulas_for("g1p/shortw/jacobian-0")
    assert len(caplog.messages) == 1


def test_neighbours_of_drafts_are_listed_counted_and_proved(own, efdgen):
    listed = json.loads(efdgen("list", PLACE, "--json").out)
    assert f"{PLACE}/dbl-own" in [formula["id"] for formula in listed]
    counted = efdgen("cost", "tables", PLACE)
    assert "† dbl-broken: " in counted.out
    found = json.loads(efdgen("verify", "dbl-own", "dbl-wrong", "dbl-broken", "--json").out)
    assert {each["id"].rpartition("/")[2]: each["verdict"] for each in found} == {
        "dbl-own": "proved",
        "dbl-wrong": "refuted",
        "dbl-broken": "error",
    }


IDENTITY = "compute X3 = X1\ncompute Y3 = Y1\ncompute Z3 = Z1\n"


@pytest.mark.parametrize(
    "command",
    [
        ("plan", "--curve", "secp256k1", "--coords", "jacobian-0", "--operation", "variable-base", "--json"),
        ("cost", "totals", "--json"),
        ("compile", "--lang", "python", "--curve", "secp256k1", "--coords", "jacobian-0", "--out", "-"),
    ],
)
@pytest.mark.slow
def test_a_cheap_false_draft_is_not_chosen_and_changes_no_choice(tmp_path, efdgen, caplog, command):
    """Was D5b too: plans and totals were made of it, and dearer formulas were near to it and were emitted."""
    without = efdgen(*command)
    done = efdgen(*command, "--database", str(lay(tmp_path, {f"{PLACE}/dbl-me": IDENTITY})))
    assert (done.code, done.out) == (0, without.out)
    assert f"left out: {PLACE}/dbl-me is not proved: P3: x == X/Z^2 does not hold" in caplog.messages


def test_a_proved_draft_is_chosen(own):
    lay(own, {f"{PLACE}/dbl-00": RIGHT})  # the first by name of formulas that weigh the same
    database, curve = Database(require=require_law), load_curve("secp256k1")
    chosen = priced_formulas(database, curve, "g1p/shortw/jacobian-0", parse_weights("S=0.8"))
    assert f"{PLACE}/dbl-00" in [found.formula.id for found in chosen]


def test_files_that_have_no_meaning_are_named(own, efdgen, caplog):
    """They were passed over in silence: a name with a dot, one with a space, and a link to nothing."""
    for name in ("dbl.efd", "dbl x", "dbl-ä", ".dbl.swp", "dbl~", "README.md"):
        (own / PLACE / name).write_text(RIGHT)
    (own / PLACE / "dbl-gone").symlink_to("nowhere")
    assert efdgen("list", PLACE).code == 0
    named = {message.removeprefix(f"{own / PLACE}/").partition(" is ")[0] for message in caplog.messages}
    assert named == {"dbl.efd", "dbl x", "dbl-ä", "dbl-gone"}


@pytest.mark.parametrize(
    ("inside", "said"),
    [
        ("g1p", "give the directory above g1p, {own}"),
        (PLACE, "give the directory above g1p, {own}"),
        ("..", "these are in places such as g1p/shortw/jacobian-0/doubling/NAME"),
    ],
)
def test_a_directory_that_is_none_of_formulas_is_told(own, monkeypatch, efdgen, caplog, inside, said):
    """Its formulas were not there, and nothing said why."""
    monkeypatch.delenv("EFDGEN_PATH")
    assert efdgen("list", PLACE, "--database", own / inside).code == 0
    assert len(caplog.messages) == 1
    assert caplog.messages[0].endswith(said.format(own=own))


def test_a_tree_of_ones_own_is_none_that_is_published(own, efdgen):
    done = efdgen("verify", "--from", own)
    assert done.code == 2
    assert done.err == f"efdgen: {own}: no model in it, as g1p/shortw/coordinates; is it --database {own}?\n"


def test_an_unknown_key_is_told_where_formulas_are_proved(own, efdgen, caplog):
    """Was D21 too: it was proved without a word."""
    (own / PLACE / "dbl-own").write_text(RIGHT.replace("2009-04-01-lange", "nokey"))
    assert efdgen("verify", "dbl-own").code == 0
    assert caplog.messages == [f"{PLACE}/dbl-own cites [nokey], which is not a key of references.bib"]


def test_a_misspelt_system_leaves_its_formulas_out_alone(own, caplog, efdgen):
    """A plan was refused for it, of a curve that has nothing to do with it."""
    lay(own, {"g1p/shortw/jakobian/doubling/dbl": RIGHT})
    assert "g1p/shortw/jakobian" not in Database().systems("g1p/shortw")
    assert any("no coordinate system is 'g1p/shortw/jakobian'; did you mean" in m for m in caplog.messages)
    assert efdgen("plan", "--curve", "secp256k1", "--operation", "fixed-base").code == 0


def test_a_file_that_is_no_text_stops_none_of_its_neighbours(own, efdgen):
    """No formula was proved beside one that is not in UTF-8."""
    (own / PLACE / "dbl-latin").write_bytes(b"source Stra\xdfe\n" + RIGHT.encode())
    done = efdgen("verify", "dbl-own", "dbl-latin", "--json")
    verdicts = {
        each["id"].rpartition("/")[2]: (each["verdict"], each["reason"]) for each in json.loads(done.out)
    }
    assert verdicts["dbl-own"][0] == "proved"
    assert verdicts["dbl-latin"] == ("error", f"{own / PLACE / 'dbl-latin'}: not UTF-8 text")


def test_a_pasted_formula_in_a_directory_says_in_a_line_what_prints_it_normalised(own, efdgen):
    path = own / PLACE / "dbl-pasted"
    path.write_text(RIGHT.replace("compute ", "").replace("source", "#").replace("2*Y1*Z1", "2 Y1 Z1"))
    done = efdgen("show", f"{PLACE}/dbl-pasted")
    assert done.code == 2
    assert done.err == (
        f"efdgen: {path}: not in the language of efd/; efdgen check {path} --print prints it in that\n"
    )
    path.write_text(efdgen("check", path, "--print").out)
    assert efdgen("show", f"{PLACE}/dbl-pasted").code == 0


@pytest.mark.parametrize("end", ["\r", "\r\n"])
def test_lines_of_a_draft_may_end_as_they_do_elsewhere(own, efdgen, end):
    (own / PLACE / "dbl-ends").write_bytes(RIGHT.replace("\n", end).encode())
    assert efdgen("check", str(own / PLACE / "dbl-ends"), "--print").out == RIGHT


def test_own_curves_hosts_and_kinds_have_names(own):
    curve = (BUILT_IN / "curves/secp256k1.toml").read_text(encoding="utf-8").replace("secp256k1", "mine")
    host = (BUILT_IN / "hosts/libsecp256k1.toml").read_text(encoding="utf-8")
    lay(own, {"curves/mine.toml": curve, "hosts/my-host.toml": host, "kinds/my-kind": "name mine\n"})
    assert load_curve("mine").prime == load_curve("secp256k1").prime
    assert "mine" in [found.name for found in built_in_curves()]
    assert "my-host" in built_in_hosts()
    assert "kinds/my-kind" in Database().layers.glob("kinds/*")


def test_an_own_system_serves_an_own_formula(own, efdgen):
    variables = (BUILT_IN / "g1p/shortw/jacobian-0/variables").read_text(encoding="utf-8")
    lay(own, {"g1p/shortw/my-system/variables": variables, "g1p/shortw/my-system/doubling/dbl": RIGHT})
    (found,) = json.loads(efdgen("verify", "my-system/doubling/dbl", "--json").out)
    assert found["verdict"] == "proved"


def test_a_draft_lies_over_all():
    draft = Draft(f"{PLACE}/dbl-2009-l", "<stdin>", WRONG)
    database = Database(Layers((BUILT_IN,), (draft,)))
    assert database.formula(draft.name).assignments != Database().formula(draft.name).assignments
    assert str(database.path(draft.name)) == "<stdin>"


def test_a_directory_that_is_not_there_is_named(tmp_path, efdgen):
    done = efdgen("list", "--database", str(tmp_path / "none"))
    assert (done.code, done.err) == (2, f"efdgen: {tmp_path / 'none'}: no such directory\n")
    with pytest.raises(EfdgenError, match="no such directory"):
        Database(tmp_path / "none")
    assert layers.layers().roots == (BUILT_IN,)  # the next command has no layers of this one


def test_every_command_takes_a_database():
    """Commands below a command too, whose number is checked so that none is forgotten."""
    import click

    from efdgen.cli import cli

    def leaves(command: click.Command, context: click.Context):
        if isinstance(command, click.Group):
            for name in command.list_commands(context):
                yield from leaves(command.get_command(context, name), context)
        else:
            yield command

    found = list(leaves(cli, click.Context(cli)))
    assert len(found) >= 15
    assert all(any("--database" in option.opts for option in command.params) for command in found)


def test_a_database_goes_to_another_process(own):
    """A prover that is asked in a child gets the database with its question."""
    for database in (Database(), Database(require=require_law)):
        assert pickle.loads(pickle.dumps(database)).ids == database.ids
