"""The order and the places of a host's calls, and rules that run on them, where outputs are inputs too."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from host_formulas import DOUBLING, HOSTS, PROVER
from host_provers import Bounds

from efdgen.generator.errors import EfdgenError
from efdgen.generator.formulas.database import Database
from efdgen.generator.hosts.aliasing import aliasings
from efdgen.generator.hosts.compile import HostBundle, HostRequest, make_host_bundle
from efdgen.generator.hosts.file import load_host
from efdgen.generator.hosts.function import check
from efdgen.generator.hosts.host import Host
from efdgen.generator.hosts.places import place_in_variables
from efdgen.generator.hosts.program import HostCall, HostProgram, HostResult, HostSource
from efdgen.generator.hosts.rules import Quantity
from efdgen.generator.hosts.run import Bounded, Line, Local, Location, Member, run_lines
from efdgen.generator.mathematics.prime import PrimeField

COORDINATES = {
    "X1": Member("a", "X"),
    "Y1": Member("a", "Y"),
    "X3": Member("r", "X"),
    "Y3": Member("r", "Y"),
}
X, Y, PRIME = 17, 33, 101


def short_program(host: Host) -> HostProgram:
    """X3 = X1² + X1·Y1, Y3 = 2·X1·Y1·X3; in place, one order of the last three calls needs a copy."""

    def call(value: int, name: str, *operands: int, factor: int = 0) -> HostCall:
        return HostCall(host.operations[name], operands, factor, (value,))

    calls = (
        call(2, "sqr", 0),
        call(3, "mul", 0, 1),
        call(4, "add", 2, 3),
        call(5, "mul_int", 3, factor=2),
        call(6, "mul", 5, 4),
    )
    sources = HostSource("X1", False, 1), HostSource("Y1", False, 1)
    results = tuple(HostResult(call.operation.name, 1) for call in calls)
    return HostProgram((*sources, *results), calls, (("X3", 4), ("Y3", 6)))


def pair_program(host: Host) -> HostProgram:
    """X3 = H·G + H, Y3 = G, where H = X1 + Y1 and G = X1 - Y1; the last sum leaves a result unused."""

    def call(values: tuple[int, ...], name: str, *operands: int) -> HostCall:
        return HostCall(host.operations[name], operands, 0, values)

    calls = (call((2, 3), "add_sub", 0, 1), call((4,), "mul", 2, 3), call((5, 6), "add_sub", 4, 2))
    sources = HostSource("X1", False, 1), HostSource("Y1", False, 1)
    results = tuple(HostResult(f"v{number}", 1) for number in range(2, 7))
    return HostProgram((*sources, *results), calls, (("X3", 5), ("Y3", 3)))


def shared_with(place: Location) -> list[Location]:
    """Return the input coordinate that an output coordinate is where the output is the input."""
    return [Member("a", place.variable)] if isinstance(place, Member) and place.argument == "r" else []


def lines_of(
    program: HostProgram, order: tuple[int, ...], places: Mapping[int, Location], host: Host
) -> list[Line]:
    """Return the lines of an order with every value in a given place, and the copies that this needs."""

    def copied(to: Location, at: Location) -> Line:
        return Line(host.operations["copy"], (to,), (at,), (1,), 0, ("copy",), (1,))

    where = {
        n: COORDINATES[v.name] for n, v in enumerate(program.values) if isinstance(v, HostSource)
    } | dict(places)
    lines = []
    for number in order:
        call = program.call_of[number]
        targets = tuple(where[value] for value in call.values)
        read = [where[operand] for operand in call.operands]
        # The second operand of a product may not be where the result goes, nor where it goes if r is a.
        if call.commutative and read[-1] in (targets[0], *shared_with(targets[0])):
            read.reverse()
        if call.operation.in_place and read[0] != targets[0]:
            lines.append(copied(targets[0], read[0]))
            read[0] = targets[0]
        ones, said = (1,) * len(read), ("call",) * len(targets)
        lines.append(Line(call.operation, targets, tuple(read), ones, call.factor, said, (1,) * len(targets)))
    ends = [(COORDINATES[name], where[number]) for name, number in program.outputs]
    return lines + [copied(to, at) for to, at in ends if to != at]


def right(lines: list[Line], wanted: list[int]) -> bool:
    """Return whether lines compute values by the host's rules, also where the output is the input."""
    inputs = {COORDINATES["X1"]: Bounded(X, 1), COORDINATES["Y1"]: Bounded(Y, 1)}
    for aliases in ({}, {Member("r", "X"): Member("a", "X"), Member("r", "Y"): Member("a", "Y")}):
        try:
            held = run_lines(lines, PrimeField(PRIME), inputs, aliases, 32)
        except EfdgenError:
            return False
        results = (Member("r", variable) for variable in "XY")
        if [held[aliases.get(place, place)].value for place in results] != wanted:
            return False
    return True


def boundless(host: Host, **changes: object) -> Host:
    """Return a host without rules on bounds; changes are those of the call of a sum and a difference."""
    one = Quantity.parse("1", ())
    operations = {
        name: replace(operation, needs=(), gives=(one,) * len(operation.gives), untrusted=False)
        for name, operation in host.operations.items()
    }
    if changes:
        operations["add_sub"] = replace(operations["add_sub"], **changes)
    return replace(host, operations=operations)


def require_fewest(
    program: HostProgram, orders: tuple[tuple[int, ...], ...], wanted: list[int], host: Host
) -> tuple[int, int]:
    """Require that no order and no places need fewer copies or variables than those that are found."""
    copy = host.operations["copy"]
    placed = place_in_variables(program, COORDINATES, {"X3": ("X1",), "Y3": ("Y1",)}, copy)
    assert placed.least
    assert right(list(placed.lines), wanted)
    values = [number for number, value in enumerate(program.values) if isinstance(value, HostResult)]
    found = []
    for variables in range(placed.variables + 1):
        locations = [*map(Local, range(variables)), COORDINATES["X3"], COORDINATES["Y3"]]
        for order, places in product(orders, product(locations, repeat=len(values))):
            lines = lines_of(program, order, dict(zip(values, places, strict=True)), host)
            copies = len(lines) - len(order)
            if (copies, variables) <= (placed.copies, placed.variables) and right(lines, wanted):
                found.append((copies, variables))
    assert min(found) == (placed.copies, placed.variables)
    return min(found)


def test_no_order_and_no_places_need_fewer_copies_or_variables(libsecp256k1: Host) -> None:
    host = boundless(libsecp256k1)
    orders = ((2, 3, 4, 5, 6), (3, 2, 4, 5, 6), (2, 3, 5, 4, 6), (3, 2, 5, 4, 6), (3, 5, 2, 4, 6))
    wanted = [(X * X + X * Y) % PRIME, 2 * X * Y * (X * X + X * Y) % PRIME]
    require_fewest(short_program(host), orders, wanted, host)


@pytest.mark.parametrize(
    ("distinct", "code", "fewest"),
    [
        ("", "pair({r}, {s}, {a}, {b});", (0, 1)),
        ("r b, s a", "pair({r}, {s}, {a}, {b});", (0, 1)),
        ("s b", "pair({r}, {s}, {a}, {b});", (1, 1)),
        ("r a, r b, s a, s b", "pair({r}, {s}, {a}, {b});", (1, 3)),
        ("", "pair({r}, {s}, {b});", (1, 1)),
        ("s b", "pair({r}, {s}, {b});", (2, 2)),
    ],
)
def test_no_places_of_two_results_need_fewer(distinct: str, code: str, fewest: tuple[int, int]) -> None:
    pairs = tuple((pair.split()[0], pair.split()[1]) for pair in distinct.split(", ") if pair)
    host = boundless(load_host(str(PROVER), PrimeField(2**255 - 19)), distinct=pairs, code=code)
    wanted = [((X + Y) * (X - Y) + X + Y) % PRIME, (X - Y) % PRIME]
    assert require_fewest(pair_program(host), ((2, 4, 5),), wanted, host) == fewest


@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        ("add", lambda line: replace(line, bounds=(1,)), "a bound of"),
        ("add", lambda line: replace(line, read=(0, 0)), "reads more than it says"),
        ("add", lambda line: replace(line, targets=(Local(9),)), "works in place"),
        ("mul", lambda line: replace(line, operands=line.operands[:1] * 2), "needs [ar] and b in two places"),
        ("mul", lambda line: replace(line, operands=(Local(9), line.operands[1])), "reads or writes what"),
        ("mul", lambda line: replace(line, read=(9, 9)), "mul needs a <= 8, and a = 9, b = 9"),
    ],
)
def test_the_rule_runner_refuses(
    doubling: HostBundle, libsecp256k1: Host, name: str, change: Callable[[Line], Line], said: str
) -> None:
    (function,) = doubling.functions
    check(function, libsecp256k1, {})
    lines = list(function.placed.lines)
    number = max(number for number, line in enumerate(lines) if line.operation.name == name)
    lines[number] = change(lines[number])
    broken = replace(function, placed=replace(function.placed, lines=tuple(lines)))
    with pytest.raises(EfdgenError, match=said):
        check(broken, libsecp256k1, {})


def test_what_was_made_by_a_wrong_rule_is_refused(
    database: Database, libsecp256k1: Host, tmp_path: Path
) -> None:
    text = (HOSTS / "libsecp256k1.toml").read_text()
    path = tmp_path / "lenient.toml"
    path.write_text(text.replace('"a <= 8"', '"a <= 32"').replace('"b <= 8"', '"b <= 32"'))
    request = HostRequest(str(path), "secp256k1", formulas=(DOUBLING,), in_bounds="X=9")
    (function,) = make_host_bundle(database, request, Bounds()).functions
    check(function, libsecp256k1, {})
    lines = [replace(n, operation=libsecp256k1.operation(n.operation.name)) for n in function.placed.lines]
    broken = replace(function, placed=replace(function.placed, lines=tuple(lines)))
    with pytest.raises(EfdgenError, match=r"needs a <= 8, and a = (9|10)"):
        check(broken, libsecp256k1, {})


def test_an_output_written_too_early_is_found(doubling: HostBundle, libsecp256k1: Host) -> None:
    (function,) = doubling.functions
    assert list(aliasings(function.kernel, function.structures)) == [
        {Member("p3", variable): Member("p1", variable) for variable in "XYZ"}
    ]
    early = Line(libsecp256k1.operations["set_int"], (Member("p3", "Y"),), (), (), 1, ("early",), (1,))
    broken = replace(function, placed=replace(function.placed, lines=(early, *function.placed.lines)))
    with pytest.raises(EfdgenError, match="another result where X of p3 is X of p1"):
        check(broken, libsecp256k1, {})


def test_a_coordinate_may_be_that_of_a_point_of_another_type(database: Database) -> None:
    request = HostRequest("micro-ecc", "P-256", formulas=("jacobian-3/scaling/z",))
    bundle = make_host_bundle(database, request, Bounds())
    (function,) = bundle.functions
    assert {Member("p3", "Y"): Member("p1", "Y")} in aliasings(function.kernel, function.structures)
    first, *others = function.placed.lines
    early = replace(first, targets=(Member("p3", "Y"),))
    moved = {first.targets[0]: early.targets[0]}
    late = [replace(line, operands=tuple(moved.get(o, o) for o in line.operands)) for line in others]
    broken = replace(function, placed=replace(function.placed, lines=(early, *late)))
    with pytest.raises(EfdgenError, match="another result where Y of p3 is Y of p1"):
        check(broken, bundle.host, {})
