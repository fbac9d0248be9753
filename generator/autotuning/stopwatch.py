"""Timing of operations as emitted: printed, built by a compiler of this machine, run in one process."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, TypeAlias

from efdgen.generator.autotuning.decide import together
from efdgen.generator.fields.claims import UNPROVED
from efdgen.generator.fields.field import Field
from efdgen.generator.fields.pieces import Names
from efdgen.generator.limbs.spelling import LimbFunction
from efdgen.generator.measuring.compilers import run, version
from efdgen.generator.measuring.programs import rounds_of
from efdgen.generator.render.c.field import CField
from efdgen.generator.render.rust.field import RustField
from efdgen.generator.text.environment import environment

if TYPE_CHECKING:
    from efdgen.generator.fields.field import Representation
    from efdgen.generator.fields.operations import FieldOperation
    from efdgen.generator.tuning.tuning import Language


@dataclass(frozen=True)
class Timed:
    """An operation on words, and the representation in which it is one."""

    representation: Representation
    operation: FieldOperation


Stopwatch: TypeAlias = Callable[[Sequence[Timed], int], list[list[float]]]
"""Times operations in this many rounds, in which they take turns: for each, core cycles of every round.

An operation runs on its own results. If core cycles are not known, nanoseconds replace them.
"""


@dataclass(frozen=True)
class Compiler:
    """A compiler with its flags, as a stopwatch; ``version`` is what it says of itself.

    Raises :class:`EfdgenError` if there is no such compiler, or where it refuses its flags.
    """

    language: Language
    command: str
    flags: tuple[str, ...]

    @property
    def title(self) -> str:
        """The compiler's version and flags."""
        return " ".join([version(self.command), *self.flags])

    def __call__(self, operations: Sequence[Timed], rounds: int) -> list[list[float]]:
        """Return the times of operations, in their order."""
        with TemporaryDirectory(prefix="efdgen-") as name:
            folder = Path(name)
            self._build(operations, folder, "-o", "tuning")
            found = rounds_of(run([str(folder / "tuning"), str(rounds)], folder))
        figures = [found[str(at)] for at in range(len(operations))]
        return [cycles if min(cycles) > 0 else nanoseconds for nanoseconds, cycles in figures]

    def assembly(self, operations: Sequence[Timed]) -> str:
        """Return the program that times operations, in assembler."""
        with TemporaryDirectory(prefix="efdgen-") as name:
            folder = Path(name)
            self._build(operations, folder, "-o", "tuning.s", *_ASSEMBLER[self.language])
            return (folder / "tuning.s").read_text(encoding="utf-8")

    def _build(self, operations: Sequence[Timed], folder: Path, *options: str) -> None:
        for path, text in _files(self.language, operations):
            (folder / path).write_text(text, encoding="utf-8")
        run([self.command, *self.flags, *options, f"tuning.{_ENDINGS[self.language]}"], folder)


def jointly(stopwatches: Sequence[Stopwatch]) -> Stopwatch:
    """Return a stopwatch that times with all of some, and takes geometric means."""

    def times(operations: Sequence[Timed], rounds: int) -> list[list[float]]:
        found = [stopwatch(operations, rounds) for stopwatch in stopwatches]
        return [together(each) for each in zip(*found, strict=True)]

    return times


_ASSEMBLER: dict[Language, tuple[str, ...]] = {"c": ("-S",), "rust": ("--emit", "asm")}
_ENDINGS: dict[Language, str] = {"c": "c", "rust": "rs"}


def _files(language: Language, operations: Sequence[Timed]) -> Iterator[tuple[str, str]]:
    """Yield a file of functions for each representation, and the program that times them."""
    named = [replace(o, operation=replace(o.operation, name=f"f{at}")) for at, o in enumerate(operations)]
    kinds = list(dict.fromkeys(operation.representation for operation in named))
    for at, kind in enumerate(kinds):
        own = [each.operation for each in named if each.representation == kind]
        write = _header if language == "c" else _module
        yield write(f"t{at}", _field(kind), own)
    calls = [_call(language, f"t{kinds.index(each.representation)}", each) for each in named]
    names = [f"t{at}" for at in range(len(kinds))]
    values: dict[str, Any] = {"functions": calls, "modules": names, "headers": [f"{n}.h" for n in names]}
    values |= {"scheme": None, "series": {}}
    path = f"tuning.{_ENDINGS[language]}"
    yield path, environment(language).get_template(f"{path}.j2").render(values)


def _field(kind: Representation) -> Field:
    plan = kind.plan
    return Field(plan.ground, plan.target, (kind.word,), kind=plan.representation)


def _header(prefix: str, field: Field, operations: Sequence[FieldOperation]) -> tuple[str, str]:
    names = Names(prefix)
    printed = CField(field, names, UNPROVED, ())
    values = {**names.template, "split": False, "functions": [], **printed.values([], operations)}
    return f"{prefix}.h", environment("c").get_template("tuning.h.j2").render(values)


def _module(prefix: str, field: Field, operations: Sequence[FieldOperation]) -> tuple[str, str]:
    (build,) = RustField(field, Names(prefix), UNPROVED, ()).builds([], operations)
    template = environment("rust").get_template("field_limbs.rs.j2")
    return f"{prefix}.rs", template.render({"build": build, "field": field})


def _call(language: Language, prefix: str, timed: Timed) -> dict[str, object]:
    """Return how a function is called on elements, those of one point after another's.

    Outputs go over the first point's coordinates. In C ``r`` is where these are, and ``s0``, ``s1``, … are
    where points start: a pointer for each, as emitted functions have them.
    """
    function = LimbFunction(timed.operation.name, timed.operation.program, ())
    names = sorted((number.name for number in function.inputs), key=lambda name: _of_point(name)[0])
    points = [_of_point(name) for name in names]
    starts = [at for at, (point, _) in enumerate(points) if not at or points[at - 1][0] != point]
    first = {letter: at for at, (point, letter) in enumerate(points) if point == points[0][0]}
    stored: list[int] = []
    count = len(names)
    for name, _ in function.outputs:
        place = first.get(_of_point(name)[1], 0)
        if place in stored:
            place, count = count, count + 1
        stored.append(place)
    taken = [names.index(number.name) for number in function.inputs]
    if language == "rust":
        outputs, inputs = [f"p{at}" for at in stored], [f"&q[{at}]" for at in taken]
    else:
        own = [sum(start <= at for start in starts) - 1 for at in taken]
        outputs = [f"r[{at}]" for at in stored]
        inputs = [f"s{point}[{at - starts[point]}]" for point, at in zip(own, taken, strict=True)]
    separator = "_limbs_" if language == "c" else ""
    return {
        "prefix": prefix,
        "places": count,
        "starts": starts,
        "limbs": timed.representation.limbs,
        "taken": ", ".join(f"p{at}" if at in stored else "_" for at in range(count)),
        "call": f"{f'{prefix}{separator}' if separator else ''}{function.name}"
        f"({', '.join((*outputs, *inputs))});",
    }


def _of_point(name: str) -> tuple[str, str]:
    """Return of which point a coordinate is, and which one; what has no number is by itself."""
    letter = name.rstrip("0123456789")
    return name[len(letter) :] or name, letter
