"""Proof of the multiplications of a Montgomery curve: for every scalar and x-coordinate, and for every point.

The ladder is a loop over the bits of k, from the highest down. Before each bit, for the number m of the bits
above it, p2 and p3 represent m*P and (m + 1)*P, swapped if the last bit is 1. A bit b makes 2*m + b of m:
one iteration is run for each b and each last bit, on multiples of P by any m. For x(P) = 0 every point has
X*Z = 0 instead. The step and the functions around the ladder are lemmas.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

from efdgen.generator.errors import EfdgenError
from efdgen.generator.routines import tree
from efdgen.generator.routines.integers import RoutineError
from efdgen.generator.routines.interpreter import Interpreter
from efdgen.verify.lemmas.ladder import prove_affine, prove_encodings, prove_points, prove_step, prove_x
from efdgen.verify.routines.points import Point, multiple
from efdgen.verify.symbols.bits import Bitwise, bits_of, symbol_bit, word
from efdgen.verify.symbols.blocks import Blocks, without_comments
from efdgen.verify.symbols.facts import WORD, Facts
from efdgen.verify.symbols.integers import Symbol

if TYPE_CHECKING:
    from efdgen.generator.planning.ladder import LadderPlan
    from efdgen.generator.routines.module import Module

# The routines that may be called proved.
FOLLOWED = frozenset(
    [
        *("ladder", "x_multiply", "affine_multiple", "ladder_multiply", "multiply", "multiply_generator"),
        *("right_side", "is_on_curve", "from_affine"),
        *("low_bit", "with_low_bit", "point_with_x", "lift_x", "encode", "decode"),
    ]
)

_BYTE = 8


def prove_ladder(plan: LadderPlan, module: Module) -> dict[str, str]:
    """Prove the routines of a Montgomery curve; return claims about its multiplications.

    Raises :class:`EfdgenError` where one is wrong.
    """
    try:
        prove_x_multiply(plan, module)
        prove_affine(plan, module)
        prove_points(plan, module)
        prove_encodings(plan, module)
        for name in ("ladder_multiply", "multiply", "multiply_generator"):
            _prove_same(module, name)
    except RoutineError as error:
        raise EfdgenError(f"the ladder is not proved: {error}") from None
    of_points = "Proved: k·P for every k and P"
    return {
        "x_multiply": "Proved: x(k·P) for every k and every x of a point P of the curve or its twist",
        "ladder_multiply": of_points,
        "multiply": of_points,
        "multiply_generator": "Proved: k·G for every k",
    }


def prove_x_multiply(plan: LadderPlan, module: Module) -> None:
    """Prove x(k·P) for every k and every x of a point P; raise an error where a routine is wrong."""
    _prove_bits(module)
    _Loop(module).prove()
    prove_step(plan, module)
    prove_x(plan, module)


def _number(module: Module, name: str) -> int:
    found = module.constants[name].value
    assert isinstance(found, int)
    return found


def _prove_bits(module: Module) -> None:
    """Prove that scalar_bit returns each bit of a scalar."""
    size = _number(module, "SCALAR_BYTES")
    data = [word(symbol_bit((f"k{i}", j)) for j in range(_BYTE)) for i in range(size)]
    for at in range(_BYTE * size):
        (found,) = Interpreter(module, values=Bitwise(Facts())).call("scalar_bit", data, at)
        wanted = symbol_bit((f"k{at // _BYTE}", at % _BYTE))
        if bits_of(found, WORD) != [wanted, *[0] * (WORD - 1)]:
            raise EfdgenError(f"scalar_bit does not return bit {at}")


def _pair(point: Point) -> dict[str, tuple[str, Point]]:
    """Return X and Z of a point."""
    return {member: (member, point) for member in ("X", "Z")}


class _Loop:
    """The routine ``ladder``, and the steps of the proof of its contract."""

    def __init__(self, module: Module) -> None:
        self._blocks = Blocks(module, module.routines["ladder"])
        *self._start, loop, last, end = without_comments(self._blocks.routine.body)
        whole = tree.Number(_BYTE * _number(module, "SCALAR_BYTES"))
        if (
            not isinstance(loop, tree.For)
            or (loop.start, loop.stop) != (tree.Number(0), whole)
            or not loop.down
        ):
            raise RoutineError("it is no loop over all bits, from the highest down")
        if not isinstance(end, tree.Return) or end.values != (tree.Name("p2"), tree.Name("p3")):
            raise RoutineError("it returns something other than its points")
        self._loop, self._last = loop, last

    def prove(self) -> None:
        """Prove the start, a bit after any others, and the end."""
        x, k = object(), object()
        constants = {"ONE": "one", "ZERO": "zero"}
        names = ("p1", "p2", "p3", "swapped")
        found = self._blocks.run(self._start, {"k": k, "x": x}, None, constants, names)
        first = {"p1": {"X": x}, "p2": {"X": "one", "Z": "zero"}, "p3": {"X": x, "Z": "one"}, "swapped": 0}
        if any(found[name] != value for name, value in first.items()):
            raise RoutineError("it does not begin with the identity and P")
        m, p = Point({"P": {"m": 1}}), multiple("P")
        for swapped, bit in product((0, 1), repeat=2):
            made = m.times(2).plus(p, bit)
            state = self._state(m, swapped) | {"p1": _difference(), "k": k, self._loop.name: Symbol("i")}
            contracts = {
                "scalar_bit": lambda *given, b=bit: [_bit(given, (k, Symbol("i")), b)],
                "fe_cswap": lambda a, b, flag: [b, a] if flag else [a, b],
                "step_kernel": _step,
            }
            found = self._blocks.run(self._loop.body, state, contracts)
            if any(found[name] != value for name, value in self._state(made, bit).items()):
                raise RoutineError(f"the bit {bit} after a bit {swapped} makes other multiples")
            found = self._blocks.run([self._last], self._state(m, swapped), contracts)
            if (found["p2"], found["p3"]) != (_pair(m), _pair(m.plus(p))):
                raise RoutineError(f"other multiples are returned after a bit {swapped}")

    @staticmethod
    def _state(m: Point, swapped: int) -> dict[str, Any]:
        """Return the variables for a multiple and the next one."""
        both = _pair(m), _pair(m.plus(multiple("P")))
        return {"p2": both[swapped], "p3": both[1 - swapped], "swapped": swapped}


def _difference() -> dict[str, object]:
    return {"X": ("X", multiple("P"))}


def _bit(given: tuple[object, ...], wanted: tuple[object, ...], bit: int) -> int:
    if given != wanted:
        raise RoutineError("another bit is read")
    return bit


def _step(p1: object, p2: dict[str, tuple[str, Point]], p3: dict[str, tuple[str, Point]]) -> list[Any]:
    """Return the double of the first point, and the sum of both, whose difference is P or -P."""
    one, other = p2["X"][1], p3["X"][1]
    if p1 != _difference() or p2 != _pair(one) or p3 != _pair(other):
        raise RoutineError("a step on parts of points")
    if other.plus(one, -1) not in (multiple("P"), multiple("P", -1)):
        raise RoutineError("a step on points whose difference is not P")
    return [_pair(one.times(2)), _pair(one.plus(other))]


def _prove_same(module: Module, name: str) -> None:
    """Prove that a routine is affine_multiple of its own arguments, or of k and the generator."""
    k, p, r, finite = object(), object(), object(), object()
    parameters = [parameter.name for parameter in module.routines[name].parameters]

    def called(*given: object) -> list[object]:
        if given != (k, p):
            raise RoutineError("a multiple of another point")
        return [r, finite]

    arguments = [{"k": k, "p": p}[parameter] for parameter in parameters]
    found = Interpreter(module, {"affine_multiple": called}, {"GENERATOR": p}).call(name, *arguments)
    if found != [r, finite] or parameters != ["k", "p"][: 1 if name == "multiply_generator" else 2]:
        raise RoutineError(f"{name} returns something other than the multiple")
