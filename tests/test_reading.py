"""Reading of files that a user names: no device, pipe or link makes a command wait for ever."""

import os
from pathlib import Path

import pytest

from efdgen.generator.errors import EfdgenError
from efdgen.generator.reading import MOST, read_bytes, read_text
from efdgen.verify import store
from efdgen.verify.finding import FormulaFinding
from efdgen.verify.kept import KeptFindings

PLACE = "g1p/shortw/jacobian-0/doubling"
DOUBLING = f"{PLACE}/dbl-2009-l"


@pytest.mark.parametrize("device", ["/dev/urandom", "/dev/zero"])
@pytest.mark.parametrize(
    "command",
    [
        ("compile", "--lang", "python", "--curve"),
        ("curves", "check"),
        ("check", "--as", PLACE),
        ("field", "--lang", "c", "--prime", "7", "--tuning"),
        ("generate", "--project"),
    ],
    ids=" ".join,
)
def test_a_device_without_an_end_is_refused(device, command, efdgen):
    """Was N1: `--curve /dev/urandom` read for ever."""
    found = efdgen(*command, device if command[-1] != "--curve" else f"{device}")
    assert (found.code, found.out) == (2, "")
    assert found.err.count("\n") == 1
    assert "more than 16 MiB" in found.err


def test_a_file_of_the_most_bytes_is_read_and_one_more_is_refused(tmp_path):
    path = tmp_path / "long"
    path.write_bytes(b"x" * MOST)
    assert len(read_bytes(path)) == MOST
    path.write_bytes(b"x" * (MOST + 1))
    with pytest.raises(EfdgenError, match="long: more than 16 MiB"):
        read_text(path)


def test_a_pipe_in_a_directory_of_formulas_is_no_formula(tmp_path, efdgen):
    (tmp_path / PLACE).mkdir(parents=True)
    os.mkfifo(tmp_path / PLACE / "dbl-pipe")
    (tmp_path / PLACE / "dbl-own").write_text("compute X3 = X1\ncompute Y3 = Y1\ncompute Z3 = Z1\n")
    found = efdgen("list", "--database", tmp_path, PLACE)
    assert "dbl-own" in found.out
    assert "dbl-pipe" not in found.out


def test_a_pipe_in_the_cache_is_named_once_and_not_waited_for(tmp_path, monkeypatch, caplog):
    monkeypatch.setenv("EFDGEN_CACHE", str(tmp_path))
    monkeypatch.setattr(store, "_told", set())
    os.mkfifo(tmp_path / "claim.kept")
    for _ in range(2):
        assert store.load("claim") is None
    (line,) = caplog.messages
    assert "claim.kept: not a regular file" in line


def test_a_loop_of_links_is_an_error_of_one_line(tmp_path, efdgen):
    """Was N3, a traceback."""
    (tmp_path / "loop").symlink_to("loop")
    found = efdgen("check", tmp_path / "loop", "--as", PLACE)
    assert (found.code, found.out) == (2, "")
    assert "Too many levels of symbolic links" in found.err


def test_a_link_does_not_lead_out_of_a_project(tmp_path, efdgen, monkeypatch):
    project, outside = tmp_path / "project", tmp_path / "outside"
    for folder in (project, outside):
        folder.mkdir()
    (project / "link").symlink_to(outside)
    text = '[[generate]]\nlang = "python"\ncurve = "secp256k1"\nout = "link/code"\n'
    (project / "efdgen.toml").write_text(text)
    monkeypatch.chdir(project)
    found = efdgen("generate")
    assert found.code == 2
    assert "leads through a link to a directory outside" in found.err
    assert list(outside.iterdir()) == []


def test_a_long_path_is_cut_in_an_error(efdgen):
    """Was N2: an error repeated a hundred thousand characters."""
    found = efdgen(*("compile", "--lang", "python", "--curve", "secp256k1", "--out", "9" * 10**5))
    assert found.code == 2
    assert len(found.err) < 400


@pytest.mark.parametrize("key", ["seconds", "exceptions", "id", "reason", "remarks"])
def test_a_cached_finding_of_wrong_types_is_no_finding(key, tmp_path, monkeypatch, database):
    """Was an error in the middle of a report."""
    monkeypatch.setenv("EFDGEN_CACHE", str(tmp_path))
    kept = KeptFindings(database, "efdgen.verify.laws.model")
    kept.keep(FormulaFinding(DOUBLING, "doubling", "proved", "", 0.5, exceptions=("P=Q",)))
    assert kept.find(DOUBLING) is not None
    (path,) = (path for path in tmp_path.iterdir() if path.stem != "imports")
    wrong = [5] if key in ("exceptions", "remarks") else {"a": 1}
    store.store(path.stem, {**store.load(path.stem), key: wrong})
    assert kept.find(DOUBLING) is None


def test_a_curve_file_and_a_database_are_found_near_the_generated_files(tmp_path, efdgen, monkeypatch):
    """Was: `efdgen test DIR` looked for a curve's file in the current directory alone."""
    work, elsewhere = tmp_path / "work", tmp_path / "elsewhere"
    for folder in (work, elsewhere):
        folder.mkdir()
    curve = 'name = "tiny"\nmodel = "g1p/shortw"\nprime = 13\nparameters = {a = 2, b = 9}\n'
    (work / "tiny.toml").write_text(curve)
    own = work / "own" / PLACE.replace("-0", "") / "dbl-own"
    own.parent.mkdir(parents=True)
    own.write_bytes(
        (Path(__file__).parents[1] / "efd" / PLACE.replace("-0", "") / "dbl-2007-bl").read_bytes()
    )
    monkeypatch.chdir(work)
    choice = ("--lang", "python", "--curve", "tiny.toml", "--formulas", "dbl-own", "--database", "own")
    assert efdgen("compile", *choice, "--out", "code").code == 0
    monkeypatch.chdir(elsewhere)
    assert efdgen("test", "--lang", "python", work / "code").code == 0
    assert efdgen("regenerate", work / "code", "--check").code == 0
