"""Announcements by printers: the programs that the limb functions and kernels of a text must equal.

A printer passes them to its ``Claims``. Nothing is proved at that point: the text is read back when all of it
is printed, and must be these programs.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

    from efdgen.generator.fields.claims import Claims
    from efdgen.generator.fields.operations import FieldOperation
    from efdgen.generator.fields.pieces import Language
    from efdgen.generator.languages.bindings import Bindings
    from efdgen.generator.limbs.program import Instruction
    from efdgen.generator.limbs.spelling import LimbFunction
    from efdgen.generator.mathematics.ground import Ground
    from efdgen.generator.programs.program import Program
    from efdgen.generator.routines.module import Module

KernelLanguage: TypeAlias = Literal["c", "rust", "python"]


@dataclass(frozen=True)
class LimbText:
    """All limb functions of one field and one size of words, blocks before what calls them.

    ``prefix`` is the field's: in C it begins every name, in Rust it is the module's. ``constants`` are the
    words of the elements that are printed, by their names in the text, and ``steps`` the functions of
    repeated instructions, which are followed at each call.
    """

    language: Language
    prefix: str
    ground: Ground
    word: int
    functions: tuple[LimbFunction, ...]
    constants: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    steps: tuple[LimbFunction, ...] = ()


@dataclass(frozen=True)
class PointArgument:
    """An argument of a kernel: its name and its type in the text, and each member's name in the formula.

    In lanes the only member of an element is ``""``.
    """

    name: str
    type: str
    members: Mapping[str, str]


@dataclass(frozen=True)
class KernelText:
    """A kernel by its name in the text, and the program that it must be.

    ``constants`` are the names of the program's parameters and numbers, by their names in the text.
    ``tested`` are the outputs of which the function returns whether all are as they should be. ``whole`` is
    the limb function that it calls where words have 64 bits; without one, and with other words, it calls
    functions on elements. With ``inverses``, inputs of the program that are inverses of others, by name, it
    is a function of any number of points in Python, whose inverses come from one, and returns whether none is
    of 0. In Rust a function returns its outputs unless it is ``in_place``.
    """

    language: KernelLanguage
    prefix: str
    name: str
    program: Program
    inputs: tuple[PointArgument, ...]
    outputs: tuple[PointArgument, ...]
    constants: Mapping[str, str]
    tested: tuple[str, ...] = ()
    whole: FieldOperation | None = None
    inverses: Mapping[str, str] = field(default_factory=dict)
    in_place: bool = True


@dataclass(frozen=True)
class PythonText:
    """A module of kernels on integers modulo a prime, or on polynomials over GF(2).

    ``values`` are the numbers that its constants are, by their names in the text, and ``constants`` what the
    programs call those. ``literals`` are integers that the text has without a name, by the programs' names.
    """

    prefix: str
    ground: Ground
    values: Mapping[str, int]
    constants: Mapping[str, str]
    literals: Mapping[str, int]
    kernels: tuple[KernelText, ...]


@dataclass(frozen=True)
class RoutineText:
    """Routines of a module that appear as functions in a file, under the names of the language.

    ``prefix`` begins all names in C.
    """

    language: Language
    prefix: str
    path: str
    module: Module
    routines: tuple[str, ...]
    bindings: Bindings


@dataclass(frozen=True)
class LaneFunction:
    """A limb program with its contract and its arguments, and its instructions as they are printed."""

    name: str
    operation: FieldOperation
    outputs: tuple[PointArgument, ...]
    inputs: tuple[PointArgument, ...]
    instructions: tuple[Instruction, ...]


@dataclass(frozen=True)
class LaneText:
    """Functions on lanes in a file, in registers of some bits: operations of a field, and formulas."""

    language: Literal["c", "rust"]
    prefix: str
    path: str
    functions: tuple[LaneFunction, ...]
    bits: int


@dataclass(frozen=True)
class BatchText(RoutineText):
    """A formula on many points: what is ``inverted``, and where in outputs the inverse is ``held``."""

    inverted: str
    held: str


@dataclass(frozen=True)
class TableText:
    """A table of points by its name in one of some files: the words of all elements, in order.

    In C, ``braces`` is the depth of an element of ``limbs`` words in braces, within the initialiser's own.
    """

    language: Language
    paths: tuple[str, ...]
    name: str
    word: int
    words: tuple[int, ...]
    limbs: int = 0
    braces: int = 0


@dataclass(frozen=True)
class FileText:
    """A printed file by its path; text outside of followed functions must reach the disk unchanged."""

    path: str
    text: str


Printed: TypeAlias = LimbText | LaneText | KernelText | PythonText | RoutineText | TableText | FileText


def announced(files: dict[str, str], claims: Claims) -> dict[str, str]:
    """Announce files, and return them."""
    for path, text in files.items():
        claims.announce(FileText(path, text))
    return files
