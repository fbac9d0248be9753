"""Whole curves over a host's field, read back: formulas, operations, texts on elements, routines, numbers.

The host's own text, before and after the generated functions, is left out: the host's file answers for it.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import chain
from string import Formatter
from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError
from efdgen.generator.fields.claims import UNPROVED
from efdgen.generator.fields.emitted import EmittedFunction
from efdgen.generator.fields.printed import FileText
from efdgen.generator.hosts.aliasing import common_variables
from efdgen.generator.hosts.render import HostPrinter
from efdgen.generator.render.c.host_curve import HostCurveText
from efdgen.verify.readback import hosts, read
from efdgen.verify.readback.elements import Elements
from efdgen.verify.readback.proved import ProvedTexts
from efdgen.verify.readback.texts import Source
from efdgen.verify.words.reader import NotReadError, without_comments

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from efdgen.generator.fields.claims import Claim
    from efdgen.generator.fields.printed import Printed
    from efdgen.generator.hosts.compile import HostBundle
    from efdgen.generator.hosts.curve import HostCurve
    from efdgen.generator.hosts.function import HostFunction
    from efdgen.generator.hosts.operation import Operation
    from efdgen.generator.programs.program import Program

# Elements have no words here; a text is read as with words of any size.
_WORD = 64
_COPY = re.compile(r"const (\w+) (\w+)_copy = \*(\w+);")


def require_operation(operation: Operation, program: Program) -> None:
    """Raise :class:`EfdgenError` unless a program computes an operation, as polynomials."""
    elements = Elements()
    inputs = {argument.name: elements.input(argument.name) for argument in operation.inputs}
    if elements.outputs(program, inputs) != elements.outputs(operation.program, inputs):
        raise EfdgenError(f"the calls of {operation.name} compute something else; report it as a bug")


def require_curve_read(
    curve: HostCurve, files: Mapping[str, str], expected: Iterable[Printed | Claim]
) -> None:
    """Read a whole curve back; raise :class:`EfdgenError` where it is not what was proved."""
    for name, difference in differences(curve, files, expected):
        raise EfdgenError(f"the text differs from what was proved: {name}: {difference}; report it as a bug")


def differences(
    curve: HostCurve, files: Mapping[str, str], expected: Iterable[Printed | Claim]
) -> Iterator[tuple[str, str]]:
    """Yield functions and constants of a file that are not what was proved, and how they differ."""
    known = [
        replace(each, text=_own_text(curve, each.text)) if isinstance(each, FileText) else each
        for each in expected
    ]
    try:
        own = {path: _own_text(curve, text) for path, text in files.items()}
        for bundle in (curve.operations, curve.kernels):
            yield from hosts.differences(bundle, own)
            yield from _coinciding(bundle, own)
        yield from _numbers(curve, own)
        (path,) = own
        compared = (hosts.followed(bundle, path) for bundle in (curve.operations, curve.kernels))
        for found in read.differences(own, known, chain.from_iterable(compared)):
            yield found.function, found.text
        proved = ProvedTexts("c", _WORD, [claim for claim in known if isinstance(claim, EmittedFunction)])
        source = Source("c", curve.plan.prefix, own, proved.names.__contains__, ("fp_fe",))
        for text in source.texts(_WORD):
            yield from proved.differences(text).items()
    except NotReadError as error:
        yield curve.plan.prefix, f"the text cannot be read: {error}"


def _own_text(curve: HostCurve, text: str) -> str:
    """Return a file without the host's own text, which is in it once."""
    for part in (*curve.preamble, *curve.postamble):
        if text.count(part) != 1:
            raise NotReadError("the header or footer of the host is not there, or twice")
        text = text.replace(part, "")
    return text


def _coinciding(bundle: HostBundle, files: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield functions that have to copy inputs for another one, and do something else."""
    (text,) = files.values()
    for function in bundle.functions:
        if not function.coincide:
            printer = HostPrinter(bundle, function)
            name = printer.plain_name.removesuffix("_apart")
            signature = printer.plain_signature().replace(f"{printer.plain_name}(", f"{name}(")
            if not _passes_on(hosts.body_of(signature, text), printer, function):
                yield name, "it does not pass its inputs on"


def _passes_on(body: str, printer: HostPrinter, function: HostFunction) -> bool:
    """Return whether a body calls a function with its arguments, or with copies of some inputs."""
    copies = {}
    while found := _COPY.match(body):
        copies[f"&{found[2]}_copy"] = found[3]
        body = body[found.end() :].strip()
    call = re.fullmatch(rf"{re.escape(printer.plain_name)}\((.*)\);", body)
    if call is None:
        return False
    wanted, kernel = [printer.arguments[output.name] for output in function.kernel.outputs], function.kernel
    for at, argument in enumerate(kernel.inputs):
        name = printer.arguments[argument.name]
        alike = any(common_variables(function.structures, argument, other) for other in kernel.inputs[:at])
        wanted.append(f"&{name}_copy" if alike else name)
        if alike and copies.pop(f"&{name}_copy", "") != name:
            return False
    return not copies and [text.strip() for text in call[1].split(",")] == wanted


def _numbers(curve: HostCurve, files: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield constants, points and tables whose numbers are not those that were computed."""
    (text,) = (" ".join(without_comments(text).split()) for text in files.values())
    for name, values in HostCurveText(curve, UNPROVED).numbers_by_name().items():
        found = re.findall(rf"\bstatic const \w+ {re.escape(name)}(?:\[\d+\])* = ([^;]*);", text)
        if len(found) != 1:
            yield name, "it is not there, or twice"
        elif _elements(curve, found[0]) != [value % curve.plan.curve.prime for value in values]:
            yield name, "its numbers are not those that were computed"


def _elements(curve: HostCurve, initialiser: str) -> Sequence[int] | None:
    """Return the elements of an initialiser; None where there is anything else in it."""
    parts: list[str] = []
    fields: list[str] = []
    for literal, field, _, _ in Formatter().parse(" ".join(curve.element.constant.split())):
        parts.append(re.escape(literal))
        if field:
            fields.append(field)
            parts.append(r"\s*([0-9a-fA-FxUL, ]*)")
    pattern = re.compile("".join(parts))
    if re.sub(r"[\s{},]", "", pattern.sub("", initialiser)):
        return None
    found: list[int] = []
    for match in pattern.finditer(initialiser):
        pairs = zip(fields, match.groups(), strict=True)
        values = {hosts.number_of(field, digits, curve.plan.curve.prime) for field, digits in pairs}
        if len(values) != 1:
            return None
        found += values
    return found
