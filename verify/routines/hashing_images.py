"""Proof of hashing to a Montgomery curve: points of the Edwards curve, sums of images, are mapped back.

The map back is the inverse of the map there; of degree 4, both together multiply by 4, the cofactor.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from efdgen.generator.routines.integers import RoutineError
from efdgen.generator.routines.interpreter import Interpreter
from efdgen.verify.lemmas.elements import Lawful

if TYPE_CHECKING:
    from efdgen.generator.curves.hashing import Elligator
    from efdgen.generator.routines.module import Module
    from efdgen.verify.laws.algebra import Ratio
    from efdgen.verify.lemmas.prover import PointRun
    from efdgen.verify.routines.hashing import Maps
    from efdgen.verify.symbols.items import Contracts

_NAMES = ("x1", "y1", "x2")
_DOUBLINGS = 2
"""Doublings of a multiplication by the cofactor 4."""


def prove_images(maps: Maps, to: Elligator, module: Module) -> None:
    """Prove the routines of hashing to the Montgomery curve."""
    _prove_calls(to, module)
    maps.prover.every("map_to_montgomery", "any element", partial(_mapped, maps))
    follow = _inverse if to.degree == 1 else _dual
    maps.prover.every("montgomery_coordinates", "any point", partial(follow, maps, to))


def _prove_calls(to: Elligator, module: Module) -> None:
    """Prove that elements become the image of the sum of their images, of the subgroup."""
    leaves: Contracts = {
        "map_to_curve": lambda u: [f"P({u})"],
        "add": lambda p, q: [" + ".join(sorted((p, q)))],
        "cleared": lambda p: [f"h*({p})"],
        "reduced": lambda p: [{"X": f"X of {p}", "Y": f"Y of {p}"}],
        "montgomery_coordinates": lambda x, y: [f"s({x}, {y})", f"t({x}, {y})"],
    }
    for name, given, point in (
        ("encode_element_to_montgomery", "u", "P(u)"),
        ("hash_elements_to_montgomery", "uv", "P(u) + P(v)"),
    ):
        own = point if to.degree > 1 else f"h*({point})"
        wanted = [f"{image}(X of {own}, Y of {own})" for image in "st"]
        if Interpreter(module, leaves, {}).call(name, *given) != wanted:
            raise RoutineError(f"{name} returns another point")


def _mapped(maps: Maps, run: PointRun) -> str:
    """Follow a map of an element whose image has the fraction n/d and y."""
    maps.give_constants(run)
    n, y, d = map(run.elements.name, _NAMES)
    run.elements.assume(d.numerator)
    run.leaves["map_fraction"] = lambda _: [n, d, y]
    found = run.call("map_to_montgomery", run.elements.zero)
    return _difference(run, found, (n * run.elements.inv(d), y))


def _inverse(maps: Maps, to: Elligator, run: PointRun) -> str:
    """Follow the image of any point of the Edwards curve: it is mapped to the point again."""
    maps.give_constants(run)
    point, elements = run.curve.point(1), run.elements
    s, t = run.call("montgomery_coordinates", point["x"], point["y"])
    if elements.is_zero(point["x"]):
        return _difference(run, (s, t), (elements.zero, elements.zero))
    if not elements.is_zero(t * t - maps.right(run, s)):
        return "the image is not on the curve"
    again = maps.on_edwards(run, to, s, t)
    return _difference(run, (again["x"], again["y"]), (point["x"], point["y"]))


def _dual(maps: Maps, to: Elligator, run: PointRun) -> str:
    """Follow the image of the image of any point of the Montgomery curve: it is 4 times the point."""
    maps.give_constants(run)
    elements = run.elements
    x, y, _ = map(elements.name, _NAMES)
    elements.relate([(y * y - maps.right(run, x)).numerator])
    image = maps.on_edwards(run, to, x, y)
    found = run.call("montgomery_coordinates", image["x"], image["y"])
    if elements.is_zero(image["x"]):
        return _difference(run, found, (elements.zero, elements.zero))
    # Two maps of a curve that agree where no divisor is 0 agree everywhere.
    for _ in range(_DOUBLINGS):
        x, y = _doubled(Lawful(elements), to, x, y)
    return _difference(run, found, (x, y))


def _doubled(field: Lawful, to: Elligator, x: Ratio, y: Ratio) -> tuple[Ratio, Ratio]:
    """Return twice a point of the Montgomery curve."""
    number = field.elements.number
    slope = (number(3) * x * x + number(2 * to.a) * x + number(1)) * field.inv(number(2) * y)
    twice = slope * slope - number(to.a) - number(2) * x
    return twice, slope * (x - twice) - y


def _difference(run: PointRun, found: object, wanted: tuple[Ratio, ...]) -> str:
    """Return how coordinates differ, or an empty text."""
    assert isinstance(found, list | tuple)
    same = all(run.elements.is_zero(one - other) for one, other in zip(found, wanted, strict=True))
    return "" if same else "it returns another point"
