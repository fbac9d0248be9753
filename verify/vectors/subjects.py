"""What can be tested: kernels for a curve, kernels in a directory, every formula of the database."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING, Any, cast

from efdgen.generator.compile import Request, make_bundle, render
from efdgen.generator.curves.instantiate import NotApplicable, find_curve, parameter_assumptions
from efdgen.generator.curves.load import load_curve
from efdgen.generator.errors import EfdgenError
from efdgen.generator.kernels.bundle import group
from efdgen.generator.kernels.candidate import candidate
from efdgen.generator.kernels.kernel import Bundle
from efdgen.generator.output import MARK
from efdgen.verify.vectors.whole_curve import WholeCurve
from efdgen.verify.vectors.whole_subjects import WholeSubject, point_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from efdgen.generator.compile import Language
    from efdgen.generator.curves.curve import Curve
    from efdgen.generator.formulas.database import Database
    from efdgen.generator.formulas.formula import Formula
    from efdgen.generator.kernels.candidate import Candidate
    from efdgen.generator.programs.program import Program

_COMMAND = "Command: efdgen compile "
_CONTINUATION = re.compile(r"\s*(?:#|//|\*)\s+(\S.*)")
_OPTIONS = {
    "--coords": "coordinates",
    "--to": "target",
    "--prefix": "prefix",
    "--layout": "layout",
    "--weights": "weights",
    "--lowering": "lowering",
    "--set": "set",
    "--table": "table",
    "--second": "second",
    "--backend": "backend",
    "--odd-multiples": "odd_multiples",
    "--representation": "representation",
}


@dataclass(frozen=True)
class Subject:
    """A bundle, and its source files in one or more languages.

    ``curve`` is the curve of a bundle that has only one, where it has a name.
    """

    title: str
    bundle: Bundle
    files: Mapping[Language, Mapping[str, str]]
    curve: Curve | None = None


def curve_subject(database: Database, request: Request, languages: Sequence[Language]) -> Subject:
    """Return the kernels that a request asks for, printed in some languages; they are not proved."""
    bundle = make_bundle(database, request, _unproved)
    files = {
        language: render(bundle, replace(request, language=language, layout=None)) for language in languages
    }
    curve = load_curve(request.curve)
    return Subject(curve.name, bundle, files, curve)


def directory_subjects(database: Database, directories: Sequence[Path]) -> list[Subject | WholeSubject]:
    """Return what stands in directories, kernels or whole curves, with drivers, those of one curve together.

    What they are is read from the command in their headers. Raises :class:`EfdgenError` for a directory
    without generated kernels.
    """
    found: dict[Request, dict[Language, dict[str, str]]] = {}
    for directory in directories:
        folders = sorted({*_folders(directory)})
        if not folders:
            raise EfdgenError(
                f"{directory}: no generated kernels with a driver in it; 'efdgen compile' makes some"
            )
        for folder in folders:
            files = _read_files(folder)
            request = _request(files, folder)
            languages = found.setdefault(replace(request, language="c", layout=None), {})
            languages[request.language] = files
    subjects: list[Subject | WholeSubject] = []
    for request, printed in found.items():
        curve = load_curve(request.curve)
        if request.set == "kernels":
            bundle = make_bundle(database, request, _unproved)
            subjects.append(Subject(curve.name, bundle, printed, curve))
        else:
            second = point_of(request.second, curve)
            coz = any('"coz_multiply"' in text for files in printed.values() for text in files.values())
            subjects.append(WholeSubject(curve.name, WholeCurve.of(curve, database, coz, second), printed))
    return subjects


def every_formula(database: Database, prime: int, languages: Sequence[Language], seed: int) -> Subject:
    """Return kernels of every formula of odd characteristic, on random curves over one field.

    Formulas of one model share a curve where their assumptions allow it, the least demanding first, and those
    with a map last.
    """
    rng = Random(seed)
    formulas = [database.formula(formula_id) for formula_id in database.ids if formula_id.startswith("g1p/")]
    formulas.sort(key=lambda f: (f.map is not None, len(parameter_assumptions(f)), f.id))
    curves: dict[str, list[dict[str, int]]] = {}
    chosen: dict[tuple[str, int, str], list[Candidate]] = {}
    for formula in formulas:
        number, found = _on_a_curve(formula, prime, curves.setdefault(formula.system.model.id, []), rng)
        chosen.setdefault((formula.system.model.id, number, formula.system.id), []).append(found)
    groups = []
    for (_, number, system), candidates in sorted(chosen.items(), key=lambda item: item[0]):
        namespace = re.sub(r"\W", "_", f"curve{number}_{system.removeprefix('g1p/')}")
        groups.append(group(namespace, f"curve {number}", prime, candidates, _unproved))
    bundle = Bundle("every", prime, tuple(groups), "efdgen test --all")
    files = {language: render(bundle, Request(language, "every", lowering="calls")) for language in languages}
    field = f"GF({prime})" if prime < 1 << 16 else f"a field of {prime.bit_length()} bits"
    return Subject(f"every formula over {field}", bundle, files)


def _on_a_curve(
    formula: Formula, prime: int, curves: list[dict[str, int]], rng: Random
) -> tuple[int, Candidate]:
    """Return the first curve that fits a formula, by number; append a new one where none does.

    What a map leaves free is random.
    """
    free = {name: rng.randrange(1, prime) for name in formula.map.free_parameters} if formula.map else {}
    for number, parameters in enumerate(curves):
        try:
            return number, candidate(formula, prime, {**parameters, **free})
        except NotApplicable:
            continue
    found = find_curve(formula, prime, rng)
    curves.append({name: found[name] for name in formula.system.model.parameters})
    return len(curves) - 1, candidate(formula, prime, {**curves[-1], **free})


def _unproved(formula: Formula, program: Program, prime: int) -> str:
    return "none; these kernels are built for a test"


def _folders(directory: Path) -> Iterable[Path]:
    for name in ("driver.c", "driver.py", "Cargo.toml"):
        for path in directory.rglob(name):
            if MARK in path.read_text(encoding="utf-8"):
                yield path.parent


def _read_files(folder: Path) -> dict[str, str]:
    texts = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix in (".c", ".h", ".py", ".rs", ".toml", ".lock"):
            text = path.read_text(encoding="utf-8")
            if MARK in text:
                texts[path.relative_to(folder).as_posix()] = text
    return texts


def _request(files: Mapping[str, str], folder: Path) -> Request:
    """Return the request whose command stands in the header of generated files."""
    command = next((found for text in files.values() if (found := _command(text))), None)
    if command is None:
        raise EfdgenError(f"{folder}: the headers of these kernels do not say what command made them")
    words = shlex.split(command)
    options = list(zip(words[::2], words[1::2], strict=False))
    once = dict(options)
    single: dict[str, Any] = {_OPTIONS[name]: value for name, value in options if name in _OPTIONS}
    formulas = tuple(value for name, value in options if name == "--formulas")
    return Request(cast("Language", once["--lang"]), once["--curve"], formulas=formulas, **single)


def _command(text: str) -> str:
    """Return the arguments of the command in a header, which can be broken over several comment lines."""
    lines = iter(text.splitlines())
    for line in lines:
        _, mark, command = line.partition(_COMMAND)
        if mark:
            for following in lines:
                match = _CONTINUATION.match(following)
                if match is None:
                    break
                command += f" {match[1]}"
            return command
    return ""
