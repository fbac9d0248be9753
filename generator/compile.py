"""One run of ``efdgen compile``: a request, its bundle, and the resulting files."""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from efdgen.generator.curves.instantiate import NotApplicable
from efdgen.generator.curves.load import checked_curve, is_file, paths_of_curve
from efdgen.generator.curves.map import map_between
from efdgen.generator.errors import EfdgenError, suggestion
from efdgen.generator.fields.field import FieldOptions
from efdgen.generator.interfaces import Naming
from efdgen.generator.kernels.bundle import (
    USUAL,
    cheapest_formulas,
    cheapest_system,
    group,
    require_system,
    with_exceptions,
)
from efdgen.generator.kernels.candidate import candidate
from efdgen.generator.kernels.ranking import by_instructions, by_weights
from efdgen.generator.lanes.functions import is_straight
from efdgen.generator.lanes.ranking import by_cycles
from efdgen.generator.lanes.render import LaneBundle
from efdgen.generator.options import TABLE, Options
from efdgen.generator.origin import Origin
from efdgen.generator.programs.kernel import Bundle
from efdgen.generator.reports.weights import parse_weights
from efdgen.generator.text.prefixes import require_prefix
from efdgen.generator.tuning.file import built_in
from efdgen.generator.tuning.machine import machine_weights

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence, Set

    from efdgen.generator.curves.curve import Curve
    from efdgen.generator.formulas.database import Database
    from efdgen.generator.formulas.formula import Formula
    from efdgen.generator.kernels.candidate import Candidate
    from efdgen.generator.kernels.prover import Prover
    from efdgen.generator.kernels.ranking import Ranking
    from efdgen.generator.options import Language, OddMultiples, Table
    from efdgen.generator.programs.kernel import CurveKernels
    from efdgen.generator.reports.weights import Weights
    from efdgen.generator.tuning.tuning import Tuning

_log = logging.getLogger(__name__)

LAYOUTS: dict[Language, tuple[str, ...]] = {
    "c": ("header", "split"),
    "rust": ("crate", "module"),
    "python": ("module", "package"),
}

# In emitted code a parameter is a field element like any other, and an addition takes time.
DEFAULT_WEIGHTS = "S=0.8,I=100,param=1,const=0.2,add=0.2"

# A sum is an exclusive or of words, and a square the sum of two shifts of bits.
BINARY_WEIGHTS = "S=0.2,I=10,param=1,add=0.02"

# Within a whole formula sums stay loose, and a halving is a product; instructions decide what is near.
FORMULA_WEIGHTS = "S=0.9,const=1.2,add=0.11"


_ON_WORDS = ("layout", "lowering", "optimize", "target", "representation", "tuning")
"""Options for code on words."""


@dataclass(frozen=True)
class Request(Options):
    """The user's request; everything here, and nothing else, determines the bytes of the output."""

    lang: Language = field()
    curve: str = field()
    coords: str | None = None
    formulas: tuple[str, ...] = ()
    to: str | None = None
    tuning: Tuning | None = field(default=None, kw_only=True)  # type: ignore[assignment]  # it has been read

    @property
    def decisions(self) -> Tuning:
        """The measured decisions: the user's tuning, or the built-in one."""
        return self.tuning or built_in("rust" if self.lang == "rust" else "c")

    @property
    def fields(self) -> FieldOptions:
        """The options for planning fields."""
        return FieldOptions(self.target, self.representation, self.decisions, self.optimize)

    @property
    def tables(self) -> Table:
        """The size of tables: the smallest for the least code, unless another one is asked for."""
        return "tiny" if self.optimize == "size" and self.table == TABLE["table"].default else self.table

    @property
    def table_method(self) -> OddMultiples | None:
        """The method for tables of odd multiples: additions take the least code."""
        return self.odd_multiples or ("additions" if self.optimize == "size" else None)

    @property
    def command(self) -> Origin:
        """The command line that repeats the request, without paths of a machine, and its tuning."""
        asked = replace(self, layout=None) if self.layout == self.default_layout else self
        return Origin(asked.words, self.tuning.provenance if self.tuning else ())

    @property
    def default_layout(self) -> str:
        """The layout of a request that names none."""
        if self.lang == "python" and self.set != "kernels":
            return "package"
        return LAYOUTS[self.lang][0]

    @property
    def is_package(self) -> bool:
        """Return whether the files are those of a package in Python."""
        return (self.layout or self.default_layout) == "package"

    def require_layout(self) -> None:
        """Raise :class:`EfdgenError` for a layout or a prefix that there cannot be."""
        choices = LAYOUTS[self.lang]
        if self.layout is not None and self.layout not in choices:
            raise EfdgenError(f"--layout is {' or '.join(choices)} for {self.lang}, not {self.layout!r}")
        if self.layout == "module" and self.lang == "rust" and self.set != "kernels":
            raise EfdgenError("a whole curve in Rust is a crate; leave --layout out")
        if self.layout == "package" and self.set == "kernels":
            raise EfdgenError("--layout package is for whole curves; add --set curve, or leave --layout out")
        in_python = self.lang == "python" and not self.backend
        if self.machine and self.set != "kernels" and in_python:
            raise EfdgenError(
                f"--machine {self.machine} is for C and Rust; for a whole curve in Python add --backend c"
            )
        if self.api and (self.lang != "rust" or self.set != "protocols"):
            raise EfdgenError("--api needs --lang rust and --set protocols")
        if not self.api and (self.crate_name or self.crate_version):
            raise EfdgenError("--crate-name and --crate-version need --api; --prefix names other crates")
        if self.api:
            Naming(self.crate_name, self.crate_version).require()
        if self.prefix is not None:
            require_prefix(self.lang, self.prefix)

    def require_group(self, given: Set[str]) -> None:
        """Raise :class:`EfdgenError` for options that are given and do not go with a group."""
        if self.group and self.set != "curve":
            raise EfdgenError("--set has no effect with --group; remove it")
        idle = sorted(f"--{name}" for name in given & {"machine", "second", "set", "to"})
        if self.group and idle:
            raise EfdgenError(f"{' and '.join(idle)} has no effect with --group; remove it")
        if self.group and not self.is_package and self.lang == "python":
            raise EfdgenError("a group in Python is a package; leave --layout out")

    @property
    def counts_instructions(self) -> bool:
        """Return whether formulas are ranked by the instructions of their code, for lack of weights."""
        return self.lowering == "whole" and self.weights is None and not self.machine_weights

    @property
    def machine_weights(self) -> str:
        """The weights of the machine that code is for; none where less code comes before less time."""
        return machine_weights(self.target) if self.optimize == "speed" else ""

    @property
    def all_weights(self) -> str:
        """The weights: the default ones, over them those of a machine, and over these the request's own."""
        return ",".join([DEFAULT_WEIGHTS, self.machine_weights, self.weights or ""])

    @property
    def checked_prefix(self) -> str:
        """The prefix of every name; raises :class:`EfdgenError` if it is not an identifier."""
        return f"{self.outer_prefix}_curve" if self.group and self.lang == "c" else self.outer_prefix

    @property
    def outer_prefix(self) -> str:
        """The prefix of a group's names in C; the curve beneath it has a longer one there."""
        own = self.prefix if self.prefix is not None else self.group or _identifier(self.curve)
        return require_prefix(self.lang, own)


def make_bundle(database: Database, request: Request, prover: Prover) -> Bundle:
    """Choose, specialise and prove the formulas of a request.

    Raises :class:`EfdgenError` for what does not exist or does not apply, and what the prover raises.
    """
    curve = checked_curve(request.curve)
    weights = _weights(request, curve)
    chosen = _formulas(database, request, curve, weights, prover)
    kernels = with_exceptions(group("", curve.name, curve.field, chosen, prover), curve, prover)
    origin = origin_of(database, request, (kernels,))
    return Bundle(request.checked_prefix, curve.field, (kernels,), origin)


def require_lanes(request: Request, curve: Curve) -> None:
    """Raise :class:`EfdgenError` for lanes that are asked for where there are none."""
    if request.machine and curve.field.is_binary:
        raise EfdgenError(f"{request.curve} is over {curve.field}; --machine {request.machine} is for GF(p)")


def make_lane_bundle(database: Database, request: Request, prover: Prover) -> LaneBundle:
    """Return a bundle on lanes; formulas that are not asked for by name have no divisions.

    Raises what :func:`make_bundle` raises, and :class:`EfdgenError` where there are no lanes.
    """
    if request.lang == "python":
        raise EfdgenError(f"--machine {request.machine} is for C and Rust; leave it out")
    for name in _ON_WORDS:
        if name in request.changed:
            raise EfdgenError(f"--{name} has no effect with --machine {request.machine}; remove it")
    require_lanes(request, checked_curve(request.curve))
    bundle = make_bundle(database, request, prover)
    if not request.formulas:
        (group,) = bundle.groups
        kernels = tuple(kernel for kernel in group.kernels if is_straight(kernel))
        bundle = replace(bundle, groups=(replace(group, kernels=kernels),))
    assert request.machine
    return LaneBundle(bundle, request.lang, request.machine)


def origin_of(database: Database, request: Request, groups: Sequence[CurveKernels]) -> Origin:
    """Return the origin of the code of a request, which has some kernels."""
    formulas = [kernel.formula for group in groups for kernel in group.kernels]
    curves = [path for name in (request.curve, request.to) if name for path in paths_of_curve(name)]
    return request.command.reading(database.layers, formulas, curves)


def ranking(request: Request, curve: Curve) -> Ranking:
    """Return how a request's formulas are ranked: by its weights, or where it gives none, as they run."""
    if curve.field.is_binary:
        return by_weights(_weights(request, curve))
    if request.machine_weights:
        return by_weights(parse_weights(request.all_weights))
    weights = parse_weights(f"{DEFAULT_WEIGHTS},{FORMULA_WEIGHTS},{request.weights or ''}")
    if request.machine and request.set == "kernels":
        return by_cycles(weights, curve.prime, request.machine)
    if request.counts_instructions:
        return by_instructions(weights, curve.prime, request.decisions, curve.name)
    return by_weights(weights)


def _weights(request: Request, curve: Curve) -> Weights:
    """Return the weights by which a coordinate system is chosen for a curve."""
    if curve.field.is_binary:
        return parse_weights(f"{BINARY_WEIGHTS},{request.weights or ''}", binary=True)
    return parse_weights(request.all_weights)


def _formulas(
    database: Database, request: Request, curve: Curve, weights: Weights, prover: Prover
) -> list[Candidate]:
    if not request.formulas:
        system = requested_system(database, request, curve) or cheapest_system(database, curve, weights)
        if request.to:
            raise EfdgenError("--to is for conversions between models; name one, such as --formulas '*/to-*'")
        return cheapest_formulas(database, curve, system, ranking(request, curve), prover, USUAL)
    chosen = narrowest(database, selected(database, request, curve, weights))
    say_ambiguous(database, request.formulas, chosen)
    formulas = [database.formula(name) for name in chosen]
    destination = checked_curve(request.to) if request.to else None
    return [candidate(f, curve.field, _parameters(f, curve, destination)) for f in formulas]


def narrowest(database: Database, ids: Iterable[str]) -> list[str]:
    """Return ids, sorted, without copies: the database repeats a formula in the systems that it serves.

    The copy in the narrowest system is taken.
    """
    copies: dict[tuple[str, ...], str] = {}
    for name in sorted(ids, key=lambda name: (len(database.formula(name).system.assumptions), name)):
        copies[tuple(name.split("/")[3:])] = name
    return sorted(copies.values())


def selected(database: Database, request: Request, curve: Curve, weights: Weights) -> list[str]:
    """Return the ids that are asked for, within one coordinate system where they can be.

    The system is the requested one, or the cheapest, which is computed only if several systems have the ids.
    """
    system = requested_system(database, request, curve)
    ids = database.select(request.formulas)
    of_model = [name for name in ids if name.startswith(f"{curve.model}/")]
    if system is None and len({name.split("/")[2] for name in of_model}) == 1:
        return of_model
    system = system or cheapest_system(database, curve, weights)
    within = [name for name in ids if name in database.formulas_for(system)]
    if not within and request.coords is None:
        within = of_model
    if not within:
        raise EfdgenError(f"none of {', '.join(ids[:3])} is a formula of {system}")
    return within


def say_ambiguous(database: Database, selectors: Sequence[str], chosen: Sequence[str]) -> None:
    """Report selectors without a wildcard that select several formulas."""
    for selector in selectors:
        found = [name for name in database.select([selector]) if name in chosen]
        if len(found) > 1 and not set("*?[") & set(selector):
            _log.info("--formulas %s selects %d formulas: %s", selector, len(found), ", ".join(found))


def _parameters(formula: Formula, curve: Curve, destination: Curve | None) -> Mapping[str, int]:
    """Return the parameters of a curve, and those of the formula's map that lead from it to another.

    Raises :class:`NotApplicable` where the map leads to no curve of this kind.
    """
    if formula.map is None or destination is None:
        return curve.parameters
    way = map_between(formula.map, curve, destination)
    if way is None:
        raise NotApplicable(f"{formula.id}: the {formula.map.title} does not lead to {destination.name}")
    return way.parameters


def requested_system(database: Database, request: Request, curve: Curve) -> str | None:
    """Return the id of the coordinate system that is asked for by ``--coords``; None where none is."""
    if request.coords is None:
        return None
    offered = [name.rpartition("/")[2] for name in database.systems(curve.model)]
    name = request.coords.rpartition("/")[2]
    if name not in offered:
        hint = suggestion(name, offered) or f"; there are {', '.join(offered)}"
        raise EfdgenError(f"{curve.model} has no coordinate system {name!r}{hint}")
    require_system(database.system(f"{curve.model}/{name}"), curve)
    return f"{curve.model}/{name}"


def _identifier(curve: str) -> str:
    """Return the name of a curve, that which its file says, as an identifier."""
    name = checked_curve(curve).name if is_file(curve) else curve
    plain = re.sub(r"[^A-Za-z0-9_]", "", name.replace("-", "_").lower())
    return re.sub(r"^p_(?=\d)", "p", plain)
