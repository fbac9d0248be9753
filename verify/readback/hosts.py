"""Functions in a host's calls, read back from the file: each statement as a call.

The host's file gives the form of calls and the names of places. The calls of the text are run under
the host's rules with every aliasing, and must give the values of those that were proved, within the same
bounds. The comparisons must be the same, in any order, and a function returns whether all of them hold.
"""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from string import Formatter
from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError
from efdgen.generator.fields.printed import FileText
from efdgen.generator.hosts.aliasing import aliasings, coinciding
from efdgen.generator.hosts.host import EQUAL
from efdgen.generator.hosts.render import HostPrinter, constant_name, render
from efdgen.generator.hosts.run import Bounded, CurveValue, Difference, Line, Local, Member, run_lines
from efdgen.verify.readback.frames import Followed, frame_differences
from efdgen.verify.readback.ways import Ways
from efdgen.verify.words.values import NotFollowedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from efdgen.generator.hosts.compile import HostBundle
    from efdgen.generator.hosts.function import HostFunction
    from efdgen.generator.hosts.host import HostOperation
    from efdgen.generator.hosts.run import Location
    from efdgen.verify.readback.elements import Element

    Held = dict[Location, Bounded[Element]]

_COMMENTS = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
_LITERAL = re.compile(r"(\w+) \{ ([^{}]*) \}")
# The bound of an operand where the text does not state it; it is what it is.
_UNSAID = -1
_NUMBER = re.compile(r"0x([0-9a-fA-F]+)")


def require_read(bundle: HostBundle, files: Mapping[str, str]) -> None:
    """Read a host's file back; raise :class:`EfdgenError` where it is not what was proved."""
    printed = [FileText(path, text) for path, text in render(bundle).items()]
    own = [each for path in files for each in followed(bundle, path)]
    for name, difference in (*differences(bundle, files), *frame_differences(files, printed, own)):
        raise EfdgenError(f"the text differs from what was proved: {name}: {difference}; report it as a bug")


def followed(bundle: HostBundle, file: str) -> Iterator[Followed]:
    """Yield the functions of a host's file that are compared with proved ones."""
    for function in bundle.functions:
        name = HostPrinter(bundle, function).plain_name
        yield from (Followed(file, each) for each in dict.fromkeys((name, name.removesuffix("_apart"))))


def differences(bundle: HostBundle, files: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield functions and constants of a host's file that are not what was proved, and how they differ."""
    (text,) = files.values()
    for name, value in bundle.constants.items() if bundle.host.style.constant else ():
        if _constant(bundle, name, text) != value:
            yield name, "it is not this number"
    for function in bundle.functions:
        try:
            difference = _Reader(bundle, function).difference(text)
        except (NotFollowedError, EfdgenError) as error:
            difference = f"it cannot be followed: {error}"
        if difference:
            yield function.kernel.name, difference


class _Reader:
    """Reads one function."""

    def __init__(self, bundle: HostBundle, function: HostFunction) -> None:
        self._host, self._function, self._kernel = bundle.host, function, function.kernel
        self._printer = HostPrinter(bundle, function)
        self._way = Ways([])
        self._places: dict[str, Location] = {}
        self._values: dict[str, Location] = {}
        for location in self._locations():
            place, value = (self._printer.spelled(location, value=value) for value in (False, True))
            # Two places of one name are one.
            same = self._places.setdefault(_flat(place), location)
            self._values.setdefault(_flat(value), same)
            if self._host.style.coercion:
                self._places.setdefault(_flat(self._host.style.coercion.format(value=place)), same)
        operations = (*self._host.operations.values(), *self._host.restores)
        self._patterns = [
            (operation, self._pattern(operation.code))
            for operation in operations
            if operation.name != EQUAL or not function.checks
        ]
        self._comparisons = [self._comparison(before) for before in (0, 1)] if function.checks else []

    def _locations(self) -> Iterator[Location]:
        """Yield every place: coordinates, constants, variables."""
        written = () if self._host.style.returns else self._kernel.outputs
        for argument in (*self._kernel.inputs, *written):
            yield from (Member(argument.name, variable) for variable in argument.members)
        yield from (CurveValue(name) for name in self._function.constants)
        yield from (Local(number) for number in range(self._function.placed.variables))

    def difference(self, text: str) -> str:
        """Return how a function differs from the lines that were proved; nothing where it does not."""
        lines, rest = self._read(body_of(self._printer.signature(), text))
        results = self._returned(rest)
        function = self._function
        for aliases in self._aliasings():
            wanted, compared = self._outputs(function.placed.lines, self._stored(), aliases)
            found, comparisons = self._outputs(lines, results, aliases)
            if comparisons != compared:
                return "it makes other comparisons"
            for name, value in wanted.items():
                if found[name].value != value.value or found[name].bound > function.bounds[name]:
                    where = ", ".join(f"{one} in the place of {other}" for one, other in aliases.items())
                    return f"{name} is another value{f', with {where}' if where else ''}"
        return ""

    def _aliasings(self) -> Iterator[Mapping[Location, Location]]:
        """Yield the ways in which arguments may be the same objects: none, outputs and inputs, two inputs."""
        yield {}
        structures = self._function.structures
        if self._host.slots:
            yield from aliasings(self._kernel, structures)
        for one, other in combinations(self._kernel.inputs, 2):
            if self._function.coincide and (aliases := coinciding(structures, other, one)):
                yield aliases

    def _outputs(
        self, lines: Iterable[Line], results: Mapping[str, Location], aliases: Mapping[Location, Location]
    ) -> tuple[dict[str, Bounded[Element]], frozenset[frozenset[Element]]]:
        """Return the outputs of lines, run under the host's rules, and what has to be 0, with both signs."""
        held: Held = {
            Member(argument.name, variable): Bounded(
                self._way.input(name), self._function.bounds[name], not self._host.claims
            )
            for argument in self._kernel.inputs
            for variable, name in argument.members.items()
            if name in self._function.bounds
        }
        held |= {CurveValue(name): Bounded(self._way.input(name), 1) for name in self._function.constants}
        held = {aliases.get(place, place): value for place, value in held.items()}
        for line in lines:
            places = [aliases.get(place, place) for place in line.operands]
            if any(place not in held for place in places):
                raise NotFollowedError(f"{line.text} reads what was not stored")
            read = tuple(
                held[place].bound if said == _UNSAID else said
                for said, place in zip(line.read, places, strict=True)
            )
            held = run_lines([replace(line, read=read)], self._way, held, aliases, self._host.largest)
        missing = [name for name, place in results.items() if aliases.get(place, place) not in held]
        if missing:
            raise NotFollowedError(f"{missing[0]} is not stored")
        compared = (v.value for place, v in held.items() if isinstance(place, Difference))
        differences = frozenset(frozenset((v, self._way.times(Fraction(-1), v))) for v in compared)
        return {name: held[aliases.get(place, place)] for name, place in results.items()}, differences

    def _stored(self) -> dict[str, Location]:
        """Return where the outputs are that were proved."""
        results = self._function.results
        return {name: place for name, place in results.items() if not isinstance(place, Difference)}

    def _read(self, body: str) -> tuple[list[Line], str]:
        """Return the calls of a body, and what is after them."""
        first, last = (_flat("\n".join(part())) for part in (self._printer.entry, self._printer.exit))
        if not (body.startswith(first) and body.endswith(last)) or len(body) < len(first) + len(last):
            raise NotFollowedError("it does not begin or end as it should")
        if self._comparisons and self._host.language == "c":
            verdict = self._printer.verdict
            if f" {verdict} = 1;" not in first or not last.endswith(f"return {verdict};"):
                raise NotFollowedError(f"it does not return {verdict}")
        body = body[len(first) : len(body) - len(last)].strip()
        lines: list[Line] = []
        while found := self._call(body, sum(line.operation.name == EQUAL for line in lines)):
            line, end = found
            lines.append(line)
            body = body[end:].lstrip()
        return lines, body

    def _comparison(self, before: int) -> tuple[HostOperation, re.Pattern[str]]:
        """Return what a comparison looks like: one that is joined to those before it, if there are any."""
        operation, name = self._host.operations[EQUAL], self._printer.verdict
        if name in (*self._places, *self._values):
            raise NotFollowedError(f"{name} is an element, too")
        start = {"c": f"{name} &= ", "rust": f"let {name} = " + (f"{name} & " if before else "")}
        return operation, self._pattern(f"{start[self._host.language]}{operation.code};")

    def _call(self, text: str, before: int) -> tuple[Line, int] | None:
        """Return the call that a text begins with, after ``before`` comparisons, and where it ends."""
        for operation, pattern in (*self._patterns, *self._comparisons[before > 0 :][:1]):
            if found := pattern.match(text):
                named = found.groupdict()
                names = (*operation.results, *operation.operands)
                places = {name: self._places[named[name]] for name in names if name in named}
                for name in names:
                    if value := named.get(f"{name}_value"):
                        places[name] = self._values[value]
                if operation.in_place:
                    places["a"] = places["r"]
                targets = tuple(places[name] for name in operation.results)
                operands = tuple(places[name] for name in operation.operands)
                read = tuple(int(named.get(f"bound_{name}", _UNSAID)) for name in operation.operands)
                factor = before if operation.name == EQUAL else int(named.get("k", 0))
                largest = (self._host.largest,) * len(targets)
                line = Line(operation, targets, operands, read, factor, (found[0],), largest)
                return line, found.end()
        return None

    def _pattern(self, code: str) -> re.Pattern[str]:
        """Return what a call looks like, with places that there are."""
        parts: list[str] = []
        seen: set[str] = set()
        for literal, name, _, _ in Formatter().parse(_flat(code)):
            parts.append(re.escape(literal))
            if name is None:
                continue
            known = self._values if name.endswith("_value") else self._places
            choices = "|".join(sorted(map(re.escape, known), key=len, reverse=True))
            what = r"\d+" if name == "k" or name.startswith("bound_") else choices
            parts.append(f"(?P={name})" if name in seen else f"(?P<{name}>{what})")
            seen.add(name)
        return re.compile("".join(parts))

    def _returned(self, text: str) -> Mapping[str, Location]:
        """Return where the outputs are: in their places, or in structures that are returned."""
        if not self._host.style.returns:
            if text:
                raise NotFollowedError(f"{text.partition(';')[0]} is no call of the host")
            return self._stored()
        if self._comparisons:
            text, _, verdict = text.removesuffix(")").rstrip(" ,").rpartition(", ")
            if verdict != self._printer.verdict:
                raise NotFollowedError(f"it does not return {self._printer.verdict}")
        literals = _LITERAL.findall(text)
        if _LITERAL.sub("", text).strip("(), ") or len(literals) != len(self._kernel.outputs):
            raise NotFollowedError(f"{text} is neither a call of the host nor what it returns")
        found: dict[str, Location] = {}
        for argument, (kind, members) in zip(self._kernel.outputs, literals, strict=True):
            point = self._function.structures[argument.name]
            given = [member.partition(":") for member in members.strip(" ,").split(",")]
            values = {name.strip(): (value or name).strip() for name, _, value in given}
            wanted = {point.members[v]: name for v, name in argument.members.items()} if point else {}
            if point is None or kind != point.type.partition("<")[0] or values.keys() != wanted.keys():
                raise NotFollowedError(f"{kind} is not what it returns")
            found |= {wanted[member]: self._values[value] for member, value in values.items()}
        return found


def _flat(text: str) -> str:
    """Return a text without comments, with single spaces."""
    return " ".join(_COMMENTS.sub(" ", text).split())


def body_of(signature: str, text: str) -> str:
    """Return the body of a function."""
    words = " ".join(signature.replace("(", "( ").split())
    head = re.escape(words).replace(r"\(\ ", r"\(\s*").replace(r"\ ", r"\s+") + r" \{\n"
    found = list(re.finditer(head, text))
    if len(found) != 1:
        raise NotFollowedError("it is not in the text as it should be called")
    return _flat(text[found[0].end() :].partition("\n}\n")[0])


def _constant(bundle: HostBundle, name: str, text: str) -> int | None:
    """Return the number that a constant is in a text."""
    prime = bundle.bundle.prime
    parts: list[str] = []
    fields: list[str] = []
    for literal, field, _, _ in Formatter().parse(_flat(bundle.host.style.constant)):
        parts.append(re.escape(literal))
        if field == "name":
            parts.append(re.escape(constant_name(bundle, name)))
        elif field:
            fields.append(field)
            parts.append("([0-9a-fA-FxUL, ]*)")
    found = re.findall("".join(parts), _flat(text))
    if len(found) != 1:
        return None
    values = set()
    for field, digits in zip(fields, found if isinstance(found[0], str) else found[0], strict=True):
        values.add(number_of(field, digits, prime))
    return values.pop() if len(values) == 1 else None


def number_of(field: str, digits: str, prime: int) -> int:
    """Return the number that is written in words, or as one."""
    if field == "hex":
        return int(digits, 16)
    bits = int(field[-2:])
    words = [int(word, 16) for word in _NUMBER.findall(digits)]
    words = words[::-1] if field == "words32" else words
    value = sum(word << bits * index for index, word in enumerate(words))
    return value * pow(1 << bits * len(words), -1, prime) % prime if field == "montgomery64" else value
