"""The modules of a crate for several points at once: the curve's own routines, on numbers in lanes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from efdgen.generator.kernels.contract import header_lines
from efdgen.generator.lanes.instructions import MACHINES
from efdgen.generator.lanes.words import words_of
from efdgen.generator.languages.bindings import require_apart
from efdgen.generator.languages.docs import third_person
from efdgen.generator.languages.erasure import erasing
from efdgen.generator.languages.rust.printer import Printer
from efdgen.generator.planning.lane_routines import decodes, in_lanes, lane_module, lifts
from efdgen.generator.render.lanes import LaneCurve, plan_elements
from efdgen.generator.render.rust.crate import POINTS
from efdgen.generator.render.rust.imports import use_lines
from efdgen.generator.render.rust.kernels import fill, member_names, type_name
from efdgen.generator.render.rust.lane_names import lane_bindings
from efdgen.generator.routines.rooms import with_rooms
from efdgen.generator.text.rust import WIDTH, broken, comment, filled, hexadecimal, signature, statement
from efdgen.generator.text.wrap import wrap

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from efdgen.generator.fields.claims import Claims
    from efdgen.generator.lanes.instructions import InstructionSet
    from efdgen.generator.lanes.render import LaneBundle
    from efdgen.generator.options import Machine
    from efdgen.generator.planning.ladder import LadderPlan
    from efdgen.generator.planning.lane_routines import LanePlan
    from efdgen.generator.planning.plan import CurvePlan
    from efdgen.generator.planning.quotients import Coordinates
    from efdgen.generator.render.lanes import Lanes
    from efdgen.generator.render.rust.crate import Root

FOLDER = "src/lanes/"
"""The folder of what is there on x86-64 alone."""

_PARTS = "numbers", "element", "tables", "multiply", "group"
_UNARY = ("neg", "fe_neg", "`-self`"), ("square", "fe_sqr", "`self` squared")
_BINARY = ("add", "fe_add", "the sum"), ("sub", "fe_sub", "the difference"), ("mul", "fe_mul", "the product")

_ONE_BY_ONE = ("multiply as multiply_one", "multiply_generator as multiply_generator_one")
_SCALARS, _POINTS = "[u8; SCALAR_BYTES]", "Point"
_BATCHES = (
    ("multiply", {"k": _SCALARS, "p": _POINTS}, "k*p", "multiply_one(&k[at], &p[at])"),
    ("multiply_generator", {"k": _SCALARS}, "k*G", "multiply_generator_one(&k[at])"),
    (
        "double_multiply",
        {"a": _SCALARS, "b": _SCALARS, "q": _POINTS},
        "a*G + b*q",
        "multiply_generator_one(&a[at]).add(&multiply_one(&b[at], &q[at]))",
    ),
)


def lane_files(
    plan: CurvePlan, aliases: Mapping[str, str], claims: Claims, names: Mapping[str, Any], machine: Machine
) -> dict[str, str]:
    """Return the files of lanes, by their paths; ``aliases`` are the paths of kernels by their names there.

    ``names`` has the place of the curve's modules, ``root``, besides what templates print of the curve.

    Raises :class:`EfdgenError` for a field or a formula that lanes do not have.
    """
    return _Lanes(in_lanes(plan), aliases, claims, machine).files(names)


class _Lanes(LaneCurve):
    language = "rust"

    def __init__(self, plan: LanePlan, aliases: Mapping[str, str], claims: Claims, machine: Machine) -> None:
        module = erasing(lane_module(plan, sums=True), rooms_alone=True)
        super().__init__(plan, module, lane_bindings(plan), claims, machine)
        leaves = [self.bindings.functions.get(name, name) for name in sorted(self.module.leaves)]
        functions = {plan.kernels.named(kernel.name): kernel.function for kernel in plan.kernels.kernels}
        paths = {name: aliases[name].rpartition("::")[2] for name in leaves if name in aliases}
        self._kernels = {name: functions[own] for name, own in paths.items()}
        self._types = lane_types(plan)

    @property
    def prefix(self) -> str:
        """The curve's own: Rust has modules in the place of prefixes."""
        return self.plan.prefix

    def files(self, names: Mapping[str, Any]) -> dict[str, str]:
        """Return the files by their paths."""
        bundle = self.bundle(f"{FOLDER}field.rs", self._kernels.values())
        values = {
            **names,
            **element_values(self, bundle),
            "sums": True,
            "batches": [lane_batch(*row) for row in _BATCHES],
            "modules": ["multiply", "numbers", "tables"],
            "multiplications": use_lines("use", names["root"].moved("crate::multiply"), _ONE_BY_ONE),
            **self._tables(),
            **self._functions(names["root"]),
        }
        files = {f"{FOLDER}{part}.rs": fill(f"lanes/{part}.rs.j2", values) for part in _PARTS}
        return {"src/lanes.rs": fill("lanes/lanes.rs.j2", values), **bundle.files(), **files}

    def _functions(self, root: Root) -> dict[str, Any]:
        """Return the routines that are functions on lanes, and what they import; they are announced."""
        return {
            "functions": lane_functions(self, f"{FOLDER}multiply.rs"),
            "field_types": use_lines("use", "super::field", ["Fe", *map(type_name, self._types)]),
            "kernels": kernel_lines(self._kernels, root),
            "lane_numbers": [
                {"name": name, "length": len(rows[0]), "rows": [*map(_in_all_lanes, rows)]}
                for name, rows in self.numbers()
            ],
        }

    def _tables(self) -> dict[str, Any]:
        """Return points and elements that all lanes share; the table is announced."""
        fixed, members = self.plan.entry_kinds[-1].entry.type, self._types["point"]

        def entry(row: Coordinates) -> list[str]:
            return filled(f"entry({', '.join(map(self._limbs, row))}),", 8)

        return {
            "fixed": {"type": type_name(fixed), "members": self._types[fixed]},
            "lane_blocks": self.comb(f"{FOLDER}tables.rs", "COMB", 0, entry),
            "shared_points": [
                {
                    "name": name,
                    "doc": POINTS[name],
                    "members": [*zip(members, map(self._limbs, of), strict=True)],
                }
                for name, of in self.points().items()
            ],
            "elements": [(name, self._limbs(value)) for name, value in plan_elements(self.plan).items()],
        }

    def _limbs(self, value: int) -> str:
        return limbs(self, value)


def _in_all_lanes(row: Sequence[int]) -> str:
    return ", ".join(f"U32::all({hexadecimal(word)})" for word in row)


def lane_types(plan: LanePlan | LadderPlan) -> dict[str, list[str]]:
    """Return the coordinates of points by the names of their types, which formulas have."""
    return {kind.name: [*member_names(kind).values()] for kind in plan.kernels.types}


def element_values(lanes: Lanes, bundle: LaneBundle) -> dict[str, Any]:
    """Return what templates print of numbers, elements and points in lanes."""
    big = lanes.bindings.functions["fe_to_bytes"].endswith("_be")
    return {
        "short_header": comment(header_lines(bundle.bundle)[:4], "//"),
        "machine": bundle.instructions,
        "intrinsics": wrap(f"{', '.join(sorted(_intrinsics(bundle.instructions)))},", WIDTH - 5),
        "decodes": decodes(lanes.plan),
        "lifts": lifts(lanes.plan),
        "limbs": lanes.field.limbs,
        "words": words_of(lanes.field),
        "one": limbs(lanes, 1),
        "order": "be" if big else "le",
        "place": "FieldElement::BYTES - 1 - i" if big else "i",
        "unary": _UNARY,
        "binary": _BINARY,
        "types": [{"name": type_name(name), "members": own} for name, own in lane_types(lanes.plan).items()],
    }


def _intrinsics(machine: InstructionSet) -> list[str]:
    """Return the names by which methods of elements know registers."""
    return [machine.intrinsics[name] for name in ("type", "and", "andnot", "or", "all", "xor")]


def limbs(lanes: Lanes, value: int) -> str:
    """Return an element in limbs, as Rust has them."""
    return f"[{', '.join(hexadecimal(word) for word in lanes.element(value))}]"


def kernel_lines(kernels: Mapping[str, str], root: Root) -> list[str]:
    """Return the imports of formulas in lanes by the names that routines have for them."""
    path = root.moved("crate::lanes::field")
    return sorted(f"use {path}::{own} as {name};" for name, own in kernels.items())


def lane_functions(lanes: Lanes, path: str) -> list[str]:
    """Return the routines that are functions of a file; they are announced."""
    require_apart(lanes.module, lanes.routines, lanes.bindings)
    lanes.announce_routines(path)
    printer, functions = Printer(lanes.module, lanes.bindings), []
    rooms = with_rooms(lanes.module.routines)
    for name in lanes.routines:
        printed = printer.function(name)
        lines = [
            comment(third_person(lanes.module.routines[name].doc).split("\n"), "///"),
            *(['#[cfg(feature = "alloc")]'] if name in rooms else []),
            f'#[target_feature(enable = "{MACHINES[lanes.machine].target}")]',
            f"{signature(f'pub fn {printed.signature}')} {{",
            *(line for given in printed.body for line in _fitted(given)),
            "}",
        ]
        functions.append("\n".join(lines))
    return functions


def lane_batch(
    name: str, arguments: Mapping[str, str], doc: str, one: str, result: str = _POINTS
) -> dict[str, Any]:
    """Return what the template prints of a function on many points, or on many elements."""
    types = {"r": f"&mut [{result}]", **{own: f"&[{kind}]" for own, kind in arguments.items()}}
    head = f"pub fn {name}_batch({', '.join(f'{own}: {kind}' for own, kind in types.items())})"
    slices = ["&mut r[at..end]", *(f"&{own}[at..end]" for own in arguments)]
    call = statement(f"group::{name}({', '.join(slices)});", 16)
    return {
        "name": name,
        "arguments": [*arguments.items()],
        "doc": doc,
        "item": "point" if result == _POINTS else "element",
        "one": one,
        "signature": signature(head),
        "inner": "\n                ".join(call),
    }


def _fitted(line: str) -> list[str]:
    """Break a line where it is too long: a call, or a value that has a name."""
    head, equals, value = line.partition(" = ")
    if len(line) <= WIDTH or not equals or not head.lstrip().startswith("let "):
        return broken(line, 0)
    margin = line[: len(line) - len(line.lstrip())]
    return [f"{head} =", f"{margin}    {value}"]
