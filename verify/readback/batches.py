"""Functions of n points with a shared inversion, in C and in Rust: read for a few n, and so for every n.

A function is followed with 0 to 3 points, on every way in which what is inverted is 0 or not. An induction
shows that this is enough for every n:

- Turns from the third point on are alike (:mod:`efdgen.verify.readback.alike`).
- A turn reads and stores its own point alone. The product, or its inverse, and the flag are all that it reads
  from earlier turns: every other variable that turns change is forgotten before each.
- Before each turn the product and the flag must be what the induction says.

So the third point's turn shows what a turn makes of any product that is not 0: where the second point has a
0, the product before it is what is inverted of the first, which may be any.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from efdgen.verify.readback.alike import counters_of, require_alike
from efdgen.verify.readback.calls import Follower, element_of, kept, operations, stored
from efdgen.verify.readback.limbs import FAILURES
from efdgen.verify.readback.ways import Ways
from efdgen.verify.words.places import Element as Place
from efdgen.verify.words.places import copied
from efdgen.verify.words.values import Bit, NotFollowedError, Plain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from efdgen.generator.fields.printed import KernelText
    from efdgen.verify.words.machine import Turns
    from efdgen.verify.words.places import Scope
    from efdgen.verify.words.tree import Routines

Value = Any

# With how many points a function is followed.
_COUNTS = range(4)
# The variables that are carried from turn to turn: the product, or its inverse, and whether none was 0.
_PRODUCT, _EVERY = "product", "every"
# One loop makes the products, and one the inverses.
_LOOPS = 2


class _AssertionError(NotFollowedError):
    """An input that an assertion of the text refuses."""


def batch_difference(text: Routines, word: int, kernel: KernelText, *, binary: bool) -> str:
    """Return how a function of n points differs from its program, in words; nothing where it does not.

    ``binary`` is whether the field's characteristic is 2.
    """
    function = text.functions[kernel.name]
    if function.declared != _parameters(kernel):
        return f"its parameters are {', '.join(function.declared)}"
    try:
        require_alike(function)
        if kernel.language == "rust":
            _require_asserted(text, word, kernel)
        for count in _COUNTS:
            for way in Ways.all(binary=binary):
                if differs := _Call(text, word, kernel, way, count).compared():
                    return f"{differs}, of {count} points"
    except FAILURES as error:
        return f"it cannot be followed: {error}"
    return ""


def _parameters(kernel: KernelText) -> tuple[str, ...]:
    (point,), (output,) = kernel.inputs, kernel.outputs
    if kernel.language == "c":
        return f"{output.type} * {output.name}", f"const {point.type} * {point.name}", "size_t n"
    return f"{output.name} : & mut [ {output.type} ]", f"{point.name} : & [ {point.type} ]"


def _require_asserted(text: Routines, word: int, kernel: KernelText) -> None:
    """Require that slices of other lengths are refused."""
    for counts in ((1, 2), (2, 1)):
        call = _Call(text, word, kernel, Ways([]), max(counts))
        try:
            call.follow(*counts)
        except _AssertionError:
            continue
        raise NotFollowedError("slices of two lengths are not refused")


class _Cells:
    """An array of points, of which one is open at a time: that of the turn."""

    def __init__(self, points: list[Value], call: _Call) -> None:
        self.points, self._call = points, call

    def __len__(self) -> int:
        return len(self.points)

    def __getitem__(self, index: int) -> Value:
        if index != self._call.turn:
            raise NotFollowedError("a point is read or stored in another one's turn")
        return self.points[index]

    def __iter__(self) -> Iterator[Place]:
        return (Place(self, index) for index in range(len(self)))


@dataclass(frozen=True)
class _Pointer(Place):
    """A pointer of C into an array, or to its end."""

    def __post_init__(self) -> None:
        if not 0 <= self.index <= len(self.array):
            raise NotFollowedError("a pointer leaves its array")

    def __add__(self, by: int) -> _Pointer:
        return _Pointer(self.array, self.index + by)

    def __sub__(self, by: int) -> _Pointer:
        return _Pointer(self.array, self.index - by)


class _Call:
    """A call with a number of points, on one way."""

    def __init__(self, text: Routines, word: int, kernel: KernelText, way: Ways, count: int) -> None:
        self._kernel, self._way, self._count = kernel, way, count
        self._named = {name: way.input(name) for name in kernel.constants.values()}
        (point,), ((self._inverse, inverted),) = kernel.inputs, kernel.inverses.items()
        self._points = [
            {name: way.input(f"{name}, {turn}") for name in point.members.values()} for turn in range(count)
        ]
        self._inverted = [values[inverted] for values in self._points]
        self._nonzero = [not way.is_zero(element) for element in self._inverted]
        self.turn: int | None = None  # the index of the point that a loop is at
        self._loops = 0
        self._carried = {_PRODUCT, _EVERY, *counters_of(text.functions[kernel.name])}
        self._machine = Follower(
            text,
            word,
            Plain(),
            self._routines(),
            {kernel.name: self._loop},
            structures={"fe": lambda: kept(None)},
            given={text: kept(self._named[name]) for text, name in kernel.constants.items()}
            | {"limbs::CONSTANT_ONE": [way.one], "LIMBS": 1},
        )

    def compared(self) -> str:
        """Follow the function, and return how its results differ from the program's."""
        kernel, way = self._kernel, self._way
        flag, results = self.follow(self._count, self._count)
        (output,) = kernel.outputs
        for point, element, result in zip(self._points, self._inverted, results, strict=True):
            given = {**self._named, **point, self._inverse: way.inv(element)}
            wanted = way.outputs(kernel.program, given)
            for member, name in output.members.items():
                if not way.equal(element_of(result[member]), wanted[name]):
                    return f"{output.name}.{member} is not {name}"
        return "" if _bit(flag) == all(self._nonzero) else "what it returns is not whether none is 0"

    def follow(self, stored: int, read: int) -> tuple[Value, list[Value]]:
        """Follow the function with a given number of outputs and inputs; return its flag, and the outputs."""
        (point,), (output,) = self._kernel.inputs, self._kernel.outputs
        inputs = [
            {member: kept(values[name]) for member, name in point.members.items()}
            for values in self._points[:read]
        ]
        outputs = [{member: kept(None) for member in output.members} for _ in range(stored)]
        arrays = _Cells(outputs, self), _Cells(inputs, self)
        if self._kernel.language == "c":
            pointers = (_Pointer(array, 0) for array in arrays)
            flag = self._machine.follow(self._kernel.name, *pointers, read)
        else:
            flag = self._machine.follow(self._kernel.name, *arrays)
        if self._loops != _LOOPS:
            raise NotFollowedError("it has not two loops")
        return flag, outputs

    def _loop(self, turns: Turns) -> None:
        """Follow the turns of a loop: the first from the first point on, the second backwards."""
        if self._loops == _LOOPS or self.turn is not None:
            raise NotFollowedError("there is a loop too many")
        self._loops += 1
        backwards = self._loops == _LOOPS
        before = {name: copied(turns.scope.read(name)) for name in turns.scope.names() - self._carried}
        for turn in reversed(range(self._count)) if backwards else range(self._count):
            self.turn = turn
            self._require_carried(turns.scope, turn + backwards, inverse=backwards)
            _forget(turns.scope, before)
            if not turns.turn():
                raise NotFollowedError("a loop ends before all points had their turn")
        self.turn = None
        if turns.turn():
            raise NotFollowedError("a loop has a turn too many")
        if not backwards:
            self._require_carried(turns.scope, self._count, inverse=False)
        _forget(turns.scope, before)

    def _require_carried(self, scope: Scope, count: int, *, inverse: bool) -> None:
        """Require what the induction says before a turn: the product of some points, or its inverse."""
        product = self._way.one
        for element, nonzero in zip(self._inverted[:count], self._nonzero, strict=False):
            product = self._way.mul(product, element) if nonzero else product
        if element_of(scope.read(_PRODUCT)) != (self._way.inv(product) if inverse else product):
            raise NotFollowedError("what is carried from turn to turn is no product of those before")
        if _bit(scope.read(_EVERY)) != all(self._nonzero if inverse else self._nonzero[:count]):
            raise NotFollowedError("what is carried from turn to turn is not whether none was 0")

    def _routines(self) -> dict[str, Callable[..., Value]]:
        """Return what the function calls."""
        way, language = self._way, self._kernel.language
        made = operations("c" if language == "c" else "rust", way, lambda a: Bit(way.is_zero(a)))
        if language == "c":
            return {
                **made,
                "fe_set_zero": stored(lambda: ()),
                "fe_set_one": stored(lambda: way.one),
                "fe_select": lambda r, one, other, flag: r.write(_selected(one.read(), other.read(), flag)),
            }
        return {
            **made,
            "Self": _zero,
            "Self::constant": lambda words: kept(words[0]),
            "Self::select": _selected,
            "Choice::from": Bit,
            "assert_eq!": _assert_equal,
        }


def _selected(one: Value, other: Value, flag: Value) -> Value:
    """Return the first element where the flag is 1, and the other where it is 0."""
    first, second = element_of(one), element_of(other)
    return kept(first if _bit(flag) else second)


def _zero(words: Value) -> Value:
    """Return the element of words that are all 0."""
    if words != [0]:
        raise NotFollowedError("an element is made of words that are not 0")
    return kept(())


def _assert_equal(one: int, other: int) -> None:
    if one != other:
        raise _AssertionError(f"{one} is not {other}")


def _bit(flag: Value) -> bool:
    if not isinstance(flag, int):
        raise NotFollowedError("a flag is read that was not stored")
    return bool(flag)


def _forget(scope: Scope, before: Mapping[str, Value]) -> None:
    """Forget the variables that are no longer what they were; pointers are held to their own point."""
    for name, value in before.items():
        if scope.read(name) != value and not isinstance(value, _Pointer):
            scope.write(name, None)
