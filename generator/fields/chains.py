"""Addition chains: a known power in few squarings and multiplications.

The exponent is cut into digits that end in 1, and each is multiplied in after squarings::

    1101110 1111   =  11·2^9 + 111·2^5 ...        digits 11, 111, 1111, made before: x^3, x^7, x^15

The set of digits decides the cost. Windows of every width are tried, with and without runs of ones;
then digits that do not pay are left out, and others taken in, one by one. Runs are made of shorter ones,
``x^(2^(m+n)-1) = (x^(2^m-1))^(2^n) · x^(2^n-1)``, along a shortest addition chain of their lengths.

An exponent ``h·2^n + 2^n-1`` that ends in a long run needs no squarings for the run but those that make it:
with r the power of the run, its power is ``(r·x)^h · r``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

# The cost of a squaring, in multiplications.
SQUARING = 0.75

_WIDEST_WINDOW = 6
# The number of sets of digits that are improved, and the bound of the search for a chain of lengths.
_TRIED = 4
_NODES = 5_000


class Step(NamedTuple):
    """A power: that of ``left``, squared ``squarings`` times, and times that of ``right`` if there is one."""

    left: int
    squarings: int
    right: int | None


@dataclass(frozen=True)
class Chain:
    """Steps; operands are earlier steps counted from 1, 0 being the base, and the last one is the result."""

    steps: tuple[Step, ...]

    @property
    def squarings(self) -> int:
        """The number of squarings."""
        return sum(step.squarings for step in self.steps)

    @property
    def multiplications(self) -> int:
        """The number of multiplications that are not squarings."""
        return sum(step.right is not None for step in self.steps)

    @property
    def weight(self) -> float:
        """The cost in multiplications."""
        return self.multiplications + SQUARING * self.squarings

    def exponents(self) -> tuple[int, ...]:
        """Return the exponent of the base at each step, computed in integers: the proof of the chain."""
        powers = [1]
        for step in self.steps:
            shifted = powers[step.left] << step.squarings
            powers.append(shifted + (0 if step.right is None else powers[step.right]))
        return tuple(powers[1:])


@cache
def addition_chain(exponent: int) -> Chain:
    """Return a short chain for an exponent of at least 1."""
    cuts = _Cuts(exponent)
    vocabularies = {cuts.used(digits) for digits in _vocabularies(exponent)}
    ranked = sorted((cuts.chain(digits).weight, sorted(digits)) for digits in vocabularies)
    found = [_improved(cuts, frozenset(digits)) for _, digits in ranked[:_TRIED]]
    chain = min([*found, *_upon_ones(exponent)], key=lambda chain: chain.weight)
    if (1, *chain.exponents())[-1] != exponent:
        raise AssertionError(f"the chain makes another power than {exponent}")
    return chain


def _upon_ones(exponent: int) -> list[Chain]:
    """Return the chain by the power of the run in which a number ends, where that is most of its bits."""
    ones = (~exponent & exponent + 1).bit_length() - 1
    high = exponent >> ones
    if high == 0 or 2 * ones < exponent.bit_length():
        return []
    run, above = addition_chain((1 << ones) - 1).steps, addition_chain(high).steps
    base = len(run) + 1
    steps = [*run, Step(len(run), 0, 0)]
    steps += [Step(base + s.left, s.squarings, None if s.right is None else base + s.right) for s in above]
    return [Chain((*steps, Step(len(steps), 0, len(run))))]


def _vocabularies(exponent: int) -> list[frozenset[int]]:
    """Return sets of digits to start with."""
    runs = {len(run) for run in bin(exponent)[2:].split("0") if run}
    found = []
    for width in range(1, _WIDEST_WINDOW + 1):
        windows = frozenset(range(1, 1 << width, 2))
        for longest in sorted({width, *(run for run in runs if run > width)}):
            found.append(windows | {(1 << run) - 1 for run in runs if run <= longest})
    return found


def _improved(cuts: _Cuts, used: frozenset[int]) -> Chain:
    """Leave out digits, or take in what is made on the way, as long as that makes the chain better."""
    best = cuts.chain(used)
    while True:
        tried = [cuts.used(used - {digit} | {1}) for digit in sorted(used - {1})]
        tried += [cuts.used(used | {digit}) for digit in _nearby(best, used)]
        chain, fewer = min(
            ((cuts.chain(other), other) for other in tried if cuts.least_weight(other) < best.weight),
            key=lambda pair: pair[0].weight,
            default=(best, used),
        )
        if chain.weight >= best.weight:
            return best
        best, used = chain, fewer


def _nearby(chain: Chain, used: frozenset[int]) -> list[int]:
    """Return digits that may help: runs that the chain makes, and what one run leaves of another."""
    lengths = {e.bit_length() for e in chain.exponents() if e & e + 1 == 0}
    runs = {digit.bit_length() for digit in used if digit & digit + 1 == 0}
    lengths |= {long % short for long in runs for short in lengths if short > 1 and long % short}
    return sorted({(1 << length) - 1 for length in lengths} - used)


class _Cuts:
    """The ways in which a number is cut into digits, and the chains along them, each found once.

    Places are counted from the highest bit on, and only those of ones: no digit begins or ends with 0.
    """

    def __init__(self, exponent: int) -> None:
        self._bits = bin(exponent)[2:]
        self._ones = [at for at, bit in enumerate(self._bits) if bit == "1"]
        self._number = {at: number for number, at in enumerate(self._ones)}
        self._found: dict[int, list[int]] = {}
        self._cuts: dict[frozenset[int], list[tuple[int, int]]] = {}
        self._chains: dict[frozenset[int], Chain] = {}

    def used(self, digits: frozenset[int]) -> frozenset[int]:
        """Return those of the digits that the number is cut into; it is cut into them alike."""
        cut = self.cut(digits)
        used = frozenset(digit for _, digit in cut)
        self._cuts[used] = cut
        return used

    def least_weight(self, used: frozenset[int]) -> float:
        """Return a bound from below on the weight of a chain: each digit takes a multiplication or more."""
        cut = self.cut(used)
        return len(cut) - 1 + len(used - {1}) + SQUARING * cut[0][0]

    def chain(self, used: frozenset[int]) -> Chain:
        """Make the digits, and then the number of them."""
        if used not in self._chains:
            maker = _Maker(used)
            (high, first), *rest = self.cut(used)
            at = maker.index[first]
            for position, digit in rest:
                at = maker.add(at, high - position, maker.index[digit])
                high = position
            if high:
                at = maker.add(at, high, None)
            self._chains[used] = maker.chain(at)
        return self._chains[used]

    def cut(self, digits: frozenset[int]) -> list[tuple[int, int]]:
        """Cut the number into the fewest digits: pairs of a position and a digit, the highest first.

        If several ways exist, the first digit is as long as possible.
        """
        if digits not in self._cuts:
            self._cuts[digits] = self._fewest(digits)
        return self._cuts[digits]

    def _fewest(self, digits: frozenset[int]) -> list[tuple[int, int]]:
        count, size = len(self._ones), len(self._bits)
        ways: list[list[int]] = [[] for _ in self._ones]
        for digit in digits:
            ones = digit.bit_count()
            for number in self._places(digit):
                ways[number].append(number + ones)
        # The number of digits from each one on, times a power of two, plus the ones that are left over.
        shift = size.bit_length()
        rated = [0] * (count + 1)
        left, no_way = (1 << shift) - 1, (count + 1) << shift
        choice = [0] * count
        for number in range(count - 1, -1, -1):
            best = min([rated[behind] for behind in ways[number]], default=no_way)
            choice[number] = count - (best & left)
            rated[number] = ((best >> shift) + 1 << shift) + count - number
        cut, number = [], 0
        while number < count:
            end = self._ones[choice[number] - 1] + 1
            cut.append((size - end, int(self._bits[self._ones[number] : end], 2)))
            number = choice[number]
        return cut

    def _places(self, digit: int) -> list[int]:
        """Return the numbers of the ones with which a digit begins."""
        if digit not in self._found:
            wanted, places = bin(digit)[2:], []
            at = self._bits.find(wanted)
            while at >= 0:
                places.append(self._number[at])
                at = self._bits.find(wanted, at + 1)
            self._found[digit] = places
        return self._found[digit]


class _Maker:
    """Makes the powers of a set of digits; ``index`` says where each one is."""

    def __init__(self, digits: frozenset[int]) -> None:
        self.index = {1: 0}
        self._steps: list[Step] = []
        self._powers = [1]
        runs = [digit.bit_length() for digit in digits if digit & digit + 1 == 0]
        wanted = {(1 << length) - 1 for length in _lengths(tuple(sorted(runs)))} | digits
        if any(digit & digit + 1 for digit in digits):
            self.add(0, 1, None)
        for digit in sorted(wanted):
            self._make(digit)

    def add(self, left: int, squarings: int, right: int | None) -> int:
        """Append a step and return its number."""
        self._steps.append(Step(left, squarings, right))
        power = (self._powers[left] << squarings) + (0 if right is None else self._powers[right])
        self._powers.append(power)
        self.index.setdefault(power, len(self._steps))
        return len(self._steps)

    def chain(self, result: int) -> Chain:
        """Return the steps on which one depends, as a chain of its own."""
        needed = {result}
        for number in range(result, 0, -1):
            if number in needed:
                step = self._steps[number - 1]
                needed |= {step.left} | (set() if step.right is None else {step.right})
        order = {old: new for new, old in enumerate(sorted(needed | {0}))}
        kept = (self._steps[old - 1] for old in sorted(needed) if old)
        return Chain(
            tuple(Step(order[s.left], s.squarings, None if s.right is None else order[s.right]) for s in kept)
        )

    def _make(self, digit: int) -> int:
        if digit in self.index:
            return self.index[digit]
        ways = []
        for power, right in self.index.items():
            rest = digit - power
            for squarings in range((rest & -rest).bit_length() if rest > 0 else 0):
                if rest >> squarings in self.index:
                    ways.append((squarings, self.index[rest >> squarings], right))
        if ways:
            squarings, left, right = min(ways)
            return self.add(left, squarings, right)
        # No two of what there is make it: split off the highest bit, and make what is left below it.
        low = digit & (1 << digit.bit_length() - 1) - 1
        return self.add(0, digit.bit_length() - 1, self._make(low))


@cache
def _lengths(targets: tuple[int, ...]) -> tuple[int, ...]:
    """Return an addition chain through some numbers: a shortest one where the search finds it in time."""
    if not targets:
        return (1,)
    for size in range(targets[-1].bit_length() - 1, 2 * targets[-1].bit_length() + len(targets)):
        search = _Search(targets, size)
        found = search.extend((1,))
        if found:
            return found
        if search.nodes > _NODES:
            break
    return _binary(targets)


class _Search:
    """Looks for a chain of at most ``size`` numbers after 1, each the sum of the last one and another."""

    def __init__(self, targets: Sequence[int], size: int) -> None:
        self.nodes = 0
        self._targets = targets
        self._size = size

    def extend(self, chain: tuple[int, ...], reached: int = 0) -> tuple[int, ...]:
        """Return a whole chain that begins like this one and passes a given number of targets, or none."""
        last = chain[-1]
        while self._targets[reached] <= last:
            reached += 1
            if reached == len(self._targets):
                return chain
        self.nodes += 1
        left = self._size - len(chain) + 1
        if self.nodes > _NODES or len(self._targets) - reached > left or last << left < self._targets[-1]:
            return ()
        for other in reversed(chain):
            if last + other <= self._targets[reached]:
                found = self.extend((*chain, last + other), reached)
                if found:
                    return found
        return ()


def _binary(targets: Iterable[int]) -> tuple[int, ...]:
    """Return a chain of doublings and additions of 1."""
    made = {1}
    for target in targets:
        number = 1
        for bit in bin(target)[3:]:
            number *= 2
            made.add(number)
            if bit == "1":
                number += 1
                made.add(number)
    return tuple(sorted(made))
