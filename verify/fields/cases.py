"""Cases of functions on elements: together they are all inputs, each with its required result.

Comments beside the cases say why they are all. In GF(p²), with ν = i², a is a square where its norm
a0² - ν·a1² is one in GF(p), and the norm is 0 only where a is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any, TypeAlias

from efdgen.verify.fields.arithmetic import Arithmetic, Pair
from efdgen.verify.fields.elements import ONE, ZERO, Element, World

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from efdgen.generator.mathematics.ground import Ground

Value = Any
# Says of a result and a flag whether they are what they should be.
Holds: TypeAlias = Callable[[Arithmetic, Value, Value], bool]


@dataclass(frozen=True)
class Case:
    """Inputs by their names in C, what is known of them, and what must hold of what comes out."""

    world: World
    inputs: dict[str, Value]
    holds: Holds


@dataclass(frozen=True)
class Of:
    """Cases for a function on elements of GF(p) or GF(2^m), or on ``pairs``, elements of GF(p²)."""

    ground: Ground
    nonresidue: int
    pairs: bool

    def symbol(self, name: str) -> Value:
        """Return an element of which nothing is known."""
        if not self.pairs:
            return Element.symbol(name)
        return Pair(Element.symbol(f"{name}0"), Element.symbol(f"{name}1"))

    @property
    def zero(self) -> Value:
        """0."""
        return Pair(ZERO, ZERO) if self.pairs else ZERO

    @property
    def one(self) -> Value:
        """1."""
        return Pair(ONE, ZERO) if self.pairs else ONE

    def world(self, units: str = "", **known: Value) -> World:
        """Return what is known of symbols, of which ``units`` are not 0."""
        return World(self.ground, frozenset(units.split()), **known)

    # Functions that are one formula

    def formula(self, names: str, formula: Callable[..., Value]) -> Iterator[Case]:
        """Give what a formula says, whatever the inputs are."""
        inputs = {name: self.symbol(name) for name in names}
        yield Case(self.world(), inputs, lambda a, r, _: a.same(r, formula(a, *inputs.values())))

    def constant(self, value: Value) -> Iterator[Case]:
        """Give a number."""
        yield Case(self.world(), {}, _gives(value))

    def multiple(self) -> Iterator[Case]:
        """Give a·k, k a word."""
        x, k = self.symbol("a"), Element.symbol("k")
        factor = Pair(k, ZERO) if self.pairs else k
        yield Case(self.world(), {"a": x, "k": k}, lambda a, r, _: a.same(r, a.mul(x, factor)))

    def squared(self) -> Iterator[Case]:
        """Square 0 to 3 times, and as often as p has bits; further turns are alike."""
        x = Element.symbol("a")
        for n in (0, 1, 2, 3, self.ground.bits):
            yield Case(self.world(), {"a": x, "n": n}, _gives(x ** (1 << n)))

    def norm(self) -> Iterator[Case]:
        """Give a0² - ν·a1²."""
        x = self.symbol("a")
        yield Case(self.world(), {"a": x}, _gives(x.c0**2 - (x.c1**2).times(self.nonresidue)))

    # Choices and tests

    def choice(self) -> Iterator[Case]:
        """Give a where the flag is 1, b where it is 0."""
        x, y = self.symbol("a"), self.symbol("b")
        for flag in (0, 1):
            yield Case(self.world(), {"flag": flag, "a": x, "b": y}, _gives(x if flag else y))

    def swap(self) -> Iterator[Case]:
        """Give b and a where the flag is 1, a and b where it is 0."""
        x, y = self.symbol("a"), self.symbol("b")
        for flag in (0, 1):
            yield Case(self.world(), {"a": x, "b": y, "flag": flag}, _all_of((y, x) if flag else (x, y)))

    def is_zero(self) -> Iterator[Case]:
        """Tell whether a is 0, whatever it is."""
        x = self.symbol("a")
        yield Case(self.world(), {"a": x}, lambda a, _, flag: is_told(a, x, flag))

    def is_equal(self) -> Iterator[Case]:
        """Tell whether a and b are equal, whatever they are."""
        x, y = self.symbol("a"), self.symbol("b")
        yield Case(self.world(), {"a": x, "b": y}, lambda a, _, flag: is_told(a, a.sub(x, y), flag))

    # Inverses and squares

    def by_norm(self) -> Iterator[tuple[World, Pair, int]]:
        """Give 0, and pairs that are not 0 whose norm n is a square and none: a0² is n + ν·a1²."""
        yield self.world(), Pair(ZERO, ZERO), 0
        x, n = self.symbol("a"), Element.symbol("n")
        for character in (1, -1):
            squares = {"a0": n + (x.c1**2).times(self.nonresidue)}
            never = ((x.c0, x.c1),)
            yield self.world("n", characters={"n": character}, squares=squares, never=never), x, character

    def inverse(self) -> Iterator[Case]:
        """Give 1/a, and 0 of 0."""
        for world, x, character in self.by_norm():
            yield Case(world, {"a": x}, _is_inverse(x, self.one) if character else _gives(self.zero))

    def is_square(self) -> Iterator[Case]:
        """Tell whether a is a square."""
        for world, x, character in self.by_norm():
            yield Case(world, {"a": x}, _tells(int(character >= 0)))

    def batch(self) -> Iterator[Case]:
        """Give up to three elements, each 0 or not; further turns are alike."""
        for n in range(4):
            for pattern in product((False, True), repeat=n):
                values = [Element.symbol(f"a{at}") if kept else ZERO for at, kept in enumerate(pattern)]
                wanted = [value**-1 if kept else ZERO for value, kept in zip(values, pattern, strict=True)]
                units = " ".join(f"a{at}" for at in range(n))
                yield Case(self.world(units), {"values": values}, _all_of(wanted))

    # Roots in GF(p): x is 0, or the square of 1/y where y is its inverse root, or no square

    def root(self) -> Iterator[Case]:
        """Give r with r² = a, or 0."""
        for world, x, flag in self._with_roots():
            yield Case(world, {"a": x}, _is_root(x, ONE, int(flag or not x.terms)))

    def inverse_root(self) -> Iterator[Case]:
        """Give r with a·r² = 1, or 0."""
        for world, x, flag in self._with_roots():
            yield Case(world, {"a": x}, _is_root(ONE, x, flag))

    def _with_roots(self) -> Iterator[tuple[World, Element, int]]:
        """Give 0, s², and what is no square, and whether it has an inverse root."""
        s, x = Element.symbol("s"), Element.symbol("x")
        yield self.world(), ZERO, 0
        yield self.world("s", roots={s**2: s**-1}), s**2, 1
        yield self.world("x", characters={"x": -1}), x, 0

    def ratio(self) -> Iterator[Case]:
        """Give r with b·r² = a, or 0."""
        for world, one, other, flag, _ in self._ratios():
            yield Case(world, {"a": one, "b": other}, _is_root(one, other, flag))

    def ratio_z(self) -> Iterator[Case]:
        """Give r with b·r² = a, or ζ·a, and 0 for b = 0."""
        for world, one, other, flag, square in self._ratios():
            yield Case(world, {"a": one, "b": other}, _is_either(square, other, flag))

    def _ratios(self) -> Iterator[tuple[World, Element, Element, int, Element]]:
        """Give a and b, 0 or not, with a square a·b = s² or none, ζ·s²; whether a/b is one, and b·r²."""
        b, s, zeta = (Element.symbol(name) for name in "bsζ")
        yield self.world(), ZERO, b, 1, ZERO
        yield self.world("b"), b, ZERO, 0, ZERO
        square = s**2 * b**-1
        yield self.world("b s", roots={s**2: s**-1}), square, b, 1, square
        world = self.world("b s ζ", characters={"ζ": -1}, roots={zeta * s**2: s**-1})
        yield world, zeta * square, b, 0, zeta**2 * square

    # In GF(2^m)

    def half_trace(self) -> Iterator[Case]:
        """Give the sum of a^(4^i)."""
        x = Element.symbol("a")
        powers = (x ** (1 << 2 * at) for at in range(self.ground.bits // 2 + 1))
        wanted = Element.of(term for power in powers for term in power.terms)
        yield Case(self.world(), {"a": x}, _gives(wanted))

    def solution(self) -> Iterator[Case]:
        """Give the even z of z² + z = a, or 0.

        An element of trace 0 is z² + z for two z, of which one is even, and either may be found first; one of
        trace 1 is not.
        """
        z, x = Element.symbol("z"), Element.symbol("a")
        evens = {z: z, z + ONE: z}
        for found in evens:
            world = self.world(traces={z**2 + z: 0}, solutions={z**2 + z: found}, evens=evens)
            yield Case(world, {"a": z**2 + z}, _has(z, 1))
        yield Case(self.world(traces={x: 1}), {"a": x}, _has(ZERO, 0))

    # Roots in GF(p²)

    def pair_root(self) -> Iterator[Case]:
        """Give r with r² = a, or 0."""
        for world, x, flag in self._pairs_with_roots():
            yield Case(world, {"a": x}, _is_root(x, self.one, flag))

    def pair_inverse_root(self) -> Iterator[Case]:
        """Give r with a·r² = 1, or 0, of 0 too."""
        for world, x, flag in self._pairs_with_roots():
            yield Case(world, {"a": x}, _is_root(self.one, x, int(flag and x != self.zero)))

    def _pairs_with_roots(self) -> Iterator[tuple[World, Pair, int]]:
        """Give 0, what has no root, and what has one: with its norm σ², and what halves of a0 ± σ are."""
        yield self.world(), Pair(ZERO, ZERO), 1
        n, a0, a1 = (Element.symbol(name) for name in ("n", "a0", "a1"))
        squares, never = {"a0": n + (a1**2).times(self.nonresidue)}, ((a0, a1),)
        yield self.world("n", characters={"n": -1}, squares=squares, never=never), Pair(a0, a1), 0
        yield from self._in_base()
        yield from self._beyond_base()

    def _in_base(self) -> Iterator[tuple[World, Pair, int]]:
        """Give a0 ≠ 0 where a1 = 0: it is τ² or τ²/ν, and the root of its norm is found with either sign."""
        tau, nu = Element.symbol("τ"), Fraction(self.nonresidue)
        for a0, sign in product((tau**2, (tau**2).times(1 / nu)), (1, -1)):
            roots = {a0**2: (a0**-1).times(sign), tau**2: tau**-1, **self._minus(tau)}
            yield self.world("τ", roots=roots, never=((a0,),)), Pair(a0, ZERO), 1

    def _beyond_base(self) -> Iterator[tuple[World, Pair, int]]:
        """Give a1 ≠ 0: then (a0 + σ)/2·(a0 - σ)/2 = ν·a1²/4 is no square, so that one of both is.

        They are τ² and ν·ρ² in either order, a1 = 2ρτ, and σ is their difference.
        """
        sigma, tau, rho = (Element.symbol(name) for name in "στρ")
        nu = Fraction(self.nonresidue)
        minus = (rho**2).times(nu)
        for squares, square, other, more in (
            ({"ρ": (tau**2 - sigma).times(1 / nu)}, tau**2, tau**2 - sigma, tau),
            ({"τ": minus - sigma}, minus - sigma, minus, rho),
        ):
            roots = {sigma**2: sigma**-1, square: tau**-1, **self._minus(more)}
            told, a1 = {square: True, other: False}, (rho * tau).times(2)
            world = self.world("σ τ ρ", squares=squares, told=told, roots=roots, never=((a1,),))
            yield world, Pair(square + other, a1), 1

    def _minus(self, root: Element) -> dict[Element, Element]:
        """Return the inverse root of -x² where -1 is no square: y with -x²·y² = -1, as 1/x is."""
        return {(root**2).times(-1): root**-1} if self.nonresidue == -1 else {}


def _gives(wanted: Value) -> Holds:
    return lambda a, r, _: a.same(r, wanted)


def _all_of(wanted: Sequence[Value]) -> Holds:
    return lambda a, r, _: len(r) == len(wanted) and all(map(a.same, r, wanted))


def _has(wanted: Value, flag: int) -> Holds:
    return lambda a, r, found: bool(found == flag) and a.same(r, wanted)


def _tells(wanted: int) -> Holds:
    return lambda _a, _r, flag: bool(flag == wanted)


def _is_inverse(x: Value, one: Value) -> Holds:
    return lambda a, r, _: a.same(a.mul(x, r), one)


def _is_root(x: Value, of: Value, flag: int) -> Holds:
    """Return whether ``of``·r² = x if there is such an r, and r = 0 if there is none."""

    def holds(a: Arithmetic, r: Value, found: Value) -> bool:
        right = a.same(a.mul(of, a.sqr(r)), x) if flag else a.vanishes(r)
        return bool(found == flag and right)

    return holds


def _is_either(square: Value, of: Value, flag: int) -> Holds:
    """Return whether ``of``·r² is a given one of two numbers, and r = 0 where ``of`` is."""

    def holds(a: Arithmetic, r: Value, found: Value) -> bool:
        right = a.same(a.mul(of, a.sqr(r)), square) and (not a.vanishes(of) or a.vanishes(r))
        return bool(found == flag and right)

    return holds


def is_told(a: Arithmetic, x: Value, flag: Value) -> bool:
    """Return whether a flag tells whether something is 0, by what is known and assumed."""
    if flag:
        return bool(flag == 1 and a.vanishes(x))
    return any(map(a.world.differs, x)) if isinstance(x, Pair) else bool(a.world.differs(x))


# The cases of each function, by its name after ``fe_`` or ``fe2_``.
CASES: dict[str, Callable[[Of], Iterator[Case]]] = {
    "set_zero": lambda of: of.constant(of.zero),
    "set_one": lambda of: of.constant(of.one),
    "add": lambda of: of.formula("ab", lambda a, x, y: a.add(x, y)),
    "sub": lambda of: of.formula("ab", lambda a, x, y: a.sub(x, y)),
    "neg": lambda of: of.formula("a", lambda a, x: a.times(x, -1)),
    "half": lambda of: of.formula("a", lambda a, x: a.times(x, Fraction(1, 2))),
    "mul": lambda of: of.formula("ab", lambda a, x, y: a.mul(x, y)),
    "sqr": lambda of: of.formula("a", lambda a, x: a.mul(x, x)),
    "conj": lambda of: of.formula("a", lambda a, x: a.conj(x)),
    "norm": Of.norm,
    "mul_small": Of.multiple,
    "sum_of_products": lambda of: of.formula("abcd", lambda a, x, y, z, w: a.add(a.mul(x, y), a.mul(z, w))),
    "difference_of_products": lambda of: of.formula(
        "abcd", lambda a, x, y, z, w: a.sub(a.mul(x, y), a.mul(z, w))
    ),
    "select": Of.choice,
    "cswap": Of.swap,
    "is_zero": Of.is_zero,
    "equal": Of.is_equal,
    "sqr_n": Of.squared,
    "inv": Of.inverse,
    "inv_var": Of.inverse,
    "inv_batch": Of.batch,
    "is_square": Of.is_square,
    "is_square_var": Of.is_square,
    "sqrt": lambda of: of.pair_root() if of.pairs else of.root(),
    "inv_sqrt": lambda of: of.pair_inverse_root() if of.pairs else of.inverse_root(),
    "sqrt_ratio": Of.ratio,
    "sqrt_ratio_z": Of.ratio_z,
    "half_trace": Of.half_trace,
    "solve_quadratic": Of.solution,
}
