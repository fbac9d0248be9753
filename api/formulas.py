"""Formulas of the database, and of a text: looked up, proved or refuted, and counted."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from os import PathLike

    from efdgen.generator.curves.exceptional import Exceptions
    from efdgen.generator.formulas.cost import Cost
    from efdgen.generator.formulas.database import Database
    from efdgen.generator.formulas.formula import Formula
    from efdgen.verify.account import Account
    from efdgen.verify.exceptions.conclusion import Conclusion


def database() -> Database:
    """Return the database in force: the built-in one, under directories of one's own.

    ``select(["jacobian/doubling"])`` returns ids in order, ``formula(id)`` a formula. Among formulas that
    are not built in only proved ones are chosen.
    """
    from efdgen.generator.formulas.database import Database
    from efdgen.verify.certificate import require_law

    return Database(require=require_law)


@contextmanager
def overlay(*directories: str | PathLike[str]) -> Iterator[None]:
    """Lay directories over the database for a while; the first hides the others.

    A directory has formulas, systems, kinds, maps, curves or hosts, in places such as
    ``g1p/shortw/jacobian-0/doubling/NAME``.
    """
    from efdgen.generator.formulas.layers import over

    with over([Path(each) for each in directories]):
        yield


def formula(name: str) -> Formula:
    """Return a formula by its id, or by a part of the id that no other formula has.

    Raises :class:`EfdgenError` for an unknown name, and for one that several formulas have.
    """
    from efdgen.generator.reports.describe import one_formula

    shelf = database()
    return shelf.formula(one_formula(shelf, name))


def check(text: str, place: str) -> Account:
    """Prove or refute a text as a formula of a place, such as ``g1p/shortw/jacobian-0/doubling``.

    The text is in the language of ``efd/FORMAT.md``, or steps as written in Sage and Magma. The account's
    ``verdict`` is ``proved``, ``refuted``, ``undecided`` or ``error``; that on the law alone is
    ``certificate.verdict``, that on exceptional inputs ``inputs``. If it is refuted, ``refutation`` has
    ``claims``, each with its ``residue``, the ``counterexample`` over a small field, and the ``repairs``:
    single edits with which the formula is proved. Raises :class:`TextError` for a text that is not a formula,
    and :class:`EfdgenError` for an unknown place.
    """
    from efdgen.generator.formulas.draft import draft, with_draft
    from efdgen.verify.account import account
    from efdgen.verify.certificate import require_law

    own = draft(text, place)
    return account(with_draft(own, None, require_law).formula(own.name))


def cost(subject: Formula | str, *, emitted: bool = False) -> Cost:
    """Count the operations of a formula, as published or as ``emitted``: M, S, I, additions, constants.

    ``str(cost)`` writes them as the database does, ``11M + 5S + 9add + 4*2``.
    """
    from efdgen.generator.formulas.cost import count
    from efdgen.generator.passes import pipeline
    from efdgen.generator.programs.lower import lower

    asked = _formula(subject)
    return count(pipeline.emitted(asked) if emitted else lower(asked))


def evaluate(subject: Formula | str, prime: int, /, **values: int) -> dict[str, int]:
    """Return the outputs of a formula for integers modulo a prime: coordinates by name, in [0, prime).

    ``values`` are the input coordinates, scalars and parameters by name. Raises :class:`EfdgenError` for a
    name that is missing or that the formula does not have, for a number that is not a prime, and where the
    formula divides by zero.
    """
    from efdgen.generator.mathematics.prime import PrimeField
    from efdgen.generator.mathematics.primes import is_prime
    from efdgen.generator.programs.interpreter import run
    from efdgen.generator.programs.lower import lower

    asked = _formula(subject)
    program = lower(asked)
    needed = {*program.inputs, *program.parameters}
    if not is_prime(prime):
        raise EfdgenError(f"{prime} is not a prime")
    missing, unknown = needed - values.keys(), values.keys() - {*needed, *asked.all_parameters}
    if missing or unknown:
        faults = [f"needs {', '.join(sorted(missing))}"] * bool(missing)
        faults += [f"has no {', '.join(sorted(unknown))}"] * bool(unknown)
        raise EfdgenError(f"{asked.id} {' and '.join(faults)}")
    try:
        return run(program, PrimeField(prime), {name: value % prime for name, value in values.items()})
    except ZeroDivisionError:
        raise EfdgenError(f"{asked.id} divides by zero modulo {prime} for these values") from None


def exceptions(subject: Formula | str) -> Conclusion:
    """Derive the inputs on which a proved formula is wrong, such as ``P=Q``.

    ``exceptions`` are these inputs, ``unrepresentable`` those that have no coordinates, and ``complete`` is
    the condition on a curve under which there are none. Raises :class:`EfdgenError` for a formula that is
    not proved, and where the exceptions cannot be derived.
    """
    from efdgen.verify.certificate import require_law
    from efdgen.verify.exceptions.derived import derive

    asked = _formula(subject)
    require_law(asked)
    return derive(asked)


def exceptions_on(subject: Formula | str, curve: str) -> Exceptions:
    """Derive the exceptional inputs of a formula on one curve, by its name or file.

    ``inputs`` are those on which the formula is wrong there; it is right for all inputs if ``complete_here``.
    Raises as :func:`exceptions` does, and for an unknown curve.
    """
    from efdgen.generator.curves.load import checked_curve
    from efdgen.verify.certificate import require_law
    from efdgen.verify.exceptions import derived

    asked = _formula(subject)
    require_law(asked)
    return derived.exceptions_on(asked, checked_curve(curve))


def _formula(subject: Formula | str) -> Formula:
    from efdgen.generator.formulas.formula import Formula

    if isinstance(subject, str):
        return formula(subject)
    if isinstance(subject, Formula):
        return subject
    raise EfdgenError(f"a formula is an id or what formula(id) returns, not {subject!r}")
