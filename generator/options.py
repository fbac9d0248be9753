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
Table = Literal["tiny", "small", "medium", "large"]
OddMultiples = Literal["additions", "co-z", "effective-affine"]
"""Method for the table of P, 3P, 5P, …: by additions of 2P, and if entries have denominators 1 by one
inversion for all of them; by additions on one Z, and an inversion; or by these, brought to one Z and taken
for affine points of the isomorphic curve y² = x³ + a·Z⁴·x + b·Z⁶, with no inversion. [2007-meloni]"""
"""Methods for tables of P, 3P, 5P and so on."""
Api = Literal["rustcrypto", "rustcrypto-0.13", "dalek", "dalek-2"]
Lowering = Literal["whole", "calls"]
"""Code for formulas: each fused into one limb function, or as calls of field functions."""
Optimize = Literal["speed", "size"]
"""Speed, or size: in words of 32 bits the arithmetic of GF(p) is loops, and tables have few entries."""
Target = Literal["gcc", "clang", "rust", "portable", "rv32im", "cortex-m0", "cortex-m4"]
"""The compiler or the machine that code is written for; portable for any that compiles C.

Machines have words of 32 bits; in words of 64 bits, code for them is portable. rv32im has no flags, cortex-m0
multiplies without a high word, and cortex-m4 adds two words to a product of two, in one instruction.
"""
RepresentationKind = Literal["saturated", "unsaturated"]
Machine = Literal["x86-64-avx512ifma", "x86-64-avx512ifma-vl", "x86-64-avxifma"]
"""Machines that compute in lanes of 64 bits: eight, or four in registers of 256 bits."""

IMPLIED = frozenset({"curve", "set"})
"""The options that ``--group`` implies."""

REQUIRED = MISSING
"""The default of an option that has none."""


@dataclass(frozen=True)
class Option:
    """An option: a row of the table.

    ``languages``, ``sets`` and ``fields``, efdgen's own or a host's, are those with which it has an effect;
    ``completion`` names what shells complete. In the command of a header, options are sorted by ``rank``, and
    ``shown`` returns a value as text.
    """

    name: str
    default: Any
    choices: tuple[str, ...]
    multiple: bool
    is_path: bool
    help: str | None
    metavar: str | None = None
    completion: str = ""
    languages: tuple[Language, ...] = get_args(Language)
    sets: tuple[Set, ...] = get_args(Set)
    fields: tuple[Literal["own", "host"], ...] = ("own", "host")
    shown: Callable[[Any], str] = str
    rank: int = 0

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


_own = partial(_option, fields=("own",))
_host = partial(_option, fields=("host",))
_words = partial(_own, languages=("c", "rust"), rank=1)
_whole = partial(_option, sets=("curve", "protocols"), rank=2)
_crate = partial(_own, sets=("protocols",), languages=("rust",), rank=3)


@dataclass(frozen=True, kw_only=True)
class Options:
    """Values of the options, in the order of the help; they are the arguments of ``efdgen.compile`` too."""

    lang: Language | None = _own("Language of the kernels and of their own field arithmetic.")
    field_api: str | None = _host(
        "Call this project's field arithmetic instead: a name, or a TOML file.",
        completion="hosts",
        shown=_file_name,
    )
    curve: str | None = _option(
        "A built-in curve's name, or a TOML or JSON file; any, with --field-api and --formulas.",
        completion="curves",
        shown=_file_name,
    )
    group: str | None = _own(
        "In place of a curve: a group of prime order on one, ristretto255 or decaf448 (RFC 9496).",
        sets=("curve",),
    )
    coords: str | None = _option("Coordinate system; the default is the cheapest.", completion="systems")
    formulas: Sequence[str] = _option(
        "Formula ids or globs; the default is add, mixed add, double, negate, normalize and ladder step.",
        default=(),
        completion="formulas",
    )
    to: str | None = _own(
        "The target curve of conversions to another model.",
        metavar="CURVE",
        completion="curves",
        shown=_file_name,
    )
    set: Set = _option(
        "Only formulas, a whole curve, or a curve with signatures and key exchange.",
        default="kernels",
        rank=2,
    )
    table: Table = _whole(
        "With --set: size of the generator's tables, at most 1/4, 3, 24 or 96 KiB.", default="medium"
    )
    odd_multiples: OddMultiples | None = _whole(
        "With --set: method for tables of P, 3P, 5P, …; the default is the cheapest.", rank=3
    )
    second: str | None = _whole("With --set: another fixed point, in affine coordinates.", metavar="X,Y")
    backend: Literal["c"] | None = _whole(
        "With --lang python and --set: use kernels in C, built here with cffi.",
        languages=("python",),
        fields=("own",),
    )
    api: Api | None = _crate(
        "With --lang rust and --set protocols: a crate with this project's traits, in place of its own."
    )
    crate_name: str | None = _crate(
        "With --api: the crate's name; the default is that of the crate it replaces."
    )
    crate_version: str | None = _crate("With --api: the crate's version.")
    prefix: str | None = _option("Prefix of every name; the default is the curve's name.")
    layout: str | None = _own(
        "c: header or split; rust: crate or module; python: module, or with --set package or module. "
        "The first is the default."
    )
    lowering: Lowering = _words(
        "Fuse each formula into one function on 64-bit words, or call field functions: shorter, slower.",
        default="whole",
    )
    optimize: Optimize = _own(
        "With --lang c: speed, or size for firmware: loops on 32-bit words, and tables as --table tiny "
        "has them unless --table is small or large.",
        default="speed",
        languages=("c",),
        rank=1,
    )
    target: Target | None = _words(
        "Compiler or machine to write for; the default is rust for Rust, portable for C."
    )
    representation: RepresentationKind | None = _words(
        "Saturated or unsaturated limbs; the default is the faster representation."
    )
    machine: Machine | None = _words(
        "A machine with vector registers: functions for 8 or 4 points at once; in Python with --backend c.",
    )
    tuning: str | PathLike[str] | None = _own(
        "A file written by efdgen tune; the two options above override it.", shown=attrgetter("name"), rank=1
    )
    weights: str | None = _option("Weights that determine the cheapest formula, as in `efdgen cost tables`.")
    in_bounds: str | None = _host(
        "With --field-api: bounds of input coordinates, such as X=4,Y=4,Z=1; the default is the field's."
    )
    out_bounds: str | None = _host("With --field-api: bounds of output coordinates.")
    license: str | None = _host("With --field-api: the licence in the SPDX line.")

    @property
    def changed(self) -> frozenset[str]:
        """The names of the options that are not at their defaults."""
        values = ((row, getattr(self, row.name)) for row in TABLE.values())
        return frozenset(row.name for row, value in values if value != row.default)

    @property
    def words(self) -> tuple[str, ...]:
        """The command line with these options, without paths of a machine and without defaults."""
        words = ["efdgen", "compile"]
        for row in sorted(TABLE.values(), key=attrgetter("rank")):
            given = getattr(self, row.name)
            if given != row.default and not (self.group and row.name in IMPLIED):
                values = given if row.multiple else (given,)
                words += [word for value in values for word in (row.flag, row.shown(value))]
        return (*words,)


def _rows() -> Iterator[Option]:
    """Yield the rows of the table, by the names, types and defaults of options."""
    hints = get_type_hints(Options)
    for each in fields(Options):
        types = (hints[each.name], *get_args(hints[each.name]))
        choices = next((get_args(own) for own in types if get_origin(own) is Literal), ())
        origins = [get_origin(own) for own in types]
        kinds = (choices, Sequence in origins, PathLike in origins)
        yield Option(each.name, each.default, *kinds, **each.metadata)


TABLE = {row.name: row for row in _rows()}
