"""From a curve and a choice of formulas to the kernels that are printed."""

from __future__ import annotations

import hashlib
import logging
from collections import Counter
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from efdgen.generator.curves.exceptional import in_words
from efdgen.generator.curves.instantiate import NotApplicable, instantiate
from efdgen.generator.curves.map import CurveMap
from efdgen.generator.errors import EfdgenError
from efdgen.generator.formulas.cost import cost_of, count
from efdgen.generator.formulas.formula import Formula, Kind, Map
from efdgen.generator.formulas.reader import formula_statements
from efdgen.generator.formulas.signature import (
    arguments,
    function_name,
    other_input_assumptions,
    own_name,
    whole_name,
)
from efdgen.generator.inert import inert
from efdgen.generator.kernels.candidate import Candidate, fitting
from efdgen.generator.kernels.preference import in_preference
from efdgen.generator.kernels.prover import Prover
from efdgen.generator.kernels.ranking import by_weights
from efdgen.generator.language.printer import print_document, print_equation, print_expression
from efdgen.generator.language.syntax import names_in
from efdgen.generator.passes.allocation import allocate
from efdgen.generator.programs.batch import batch_of
from efdgen.generator.programs.kernel import CurveConstant, CurveKernels, Kernel, PointType
from efdgen.generator.programs.lower import lower
from efdgen.generator.programs.program import with_parameters
from efdgen.generator.reports.maps import choice_text, map_text, target_text, undefined_inputs

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from efdgen.generator.curves.curve import Curve
    from efdgen.generator.curves.exceptional import Exceptions
    from efdgen.generator.formulas.database import Database
    from efdgen.generator.formulas.formula import System
    from efdgen.generator.kernels.ranking import Ranking
    from efdgen.generator.language.syntax import Equation
    from efdgen.generator.mathematics.ground import Ground
    from efdgen.generator.programs.kernel import Place
    from efdgen.generator.reports.weights import Weights


BY_NAME = frozenset(
    ("g12o/shortw/xs", "g1p/montgom/extended", "g1p/montgom/extended-1", "g1p/twisted/extended-split")
)
"""Systems that only a request that names them gets: other code on their curves has other coordinates."""

USUAL = {
    "addition": ("add", "add_mixed"),
    "doubling": ("double",),
    "negation": ("negate",),
    "scaling": ("normalize",),
    "ladder": ("ladder_step", "ladder_step_mixed"),
}
"""Functions that a curve gets if no formulas are named, by the kind of their formulas."""

_PRICED = {"doubling": ("double",), "addition": ("add",), "diffadd": ("differential_add",)}


def unnamed_systems(database: Database, model: str) -> list[str]:
    """Return the coordinate systems of a model that a request without one chooses from."""
    return [system for system in database.systems(model) if system not in BY_NAME]


def cheapest_system(database: Database, curve: Curve, weights: Weights) -> str:
    """Return the coordinate system in which a doubling and half of an addition cost least.

    They are the cost of a bit of double-and-add. A system that inverts, or one without additions, is taken
    only where the model has no other, and of two that cost the same the one made for fewer curves. Systems in
    ``BY_NAME`` are not considered.
    """
    prices = {}
    for system in unnamed_systems(database, curve.model):
        try:
            require_system(database.system(system), curve)
        except NotApplicable:
            continue
        chosen = {
            kernel.formula.kind.id: kernel for kernel in priced_formulas(database, curve, system, weights)
        }
        if "doubling" in chosen:
            doubling = count(chosen["doubling"].specialised.program)
            addition = chosen.get("addition") or chosen.get("diffadd")
            if addition is not None:
                adding = count(addition.specialised.program)
                handicaps = doubling.inversions > 0, addition.formula.kind.id != "addition"
                price = weights.price(doubling) + weights.price(adding) / 2
                prices[(*handicaps, price, -len(database.system(system).assumptions), system)] = system
    if not prices:
        raise EfdgenError(f"no coordinate system of {curve.model} applies to {curve.name}")
    return prices[min(prices)]


def require_system(system: System, curve: Curve) -> None:
    """Raise :class:`NotApplicable` where the assumptions of a coordinate system do not hold on a curve."""
    nothing = Kind("", "", "", (), (), (), ())
    instantiate(Formula(system.id, system, nothing, "", (), (), ()), curve.field, curve.parameters)


def priced_formulas(database: Database, curve: Curve, system: str, weights: Weights) -> list[Candidate]:
    """Return the cheapest doublings and additions of a system that ask nothing of their inputs."""
    return cheapest_formulas(database, curve, system, by_weights(weights), Prover(), _PRICED)


def cheapest_formulas(
    database: Database,
    curve: Curve,
    system: str,
    ranking: Ranking,
    prover: Prover,
    functions: Mapping[str, Collection[str]] | None = None,
) -> list[Candidate]:
    """Return the best formula for each signature of points of a system alone.

    ``functions`` are the names of the functions to choose formulas for, by kind; the default is all.

    Formulas that take or give points of another system, implicit coordinates or scalars are for who asks for
    them by name. One that is complete on the curve, as far as the prover knows, comes before one that adds
    equal points, and that before one that does not; then the one that the ranking puts first. One that
    the prover refuses on the curve is left out with a warning.
    """

    def is_wanted(formula: Formula) -> bool:
        if not formula.self_contained or other_input_assumptions(formula):
            return False
        return functions is None or function_name(formula) in functions[formula.kind.id]

    every = database.formulas_for(system)
    ids = (name for name in every if functions is None or name.split("/")[-2] in functions)
    formulas = filter(is_wanted, map(database.formula, ids))
    offered: dict[str, list[Candidate]] = {}
    for found in fitting(formulas, curve):
        if database.is_eligible(found.formula.id):
            offered.setdefault(function_name(found.formula), []).append(found)

    return [
        found
        for _, rivals in sorted(offered.items())
        for found in islice(_proved(ranking(rivals), curve, prover), 1)
    ]


def _proved(rivals: Sequence[Candidate], curve: Curve, prover: Prover) -> Iterator[Candidate]:
    """Yield the rivals that are proved on a curve, the best first."""
    for found in in_preference([(c, c.formula, c.parameters) for c in rivals], curve, prover):
        try:
            prover.proof(found.specialised)
        except EfdgenError as refused:
            logging.getLogger("efdgen").warning("left out on this curve: %s", refused)
        else:
            yield found


def group(
    namespace: str,
    curve: str,
    ground: Ground,
    chosen: Sequence[Candidate],
    prover: Prover,
) -> CurveKernels:
    """Make the kernels of a curve in one system, and prove them."""
    if not chosen:
        raise EfdgenError(f"no formula applies to {curve}")
    systems = {found.formula.system.id: found.formula.system for found in chosen}
    system = max(systems.values(), key=lambda system: len(system.assumptions))
    if not all(system.includes(other) for other in systems.values()):
        raise EfdgenError(
            f"formulas of one coordinate system at a time, not of {' and '.join(sorted(systems))}"
        )
    constants: dict[str, int] = {}
    kernels = []
    for name, found in _named(chosen):
        made, values = _kernel(name, found, ground, prover)
        names = {}
        for local, value in values.items():
            names[local] = _unique(local, value, constants)
            constants[names[local]] = value
        kernels.append(_with_constants(made, names))
    types: dict[str, PointType] = {}
    for made in kernels:
        types |= {argument.type.name: argument.type for argument in (*made.inputs, *made.outputs)}
    description = inert(f"{curve}, {system.model.title}, {system.title}")
    return CurveKernels(
        namespace,
        curve,
        system.id,
        description,
        dict(sorted(constants.items())),
        tuple(types.values()),
        tuple(kernels),
        system.model.binary,
    )


def with_exceptions(kernels: CurveKernels, curve: Curve, prover: Prover) -> CurveKernels:
    """Return kernels that say on which inputs they are wrong, as far as the prover knows."""
    made = (_with_exceptions(kernel, prover.exceptions(kernel.formula, curve)) for kernel in kernels.kernels)
    return replace(kernels, kernels=tuple(made))


def _with_exceptions(kernel: Kernel, found: Exceptions | None) -> Kernel:
    if found is None:
        return kernel
    kind = kernel.formula.kind
    text = in_words(found, kind, tested=bool(kernel.tests))
    incomplete = bool(found.inputs) and not found.complete_here and not kind.given and kind.combines
    return replace(kernel, exceptions=text, incomplete=incomplete)


def _named(chosen: Sequence[Candidate]) -> list[tuple[str, Candidate]]:
    """Give each formula a function name; those of the same signature carry the formula's own name."""
    formulas = [found.formula for found in chosen]
    names = [function_name(formula) for formula in formulas]
    for own in (own_name, whole_name):
        counts = Counter(names)
        names = [
            name if counts[name] == 1 else f"{formula.kind.function}_{own(formula)}"
            for name, formula in zip(names, formulas, strict=True)
        ]
    return list(zip(names, chosen, strict=True))


def _unique(name: str, value: int, constants: Mapping[str, int]) -> str:
    """Return a name that no other value has: parameters of two formulas may be called the same."""
    unique, number = name, 2
    while constants.get(unique, value) != value:
        unique, number = f"{name}_{number}", number + 1
    return unique


def _with_constants(kernel: Kernel, names: Mapping[str, str]) -> Kernel:
    """Return a kernel that reads its constants by the names that they have in its group."""
    renamed: dict[Place, Place] = {CurveConstant(old): CurveConstant(new) for old, new in names.items()}
    return replace(kernel.moved(renamed), program=with_parameters(kernel.program, names))


def _kernel(name: str, found: Candidate, ground: Ground, prover: Prover) -> tuple[Kernel, dict[str, int]]:
    formula, specialised = found.formula, found.specialised
    inputs, outputs = arguments(formula)
    tested = [test.target for test in formula.tests]
    allocation = allocate(specialised.program, inputs, outputs, formula.assigned_names.union(tested), tested)
    batch, moved = batch_of(formula, allocation.temporaries, inputs, outputs)
    numbers = {name: ground.constant(value) for name, value in allocation.numbers.items()}
    for taken in specialised.constants.keys() & numbers.keys():
        raise EfdgenError(f"{formula.id}: {taken} is the name of a number; rename the parameter")
    kernel = Kernel(
        name=name,
        formula=formula,
        summary=_summary(formula),
        requires=tuple(
            print_equation(equation).replace("==", "=")
            for equation in (*formula.all_assumptions, *formula.input_scalars)
            if equation not in formula.hints and not batch and not _is_of_curve(equation, found.parameters)
        )
        + tuple(f"{name} != 0" for name in formula.kind.free),
        cost=cost_of(formula, lower(formula)),
        cost_emitted=cost_of(formula, specialised.program),
        digest=digest(formula),
        proof=prover.proof(specialised),
        program=specialised.program,
        inputs=tuple(argument for argument in inputs if argument.number or not batch),
        outputs=outputs,
        steps=allocation.steps,
        stores=allocation.stores,
        temporaries=allocation.temporaries,
        parameters=found.parameters,
        image=_image(formula, ground, found.parameters),
        tests=allocation.tests,
        batch=batch,
    )
    return kernel.moved(moved), {**specialised.constants, **numbers}


def _is_of_curve(equation: Equation, parameters: Mapping[str, int]) -> bool:
    """Return whether an equation is about parameters of the curve alone, on which it holds."""
    names = (*names_in(equation.left), *names_in(equation.right))
    return all(name.text in parameters for name in names)


def digest(formula: Formula) -> str:
    """Return the sha256 of a formula's normalised text, in hexadecimal."""
    return hashlib.sha256(print_document(formula_statements(formula)).encode()).hexdigest()


def _image(formula: Formula, ground: Ground, parameters: Mapping[str, int]) -> str:
    """Say which map the outputs go through, to which curve, and where it is not defined."""
    if formula.map is None:
        return ""
    way = CurveMap(formula.map, ground, parameters)
    return _told(formula.map, f"on this curve {choice_text(way)}, and the target has {target_text(way)}")


def image_of_any(formula: Formula) -> str:
    """Say which map the outputs go through, on any curve, to which one, and where it is not defined."""
    if formula.map is None:
        return ""
    target = ", ".join(f"{name} = {print_expression(value)}" for name, value in formula.map.curve.items())
    return _told(formula.map, f"the target has {target}")


def _told(way: Map, where: str) -> str:
    undefined = " or ".join(undefined_inputs(way))
    return "; ".join([map_text(way), where, *([f"not defined where {undefined}"] if undefined else [])])


def _summary(formula: Formula) -> str:
    kind = formula.kind
    of = "image of " if formula.map else ""
    laws = [f"P{output.point} = {of}{print_expression(output.law)}" for output in kind.outputs]
    known = [print_equation(equation).replace("==", "=") for equation in kind.given]
    text = (", ".join(laws) + (f", given {', '.join(known)}" if known else "")).replace("P", "p")
    text += f", for each of {kind.length} points" if kind.length else ""
    remarks = [
        f"{' and '.join(f'p{n}' for n in shared.points)} share {shared.variable}" for shared in kind.shared
    ]
    for implicit in kind.implicit:
        points = " and ".join(f"p{number}" for number in implicit.points)
        remarks.append(f"{implicit.variable}{f' of {points}' if points else ''} is implicit")
    remarks += [print_equation(equation).replace("==", "=") for equation in formula.output_scalars]
    return f"{text} ({'; '.join([inert(kind.title), *remarks])})."
