"""Finding and loading models, systems, kinds and formulas in a tree of files.

Without a tree of its own, a database is of the layers in force: ``efd/``, and over it what the user has. A
published tree is read through :mod:`~efdgen.generator.formulas.upstream`.
"""

from __future__ import annotations

import logging
import os
import re
from contextlib import suppress
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import cache, cached_property
from typing import TYPE_CHECKING, Literal, TypeVar

from efdgen.generator.errors import EfdgenError, TextError, suggestion
from efdgen.generator.formulas import upstream
from efdgen.generator.formulas.formula import Kind, Map, Model, System
from efdgen.generator.formulas.layers import BUILT_IN, Layers, layers, published_layers
from efdgen.generator.formulas.reader import (
    read_formula,
    read_kind,
    read_map,
    read_model,
    read_stated,
    read_system,
    read_three_operand,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from efdgen.generator.formulas.formula import Formula
    from efdgen.generator.formulas.reader import ThreeOperandCode
    from efdgen.generator.language.diagnosis import Dialect
    from efdgen.generator.language.syntax import Statement

_SLASHES = 4  # in the id of a formula
_DECLARING = ("g*/*/coordinates", "g*/*/*/variables", "g*/*/maps/*", "g*/*/*/*/*")
_PARAMETER = re.compile(r"^[ \t]*parameter[ \t]+(\w+)", re.MULTILINE)
_log = logging.getLogger(__name__)

Described = TypeVar("Described", Model, System, Map, Kind)


class Database:
    """A tree ``<field class>/<model>/<system>/<kind>/<name>``, loaded file by file as it is asked for.

    ``require`` raises :class:`EfdgenError` for a formula of the user's that is not to be chosen unasked.
    """

    def __init__(
        self,
        tree: Path | Layers | None = None,
        dialect: Literal["normalised", "upstream"] = "normalised",
        require: Callable[[Formula], object] | None = None,
    ) -> None:
        own = tree if isinstance(tree, Layers) or tree is None else _layers_of(tree, dialect)
        self.layers, self.dialect = own or layers(), dialect
        self._models: dict[str, Model] = {}
        self._systems: dict[str, System] = {}
        self._kinds: dict[str, Kind] = {}
        self._maps: dict[str, Map] = {}
        self._readable: dict[str, bool] = {}
        self._require, self._eligible = require, dict[str, bool]()

    def over(self, shelf: Layers) -> Database:
        """Return the database of other layers, with the same requirement; itself for its own layers."""
        return self if shelf == self.layers else Database(shelf, require=self._require)

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """Ids of all formulas, sorted."""
        found = tuple(name for name in self.layers.glob("g*/*/*/*/*") if not name.endswith(".op3"))
        if not found:
            raise EfdgenError(f"{self.layers.roots[0]}: no formulas in this directory; expected g1p/shortw/…")
        return found

    def __len__(self) -> int:
        return len(self.ids)

    def __iter__(self) -> Iterator[str]:
        """Iterate over the ids."""
        return iter(self.ids)

    def __contains__(self, formula_id: object) -> bool:
        return formula_id in self.ids

    def __getitem__(self, formula_id: str) -> Formula:
        """Return a formula by its id; raise KeyError for another text."""
        if formula_id not in self.ids:
            raise KeyError(formula_id)
        return self.formula(formula_id)

    @cached_property
    def parameters(self) -> frozenset[str]:
        """Names of all parameters that a file declares, be the rest of it as it may."""
        found: set[str] = set()
        for pattern in _DECLARING:
            for name in self.layers.glob(pattern):
                with suppress(EfdgenError):  # skip files that are not text
                    found.update(_PARAMETER.findall(self.layers.text(name)))
        return frozenset(found)

    def readable(self, ids: Iterable[str]) -> tuple[str, ...]:
        """Return the ids of formulas that can be read; a draft that is not is left out, with a warning."""
        return tuple(name for name in ids if self._is_readable(name))

    def require(self, formula: Formula) -> None:
        """Raise :class:`EfdgenError` for a formula of the user's that is not to be chosen unasked."""
        if self._require is not None and not self.layers.is_built_in(formula.id):
            self._require(formula)

    def is_eligible(self, formula_id: str) -> bool:
        """Return whether a readable formula may be chosen without being named; warn if not."""
        if self._require is None:
            return True
        require = self._require
        if formula_id not in self._eligible:
            self._eligible[formula_id] = self._holds(
                formula_id, lambda: require(self.formula(formula_id)), "left out"
            )
        return self._eligible[formula_id]

    def _is_readable(self, formula_id: str) -> bool:
        if formula_id not in self._readable:
            self._readable[formula_id] = self._holds(
                formula_id, lambda: self.formula(formula_id), f"{formula_id} is left out"
            )
        return self._readable[formula_id]

    def _holds(self, formula_id: str, require: Callable[[], object], said: str) -> bool:
        """Return whether a formula is built in, or raises no error; ``said`` starts the warning."""
        if self.layers.is_built_in(formula_id):
            return True
        try:
            require()
        except EfdgenError as error:
            _log.warning("%s: %s", said, str(error).splitlines()[0])
            return False
        return True

    def select(self, selectors: Sequence[str]) -> tuple[str, ...]:
        """Return the ids that match any selector; all, if there is none.

        A selector is an id, some consecutive parts of one between slashes, or a glob over these.
        Raises :class:`EfdgenError` for a selector that matches nothing.
        """
        chosen: set[str] = set()
        for selector in selectors:
            found = [name for name in self.ids if _matches(name, selector.strip("/"))]
            if not found and os.path.exists(selector):
                advice = "efdgen check proves a file, and --database DIR adds a directory to what is built in"
                raise EfdgenError(f"{selector!r} is a path, and formulas are named by ids; {advice}")
            if not found:
                known = {part for name in self.ids for part in (name, *name.split("/"))}
                raise EfdgenError(f"no formula matches {selector!r}{suggestion(selector, known)}")
            chosen.update(found)
        return tuple(sorted(chosen)) if selectors else self.ids

    def model(self, model_id: str) -> Model:
        """Load ``g1p/shortw``."""
        if model_id not in self._models:
            statements, text, path = self._document(f"{model_id}/coordinates")
            found = read_model(statements, model_id, text, path)
            self._models[model_id] = self._not_hiding(f"{model_id}/coordinates", found, Database.model)
        return self._models[model_id]

    def system(self, system_id: str) -> System:
        """Load ``g1p/shortw/jacobian``; raise :class:`EfdgenError` if there is none."""
        if system_id not in self._systems:
            if self.dialect == "normalised" and not self.path(f"{system_id}/variables").is_file():
                known = [name.rpartition("/")[0] for name in self.layers.glob("g*/*/*/variables")]
                raise EfdgenError(f"no coordinate system is {system_id[:60]!r}{suggestion(system_id, known)}")
            statements, text, path = self._document(f"{system_id}/variables")
            model = self.model(system_id.rpartition("/")[0])
            found = read_system(statements, system_id, model, text, path)
            self._systems[system_id] = self._not_hiding(f"{system_id}/variables", found, Database.system)
        return self._systems[system_id]

    def systems(self, model_id: str) -> list[str]:
        """Return the ids of a model's coordinate systems that have formulas which can be read, sorted."""
        names = self.readable(name for name in self.ids if name.startswith(f"{model_id}/"))
        return sorted({name.rsplit("/", 2)[0] for name in names})

    def formulas_for(self, system_id: str) -> tuple[str, ...]:
        """Return the ids of a system's formulas, and of those of the systems that it includes."""
        system = self.system(system_id)
        included = {name for name in self.systems(system.model.id) if system.includes(self.system(name))}
        return self.readable(name for name in self.ids if name.rsplit("/", 2)[0] in included)

    @cached_property
    def map_ids(self) -> tuple[str, ...]:
        """Ids of all maps between models, sorted."""
        return tuple(self.layers.glob("g*/*/maps/*"))

    def map(self, map_id: str) -> Map:
        """Load ``g1p/twisted/maps/montgom``, with its inverse."""
        if map_id not in self._maps:
            found = self._map(map_id)
            self._maps[map_id] = replace(found, undo=self._map(f"{found.target.id}/maps/{found.inverse}"))
        return self._maps[map_id]

    def _map(self, map_id: str) -> Map:
        """Load a map without its inverse."""
        statements, text, path = self._document(map_id)
        field_class = map_id.partition("/")[0]
        found = read_map(statements, map_id, lambda name: self.model(f"{field_class}/{name}"), text, path)
        return self._not_hiding(map_id, found, Database._map)

    def kind(self, kind_id: str) -> Kind:
        """Load ``addition``; a published tree has none of its own, and takes those of the layers in force."""
        if kind_id not in self._kinds:
            from efdgen.generator.language.parser import parse_document

            shelf = self.layers if self.dialect == "normalised" else layers()
            if BUILT_IN not in shelf.roots:
                shelf = Layers((*shelf.roots, BUILT_IN), shelf.drafts)
            name = f"kinds/{kind_id}"
            known = shelf.glob("kinds/*")
            if name not in known:
                near = suggestion(kind_id, [each.rpartition("/")[2] for each in known])
                raise EfdgenError(f"no kind is called {kind_id!r}{near}")
            path, text = str(known[name]), shelf.text(name)
            found = read_kind(parse_document(text, path), kind_id, text, path)
            self._kinds[kind_id] = self._not_hiding(name, found, Database.kind)
        return self._kinds[kind_id]

    def formula(self, formula_id: str) -> Formula:
        """Load ``g1p/shortw/jacobian/addition/add-2007-bl``; raise :class:`TextError` for a defect in it."""
        system_id, kind_id, _ = formula_id.rsplit("/", 2)
        system = self.system(system_id)
        statements, text, path = self._document(formula_id)
        if self._dialect(formula_id) != "normalised":
            statements = upstream.renamed(statements, self._output_spelling(formula_id))

        def system_of(name: str) -> System:
            return self.system(name if "/" in name else f"{system.model.id}/{name}")

        def map_of(name: str) -> Map:
            return self.map(f"{system.model.id}/maps/{name}")

        return read_formula(statements, formula_id, system_of, self.kind(kind_id), text, path, map_of)

    def text(self, formula_id: str) -> str:
        """Return a formula's file as it is."""
        return self._text(formula_id)[1]

    def three_operand(self, formula_id: str) -> ThreeOperandCode:
        """Load the three-operand code that an upstream tree ships beside a formula.

        Raises :class:`TextError` for text that cannot be parsed, and what :meth:`formula` raises.
        """
        from efdgen.generator.language.parser import digit_names, parse_three_operand

        whole = self.formula(formula_id)
        path, text = self._text(f"{formula_id}.op3")
        parsed = parse_three_operand(text, path, digit_names(self.text(formula_id)))
        statements = upstream.renamed(parsed, self._output_spelling(formula_id))
        return read_three_operand(statements, whole, text, path)

    def path(self, name: str) -> Path:
        """Return the file of a formula, or of whatever else has a name in the tree."""
        return self.layers.path(name)

    def _not_hiding(
        self, name: str, found: Described, load: Callable[[Database, str], Described]
    ) -> Described:
        """Return a description; raise :class:`EfdgenError` if it hides a built-in one with another meaning.

        The planner and the proofs know built-in ones by name.
        """
        hides = (
            BUILT_IN in self.layers.roots and not self.layers.is_built_in(name) and (BUILT_IN / name).exists()
        )
        if hides and replace(load(built_in(), found.id), title=found.title) != found:
            raise EfdgenError(
                f"{self.path(name)}: the built-in {name} has another meaning; choose another name"
            )
        return found

    def _output_spelling(self, formula_id: str) -> dict[str, str]:
        system_id, kind_id, _ = formula_id.rsplit("/", 2)
        return upstream.output_spelling(self._document(formula_id)[0], kind_id, self.system(system_id))

    def _dialect(self, name: str) -> Dialect:
        return "upstream" if self.dialect == "upstream" else self.layers.dialect(name)

    def _text(self, name: str) -> tuple[str, str]:
        return str(self.path(name)), self.layers.text(name)

    def stated(self, name: str) -> list[Statement]:
        """Return what a published file states that follows from the rest of it.

        Raises :class:`TextError` for a defect in that.
        """
        statements, text, path = self._parsed(name)
        above, _, part = name.rpartition("/")
        found = upstream.stated(statements, system=part == "variables")
        if part not in {"variables", "coordinates"}:
            return found
        return read_stated(
            found, self.system(above) if part == "variables" else self.model(above), text, path
        )

    def states(self, name: str) -> bool:
        """Return whether a published file can be read and is not empty; its statements may be defective."""
        try:
            return bool(self.stated(name))
        except TextError:
            return True
        except EfdgenError:
            return False

    def _document(self, name: str) -> tuple[list[Statement], str, str]:
        """Return a file's statements, its text, and what errors call it."""
        statements, text, path = self._parsed(name)
        if self._dialect(name) != "normalised":
            statements = upstream.adapt(statements, system=name.endswith("/variables"))
        return statements, text, path

    def _parsed(self, name: str) -> tuple[list[Statement], str, str]:
        from efdgen.generator.language.parser import parse_document

        (path, text), dialect = self._text(name), self._dialect(name)
        try:
            statements = parse_document(text, path, dialect)
        except TextError:
            self._require_no_other_spelling(name, text, path)
            raise
        if dialect == "pasted":
            statements = upstream.respell(statements)
        if dialect == "upstream" and name.endswith("/variables"):
            coordinates = self.model(name.rsplit("/", 2)[0]).coordinates
            statements = upstream.without_abbreviations(statements, coordinates)
        return statements, text, path

    def _require_no_other_spelling(self, name: str, text: str, path: str) -> None:
        """Raise :class:`EfdgenError` for a formula that was pasted into a layer and can be read as such."""
        from efdgen.generator.language.parser import parse_document

        if self._dialect(name) == "normalised" and name.count("/") == _SLASHES:
            with suppress(TextError):
                parse_document(text, path, "pasted")
                raise EfdgenError(
                    f"{path}: not in the language of efd/; efdgen check {path} --print prints it in that"
                )


@cache
def built_in() -> Database:
    """Return the built-in database alone."""
    return Database(BUILT_IN)


def _layers_of(tree: Path, dialect: Dialect) -> Layers:
    return published_layers(tree) if dialect == "upstream" else Layers((tree,))


def _matches(name: str, selector: str) -> bool:
    return any(fnmatchcase(part, selector) for part in _selectable(name))


def _selectable(name: str) -> Iterable[str]:
    parts = name.split("/")
    for start in range(len(parts)):
        yield from ("/".join(parts[start:end]) for end in range(start + 1, len(parts) + 1))
