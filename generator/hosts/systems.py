"""Formulas of several coordinate systems in one file: groups of kernels, and names that do not meet.

Systems of which one includes the other, such as Jacobian coordinates and those with a = 0, are one group. In
a file of several groups a function carries its system's name where another one would be called the same, and
the type of a point always does, so that a structure has one meaning.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from efdgen.generator.compile import (
    DEFAULT_WEIGHTS,
    make_bundle,
    narrowest,
    origin_of,
    say_ambiguous,
    selected,
)
from efdgen.generator.curves.instantiate import parameter_assumptions
from efdgen.generator.errors import EfdgenError
from efdgen.generator.formulas.signature import foreign_prefix, system_name
from efdgen.generator.kernels.bundle import group, image_of_any, with_exceptions
from efdgen.generator.kernels.candidate import candidate
from efdgen.generator.kernels.specialise import small_number
from efdgen.generator.language.printer import print_equation
from efdgen.generator.language.syntax import Name
from efdgen.generator.programs.kernel import Bundle
from efdgen.generator.reports.weights import parse_weights

if TYPE_CHECKING:
    from collections.abc import Sequence

    from efdgen.generator.compile import Request
    from efdgen.generator.curves.curve import Curve
    from efdgen.generator.formulas.database import Database
    from efdgen.generator.formulas.formula import Formula, System
    from efdgen.generator.kernels.candidate import Candidate
    from efdgen.generator.kernels.prover import Prover
    from efdgen.generator.mathematics.ground import Ground
    from efdgen.generator.programs.kernel import Argument, CurveKernels, Kernel


def bundle_of_systems(database: Database, request: Request, curve: Curve, prover: Prover) -> Bundle:
    """Choose the formulas of a request on its curve, in any number of coordinate systems, as kernels.

    Each selector is within one system if it can be: the cheapest, or the requested one. Raises
    :class:`EfdgenError` for what does not exist or apply, and what the prover raises.
    """
    if not request.formulas or request.coords is not None:
        return make_bundle(database, request, prover)
    made = [
        group("", curve.name, curve.field, fitted, prover) for fitted in _by_system(database, request, curve)
    ]
    groups = tuple(with_exceptions(kernels, curve, prover) for kernels in _named_apart(database, made))
    if curve.any:
        groups = tuple(_with_assumptions(kernels, curve.field) for kernels in groups)
    return Bundle(request.checked_prefix, curve.field, groups, origin_of(database, request, groups))


def _with_assumptions(kernels: CurveKernels, field: Ground) -> CurveKernels:
    """Return kernels that say what they assume of a curve."""
    return replace(kernels, kernels=tuple(_assuming(kernel, field) for kernel in kernels.kernels))


def _assuming(kernel: Kernel, field: Ground) -> Kernel:
    """Return a kernel that requires what its formula assumes of parameters and does not define by it.

    A number that was taken for a parameter of the formula is required too.
    """
    own, formula = kernel.formula.system.model.parameters, kernel.formula
    equations = parameter_assumptions(formula)
    defined = {each.left.text for each in equations if isinstance(each.left, Name)} - {*own}
    told = [
        print_equation(each).replace("==", "=")
        for each in equations
        if not (isinstance(each.left, Name) and each.left.text in defined)
    ]
    taken = [
        f"{name} = {small}"
        for name, value in kernel.parameters.items()
        if name not in {*own, *defined, *kernel.program.parameters}
        and (small := small_number(value, field)) is not None
    ]
    image = image_of_any(formula)
    return replace(kernel, requires=(*told, *taken, *kernel.requires), image=image)


def home(system: System, homes: Sequence[System]) -> System:
    """Return the first of some systems that includes a system; the system itself if none does."""
    return next((each for each in homes if each.includes(system)), system)


def _by_system(database: Database, request: Request, curve: Curve) -> list[list[Candidate]]:
    """Return the formulas of a request on its curve by system, in the order of the systems' ids."""
    weights = parse_weights(f"{DEFAULT_WEIGHTS},{request.weights or ''}")
    ids = {
        name
        for selector in request.formulas
        for name in selected(database, replace(request, formulas=(selector,)), curve, weights)
    }
    homes = _widest([database.formula(name).system for name in ids])
    found: dict[str, list[str]] = {}
    for name in ids:
        found.setdefault(home(database.formula(name).system, homes).id, []).append(name)
    chosen = {system: narrowest(database, names) for system, names in sorted(found.items())}
    say_ambiguous(database, request.formulas, [name for names in chosen.values() for name in names])
    return [
        [candidate(database.formula(name), curve.field, curve.parameters) for name in names]
        for names in chosen.values()
    ]


def _widest(systems: Sequence[System]) -> list[System]:
    """Return the systems that no other one includes, sorted; of two that include each other, the first."""
    ordered = sorted({system.id: system for system in systems}.values(), key=lambda system: system.id)
    return [
        system
        for number, system in enumerate(ordered)
        if not any(
            other.includes(system) and (place < number or not system.includes(other))
            for place, other in enumerate(ordered)
            if place != number
        )
    ]


def _named_apart(database: Database, groups: Sequence[CurveKernels]) -> list[CurveKernels]:
    """Return groups of which no two functions, and no two types of different meaning, have one name."""
    if len(groups) == 1:
        return [*groups]
    counts = Counter(kernel.name for each in groups for kernel in each.kernels)
    homes = [database.system(each.system) for each in groups]
    named = []
    for each, system in zip(groups, homes, strict=True):
        kernels = [
            _renamed(kernel, homes, f"{system_name(system)}_" if counts[kernel.name] > 1 else "")
            for kernel in each.kernels
        ]
        types = {a.type.name: a.type for kernel in kernels for a in (*kernel.inputs, *kernel.outputs)}
        named.append(replace(each, kernels=tuple(kernels), types=tuple(types.values())))
    again = Counter(kernel.name for each in named for kernel in each.kernels)
    for name in (name for name, count in again.items() if count > 1):
        raise EfdgenError(f"two functions would be called {name}; write them to two files, with two prefixes")
    return named


def _renamed(kernel: Kernel, homes: Sequence[System], start: str) -> Kernel:
    inputs, outputs = (
        tuple(_with_system(kernel.formula, argument, homes) for argument in arguments)
        for arguments in (kernel.inputs, kernel.outputs)
    )
    return replace(kernel, name=f"{start}{kernel.name}", inputs=inputs, outputs=outputs)


def _with_system(formula: Formula, argument: Argument, homes: Sequence[System]) -> Argument:
    """Return an argument whose type carries the name of its system, which is one for all that it includes."""
    if not argument.number:
        return argument
    system = formula.system_of(argument.number)
    if system.model.id != formula.system.model.id:
        return argument
    plain = argument.type.name.removeprefix(foreign_prefix(formula, system))
    name = f"{system_name(home(system, homes))}_{plain}"
    return replace(argument, type=replace(argument.type, name=name))
