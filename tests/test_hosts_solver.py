"""The solver's choices for a host: as cheap as any that its rules allow, and where there is none."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import pytest
from host_formulas import PROVER
from host_provers import Bounds

from efdgen.generator.curves.load import load_curve
from efdgen.generator.errors import EfdgenError
from efdgen.generator.formulas.database import Database
from efdgen.generator.hosts.compile import HostRequest, make_host_bundle
from efdgen.generator.hosts.file import load_host
from efdgen.generator.hosts.form import Alternative
from efdgen.generator.hosts.forms import Forms, program_forms
from efdgen.generator.hosts.host import Host
from efdgen.generator.hosts.rules import Quantity
from efdgen.generator.hosts.select import Choice, Limits, select
from efdgen.generator.programs.builder import ProgramBuilder
from efdgen.generator.programs.program import Add, Input, Mul, MulConstant, Program, Sqr, Sub
from efdgen.verify.hosts.solve import solve


def small_program() -> Program:
    """X3 = (X1 - Y1)·(X1 + 4·Y1)², Y3 = X1 - Y1 - X3: differences, a multiple, and bounds that grow."""
    builder = ProgramBuilder()
    x, y = builder.emit(Input("X1"), "X1"), builder.emit(Input("Y1"), "Y1")
    difference = builder.emit(Sub(x, y), "D")
    total = builder.emit(Add(x, builder.emit(MulConstant(Fraction(4), y), "M")), "S")
    result = builder.emit(Mul(difference, builder.emit(Sqr(total), "Q")), "X3")
    return builder.build((("X3", result), ("Y3", builder.emit(Sub(difference, result), "Y3"))))


LIMITS = Limits({"X1": 4, "Y1": 4}, {"X3": 2, "Y3": 4}, {})


def chosen_cost(forms: Forms, choice: Choice, host: Host) -> int:
    """Price a choice by walking over it, copies that in-place calls on inputs need included."""
    copy = host.operations["copy"].cost
    total = sum(host.operation(name).cost for names in choice.restores.values() for name in names)
    total += sum(copy for number in choice.restores if forms.forms[number].origin)
    for name, operands, _ in {way.call for way in choice.ways.values() if way is not None}:
        operation = host.operations[name]
        only_read = operation.in_place and all(forms.forms[o].origin for o in operands)
        total += operation.cost + copy * only_read
    return total


def allowed(forms: Forms, choice: Choice, limits: Limits, host: Host) -> bool:
    """Return whether a choice keeps every rule: found by running the rules, in the order of the program."""
    try:
        program = select(forms, choice, host, ("X1",))
    except KeyError:
        return False
    for call in program.calls:
        bounds = dict(zip(call.operation.operands, program.bound(*call.operands), strict=True))
        if not all(c.at({"k": call.factor, **bounds}) for c in call.operation.needs):
            return False
    if any(value.bound > host.largest for value in program.values):
        return False
    return all(program.values[n].bound <= limits.outputs[name] for name, n in program.outputs)


def every_choice(forms: Forms, inputs: Mapping[str, int], restored: int = 2) -> Iterator[Choice]:
    """Yield every way to compute the outputs, with every set of values normalised, up to a number."""

    def ways(
        pending: tuple[int, ...], taken: Mapping[int, Alternative | None]
    ) -> Iterator[Mapping[int, Alternative | None]]:
        if not pending:
            yield taken
            return
        number, rest = pending[0], pending[1:]
        if number in taken:
            yield from ways(rest, taken)
            return
        form = forms.forms[number]
        for way in [None] if form.origin else form.alternatives:
            if (
                way
                and way.operation == "neg"
                and (base := taken.get(way.operands[0]))
                and base.operation == "neg"
            ):
                continue
            yield from ways((*(way.operands if way else ()), *rest), {**taken, number: way})

    for taken in ways(tuple(output for _, output in forms.outputs), {}):
        for count in range(restored + 1):  # more cost more than the choice of the solver
            for chosen in combinations(sorted(taken), count):
                yield Choice(taken, dict.fromkeys(chosen, ("normalize_weak",)), inputs)


@pytest.mark.slow
def test_the_choice_costs_as_little_as_any(libsecp256k1: Host) -> None:
    forms = program_forms(small_program(), libsecp256k1.operations)
    found = solve(forms, LIMITS, libsecp256k1)
    assert allowed(forms, found, LIMITS, libsecp256k1)
    prices = [
        chosen_cost(forms, choice, libsecp256k1)
        for choice in every_choice(forms, LIMITS.inputs)
        if chosen_cost(forms, choice, libsecp256k1) <= chosen_cost(forms, found, libsecp256k1)
        and allowed(forms, choice, LIMITS, libsecp256k1)
    ]
    assert min(prices) == chosen_cost(forms, found, libsecp256k1)
    assert found.restores, "the example is to need a normalisation"


def pair_program() -> Program:
    """X3 = (X1 + Y1)·(Y1 - X1), Y3 = (X3 + Y1)²: a sum with its difference, and one alone."""
    builder = ProgramBuilder()
    x, y = builder.emit(Input("X1"), "X1"), builder.emit(Input("Y1"), "Y1")
    total, difference = builder.emit(Add(x, y), "H"), builder.emit(Sub(y, x), "G")
    result = builder.emit(Mul(total, difference), "X3")
    other = builder.emit(Sqr(builder.emit(Add(result, y), "S")), "Y3")
    return builder.build((("X3", result), ("Y3", other)))


@pytest.mark.parametrize(
    ("cost", "operations", "pairs"),
    [(3, "add sub neg", 1), (1, "add sub neg", 2), (5, "add sub neg", 0), (4, "neg", 2), (9, "add neg", 0)],
)
@pytest.mark.slow
def test_a_sum_and_its_difference_are_one_call_where_that_is_cheaper(
    cost: int, operations: str, pairs: int
) -> None:
    """A sum or a difference costs 2; the call of both is taken for one of them if nothing costs less."""
    host = load_host(str(PROVER), load_curve("edwards25519").field)
    costs = {"mul": 4, "sqr": 4, "copy": 1, "neg": 3, "add": 2, "sub": 2, "add_sub": cost}
    offered = {"mul", "sqr", "copy", "add_sub", *operations.split()}
    boundless = {
        name: replace(one, cost=costs[name], needs=(), gives=(Quantity.parse("1", ()),) * len(one.gives))
        for name, one in host.operations.items()
        if name in offered
    }
    host = replace(host, operations=boundless, restores=())
    forms = program_forms(pair_program(), host.operations)
    limits = Limits({"X1": 1, "Y1": 1}, {"X3": 1, "Y3": 1}, {})
    found = solve(forms, limits, host)
    assert allowed(forms, found, limits, host)
    program = select(forms, found, host, ("X1",))
    assert sum(call.operation.name == "add_sub" for call in program.calls) == pairs
    prices = [
        chosen_cost(forms, choice, host)
        for choice in every_choice(forms, limits.inputs, restored=0)
        if chosen_cost(forms, choice, host) <= chosen_cost(forms, found, host)
        and allowed(forms, choice, limits, host)
    ]
    assert min(prices) == chosen_cost(forms, found, host)


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        (replace(LIMITS, outputs={"X3": 0, "Y3": 4}), "X3, from X3 = .*, has a bound of [12], more than 0"),
        (replace(LIMITS, inputs={"X1": 40, "Y1": 1}), "X1 has a bound of 40, above 32"),
    ],
)
def test_where_nothing_can_be_placed_the_line_is_named(libsecp256k1: Host, limits: Limits, said: str) -> None:
    forms = program_forms(small_program(), libsecp256k1.operations)
    with pytest.raises(EfdgenError, match=f"no placement of normalize_weak keeps every bound; {said}"):
        solve(forms, limits, libsecp256k1)


def test_a_rule_that_nothing_restores_is_named(libsecp256k1: Host) -> None:
    without = replace(libsecp256k1, restores=())
    forms = program_forms(small_program(), without.operations)
    with pytest.raises(EfdgenError, match=r"in Q = S\^2, sqr needs a <= 8, and the bounds are (9|[1-9]\d)"):
        solve(forms, LIMITS, without)


@pytest.mark.slow
def test_bounds_that_nobody_gives_are_closed_under_iteration(database: Database) -> None:
    request = HostRequest("k256", "secp256k1", formulas=("g1p/shortw/projective-0/*/[dm]*-2015-rcb",))
    bundle = make_host_bundle(database, request, Bounds())
    taken = {}
    for function in bundle.functions:
        for argument in function.kernel.inputs:
            for variable, name in argument.members.items():
                assert taken.setdefault(variable, function.bounds[name]) == function.bounds[name]
    assert taken.keys() == {"X", "Y", "Z"}
    for function in bundle.functions:
        (output,) = function.kernel.outputs
        assert all(function.bounds[name] <= taken[variable] for variable, name in output.members.items())
