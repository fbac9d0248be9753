"""Places of values: variables, and coordinates of the outputs as soon as they are free.

Every call is put where its operand was or where something is free; where that leads to no end, the search
goes back, and then tries other orders with the same number of variables before it takes one more.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError
from efdgen.generator.hosts.program import HostSource
from efdgen.generator.hosts.run import CurveValue, Line, Local, Member
from efdgen.generator.hosts.schedule import Liveness, find_order

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from efdgen.generator.hosts.host import HostOperation
    from efdgen.generator.hosts.program import HostCall, HostProgram
    from efdgen.generator.hosts.run import Location
    from efdgen.generator.hosts.schedule import Order

_MOST_STEPS = 20000


@dataclass(frozen=True)
class Placed:
    """Lines, how many variables and copies they use, and whether no order and no places need fewer."""

    lines: tuple[Line, ...]
    variables: int
    copies: int
    least: bool


def place_in_variables(
    program: HostProgram,
    coordinates: Mapping[str, Member],
    shared: Mapping[str, Sequence[str]],
    copy: HostOperation,
) -> Placed:
    """Order a program and give every value a place that others may have had before.

    ``coordinates`` are the places of inputs and outputs by name; ``shared`` is as in :class:`Liveness`.
    """
    order = find_order(program, shared)
    liveness = Liveness(program, shared)
    asked = sum(call.operation is copy for call in program.calls)
    proved = order.least
    numbers = range(order.variables, len(program.values) + 1)
    for copying, variables in product((False, True), numbers):
        search = _Places(liveness, order, coordinates, copy, variables, copying=copying)
        lines = search.lines()
        if lines is None and proved and not copying:
            lines, proved = search.lines_in_any_order()
        if lines is not None:
            copies = sum(line.operation is copy for line in lines)
            least = proved and copies - asked == order.copies
            return Placed(tuple(lines), variables, copies, least)
    raise EfdgenError("no place was found for the values of this formula")


def bind_each(program: HostProgram, coordinates: Mapping[str, Member]) -> tuple[Placed, dict[str, Location]]:
    """Give every value a place of its own, in the order of the program; return where the outputs are too."""
    places: dict[int, Location] = {
        number: CurveValue(value.name) if value.constant else coordinates[value.name]
        for number, value in enumerate(program.values)
        if isinstance(value, HostSource)
    }
    variables = 0
    for call in program.calls:
        for number in call.results.values():
            places[number] = Local(variables)
            variables += 1
    found = {number: places[written] for number, written in enumerate(program.objects)}
    lines = tuple(_line(program, call, call.operands, found) for call in program.calls)
    return Placed(lines, variables, 0, least=True), {name: found[number] for name, number in program.outputs}


def _line(
    program: HostProgram, call: HostCall, operands: Sequence[int], places: Mapping[int, Location]
) -> Line:
    """Return a call as a line, where values of the program are in these places."""
    return Line(
        call.operation,
        tuple(places[number] for number in call.results.values()),
        tuple(places[operand] for operand in operands),
        program.bound(*operands),
        call.factor,
        tuple(program.text(number) for number in call.values),
        program.bound(*call.values),
    )


class _Places:
    """One search with a number of variables; a step gives one call of the order its place.

    With ``copying``, a call in place whose operand cannot be overwritten there copies another one.
    """

    def __init__(
        self,
        liveness: Liveness,
        order: Order,
        coordinates: Mapping[str, Member],
        copy: HostOperation,
        variables: int,
        *,
        copying: bool = False,
    ) -> None:
        self.liveness, self.order, self.copy, self.copying = liveness, order, copy, copying
        self.program, self.coordinates = liveness.program, coordinates
        self.locals = [Local(number) for number in range(variables)]
        self.steps = 0
        self.made = [self._sources()]
        for number in order.calls:
            self.made.append(self.made[-1] | self.program.call_of[number].bits)
        self.seen: set[object] = set()

    def lines(self) -> list[Line] | None:
        """Return all lines, or None where the variables do not suffice for the order."""
        places = self._search(0, {})
        return None if places is None else self._lines(self.order.calls, places)

    def lines_in_any_order(self) -> tuple[list[Line] | None, bool]:
        """Return lines in another order, or None, and whether it is certain then that there are none."""
        self.steps = 0
        found = self._search_orders(self._sources(), (), 0, {})
        if found is not None:
            return self._lines(*found), True
        return None, self.steps <= _MOST_STEPS

    def _lines(self, calls: Sequence[int], places: Mapping[int, Location]) -> list[Line]:
        found: list[Line] = []
        for number in calls:
            found += self._call_lines(number, places)
        for number, name in self.liveness.outputs.items():
            if places[number] != self.coordinates[name]:
                bound = self.program.bound(number)
                target = (self.coordinates[name],)
                found.append(Line(self.copy, target, (places[number],), bound, 0, (name,), bound))
        return found

    def _sources(self) -> int:
        return sum(1 << n for n, value in enumerate(self.program.values) if isinstance(value, HostSource))

    def _search(self, at: int, places: dict[int, Location]) -> dict[int, Location] | None:
        if at == len(self.order.calls):
            return places
        self.steps += 1
        if self.steps > _MOST_STEPS:
            return None
        call = self.program.call_of[self.order.calls[at]]
        for chosen in self._candidates(self.made[at], call, places):
            found = self._search(at + 1, {**places, **chosen})
            if found is not None:
                return found
        return None

    def _search_orders(
        self, made: int, calls: tuple[int, ...], copies: int, places: dict[int, Location]
    ) -> tuple[tuple[int, ...], dict[int, Location]] | None:
        """Return calls in an order, and their places; what failed from a state is not tried again."""
        if len(calls) == len(self.order.calls):
            return calls, places
        state = made, copies, self._distinguished(made, places)
        self.steps += 1
        if state in self.seen or self.steps > _MOST_STEPS:
            return None
        self.seen.add(state)
        for number in self.order.calls:
            call = self.program.call_of[number]
            ready = all(made >> operand & 1 for operand in call.operands)
            needed = copies + self.liveness.copies(call, made)
            if made >> number & 1 or not ready or needed > self.order.copies:
                continue
            for chosen in self._candidates(made, call, places):
                after = {**places, **chosen}
                found = self._search_orders(made | call.bits, (*calls, number), needed, after)
                if found is not None:
                    return found
        return None

    def _distinguished(self, made: int, places: Mapping[int, Location]) -> tuple[object, ...]:
        """Return where living values are, with variables numbered in order, as one is as good as another."""
        numbers: dict[Location, int] = {}
        return tuple(
            (value, numbers.setdefault(place, len(numbers)) if isinstance(place, Local) else place)
            for value, place in sorted(places.items())
            if not self.liveness.dies(value, made)
        )

    def _candidates(
        self, made: int, call: HostCall, places: Mapping[int, Location]
    ) -> Iterator[dict[int, Location]]:
        """Yield the places that the results of a call can have, the best first."""
        results = call.results
        for chosen in product(*(self._fitting(made, call, result, places) for result in results)):
            if len(set(chosen)) == len(chosen):
                yield dict(zip(results.values(), chosen, strict=True))

    def _fitting(
        self, made: int, call: HostCall, result: str, places: Mapping[int, Location]
    ) -> Iterator[Location]:
        """Yield the places that a result can have, the best first.

        An output is kept to its own place where it can be written, and others out of a place that is done.
        """
        liveness, number = self.liveness, call.results[result]
        free = self._free(made, call, result, places)
        own = self.coordinates[liveness.outputs[number]] if number in liveness.outputs else None
        if own is not None and liveness.writable_by(liveness.outputs[number], call, result, made):
            yield from (place for place in free if place == own)
            return
        done = {
            self.coordinates[name]
            for value, name in liveness.outputs.items()
            if places.get(value) == self.coordinates[name]
        }
        yield from (
            place for place in free if place not in done and (own is None or isinstance(place, Local))
        )

    def _free(self, made: int, call: HostCall, result: str, places: Mapping[int, Location]) -> list[Location]:
        """Return the places that nothing is in that is read later, the best first."""
        liveness = self.liveness
        consumed = [places[value] for value in liveness.overwritten(call, result, made)]
        if call.operation.in_place and result == "r" and consumed and not self.copying:
            return consumed
        occupied = {
            place
            for value, place in places.items()
            if made >> value & 1 and not liveness.dies(value, made) and place not in consumed
        }
        open_outputs = [
            self.coordinates[name]
            for name in liveness.blockers
            if liveness.writable_by(name, call, result, made)
        ]
        goal = self._goal(made, call.results[result])
        free = [place for place in (*consumed, *self.locals, *open_outputs) if place not in occupied]
        if goal in free:
            free = [goal, *free]
        return list(dict.fromkeys(free))

    def _goal(self, made: int, number: int) -> Location | None:
        """Return the output coordinate that a value ends up in if every call in place takes it along."""
        liveness = self.liveness
        while number not in liveness.outputs:
            readers = [n for n in self.order.calls if liveness.readers[number] & ~made & 1 << n]
            call = self.program.call_of[readers[-1]] if readers else None
            if call is None or not call.operation.in_place or not liveness.overwrites(call, "r", [number]):
                return None
            number = call.number
        return self.coordinates[liveness.outputs[number]]

    def _call_lines(self, number: int, written: Mapping[int, Location]) -> Iterator[Line]:
        program, call = self.program, self.program.call_of[number]
        places = {value: self._place(value, written) for value in range(len(program.values))}
        operands = self._operand_order(call, places)
        line = _line(program, call, operands, places)
        if call.operation.in_place and line.operands[0] != line.targets[0]:
            name, bound = program.text(operands[0]).partition(" = ")[0], line.read[:1]
            yield Line(self.copy, line.targets[:1], line.operands[:1], bound, 0, (name,), bound)
            line = replace(line, operands=(line.targets[0], *line.operands[1:]))
        yield line

    def _operand_order(self, call: HostCall, places: Mapping[int, Location]) -> tuple[int, ...]:
        """Return the operands in an order that the host's rules allow with the places of the results."""
        targets = {result: places[number] for result, number in call.results.items()}
        for order in [call.operands, call.operands[::-1]] if call.commutative else [call.operands]:
            here = [places[value] for value in order]
            if call.operation.in_place:
                if here[0] == targets["r"] or not self._possibly(targets["r"]).intersection(here[1:]):
                    return order
            elif all(
                call.operation.may_share(result, name) or place not in self._possibly(target)
                for result, target in targets.items()
                for name, place in zip(call.operation.operands, here, strict=True)
            ):
                return order
        return call.operands

    def _possibly(self, target: Location) -> set[Location]:
        """Return the places that a target can be the same object as."""
        same: set[Location] = {target}
        for name, place in self.coordinates.items():
            if place == target and name in self.liveness.blockers:
                same |= {self._place(source, {}) for source in self.liveness.blockers[name]}
        return same

    def _place(self, value: int, places: Mapping[int, Location]) -> Location:
        written = self.program.objects[value]
        match self.program.values[written]:
            case HostSource(name, True):
                return CurveValue(name)
            case HostSource(name):
                return self.coordinates[name]
            case _:
                return places[written]
