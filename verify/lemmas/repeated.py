"""Statements on functions that repeat others: they are followed on multiples of P, given as integers.

The functions that they call are proved by themselves, or are kernels.
"""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any, TypeAlias

from efdgen.generator.errors import EfdgenError
from efdgen.generator.routines.interpreter import Interpreter
from efdgen.verify.symbols.bits import Bitwise
from efdgen.verify.symbols.facts import WORD
from efdgen.verify.symbols.forms import combined, is_multiple
from efdgen.verify.symbols.ways import ways

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from efdgen.generator.routines.integers import Integers
    from efdgen.verify.lemmas.prover import Prover
    from efdgen.verify.symbols.facts import Facts

Leaves: TypeAlias = "dict[str, Callable[..., list[Any]]]"

_ANSWER = "whether that is the identity"
_DOUBLINGS = ("double", "double_var", "double_kernel", "chain_double_kernel", "chain_last_kernel")


def _run(prover: Prover, leaves: Leaves, values: Integers | None = None) -> Interpreter:
    known: Leaves = {name: lambda p: [2 * p] for name in _DOUBLINGS}
    known |= {"before_doublings": lambda p: [p], "add": lambda p, q: [p + q]}
    return Interpreter(prover.module, known | leaves, {"IDENTITY": 0}, values)


def _asking(asked: list[int]) -> Leaves:
    """Return a test for the identity that notes what it is asked, and gives a symbol as its answer."""

    def is_identity(p: int) -> list[str]:
        asked.append(p)
        return [_ANSWER]

    return {"is_identity": is_identity}


def _require(name: str, where: str, found: object, wanted: object) -> None:
    if found != wanted:
        raise EfdgenError(f"{name} is not proved, for {where}: it returns {found}, not {wanted}")


def doublings(prover: Prover, name: str) -> None:
    """Prove that a function returns 2^times*P, for all numbers of doublings up to the digits of a scalar."""
    routine = prover.module.routines[name]
    points = [1] * (len(routine.parameters) - 1)
    for times in range(0 if routine.variable else 1, prover.places + 1):
        changed, results = _run(prover, {}).run(name, *points, times)
        _require(name, f"{times} times", (changed + results)[0], 1 << times)


def small_order(prover: Prover, name: str) -> None:
    """Prove that a function returns whether the cofactor times P is the identity."""
    asked: list[int] = []
    found = _run(prover, _asking(asked)).call(name, 1)
    _require(name, "any P", (found, asked), ([_ANSWER], [prover.plan.cofactor]))


def small_multiple(prover: Prover, name: str) -> None:
    """Prove that a function returns k*P for any word k and a point whose order divides the cofactor."""
    cofactor = prover.plan.cofactor

    def follow(facts: Facts) -> None:
        facts.limits["k"] = 0, (1 << WORD) - 1
        number, words = facts.make("k", 2, {"k": 1}), Bitwise(facts)
        leaves: Leaves = {"select": lambda p, q, flag: [p if words.decided(flag) else q]}
        (found,) = _run(prover, leaves, words).call(name, 1, number.value()[0])
        left = combined((1, facts.form_in_bits(number)), (-1, {None: found}))
        if not is_multiple(facts.exact(left), cofactor):
            raise EfdgenError(f"{name} is not proved, for {', '.join(facts.cases)}: it returns {found}*P")

    for _ in ways(follow):
        pass


def subgroup(prover: Prover, name: str) -> None:
    """Prove that a function returns whether the generator's order times P is the identity, on the curve."""
    asked: list[int] = []
    leaves: Leaves = {"is_on_curve": lambda _: [1], **_multiplication(prover), **_asking(asked)}
    found = _run(prover, leaves).call(name, 1)
    wanted: tuple[list[int | str], list[int]] = (
        ([1], []) if prover.plan.cofactor == 1 else ([_ANSWER], [prover.plan.order])
    )
    _require(name, "any P of the curve", (found, asked), wanted)


def cofactor(prover: Prover, name: str) -> None:
    """Prove that a function returns the cofactor times P."""
    (found,) = _run(prover, _multiplication(prover)).call(name, 1)
    _require(name, "any P", found, prover.plan.cofactor)


def composition(wanted: tuple[Any, ...]) -> Callable[[Prover, str], None]:
    """Return the proof that a function calls others as an expression does: ``("add", ("double", "p"), "q")``.

    The expression has the names of the parameters; what it calls is proved for all inputs by itself.
    """

    def calling(name: str) -> Callable[..., list[Any]]:
        return lambda *values: [(name, *values)]

    def prove(prover: Prover, name: str) -> None:
        leaves = {called: calling(called) for called in _called(wanted)}
        given = [parameter.name for parameter in prover.module.routines[name].parameters]
        (found,) = Interpreter(prover.module, leaves, {}).call(name, *given)
        _require(name, "all inputs", found, wanted)

    return prove


def _called(expression: object) -> Iterator[str]:
    if isinstance(expression, tuple):
        yield expression[0]
        for part in expression[1:]:
            yield from _called(part)


def _multiplication(prover: Prover) -> Leaves:
    order = prover.plan.encoding.byteorder
    return {"multiply": lambda k, p: [int.from_bytes(bytes(k), order) * p]}


def valid(prover: Prover, name: str) -> None:
    """Prove that a function returns whether P is in the subgroup on the curve, and not the identity."""
    for answers in product((0, 1), repeat=3):
        tests = dict(zip(("is_on_curve", "is_in_subgroup", "is_identity"), answers, strict=True))
        leaves: Leaves = {test: partial(_answer, answer) for test, answer in tests.items()}
        found = Interpreter(prover.module, leaves).call(name, "P")
        _require(name, f"{tests}", found, [int(answers == (1, 1, 0))])


def validated(prover: Prover, name: str) -> None:
    """Prove that a function returns P and 1 for a valid P, else zeros and 0."""
    for flag in (0, 1):
        leaves: Leaves = {
            "is_valid": partial(_answer, flag),
            "point_or_zeros": lambda p, given: [p if given else "zeros"],
        }
        found = Interpreter(prover.module, leaves).call(name, "P")
        _require(name, f"is_valid = {flag}", found, ["P" if flag else "zeros", flag])


def _answer(answer: int, _: object) -> list[int]:
    return [answer]
