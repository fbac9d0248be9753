"""One formula as a function of a host: ordered calls, a place for each value, and every bound.

The proof is about the emitted lines: executed with symbols in place of field elements, they are the program
that the prover is given; and they are run under the host's rules with every aliasing that the function
allows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING

from efdgen.generator.curves.instantiate import parameter_assumptions
from efdgen.generator.errors import EfdgenError
from efdgen.generator.formulas.cost import count
from efdgen.generator.hosts.aliasing import aliasings, coinciding, shared_coordinates
from efdgen.generator.hosts.forms import program_forms
from efdgen.generator.hosts.host import EQUAL, Host, HostPoint
from efdgen.generator.hosts.operation import title
from efdgen.generator.hosts.places import Placed, bind_each, place_in_variables
from efdgen.generator.hosts.program import HostSource
from efdgen.generator.hosts.run import Bounded, CurveValue, Difference, Member, run_lines
from efdgen.generator.hosts.select import Limits, select
from efdgen.generator.language.printer import print_expression
from efdgen.generator.language.syntax import Name
from efdgen.generator.passes.common_subexpressions import share_common_subexpressions
from efdgen.generator.passes.dead_code import remove_dead_code
from efdgen.generator.passes.simplify import simplify
from efdgen.generator.programs.builder import ProgramBuilder
from efdgen.generator.programs.kernel import Kernel
from efdgen.generator.programs.program import Add, Constant, Input, Inv, Mul, Parameter, Sub

if TYPE_CHECKING:
    from efdgen.generator.formulas.formula import Formula
    from efdgen.generator.hosts.operation import Operation as FieldOperation
    from efdgen.generator.hosts.operation import Signature
    from efdgen.generator.hosts.program import HostProgram
    from efdgen.generator.hosts.prover import HostProver
    from efdgen.generator.hosts.run import Location
    from efdgen.generator.kernels.candidate import Candidate
    from efdgen.generator.programs.kernel import Argument
    from efdgen.generator.programs.program import Operation, Program


@dataclass(frozen=True)
class Wishes:
    """Bounds that the user asks for, by variable (X) or by coordinate (X2), instead of the host's own."""

    inputs: Mapping[str, int]
    outputs: Mapping[str, int]


@dataclass(frozen=True)
class HostFunction:
    """A function ready to be printed.

    ``structures`` are the host's for each argument by name, or None where every coordinate is on its own.
    ``results`` says where each output is at the end, and which difference a check is of; ``bounds`` what
    every coordinate has. ``coincide`` is
    whether inputs of one type may be one object. ``chosen`` are the variables whose bounds nobody asked for.
    ``meanings`` are values of constants in the curve's parameters, of those that are no parameter themselves.
    """

    kernel: Signature
    structures: Mapping[str, HostPoint | None]
    placed: Placed
    results: Mapping[str, Location]
    bounds: Mapping[str, int]
    coincide: bool
    chosen: frozenset[str]
    meanings: Mapping[str, str] = field(default_factory=dict)

    @property
    def apart(self) -> HostFunction:
        """The function, under a name that says where inputs of one type may not be one object."""
        if self.coincide:
            return self
        return replace(self, kernel=replace(self.kernel, name=f"{self.kernel.name}_apart"))

    @property
    def checks(self) -> int:
        """The number of checks, of which the function returns whether all hold."""
        return sum(isinstance(place, Difference) for place in self.results.values())

    @property
    def constants(self) -> tuple[str, ...]:
        """Names of the constants that are read, sorted."""
        read = (place for line in self.placed.lines for place in line.operands)
        return tuple(sorted({place.name for place in read if isinstance(place, CurveValue)}))


def host_function(
    kernel: Kernel, found: Candidate, host: Host, wishes: Wishes, prover: HostProver
) -> tuple[HostFunction, Mapping[str, Fraction]]:
    """Write a formula in a host's calls; return it with the rational numbers among its constants.

    Raises :class:`EfdgenError` where the host cannot compute it, where no placement meets all bounds, and
    what the prover raises.
    """
    formula, program = found.specialised.formula, _without_fixed(found.specialised.program, kernel)
    _require_supported(kernel, host)
    structures = {a.name: structure(host, kernel, a) for a in (*kernel.inputs, *kernel.outputs)}
    forms = program_forms(program, host.operations, kernel.tested)
    limits = wanted_bounds(kernel, host, structures, wishes)
    try:
        choice = prover.bounds(forms, limits, host)
    except EfdgenError as error:
        raise EfdgenError(f"{formula.id} in the field of {host.name}: {error}") from None
    selected = select(forms, choice, host, formula.assigned_names)
    chosen = frozenset(v for a in kernel.inputs for v, name in a.members.items() if name not in limits.inputs)
    placed = _placed(kernel, host, structures, selected, chosen)
    function, emitted = check(placed, host, forms.numbers)
    proof = prover.proof(replace(found.specialised, program=emitted))
    kernel = replace(kernel, proof=proof, cost_emitted=count(emitted))
    return replace(function, kernel=kernel, meanings=_meanings(formula, forms.numbers)), forms.numbers


def _meanings(formula: Formula, numbers: Mapping[str, Fraction]) -> dict[str, str]:
    """Return the values of names that a formula's assumptions define, and of names for numbers."""
    defined = [(each.left, each.right) for each in parameter_assumptions(formula)]
    texts = {left.text: print_expression(right) for left, right in defined if isinstance(left, Name)}
    return {**texts, **{name: str(value) for name, value in numbers.items()}}


def _require_supported(kernel: Kernel, host: Host) -> None:
    """Raise :class:`EfdgenError` for a function of many points, and for tests that a host cannot do."""
    if kernel.batch or kernel.formula.guards:
        does = "takes many points at once" if kernel.batch else "tests that a value is not 0"
        raise EfdgenError(f"{kernel.formula.id} {does}; ask for it with --lang instead")
    if kernel.tests and EQUAL not in host.operations:
        lacking = f"has checks, and {host.name} has no operation {EQUAL}"
        raise EfdgenError(f"{kernel.formula.id} {lacking}; add it, or use --lang")


def operation_function(
    operation: FieldOperation, host: Host, prover: HostProver
) -> tuple[HostFunction, Program, Mapping[str, Fraction]]:
    """Write an operation of a field in a host's calls; return the program that they are, and its numbers.

    Raises :class:`EfdgenError` where the host cannot compute it.
    """
    structures = {a.name: structure(host, operation, a) for a in (*operation.inputs, *operation.outputs)}
    forms = program_forms(operation.program, host.operations)
    limits = wanted_bounds(operation, host, structures, Wishes({}, {}))
    try:
        choice = prover.bounds(forms, limits, host)
    except EfdgenError as error:
        raise EfdgenError(f"{operation.doc} in the field of {host.name}: {error}") from None
    selected = select(forms, choice, host, ())
    placed = _placed(operation, host, structures, selected, frozenset())
    return *check(placed, host, forms.numbers), forms.numbers


def _without_fixed(program: Program, kernel: Kernel) -> Program:
    """Leave out the outputs that are numbers which a type fixes, as ``Z3 = 1`` of an affine point."""
    given = {*kernel.tested, *(name for argument in kernel.outputs for name in argument.coordinates)}
    kept = tuple((name, value) for name, value in program.outputs if name in given)
    return remove_dead_code(replace(program, outputs=kept))


def structure(host: Host, kernel: Signature, argument: Argument) -> HostPoint | None:
    """Return the structure of a host that has just the variables of an argument, or one that is declared."""
    if host.style.define and argument.number:
        name = argument.type.name
        camel = "".join(word.capitalize() for word in name.split("_"))
        type_name = host.style.type.format(name=name, camel=camel, prefix=host.prefix)
        members = {variable: variable.lower() for variable in argument.type.members}
        return HostPoint(type_name, type_name, (), members, {}, (), ())
    system = ""
    if isinstance(kernel, Kernel) and argument.number:
        system = kernel.formula.system_of(argument.number).id
    for point in host.points:
        if point.kind == argument.type.name:
            return point
        fits = not point.kind and (not point.systems or system.rpartition("/")[2] in point.systems)
        if argument.number and fits and set(point.members) == set(argument.type.members):
            return point
    return None


def wanted_bounds(
    kernel: Signature, host: Host, structures: Mapping[str, HostPoint | None], wishes: Wishes
) -> Limits:
    """Return the bounds of inputs and outputs: the user's, or the structure's, or the host's.

    An output of a type that is also an input's is to be at most as large as that one may be.
    """
    inputs, outputs = (
        {
            name: bound
            for argument in arguments
            for variable, name in argument.members.items()
            if (bound := wanted_bound(host, structures[argument.name], asked, variable, name)) is not None
        }
        for arguments, asked in ((kernel.inputs, wishes.inputs), (kernel.outputs, wishes.outputs))
    )
    shared = shared_coordinates(kernel, structures)
    returns = {
        name: shared[name]
        for output in kernel.outputs
        for variable, name in output.members.items()
        if name not in wishes.outputs and variable not in wishes.outputs
    }
    return Limits(inputs, outputs, returns)


def wanted_bound(
    host: Host, point: HostPoint | None, asked: Mapping[str, int], variable: str, name: str
) -> int | None:
    """Return the bound that the user, the structure or the host asks for; None without one."""
    for wish in (name, variable):
        if wish in asked:
            return asked[wish]
    return point.bounds.get(variable, host.input) if point else host.input


def _placed(
    kernel: Signature,
    host: Host,
    structures: Mapping[str, HostPoint | None],
    program: HostProgram,
    chosen: frozenset[str],
) -> HostFunction:
    coordinates = {
        name: Member(argument.name, variable)
        for argument in (*kernel.inputs, *kernel.outputs)
        for variable, name in argument.members.items()
    }
    bounds = {v.name: v.bound for v in program.values if isinstance(v, HostSource) and not v.constant}
    bounds |= {name: program.values[number].bound for name, number in program.outputs}
    tested = kernel.tested if isinstance(kernel, Kernel) else ()
    checks = {name: Difference(number) for number, name in enumerate(tested, start=1)}
    if host.slots:
        shared = shared_coordinates(kernel, structures)
        placed = place_in_variables(program, coordinates, shared, host.operations["copy"])
        results: dict[str, Location] = {name: coordinates[name] for name, _ in program.outputs}
    else:
        placed, results = bind_each(program, coordinates)
    results = {**results, **checks}
    return HostFunction(kernel, structures, placed, results, bounds, coincide=True, chosen=chosen)


class Recorder:
    """A field whose elements are values of a program that grows as they are computed; equal ones are one."""

    def __init__(self) -> None:
        self.builder = ProgramBuilder()
        self.known: dict[Operation, int] = {}

    def record(self, operation: Operation) -> int:
        """Return the value of an operation."""
        if operation not in self.known:
            label = operation.name if isinstance(operation, Input | Parameter) else ""
            self.known[operation] = self.builder.emit(operation, label)
        return self.known[operation]

    def constant(self, value: Fraction) -> int:
        """Return a number."""
        return self.record(Constant(value))

    def add(self, left: int, right: int) -> int:
        """Return left + right."""
        return self.record(Add(left, right))

    def sub(self, left: int, right: int) -> int:
        """Return left - right."""
        return self.record(Sub(left, right))

    def mul(self, left: int, right: int) -> int:
        """Return left · right."""
        return self.record(Mul(*sorted((left, right))))

    def inv(self, value: int) -> int:
        """Return 1/value."""
        return self.record(Inv(value))


def check(
    function: HostFunction, host: Host, numbers: Mapping[str, Fraction]
) -> tuple[HostFunction, Program]:
    """Run the lines under the host's rules with every aliasing; return the program that they are.

    The function comes back with what is known of inputs that are one object. Raises :class:`EfdgenError` for
    a line that breaks a rule, or an aliasing that changes a result.
    """
    recorder, certain = Recorder(), not host.claims
    inputs: dict[Location, Bounded[int]] = {
        Member(a.name, variable): Bounded(recorder.record(Input(name)), function.bounds[name], certain)
        for a in function.kernel.inputs
        for variable, name in a.members.items()
        if name in function.bounds
    }
    for name in function.constants:
        value = numbers.get(name)
        held = recorder.record(Parameter(name)) if value is None else recorder.constant(value)
        inputs[CurveValue(name)] = Bounded(held, 1)

    def outputs(aliases: Mapping[Location, Location]) -> dict[str, int]:
        held = run_lines(function.placed.lines, recorder, inputs, aliases, host.largest)
        return {name: held[aliases.get(place, place)].value for name, place in function.results.items()}

    plain = outputs({})
    for aliases in aliasings(function.kernel, function.structures) if host.slots else ():
        if outputs(aliases) != plain:
            same = ", ".join(f"{output} is {given}" for output, given in aliases.items())
            raise EfdgenError(f"{title(function.kernel)}: another result where {same}")
    try:
        for pair in combinations(function.kernel.inputs, 2):
            outputs(coinciding(function.structures, pair[1], pair[0]))
    except EfdgenError:
        function = replace(function, coincide=False)
    plain |= {
        f"{variable}{a.number}": recorder.constant(Fraction(value))
        for a in function.kernel.outputs
        for variable, value in a.type.fixed
    }
    program = recorder.builder.build(plain.items())
    return function, remove_dead_code(share_common_subexpressions(simplify(program)))
