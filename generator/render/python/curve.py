"""A whole curve as a Python module: its plan's kernels, and loops over them."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

from efdgen.generator.curves.cosets import cosets
from efdgen.generator.language.printer import print_expression
from efdgen.generator.language.syntax import Binary, Name, names_in, rename
from efdgen.generator.planning.coset_routines import coset_elements
from efdgen.generator.planning.exported import embedding_of
from efdgen.generator.planning.special import doubles_identity
from efdgen.generator.programs.kernel import Bundle
from efdgen.generator.render.multiplication import multiplication_values
from efdgen.generator.render.python.binary import about_elements, binary_numbers, binary_values
from efdgen.generator.render.python.definitions import (
    bounds,
    constant_point,
    hexadecimal,
    identity_lines,
    integers,
    parameter,
)
from efdgen.generator.render.python.exports import with_exports
from efdgen.generator.render.python.kernels import (
    WIDTH,
    assignment,
    bracketed,
    constants,
    function,
    loop_lines,
    member_name,
    module_header,
    point_class,
    type_name,
)
from efdgen.generator.scalars.digits import wnaf_entries
from efdgen.generator.text.environment import environment
from efdgen.generator.text.wrap import wrapped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from efdgen.generator.language.syntax import Equation, Expression
    from efdgen.generator.planning.plan import CurvePlan, EntryKind, Negation

_AFFINE = {"x": "x", "y": "y"}
_OF_COSETS = ("SQRT_M1", "SQRT_AD_MINUS_ONE", "SQRT_MINUS_D")
"""The constants of cosets that a module names."""


def render_curve(plan: CurvePlan) -> dict[str, str]:
    """Return the text of ``PREFIX.py``."""
    text = environment("python").get_template("curve.py.j2").render(**_Context(plan).values())
    return {f"{plan.prefix}.py": with_exports(text)}


class _Context:
    """The values for the templates of a curve, each under the template's name for it."""

    def __init__(self, plan: CurvePlan) -> None:
        self.plan, self.group = plan, plan.kernels
        self.members = self._members("point")

    def values(self) -> dict[str, Any]:
        """Return all names of the templates."""
        plan, group = self.plan, self.group
        bundle = Bundle(plan.prefix, plan.curve.field, (group,), plan.command)
        return {
            **module_header(bundle),
            "doc": _module_docstring(plan),
            "binary": group.binary,
            "numbers": self._numbers(),
            "types": [point_class(group, point_type) for point_type in group.types],
            "functions": [function(group, kernel) for kernel in group.kernels],
            "namespace": group.namespace,
            "cofactor": plan.cofactor,
            "complete": plan.roles.complete,
            "infinite": plan.representation.infinite,
            "byteorder": plan.encoding.byteorder,
            "modulus": "ORDER" if plan.cofactor == 1 else "GROUP_ORDER",
            "scalar_bits": plan.scalar_bits,
            "split": self._split(),
            "multi": plan.multi,
            "coz": self._coz(),
            "second": plan.second is not None,
            "cosets": cosets(plan.curve),
            **bounds(plan.curve.field),
            **self._types(),
            **self._points(),
            **(binary_values(plan) if group.binary else self._field_values()),
            **self._entries(),
            **self._multiplication(),
        }

    def _members(self, name: str) -> tuple[str, ...]:
        found = next(t.members for t in self.group.types if t.name == name)
        return tuple(member_name(member) for member in found)

    def _name(self, kernel: str) -> str:
        return self.group.named(kernel)

    def _type(self, name: str) -> str:
        return type_name(self.group, next(t for t in self.group.types if t.name == name))

    def _numbers(self) -> list[str]:
        plan, size = self.plan, self.plan.encoding
        operations = {step.operation for kernel in self.group.kernels for step in kernel.steps}
        lines = binary_numbers(plan) if self.group.binary else integers({"P": plan.curve.prime})
        if "half" in operations:
            lines += integers({"HALF": (plan.curve.prime + 1) // 2})
        lines += assignment("ORDER", plan.order)
        lines += [f"COFACTOR = {plan.cofactor}"]
        lines += ["GROUP_ORDER = COFACTOR * ORDER"] * (plan.cofactor > 1)
        lines += [
            line for name, value in plan.curve.parameters.items() for line in parameter(name, value, plan)
        ]
        if root := plan.square_root:
            lines += assignment("ROOT_EXPONENT", root.exponent)
            lines += integers({"ROOT_GENERATOR": root.generator}) if root.method == "tonelli" else []
        lines += self._split_numbers()
        lines += [f"FIELD_BYTES = {size.field}", f"SCALAR_BYTES = {plan.reduction.bytes}"]
        lines += [f"ENCODED_BYTES = {size.point}", f"WIRE_BYTES = {size.wire}"]
        found = embedding_of(plan)
        lines += [f"MESSAGE_BYTES = {found.bytes}"] if found else []
        roots = {n: v for n, v in coset_elements(plan).items() if n in _OF_COSETS}
        lines += integers(roots)
        return [*lines, *constants(self.group)]

    def _types(self) -> dict[str, Any]:
        plan, roles = self.plan, self.plan.roles
        affine = "affine_point" if any(t.name == "affine_point" for t in self.group.types) else "point"
        return {
            "point": self._type("point"),
            "affine_point": self._type(affine),
            "entry": self._type(roles.entry.type),
            "fixed_entry": self._type(roles.fixed_entry.type),
            "identity": identity_lines(plan, self.members),
            "generator": constant_point("GENERATOR", self.members, plan.representation.generator),
            "second_point": constant_point("SECOND", self.members, plan.second or ()),
        }

    def _points(self) -> dict[str, Any]:
        roles, represented = self.plan.roles, self.plan.representation
        ratios = list(represented.ratios.values())
        shared = {ratio.numerator for ratio in ratios}
        names = represented.denominators
        return {
            "add_kernel": self._name(roles.add),
            "double": self._name(roles.double),
            "at_infinity": represented.at_infinity,
            "doubles_identity": doubles_identity(self.plan),
            "negate": self._name(roles.negate),
            "from_affine_kernel": self._name(roles.from_affine),
            "to_affine_kernel": self._name(roles.to_affine),
            "denominator": names[0] if names else "",
            "total_defined": " and ".join(f"total.{name}" for name in names),
            "p_undefined": " or ".join(f"not p.{name}" for name in names),
            # If both coordinates have one numerator, formulas do not know the points with x·y = 0.
            "special": shared.pop() if len(shared) == 1 else "",
            "batch": represented.batch,
            "factor": represented.batch_factor,
            "powers": represented.powers,
            "root": self.plan.square_root,
        }

    def _field_values(self) -> dict[str, Any]:
        """Return the equation, the meanings of variables, and comparisons, for integers modulo P."""
        plan, model = self.plan, self.plan.model
        ratios = plan.representation.ratios.values()
        differences = [_difference(r.numerator, r.denominator, r.power) for r in ratios]
        parameters = {name: name.upper() for name in plan.curve.parameters}
        system = self.group.kernels[0].formula.system
        equations = [*system.model.equations]
        for meaning in system.meanings:
            if not isinstance(meaning.left, Name) or meaning.left.text not in _AFFINE:
                equations.append(meaning)
        p = {variable: f"p.{member_name(variable)}" for variable in system.variables}
        lines = [_modulo(equation, {**parameters, **_AFFINE, **p}) for equation in equations]
        powers = plan.representation.powers
        zeros = [f"not p.{v}" for v in (*plan.representation.denominators, *plan.representation.extra)]
        lead = "p.Y * p.Y % P == p.X * p.X * p.X % P != 0"
        if len(plan.representation.denominators) == 1 and 3 * powers[0] != 2 * powers[1]:
            lead = "p.Y and not p.X" if 3 * powers[0] > 2 * powers[1] else "p.X and not p.Y"
        a = "A * " if model == "twisted" else ""
        return {
            "form": "shortw" if model == "shortw" else "edwards",
            "normalized": f"map({self._name(plan.roles.from_affine)}, to_affine_batch(points))",
            "compared": "their affine coordinates are compared as fractions",
            "comparisons": [f"{difference} != 0" for difference in differences],
            "last_comparison": f"{differences[-1]} == 0",
            "equation": lines[0],
            "meanings": lines,
            "proper_infinity": f"bool({' and '.join([*zeros, lead])})",
            "special_on_curve": f"not p.X * p.Y and ({a}p.Y * p.Y + p.X * p.X - 1) % P == 0",
            "right_side": "(x * x * x + A * x + B) % P",
            "a": a,
            "a_or_one": "A" if model == "twisted" else "1",
            "d": "D",
        }

    def _entries(self) -> dict[str, Any]:
        roles = self.plan.roles
        kinds = [self._entry(kind) for kind in self.plan.entry_kinds]
        two = len(kinds) > 1
        return {
            "entry_kinds": kinds,
            "two_kinds": two,
            "fixed_suffix": "_fixed" if two else "",
            "entry_normalized": roles.entry.normalized and self.plan.representation.infinite,
            "entry_add": self._name(roles.entry.add),
        }

    def _entry(self, kind: EntryKind) -> dict[str, Any]:
        entry, members = kind.entry, tuple(map(member_name, kind.members))
        negated = [f"q.{n.source} ^ q.{n.plus}" if n.plus else _negated(n) for n in entry.negation]
        return {
            "suffix": kind.suffix,
            "type": "_Entry" if kind.own else "_FixedEntry",
            "add": self._name(entry.add),
            "chain_add": entry.chain_add and self._name(entry.chain_add),
            "always_right": False,
            "plain": kind.plain,
            "normalized": entry.normalized,
            "make": entry.make and self._name(entry.make),
            "from_affine": entry.from_affine and self._name(entry.from_affine),
            "members": ", ".join(f"p.{member}" for member in members),
            "lifted": ", ".join(f"q.{m}" if m in members else "1" for m in self.members),
            "negated": ", ".join(negated),
            "scaled": ", ".join(f"q.{m} * BETA % P" if m == "X" else f"q.{m}" for m in members),
        }

    def _multiplication(self) -> dict[str, Any]:
        plan, roles = self.plan, self.plan.roles
        found = multiplication_values(plan, _paragraph)
        chain = plan.kernel(roles.chain_double)
        chain_members = [member_name(member) for member in chain.inputs[0].type.members]
        unsafe = plan.variable.complete_steps
        window = {
            "top_add": self._name(roles.entry.add) if plan.variable.safe_top else "_add",
            "safe": plan.variable.digits.count - 1 - unsafe,
            "stop": unsafe - 1 if unsafe else "",
            "start": unsafe - 1,
        }
        return {
            **found,
            "chain_type": type_name(self.group, chain.outputs[0].type),
            "chain_last": self._name(roles.chain_last),
            "chain_add": plan.chain_add and self._name(plan.chain_add),
            "chain_locals": ", ".join(member.lower() for member in chain_members),
            "chain_values": ", ".join(f"p.{member}" for member in chain_members),
            "chain_loop": loop_lines(self.group, chain, ("p", "times")),
            "window": {**found["window"], **window},
            "one_z": self._one_z(),
            "single_entries": wnaf_entries(plan.single.width),
            "double_entries": wnaf_entries(plan.double.width),
            "straus_entries": wnaf_entries(plan.multi.straus_width),
            "fixed_entries": 1 << (plan.double.fixed_width - 2),
            "half_entries": plan.half and wnaf_entries(plan.half.width),
            "half_fixed_entries": plan.half and wnaf_entries(plan.half.fixed_width),
            "half_reason": _paragraph(plan.reasons["half"]) if plan.half else (),
        }

    def _one_z(self) -> dict[str, Any] | None:
        one_z = self.plan.roles.one_z
        if one_z is None:
            return None
        found = {"start": self._name(one_z.start), "step": self._name(one_z.step)}
        if one_z.add is not None:
            _, given, scalar = self.plan.kernel(one_z.add).inputs
            found |= {"add": self._name(one_z.add)}
            found |= {"given_type": self._type(given.type.name), "scalar_type": self._type(scalar.type.name)}
        return {**found, "reason": _paragraph(self.plan.reasons["one_z"])}

    def _coz(self) -> dict[str, Any] | None:
        coz = self.plan.coz
        if coz is None:
            return None
        start, step = self.plan.kernel(coz.start), self.plan.kernel(coz.step)
        return {
            "start": self._name(coz.start),
            "start_type": type_name(self.group, start.inputs[0].type),
            "step": self._name(coz.step),
            "second_type": type_name(self.group, step.inputs[1].type),
            "scalar_type": type_name(self.group, step.inputs[2].type),
            "bits": coz.bits,
        }

    def _split(self) -> dict[str, Any] | None:
        endomorphism = self.plan.endomorphism
        if endomorphism is None:
            return None
        shift = endomorphism.split.shift
        return {
            "round": f"(1 << {shift - 1})",
            "shift": shift,
            "reason": "\n    ".join(_paragraph(self.plan.reasons["split"])),
        }

    def _split_numbers(self) -> list[str]:
        endomorphism = self.plan.endomorphism
        if endomorphism is None:
            return []
        split = endomorphism.split
        numbers = {f"SPLIT_G{i}": g for i, g in enumerate(split.multipliers, start=1)}
        for i, (a, b) in enumerate(split.basis, start=1):
            numbers |= {f"SPLIT_A{i}": a, f"SPLIT_B{i}": b}
        lines = [line for name, value in numbers.items() for line in assignment(name, value)]
        if self.plan.variable.halves:
            shifts = [bracketed("(", [hexadecimal(u), hexadecimal(v)], "),", "    ") for u, v in split.shifts]
            lines += ["SPLIT_SHIFTS = (", *chain.from_iterable(shifts), ")"]
        return [*integers({"BETA": endomorphism.beta}), *lines]


def _module_docstring(plan: CurvePlan) -> list[str]:
    group, field = plan.kernels, plan.curve.field
    points = "points of odd order" if group.binary else "points"
    integers = "If gmpy2 is installed, its integers are used, which is about twice as fast."
    paragraphs = [
        f'"""{group.curve}: {points}, multiplication by scalars, and encodings.',
        "",
        "Scalars are integers, not negative, of any size. Points are named tuples of integers in "
        f"[0, {bounds(field)['limit']}); Point holds the identity too. Every function is correct for every "
        "input, except those whose "
        f"names start with {group.namespace}_: these are the formulas, and document their exceptions.",
        "",
        about_elements(field) if field.is_binary else integers,
        "",
        "NOT CONSTANT TIME: the time that Python takes for an integer depends on its value. Functions whose "
        "names do not end in _var do the same operations for every scalar. This is for tests, for models of "
        "other code and for public values, never for secrets. Needs Python 3.10 or later.",
        '"""',
    ]
    return [line for text in paragraphs for line in wrapped(text, WIDTH)]


def _difference(numerator: str, denominator: str | None, power: int) -> str:
    if denominator is None:
        return f"p.{numerator} - q.{numerator}"
    left, right = (
        " * ".join([f"{one}.{numerator}", *[f"{other}.{denominator}"] * power]) for one, other in ("pq", "qp")
    )
    return f"({left} - {right}) % P"


def _negated(member: Negation) -> str:
    return f"-q.{member.source} % P" if member.negative else f"q.{member.source}"


def _modulo(equation: Equation, names: dict[str, str]) -> str:
    """Return an equation as Python has it, with a divisor on the right side multiplied out."""
    left, right = equation.left, equation.right
    if isinstance(right, Binary) and right.operator == "/":
        left, right = Binary("*", left, right.right), right.left
    texts = [_python(side, names) for side in (left, right)]
    return f"({texts[0]} - ({texts[1]})) % P == 0"


def _python(expression: Expression, names: dict[str, str]) -> str:
    known = {name.text: names[name.text] for name in names_in(expression)}
    return (
        print_expression(rename(expression, known))
        .replace("^", "**")
        .replace("*", " * ")
        .replace(" *  * ", "**")
    )


def _paragraph(text: str) -> Sequence[str]:
    return wrapped(text, WIDTH - 4)
