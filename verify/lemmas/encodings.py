"""Lemmas on encodings: a byte is one of a number, or any integer where a routine looks at it.

An encoding consists of the bytes of coordinates below p and a low bit. Functions that encode return these for
each point, and functions that decode accept nothing else, so that one is the inverse of the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any

from efdgen.generator.routines import tree
from efdgen.generator.routines.integers import Integers, RoutineError
from efdgen.generator.routines.interpreter import Interpreter
from efdgen.generator.routines.staging import constant
from efdgen.verify.lemmas import roots
from efdgen.verify.lemmas.later import now
from efdgen.verify.lemmas.shapes import Infinite

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from efdgen.generator.routines.module import Module
    from efdgen.generator.routines.tree import Expression
    from efdgen.generator.routines.types import Type
    from efdgen.verify.lemmas.cases import Case
    from efdgen.verify.lemmas.prover import PointRun, Prover
    from efdgen.verify.lemmas.shapes import Affine, Point

_BITS = (0, 1)
_BYTES = range(1 << 8)
_SIGN = 1 << 7
_COMPRESSED, _UNCOMPRESSED = 2, 4
"""The first bytes of SEC 1: the former has the low bit of y added."""


@dataclass(frozen=True)
class Byte:
    """A byte of something, by its number from the first one on."""

    of: Any
    at: int


def bytes_of(number: object, size: int) -> list[Any]:
    """Return the bytes of something."""
    return [Byte(number, i) for i in range(size)]


class _Bytes(Integers):
    """Operators on integers; a byte that may be any is read, and no more."""

    def binary(self, operator: str, kind: Type, left: Any, right: Any) -> Any:  # noqa: ANN401 - see Integers
        """Return an operator on integers."""
        return super().binary(operator, kind, _known(left), _known(right))

    def converted(self, kind: Type, value: Any) -> Any:  # noqa: ANN401 - see Integers
        """Return an integer as another type's."""
        return super().converted(kind, _known(value))


def _known(value: Any) -> Any:  # noqa: ANN401 - an integer or a choice
    if isinstance(value, Byte):
        raise RoutineError(f"byte {value.at} is used for more than a number")
    return value


def interpreter(
    module: Module,
    leaves: Mapping[str, Callable[..., list[Any]]],
    constants: Mapping[str, object] | None = None,
) -> Interpreter:
    """Return an interpreter of routines on bytes."""
    return Interpreter(module, leaves, constants, values=_Bytes())


class Sizes:
    """The lengths that routines of a module have for encodings."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.field, self.encoded = self._constant("FIELD_BYTES"), self._constant("ENCODED_BYTES")

    def _constant(self, name: str) -> int:
        found = self.module.constants[name].value
        assert isinstance(found, int)
        return found

    @property
    def wire(self) -> int:
        """The length of a point in the wire format."""
        return self._constant("WIRE_BYTES")

    @property
    def uncompressed(self) -> int:
        """The length of x and y after a byte."""
        return 1 + 2 * self.field

    def all_lengths(self, name: str, *known: int) -> range:
        """Return lengths that stand for all: up to one above known ones and those that a routine compares.

        Raises :class:`RoutineError` for a routine that does more with the length than compare it, or gives
        all bytes to another one that does.
        """
        compared = [*self._compared(name)]
        constants = self.module.constants.items()
        numbers = {own: found.value for own, found in constants if isinstance(found.value, int)}
        found = [constant(expression, numbers) for expression in compared]
        if None in found:
            raise RoutineError("a length that is no constant")
        return range(max(*known, *(value for value in found if value is not None)) + 2)

    def _compared(self, name: str) -> Iterator[Expression]:
        """Yield what a routine, and each one that it gives all bytes to, compares their number with."""
        routine = self.module.routines[name]
        every = [
            part for s in tree.statements(routine.body) for e in tree.expressions(s) for part in tree.walk(e)
        ]
        length, data = tree.Name("length"), tree.Name(routine.parameters[0].name)
        compared = [
            e.right for e in every if isinstance(e, tree.Binary) and (e.operator, e.left) == ("==", length)
        ]
        read = [e for e in every if isinstance(e, tree.Index | tree.Slice) and e.base == data]
        given = [e for e in every if isinstance(e, tree.Call) and e.arguments == (data,)]
        if len(compared) != every.count(length) or len(read) + len(given) != every.count(data):
            raise RoutineError(f"{name} does more with the length than compare it")
        yield from compared
        for call in given:
            yield from self._compared(call.function)


def low_bit(prover: Prover, _: str) -> None:
    """Prove that a function returns the low bit of the number that an element is."""
    roots.prove_low_bit(prover.module, big=prover.plan.encoding.byteorder == "big")


def signed(prover: Prover, _: str) -> None:
    """Prove that a function returns the one of a root and its negative that has a low bit."""
    roots.prove_sign(prover.start)


def lifted(prover: Prover, name: str) -> None:
    """Prove that a function returns the point with a coordinate and a low bit, and whether it exists."""

    def differs(run: PointRun, result: list[Any], point: Affine | None) -> str:
        found, exists = result
        if exists != int(point is not None):
            return f"it returns {exists}"
        if point is not None:
            return run.difference("point", found, point)
        return "it returns other members than 0" if any(map(run.nonzero, found.values())) else ""

    coordinates = "xy" if prover.plan.model == "shortw" else "yx"
    roots.prove_lift(name, coordinates, prover.start, lambda run: run.curve, differs)


def kept(prover: Prover, name: str) -> None:
    """Prove that a function returns its members for 1, and zeros for 0."""
    for flag in _BITS:

        def follow(run: PointRun, flag: int = flag) -> str:
            value = {m: run.elements.name(f"p.{m}") for m in prover.shapes["point"].members}
            (found,) = run.call(name, value, flag)
            wanted = value if flag else dict.fromkeys(value, run.elements.zero)
            return "" if found == wanted else "it returns other members"

        prover.every(name, f"the flag {flag}", follow)


def encoded_affine(prover: Prover, name: str) -> None:
    """Prove that a function returns the bytes of one coordinate, and the low bit of the other."""
    sizes, x, y = Sizes(prover.module), object(), object()

    def written(number: object, top: int | None = None) -> list[Any]:
        found = bytes_of(number, sizes.field)
        return found if top is None else [*found[:-1], top]

    def run(wanted: list[Any], bit: int, root: object, *flag: int, top: int | None = None) -> None:
        leaves = {
            "low_bit": only(root, [bit]),
            "fe_to_bytes": lambda number: [written(number, top if number is y else None)],
        }
        if interpreter(prover.module, leaves).call(name, {"X": x, "Y": y}, *flag) != [wanted]:
            raise RoutineError(f"{name} returns other bytes")

    for bit in _BITS:
        if prover.plan.model == "shortw":
            for flag in _BITS:
                run([flag * (_COMPRESSED | bit), *written(x)], bit, y, flag)
        elif sizes.encoded > sizes.field:
            run([*written(y), _SIGN * bit], bit, x)
        else:
            for top in range(_SIGN):
                run([*written(y, top)[:-1], top | _SIGN * bit], bit, x, top=top)


def encoded(prover: Prover, name: str) -> None:
    """Prove that a function returns what encode_affine does of x and y, of zeros for the identity."""

    def follow(run: PointRun, case: Case) -> str:
        (point,), _ = case.make(run.curve)
        given: list[Any] = []
        encoding = object()

        def noted(*arguments: Any) -> list[Any]:  # noqa: ANN401 - a structure, and a choice
            given.extend(map(now, arguments))
            return [encoding]

        run.leaves["encode_affine"] = noted
        found, *there = run.call(name, run.value("point", "p", point))
        if found is not encoding or given[1:] != there:
            return "it returns another encoding"
        return coordinates_of(run, given[0], point, there)

    prover.cases(name, prover.single, follow)


def encoded_uncompressed(prover: Prover, name: str) -> None:
    """Prove that a function returns 04, x and y, and zeros for the identity."""
    sizes = Sizes(prover.module)

    def follow(run: PointRun, case: Case) -> str:
        (point,), _ = case.make(run.curve)
        numbers: list[Any] = []

        def written(number: Any) -> list[Any]:  # noqa: ANN401 - an element, perhaps for later
            numbers.append(now(number))
            return [bytes_of(len(numbers) - 1, sizes.field)]

        run.leaves["fe_to_bytes"] = written
        (first, *rest), finite = run.call(name, run.value("point", "p", point))
        wanted = [*bytes_of(0, sizes.field), *bytes_of(1, sizes.field)]
        if first != _UNCOMPRESSED * finite or rest != wanted:
            return "it returns other bytes"
        return coordinates_of(run, dict(zip("XY", numbers, strict=True)), point, [finite])

    prover.cases(name, prover.single, follow)


def coordinates_of(run: PointRun, found: dict[str, Any], point: Point, finite: list[int]) -> str:
    """Return how affine coordinates and a choice differ from those of a point; zeros are the identity's."""
    if finite not in ([], [int(not isinstance(point, Infinite))]):
        return f"it returns {finite[0]}"
    if isinstance(point, Infinite) and found.keys() == {*"XY"}:
        return "it encodes other numbers than 0" if any(map(run.nonzero, found.values())) else ""
    return run.difference("affine", found, point)


def decoded(prover: Prover, name: str) -> None:
    """Prove that a function returns the point of an encoding, and none of any other bytes."""
    sizes = Sizes(prover.module)
    run = _Decoder(prover, name)
    uncompressed = [sizes.uncompressed] if prover.plan.encoding.byteorder == "big" else []
    for length in sizes.all_lengths(name, sizes.encoded, *uncompressed):
        if length == sizes.encoded:
            for special in _BYTES:
                run.compressed(special)
        elif length in uncompressed:
            for first in _BYTES:
                run.uncompressed(first)
        else:
            run.require(bytes_of("b", length), {}, None)


class _Decoder:
    """A routine that decodes, given contracts of functions on numbers and on points."""

    def __init__(self, prover: Prover, name: str) -> None:
        self._name, self._sizes = name, Sizes(prover.module)
        self._weierstrass = prover.plan.encoding.byteorder == "big"
        zero = object()
        members = prover.shapes["point"].members
        self._module, self._constants = prover.module, {"ZERO": zero}
        self.zeros = dict.fromkeys(members, zero)
        self._none = [self.zeros, 0]
        self.point = {member: object() for member in members}

    def require(
        self, data: list[Any], leaves: Mapping[str, Callable[..., list[Any]]], wanted: list[Any] | None
    ) -> None:
        """Raise :class:`RoutineError` where bytes are decoded otherwise; ``wanted`` is None for no point."""
        if interpreter(self._module, leaves, self._constants).call(self._name, data) != (
            wanted or self._none
        ):
            raise RoutineError(f"{self._name} takes {len(data)} bytes for something else")

    def compressed(self, special: int) -> None:
        """Try all ways of a number and of a point by its coordinate, with a special byte."""
        sizes = self._sizes
        if self._weierstrass:
            number = bytes_of("b", sizes.field)
            data, known, odd = [special, *number], special in (_COMPRESSED, _COMPRESSED + 1), special & 1
        else:
            apart = sizes.encoded > sizes.field
            odd, rest = divmod(special, _SIGN)
            number = bytes_of("b", sizes.field) if apart else [*bytes_of("b", sizes.field - 1), rest]
            data, known = [*number[: sizes.encoded - 1], special], not (apart and rest)
        function = "point_with_x" if self._weierstrass else "point_with_y"
        for fits, exists in product(_BITS, _BITS):
            made = [self.point, 1] if exists else self._none
            a = object()
            leaves = {"fe_from_bytes": only(number, [a, fits]), function: only((a, odd), made)}
            self.require(data, leaves, made if known and fits else None)

    def uncompressed(self, first: int) -> None:
        """Try all ways of two numbers and of a point by both coordinates, with a first byte."""
        size = self._sizes.field
        numbers = bytes_of("x", size), bytes_of("y", size)
        for x_fits, y_fits, on in product(_BITS, repeat=3):
            made = [self.point, 1] if on else self._none
            x, y = object(), object()
            answers = [x, x_fits], [y, y_fits]
            read = partial(one_of, numbers, answers)
            leaves: Mapping[str, Callable[..., list[Any]]]
            leaves = {"fe_from_bytes": read, "point_with": only({"X": x, "Y": y}, made)}
            wanted = made if first == _UNCOMPRESSED and x_fits and y_fits else None
            self.require([first, *numbers[0], *numbers[1]], leaves, wanted)


def one_of(known: tuple[list[Any], ...], answers: tuple[list[Any], ...], given: list[Any]) -> list[Any]:
    """Return the answer for one of some arguments."""
    if given not in known:
        raise RoutineError("a call with other arguments")
    return list(answers[known.index(given)])


def encoded_wire(prover: Prover, name: str) -> None:
    """Prove that a function returns the bytes of all members in their order."""
    sizes = Sizes(prover.module)
    point = {m: object() for m in prover.shapes["point"].members}
    wanted = [byte for number in point.values() for byte in bytes_of(number, sizes.field)]
    leaves = {"fe_to_bytes": lambda number: [bytes_of(number, sizes.field)]}
    if interpreter(prover.module, leaves).call(name, point) != [wanted]:
        raise RoutineError(f"{name} returns other bytes")


def decoded_wire(prover: Prover, name: str) -> None:
    """Prove that a function returns the point whose members bytes are, and none of any other bytes."""
    sizes, run = Sizes(prover.module), _Decoder(prover, name)
    members = prover.shapes["point"].members
    point = {m: object() for m in members}
    data = [byte for m in members for byte in bytes_of(m, sizes.field)]
    for length in sizes.all_lengths(name, sizes.wire):
        if length != sizes.wire:
            run.require(bytes_of("b", length), {}, None)
    numbers = tuple(bytes_of(m, sizes.field) for m in members)
    for *fits, on in product(_BITS, repeat=len(members) + 1):
        answers = tuple([point[m], flag] for m, flag in zip(members, fits, strict=True))
        leaves: Mapping[str, Callable[..., list[Any]]] = {
            "fe_from_bytes": partial(one_of, numbers, answers),
            "is_on_curve": only(point, [on]),
            "point_or_zeros": lambda p, flag: [p if flag else run.zeros],
        }
        run.require(data, leaves, [point, 1] if on and all(fits) else None)


def only(given: object, results: list[Any]) -> Callable[..., list[Any]]:
    """Return the contract of a function for some arguments alone."""

    def answered(*arguments: object) -> list[Any]:
        if (arguments if isinstance(given, tuple) else arguments[0]) != given:
            raise RoutineError("a call with other arguments")
        return list(results)

    return answered


def encoded_x(module: Module) -> None:
    """Prove that encode returns the bytes of a number."""
    x, data = object(), object()
    if interpreter(module, {"fe_to_bytes": only(x, [data])}).call("encode", x) != [data]:
        raise RoutineError("encode returns other bytes")


def decoded_x(module: Module) -> None:
    """Prove that decode returns the number of bytes if it is the x-coordinate of a point, and else 0."""
    sizes, x, zero = Sizes(module), object(), object()
    for length in sizes.all_lengths("decode", sizes.encoded):
        data = bytes_of("b", length)
        for fits, exists in product(_BITS, _BITS):
            leaves = {
                "fe_from_bytes": only(data, [x if fits else zero, fits]),
                "point_with_x": only((x if fits else zero, 0), [{"x": x if exists else zero}, exists]),
                "fe_select": lambda a, b, flag: [a if flag else b],
            }
            taken = length == sizes.encoded and fits and exists
            wanted = [x, 1] if taken else [zero, 0]
            if interpreter(module, leaves, {"ZERO": zero}).call("decode", data) != wanted:
                raise RoutineError(f"decode takes {length} bytes for something else")
