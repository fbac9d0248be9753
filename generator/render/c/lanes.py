"""Headers beside a curve's for several points at once: the curve's own routines, on numbers in lanes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from efdgen.generator.kernels.contract import header_lines
from efdgen.generator.lanes.words import words_of
from efdgen.generator.languages.bindings import Bindings, require_apart
from efdgen.generator.languages.c.printer import Printer
from efdgen.generator.languages.docs import third_person
from efdgen.generator.languages.erasure import erasing
from efdgen.generator.planning.lane_routines import decodes, in_lanes, lane_module, lifts
from efdgen.generator.render.c.routines import curve_bindings
from efdgen.generator.render.c.source import source
from efdgen.generator.render.lanes import LaneCurve, plan_elements
from efdgen.generator.text.c import broken, comment, in_ascii
from efdgen.generator.text.wrap import wrap

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from efdgen.generator.fields.claims import Claims
    from efdgen.generator.lanes.render import LaneBundle
    from efdgen.generator.options import Machine
    from efdgen.generator.planning.lane_routines import LanePlan
    from efdgen.generator.planning.plan import CurvePlan
    from efdgen.generator.planning.quotients import Coordinates
    from efdgen.generator.render.lanes import Lanes
    from efdgen.generator.routines.module import Module

_NUMBERS = {"u8": ("uint8_t", 8), "u32": ("uint32_t", 32), "u64": ("uint64_t", 64)}
_OPERATORS = {"and": "&", "or": "|", "xor": "^", "add": "+", "sub": "-", "mul": "*"}


def lane_files(plan: CurvePlan, claims: Claims, names: Mapping[str, Any], machine: Machine) -> dict[str, str]:
    """Return the headers by their names: functions for users, routines in lanes, and the field.

    Raises :class:`EfdgenError` for a field or a formula that lanes do not have.
    """
    return _Lanes(in_lanes(plan), claims, machine).files(names)


def lane_bindings(plan: LanePlan, module: Module) -> Bindings:
    """Return the names of routines in lanes, which begin with ``PREFIX_lanes_curve_`` but for leaves."""
    prefix = f"{plan.prefix}_lanes"
    own = with_lanes(curve_bindings(plan, prefix, prefix), prefix, module)
    elements = {name: f"{prefix}_constant_{name.lower()}" for name in plan_elements(plan)}
    known = {"fixed_entry": f"{prefix}_known_entry"}
    return replace(own, constants={**own.constants, **elements}, known=known)


def with_lanes(own: Bindings, prefix: str, module: Module) -> Bindings:
    """Return names of routines with those of types of numbers in lanes."""
    routines = {name for name, routine in module.routines.items() if not routine.leaf}
    return replace(
        own,
        functions={
            **{name: text for name, text in own.functions.items() if name not in routines},
            **{name: f"{prefix}_curve_{name}" for name in routines},
        },
        types={
            **own.types,
            **{name: f"{prefix}_{name}" for name in ("u32", "u64", "choice")},
            "byte": f"{prefix}_u8",
        },
        lanes=True,
    )


class _Lanes(LaneCurve):
    language = "c"

    def __init__(self, plan: LanePlan, claims: Claims, machine: Machine) -> None:
        module = erasing(lane_module(plan))
        super().__init__(plan, module, lane_bindings(plan, module), claims, machine)
        self._types = {kind.name: kind.members for kind in plan.kernels.types}

    @property
    def prefix(self) -> str:
        """The beginning of every name in lanes."""
        return f"{self.plan.prefix}_lanes"

    def files(self, names: Mapping[str, Any]) -> dict[str, str]:
        """Return the headers by their names."""
        leaves = {self.bindings.functions.get(name, "") for name in self.module.leaves}
        bundle = self.bundle(
            f"{self.prefix}_field.h", {name.removeprefix(f"{self.prefix}_") for name in leaves}
        )
        sizes = ("SCALAR_BYTES", "SCALAR_WORDS", *(["FIELD_BYTES"] if lifts(self.plan) else []))
        values = {
            **element_values(self, bundle, names),
            "sizes": numbers_of(self.module, *sizes),
            **self._constants(),
            "routines": [*lane_functions(self)],
        }
        parts = {"": "lanes.h.j2", "_curve": "curve.h.j2"}
        files = {f"{self.prefix}{part}.h": source(f"lanes/{name}", values) for part, name in parts.items()}
        return files | bundle.files()

    def _constants(self) -> dict[str, Any]:
        """Return numbers, elements and points that all lanes share; the table is announced."""
        own = {name.lower(): value for name, value in plan_elements(self.plan).items()}
        every = f"{self.prefix.upper()}_ALL"

        def entry(row: Coordinates) -> list[str]:
            return _filled(f"{{{', '.join(f'{{{{{self._limbs(value)}}}}}' for value in row)}}},")

        return {
            "known_members": self._types[self.plan.entry_kinds[-1].entry.type],
            "lane_blocks": self.comb(f"{self.prefix}_curve.h", f"{self.prefix}_comb_table", 4, entry),
            "shared_elements": {n: shared(self, value) for n, value in ({"zero": 0, "one": 1} | own).items()},
            "shared_points": {name: [shared(self, x) for x in of] for name, of in self.points().items()},
            "lane_numbers": [
                (
                    name.lower(),
                    len(rows[0]),
                    [", ".join(f"{every}(UINT32_C({word:#x}))" for word in row) for row in rows],
                )
                for name, rows in self.numbers()
            ],
        }

    def _limbs(self, value: int) -> str:
        return ", ".join(f"{word:#x}" for word in self.element(value))


def _filled(text: str) -> list[str]:
    return [f"        {line}" for line in wrap(text, 92)]


def element_values(lanes: Lanes, bundle: LaneBundle, names: Mapping[str, Any]) -> dict[str, Any]:
    """Return what templates print of numbers and elements in lanes, among the names of the curve's own."""
    big = lanes.bindings.functions["fe_to_bytes"].endswith("_be")
    return {
        **names,
        "lanes": lanes.prefix,
        "LANES": lanes.prefix.upper(),
        "machine": bundle.instructions,
        "supports": " && ".join(f'__builtin_cpu_supports("{name}")' for name in bundle.instructions.detected),
        "short_header": comment(map(in_ascii, header_lines(bundle.bundle)[:4])),
        "decodes": decodes(lanes.plan),
        "lifts": lifts(lanes.plan),
        "limbs": lanes.field.limbs,
        "words": words_of(lanes.field),
        "order": "be" if big else "le",
        "place": f"{lanes.plan.prefix.upper()}_FE_BYTES - 1 - i" if big else "i",
        "numbers": _NUMBERS,
        "operators": _OPERATORS,
    }


def numbers_of(module: Module, *names: str) -> dict[str, Any]:
    """Return the values of constants by their names."""
    return {name: module.constants[name].value for name in names}


def lane_functions(lanes: Lanes) -> Iterator[dict[str, Any]]:
    """Yield the routines that are functions on lanes; they are announced."""
    require_apart(lanes.module, lanes.routines, lanes.bindings, f"{lanes.prefix}_")
    lanes.announce_routines(f"{lanes.prefix}_curve.h")
    printer = Printer(lanes.module, lanes.prefix, lanes.bindings)
    for name in lanes.routines:
        printed = printer.function(name)
        doc = comment(in_ascii(third_person(lanes.module.routines[name].doc)).split("\n"))
        head = broken(f"{lanes.prefix.upper()}_FUNCTION {printed.signature}")
        yield {"doc": doc, "head": head, "lines": printed.body}


def shared(lanes: Lanes, value: int) -> list[str]:
    """Return the limbs of an element, each in all lanes."""
    each = f"{lanes.prefix.upper()}_EACH"
    return [f"{each}(INT64_C({word:#x}))" for word in lanes.element(value)]
