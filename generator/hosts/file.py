"""Reading a host's text file, with every error at its place. ``efd/hosts/FORMAT.md`` is the format."""

from __future__ import annotations

import string
from pathlib import Path
from typing import TYPE_CHECKING, Any

from efdgen.generator.curves.file import CurveFile
from efdgen.generator.database import BUILT_IN
from efdgen.generator.errors import EfdgenError, TextError, suggestion
from efdgen.generator.hosts.host import OPERANDS, Host, HostOperation, HostPoint, Style
from efdgen.generator.hosts.rules import Condition, Quantity
from efdgen.generator.mathematics.number import read_number

if TYPE_CHECKING:
    from collections.abc import Mapping

_HOSTS = BUILT_IN / "hosts"
_TOP = (
    *("name", "title", "source", "language", "prime", "fields", "prefix", "weights"),
    *("header", "footer", "variables"),
    *("largest", "input", "operations", "restore", "points", "style"),
)
_OPERATION = ("code", "needs", "gives", "takes", "distinct", "cost", "note")
_POINT = ("type", "systems", "members", "bounds", "entry", "exit")
_STYLE: dict[str, Any] = {
    "signature": "static void {name}({parameters})",
    "parameters": ", ",
    "output": "{type} *{argument}",
    "input": "const {type} *{argument}",
    "coordinate": "&{argument}->{member}",
    "coordinate_value": "{argument}->{member}",
    "flat_output": "",
    "flat_input": "",
    "flat_coordinate": "{variable}{number}",
    "flat_coordinate_value": "*{variable}{number}",
    "local": "&{name}",
    "local_value": "{name}",
    "coercion": "",
    "declaration": "",
    "declared": "{name}",
    "names": "t",
    "inputs": ["a", "b", "c", "d"],
    "outputs": ["r", "s"],
    "extra": "",
    "type": "",
    "define": "",
    "define_member": "",
    "returns": False,
    "constant": "",
    "constant_place": "&{name}",
    "bound": "",
    "comment": "/* {text} */",
    "aliasing": "",
    "timing": "",
}


def built_in_hosts() -> list[str]:
    """Return the names of the hosts that are described in ``efd/hosts``."""
    return sorted(path.stem for path in _HOSTS.glob("*.toml"))


def load_host(name_or_path: str, prime: int) -> Host:
    """Load a host for the field of a prime, by its name or from a TOML file of the user's.

    Raises :class:`EfdgenError` where it is not this field, or :class:`TextError` with the place in the file.
    """
    path = Path(name_or_path)
    if path.suffix != ".toml":
        if name_or_path not in built_in_hosts():
            near = suggestion(name_or_path, built_in_hosts()) or f"; there are {', '.join(built_in_hosts())}"
            raise EfdgenError(f"no field is called {name_or_path!r}{near}")
        path = _HOSTS / f"{name_or_path}.toml"
    return HostFile(CurveFile.read(path)).for_prime(prime).host()


class HostFile:
    """A host's file as a table; every method raises :class:`TextError` for what is not as the format says."""

    def __init__(self, file: CurveFile) -> None:
        self.file, self.table = file, file.table

    def for_prime(self, prime: int) -> HostFile:
        """Return the file with what stands in braces for one of its ``fields`` written out."""
        fields = self._tables("fields")
        primes = {name: self._prime(table, "fields", name) for name, table in fields.items()}
        if "prime" in self.table:
            primes[self._text(self.table, "name")] = self._prime(self.table)
        if primes and prime not in primes.values():
            known = "; ".join(f"{name}, {value:#x}" for name, value in primes.items())
            name = self._text(self.table, "name")
            raise EfdgenError(f"{name} has no field modulo {prime:#x}; its primes are {known}")
        text = self.file.text
        for name, table in fields.items():
            if primes[name] == prime:
                for key, value in {"field": name, **table}.items():
                    text = text.replace(f"{{{key}}}", str(value))
        return HostFile(CurveFile(text, self.file.path))

    def host(self) -> Host:
        """Return the host that the file describes."""
        self.file.require_known(_TOP)
        language = self._text(self.table, "language")
        if language not in ("c", "rust"):
            raise self.error(f"language is c or rust, not {language!r}", "language")
        operations = {
            name: self._operation(name, table, "operations", OPERANDS.get(name))
            for name, table in self._tables("operations").items()
        }
        restores = tuple(
            self._operation(name, table, "restore", ("a",)) for name, table in self._tables("restore").items()
        )
        twice = sorted({restore.name for restore in restores} & operations.keys())
        if twice:
            raise self.error(f"{twice[0]} is an operation already", "restore", twice[0])
        for needed in ("mul", "copy"):
            if needed not in operations:
                raise self.error(f"operations must have {needed}", "operations")
        return Host(
            name=self._text(self.table, "name"),
            title=self._text(self.table, "title"),
            source=self._text(self.table, "source", ""),
            language="c" if language == "c" else "rust",
            weights=self._text(self.table, "weights", ""),
            prefix=self._text(self.table, "prefix", ""),
            header=self._text(self.table, "header", ""),
            footer=self._text(self.table, "footer", ""),
            slots=self._text(self.table, "variables", "shared") == "shared",
            largest=self._integer(self.table, "largest", 1),
            input=self._integer(self.table, "input", 1) if "input" in self.table else None,
            operations=operations,
            restores=restores,
            points=self._points(),
            style=self._style(),
        )

    def error(self, reason: str, *keys: str) -> TextError:
        """Return an error at the place of a key."""
        return self.file.error(reason, *keys)

    def _operation(
        self, name: str, table: Mapping[str, Any], group: str, operands: tuple[str, ...] | None
    ) -> HostOperation:
        if operands is None:
            raise self.error(f"unknown operation {name!r}{suggestion(name, OPERANDS)}", group, name)
        self.file.require_known(_OPERATION, group, name)
        names = (*operands, "k")
        code = self._text(table, "code")
        self._require_places(code, ("r", *names), group, name)
        try:
            needs = tuple(Condition.parse(text, names) for text in table.get("needs", ()))
            gives = Quantity.parse(str(table.get("gives", 1)), names)
        except (ValueError, TextError) as error:
            raise self.error(f"{name}: {str(error).splitlines()[0]}", group, name) from None
        distinct = tuple((pair[0], pair[-1]) for pair in map(str.split, table.get("distinct", ())))
        if any(place not in ("r", *operands) for pair in distinct for place in pair):
            raise self.error(f"{name}: distinct holds pairs such as 'r b'", group, name)
        cost = self._integer(table, "cost", 1)
        takes = self._integer(table, "takes", 0)
        note = self._text(table, "note", "")
        return HostOperation(name, code, operands, needs, gives, takes, distinct, cost, note)

    def _require_places(self, code: str, names: tuple[str, ...], *keys: str) -> None:
        known = {form for name in names for form in (name, f"{name}_value", f"bound_{name}", f"{name}_type")}
        try:
            used = {name for _, name, _, _ in string.Formatter().parse(code) if name is not None}
        except ValueError as error:
            raise self.error(f"code: {error}; a brace of the code's own is written twice", *keys) from None
        if used - known:
            raise self.error(f"code: {{{min(used - known)}}} stands for nothing", *keys)

    def _points(self) -> tuple[HostPoint, ...]:
        points = []
        for table in self.table.get("points", ()):  # type: ignore[attr-defined]
            unknown = sorted(set(table) - set(_POINT))
            if unknown:
                raise self.error(f"unknown key {unknown[0]!r}{suggestion(unknown[0], _POINT)}", "points")
            points.append(
                HostPoint(
                    self._text(table, "type"),
                    tuple(table.get("systems", ())),
                    dict(table.get("members", {})),
                    dict(table.get("bounds", {})),
                    tuple(table.get("entry", ())),
                    tuple(table.get("exit", ())),
                )
            )
        return tuple(points)

    def _style(self) -> Style:
        self.file.require_known(_STYLE, "style")
        table = {**_STYLE, **self._tables_or_values("style")}
        for key, value in table.items():
            if type(value) is not type(_STYLE[key]):
                raise self.error(f"{key} is of the wrong kind", "style", key)
        values: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in table.items()}
        return Style(**values)

    def _prime(self, table: Mapping[str, Any], *keys: str) -> int:
        try:
            return int(read_number(str(table.get("prime"))))
        except ValueError as error:
            raise self.error(f"cannot read the prime: {error}", *keys, "prime") from None

    def _tables(self, key: str) -> dict[str, Mapping[str, Any]]:
        found = self._tables_or_values(key)
        for name, table in found.items():
            if not isinstance(table, dict):
                raise self.error(f"{name} must be a table", key, name)
        return found

    def _tables_or_values(self, key: str) -> dict[str, Any]:
        found = self.table.get(key, {})
        if not isinstance(found, dict):
            raise self.error(f"{key} must be a table", key)
        return found

    def _text(self, table: Mapping[str, Any], key: str, default: str | None = None) -> str:
        value = table.get(key, default)
        if not isinstance(value, str):
            raise self.error(f"{key} must be a text", key)
        return value

    def _integer(self, table: Mapping[str, Any], key: str, default: int) -> int:
        value = table.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise self.error(f"{key} must be a non-negative integer", key)
        return value
