"""Mutants of values: formulas, limb programs and plans with one part changed, each judged by its proof."""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any

from efdgen.generator.curves.instantiate import find_curve
from efdgen.generator.errors import EfdgenError
from efdgen.generator.fields.field import Field
from efdgen.generator.fields.numbers import OPERATIONS
from efdgen.generator.fields.operations import operations
from efdgen.generator.files import render_plan
from efdgen.generator.language.printer import print_expression
from efdgen.generator.limbs.interpreter import run, split
from efdgen.generator.limbs.operations import (
    Add,
    Constant,
    Funnel,
    ShiftLeft,
    ShiftRight,
    Sub,
)
from efdgen.generator.limbs.program import Instruction
from efdgen.generator.planning.ladder import LadderPlan
from efdgen.generator.programs.lower import lower
from efdgen.verify.laws.law import Refuted, prove_law
from efdgen.verify.limbs.prove import prove_contract
from efdgen.verify.plan_proofs import require_safe
from efdgen.verify.verdicts import judge
from mutants.formulas import FIELD, is_right, subjects
from mutants.formulas import edits as formula_edits
from mutants.kinds import Mutant
from mutants.targets import DATABASE, CurveTarget, Killed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from random import Random

    from efdgen.generator.formulas.formula import Formula
    from efdgen.generator.limbs.program import LimbProgram
    from efdgen.generator.mathematics.ground import Ground

# Members of a plan that are not decided but given, or are text.
_GIVEN = {
    "curve",
    "model",
    "prefix",
    "command",
    "kernels",
    "candidates",
    "reasons",
    "order",
    "cofactor",
    "second",
}


@dataclass(frozen=True)
class Formulas:
    """Formulas with one edit of one assignment."""

    title: str
    targets: tuple[CurveTarget, ...] = ()

    def mutant(self, rng: Random) -> Mutant | None:
        formula = rng.choice(subjects(DATABASE))
        known = [*formula.input_names, *formula.all_parameters]
        found = []
        for number, assignment in enumerate(formula.assignments):
            found += [(number, edited) for edited in formula_edits(assignment.value, dict.fromkeys(known))]
            known.append(assignment.target)
        number, edited = rng.choice(found)
        before = formula.assignments[number]
        after = replace(before, value=edited)
        mutant = replace(formula, assignments=_with(formula.assignments, number, after))
        shown = "\n".join(
            f"{s}{a.target} = {print_expression(a.value)}" for s, a in zip("-+", (before, after), strict=True)
        )
        return Mutant(formula.id, "formula", shown, lambda _: self._judge(mutant, rng))

    def _judge(self, mutant: Formula, rng: Random) -> str:
        verdict, reason = judge(lambda: prove_law(mutant, lower(mutant)) and None)
        if verdict != "proved":
            raise Killed("proof", f"{verdict}: {reason}")
        right = is_right(mutant, find_curve(mutant, FIELD, rng), rng)
        return "the law holds, and arithmetic agrees" if right else ""


@dataclass(frozen=True)
class LimbPrograms:
    """Limb programs with one instruction that reads another value, or does another thing."""

    title: str
    grounds: tuple[Ground, ...]
    targets: tuple[CurveTarget, ...] = ()

    def mutant(self, rng: Random) -> Mutant | None:
        field = Field(rng.choice(self.grounds), words=(rng.choice((64, 32)),))
        (representation,) = field.representations
        own = (
            ("from_number",)
            if field.is_binary
            else ("half", "neg", *(limbs for _, limbs in OPERATIONS.values()))
        )
        operation = rng.choice(list(operations(representation, ("add", "sub", "mul", "sqr", *own))))
        limbs = operation.program
        at = rng.randrange(len(limbs.inputs), len(limbs.instructions))
        before = limbs.instructions[at]
        after = _changed(limbs, at, rng)
        if after is None or after == before:
            return None
        shown = f"-{before.operation}\n+{after.operation}"
        place = f"{operation.name}, {field.modulus_text}, {representation.word} bits, instruction {at}"

        def tried(_: Path) -> str:
            try:
                mutant = replace(limbs, instructions=_with(limbs.instructions, at, after))
            except ValueError as error:
                raise Killed("generator", str(error)) from None
            try:
                prove_contract(mutant, operation.contract)
            except (Refuted, EfdgenError) as refused:
                raise Killed("proof", str(refused)) from None
            same = all(_outputs(limbs, case) == _outputs(mutant, case) for case in _cases(limbs, rng))
            return "it computes the same" if same else ""

        return Mutant(place, "limb program", shown, tried)


def _changed(limbs: LimbProgram, at: int, rng: Random) -> Instruction | None:
    """Return an instruction that reads another value or has another number; None where it cannot."""
    before = limbs.instructions[at]
    operation, read = before.operation, before.operation.operands
    known = [value for each in limbs.instructions[:at] for value in each.results]
    match operation:
        case Constant(value):
            return replace(before, operation=Constant(abs(value + rng.choice((-1, 1)))))
        case ShiftLeft() | ShiftRight() | Funnel() if rng.random() < 0.5:
            other = operation.amount + rng.choice((-1, 1))
            return replace(before, operation=replace(operation, amount=other))
        case Add() | Sub() if rng.random() < 0.3:
            left, right, *carry = read
            other = Sub if isinstance(operation, Add) else Add
            return replace(before, operation=other(left, right, *carry))
        case Add(left, right, int()) | Sub(left, right, int()) if rng.random() < 0.3:
            return replace(before, operation=type(operation)(left, right))
    if not read:
        return None
    other = _with(read, rng.randrange(len(read)), rng.choice(known))
    return replace(before, operation=operation.on(other))


def _cases(limbs: LimbProgram, rng: Random) -> Iterator[dict[str, int]]:
    inputs = [limbs.numbers[index] for index in limbs.inputs]
    for _ in range(200):
        yield {
            number.name: rng.choice(
                (rng.randrange(number.maximum + 1), number.maximum, 0, number.maximum - 1)
            )
            for number in inputs
        }


def _outputs(limbs: LimbProgram, values: dict[str, int]) -> object:
    words = {
        number.name: split(number, values[number.name], limbs.word)
        for number in (limbs.numbers[index] for index in limbs.inputs)
    }
    try:
        return run(limbs, words)
    except Exception as error:
        return repr(error)


@dataclass(frozen=True)
class Plans:
    """Plans of whole curves with one decision that is another."""

    title: str
    targets: tuple[CurveTarget, ...]

    def mutant(self, rng: Random) -> Mutant | None:
        target = rng.choice(self.targets)
        path, other = rng.choice([*_leaves(target.plan)])
        plan = _put(target.plan, path, other)
        if plan is None:
            return None
        name = ".".join(map(str, path))
        shown = f"-{name} = {_get(target.plan, path)!r}\n+{name} = {other!r}"
        place = f"plan, {'.'.join(part for part in path if isinstance(part, str))}"
        return Mutant(
            place, f"plan of {target.curve}", shown, lambda folder: _judge_plan(target, plan, folder)
        )


def _judge_plan(target: CurveTarget, plan: Any, folder: Path) -> str:
    if not isinstance(plan, LadderPlan):
        try:
            plan = require_safe(plan, DATABASE)
        except EfdgenError as error:
            raise Killed("proof", str(error)) from None
        except Exception as error:
            raise Killed("generator", f"{type(error).__name__}: {error}") from None
    try:
        files = render_plan(plan, target.request)
    except Exception as error:
        raise Killed("generator", f"{type(error).__name__}: {error}") from None
    if files == target.files():
        return "nothing of it is printed"
    target.require_wrong(files, folder)
    return ""


def _leaves(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    """Yield the places of numbers, truth values and names in a value, each with another one for it."""
    if isinstance(value, bool):
        yield path, not value
    elif isinstance(value, int):
        yield path, value + 1
        if value:
            yield path, value - 1
    elif is_dataclass(value):
        for each in fields(value):
            if path or each.name not in _GIVEN:
                yield from _leaves(getattr(value, each.name), (*path, each.name))
    elif isinstance(value, tuple):
        for number, each in enumerate(value):
            yield from _leaves(each, (*path, number))


def _get(value: Any, path: tuple[str | int, ...]) -> Any:
    for part in path:
        value = getattr(value, part) if isinstance(part, str) else value[part]
    return value


def _put(value: Any, path: tuple[str | int, ...], other: Any) -> Any:
    if not path:
        return other
    first, *rest = path
    if isinstance(first, int):
        return _with(value, first, _put(value[first], tuple(rest), other))
    return replace(value, **{first: _put(getattr(value, first), tuple(rest), other)})


def _with(values: tuple[Any, ...], at: int, other: Any) -> tuple[Any, ...]:
    return (*values[:at], other, *values[at + 1 :])
