"""Kernels as C99: one header, or a header and a source file, and a driver that tests them."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from efdgen.generator.fields.bundle import basic
from efdgen.generator.fields.claims import UNPROVED, Claims
from efdgen.generator.fields.field import Field, FieldOptions
from efdgen.generator.fields.pieces import Names
from efdgen.generator.fields.printed import BatchText, KernelText, PointArgument
from efdgen.generator.fields.whole import WORD, whole_formulas
from efdgen.generator.formulas.signature import SCALAR
from efdgen.generator.kernels.batches import PART, ROUTINE, batch_text, part_name, with_parts
from efdgen.generator.kernels.contract import contract_lines, header_lines
from efdgen.generator.languages.bindings import Bindings
from efdgen.generator.languages.c.printer import Printer
from efdgen.generator.options import Lowering
from efdgen.generator.programs.kernel import CurveConstant
from efdgen.generator.render.c.calls import Calls
from efdgen.generator.render.c.field import CField, Constant
from efdgen.generator.render.c.source import source, sources
from efdgen.generator.text.c import WIDTH, Function, comment, in_ascii, number
from efdgen.generator.text.wrap import wrap

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from efdgen.generator.fields.whole import WholeFormula
    from efdgen.generator.programs.kernel import Bundle, CurveKernels, Kernel


@dataclass(frozen=True)
class Options:
    """Options of the output: everything ``static inline`` in one header, or prototypes and a source file.

    ``lowering`` is whether a formula is one limb function where words have 64 bits, or calls of the field's
    functions there too. ``claims`` answers for the operations of the field. ``hashes`` is true where
    bytes are hashed to the curve.
    """

    layout: Literal["header", "split"] = "header"
    lowering: Lowering = "whole"
    claims: Claims = UNPROVED
    fields: FieldOptions = dataclasses.field(default_factory=FieldOptions)
    hashes: bool = False


@dataclass(frozen=True)
class PointStructure:
    """A structure of field elements."""

    name: str
    doc: str
    members: tuple[str, ...]


@dataclass(frozen=True)
class _Point:
    """An argument of a kernel; ``shareable`` is whether the first output can be the same object."""

    name: str
    type: str
    members: tuple[str, ...]
    shareable: bool


@dataclass(frozen=True)
class _Request:
    """A kernel as the driver calls it: what a request calls it, the function, its arguments, if it tests."""

    name: str
    function: str
    inputs: tuple[_Point, ...]
    outputs: tuple[_Point, ...]
    tests: bool
    batch: bool


def render(bundle: Bundle, options: Options) -> dict[str, str]:
    """Return the texts of :func:`sources`, and of ``driver.c``.

    Raises :class:`EfdgenError` for a prefix that would give a file the name of another.
    """
    values = printed(bundle, options)
    return {**sources(values), "driver.c": source("driver.c.j2", values)}


def printed(
    bundle: Bundle, options: Options, wanted: Collection[str] = (), own: Sequence[Constant] = ()
) -> dict[str, Any]:
    """Return what the templates print of a bundle, with field functions and constants that are wanted.

    The default is the functions that kernels call.
    Raises what :func:`render` raises.
    """
    prefix, split = bundle.prefix, options.layout == "split"
    planned = options.fields.of(bundle.ground)
    wanted = wanted or basic(planned)
    field = CField(planned, Names(prefix), options.claims, wanted)
    groups = [_Kernels(bundle, group, planned, options.lowering) for group in bundle.groups]
    requests = [request for group in groups for request in group.requests()]
    for text in (text for group in groups for text in group.texts()):
        options.claims.announce(text)
    batches = any(request.batch for request in requests)
    if batches:
        own = [*own, Constant(f"{prefix}_constant_zero", "/* 0. */", 0)]
    return {
        **field.names.template,
        "split": split,
        "header": comment(map(in_ascii, header_lines(bundle))),
        "driver_header": comment(header_lines(bundle)[:4]),
        "types": [found for group in groups for found in group.types()],
        "functions": [*field.functions(), *(found for group in groups for found in group.functions())],
        "requests": requests,
        "batches": batches,
        "has": frozenset(wanted),
        "entries": sorted([*field.entries(), ("leak", "leak"), *((r.name, r.function) for r in requests)]),
        **field.values(
            [*own, *(constant for group in groups for constant in group.constants())],
            [whole.operation for group in groups for whole in group.whole.values()],
        ),
    }


def point_types(group: CurveKernels, prefix: str) -> Iterator[PointStructure]:
    """Yield the structures of a group's points."""
    for point_type in group.types:
        place = point_type.system or group.description
        told = [f"A point of {place}:", f"{point_type.meaning}."]
        doc = comment(told if point_type != SCALAR else ["An intermediate value of formulas."])
        yield PointStructure(f"{prefix}_{point_type.name}", doc, point_type.members)


class _Kernels:
    """Prints what belongs to one group of a bundle."""

    def __init__(self, bundle: Bundle, group: CurveKernels, field: Field, lowering: Lowering) -> None:
        parts = with_parts(group)
        self._group, self._kernels = group, parts.kernels
        self._fe = f"{bundle.prefix}_fe"
        self._bundle = bundle.prefix
        self._prefix = f"{bundle.prefix}_{group.namespace}" if group.namespace else bundle.prefix
        self.whole = whole_formulas(parts, field) if lowering == "whole" else {}

    def types(self) -> Iterator[PointStructure]:
        """Yield the structures that the functions take."""
        yield from point_types(self._group, self._prefix)

    def constants(self) -> Iterator[Constant]:
        """Yield the constants that the functions read."""
        calls = {place for kernel in self._kernels for place in kernel.places()}
        called = [kernel for kernel in self._kernels if kernel.name not in self.whole]
        always = {place for kernel in called for place in kernel.places()}
        always |= {place for whole in self.whole.values() for place in whole.places}
        for name, value in self._group.constants.items():
            place = CurveConstant(name)
            if place in calls | always:
                doc = comment([f"{name} = {number(value)}"])
                yield Constant(self._constant(name), doc, value, place not in always)

    def functions(self) -> Iterator[Function]:
        """Yield the functions themselves."""
        for kernel in self._kernels:
            calls = Calls(kernel, self._fe, self._constant)
            if kernel.batch:
                yield self._batch(kernel)
                continue
            arguments = [f"{self._name(output.type.name)} *{output.name}" for output in kernel.outputs]
            arguments += [f"const {self._name(point.type.name)} *{point.name}" for point in kernel.inputs]
            result = "int" if kernel.tests else "void"
            static = "" if kernel in self._group.kernels else "static inline "
            signature = f"{static}{result} {self._name(kernel.function)}({', '.join(arguments)})"
            body = "".join(f"    {line}\n" if line[:1] != "#" else f"{line}\n" for line in self._body(calls))
            yield Function(comment(contract_lines(kernel)), signature, body)

    def texts(self) -> Iterator[KernelText | BatchText]:
        """Yield what each function must be."""
        constants = {self._constant(name): name for name in self._group.constants}
        for kernel in self._kernels:
            if kernel.batch:
                yield self._routine(kernel)
                continue
            inputs, outputs = (
                tuple(PointArgument(a.name, self._name(a.type.name), a.members) for a in arguments)
                for arguments in (kernel.inputs, kernel.outputs)
            )
            whole = self.whole.get(kernel.name)
            yield KernelText(
                language="c",
                prefix=self._bundle,
                name=self._name(kernel.function),
                program=kernel.program,
                inputs=inputs,
                outputs=outputs,
                constants=constants,
                tested=kernel.tested,
                whole=whole.operation if whole else None,
            )

    def _batch(self, kernel: Kernel) -> Function:
        text = self._routine(kernel)
        found = Printer(text.module, text.prefix, text.bindings).function(ROUTINE)
        return Function(
            comment(contract_lines(kernel)), found.signature, "".join(f"{line}\n" for line in found.body)
        )

    def _routine(self, kernel: Kernel) -> BatchText:
        (point,), (output,) = kernel.inputs, kernel.outputs
        bindings = Bindings(
            functions={ROUTINE: self._name(kernel.function), PART: self._name(part_name(kernel))},
            types={
                "input": self._name(point.type.name),
                "output": self._name(output.type.name),
                "element": self._fe,
            },
            constants={name: f"{self._bundle}_constant_{name.lower()}" for name in ("ONE", "ZERO")},
        )
        return batch_text("c", self._bundle, f"{self._bundle}.h", kernel, bindings)

    def requests(self) -> Iterator[_Request]:
        """Yield the functions as the driver calls them."""
        for kernel in self._group.kernels:
            result = kernel.outputs[0].type
            inputs, outputs = (
                tuple(
                    _Point(a.name, self._name(a.type.name), a.type.members, a.type == result)
                    for a in arguments
                )
                for arguments in (kernel.inputs, kernel.outputs)
            )
            name = f"{self._group.namespace}.{kernel.name}".lstrip(".")
            yield _Request(
                name, self._name(kernel.function), inputs, outputs, bool(kernel.tests), bool(kernel.batch)
            )

    def _body(self, calls: Calls) -> Iterator[str]:
        name = calls.kernel.name
        if name not in self.whole:
            yield from calls.body()
            return
        yield f"#if {self._bundle.upper()}_WORD_BITS == {WORD}"
        yield from self._whole(self.whole[name], calls)
        yield "#else"
        yield from calls.body()
        yield "#endif"

    def _whole(self, whole: WholeFormula, calls: Calls) -> Iterator[str]:
        places = [f"{calls.place(place)}.limb" for place in whole.places]
        call = f"{self._bundle}_limbs_{whole.operation.name}({', '.join(places)});"
        yield from wrap(call, WIDTH - 4, subsequent_indent=" " * 4)

    def _name(self, name: str) -> str:
        return f"{self._prefix}_{name}"

    def _constant(self, name: str) -> str:
        return self._name(f"constant_{name}")
