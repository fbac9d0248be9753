"""The options of `efdgen compile`: one table for the command line, API, projects, requests and headers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import MISSING, dataclass, field, fields
from functools import partial
from operator import attrgetter
from os import PathLike
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

from efdgen.generator.errors import EfdgenError

Language = Literal["c", "rust", "python"]
Set = Literal["kernels", "curve", "protocols"]
Table = Literal["small", "medium", "large"]
OddMultiples = Literal["additions", "co-z", "effective-affine"]
"""Methods for tables of P, 3P, 5P and so on."""
Api = Literal["rustcrypto", "rustcrypto-0.13", "dalek", "dalek-2"]
Lowering = Literal["whole", "calls"]
"""Code for formulas: each fused into one limb function, or as calls of field functions."""
Target = Literal["gcc", "clang", "rust", "portable", "rv32im"]
"""The compiler that code is written for; portable for any that compiles C.

rv32im is a machine without flags, for words of 32 bits; in words of 64 bits, code for it is portable.
"""
RepresentationKind = Literal["saturated", "unsaturated"]

REQUIRED = MISSING
"""The default of an option that has none."""


@dataclass(frozen=True)
class Option:
    """An option: a row of the table.

    ``field`` is its name in requests; ``languages`` and ``sets`` are those in which it has an effect;
    ``completion`` names what shells complete; ``shown`` is its value as text in the headers of files.
    """

    name: str
    default: Any
    choices: tuple[str, ...]
    multiple: bool
    is_path: bool
    help: str | None
    field: str
    metavar: str | None = None
    completion: str = ""
    languages: tuple[Language, ...] = get_args(Language)
    sets: tuple[Set, ...] = get_args(Set)
    shown: Callable[[Any], str] = str

    @property
    def flag(self) -> str:
        """The option on the command line."""
        return f"--{self.name.replace('_', '-')}"

    def require(self, value: object) -> None:
        """Raise :class:`EfdgenError` for a value that an argument cannot have."""
        if self.multiple and isinstance(value, str):
            raise EfdgenError(f"{self.name} is a list of ids or globs, not one text")
        if self.choices and value != self.default and value not in self.choices:
            known = " or ".join(filter(None, (", ".join(self.choices[:-1]), self.choices[-1])))
            raise EfdgenError(f"{self.name} is {known}, not {value!r}")


def _file_name(value: str) -> str:
    return Path(value).name


def _option(text: str, default: object = None, **more: Any) -> Any:  # noqa: ANN401 - attributes of an option
    return field(default=default, metadata={"help": text, **more})


_words = partial(_option, languages=("c", "rust"))
_whole = partial(_option, sets=("curve", "protocols"))
_crate = partial(_option, sets=("protocols",), languages=("rust",))


@dataclass(frozen=True, kw_only=True)
class Options:
    """Values of the options, in the order of the help; they are the arguments of ``efdgen.compile`` too."""

    lang: Language | None = _option(
        "Language of the kernels and of their own field arithmetic.", field="language"
    )
    field_api: str | None = _option(
        "Call this project's field arithmetic instead: a name, or a TOML file.",
        field="host",
        completion="hosts",
        shown=_file_name,
    )
    curve: str = field(
        metadata={
            "help": "A built-in curve's name, or a TOML or JSON file.",
            "completion": "curves",
            "shown": _file_name,
        }
    )
    coords: str | None = _option(
        "Coordinate system; the default is the cheapest.", field="coordinates", completion="systems"
    )
    formulas: Sequence[str] = _option(
        "Formula ids or globs; the default is add, mixed add, double, negate, normalize and ladder step.",
        default=(),
        completion="formulas",
    )
    to: str | None = _option(
        "The target curve of conversions to another model.",
        field="destination",
        metavar="CURVE",
        completion="curves",
        shown=_file_name,
    )
    set: Set = _option(
        "Only formulas, a whole curve, or a curve with signatures and key exchange.", default="kernels"
    )
    table: Table = _whole(
        "With --set: size of the generator's tables, at most 3, 24 or 96 KiB.", default="medium"
    )
    odd_multiples: OddMultiples | None = _whole(
        "With --set: method for tables of P, 3P, 5P, …; the default is the cheapest."
    )
    second: str | None = _whole("With --set: another fixed point, in affine coordinates.", metavar="X,Y")
    backend: Literal["c"] | None = _whole(
        "With --lang python and --set: use kernels in C, built here with cffi.", languages=("python",)
    )
    api: Api | None = _crate(
        "With --lang rust and --set protocols: a crate with this project's traits, in place of its own."
    )
    crate_name: str | None = _crate(
        "With --api: the crate's name; the default is that of the crate it replaces."
    )
    crate_version: str | None = _crate("With --api: the crate's version.")
    prefix: str | None = _option("Prefix of every name; the default is the curve's name.")
    layout: str | None = _option(
        "c: header or split; rust: crate or module; python: module, or with --set package or module. "
        "The first is the default."
    )
    lowering: Lowering = _words(
        "Fuse each formula into one function on 64-bit words, or call field functions: shorter, slower.",
        default="whole",
    )
    target: Target | None = _words(
        "Compiler or machine to write for; the default is rust for Rust, portable for C."
    )
    representation: RepresentationKind | None = _words(
        "Saturated or unsaturated limbs; the default is the faster representation."
    )
    tuning: str | PathLike[str] | None = _option(
        "A file written by efdgen tune; the two options above override it.", shown=attrgetter("name")
    )
    weights: str | None = _option("Weights that determine the cheapest formula, as in `efdgen cost tables`.")
    in_bounds: str | None = _option(
        "With --field-api: bounds of input coordinates, such as X=4,Y=4,Z=1; the default is the field's."
    )
    out_bounds: str | None = _option("With --field-api: bounds of output coordinates.")
    license: str | None = _option("With --field-api: the licence in the SPDX line.")

    @property
    def changed(self) -> frozenset[str]:
        """The names of the options that are not at their defaults."""
        values = ((row, getattr(self, row.name)) for row in TABLE.values())
        return frozenset(row.name for row, value in values if value != row.default)

    def of(self, request: type) -> dict[str, Any]:
        """Return the values of the options that a kind of request has, by the names of its fields."""
        own = {each.name for each in fields(request)}
        return {row.field: getattr(self, row.name) for row in TABLE.values() if row.field in own}


def _rows() -> Iterator[Option]:
    """Yield the rows of the table, by the names, types and defaults of options."""
    hints = get_type_hints(Options)
    for each in fields(Options):
        types = (hints[each.name], *get_args(hints[each.name]))
        choices = next((get_args(own) for own in types if get_origin(own) is Literal), ())
        origins = [get_origin(own) for own in types]
        kinds = (choices, Sequence in origins, PathLike in origins)
        yield Option(each.name, each.default, *kinds, **{"field": each.name, **each.metadata})


TABLE = {row.name: row for row in _rows()}
_FIELDS = {row.field: row for row in TABLE.values()}


def command_words(request: Any) -> tuple[str, ...]:  # noqa: ANN401 - an instance of any class of requests
    """Return the command line that repeats a request, in the order of its fields, without paths of a machine.

    Options at their defaults are left out.
    """
    words = ["efdgen", "compile"]
    for row in (_FIELDS[each.name] for each in fields(request)):
        given = getattr(request, row.field)
        if given is not None and given != row.default:
            values = given if row.multiple else (given,)
            words += [word for value in values for word in (row.flag, row.shown(value))]
    return (*words,)
