"""Statements on entries and points of isomorphic curves, and on images under an endomorphism.

The isomorphic curve of z has the points (x*z^2, y*z^3). A point (X : Y : Z) of the curve itself is
(X : Y : Z/z) there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.verify.lemmas.prover import SCALE
from efdgen.verify.lemmas.shapes import Infinite

if TYPE_CHECKING:
    from efdgen.verify.laws.algebra import Ratio
    from efdgen.verify.lemmas.cases import Case
    from efdgen.verify.lemmas.prover import PointRun, Prover
    from efdgen.verify.lemmas.shapes import Value


def image_of(prover: Prover, name: str) -> None:
    """Prove that a function multiplies x by beta, and nothing else."""

    def follow(run: PointRun) -> str:
        value = _free(run, prover, "entry")
        (found,) = run.call(name, value)
        return _difference(run, found, value | {"X": value["X"] * run.constants["BETA"]})

    prover.every(name, "any entry", follow)


def scaled_of(prover: Prover, name: str) -> None:
    """Prove that a function multiplies x by z^2, and y by z^3."""

    def follow(run: PointRun) -> str:
        value, z = _free(run, prover, "entry"), run.elements.name(SCALE)
        (found,) = run.call(name, value, z)
        return _difference(run, found, {"X": value["X"] * z**2, "Y": value["Y"] * z**3})

    prover.every(name, "any entry", follow)


def raised_of(prover: Prover, name: str) -> None:
    """Prove that a function multiplies Z by z, and nothing else."""

    def follow(run: PointRun) -> str:
        value, z = _free(run, prover, "point"), run.elements.name(SCALE)
        (found,) = run.call(name, value, z)
        return _difference(run, found, value | {"Z": value["Z"] * z})

    prover.every(name, "any point", follow)


def sum_of(prover: Prover, name: str) -> None:
    """Prove that a function returns P + Q on an isomorphic curve, for P on it and Q on the curve."""

    def follow(run: PointRun, case: Case) -> str:
        (p, q), total = case.make(run.curve)
        if isinstance(q, Infinite):
            return ""
        z = run.elements.name(SCALE)
        run.elements.assume(z.numerator)
        p_value, q_value = run.value("point", "p", p), run.value("entry", "q", q)
        moved = p_value | {"Z": p_value["Z"] * run.elements.inv(z)}
        (found,) = run.call(name, moved, q_value, z)
        raised = found | {"Z": found["Z"] * z}
        wanted = Infinite(proper=False) if isinstance(total, Infinite) else total
        return run.difference("point", raised, wanted)

    prover.cases(name, prover.pairs, follow)


def _free(run: PointRun, prover: Prover, kind: str) -> Value:
    return {member: run.elements.name(f"p.{member}") for member in prover.shapes[kind].members}


def _difference(run: PointRun, found: Value, wanted: dict[str, Ratio]) -> str:
    differs = found.keys() != wanted.keys() or any(run.nonzero(found[m] - wanted[m]) for m in wanted)
    return "it returns other coordinates" if differs else ""
