"""Reader of a host's text file, with a place in every error. ``efd/hosts/FORMAT.md`` is the format."""

from __future__ import annotations

import re
import string
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from efdgen.generator.curves.file import CurveFile
from efdgen.generator.errors import EfdgenError, TextError, suggestion
from efdgen.generator.formulas.layers import layers
from efdgen.generator.hosts.element import PLACES as ELEMENT_PLACES
from efdgen.generator.hosts.element import HostElement
from efdgen.generator.hosts.host import EQUAL, OPERANDS, RESULTS, Host, HostOperation, HostPoint
from efdgen.generator.hosts.rules import Condition, Quantity
from efdgen.generator.hosts.style import PLACES, Style
from efdgen.generator.mathematics.number import read_number, short_hexadecimal

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

_TOP = (
    *("name", "title", "source", "language", "prime", "fields", "prefix", "weights"),
    *("header", "footer", "variables"),
    *("largest", "input", "operations", "restore", "points", "style", "element"),
)
_OPERATION = ("code", "needs", "gives", "takes", "distinct", "cost", "note", "untrusted", "guards")
_POINT = ("type", "prefix_of", "systems", "members", "bounds", "entry", "exit")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def built_in_hosts() -> list[str]:
    """Return the names of the hosts that have a file in the layers."""
    return sorted(_host_files())


def _host_files() -> dict[str, Path]:
    return {path.stem: path for path in layers().glob("hosts/*.toml").values()}


def load_host(name_or_path: str, prime: int) -> Host:
    """Load a host for the field of a prime, by its name or from a TOML file of the user's.

    Raises :class:`EfdgenError` where it is not this field, or :class:`TextError` with the place in the file.
    """
    return HostFile(CurveFile.read(path_of_host(name_or_path))).for_prime(prime).host()


def path_of_host(name_or_path: str) -> Path:
    """Return the file of a host; raise :class:`EfdgenError` for an unknown name."""
    path = Path(name_or_path)
    if path.suffix == ".toml":
        return path
    if name_or_path not in built_in_hosts():
        near = suggestion(name_or_path, built_in_hosts()) or f"; there are {', '.join(built_in_hosts())}"
        raise EfdgenError(f"no field is called {name_or_path!r}{near}")
    return _host_files()[name_or_path]


class HostFile:
    """A host's file as a table; every method raises :class:`TextError` for what is not as the format says."""

    def __init__(self, file: CurveFile) -> None:
        self.file, self.table = file, file.table

    def for_prime(self, prime: int) -> HostFile:
        """Return the file with what is in braces for one of its ``fields`` written out."""
        own = self._tables("fields")
        primes = {name: self._prime("fields", name) for name in own}
        if "prime" in self.table:
            primes[self._text("name")] = self._prime()
        if primes and prime not in primes.values():
            known = " or ".join(map(short_hexadecimal, dict.fromkeys(primes.values())))
            name = self._text("name")
            raise EfdgenError(f"{name} has no field modulo {short_hexadecimal(prime)}; it is for {known}")
        text = self.file.text
        for name, table in own.items():
            if primes[name] == prime:
                for key, value in {"field": name, **table}.items():
                    text = text.replace(f"{{{key}}}", str(value))
        return HostFile(CurveFile(text, self.file.path))

    def host(self) -> Host:
        """Return the host that the file describes."""
        self.file.require_known(_TOP)
        operations = {
            name: self._operation(name, "operations", OPERANDS.get(name))
            for name in self._tables("operations")
        }
        restores = tuple(self._operation(name, "restore", ("a",)) for name in self._tables("restore"))
        self._require_operations(operations, restores)
        return Host(
            name=self._text("name"),
            title=self._text("title"),
            source=self._text("source", default=""),
            language="c" if self._one_of("language", "c", "rust") == "c" else "rust",
            weights=self._text("weights", default=""),
            prefix=require_prefix(self._text("prefix"), self.error),
            header=self._text("header", default=""),
            footer=self._text("footer", default=""),
            slots=self._one_of("variables", "shared", "bindings") == "shared",
            largest=self._integer("largest"),
            input=self._integer("input") if "input" in self.table else None,
            operations=operations,
            restores=restores,
            points=self._points(),
            style=self._style(),
            element=self._element() if "element" in self.table else None,
        )

    def _require_operations(
        self, operations: Mapping[str, HostOperation], restores: tuple[HostOperation, ...]
    ) -> None:
        """Raise for a name that is there twice, for what is missing, and for copies that cannot be used."""
        untrusted = any(operation.untrusted for operation in (*operations.values(), *restores))
        if untrusted and EQUAL in operations and "needs" not in self._table("operations", EQUAL):
            said = f"{EQUAL}: needs must say what it needs of results that are not trusted"
            raise self.error(f"{said}; [] if it is right for every number", "operations", EQUAL)
        twice = sorted({restore.name for restore in restores} & operations.keys())
        if twice:
            raise self.error(f"{twice[0]} is an operation already", "restore", twice[0])
        for needed in ("mul", "copy"):
            if needed not in operations:
                raise self.error(f"operations must have {needed}", "operations")
        for operation in (*operations.values(), *restores) if operations["copy"].untrusted else ():
            if operation.in_place and "a" in operation.relies_on:
                said = f"{operation.name} works in place and relies on the bound of a, which may be a copy"
                raise self.error(f"{said}: add a to its guards, or let copy be trusted", "operations", "copy")

    def error(self, reason: str, *keys: str) -> TextError:
        """Return an error at the place of a key."""
        return self.file.error(reason, *keys)

    def _operation(self, name: str, group: str, operands: tuple[str, ...] | None) -> HostOperation:
        if operands is None:
            raise self.error(f"unknown operation {name!r}{suggestion(name, OPERANDS)}", group, name)
        self.file.require_known(_OPERATION, group, name)
        guards = self._texts(group, name, "guards")
        untrusted = self._value((group, name, "untrusted"), default=False)
        if not isinstance(untrusted, bool) or (untrusted and guards):
            said = "untrusted must be true or false; an operation that is untrusted guards nothing"
            raise self.error(f"{name}: {said}", group, name, "untrusted")
        if unknown := sorted({*guards} - {*operands}):
            said = f"{name}: guards has {unknown[0]}, which is not an operand"
            raise self.error(said, group, name, "guards")
        results, code = self._code(name, group, operands, guards)
        needs, gives = self._rules(name, group, operands, results)
        pairs = [tuple(text.split()) for text in self._texts(group, name, "distinct")]
        if any(len(pair) != 2 or {*pair} - {*results, *operands} for pair in pairs):
            raise self.error(f"{name}: distinct holds pairs such as 'r b'", group, name)
        return HostOperation(
            name,
            code,
            operands,
            results,
            needs,
            gives,
            self._integer(group, name, "takes", default=0),
            tuple((pair[0], pair[-1]) for pair in pairs),
            self._integer(group, name, "cost", default=1),
            self._text(group, name, "note", default=""),
            untrusted,
            guards,
        )

    def _code(
        self, name: str, group: str, operands: tuple[str, ...], guards: tuple[str, ...]
    ) -> tuple[tuple[str, ...], str]:
        """Return the results of an operation, none if it only guards its operand, and its code."""
        code, results = self._text(group, name, "code"), RESULTS.get(name, ("r",))
        read = {form for n in operands for form in (n, f"{n}_value", f"bound_{n}")}
        written = {form for n in results for form in (n, f"{n}_value")}
        used = self._places(code, {*written, "k", *read}, group, name, "code")
        for operand in operands if name == EQUAL else ():
            if not used & {operand, f"{operand}_value"} or "k" in used:
                raise self.error("code must be a comparison of {a} and {b}, without {k}", group, name, "code")
        if group == "restore" and "a" in guards and not used & written:
            return (), code
        for result in results:
            if not used & {result, f"{result}_value"}:
                where = f"{{{result}}} or {{{result}_value}}"
                raise self.error(f"code must say where the result goes: {where}", group, name, "code")
        return results, code

    def _rules(
        self, name: str, group: str, operands: tuple[str, ...], results: tuple[str, ...]
    ) -> tuple[tuple[Condition, ...], tuple[Quantity, ...]]:
        """Return the conditions of an operation, and the bound of each of its results."""
        names, conditions = (*operands, "k"), self._texts(group, name, "needs")
        given = self._table(group, name).get("gives", [1] * len(results))
        bounds = given if isinstance(given, list) else [given]
        if not all(isinstance(bound, str | int) for bound in bounds):
            raise self.error("gives must be a text or an integer", group, name, "gives")
        if len(bounds) != len(results):
            wanted = ["has no meaning without a result; remove it", "must be one bound"]
            said = wanted[len(results)] if len(results) < 2 else f"must be a list of {len(results)} bounds"
            raise self.error(f"{name}: gives {said}", group, name, "gives")
        try:
            needs = tuple(Condition.parse(text, names) for text in conditions)
            gives = tuple(Quantity.parse(str(bound), names) for bound in bounds)
        except (ValueError, TextError) as error:
            raise self.error(f"{name}: {str(error).splitlines()[0]}", group, name) from None
        return needs, gives

    def _places(self, text: str, known: Collection[str], *keys: str) -> set[str]:
        """Return what is in braces in a text; raise for what means nothing there."""
        try:
            used = {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}
        except ValueError as error:
            reason = f"{keys[-1]}: {error}; a brace of the code's own is written twice"
            raise self.error(reason, *keys) from None
        for name in sorted(used - {*known}):
            stands = f"there can be {', '.join(f'{{{place}}}' for place in sorted(known))}"
            raise self.error(f"{keys[-1]}: {{{name}}} stands for nothing; {stands}", *keys)
        return used

    def _points(self) -> tuple[HostPoint, ...]:
        tables = self.table.get("points", [])
        if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
            raise self.error("points must be tables, each under [[points]]", "points")
        points = tuple(self._point(table) for table in tables)
        return tuple(replace(point, whole=self._whole(point, points)) for point in points)

    def _whole(self, point: HostPoint, points: tuple[HostPoint, ...]) -> str:
        """Return the longest structure that a structure is the first part of, its own type if there is none.

        What a first part calls a member, the longer one must call so too: else it is not known where it is.
        """
        found, seen = point.whole, {point.type}
        while longer := [other for other in points if other.type == found]:
            members = {member for other in longer for member in other.members.values()}
            for member in (name for name in point.members.values() if name not in members):
                raise self.error(f"{point.type}: prefix_of {found!r}, which has no member {member}", "points")
            following = {other.whole for other in longer} - {found}
            if not following:
                return found
            found, *others = sorted(following)
            if others or found in seen:
                raise self.error(f"{point.type}: prefix_of leads to more than one structure", "points")
            seen.add(found)
        near = suggestion(found, [other.type for other in points])
        raise self.error(f"{point.type}: prefix_of {found!r}, which is not a type of points{near}", "points")

    def _point(self, table: Mapping[str, Any]) -> HostPoint:
        """Return one of the structures; they have no keys of their own to show an error at."""

        def error(reason: str) -> TextError:
            return self.error(f"{table.get('type', 'a structure')}: {reason}", "points")

        for key in sorted(set(table) - {*_POINT}):
            raise error(f"unknown key {key!r}{suggestion(key, _POINT)}")
        texts = {key: table.get(key, []) for key in ("systems", "entry", "exit")}
        for key, value in texts.items():
            if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
                raise error(f"{key} must be a list of texts")
        for text in (*texts["entry"], *texts["exit"]):
            self._places(text, ("argument",), "points")
        members, bounds = table.get("members"), table.get("bounds", {})
        if not isinstance(table.get("type"), str):
            raise error("type must be a text")
        if not isinstance(members, dict) or not all(isinstance(name, str) for name in members.values()):
            raise error('members must be names by variable, such as { X = "x" }')
        if not isinstance(bounds, dict) or not all(type(b) is int and b > 0 for b in bounds.values()):
            raise error("bounds must be positive integers by variable, such as { X = 4 }")
        for variable in sorted(set(bounds) - set(members)):
            raise error(f"bounds has {variable}, which is not a member")
        if not isinstance(table.get("prefix_of", ""), str):
            raise error("prefix_of must be the type of another structure")
        systems, entry, leaving = (tuple(value) for value in texts.values())
        whole = table.get("prefix_of", table["type"])
        return HostPoint(table["type"], whole, systems, members, bounds, entry, leaving)

    def _style(self) -> Style:
        defaults = {field.name: field.default for field in fields(Style)}
        self.file.require_known(defaults, "style")
        values: dict[str, Any] = {}
        for key, value in self._table("style").items():
            if isinstance(defaults[key], tuple):
                values[key] = self._texts("style", key)
            elif type(value) is type(defaults[key]):
                values[key] = value
            else:
                raise self.error(f"{key} is of the wrong kind", "style", key)
            if key in PLACES:
                self._places(value, PLACES[key], "style", key)
        return Style(**values)

    def _element(self) -> HostElement:
        self.file.require_known([field.name for field in fields(HostElement)], "element")
        for key, known in ELEMENT_PLACES.items():
            text = self._text("element", key, default="" if key in ("select", "zero") else None)
            used = self._places(text, known, "element", key)
            missing = [place for place in ("bytes", "flag") if place in known and place not in used]
            if missing and text:
                raise self.error(f"{key} must name {{{missing[0]}}}", "element", key)
        order = self._text("element", "order", default="big")
        if order not in ("big", "little"):
            raise self.error(f"order is big or little, not {order!r}", "element", "order")
        optional = ("array", "select", "zero", "header", "begin")
        return HostElement(
            type=self._text("element", "type"),
            bound=self._integer("element", "bound") if "bound" in self._table("element") else 1,
            constant=self._text("element", "constant"),
            read=self._text("element", "read"),
            write=self._text("element", "write"),
            order="big" if order == "big" else "little",
            **{key: self._text("element", key, default="") for key in optional},
        )

    def _prime(self, *keys: str) -> int:
        try:
            return int(read_number(str(self._table(*keys).get("prime"))))
        except ValueError as error:
            raise self.error(f"cannot read the prime: {error}", *keys, "prime") from None

    def _tables(self, key: str) -> dict[str, Mapping[str, Any]]:
        return {name: self._table(key, name) for name in self._table(key)}

    def _table(self, *keys: str) -> Mapping[str, Any]:
        """Return the table at a path; an empty one if there is none."""
        found = self.table
        for depth, key in enumerate(keys):
            inner = found.get(key, {})
            if not isinstance(inner, dict):
                raise self.error(f"{key} must be a table", *keys[: depth + 1])
            found = inner
        return found

    def _value(self, keys: tuple[str, ...], default: object) -> Any:  # noqa: ANN401 - whatever TOML has
        table = self._table(*keys[:-1])
        if keys[-1] not in table and default is None:
            raise self.error(f"{keys[-1]} is missing", *keys[:-1])
        return table.get(keys[-1], default)

    def _text(self, *keys: str, default: str | None = None) -> str:
        value = self._value(keys, default)
        if not isinstance(value, str):
            raise self.error(f"{keys[-1]} must be a text", *keys)
        return value

    def _texts(self, *keys: str) -> tuple[str, ...]:
        value = self._value(keys, [])
        if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
            raise self.error(f"{keys[-1]} must be a list of texts", *keys)
        return tuple(value)

    def _integer(self, *keys: str, default: int | None = None) -> int:
        value, least = self._value(keys, default), 1 if default is None else 0
        if type(value) is not int or value < least:
            kind = "a positive" if least else "a non-negative"
            raise self.error(f"{keys[-1]} must be {kind} integer", *keys)
        return value

    def _one_of(self, key: str, *choices: str) -> str:
        value = self._text(key, default=choices[0])
        if value not in choices:
            raise self.error(f"{key} is {' or '.join(choices)}, not {value!r}", key)
        return value


def require_prefix(prefix: str, error: Callable[[str, str], EfdgenError]) -> str:
    """Return a prefix of names; raise what ``error`` makes of a reason where it cannot be one."""
    if not _NAME.fullmatch(prefix):
        raise error(f"prefix must be the start of a name: letters, digits and _, not {prefix!r}", "prefix")
    return prefix
