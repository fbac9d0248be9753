"""The fastest measured choices: the representation of a field, formulas, and their schedules."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from efdgen.generator.errors import EfdgenError
from efdgen.generator.limbs.order import with_later_operands_right
from efdgen.generator.tuning.order import OrderError, fingerprint

if TYPE_CHECKING:
    from collections.abc import Mapping

    from efdgen.generator.limbs.plan import AnyPlan
    from efdgen.generator.options import RepresentationKind, Target
    from efdgen.generator.programs.program import Program
    from efdgen.generator.tuning.order import Order

Language = Literal["c", "rust"]


@dataclass(frozen=True)
class FieldChoice:
    """The arithmetic of a field in words of this many bits.

    The ``ratio`` of a choice is how many times faster it was than what it took the place of; 1 where that
    stayed, or where nobody compared.
    """

    prime: int
    word: int
    representation: RepresentationKind
    target: Target
    ratio: float = 1.0


@dataclass(frozen=True)
class FormulaChoice:
    """The formula of a curve's operation: the function's name, and the formula's id."""

    curve: str
    operation: str
    formula: str
    ratio: float = 1.0


@dataclass(frozen=True)
class OrderChoice:
    """The order of a formula's operations on a curve, by the fingerprint of its program.

    One that is portable is for every target that has none of its own.
    """

    curve: str
    formula: str
    program: str
    order: Order
    ratio: float = 1.0
    target: Target = "portable"


@dataclass(frozen=True, eq=False)
class Tuning:
    """Decisions for one language; where it has none, those of its ``base`` hold.

    ``measured`` says on what: compilers with their versions and flags, and processors. ``name`` and
    ``digest`` are those of the file, sha256 in hexadecimal; empty where it is none.
    """

    language: Language
    measured: tuple[str, ...] = ()
    fields: tuple[FieldChoice, ...] = ()
    formulas: tuple[FormulaChoice, ...] = ()
    orders: tuple[OrderChoice, ...] = ()
    base: Tuning | None = None
    name: str = ""
    digest: str = ""

    @property
    def provenance(self) -> tuple[str, ...]:
        """The statement in generated code about the tuning file, line by line."""
        told = f"Tuning: {self.name} sha256:{self.digest[:16]}, which efdgen tune measured with"
        return (told, *(f"  {each}" for each in self.measured))

    @cached_property
    def _by_program(self) -> Mapping[tuple[str, Target], OrderChoice]:
        return {(choice.program, choice.target): choice for choice in self.orders}

    def field(self, prime: int, word: int) -> FieldChoice | None:
        """Return how a field is computed with in words of a size, None where that is not decided."""
        own = (choice for choice in self.fields if (choice.prime, choice.word) == (prime, word))
        return next(own, self.base.field(prime, word) if self.base else None)

    def formulas_of(self, curve: str) -> frozenset[str]:
        """Return the ids of the formulas that were chosen for a curve."""
        own = frozenset(choice.formula for choice in self.formulas if choice.curve == curve)
        return own if own or self.base is None else self.base.formulas_of(curve)

    def order(self, program: Program, plan: AnyPlan) -> OrderChoice | None:
        """Return the order of a program for the plan's target, None where none is decided."""
        key, own = fingerprint(program, plan), self._by_program
        found = own.get((key, plan.target)) or own.get((key, "portable"))
        return found or (self.base.order(program, plan) if self.base else None)

    def knows(self, program: Program, plan: AnyPlan) -> bool:
        """Return whether an order of a program is decided for any target."""
        key = fingerprint(program, plan)
        own = any(program == key for program, _ in self._by_program)
        return own or (self.base is not None and self.base.knows(program, plan))

    def in_order(self, program: Program, plan: AnyPlan) -> Program:
        """Return a program in the order that is decided; its later operands on the right where none is.

        Raises :class:`EfdgenError` for an order that is none of the program's.
        """
        choice = self.order(program, plan)
        if choice is None:
            return with_later_operands_right(program)
        try:
            return choice.order.of(program)
        except OrderError as error:
            raise EfdgenError(
                f"{self.name or 'the tuning'}: the order of {choice.formula} does not fit its program:"
                f" {error}; run efdgen tune again"
            ) from None
