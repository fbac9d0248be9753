"""The order of calls, by exhaustive search: fewest copies first, then fewest variables.

A state is the set of calls that have been made. The set alone decides which values live, which coordinates
of the outputs may already be written, and whether the next call needs a copy, so the best way to each set is
found once. If there are more sets than ``MOST_STATES`` at a time, only the best are followed and nothing is
claimed to be least.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from efdgen.generator.hosts.program import HostResult, HostSource

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from efdgen.generator.hosts.program import HostCall, HostProgram

MOST_STATES = 4000


@dataclass(frozen=True)
class Order:
    """Calls by number in order, and the copies and variables that the order needs at least.

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
    integers with a bit for every value; a call is in one with all its values.
    """

    def __init__(self, program: HostProgram, shared: Mapping[str, Sequence[str]]) -> None:
        self.program = program
        self.readers = [0] * len(program.values)
        self.objects = {
            call.number: tuple(program.objects[operand] for operand in call.operands)
            for call in program.calls
        }
        self.written = sorted(number for call in program.calls for number in call.results.values())
        for number, operands in self.objects.items():
            for operand in operands:
                self.readers[operand] |= 1 << number
        self.outputs = {program.objects[number]: name for name, number in program.outputs}
        sources = {v.name: n for n, v in enumerate(program.values) if isinstance(v, HostSource)}
        self.blockers = {
            name: [sources[other] for other in shared.get(name, ()) if other in sources]
            for name, _ in program.outputs
        }

    def dies(self, value: int, made: int) -> bool:
        """Return whether a computed value is not read again once these calls are made."""
        return (
            isinstance(self.program.values[value], HostResult)
            and value not in self.outputs
            and not self.readers[value] & ~made
        )

    def live(self, made: int) -> int:
        """Return how many computed values are still to be read, or outputs."""
        return sum(
            made >> n & 1 and (n in self.outputs or bool(self.readers[n] & ~made)) for n in self.written
        )

    def writable(self, output: str, made: int) -> bool:
        """Return whether no input that an output coordinate may be the same object as is still to be read."""
        return not any(self.readers[source] & ~made for source in self.blockers[output])

    def writable_by(self, output: str, call: HostCall, result: str, made: int) -> bool:
        """Return whether a result can be a coordinate, by order or because it may overwrite its operand."""
        if self.writable(output, made):
            return True
        read = [source for source in self.blockers[output] if self.readers[source] & ~made]
        return self.writable(output, made | 1 << call.number) and self.overwrites(call, result, read)

    def overwritten(self, call: HostCall, result: str, made: int) -> list[int]:
        """Return the operands in whose places a call can put a result."""
        after, operands = made | 1 << call.number, dict.fromkeys(self.objects[call.number])
        return [o for o in operands if self.dies(o, after) and self.overwrites(call, result, [o])]

    def copies(self, call: HostCall, made: int) -> int:
        """Return how many copies a call needs.

        In place, of an operand that it may not consume; and of outputs that cannot be written yet.
        """
        late = sum(
            not self.writable_by(self.outputs[number], call, result, made)
            for result, number in call.results.items()
            if number in self.outputs
        )
        return (call.operation.in_place and not self.overwritten(call, "r", made)) + late

    def overwrites(self, call: HostCall, result: str, values: Sequence[int]) -> bool:
        """Return whether a call's result may share the place of these operands; it chooses their order.

        A call in place writes its first result over its first operand.
        """
        operation, operands = call.operation, self.objects[call.number]
        for order in [operands, operands[::-1]] if call.commutative else [operands]:
            named = dict(zip(operation.operands, order, strict=True))
            here = [name for name, value in named.items() if value in values]
            if all(operation.may_share(result, name) for name in here) and (
                not operation.in_place or all((named["a"] == value) == (result == "r") for value in values)
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
        self.sources = sum(1 << n for n, value in enumerate(values) if isinstance(value, HostSource))
        self.operands = [sum(1 << o for o in set(call.operands)) for call in self.program.calls]
        self.free: dict[int, int] = {}
        self.lives: dict[int, int] = {}

    def following(self, made: int, state: _State) -> Iterator[tuple[int, _State]]:
        """Yield each call that can come next, with the state after it."""
        first = None
        for call, operands in zip(self.program.calls, self.operands, strict=True):
            if made >> call.number & 1 or operands & ~made:
                continue
            first = call.number if first is None else first
            yield made | call.bits, self._step(call, made, state, call.number - first)

    def _step(self, call: HostCall, made: int, state: _State, strayed: int) -> _State:
        liveness, after = self.liveness, made | call.bits
        copies = state.copies + liveness.copies(call, made)
        opened = sum(
            not liveness.writable(name, made)
            and any(liveness.writable_by(name, call, result, made) for result in call.results)
            for name in liveness.blockers
        )
        free = self._free(made) + min(opened, len(call.results))
        needed = self._live(made) + self._new_places(call, made) - free
        variables = max(state.variables, needed, self._live(after) - self._free(after))
        return _State(copies, variables, state.strayed + strayed, (*state.calls, call.number))

    def _new_places(self, call: HostCall, made: int) -> int:
        """Return how many results cannot have the place of an operand."""
        taken = [self.liveness.overwritten(call, result, made) for result in call.results]
        matched = min(sum(map(bool, taken)), len(set().union(*taken)))
        return len(taken) - matched

    def _free(self, made: int) -> int:
        if made not in self.free:
            self.free[made] = sum(self.liveness.writable(name, made) for name in self.liveness.blockers)
        return self.free[made]

    def _live(self, made: int) -> int:
        if made not in self.lives:
            self.lives[made] = self.liveness.live(made)
        return self.lives[made]
