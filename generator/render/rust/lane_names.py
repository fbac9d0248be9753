"""Names of routines in lanes in Rust."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from efdgen.generator.planning.curve_routines import entry_labels, slope_types
from efdgen.generator.planning.ladder_routines import ladder_types
from efdgen.generator.planning.lane_powers import INVERSION, ROOT
from efdgen.generator.render.lanes import plan_elements
from efdgen.generator.render.rust.kernels import type_name
from efdgen.generator.render.rust.routines import ELEMENTS, curve_bindings, ladder_bindings

if TYPE_CHECKING:
    from efdgen.generator.languages.bindings import Bindings
    from efdgen.generator.planning.ladder import LadderPlan
    from efdgen.generator.planning.lane_routines import LanePlan

_NUMBERS = {"ZERO": "Fe::ZERO", "ONE": "Fe::ONE"}
_METHODS = frozenset(ELEMENTS.keys() - {INVERSION, ROOT} | {"fe_to_bytes"})


def lane_bindings(plan: LanePlan) -> Bindings:
    """Return the names of routines in lanes: those of the routines themselves, but for leaves."""
    own = curve_bindings(plan, {}, frozenset())
    chained = {f"chain_add_{label}" for label in entry_labels(plan)}
    leaves = _METHODS | own.in_place | chained
    slopes = {name: type_name(kind) for name, kind in slope_types(plan).items()}
    types = {**own.types, **slopes} | {"element": "Fe", "scalar": "Scalars"}
    shared = {"IDENTITY", "GENERATOR", *plan_elements(plan)}
    return replace(
        own,
        functions={name: text for name, text in own.functions.items() if name in leaves},
        types=types,
        constants={
            **_NUMBERS,
            "SCALAR_WORDS": "words::WORDS",
            "COMB_TABLE": "tables::COMB",
            **{name: f"tables::{name}" for name in shared},
        },
        methods=_METHODS,
        blanks={name: f"{text}::BLANK" for name, text in types.items() if name in own.blanks}
        | {"element": "Fe::ZERO"},
        lanes=True,
        known={"fixed_entry": f"Known{types['fixed_entry']}"},
    )


def ladder_lane_bindings(plan: LadderPlan) -> Bindings:
    """Return the names of the ladder's routines in lanes, which are the routines' own but for leaves."""
    own = ladder_bindings(plan, frozenset())
    types = {name: type_name(kind.name) for name, kind in ladder_types(plan).items()}
    return replace(
        own,
        functions={name: own.functions[name] for name in _METHODS | own.in_place},
        types=types | {"element": "Fe"},
        constants=_NUMBERS,
        methods=_METHODS,
        blanks={name: f"{text}::BLANK" for name, text in types.items()} | {"element": "Fe::ZERO"},
        lanes=True,
    )
