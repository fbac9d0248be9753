"""Search for the fastest schedule of a program: variants of the fastest so far are proved, then timed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from statistics import quantiles
from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError
from efdgen.generator.limbs.order import ordered_for, reordered, with_later_operands_right
from efdgen.generator.programs.program import Program
from efdgen.generator.tuning.order import Order, products

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from random import Random

    from efdgen.generator.autotuning.stopwatch import Stopwatch, Timed
    from efdgen.generator.limbs.plan import AnyPlan

KEPT = 6
"""Number of fastest schedules whose variants are tried next."""

SIZE = 24
"""Number of variants that are timed at once."""

_ROUNDS = 151


@dataclass(frozen=True)
class Search:
    """A program whose fastest order is looked for, from the orders that it starts with.

    ``make`` makes a program an operation that can be timed, and raises :class:`EfdgenError` where that is
    not proved; such an order is told to ``refuse`` and left out.
    """

    program: Program
    starts: tuple[Order, ...]
    make: Callable[[Program], Timed]
    refuse: Callable[[EfdgenError], None]
    stopwatch: Stopwatch
    rng: Random

    def rounds(self) -> Iterator[tuple[float, Order]]:
        """Yield the fastest order after each round, with its core cycles; it goes on for ever.

        Nothing is yielded where nothing is proved.
        """
        best: list[tuple[float, Order]] = []
        again: Sequence[Order] = self.starts
        first = True
        while again:
            steps = (2, 4, 8, 16) if first else (1, 1, 2, 3, 5)
            parents = [order for _, order in best] or list(again)
            variants = [self.variant(self.rng.choice(parents), self.rng.choice(steps)) for _ in range(SIZE)]
            timed = self._timed([*again, *variants])
            best = sorted([*timed, *best], key=lambda found: found[0])[:KEPT]
            if not best:
                return
            yield best[0]
            # The fastest is timed again, for it may have been lucky.
            again, first = [best.pop(0)[1]], False

    def variant(self, order: Order, steps: int) -> Order:
        """Return an order in which some operations have moved, or some operands changed sides."""
        places: list[float] = [0] * len(order.instructions)
        for place, value in enumerate(order.instructions):
            places[value] = place
        exchanged, choices = set(order.exchanged), products(self.program)
        for _ in range(steps):
            one, other = self.rng.randrange(len(places)), self.rng.randrange(len(places))
            match self.rng.randrange(3):
                case 0:
                    exchanged ^= {self.rng.choice(choices)} if choices else set()
                case 1:
                    places[one], places[other] = places[other], places[one]
                case _:
                    places[one] = places[other] + self.rng.choice((-0.5, 0.5))
        return Order(_order_of(self.program, places).instructions, tuple(sorted(exchanged)))

    def _timed(self, orders: Sequence[Order]) -> list[tuple[float, Order]]:
        made: list[tuple[Order, Timed]] = []
        for order in dict.fromkeys(orders):
            try:
                made.append((order, self.make(order.of(self.program))))
            except EfdgenError as error:
                self.refuse(error)
        times = self.stopwatch([timed for _, timed in made], _ROUNDS) if made else []
        # The lower quartile, for what disturbs a round makes it longer.
        return [(quantiles(found)[0], order) for found, (order, _) in zip(times, made, strict=True)]


def starts(program: Program, plan: AnyPlan, known: Order | None) -> tuple[Order, ...]:
    """Return where a search begins: as known, as written, as the estimate prefers."""
    written = Order(tuple(range(len(program.instructions))))
    estimated = _labels(ordered_for(_labelled(program), plan))
    return tuple(dict.fromkeys([*([known] if known else []), written, estimated]))


def _order_of(program: Program, places: Sequence[float]) -> Order:
    """Return the order in which instructions come by their places, as far as what each one reads allows."""
    return _labels(reordered(_labelled(with_later_operands_right(program)), places))


def _labelled(program: Program) -> Program:
    """Return a program whose instructions are labelled by their numbers."""
    labelled = (replace(instruction, label=str(at)) for at, instruction in enumerate(program.instructions))
    return Program(tuple(labelled), program.outputs)


def _labels(program: Program) -> Order:
    return Order(tuple(int(instruction.label) for instruction in program.instructions))
