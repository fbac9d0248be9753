"""The shared vectors: requests to kernels, and the meaning of correct answers, in any language.

A suite is data alone. ``docs/vectors.md`` describes its JSON form, which :func:`write_suite` and
:func:`read_suite` translate; :mod:`efdgen.verify.vectors.cases` makes the cases.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from efdgen.generator.errors import EfdgenError
from efdgen.generator.language.parser import parse_equation
from efdgen.generator.language.printer import print_equation
from efdgen.generator.language.syntax import Name
from efdgen.generator.mathematics.binary import BinaryField, polynomial_text, read_polynomial
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.generator.reading import read_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from efdgen.generator.curves.affine import Point
    from efdgen.generator.formulas.database import Database
    from efdgen.generator.formulas.formula import Formula, System
    from efdgen.generator.language.syntax import Equation
    from efdgen.generator.mathematics.ground import Ground
    from efdgen.generator.programs.kernel import Argument

SCHEMA = "efdgen-vectors-1"

WRONG_HINT = "wrong hint"
"""The origin of cases with a hint that is to be refused."""

EDGE = "edge"
"""The origin of cases in which carries run through words, on the curve or not."""

ON_PURPOSE = frozenset({WRONG_HINT, EDGE, "zero", "empty"})
"""The origins of cases without an expected point, by which the formula is not judged."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A point or a scalar as a function takes or gives it: its name, its members, and what they are.

    ``coordinates`` names every variable of a point as the formula does; another argument can bring it,
    and ``fixed`` variables have a known value. A scalar has an ``equation`` instead of a system.
    ``parameters`` are those of the curve that the point is on, where that is not the function's.
    """

    name: str
    members: Mapping[str, str]
    fixed: Mapping[str, int]
    coordinates: Mapping[str, str]
    system: System | None
    equation: Equation | None
    parameters: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, argument: Argument, formula: Formula, parameters: Mapping[str, int]) -> Shape:
        """Return the shape of an argument of a formula's kernel, on a curve of some parameters."""
        if argument.number:
            coordinates = formula.coordinates(argument.number)
            system, fixed = formula.system_of(argument.number), dict(argument.type.fixed)
            return cls(argument.name, argument.members, fixed, coordinates, system, None, parameters)
        (name,) = argument.coordinates
        said = (e for e in (*formula.kind.scalars, *formula.hints) if e.left == Name(name))
        equation = next(said, None)  # nothing is said of a free scalar
        return cls(argument.name, argument.members, {}, {}, None, equation)


@dataclass(frozen=True, slots=True)
class Case:
    """One input of a function, and what is known of its output.

    ``inputs`` are all members of all inputs, in order. ``aliases`` are the inputs that the first
    output is to be in further calls, with the same result. ``expected`` holds the affine point that each
    output has to represent, ``exact`` all members of all outputs; an empty one says nothing.
    A case without ``expected`` is exceptional: the affine law is not defined, or the formula does not
    hold, and ``exact`` is what the formula's equations give, with 1/0 = 0. ``origin`` says how the input
    was chosen. ``implicit`` gives by name the coordinates of outputs that the function does not give, and
    those of inputs that its scalars are made of.
    ``accepted`` is what a function with tests has to return.
    """

    inputs: tuple[int, ...]
    aliases: tuple[str, ...]
    expected: tuple[Point, ...]
    exact: tuple[int, ...]
    origin: str
    implicit: Mapping[str, int] = field(default_factory=dict)
    accepted: bool | None = None

    @property
    def exceptional(self) -> bool:
        """Return whether no affine point is expected."""
        return not self.expected


@dataclass(frozen=True)
class FunctionVectors:
    """The cases of a function; ``name`` is known to drivers, ``parameters`` are those of its formula.

    With a ``length`` the function takes and gives any number of points, one after another.
    """

    name: str
    formula: str
    curve: str
    system: System
    parameters: Mapping[str, int]
    inputs: tuple[Shape, ...]
    outputs: tuple[Shape, ...]
    cases: tuple[Case, ...]
    length: str = ""


@dataclass(frozen=True, slots=True)
class FieldCase:
    """One call of a field operation: its arguments and its answer as a driver reads and writes them.

    ``alias`` is the operand, a or b, that the result is to be written over, or -.
    """

    operation: str
    alias: str
    arguments: tuple[str, ...]
    answer: str


@dataclass(frozen=True)
class Suite:
    """All vectors of a bundle, and the seed that random inputs came from."""

    ground: Ground
    seed: int
    field: tuple[FieldCase, ...]
    functions: tuple[FunctionVectors, ...]

    aside: ClassVar[str] = "Exceptional"
    """The name in tables for cases without an expected point."""

    @cached_property
    def digits(self) -> int:
        """Hexadecimal digits of a field element."""
        return 2 * self.ground.bytes

    @property
    def published(self) -> int:
        """The number of published answers."""
        return sum(case.origin == "published" for function in self.functions for case in function.cases)

    def text(self) -> str:
        """Return the vectors as ``docs/vectors.md`` describes them."""
        return write_suite(self)


def write_suite(suite: Suite) -> str:
    """Return the JSON text of a suite, one case a line."""
    document = {
        "schema": SCHEMA,
        **field_object(suite.ground),
        "seed": suite.seed,
        "field": [_field_object(case) for case in suite.field],
        "functions": [_function_object(function, suite.digits) for function in suite.functions],
    }
    return _text(document) + "\n"


def field_object(field: Ground) -> dict[str, str]:
    """Return a field as JSON has it: by its prime or its polynomial."""
    if field.is_binary:
        return {"polynomial": polynomial_text(field.polynomial)}
    return {"prime": f"{field.prime:x}"}


def read_suite(path: Path, database: Database) -> Suite:
    """Read a suite from a JSON file; raise :class:`EfdgenError` for one that is not of this schema."""
    return parse_suite(read_text(path), database, str(path))


def parse_suite(text: str, database: Database, path: str = "<text>") -> Suite:
    """Read a suite from JSON text; raise :class:`EfdgenError` for text that is not of this schema."""
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        raise EfdgenError(f"{path}:{error.lineno}:{error.colno}: {error.msg}") from None
    if not isinstance(document, dict) or document.get("schema") != SCHEMA:
        raise EfdgenError(f'{path}: not a vector suite; expected an object with "schema": "{SCHEMA}"')
    try:
        return Suite(
            _field(document),
            document["seed"],
            tuple(_field_case(item) for item in document["field"]),
            tuple(_function(item, database) for item in document["functions"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise EfdgenError(f"{path}: not a vector suite: {type(error).__name__} at {error}") from None


def _field(document: Mapping[str, Any]) -> Ground:
    if "polynomial" not in document:
        return PrimeField(int(document["prime"], 16))
    return BinaryField(read_polynomial(document["polynomial"]))


def _field_object(case: FieldCase) -> dict[str, Any]:
    return {
        "operation": case.operation,
        "alias": case.alias,
        "arguments": list(case.arguments),
        "answer": case.answer,
    }


def _field_case(item: Mapping[str, Any]) -> FieldCase:
    return FieldCase(item["operation"], item["alias"], tuple(item["arguments"]), item["answer"])


def _function_object(function: FunctionVectors, digits: int) -> dict[str, Any]:
    return {
        "name": function.name,
        "formula": function.formula,
        "curve": function.curve,
        "system": function.system.id,
        "affine": list(function.system.model.coordinates),
        "parameters": _parameters_object(function.parameters),
        "inputs": [_shape_object(shape) for shape in function.inputs],
        "outputs": [_shape_object(shape) for shape in function.outputs],
        **({"length": function.length} if function.length else {}),
        "cases": [_case_object(case, digits) for case in function.cases],
    }


def _parameters_object(parameters: Mapping[str, int]) -> dict[str, str]:
    return {name: f"{value:x}" for name, value in parameters.items()}


def _shape_object(shape: Shape) -> dict[str, Any]:
    written: dict[str, Any] = {"name": shape.name, "members": dict(shape.members), "fixed": dict(shape.fixed)}
    if shape.system is not None:
        written["system"] = shape.system.id
        written["coordinates"] = dict(shape.coordinates)
        written["meaning"] = [print_equation(equation) for equation in shape.system.meanings]
    if shape.parameters:
        written["parameters"] = _parameters_object(shape.parameters)
    if shape.equation is not None:
        written["equation"] = print_equation(shape.equation)
    return written


def _case_object(case: Case, digits: int) -> dict[str, Any]:
    written: dict[str, Any] = {"origin": case.origin, "inputs": hexadecimal(case.inputs, digits)}
    if case.aliases:
        written["aliases"] = list(case.aliases)
    if case.expected:
        written["expected"] = [hexadecimal(point, digits) for point in case.expected]
    if case.exact:
        written["exact"] = hexadecimal(case.exact, digits)
    if case.accepted is not None:
        written["accepted"] = case.accepted
    if case.implicit:
        written["implicit"] = {name: f"{value:0{digits}x}" for name, value in case.implicit.items()}
    return written


def _function(item: Mapping[str, Any], database: Database) -> FunctionVectors:
    return FunctionVectors(
        item["name"],
        item["formula"],
        item["curve"],
        database.system(item["system"]),
        _parameters(item["parameters"]),
        tuple(_shape(shape, database) for shape in item["inputs"]),
        tuple(_shape(shape, database) for shape in item["outputs"]),
        tuple(_case(case) for case in item["cases"]),
        item.get("length", ""),
    )


def _shape(item: Mapping[str, Any], database: Database) -> Shape:
    return Shape(
        item["name"],
        item["members"],
        item["fixed"],
        item.get("coordinates", {}),
        database.system(item["system"]) if "system" in item else None,
        parse_equation(item["equation"]) if "equation" in item else None,
        _parameters(item.get("parameters", {})),
    )


def _parameters(item: Mapping[str, str]) -> dict[str, int]:
    return {name: int(value, 16) for name, value in item.items()}


def _case(item: Mapping[str, Any]) -> Case:
    return Case(
        _numbers(item["inputs"]),
        tuple(item.get("aliases", ())),
        tuple(_numbers(point) for point in item.get("expected", ())),
        _numbers(item.get("exact", ())),
        item["origin"],
        {name: int(value, 16) for name, value in item.get("implicit", {}).items()},
        item.get("accepted"),
    )


def _numbers(texts: Iterable[str]) -> tuple[int, ...]:
    return tuple(int(text, 16) for text in texts)


def hexadecimal(values: Iterable[int], digits: int) -> list[str]:
    """Return values as drivers write them: big-endian hexadecimal of fixed length."""
    return [f"{value:0{digits}x}" for value in values]


def _text(value: Any, indent: str = "") -> str:  # noqa: ANN401 - a JSON value
    """Return JSON text in which lists of lists or objects have one element a line, and all else is on one."""
    match value:
        case {"functions": _} | {"cases": _}:
            items = [
                f"{indent}  {json.dumps(key)}: {_text(item, indent + '  ')}" for key, item in value.items()
            ]
            return "{\n" + ",\n".join(items) + f"\n{indent}}}"
        case [dict() | list(), *_]:
            items = [f"{indent}  {_text(item, indent + '  ')}" for item in value]
            return "[\n" + ",\n".join(items) + f"\n{indent}]"
        case _:
            return json.dumps(value)
