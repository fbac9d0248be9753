"""Lemmas on binary curves: constants as functions of parameters, halving, and encodings by y/x.

The points are those of odd order. Parameters that are not 0 or 1 are names, so that what is proved holds for
all curves with such parameters.
"""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any

from efdgen.generator.curves.odd import halvings
from efdgen.generator.language.syntax import Name, names_in
from efdgen.generator.programs.interpreter import evaluate
from efdgen.generator.routines.integers import RoutineError
from efdgen.generator.routines.interpreter import Interpreter
from efdgen.verify.lemmas import encodings
from efdgen.verify.lemmas.elements import Lawful
from efdgen.verify.lemmas.later import later, now
from efdgen.verify.lemmas.shapes import Infinite

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from efdgen.generator.language.syntax import Equation
    from efdgen.generator.planning.plan import CurvePlan
    from efdgen.verify.laws.algebra import Ratio
    from efdgen.verify.lemmas.elements import Elements
    from efdgen.verify.lemmas.prover import PointRun, Prover
    from efdgen.verify.lemmas.shapes import Affine, Value

_FREE = ("a2", "c")
ROOTS = ("w", "r")
"""Names of solutions of equations in a proof."""


def names(plan: CurvePlan) -> list[str]:
    """Return the names of a plan's constants, and those for solutions of equations; none over GF(p)."""
    if plan.model != "binary":
        return []
    values = _values(plan)
    return [*(name for name in _FREE if values[name] > 1), *ROOTS]


def _values(plan: CurvePlan) -> dict[str, int]:
    found = dict(plan.curve.parameters)
    for kernel in plan.kernels.kernels:
        found |= kernel.parameters
    return found


def define(plan: CurvePlan, elements: Elements) -> None:
    """Make the constants of a plan known as functions of its free parameters; c is not 0."""
    if plan.model != "binary":
        return
    values = _values(plan)
    known = {n: elements.name(n) if values[n] > 1 else elements.number(values[n]) for n in _FREE}
    left = [*_definitions(plan)]
    while left:
        ready = [(n, e) for n, e in left if {x.text for x in names_in(e)} <= known.keys()]
        if not ready:
            break
        for name, expression in ready:
            known.setdefault(name, evaluate(expression, elements, known))
        left = [each for each in left if each not in ready]
    elements.known |= {values[name]: value for name, value in known.items() if values[name] > 1}
    elements.assume(known["c"].numerator)


def solving(run: PointRun) -> dict[str, Callable[..., list[Any]]]:
    """Return contracts of roots: w with w^2 + w = a, if there is one on this way, and r with r^2 = a."""
    elements = run.elements

    def solved(a: Ratio) -> list[Any]:
        value, root = now(a), elements.name("w")
        if not elements.choose("w^2 + w = a has a solution"):
            return [elements.zero, 0]
        elements.relate([(root * root + root - value).numerator])
        return [root, 1]

    def rooted(a: Ratio) -> Ratio:
        root = elements.name("r")
        elements.relate([(root * root - a).numerator])
        return root

    return {"fe_solve_quadratic": solved, "fe_sqrt": later(rooted)}


def _coordinates(point: Affine) -> Value:
    return {"X": point["x"], "Y": point["y"]}


def _asking(run: PointRun, name: str, *answer: Any) -> list[Any]:  # noqa: ANN401 - elements and choices
    """Give a function an answer, and return the list of what it will be asked."""
    asked: list[Any] = []

    def answered(given: Any) -> list[Any]:  # noqa: ANN401 - as above
        asked.append(now(given))
        return list(answer)

    run.leaves[name] = answered
    return asked


def half(prover: Prover, name: str) -> None:
    """Prove that a function returns a half of a point with x other than 0, and 0 where there is none.

    It says that there is none where x + a2 is not w^2 + w, which it is for every double.
    """

    def follow(run: PointRun) -> str:
        run.leaves |= solving(run)
        point = run.curve.point(1, other="x")
        found, exists = run.call(name, _coordinates(point))
        if not exists:
            return ""
        own = {"x": found["X"], "y": found["Y"]}
        if not run.nonzero(own["x"]):
            return "it returns the point of order 2"
        if run.nonzero(run.curve.equation(own)):
            return "it returns no point of the curve"
        return run.difference("affine", _coordinates(run.curve.law.double(own)), point)

    def doubled(run: PointRun) -> str:
        point = run.curve.point(1, other="x")
        double, slope = run.curve.law.double(point), point["x"] + point["y"] * run.elements.inv(point["x"])
        asked = _asking(run, "fe_solve_quadratic", run.elements.zero, 0)
        run.leaves["fe_sqrt"] = later(lambda a: a)
        run.call(name, _coordinates(double))
        return "it asks for another number" if run.nonzero(asked[0] - slope * slope - slope) else ""

    prover.every(name, "any point", follow)
    prover.every(name, "any double", doubled)


def odd(prover: Prover, name: str) -> None:
    """Prove that a function returns whether a point is of odd order: whether halves exist.

    There is one point of order 2, so that points whose order is a power of 2 form a cyclic group. If it has
    four elements, both halves of a point can be halved or neither, since the point of order 2 can.
    """
    count, curve = halvings(prover.plan.curve), prover.plan.curve
    assert curve.field.is_binary
    if count > 1 and curve.field.trace(curve.parameters["a2"]):
        raise RoutineError("the point of order 2 has no half")
    for *exist, zero in product((0, 1), repeat=count + 1):
        halves = [{"X": f"x{i}", "Y": f"y{i}"} for i in range(count + 1)]

        def halved(p: Any, answers: list[int] = exist, known: list[Any] = halves) -> list[Any]:  # noqa: ANN401
            at = known.index(p)
            return [known[at + 1], answers[at]]

        leaves = {"half": halved, "fe_is_zero": encodings.only("x0", [zero])}
        found = Interpreter(prover.module, leaves).call(name, halves[0])
        if found != [int(all(exist) and not zero)]:
            raise RoutineError(f"{name} returns {found[0]}")


def conjunction(*parts: str) -> Callable[[Prover, str], None]:
    """Return the proof that a function returns whether all of some others say 1 of its argument."""

    def prove(prover: Prover, name: str) -> None:
        for answers in product((0, 1), repeat=len(parts)):
            leaves = {part: encodings.only("P", [value]) for part, value in zip(parts, answers, strict=True)}
            if Interpreter(prover.module, leaves).call(name, "P") != [int(all(answers))]:
                raise RoutineError(f"{name} returns something else")

    return prove


def lifted(prover: Prover, name: str) -> None:
    """Prove that a function returns a point of odd order, given by coordinates that are its."""

    def follow(run: PointRun) -> str:
        point = run.curve.odd_point()[0]
        (found,) = run.call(name, _coordinates(point))
        return run.difference("point", found, point)

    prover.every(name, "any point of odd order", follow)


def from_affine(prover: Prover, name: str) -> None:
    """Prove that a function returns the point (x, y) and 1 if affine_is_on_curve does, or zeros."""
    for on in (0, 1):

        def follow(run: PointRun, on: int = on) -> str:
            point = run.curve.odd_point()[0]
            run.leaves["affine_is_on_curve"] = lambda _: [on]
            found, told = run.call(name, _coordinates(point))
            if told != on:
                return f"it returns {told}"
            if on:
                return run.difference("point", found, point)
            return "it returns other members than 0" if any(map(run.nonzero, found.values())) else ""

        prover.every(name, f"affine_is_on_curve = {on}", follow)


def is_point(prover: Prover, name: str) -> None:
    """Prove that a function returns whether members with Z != 0 are of the identity or a point."""

    def follow(run: PointRun) -> str:
        members, elements = prover.shapes["point"].members, run.elements
        value = {m: elements.name(f"p.{m}") for m in members}
        elements.assume(value["Z"].numerator)
        (found,) = run.call(name, value)
        if not run.nonzero(value["X"]):
            wanted = not run.difference("point", value, Infinite(proper=True))
        elif run.nonzero(value["T"] - value["X"] * value["Z"]):
            wanted = False
        else:
            point = _meant(run, value)
            wanted = not run.nonzero(run.curve.equation(point))
        return "" if found == wanted else f"it returns {found}"

    prover.every(name, "any members", follow)


def _meant(run: PointRun, value: Value) -> Affine:
    """Return the coordinates that the meanings of x and y/x are for members other than 0."""
    known = {**run.curve.parameters, **value}
    x, ratio = (
        evaluate(meaning.right, Lawful(run.elements), known) for meaning in run.curve.system.meanings[:2]
    )
    return {"x": x, "y": x * ratio}


def is_on_curve(prover: Prover, name: str) -> None:
    """Prove that a function returns whether members are those of the identity or of a point of odd order."""
    for equations, zero, is_odd, neutral in product((0, 1), repeat=4):
        leaves = {
            "satisfies_equations": encodings.only({"Z": "z"}, [equations]),
            "fe_is_zero": encodings.only("z", [zero]),
            "reduced": encodings.only({"Z": "z"}, ["affine"]),
            "is_odd": encodings.only("affine", [is_odd]),
            "is_identity": encodings.only({"Z": "z"}, [neutral]),
        }
        found = Interpreter(prover.module, leaves).call(name, {"Z": "z"})
        if found != [int(equations and not zero and (is_odd or neutral))]:
            raise RoutineError(f"{name} returns {found[0]}")


def encoded_affine(prover: Prover, name: str) -> None:
    """Prove that a function returns 02 or 03, by the low bit of y/x, and x; 0 and x for the flag 0."""
    size = encodings.Sizes(prover.module).field
    for bit, flag in product((0, 1), repeat=2):
        leaves: Mapping[str, Callable[..., list[Any]]] = {
            "fe_inv": encodings.only("x", ["1/x"]),
            "fe_mul": encodings.only(("y", "1/x"), ["y/x"]),
            "low_bit": encodings.only("y/x", [bit]),
            "fe_to_bytes": lambda number: [encodings.bytes_of(number, size)],
        }
        found = encodings.interpreter(prover.module, leaves).call(name, {"X": "x", "Y": "y"}, flag)
        if found != [[flag * (2 | bit), *encodings.bytes_of("x", size)]]:
            raise RoutineError(f"{name} returns other bytes")


def with_x(prover: Prover, name: str) -> None:
    """Prove that a function returns the point with an x and a low bit of y/x, and whether it exists.

    It is looked for by w with w^2 + w = x + a2 + a6/x^2, as y/x is, for x other than 0. Of the solutions the
    even one is given.
    """

    def follow(run: PointRun, bit: int, is_odd: int) -> str:
        x = run.elements.name("x1")
        run.leaves |= solving(run)
        asked = _asking(run, "is_odd", is_odd)
        found, exists = run.call(name, x, bit)
        if len(asked) != 1:
            return "it does not ask about one point"
        (candidate,) = asked
        if not exists:
            if any(map(run.nonzero, found.values())):
                return "it returns other members than 0"
            return ""
        if not run.nonzero(x):
            return ""  # is_odd is 0 there
        point = {"x": x, "y": x * (run.elements.name("w") + run.elements.number(bit))}
        if run.nonzero(run.curve.equation(point)):
            return "it returns no point of the curve"
        if any(map(run.nonzero, (candidate["X"] - point["x"], candidate["Y"] - point["y"]))):
            return "it asks about another point"
        if not run.nonzero(point["x"] + run.curve.parameters["c"]):
            return ""  # of order 4
        return run.difference("point", found, point)

    def of_point(run: PointRun) -> str:
        point = run.curve.point(1, other="x")
        ratio = point["y"] * run.elements.inv(point["x"])
        asked = _asking(run, "fe_solve_quadratic", run.elements.zero, 0)
        run.leaves["is_odd"] = lambda _: [0]
        run.call(name, point["x"], 0)
        return "it asks for another number" if run.nonzero(asked[0] - ratio * ratio - ratio) else ""

    for bit, is_odd in product((0, 1), repeat=2):
        case = f"the low bit {bit}, {'an odd' if is_odd else 'another'} order"
        prover.every(name, case, partial(follow, bit=bit, is_odd=is_odd))
    prover.every(name, "any point", of_point)


def _definitions(plan: CurvePlan) -> Iterator[tuple[str, Any]]:
    """Yield the names that assumptions define, with their expressions in other parameters."""
    equations: dict[Equation, None] = {}
    for kernel in plan.kernels.kernels:
        equations |= dict.fromkeys((*kernel.formula.system.assumptions, *kernel.formula.all_assumptions))
    values = _values(plan)
    for equation in equations:
        for name, expression in ((equation.left, equation.right), (equation.right, equation.left)):
            named = {each.text for each in names_in(expression)}
            if isinstance(name, Name) and {name.text, *named} <= values.keys() and name.text not in named:
                yield name.text, expression
