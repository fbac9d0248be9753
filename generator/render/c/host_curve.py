"""A whole curve in C over a host's field: the host's types, calls and words below the functions of points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from efdgen.generator.fields.bundle import proof_lines
from efdgen.generator.fields.claims import UNPROVED, Claims
from efdgen.generator.fields.pieces import Names
from efdgen.generator.fields.printed import announced
from efdgen.generator.hosts.aliasing import common_variables
from efdgen.generator.hosts.elements import element_functions, unity_constant
from efdgen.generator.hosts.operation import Operation
from efdgen.generator.hosts.render import HostPrinter
from efdgen.generator.hosts.text import words_text
from efdgen.generator.kernels.contract import header_lines
from efdgen.generator.planning.tables import fixed_tables
from efdgen.generator.render.c.bundle import Options, point_types
from efdgen.generator.render.c.curve import CurveText
from efdgen.generator.render.c.parts import byte_lines, part_functions
from efdgen.generator.render.c.source import source
from efdgen.generator.render.multiplication import require_additions
from efdgen.generator.text.c import WIDTH, Function, comment, in_ascii, number
from efdgen.generator.text.wrap import wrap

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from efdgen.generator.hosts.compile import HostBundle
    from efdgen.generator.hosts.curve import HostCurve
    from efdgen.generator.planning.quotients import Coordinates

_BEFORE, _AFTER = "# host's header", "# host's footer"
_CHECK = (
    "To check: `efdgen verify ID` proves a formula again. Formulas and operations of the field are calls "
    "that were read back from this text, executed with symbols in every aliasing that is allowed, and "
    "proved; every bound was checked by the host's rules. The host's own functions are taken to do what its "
    "file says."
)


def render_host_curve(curve: HostCurve, claims: Claims) -> dict[str, str]:
    """Return the text of ``PREFIX.h``; ``claims`` answers for functions on elements.

    Raises :class:`EfdgenError` for a coordinate system in which not all points can be added.
    """
    text = source("curve/host_header.h.j2", host_curve_values(curve, claims))
    # The host's own text stays as it is, long lines too.
    for place, parts in ((_BEFORE, curve.preamble), (_AFTER, curve.postamble)):
        text = text.replace(place, "\n\n".join(parts))
    return announced({f"{curve.plan.prefix}.h": text}, claims)


def render_driver(curve: HostCurve) -> str:
    """Return a program that tests a whole curve, to be compiled after the host's own code."""
    return source("curve/driver.c.j2", host_curve_values(curve, UNPROVED))


def host_curve_values(curve: HostCurve, claims: Claims) -> dict[str, Any]:
    """Return what templates print of a whole curve over a host's field."""
    require_additions(curve.plan)
    text = HostCurveText(curve, claims)
    values = text.values()
    return values | {"functions": [*text.elements(values), *text.kernels(), *text.functions(values)]}


class HostCurveText(CurveText):
    """The values for the templates of a curve over a host's field."""

    def __init__(self, curve: HostCurve, claims: Claims) -> None:
        super().__init__(curve.plan, Options(claims=claims))
        self.curve, self.element = curve, curve.element
        self.names = Names(self.prefix)

    def values(self) -> dict[str, Any]:
        """Return all names of the templates."""
        plan, host = self.plan, self.curve.host
        return {
            **super().values(),
            **self.names.template,
            "split": False,
            "host": host,
            "element": self.element,
            "code": self._code(),
            "largest": host.largest,
            "declaration": self.element.declaration(self.names.template["fe"]),
            "preamble": _BEFORE if self.curve.preamble else "",
            "postamble": _AFTER if self.curve.postamble else "",
            "header": comment(map(in_ascii, header_lines(self.bundle, _CHECK, self.curve.license))),
            "driver_header": comment(header_lines(self.bundle)[:4]),
            "field": self.field,
            "arithmetic": "modulo the prime",
            "prime": wrap(f"p = {number(plan.curve.prime)}", WIDTH - 7, subsequent_indent="      "),
            "prime_lines": byte_lines(plan.curve.prime.to_bytes(self.field.bytes, self.element.order)),
            "types": list(point_types(plan.kernels, f"{self.prefix}_{plan.kernels.namespace}")),
            "element_constants": [self._constant(*found) for found in self._named()],
            "batches": True,
        }

    def table(self, name: str, doc: str, kind: str, rows: Sequence[Coordinates], block: int) -> Function:
        """Return a table of points of a type in the host's words, in blocks where they have a length."""
        lines = []
        for at, row in enumerate(rows):
            lines += ["    {"] * (block > 0 and at % block == 0)
            lines += [f"    {line}" for line in self._filled(f"{{{', '.join(map(self._word, row))}}},")]
            lines += ["    },"] * (block > 0 and (at + 1) % block == 0)
        sizes = f"[{len(rows) // block}][{block}]" if block else f"[{len(rows)}]"
        signature = f"static const {kind} {self.prefix}_{name}{sizes} ="
        return Function(comment([doc]), signature, "".join(f"{line}\n" for line in lines), "};")

    def initialised(self, coordinates: Coordinates) -> list[dict[str, Any]]:
        """Return the lines that initialise a point, the same for all sizes of words."""
        lines = [line for value in coordinates for line in self._filled(f"{self._word(value)},")]
        return [{"word": 0, "lines": lines}]

    def elements(self, values: dict[str, Any]) -> Iterator[Function]:
        """Yield the functions on elements."""
        own = list(part_functions(["host_field"], values))
        early = [f for f in own if f.name.endswith(("_set_zero", "_select", "_cswap", "_join"))]
        yield from early
        yield from self._functions(self.curve.operations)
        yield from (function for function in own if function not in early)
        root = "sqrt" if self.plan.model == "shortw" else "sqrt_ratio"
        for function in element_functions(self.field, self.names, root, inverts=self.curve.inverts).values():
            first, _, rest = function.c.partition("\n")
            lines = (*function.doc, *map(in_ascii, proof_lines(function, self.claims)))
            body, closing, end = rest.rpartition("}")
            yield Function(comment(lines), first.removesuffix(" {"), body, f"{closing}{end.rstrip()}")

    def kernels(self) -> Iterator[Function]:
        """Yield the formulas."""
        yield from self._functions(self.curve.kernels)

    def _functions(self, bundle: HostBundle) -> Iterator[Function]:
        for function in bundle.functions:
            printer = HostPrinter(bundle, function)
            kernel = function.kernel
            lines = [kernel.doc] if isinstance(kernel, Operation) else printer.contract()
            if isinstance(kernel, Operation) and not function.coincide:
                lines.append("Inputs may not be one object.")
            body = "".join(f"    {line}\n" for line in printer.lines())
            yield Function(comment(lines), printer.plain_signature(), body)
            if not function.coincide:
                yield self._coinciding(printer)

    def _coinciding(self, printer: HostPrinter) -> Function:
        """Return a function for inputs that may be one object, of which others are copied."""
        function, kernel, name = printer.function, printer.kernel, printer.plain_name
        own, body, passed = name.removesuffix("_apart"), [], []
        for at, argument in enumerate(kernel.inputs):
            text, point = printer.arguments[argument.name], function.structures[argument.name]
            if any(common_variables(function.structures, argument, other) for other in kernel.inputs[:at]):
                kind = point.type if point else self.names.template["fe"]
                body.append(f"    const {kind} {text}_copy = *{text};\n")
                text = f"&{text}_copy"
            passed.append(text)
        results = [printer.arguments[argument.name] for argument in kernel.outputs]
        body.append(f"    {name}({', '.join([*results, *passed])});\n")
        signature = printer.plain_signature().replace(f"{name}(", f"{own}(")
        doc = comment([f"The same as {name}, for inputs that may be one object."])
        return Function(doc, signature, "".join(body))

    def numbers_by_name(self) -> dict[str, list[int]]:
        """Return the elements of all constants, points and tables, by their names in the text."""
        found = {name: [value] for _, name, value in self._named()}
        found |= {name: list(values) for name, _, values in self.points() if values is not None}
        for name, rows in fixed_tables(self.plan).items():
            found[f"{self.prefix}_{name}_table"] = [value for row in rows for value in row]
        return found

    def _named(self) -> Iterator[tuple[str, str, int]]:
        """Yield the elements that functions name: what they are, their names, their numbers."""
        for name, value in {"one": 1, **self.numbers}.items():
            yield name, f"{self.prefix}_constant_{name}", value
        for name, value in unity_constant(self.field.prime).items():
            yield name, f"{self.prefix}_{name}", value
        for bundle in (self.curve.operations, self.curve.kernels):
            for name, value in bundle.constants.items():
                yield name, f"{bundle.prefix}{name}_constant", value

    def _constant(self, doc: str, name: str, value: int) -> str:
        text = f"static const {self.names.template['fe']} {name} = {self._word(value)};"
        lines = wrap(text, WIDTH, subsequent_indent="    ")
        return "\n".join([comment([f"{doc} = {number(value)}."]), *lines])

    def _word(self, value: int) -> str:
        template = self.element.initialiser(self.element.constant)
        return template.format(**words_text(value, self.field.prime))

    def _code(self) -> dict[str, str]:
        """Return the host's code, with the variables of the templates for its operands."""
        element = self.element
        places = {"bytes": "bytes", "flag": "flag"}
        for name in "ra":
            places |= {
                name: element.operand(name, pointer=True),
                f"{name}_value": element.value(name, pointer=True),
            }
        chosen = {"r": element.operand("chosen"), "r_value": element.value("chosen")}
        return {
            "read": element.read.format(**{**places, "bytes": "number"}),
            "write": element.write.format(**places),
            "select": element.select.format(**places | chosen),
            "zero": element.zero.format(**places),
        }

    @staticmethod
    def _filled(text: str) -> list[str]:
        return wrap(text, WIDTH - 8)
