"""The order of calls, by exhaustive search: fewest copies first, then fewest variables.

A state is the set of calls that have been made. Which values live, which coordinates of the outputs may
already be written, and whether the next call needs a copy depend on that set alone, so the best way to each
set is found once. If there are more sets than ``MOST_STATES`` at a time, only the best are followed and
nothing is claimed to be least.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from efdgen.generator.hosts.program import HostCall

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from efdgen.generator.hosts.program import HostProgram

MOST_STATES = 4000


@dataclass(frozen=True)
class Order:
    """Calls by value number in order, and the copies and variables that the order needs at least.

    ``least`` is whether no order needs fewer copies, or as many and fewer variables.
    """

    calls: tuple[int, ...]
    copies: int
    variables: int
    least: bool


@dataclass(frozen=True, slots=True)
class _State:
    """The best way to a set of calls: what it needs so far, and how far it strays from the given order."""

    copies: int
    variables: int
    strayed: int
    calls: tuple[int, ...]

    @property
    def rank(self) -> tuple[int, int, int]:
        return self.copies, self.variables, self.strayed


class Liveness:
    """The live values and free output coordinates after a set of calls.

    ``shared`` are the input coordinates that each output coordinate can be the same object as. Sets are
    integers with a bit for every value.
    """

    def __init__(self, program: HostProgram, shared: Mapping[str, Sequence[str]]) -> None:
        self.program = program
        self.readers = [0] * len(program.values)
        for number, value in enumerate(program.values):
            for operand in value.operands if isinstance(value, HostCall) else ():
                self.readers[operand] |= 1 << number
        self.outputs = {number: name for name, number in program.outputs}
        sources = {v.name: n for n, v in enumerate(program.values) if not isinstance(v, HostCall)}
        self.blockers = {
            name: [sources[other] for other in shared.get(name, ()) if other in sources]
            for name, _ in program.outputs
        }

    def dies(self, value: int, made: int) -> bool:
        """Return whether a computed value is not read again once these calls are made."""
        return (
            isinstance(self.program.values[value], HostCall)
            and value not in self.outputs
            and not self.readers[value] & ~made
        )

    def live(self, made: int) -> int:
        """Return how many computed values are still to be read, or outputs."""
        return sum(
            made >> n & 1 and (n in self.outputs or bool(self.readers[n] & ~made))
            for n, value in enumerate(self.program.values)
            if isinstance(value, HostCall)
        )

    def writable(self, output: str, made: int) -> bool:
        """Return whether no input that an output coordinate may be the same object as is still to be read."""
        return not any(self.readers[source] & ~made for source in self.blockers[output])

    def writable_by(self, output: str, number: int, made: int) -> bool:
        """Return whether a call can write a coordinate, by order or because it may overwrite its operand."""
        call = self.program.values[number]
        assert isinstance(call, HostCall)
        if self.writable(output, made):
            return True
        read = [source for source in self.blockers[output] if self.readers[source] & ~made]
        return self.writable(output, made | 1 << number) and overwrites(call, read)

    def overwritten(self, number: int, made: int) -> list[int]:
        """Return the operands in whose places a call can put its result."""
        call = self.program.values[number]
        assert isinstance(call, HostCall)
        after = made | 1 << number
        return [o for o in dict.fromkeys(call.operands) if self.dies(o, after) and overwrites(call, [o])]

    def copies(self, number: int, made: int) -> int:
        """Return how many copies a call needs.

        In place, of an operand that it may not consume; and of an output that cannot be written yet.
        """
        call = self.program.values[number]
        assert isinstance(call, HostCall)
        output = self.outputs.get(number)
        late = output is not None and not self.writable_by(output, number, made)
        return (call.operation.in_place and not self.overwritten(number, made)) + late


def overwrites(call: HostCall, values: Sequence[int]) -> bool:
    """Return whether a call's result may share the place of these operands; it chooses their order.

    A call in place writes over its first operand.
    """
    operation = call.operation
    orders = [call.operands, call.operands[::-1]] if call.commutative else [call.operands]
    for order in orders:
        named = dict(zip(operation.operands, order, strict=True))
        here = [name for name, value in named.items() if value in values]
        if all(operation.may_overwrite(name) for name in here) and (
            not operation.in_place or all(named["a"] == value for value in values)
        ):
            return True
    return False


def find_order(program: HostProgram, shared: Mapping[str, Sequence[str]]) -> Order:
    """Return the best order of a program's calls."""
    search = _Search(Liveness(program, shared))
    states = {search.sources: _State(0, 0, 0, ())}
    least = True
    for _ in program.calls:
        reached: dict[int, _State] = {}
        for made, state in states.items():
            for after, following in search.following(made, state):
                if after not in reached or following.rank < reached[after].rank:
                    reached[after] = following
        if len(reached) > MOST_STATES:
            best = sorted(reached.items(), key=lambda item: (item[1].rank, item[0]))[:MOST_STATES]
            reached, least = dict(best), False
        states = reached
    (final,) = states.values()
    return Order(final.calls, final.copies, final.variables, least)


class _Search:
    def __init__(self, liveness: Liveness) -> None:
        self.liveness, self.program = liveness, liveness.program
        values = self.program.values
        self.sources = sum(1 << n for n, value in enumerate(values) if not isinstance(value, HostCall))
        self.operands = [
            sum(1 << o for o in set(value.operands)) if isinstance(value, HostCall) else 0 for value in values
        ]
        self.free: dict[int, int] = {}
        self.lives: dict[int, int] = {}

    def following(self, made: int, state: _State) -> Iterator[tuple[int, _State]]:
        """Yield each call that can come next, with the state after it."""
        first = None
        for number in range(len(self.program.values)):
            if made >> number & 1 or self.operands[number] & ~made:
                continue
            first = number if first is None else first
            yield made | 1 << number, self._step(number, made, state, number - first)

    def _step(self, number: int, made: int, state: _State, strayed: int) -> _State:
        liveness, after = self.liveness, made | 1 << number
        places = liveness.overwritten(number, made)
        copies = state.copies + liveness.copies(number, made)
        free = self._free(made) + any(
            liveness.writable_by(name, number, made) and not liveness.writable(name, made)
            for name in liveness.blockers
        )
        needed = self._live(made) + (0 if places else 1) - free
        variables = max(state.variables, needed, self._live(after) - self._free(after))
        return _State(copies, variables, state.strayed + strayed, (*state.calls, number))

    def _free(self, made: int) -> int:
        if made not in self.free:
            self.free[made] = sum(self.liveness.writable(name, made) for name in self.liveness.blockers)
        return self.free[made]

    def _live(self, made: int) -> int:
        if made not in self.lives:
            self.lives[made] = self.liveness.live(made)
        return self.lives[made]
