"""First contact: help in several forms, names of several formulas, files that are not what they should be."""

import re
from pathlib import Path

import pytest

from efdgen import __version__
from efdgen.cli import COMMANDS, GROUPS
from efdgen.generator.formulas.database import BUILT_IN

LONGEST = 55


def test_help_groups_all_commands_and_cuts_none(efdgen):
    """Was: in alphabetical order, each line cut with dots."""
    assert sorted(name for group in GROUPS.values() for name in group) == sorted(COMMANDS)
    assert [text for group in GROUPS.values() for text in group.values() if len(text) > LONGEST] == []
    shown = efdgen("--help").out
    assert "..." not in shown.partition("Formulas:")[2]
    assert re.findall(r"^(\w+):$", shown.partition("Options:")[2], re.M) == [*GROUPS]
    for group in GROUPS.values():
        for name, text in group.items():
            assert re.search(rf"^  {name} +{text}$", shown, re.M), name


@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_help_is_a_command(efdgen, name):
    """Was: no such command."""
    words = name.split()
    asked, known = efdgen("help", *words), efdgen(*words, "--help")
    assert (asked.code, asked.err) == (0, "")
    assert asked.out.strip() == known.out.strip()


@pytest.mark.parametrize("words", [("help", "chek"), ("chek",)])
def test_help_on_what_is_no_command_suggests_one(efdgen, words):
    done = efdgen(*words)
    assert (done.code, done.out) == (2, "")
    assert done.err == "efdgen: No such command 'chek'; did you mean check?; see efdgen --help\n"


def test_a_short_option_prints_the_version(efdgen):
    assert efdgen("-V").out == efdgen("--version").out == f"efdgen, version {__version__}\n"


@pytest.mark.parametrize("name", ["add-2007-bl", "dbl", "scale", "neg"])
def test_a_name_of_many_formulas_is_an_error_of_one_short_line(efdgen, name):
    """Was: a line of several hundred characters, with twenty ids."""
    done = efdgen("show", name)
    count = len(efdgen("list", name).out.splitlines())
    assert (done.code, done.out) == (2, "")
    assert done.err.count("/") <= 5 * 5
    assert done.err.endswith(f" and {count - 5} more (efdgen list {name}); give one id\n")


def test_a_missing_file_is_named_before_its_place(efdgen, tmp_path):
    """Was: "say where nofile belongs"."""
    missing = tmp_path / "nofile"
    assert efdgen("check", missing).err == f"efdgen: {missing}: No such file or directory\n"
    missing.write_text("compute X3 = X1\n")
    assert efdgen("check", missing).err.startswith(f"efdgen: say where {missing} belongs: --as ")


def test_a_device_is_no_tuning_that_is_replaced(efdgen):
    """Was: "more than 16 MiB; it is no file for efdgen"."""
    done = efdgen("tune", "--prime", "7", "--out", "/dev/full")
    assert (done.code, done.err) == (2, "efdgen: /dev/full: not a regular file\n")


CURVE = 'name = "{}"\nmodel = "g1p/shortw"\nprime = "2^127 - 1"\nparameters = {{a = 0, b = 7}}\n'


@pytest.mark.parametrize("name", ["secp256k1", "P-256", "ed25519", "nistP256"])
def test_a_file_with_the_name_of_another_curve_is_reported(efdgen, tmp_path, name):
    """Was: nothing was said, and files named after the other curve were written."""
    file = tmp_path / "mine.toml"
    file.write_text(CURVE.format(name))
    done = efdgen("curves", "check", file)
    said = f"efdgen: warning: {file}: {name} is another curve's name too; choose one of its own\n"
    assert (done.code, done.err) == (0, said)
    file.write_text(CURVE.format("mine"))
    assert efdgen("curves", "check", tmp_path / ".." / tmp_path.name / "mine.toml").err == ""


def test_a_copy_of_a_built_in_curve_is_not_reported(efdgen, tmp_path):
    file = tmp_path / "copy.toml"
    file.write_text((BUILT_IN / "curves/secp256k1.toml").read_text())
    assert efdgen("curves", "check", file).err == ""


ROOT = Path(BUILT_IN).parent
PAGES = [
    *ROOT.glob("*.md"),
    *ROOT.glob("docs/*.md"),
    *ROOT.glob("examples/**/*.md"),
    *ROOT.glob("examples/**/*.yml"),
]


def test_no_page_names_a_wheel_of_a_version():
    """Was: a wheel of 0.1.0 on the page of 0.2.0."""
    texts = {page: page.read_text(encoding="utf-8") for page in PAGES if page.name != "CHANGELOG.md"}
    assert len(texts) > 20
    assert [page for page, text in texts.items() if re.search(r"efdgen-[0-9][\w.]*\.(whl|tar)", text)] == []
