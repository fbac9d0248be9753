"""Statements on functions of points and entries, each proved for all of these by cases."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.verify.lemmas.prover import LABELS
from efdgen.verify.lemmas.shapes import Infinite

if TYPE_CHECKING:
    from efdgen.verify.lemmas.cases import Case
    from efdgen.verify.lemmas.prover import PointRun, Prover
    from efdgen.verify.lemmas.shapes import Point


def sum_of(prover: Prover, name: str) -> None:
    """Prove that a function returns P + Q."""
    _law(prover, name, prover.pairs)


def difference_of(prover: Prover, name: str) -> None:
    """Prove that a function returns P - Q."""
    _law(prover, name, prover.pairs, sign=-1)


def regular_sum_of(prover: Prover, name: str) -> None:
    """Prove that a function returns P + Q for points that no formula is wrong for."""
    _law(prover, name, [case for case in prover.pairs if case.regular])


def double_of(prover: Prover, name: str) -> None:
    """Prove that a function returns 2*P."""
    _law(prover, name, prover.single)


def regular_double_of(prover: Prover, name: str) -> None:
    """Prove that a function returns 2*P, or any identity, for points that no formula is wrong for."""
    _law(prover, name, [case for case in prover.single if case.regular], proper=False)


def _law(prover: Prover, name: str, cases: list[Case], *, sign: int = 1, proper: bool = True) -> None:
    kinds, (made,) = prover.types(name)

    def follow(run: PointRun, case: Case) -> str:
        points, total = case.make(run.curve)
        if sign < 0:
            points[-1] = _negative(run, points[-1])
        if not run.curve.total and not _fit(points, kinds):
            return ""
        (found,) = run.call(name, *map(run.value, kinds, LABELS, points))
        loose = isinstance(total, Infinite) and not proper
        return run.difference(made, found, Infinite(proper=False) if loose else total)

    prover.cases(name, cases, follow)


def negative_of(prover: Prover, name: str) -> None:
    """Prove that a function returns -P."""
    _copy(prover, name, negative=True)


def copy_of(prover: Prover, name: str) -> None:
    """Prove that a function returns P in another structure."""
    _copy(prover, name, negative=False)


def _copy(prover: Prover, name: str, *, negative: bool) -> None:
    kinds, (made,) = prover.types(name)

    def follow(run: PointRun, case: Case) -> str:
        points, _ = case.make(run.curve)
        if not run.curve.total and not _fit(points, kinds):
            return ""
        (found,) = run.call(name, *map(run.value, kinds, LABELS, points))
        return run.difference(made, found, _negative(run, points[0]) if negative else points[0])

    prover.cases(name, prover.single, follow)


def _fit(points: list[Point], kinds: list[str]) -> bool:
    """Return whether points may be given as these types: entries that are not points are no identity."""
    known = ("point", "doubled")
    return all(kind in known or not isinstance(p, Infinite) for p, kind in zip(points, kinds, strict=True))


def _negative(run: PointRun, point: Point) -> Point:
    return point if isinstance(point, Infinite) else run.curve.law.negate(point)


def choice_of(prover: Prover, name: str) -> None:
    """Prove that a function returns the members of its first argument for 1, of its second for 0."""
    (kind, *_), _ = prover.types(name)
    for flag in (0, 1):

        def follow(run: PointRun, flag: int = flag) -> str:
            members = prover.shapes[kind].members
            values = [{m: run.elements.name(f"{label}.{m}") for m in members} for label in LABELS]
            (found,) = run.call(name, *values, flag)
            return "" if found == values[1 - flag] else "it returns other members"

        prover.every(name, f"the flag {flag}", follow)


def equality_of(prover: Prover, name: str) -> None:
    """Prove that a function returns whether P = Q."""

    def follow(run: PointRun, case: Case) -> str:
        points, _ = case.make(run.curve)
        (found,) = run.call(name, *(run.value("point", *given) for given in zip(LABELS, points, strict=True)))
        return "" if found == _are_equal(run, *points) else f"it returns {found}"

    prover.cases(name, prover.pairs, follow)


def identity_of(prover: Prover, name: str) -> None:
    """Prove that a function returns whether P is the identity."""

    def follow(run: PointRun, case: Case) -> str:
        (point,), _ = case.make(run.curve)
        (found,) = run.call(name, run.value("point", "p", point))
        neutral = Infinite(proper=True) if run.curve.infinite else run.curve.special(0)
        return "" if found == _are_equal(run, point, neutral) else f"it returns {found}"

    prover.cases(name, prover.single, follow)


def _are_equal(run: PointRun, one: Point, other: Point) -> bool:
    if isinstance(one, Infinite) or isinstance(other, Infinite):
        return isinstance(one, Infinite) and isinstance(other, Infinite)
    return not any(run.nonzero(one[c] - other[c]) for c in one)
