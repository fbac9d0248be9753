"""The pages of the documentation: every command in them is run as it stands, and prints what they say."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest
from pages import Command, File, blocks

from efdgen.cli import cli
from efdgen.generator.curves.affine import AffineCurve
from efdgen.generator.curves.load import load_curve
from efdgen.generator.formulas.database import Database

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ROOT = Path(__file__).resolve().parents[1]
PAGES = {
    path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
    for pattern in ("*.md", "docs/*.md", "efd/**/*.md")
    for path in sorted(ROOT.glob(pattern))
}
COMMANDS = [
    (page, each) for page, text in PAGES.items() for each in blocks(text) if isinstance(each, Command)
]
RUN = sorted({page for page, command in COMMANDS if not command.run_by and not command.not_run})


@pytest.fixture(scope="module")
def efdgen_of_the_wheel(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the command as the wheel installs it, which knows nothing of the checkout."""
    folder = tmp_path_factory.mktemp("bin")
    script = folder / "efdgen"
    script.write_text(
        f'#!/bin/sh\nPYTHONPATH={installed} exec {sys.executable} {installed / "bin/efdgen"} "$@"\n'
    )
    script.chmod(0o755)
    return folder


@pytest.mark.long
@pytest.mark.usefixtures("cc", "cargo")
@pytest.mark.parametrize("page", RUN)
def test_a_reader_of_the_page_gets_what_it_says(page: str, efdgen_of_the_wheel: Path, tmp_path: Path) -> None:
    path = os.pathsep.join([str(efdgen_of_the_wheel), os.environ["PATH"], os.defpath])
    for block in blocks(PAGES[page]):
        if isinstance(block, File):
            (tmp_path / block.name).write_text(block.text, encoding="utf-8")
        elif not block.run_by and not block.not_run:
            done = subprocess.run(
                ["bash", "-c", block.text],
                cwd=tmp_path,
                env={**os.environ, "PATH": path, "COLUMNS": "160"},
                capture_output=True,
                text=True,
                check=False,
            )
            said = done.stdout + done.stderr
            assert done.returncode == block.status, (block.text, said)
            assert_printed(block.printed, said, block.text)


def assert_printed(wanted: Sequence[str], said: str, command: str) -> None:
    """Assert that pieces of text are printed one after the other, however their lines are broken."""
    rest = " ".join(said.split())
    for piece in (" ".join(each.split()) for each in wanted):
        assert piece in rest, (command, piece, said)
        rest = rest.partition(piece)[2]


@pytest.mark.parametrize("page", sorted({page for page, _ in COMMANDS}))
def test_commands_are_of_the_form_that_they_have(page: str) -> None:
    """Commands that take too long to be run here are parsed too: unknown options are reported."""
    for command in (each for name, each in COMMANDS if name == page):
        for words in sequence(command.text):
            if words and words[0] == "efdgen":
                parse(words[1:])
            if words and words[0] == "make":
                targets, variables = makefile()
                assert {word for word in words[1:] if "=" not in word} <= {*targets}, words
                assert {word.partition("=")[0] for word in words[1:] if "=" in word} <= variables, words


@pytest.mark.parametrize("page", sorted(PAGES))
def test_commands_within_sentences_have_these_options(page: str) -> None:
    for text in re.findall(r"`(efdgen [a-z][^`]*)`", PAGES[page]):
        words = text.split()[1:]
        options = {word.partition("=")[0] for word in words if re.fullmatch(r"--[a-z][a-z-]+(=.*)?", word)}
        command, _ = subcommand(words)
        known = {name for parameter in command.params for name in parameter.opts}
        assert options <= {*known, "--help", "--version"}, text


def test_what_is_not_run_here_is_run_by_what_is_named() -> None:
    targets, _ = makefile()
    called = re.findall(r"^make (.+)$", (ROOT / ".ci/run").read_text(), re.M)
    reached = set(reachable(targets, [*" ".join(called).split(), "all", "install"]))
    for page, command in COMMANDS:
        if command.run_by.startswith("make "):
            assert {*command.run_by.split()[1:]} <= reached, (page, command)
        elif command.run_by:
            assert Path(page).name in (ROOT / command.run_by).read_text(encoding="utf-8"), (page, command)


def test_only_this_is_run_by_nothing() -> None:
    """A page whose commands nothing runs is added here, where a reviewer sees it."""
    assert {page for page, command in COMMANDS if command.not_run} == {
        "docs/performance.md",
        "docs/tuning.md",
    }


def sequence(line: str) -> list[list[str]]:
    """Return the words of each command of a line, between ``&&`` and ``;`` outside quotes."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars=";&")
    lexer.whitespace_split, lexer.commenters = True, ""
    commands: list[list[str]] = [[]]
    for word in lexer:
        if set(word) <= set(";&"):
            commands.append([])
        else:
            commands[-1].append(word)
    return commands


def parse(words: Sequence[str]) -> None:
    """Parse a command line of efdgen; raise click's error for an option that there is not."""
    command, rest = subcommand(words)
    context = click.Context(command)
    command.make_parser(context).parse_args(list(rest))


def subcommand(words: Sequence[str]) -> tuple[click.Command, Sequence[str]]:
    command: click.Command = cli
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        found = command.get_command(click.Context(command), words[0])
        if found is None:
            break
        command, words = found, words[1:]
    assert command is not cli or words[0].startswith("-"), words
    return command, words


def makefile() -> tuple[dict[str, list[str]], set[str]]:
    """Return the Makefile's targets with what each needs or makes, and its variables."""
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    rules = re.findall(r"^([a-z-]+):([^\n=]*)((?:\n\t[^\n]*)*)", text, re.M)
    targets = {
        name: [*needed.partition("##")[0].split(), *re.findall(r"\$\(MAKE\) ([a-z-]+)", recipe)]
        for name, needed, recipe in rules
    }
    return targets, set(re.findall(r"^([A-Z_]+) *[?:]?=", text, re.M))


def reachable(targets: dict[str, list[str]], first: Sequence[str]) -> Iterator[str]:
    """Yield targets and all that they come to."""
    waiting, seen = list(first), set()
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting += targets.get(name, ())
            yield name


@pytest.mark.parametrize(
    ("page", "said"),
    [
        ("    efdgen list\n    lists\n", "no command: lists"),
        ("<!-- exit status: 1 -->\n\n    text\n", "exit status: 1 stands above no command"),
        ("<!-- not run: why -->\n```c\nx\n```\n", "not run: why stands above no command"),
    ],
)
def test_a_page_that_says_nothing_of_a_block_is_refused(page: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        blocks(page)


def test_blocks_are_read_as_a_reader_does() -> None:
    page = """Text:

<!-- file: a/b -->
```toml
x = 1
```

    efdgen list \\
        a     which lists a
    make

```
one
…
two
```

<!-- exit status: 2 -->

    $ efdgen show a
    no a
      is there

More text:

    [table]
    x = 1
"""
    assert blocks(page) == [
        File("a/b", "x = 1\n"),
        Command("efdgen list a"),
        Command("make", printed=["one\n", "two\n"]),
        Command("efdgen show a", 2, ["no a   is there"]),
    ]


@pytest.mark.parametrize(
    ("wanted", "said"), [(["a b", "c"], "a\n  b d\nc"), (["…"], "…")], ids=["apart", "literal"]
)
def test_what_is_printed_is_found_in_order(wanted: list[str], said: str) -> None:
    assert_printed(wanted, said, "")
    with pytest.raises(AssertionError):
        assert_printed([*wanted, "a"], said, "")


@pytest.mark.slow
def test_a_system_without_mixed_additions_makes_a_whole_curve_in_python(efdgen, tmp_path: Path) -> None:
    """Was: ``multiply`` on curves with an endomorphism called a ``_lift`` that the module did not have."""
    for block in blocks(PAGES["docs/your-system.md"]):
        if isinstance(block, File):
            (tmp_path / block.name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / block.name).write_text(block.text, encoding="utf-8")
    asked = ("--curve", "secp256k1", "--set", "curve", "--layout", "module", "--coords", "chudnovsky")
    made = efdgen(
        "compile", "--lang", "python", *asked, "--database", tmp_path / "my", "--out", tmp_path / "out"
    )
    assert made.code == 0, made.err
    code = "import secp256k1 as c; print(c.encode(c.multiply(5, c.multiply_generator(7))).hex())"
    said = subprocess.check_output([sys.executable, "-c", code], cwd=tmp_path / "out", text=True)
    curve = load_curve("secp256k1")
    affine = AffineCurve(Database().model(curve.model), curve.field, curve.parameters)
    x, y = affine.multiple(35, tuple(curve.generator.values()))
    assert said == f"{2 + y % 2:02x}{x:064x}\n"


def test_the_index_lists_every_page() -> None:
    listed = set(re.findall(r"\]\(([^)#]+)\)", PAGES["docs/README.md"]))
    pages = {path.removeprefix("docs/") for path in PAGES if path.startswith("docs/")} - {"README.md"}
    assert pages <= listed
    assert all((ROOT / "docs" / page).exists() for page in listed)
