"""A whole curve in C: its plan's kernels, and constant-time loops over them, with tables that are printed."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from efdgen.generator.curves.instantiate import instantiate
from efdgen.generator.errors import EfdgenError
from efdgen.generator.fields.bundle import BASIC
from efdgen.generator.fields.field import Field
from efdgen.generator.fields.pieces import c_definitions
from efdgen.generator.interpreter import PrimeField, run
from efdgen.generator.kernel import Bundle
from efdgen.generator.language.syntax import Name
from efdgen.generator.lower import lower
from efdgen.generator.planning.tables import comb_table, odd_table
from efdgen.generator.render.c import Options, printed
from efdgen.generator.render.c_equations import StraightLine
from efdgen.generator.render.c_field import Constant
from efdgen.generator.render.c_scalars import ScalarText
from efdgen.generator.render.c_text import WIDTH, Function, comment, number
from efdgen.generator.render.contract import wrapped
from efdgen.generator.render.environment import environment

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from efdgen.generator.fields.field import Representation
    from efdgen.generator.language.syntax import Equation
    from efdgen.generator.planning.plan import Coordinates, CurvePlan, Entry

PARTS = "scalars", "points", "entries", "multiply", "comb", "multiply_var", "subgroup", "encodings"
_ASCII = {"·": "*", "±": "+-", "λ": "lambda", "β": "beta", "²": "^2", "³": "^3", "Σ": "the sum of "}


def render_curve(plan: CurvePlan, options: Options) -> dict[str, str]:
    """Return the text of ``PREFIX.h``, of ``PREFIX.c`` in the split layout, and of ``driver.c``.

    Raises :class:`EfdgenError` for a coordinate system whose additions are neither complete nor have the
    neutral element as an exception that is told by a denominator.
    """
    if not (plan.roles.complete or plan.representation.infinite):
        system = plan.representation.system
        raise EfdgenError(f"no addition of {system} is complete on {plan.curve.name}; choose other --coords")
    text = _Curve(plan)
    values = printed(text.bundle, options, text.wanted, text.constants)
    own = text.values()
    values |= own | {
        "functions": [*values["functions"], *text.tables(), *text.functions(values | own)],
        "batches": True,
    }
    templates = {f"{plan.prefix}.h": "curve/header.h.j2", "driver.c": "curve/driver.c.j2"}
    if options.layout == "split":
        templates[f"{plan.prefix}.c"] = "source.c.j2"
    load = environment("c").get_template
    return {path: load(template).render(values) for path, template in templates.items()}


class _Curve:
    """What the templates of a curve print, each under the name that they use."""

    def __init__(self, plan: CurvePlan) -> None:
        self.plan, self.group = plan, plan.kernels
        self.bundle = Bundle(plan.prefix, plan.curve.prime, (plan.kernels,), plan.command)
        self.scalars = ScalarText(plan)
        self.wanted = (*BASIC, "sqrt" if plan.model == "shortw" else "sqrt_ratio")
        self.field = Field(plan.curve.prime)
        self._types = {t.name: t for t in self.group.types}
        self._affine = "affine_point" if "affine_point" in self._types else "point"

    @cached_property
    def constants(self) -> list[Constant]:
        """The field elements that the templates name."""
        plan = self.plan
        found = {"zero": 0, **plan.curve.parameters}
        if plan.endomorphism:
            found["beta"] = plan.endomorphism.beta
        return [
            Constant(f"{plan.prefix}_constant_{name}", comment([f"{name} = {number(value)}."]), value)
            for name, value in found.items()
        ]

    def values(self) -> dict[str, Any]:
        """Return all names of the templates."""
        plan, roles, represented = self.plan, self.plan.roles, self.plan.representation
        ratios = list(represented.ratios.values())
        powers = [ratio.power for ratio in ratios]
        names = represented.denominators
        return {
            "point": f"{plan.prefix}_point",
            "affine": f"{plan.prefix}_affine_point",
            "kernel_point": self._type("point"),
            "kernel_affine": self._type(self._affine),
            "kernel": {
                name: self._kernel(value) for name, value in vars(roles).items() if isinstance(value, str)
            },
            "members": self._types["point"].members,
            "model": plan.model,
            "complete": roles.complete,
            "infinite": represented.infinite,
            "doubles_identity": self._doubles_identity(),
            "denominator": names[0] if names else "",
            "denominators": names,
            "ratios": ratios,
            "powers": powers,
            "batch": len(names) == 1 and powers in ([1, 1], [2, 3]) and ratios[0].numerator == "X",
            "cofactor": plan.cofactor,
            "size": plan.encoding,
            "point_constants": list(self._point_constants()),
            **self.scalars.values(),
            **self._equations(),
            **self._entries(),
            **self._multiplication(),
        }

    def functions(self, values: dict[str, Any]) -> Iterator[Function]:
        """Yield the functions of all parts, each behind what it calls."""
        for part in PARTS:
            text = environment("c").get_template(f"curve/{part}.h.j2").render(values)
            for definition in c_definitions(text).values():
                first, _, rest = definition.text.partition("\n")
                body, closing, end = rest.rpartition("}")
                signature = first.removesuffix(" {")
                yield Function(comment(definition.doc), signature, body, f"{closing}{end.rstrip()}")

    def tables(self) -> Iterator[Function]:
        """Yield the precomputed tables, and the constants of scalars."""
        yield from self.scalars.tables()
        entry, prefix = self.plan.roles.fixed_entry, self.plan.prefix
        comb = self.plan.generator.comb
        doc = f"For each of {comb.blocks} blocks the sums of +-2^i*G over its bits i, the top one positive."
        yield self._table(f"{prefix}_comb_table", doc, entry, comb_table(self.plan))
        doc = "G, 3*G, 5*G and so on."
        yield self._table(f"{prefix}_odd_table", doc, entry, odd_table(self.plan))

    def _table(self, name: str, doc: str, entry: Entry, rows: Sequence[Coordinates]) -> Function:
        lines = []
        for build in self.field.representations:
            lines.append(self._condition(build))
            for row in rows:
                elements = [_element(build, value) for value in row]
                lines += [f"    {line}" for line in _filled(f"{{{', '.join(elements)}}},")]
        signature = f"static const {self._type(entry.type)} {name}[{len(rows)}] ="
        body = "".join(f"{line}\n" for line in [*lines, "#endif"])
        return Function(comment([doc]), signature, body, "};")

    def _condition(self, build: Representation) -> str:
        first = build is self.field.representations[0]
        return f"#{'if' if first else 'elif'} {self.plan.prefix.upper()}_WORD_BITS == {build.word}"

    def _point_constants(self) -> Iterator[dict[str, Any]]:
        represented, prefix = self.plan.representation, self.plan.prefix.upper()
        for name, doc, values in (
            ("GENERATOR", "The generator.", represented.generator),
            ("IDENTITY", "The neutral element.", represented.identity),
        ):
            builds = [
                {
                    "word": build.word,
                    "lines": [line for v in values for line in _filled(f"{_element(build, v)},")],
                }
                for build in self.field.representations
            ]
            yield {"name": f"{prefix}_{name}", "doc": doc, "builds": builds}

    def _doubles_identity(self) -> bool:
        """Whether the doubling makes coordinates of a point of the neutral element, and not zeros alone."""
        formula = self.plan.kernel(self.plan.roles.double).formula
        parameters = instantiate(formula, self.plan.curve.prime, self.plan.curve.parameters)
        names = dict(zip(formula.input_names, self.plan.representation.identity, strict=True))
        outputs = run(lower(formula), PrimeField(self.plan.curve.prime), {**parameters, **names})
        return any(outputs[name] for name in formula.output_names)

    def _kernel(self, name: str) -> str:
        return "_".join(filter(None, (self.plan.prefix, self.group.namespace, name)))

    def _type(self, name: str) -> str:
        return self._kernel(name)

    def _equations(self) -> dict[str, Any]:
        """Return the curve's equation, the meanings of further variables, and what a point at infinity is."""
        plan, represented = self.plan, self.plan.representation
        system = self.group.kernels[0].formula.system
        parameters = {name: f"{plan.prefix}_constant_{name}" for name in plan.curve.parameters}
        further = [m for m in system.meanings if not isinstance(m.left, Name) or m.left.text not in "xy"]
        p = {variable: f"p->{variable}" for variable in system.variables}
        reduced = {"x": "reduced.X", "y": "reduced.Y"}
        names = parameters | reduced | p
        right = StraightLine(plan.prefix, parameters | {"x": "(*x)"})
        value = right.value(system.model.equations[0].right) if plan.model == "shortw" else ""
        return {
            "right_value": value,
            "right_side": right.lines(WIDTH - 4) if value else [],
            "equation": self._test(system.model.equations, parameters | {"x": "p->X", "y": "p->Y"}, "return"),
            "meanings": self._test(further, names, "on &=") if further else [],
            "undefined": " | ".join(f"{plan.prefix}_fe_is_zero(&p->{v})" for v in represented.denominators),
            "at_infinity": self._at_infinity() if represented.infinite else "",
        }

    def _test(self, equations: Sequence[Equation], names: dict[str, str], result: str) -> list[str]:
        program = StraightLine(self.plan.prefix, names)
        tests = " & ".join([program.test(equation) for equation in equations])
        return [*program.lines(WIDTH - 8), f"{result} {tests};"]

    def _at_infinity(self) -> str:
        """Return whether p is the neutral element, given squares of Y and cubes of X."""
        represented, zero = self.plan.representation, f"{self.plan.prefix}_fe_is_zero"
        zeros = [f"{zero}(&p->{v})" for v in (*represented.denominators, *represented.extra)]
        powers = [ratio.power for ratio in represented.ratios.values()]
        lead = [f"{self.plan.prefix}_fe_equal(&square, &cube)", f"(1 ^ {zero}(&square))"]
        if len(represented.denominators) == 1 and 3 * powers[0] != 2 * powers[1]:
            none, some = "XY" if 3 * powers[0] > 2 * powers[1] else "YX"
            lead = [f"{zero}(&p->{none})", f"(1 ^ {zero}(&p->{some}))"]
        return " & ".join([*zeros, *lead])

    def _entries(self) -> dict[str, Any]:
        roles = self.plan.roles
        kinds = [self._entry(roles.entry, "", own=True)]
        if roles.entry != roles.fixed_entry:
            kinds.append(self._entry(roles.fixed_entry, "_fixed", own=False))
        return {"entry_kinds": kinds, "own": kinds[0], "fixed": kinds[-1]}

    def _entry(self, entry: Entry, suffix: str, *, own: bool) -> dict[str, Any]:
        return {
            "suffix": suffix,
            "own": own,
            "type": self._type(entry.type),
            "members": self._types[entry.type].members,
            "add": self._kernel(entry.add),
            "plain": entry.type == "point",
            "normalized": entry.normalized,
            "liftable": not self.plan.roles.complete and entry.make is None,
            "make": entry.make and self._kernel(entry.make),
            "negation": entry.negation,
        }

    def _multiplication(self) -> dict[str, Any]:
        plan, roles = self.plan, self.plan.roles
        digits, comb = plan.variable.digits, plan.generator.comb
        chain = plan.kernel(roles.chain_double).inputs[0].type
        # Both additions of a position are of one kind; with halves there is one more, for the top digits.
        widths, steps = (plan.width, plan.double.width), digits.count - 1
        return {
            "chained": roles.chain_double != roles.chain_last,
            "chain_type": self._type(chain.name),
            "chain_members": chain.members,
            "window": {
                "count": digits.count,
                "width": digits.width,
                "bits": digits.bits,
                "entries": digits.entries,
                "most_entries": max(digits.entries, *map(_entries, widths)),
                "negate_even": plan.variable.negate_even,
                "halves": plan.variable.halves,
                "complete": min(-(-plan.variable.complete_additions // (1 + plan.variable.halves)), steps),
                "top_safe": plan.variable.complete_additions <= 2 * steps,
                "safe_table": plan.variable.safe_table,
                "reason": _paragraph(plan.reasons["multiply"]),
            },
            "needs_odd": True,
            "entries": _entries,
            "halves": 1 if plan.endomorphism is None else 2,
            "width": plan.width,
            "double_width": plan.double.width,
            "fixed_width": plan.double.fixed_width,
            "comb": {
                "blocks": comb.blocks,
                "teeth": comb.teeth,
                "spacing": comb.spacing,
                "bits": comb.bits,
                "half": 1 << (comb.teeth - 1),
                "complete": plan.generator.complete_additions,
                "reason": _paragraph(plan.reasons["multiply_generator"]),
            },
            "split_scalar": self._split(),
        }

    def _split(self) -> dict[str, Any] | None:
        if self.plan.endomorphism is None:
            return None
        shift = self.plan.endomorphism.split.shift
        return {"shift": shift, "reason": _paragraph(self.plan.reasons["split"])}


def _entries(width: int) -> int:
    return int(1 << max(width - 2, 0))


def _element(build: Representation, value: int) -> str:
    words = (f"0x{word:0{build.word // 4}X}" for word in build.element(value))
    return f"{{{{{', '.join(words)}}}}}"


def _filled(text: str) -> list[str]:
    return list(wrapped(text, WIDTH - 4))


def _paragraph(text: str) -> Sequence[str]:
    for sign, ascii_sign in _ASCII.items():
        text = text.replace(sign, ascii_sign)
    return wrapped(text, WIDTH - 3)
