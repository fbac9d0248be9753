"""Completion: what click's interface is told, and what bash makes of it."""

import subprocess
import sys
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete

from efdgen.cli import cli
from efdgen.generator.formulas.layers import BUILT_IN

DOUBLINGS = "g1p/shortw/jacobian-0/doubling"


def completed(line: str) -> set[str]:
    """Return what completes the last word of a line, which a blank at its end makes an empty one."""
    *words, last = line.split(" ")
    shell = ShellComplete(cli, {}, "efdgen", "_EFDGEN_COMPLETE")
    return {
        f"{item.type}:{item.value}" if item.type != "plain" else item.value
        for item in shell.get_completions(words, last)
    }


def names(pattern: str) -> set[str]:
    return {path.stem for path in BUILT_IN.glob(pattern)}


@pytest.mark.parametrize(
    "command",
    ["list", "show", "verify", "graph", "diff dbl-2009-l", "cost tables", "compile --formulas", "dump"],
)
def test_formulas_are_completed_by_their_ids_and_their_names(command):
    ids = {path.relative_to(BUILT_IN).as_posix() for path in (BUILT_IN / DOUBLINGS).glob("dbl-2*")}
    assert completed(f"{command} {DOUBLINGS}/dbl-2") == ids
    assert completed(f"{command} mdbl-2008-b") == names("g*/*/*/*/mdbl-2008-b*")


@pytest.mark.parametrize(
    "command", ["compile --curve", "plan --curve", "curves show", "curves check", "test --curve"]
)
def test_curves_are_completed_by_their_names_and_else_as_files(command):
    assert completed(f"{command} secp256") == {"secp256k1", "secp256r1"}
    assert completed(f"{command} ./my") == {"file:./my"}


def test_systems_are_those_of_the_curve():
    assert completed("compile --coords jac") == names("g1p/shortw/jac*")
    assert completed("compile --curve edwards25519 --coords ") == {
        path.name for path in (BUILT_IN / "g1p/twisted").iterdir() if path.is_dir()
    } - {"maps"}
    assert completed("bench --curve edwards25519 --coords extended,inv") == {"extended,inverted"}


def test_authors_are_completed_in_capital_and_small_letters():
    assert {"Lange", "Longa"} <= completed("list --author L")
    assert "lange" in completed("list --author lan")
    bibliography = (BUILT_IN / "references.bib").read_text(encoding="utf-8")
    assert all(name.casefold() in bibliography.casefold() for name in completed("list --author B"))


def test_commands_are_completed_after_man():
    assert completed("man comp") == {"compile"}
    assert {"check", "show"} <= completed("man curves ") == completed("curves ")
    assert completed("man show ") == set()


def test_hosts_stages_kinds_and_places():
    assert completed("compile --field-api ") == names("hosts/*.toml")
    assert {"parse", "lower", "allocate"} <= completed("dump dbl-2009-l --after ")
    assert completed("list --kind doub") == {path.name for path in BUILT_IN.glob("g*/*/*/doub*")}
    assert DOUBLINGS in completed("check draft --as g1p/shortw/jacobian-0/")
    assert DOUBLINGS in completed("new g1p/shortw/jacobian-0/d")


def test_ones_own_are_completed_too(tmp_path: Path):
    own = tmp_path / DOUBLINGS / "dbl-own"
    own.parent.mkdir(parents=True)
    own.write_text("compute X3 = X1\n")
    assert completed("show dbl-ow") == set()
    assert completed(f"show --database {tmp_path} dbl-ow") == {"dbl-own"}


def test_what_cannot_be_read_completes_nothing(tmp_path: Path):
    assert completed(f"compile --curve {tmp_path}/none.toml --coords ") == set()


def test_bash_completes(tmp_path: Path):
    """Bash completes with the script that docs/command-line.md puts into ~/.bashrc."""
    (tmp_path / "efdgen").write_text(f'#!/bin/sh\nexec {sys.executable} -m efdgen "$@"\n')
    (tmp_path / "efdgen").chmod(0o755)
    script = """
        eval "$(_EFDGEN_COMPLETE=bash_source efdgen)"
        COMP_WORDS=(efdgen compile --curve secp2) COMP_CWORD=3
        _efdgen_completion efdgen
        echo "${COMPREPLY[@]}"
    """
    environment = {"PATH": f"{tmp_path}:/usr/bin:/bin"}
    done = subprocess.run(["bash", "-c", script], env=environment, capture_output=True, text=True, check=True)
    assert {"secp256k1", "secp224r1"} <= set(done.stdout.split())
    assert all(word.startswith("secp2") for word in done.stdout.split())
