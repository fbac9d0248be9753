"""Test programs that run functions on the host's own field, by the protocol of the shared vectors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from efdgen.generator.fields.field import Field
from efdgen.generator.hosts.function import same_type
from efdgen.generator.render.environment import environment

if TYPE_CHECKING:
    from efdgen.generator.hosts.compile import HostBundle
    from efdgen.generator.hosts.function import HostFunction
    from efdgen.generator.kernel import Argument


@dataclass(frozen=True)
class _Object:
    """A variable of the driver that holds an argument: a structure, or an array of coordinates."""

    name: str
    type: str
    array: str


@dataclass(frozen=True)
class _Function:
    """A function as the driver calls it; coordinates are expressions in the driver's variables."""

    request: str
    name: str
    arguments: tuple[_Object, ...]
    first: str
    aliases: tuple[str, ...]
    inputs: tuple[tuple[str, int], ...]
    outputs: tuple[str, ...]
    call: str


def driver(bundle: HostBundle, harness: str, element: str, *, arrays: bool = False, extra: str = "") -> str:
    """Return the source of a test program in the host's language.

    ``harness`` is code of the host's user: it includes the generated file and defines ``host_write`` and
    ``host_read``, which is told the bound to have, for the type ``element``. ``arrays`` is
    whether a C element is an array, and so its own address; ``extra`` are arguments in front of all others.
    """
    language = bundle.host.language
    values = {
        "harness": harness,
        "fe": element,
        "bytes": Field(bundle.bundle.prime).bytes,
        "functions": [_function(bundle, f, element, arrays, extra) for f in bundle.functions],
    }
    name = "host_driver.c.j2" if language == "c" else "host_driver.rs.j2"
    return environment(language).get_template(name).render(values)


def _function(
    bundle: HostBundle, function: HostFunction, element: str, arrays: bool, extra: str
) -> _Function:
    kernel, structures = function.kernel, function.structures
    arguments = (*kernel.inputs, *kernel.outputs)
    objects = []
    for argument in arguments:
        point = structures[argument.name]
        size = "" if point else f"[{len(argument.type.members)}]"
        objects.append(_Object(argument.name, point.type if point else element, size))

    def coordinates(argument: Argument) -> list[str]:
        point, at = structures[argument.name], f"at_{argument.name}"
        if point:
            return [f"{at}->{point.members[variable]}" for variable in argument.type.members]
        return [f"{at}[{index}]" for index in range(len(argument.type.members))]

    def passed(argument: Argument) -> list[str]:
        if structures[argument.name]:
            return [f"at_{argument.name}"]
        return [("" if arrays else "&") + text for text in coordinates(argument)]

    first = kernel.outputs[0]
    values = [text for a in (*kernel.outputs, *kernel.inputs) for text in passed(a)]
    constants = [f"host_{name}" for name in function.constants] if not bundle.host.style.constant else []
    called = f"{bundle.prefix}{kernel.name}"
    return _Function(
        kernel.name,
        kernel.name,
        tuple(objects),
        first.name,
        tuple(a.name for a in kernel.inputs if same_type(structures, a, first)),
        tuple(
            (text, function.bounds.get(name, 1))
            for a in kernel.inputs
            for text, name in zip(coordinates(a), a.coordinates, strict=True)
        ),
        tuple(text for a in kernel.outputs for text in coordinates(a)),
        f"{called}({', '.join([*([extra] if extra else []), *values, *constants])})",
    )
