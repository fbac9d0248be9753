"""Test programs that run functions on the host's own field, by the protocol of the shared vectors."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from efdgen.generator.hosts.aliasing import aliases
from efdgen.generator.text.environment import environment

if TYPE_CHECKING:
    from collections.abc import Mapping

    from efdgen.generator.hosts.compile import HostBundle
    from efdgen.generator.hosts.function import HostFunction
    from efdgen.generator.programs.kernel import Argument

_TEMPLATES = Path(__file__).with_name("hosts")


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
    aliases: tuple[tuple[str, str], ...]
    inputs: tuple[tuple[str, int], ...]
    outputs: tuple[str, ...]
    constants: tuple[tuple[str, str], ...]
    call: str
    checks: int


def c_driver(
    bundle: HostBundle,
    harness: str,
    element: str,
    *,
    arrays: bool = False,
    extra: str = "",
    degree: int = 1,
) -> str:
    """Return the source of a test program in C.

    ``harness`` is code of the host's user: it includes the generated file and defines ``host_write`` and
    ``host_read``, which is told the bound to have, for the type ``element``. ``arrays`` is
    whether a C element is an array, and so its own address; ``extra`` are arguments in front of all others;
    an element has ``degree`` times the bytes of a number modulo the prime.
    """
    values = {
        "harness": harness,
        "fe": element,
        "bytes": degree * bundle.bundle.ground.bytes,
        "functions": [_function(bundle, f, element, arrays, extra, degree) for f in bundle.functions],
    }
    return _filled("c", "driver.c.j2", values)


def rust_driver(bundle: HostBundle, harness: str) -> str:
    """Return the source of a test program in Rust for functions that return points.

    ``harness`` declares the generated module as ``points`` and defines ``host_read``, from bytes and the
    bound to have, and ``host_write``, to bytes.
    """
    functions = [_rust_function(bundle, function) for function in bundle.functions]
    values = {"harness": harness, "functions": functions}
    return _filled("rust", "driver.rs.j2", values)


def _filled(language: Literal["c", "rust"], name: str, values: Mapping[str, object]) -> str:
    return environment(language).from_string((_TEMPLATES / name).read_text()).render(values)


@dataclass(frozen=True)
class _RustObject:
    """An input of a function: its variable, its structure, and for each member its request and its bound."""

    name: str
    type: str
    members: tuple[tuple[str, int, int], ...]


@dataclass(frozen=True)
class _RustFunction:
    request: str
    arguments: tuple[_RustObject, ...]
    pattern: str
    call: str
    outputs: tuple[str, ...]
    checks: int


def _rust_function(bundle: HostBundle, function: HostFunction) -> _RustFunction:
    kernel, objects, given, index = function.kernel, [], [], 0
    reference = "&" if "&" in bundle.host.style.flat_input else ""
    for argument in kernel.inputs:
        point, members = function.structures[argument.name], []
        for variable, name in argument.members.items():
            bound = function.bounds.get(name, 1)
            if point is None:
                given.append(f"{reference}host_read(&bytes(numbers[{index}]), {bound})")
            else:
                members.append((point.members[variable], index, bound))
            index += 1
        if point is not None:
            given.append(f"&{argument.name}")
            objects.append(_RustObject(argument.name, point.type.partition("<")[0], tuple(members)))
    outputs = [
        f"{a.name}.{point.members[variable]}"
        for a in kernel.outputs
        if (point := function.structures[a.name]) is not None
        for variable in a.type.members
    ]
    names = [*(a.name for a in kernel.outputs), *(["accepted"] if function.checks else [])]
    given += [f'{reference}host_read(&bytes("{text}"), 1)' for _, text in _constants(bundle, function)]
    return _RustFunction(
        kernel.name,
        tuple(objects),
        names[0] if len(names) == 1 else f"({', '.join(names)})",
        f"points::{kernel.function}({', '.join(given)})",
        tuple(outputs),
        function.checks,
    )


def _function(
    bundle: HostBundle, function: HostFunction, element: str, arrays: bool, extra: str, degree: int
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
    constants = _constants(bundle, function, degree)
    values += [("" if arrays else "&") + f"host_{name}" for name, _ in constants]
    called = f"{bundle.prefix}{kernel.function}"
    return _Function(
        kernel.name,
        kernel.name,
        tuple(objects),
        tuple((given.name, _one_object(function, element, first, given)) for given in aliases(function)),
        tuple(
            (text, function.bounds.get(name, 1))
            for a in kernel.inputs
            for text, name in zip(coordinates(a), a.coordinates, strict=True)
        ),
        tuple(text for a in kernel.outputs for text in coordinates(a)),
        constants,
        f"{called}({', '.join([*([extra] if extra else []), *values])})",
        function.checks,
    )


def _one_object(function: HostFunction, element: str, first: Argument, given: Argument) -> str:
    """Return a statement that makes the first output and an input one object: the longer of both."""
    one, other = first, given
    if len(first.type.members) > len(given.type.members):
        one, other = given, first
    point = function.structures[one.name]
    return f"at_{one.name} = ({point.type if point else element} *)at_{other.name};"


def _constants(bundle: HostBundle, function: HostFunction, degree: int = 1) -> tuple[tuple[str, str], ...]:
    """Return the constants that a function takes as arguments, with their values in hexadecimal."""
    digits = degree * bundle.bundle.ground.bytes * 2
    names = () if bundle.host.style.constant else function.constants
    return tuple((name, f"{bundle.constants[bundle.constant(function, name)]:0{digits}x}") for name in names)
