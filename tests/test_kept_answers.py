"""Cached answers of commands: the same bytes without the work, and never for other inputs or edited files."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from kept_proofs import kept

from efdgen.commands.kept import kept_answer
from efdgen.verify import store

PLAIN = ("compile", "--lang", "python", "--curve", "secp256k1", "--formulas", "jacobian-0/*/dbl-2009-l")
LOADED = "efdgen.generator.compile"

RUN = f"""
import sys
from efdgen.cli import cli
status = cli.main(sys.argv[1:], standalone_mode=False)
print({LOADED!r} in sys.modules)
"""


class Commands:
    """Command lines in a directory with a cache of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.cache = folder, folder / "cache"

    def run(self, *arguments: str) -> tuple[bool, str, bytes]:
        """Return whether work was done, standard error, and the content of the output."""
        shutil.rmtree(self.folder / "made", ignore_errors=True)
        done = subprocess.run(
            [sys.executable, "-c", RUN, *arguments, "--out", "made"],
            cwd=self.folder,
            env={**os.environ, "EFDGEN_CACHE": str(self.cache), "EFDGEN_PROGRESS": "never"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        (output,) = (path for path in (self.folder / "made").iterdir() if path.name != "driver.py")
        return done.stdout.endswith("True\n"), done.stderr, output.read_bytes()

    def answers(self) -> list[Path]:
        """Return the files of cached answers, which are the largest."""
        return sorted(kept(self.cache), key=lambda path: path.stat().st_size)[-1:]


@pytest.fixture(scope="module")
def warm(tmp_path_factory: pytest.TempPathFactory) -> tuple[Commands, bytes]:
    """A directory in which a command ran once, and its output."""
    commands = Commands(tmp_path_factory.mktemp("warm"))
    worked, _, text = commands.run(*PLAIN)
    assert worked
    return commands, text


@pytest.fixture
def commands(warm: tuple[Commands, bytes], tmp_path: Path) -> Commands:
    """A copy of that directory, which may be edited."""
    shutil.copytree(warm[0].cache, tmp_path / "cache")
    return Commands(tmp_path)


def test_the_second_run_writes_the_same_bytes_without_work(warm, commands):
    assert commands.run(*PLAIN) == (False, "", warm[1])


def test_another_option_is_another_answer(warm, commands):
    worked, _, text = commands.run(*PLAIN, "--prefix", "other")
    assert worked
    assert text != warm[1]


def test_an_option_without_effect_is_refused_when_cached(commands):
    """The default of an option and the same value when given are different inputs."""
    with pytest.raises(AssertionError, match="--table has no effect without --set"):
        commands.run(*PLAIN, "--table", "medium")


@pytest.mark.slow
def test_a_file_that_an_option_names_is_an_input(commands):
    curve = commands.folder / "mine.toml"
    built_in = Path(store.__file__).parents[1] / "efd/curves/secp256k1.toml"
    curve.write_text(built_in.read_text())
    line = ("compile", "--lang", "python", "--curve", "mine.toml", *PLAIN[5:], "--prefix", "secp256k1")
    assert commands.run(*line)[0]
    assert not commands.run(*line)[0]
    curve.write_text(f"{built_in.read_text()}\n")
    assert commands.run(*line)[0]


def test_what_a_pipe_or_a_changing_file_holds_is_not_cached(tmp_path, monkeypatch):
    """A pipe has another content each time, and a file may change while its answer is made."""
    monkeypatch.setenv("EFDGEN_CACHE", str(tmp_path / "cache"))
    pipe, file = tmp_path / "pipe", tmp_path / "file"
    os.mkfifo(pipe)
    file.write_text("1")
    made = []

    def make() -> int:
        made.append(len(made))
        file.write_text("2" if len(made) == 3 else "1")
        return made[-1]

    assert [kept_answer((), make, files=[pipe]) for _ in range(2)] == [0, 1]
    assert kept_answer((), make, files=[file]) == 2
    file.write_text("1")
    assert [kept_answer((), make, files=[file]) for _ in range(2)] == [3, 3]


@pytest.mark.slow
def test_a_formula_of_a_database_is_an_input(commands):
    place = commands.folder / "my/g1p/shortw/jacobian-0/doubling/dbl-2009-l"
    place.parent.mkdir(parents=True)
    shutil.copy(Path(store.__file__).parents[1] / "efd" / place.relative_to(commands.folder / "my"), place)
    line = (*PLAIN, "--database", "my")
    first = commands.run(*line)
    assert first[0]
    assert commands.run(*line) == (False, *first[1:])
    place.write_text(f"{place.read_text()}\n")
    assert commands.run(*line)[0]


def _letter(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[-9] ^= 1
    path.write_bytes(data)


EDITS = {
    "a letter": _letter,
    "cut off": lambda path: path.write_bytes(path.read_bytes()[:-30]),
    "empty": lambda path: path.write_bytes(b""),
    "no seal": lambda path: path.write_bytes(path.read_bytes().partition(b"\n")[2]),
    "seal of the value alone": lambda path: path.write_text(_unkeyed(path)),
    "another's": lambda path: shutil.copy(min(kept(path.parent), key=lambda p: p.stat().st_size), path),
    "binary": lambda path: path.write_bytes(bytes(range(256))),
    "deep": lambda path: path.write_text("[" * 100_000),
}


def _unkeyed(path: Path) -> str:
    value = json.dumps("x")
    return f"{hashlib.sha256(value.encode()).hexdigest()}\n{value}"


@pytest.mark.slow
@pytest.mark.parametrize("edit", EDITS)
def test_an_edited_answer_is_found_out_and_made_again(warm, commands, edit):
    (path,) = commands.answers()
    EDITS[edit](path)
    worked, said, text = commands.run(*PLAIN)
    assert (worked, text) == (True, warm[1])
    assert said.count("was edited or damaged") == 1
    assert commands.run(*PLAIN) == (False, "", warm[1])


def test_a_directory_or_a_pipe_in_the_place_of_an_answer_is_ignored(warm, commands):
    (path,) = commands.answers()
    path.unlink()
    os.mkfifo(path)
    worked, said, text = commands.run(*PLAIN)
    assert (worked, text) == (True, warm[1])
    assert "not a regular file" in said


def test_every_file_of_the_package_is_an_input(tmp_path, monkeypatch):
    for name in ("generator/render/c/bundle.py", "templates/c/header.h", "efd/curves/secp256k1"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("1")
    for name in ("__init__.py", "cli.py"):
        (tmp_path / name).write_text("")
    for empty in ("api", "commands", "reference", "verify"):
        (tmp_path / empty).mkdir()
    monkeypatch.setattr(store, "_PACKAGE", tmp_path)
    keys = {store._everything.__wrapped__()}
    for name in (
        "generator/render/c/bundle.py",
        "templates/c/header.h",
        "efd/curves/secp256k1",
        "efd/curves/new",
    ):
        (tmp_path / name).write_text("2")
        keys.add(store._everything.__wrapped__())
    assert len(keys) == 5


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "work"),
    [
        (("show", "P256"), "efdgen.verify.curve_account.account_of_curve"),
        (("show", "P256", "--json"), "efdgen.verify.curve_account.account_of_curve"),
        (("list", "--year", "2007"), "efdgen.generator.reports.filters.Filters.select"),
        (("list", "--author", "lange"), "efdgen.generator.reports.filters.Filters.select"),
        (("list", "jacobian/doubling", "--json"), "efdgen.generator.reports.filters.Filters.select"),
    ],
)
def test_what_is_shown_and_listed_is_kept(efdgen, monkeypatch, tmp_path, command, work):
    """Was: 2 to 3 s each time."""
    monkeypatch.setenv("EFDGEN_CACHE", str(tmp_path))
    first = efdgen(*command)
    assert (first.code, first.err) == (0, "")
    monkeypatch.setattr(work, lambda *_, **__: pytest.fail("the work was done again"))
    assert efdgen(*command) == first
