"""The kinds of mutants: of what text or value, and what has to refuse them."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from efdgen.generator.errors import EfdgenError
from mutants.edits import Edit, edits, function_at
from mutants.sources import Routines
from mutants.targets import CurveTarget, Killed, Proof

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from random import Random

    from mutants.sources import Source
    from mutants.targets import FieldTarget, Files, Target


@dataclass(frozen=True)
class Mutant:
    """A mutant: what was edited how, and how it is tried.

    ``judge`` takes a folder to build in; it raises :class:`Killed` where the mutant is refused, and returns
    why it is equivalent to the original, or nothing.
    """

    place: str
    sort: str
    difference: str
    judge: Callable[[Path], str]


class Kind(Protocol):
    """A kind of mutants; ``title`` is what the table calls it."""

    title: str
    targets: tuple[Target, ...]

    def mutant(self, rng: Random) -> Mutant | None:
        """Return a mutant by one edit, None where that changes nothing that is printed."""


def difference(before: str, after: str) -> str:
    """Return the lines that an edit takes away and adds."""
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=0)
    return "\n".join(line for line in lines if not line.startswith(("---", "+++", "@@")))


@dataclass(frozen=True)
class Sources:
    """Edits of templates or of routines, each tried on the targets whose text it changes."""

    title: str
    sources: tuple[Source, ...]
    targets: tuple[Target, ...]

    def mutant(self, rng: Random) -> Mutant | None:
        found = {source: edits(source.text, source.language) for source in self.sources}
        source = rng.choices(list(found), [len(each) for each in found.values()])[0]
        edit = rng.choice(found[source])
        edited = edit.apply(source.text)
        changed = [target for target in self.targets if self._changes(target, source, edited)]
        if not changed:
            return None
        return Mutant(
            _place(source.place, source.text, source.language, edit),
            edit.sort,
            difference(source.text, edited),
            lambda folder: self._judge(changed, source, edited, folder, edit),
        )

    def _changes(self, target: Target, source: Source, edited: str) -> bool:
        """Return whether a target is printed otherwise; where it cannot be printed, it is."""
        before = target.unproved()
        try:
            with source.replaced(edited):
                return target.unproved() != before
        except Exception:
            return True

    def _judge(self, targets: list[Target], source: Source, edited: str, folder: Path, edit: Edit) -> str:
        """Prove and test a mutant; a routine is right that is proved all the same, with all its callers."""
        function = function_at(source.text, source.language, edit.start)
        with source.replaced(edited):
            followed = _followed(targets, function) if isinstance(source, Routines) else {}
        for number, target in enumerate(targets):
            with source.replaced(edited):
                files = proved(target)
            if followed.get(target.title) != Proof.WHOLE:
                target.require_wrong(files, folder / f"{number}")
        if len(followed) == len(targets) and Proof.NONE not in followed.values():
            return "its functions are proved for every input with this edit"
        return ""


def _followed(targets: list[Target], function: str) -> dict[str, Proof]:
    """Follow the routines of each curve, once for all languages; return what is proved by targets."""
    curves: dict[str, Proof] = {}
    found = {}
    for target in targets:
        if isinstance(target, CurveTarget):
            if target.curve not in curves:
                curves[target.curve] = target.followed(function)
            found[target.title] = curves[target.curve]
    return found


def _place(whole: str, text: str, language: str, edit: Edit) -> str:
    """Return where an edit is: a file, and the function in it."""
    function = function_at(text, language, edit.start)
    return f"{whole}, {function}" if function else whole


def proved(target: Target) -> Files:
    """Print a target and prove what is proved of it; raise :class:`Killed` where that is refused."""
    try:
        return target.files()
    except EfdgenError as error:
        raise Killed("proof", str(error)) from None
    except Killed:
        raise
    except Exception as error:
        raise Killed("generator", f"{type(error).__name__}: {error}") from None


@dataclass(frozen=True)
class Printed:
    """Edits of printed limb functions, of one size of words."""

    title: str
    word: int
    targets: tuple[FieldTarget, ...]

    def mutant(self, rng: Random) -> Mutant | None:
        target = rng.choice(self.targets)
        files = target.unproved()
        spans = [
            (name, found.span())
            for name, text in files.items()
            for found in _functions(name, text, self.word)
        ]
        name, (start, end) = rng.choices(spans, [end - start for _, (start, end) in spans])[0]
        text = files[name]
        found = [
            Edit(each.sort, each.start + start, each.end + start, each.text)
            for each in edits(text[start:end], target.language)
        ]
        if not found:
            return None
        edit = rng.choice(found)
        edited = edit.apply(text)
        return Mutant(
            _place(f"{target.title}, {name}", text, target.language, edit),
            edit.sort,
            difference(text, edited),
            lambda folder: self._judge(target, name, edited, folder),
        )

    def _judge(self, target: FieldTarget, name: str, edited: str, folder: Path) -> str:
        target.require_unread(lambda files: {**files, name: edited})
        target.require_wrong({**target.unproved(), name: edited}, folder)
        return ""


def _functions(name: str, text: str, word: int) -> list[re.Match[str]]:
    """Return the limb functions in a file that are for a size of words."""
    if name.endswith(".rs"):
        chosen = re.finditer(r"^pub fn \w+\(.*?^}", text, re.M | re.S)
        return list(chosen) if name.endswith(f"limbs{word}.rs") else []
    chosen = re.finditer(r"^[^\n/#]*_limbs_\w+\([^;]*?\) \{\n.*?^}", text, re.M | re.S)
    return [found for found in chosen if (f"uint{word}_t" in found[0]) and name.endswith(".h")]
