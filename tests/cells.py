"""Cells of what efdgen emits: a curve in a packaging, with a set of functions, built with words of each size.

A cell's files are written as by ``efdgen compile``, built by the compilers of this machine, and asked a few
of the questions of ``efdgen test``; or they are refused before any proof. The table of docs/which-curve.md
tells which it is; this program prints its rows.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from random import Random

import pytest
from refusals import provers

from efdgen.commands.making import files_of
from efdgen.generator.curves.curve import Curve
from efdgen.generator.curves.load import built_in_curves
from efdgen.generator.errors import EfdgenError
from efdgen.generator.formulas.database import Database
from efdgen.generator.interfaces import INTERFACES, Interface, require_fit
from efdgen.generator.planning.make import require_whole
from efdgen.generator.planning.protocols import protocols
from efdgen.verify.vectors.directories import directory_subjects
from efdgen.verify.vectors.drivers import Build
from efdgen.verify.vectors.suite import AnySubject, run_suites
from efdgen.verify.vectors.whole_cases import Question
from efdgen.verify.vectors.whole_curve import WholeCurve
from efdgen.verify.vectors.whole_subjects import WholeSubject

Ask = Callable[[WholeCurve, Random], Iterator[Question]]

KERNELS, CURVE, PROTOCOLS = SETS = ("kernels", "curve", "protocols")

PAGE = Path(__file__).parents[1] / "docs/which-curve.md"

_MOST_QUESTIONS = 200
_ASKED: dict[str, list[Question]] = {}
_WRAPPER = """\
[package]
name = "wrapper"
version = "0.0.0"
edition = "2021"
[lib]
path = "{}"
[features]
word32 = []
[dependencies]
subtle = {{ version = "2", default-features = false }}
"""


@dataclass(frozen=True)
class Packaging:
    """A form of emitted code: its options beside the curve and the set, and the sizes of its words."""

    name: str
    options: tuple[str, ...]
    sets: tuple[str, ...] = SETS
    words: tuple[int | None, ...] = (64, 32)

    @property
    def language(self) -> str:
        return self.options[1]


PACKAGINGS = (
    Packaging("c-header", ("--lang", "c")),
    Packaging("c-split", ("--lang", "c", "--layout", "split")),
    Packaging("rust-crate", ("--lang", "rust")),
    Packaging("rust-module", ("--lang", "rust", "--layout", "module"), (KERNELS,)),
    Packaging("python-module", ("--lang", "python", "--layout", "module"), words=(None,)),
    Packaging("python-package", ("--lang", "python"), (CURVE, PROTOCOLS), (None,)),
    Packaging("python-over-c", ("--lang", "python", "--backend", "c"), (CURVE, PROTOCOLS), (None,)),
    *(Packaging(name, ("--lang", "rust", "--api", name), (PROTOCOLS,)) for name in INTERFACES),
)


@dataclass(frozen=True)
class Cell:
    """A curve by name, a packaging, and a set of functions."""

    curve: str
    packaging: Packaging
    set: str

    def __str__(self) -> str:
        return f"{self.curve}, {self.packaging.name}, {self.set}"

    @property
    def words(self) -> list[str]:
        """The options of ``efdgen compile`` that emit the cell."""
        return [*self.packaging.options, "--curve", self.curve, "--set", self.set]

    def builds(self, target: Path) -> list[Build]:
        """Return the builds of a cell's drivers; cargo builds in ``target``."""
        language, words = self.packaging.language, self.packaging.words
        return [
            Build(
                language if word is None else f"{language}, {word} bits",
                language,
                level="0",
                word=word,
                settings={"CARGO_TARGET_DIR": f"{target / str(word)}"},
            )
            for word in words
        ]

    def files(self) -> dict[str, str]:
        """Return the proved files; raise :class:`EfdgenError` for a refusal."""
        return files_of(f"{self}", "compile", self.words)[1]


CELLS = [
    Cell(curve.name, packaging, chosen)
    for curve in built_in_curves()
    for chosen in SETS
    for packaging in PACKAGINGS
    if chosen in packaging.sets
]


def row(curve: Curve) -> str:
    """Return a curve's row of the table: what there is of it, by the generator's own conditions."""
    binary = curve.field.is_binary
    field = str(curve.field) if binary else f"{curve.bits} bits"
    whole = curve.model == "g1p/montgom" or _passes(require_whole, curve)
    names = protocols(curve) if whole else []
    apis = [n for n, interface in INTERFACES.items() if names and _passes(require_fit, curve, interface)]
    lists = [", ".join(found) or "–" for found in (names, apis)]
    return f"| {curve.name} | `{curve.model}` | {field} | {'yes' if whole else '–'} | {' | '.join(lists)} |"


def _passes(require: Callable[..., None], *arguments: Curve | Interface) -> bool:
    try:
        require(*arguments)
    except EfdgenError:
        return False
    return True


@cache
def table() -> dict[str, list[str]]:
    """Return the cells of each row of the page's table, by the name of the curve."""
    lines = [line.strip("| ").split(" | ") for line in PAGE.read_text().splitlines() if line.startswith("| ")]
    return {name: cells for name, *cells in lines if len(cells) == 5}


def is_there(cell: Cell) -> bool:
    """Return whether the page's table has a cell."""
    _, _, whole, names, apis = table()[cell.curve]
    if cell.packaging.name in INTERFACES:
        return cell.packaging.name in apis.split(", ")
    return cell.set == KERNELS or (whole if cell.set == CURVE else names) != "–"


def refusal(cell: Cell, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the line that refuses a cell, empty for none; proofs that are asked for are errors."""
    with provers(monkeypatch, asked=True):
        try:
            cell.files()
        except EfdgenError as error:
            return f"{error}".removeprefix(f"{cell}: ")
    return ""


def faults(cell: Cell, files: dict[str, str], folder: Path, target: Path) -> list[str]:
    """Write, build and run a cell in a folder; return wrong answers. A failing compiler is an error.

    ``target`` is the directory in which cargo builds.
    """
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    name = cell.packaging.name
    if name in INTERFACES or name == "rust-module":
        _check_crate(folder, target, 64)
        _check_crate(folder, target, 32)
        return []
    subjects = [_few(subject) for subject in directory_subjects(Database(), [folder])]
    found = [
        f"{result.language}: {result.function}"
        for subject in subjects
        for _, results in run_suites([subject], 1, builds=cell.builds(target))
        for result in results
        if not result.ok
    ]
    return found if subjects else ["nothing to run"]


def _few(subject: AnySubject) -> AnySubject:
    """Return a whole curve with a few of its questions, each function's among them."""
    return (
        replace(subject, ask=partial(_some_of, subject.ask)) if isinstance(subject, WholeSubject) else subject
    )


def _some_of(ask: Ask, curve: WholeCurve, rng: Random) -> Iterator[Question]:
    # Packagings of a curve are asked the same.
    key = repr((ask, curve.curve, curve.functions))
    found = _ASKED[key] = _ASKED.get(key) or [*ask(curve, rng)]
    first = {question.function: number for number, question in reversed([*enumerate(found)])}
    others = rng.sample(range(len(found)), min(len(found), _MOST_QUESTIONS))
    return iter([found[number] for number in sorted({*first.values(), *others})])


def _check_crate(folder: Path, target: Path, word: int) -> None:
    """Have cargo check a crate, or a module as one; raise :class:`EfdgenError` with its first lines."""
    manifest = folder / "Cargo.toml"
    if not manifest.exists():
        (module,) = folder.glob("*.rs")
        manifest.write_text(_WRAPPER.format(module.name), encoding="utf-8")
    features = ["--features", "word32"] if word == 32 else []
    done = subprocess.run(
        ["cargo", "check", "--quiet", *features],
        cwd=folder,
        env=os.environ | {"CARGO_TARGET_DIR": f"{target / str(word)}"},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode or "warning" in done.stderr:
        raise EfdgenError("\n".join(done.stderr.splitlines()[:12]))


if __name__ == "__main__":
    print("\n".join(map(row, built_in_curves())))
