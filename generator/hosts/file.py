"""Reader of a host's text file, with a place in every error. ``efd/hosts/FORMAT.md`` is the format."""

from __future__ import annotations

import re
import string
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, get_args

from efdgen.generator.errors import EfdgenError, TextError, suggestion
from efdgen.generator.formulas.layers import layers
from efdgen.generator.hosts.element import PLACES as ELEMENT_PLACES
from efdgen.generator.hosts.element import HostElement
from efdgen.generator.hosts.host import EQUAL, OPERANDS, RESULTS, Host, HostOperation, HostPoint, Language
from efdgen.generator.hosts.rules import Condition, Quantity
from efdgen.generator.hosts.style import PLACES, Style
from efdgen.generator.mathematics.number import short_hexadecimal
from efdgen.generator.toml_reader import Table, is_integer, is_text, table_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from efdgen.generator.mathematics.ground import Ground

_TOP = (
    *("name", "title", "source", "tested", "language", "prime", "fields", "binary", "prefix", "weights"),
    *("header", "footer", "variables"),
    *("largest", "input", "operations", "restore", "points", "style", "element"),
)
_OPERATION = ("code", "needs", "gives", "takes", "distinct", "cost", "note", "untrusted", "guards")
_POINT = ("type", "prefix_of", "systems", "members", "bounds", "entry", "exit")
_ELEMENT = tuple(field.name for field in fields(HostElement))
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class HostField(NamedTuple):
    """A field of a host: its name in the host's file, and its prime as that writes it and as a number."""

    name: str
    text: str
    prime: int


def built_in_hosts() -> list[str]:
    """Return the names of the hosts that have a file in the layers."""
    return sorted(_host_files())


def _host_files() -> dict[str, Path]:
    return {path.stem: path for path in layers().glob("hosts/*.toml").values()}


def load_host(name_or_path: str, field: Ground, *, any_field: bool = False) -> Host:
    """Load a host for a field, or for any field like it, by its name or from a TOML file of the user's.

    Raises :class:`EfdgenError` where it is not this field, or :class:`TextError` with the place in the file.
    """
    table = Table.read(path_of_host(name_or_path))
    if any_field and ("prime" in table or "fields" in table or "constant" in table.table("style")):
        known = f"{table.word('name')} has primes or constants of its own"
        raise EfdgenError(f"{known}; --curve any needs a field that takes any, such as macros or ff")
    if not field.is_binary:
        return _host(_for_prime(table, field.prime))
    if not table.flag("binary", default=False):
        raise EfdgenError(f"{table.word('name')} has fields GF(p) alone, and the curve is over {field}")
    return _host(table)


def path_of_host(name_or_path: str) -> Path:
    """Return the file of a host; raise :class:`EfdgenError` for an unknown name."""
    path = Path(name_or_path)
    if path.suffix == ".toml":
        return path
    if name_or_path not in built_in_hosts():
        near = suggestion(name_or_path, built_in_hosts()) or f"; there are {', '.join(built_in_hosts())}"
        raise EfdgenError(f"no field is called {name_or_path!r}{near}")
    return _host_files()[name_or_path]


def fields_of_host(name_or_path: str) -> list[HostField]:
    """Return the fields that a host has; none of a host of any field. Raises as :func:`path_of_host` does."""
    return _fields(Table.read(path_of_host(name_or_path)))


def _fields(table: Table) -> list[HostField]:
    """Return the fields that a file lists, and that of its only prime."""
    own = [*table.tables("fields").items(), *([(table.word("name"), table)] if "prime" in table else [])]
    return [HostField(name, str(each.values.get("prime")), each.positive("prime")) for name, each in own]


def _for_prime(table: Table, prime: int) -> Table:
    """Return a file with what is in braces for one of its ``fields`` written out."""
    primes = {each.name: each.prime for each in _fields(table)}
    if primes and prime not in primes.values():
        known = " or ".join(map(short_hexadecimal, dict.fromkeys(primes.values())))
        name = table.word("name")
        raise EfdgenError(f"{name} has no field modulo {short_hexadecimal(prime)}; it is for {known}")
    text = table.text
    for name, field in table.tables("fields").items():
        if primes[name] == prime:
            for key, value in {"field": name, **field.values}.items():
                text = text.replace(f"{{{key}}}", str(value))
    return Table.parse(text, table.path)


def _host(table: Table) -> Host:
    """Return the host that a file describes."""
    table.require_known(_TOP)
    operations = {}
    for name, each in table.tables("operations").items():
        if name not in OPERANDS:
            raise each.error(f"unknown operation {name!r}{suggestion(name, OPERANDS)}")
        operations[name] = _operation(each, OPERANDS[name])
    restores = tuple(_operation(each, ("a",)) for each in table.tables("restore").values())
    _require_operations(table, operations, restores)
    return Host(
        language=table.choice("language", get_args(Language), "c"),
        prefix=require_prefix(table.word("prefix"), table.error),
        slots=table.choice("variables", ("shared", "bindings"), "shared") == "shared",
        largest=table.integer("largest", 1),
        input=table.integer("input", 1) if "input" in table else None,
        operations=operations,
        restores=restores,
        points=_points(table),
        style=_style(table.table("style")),
        element=_element(table.table("element")) if "element" in table else None,
        **{key: table.word(key) for key in ("name", "title")},
        **{key: table.word(key, "") for key in ("source", "tested", "weights", "header", "footer")},
    )


def _require_operations(
    table: Table, operations: Mapping[str, HostOperation], restores: tuple[HostOperation, ...]
) -> None:
    """Raise for a name that is there twice, for what is missing, and for copies that cannot be used."""
    own, every = table.table("operations"), (*operations.values(), *restores)
    if EQUAL in operations and "needs" not in own.table(EQUAL) and any(each.untrusted for each in every):
        said = f"{EQUAL}: needs must say what it needs of results that are not trusted"
        raise own.error(f"{said}; [] if it is right for every number", EQUAL)
    twice = sorted({restore.name for restore in restores} & operations.keys())
    if twice:
        raise table.error(f"{twice[0]} is an operation already", "restore", twice[0])
    for needed in ("mul", "copy"):
        if needed not in operations:
            raise own.error(f"operations must have {needed}")
    for operation in every if operations["copy"].untrusted else ():
        if operation.in_place and "a" in operation.relies_on:
            said = f"{operation.name} works in place and relies on the bound of a, which may be a copy"
            raise own.error(f"{said}: add a to its guards, or let copy be trusted", "copy")


def _operation(table: Table, operands: tuple[str, ...]) -> HostOperation:
    table.require_known(_OPERATION)
    guards, untrusted = table.words("guards", []), table.flag("untrusted", default=False)
    if untrusted and guards:
        raise table.error("an operation that is untrusted guards nothing", "guards")
    if unknown := sorted({*guards} - {*operands}):
        raise table.error(f"guards has {unknown[0]}, which is not an operand", "guards")
    results, code = _code(table, operands, guards)
    needs, gives = _rules(table, operands, results)
    pairs = [tuple(text.split()) for text in table.words("distinct", [])]
    if any(len(pair) != 2 or {*pair} - {*results, *operands} for pair in pairs):
        raise table.error("distinct holds pairs such as 'r b'", "distinct")
    return HostOperation(
        table.title,
        code,
        operands,
        results,
        needs,
        gives,
        table.integer("takes", 0, 0),
        tuple((pair[0], pair[-1]) for pair in pairs),
        table.integer("cost", 0, 1),
        table.word("note", ""),
        untrusted,
        guards,
    )


def _code(table: Table, operands: tuple[str, ...], guards: tuple[str, ...]) -> tuple[tuple[str, ...], str]:
    """Return the results of an operation, none if it only guards its operand, and its code."""
    results = RESULTS.get(table.title, ("r",))
    read = {form for n in operands for form in (n, f"{n}_value", f"bound_{n}")}
    written = {form for n in results for form in (n, f"{n}_value")}
    code = table.word("code")
    used = _places(table, "code", code, {*written, "k", *read})
    for operand in operands if table.title == EQUAL else ():
        if not used & {operand, f"{operand}_value"} or "k" in used:
            raise table.error("code must be a comparison of {a} and {b}, without {k}", "code")
    if table.keys[0] == "restore" and "a" in guards and not used & written:
        return (), code
    for result in results:
        if not used & {result, f"{result}_value"}:
            where = f"{{{result}}} or {{{result}_value}}"
            raise table.error(f"code must say where the result goes: {where}", "code")
    return results, code


def _rules(
    table: Table, operands: tuple[str, ...], results: tuple[str, ...]
) -> tuple[tuple[Condition, ...], tuple[Quantity, ...]]:
    """Return the conditions of an operation, and the bound of each of its results."""
    names = (*operands, "k")
    given = table.values.get("gives", [1] * len(results))
    bounds = given if isinstance(given, list) else [given]
    if not all(is_text(bound) or is_integer(bound) for bound in bounds):
        raise table.error("gives must be a text or an integer", "gives")
    if len(bounds) != len(results):
        wanted = ["has no meaning without a result; remove it", "must be one bound"]
        said = wanted[len(results)] if len(results) < 2 else f"must be a list of {len(results)} bounds"
        raise table.error(f"gives {said}", "gives")
    try:
        needs = tuple(Condition.parse(text, names) for text in table.words("needs", []))
        gives = tuple(Quantity.parse(str(bound), names) for bound in bounds)
    except (ValueError, TextError) as error:
        raise table.error(str(error).splitlines()[0]) from None
    return needs, gives


def _places(table: Table, key: str, text: str, known: Collection[str]) -> set[str]:
    """Return what is in braces in a text; raise for what means nothing there."""
    try:
        used = {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}
    except ValueError as error:
        raise table.error(f"{key}: {error}; a brace of the code's own is written twice", key) from None
    for name in sorted(used - {*known}):
        stands = f"there can be {', '.join(f'{{{place}}}' for place in sorted(known))}"
        raise table.error(f"{key}: {{{name}}} stands for nothing; {stands}", key)
    return used


def _points(table: Table) -> tuple[HostPoint, ...]:
    points = tuple(map(_point, table.rows("points", "points")))
    return tuple(replace(point, whole=_whole(table, point, points)) for point in points)


def _whole(table: Table, point: HostPoint, points: tuple[HostPoint, ...]) -> str:
    """Return the longest structure that a structure is the first part of, its own type if there is none.

    What a first part calls a member, the longer one must call so too: else it is not known where it is.
    """
    found, seen = point.whole, {point.type}
    while longer := [other for other in points if other.type == found]:
        members = {member for other in longer for member in other.members.values()}
        for member in (name for name in point.members.values() if name not in members):
            raise table.error(f"{point.type}: prefix_of {found!r}, which has no member {member}", "points")
        following = {other.whole for other in longer} - {found}
        if not following:
            return found
        found, *others = sorted(following)
        if others or found in seen:
            raise table.error(f"{point.type}: prefix_of leads to more than one structure", "points")
        seen.add(found)
    near = suggestion(found, [other.type for other in points])
    raise table.error(f"{point.type}: prefix_of {found!r}, which is not a type of points{near}", "points")


def _point(table: Table) -> HostPoint:
    table.require_known(_POINT)
    kind = table.word("type")
    table = replace(table, title=kind)
    members = table.value("members", 'names by variable, such as { X = "x" }', table_of(is_text))
    bounds = table.value(
        *("bounds", "positive integers by variable, such as { X = 4 }"),
        table_of(lambda bound: is_integer(bound) and bound > 0),
        {},
    )
    for variable in sorted(bounds.keys() - members):
        raise table.error(f"bounds has {variable}, which is not a member", "bounds")
    systems, entry, leaving = (table.words(key, []) for key in ("systems", "entry", "exit"))
    for key, lines in (("entry", entry), ("exit", leaving)):
        for line in lines:
            _places(table, key, line, ("argument",))
    whole = table.value("prefix_of", "the type of another structure", is_text, kind)
    return HostPoint(kind, whole, systems, members, bounds, entry, leaving)


def _style(table: Table) -> Style:
    readers: dict[type, Callable[[str], object]] = {str: table.word, bool: table.flag, tuple: table.words}
    kinds = {field.name: type(field.default) for field in fields(Style)}
    table.require_known(kinds)
    values: dict[str, Any] = {key: readers[kinds[key]](key) for key in table.values}
    for key in (key for key in values if key in PLACES):
        _places(table, key, values[key], PLACES[key])
    return Style(**values)


def _element(table: Table) -> HostElement:
    table.require_known(_ELEMENT)
    for key, known in ELEMENT_PLACES.items():
        text = table.word(key, "" if key in ("select", "zero") else None)
        used = _places(table, key, text, known)
        missing = [place for place in ("bytes", "flag") if place in known and place not in used]
        if missing and text:
            raise table.error(f"{key} must name {{{missing[0]}}}", key)
    return HostElement(
        order=table.choice("order", ("big", "little"), "big"),
        bound=table.integer("bound", 1, 1),
        **{key: table.word(key) for key in ("type", "constant", "read", "write")},
        **{key: table.word(key, "") for key in ("array", "select", "zero", "header", "begin")},
    )


def require_prefix(prefix: str, error: Callable[[str, str], EfdgenError]) -> str:
    """Return a prefix of names; raise what ``error`` makes of a reason where it cannot be one."""
    if not _NAME.fullmatch(prefix):
        raise error(f"prefix must be the start of a name: letters, digits and _, not {prefix!r}", "prefix")
    return prefix
