"""An element of a host's field as whole curves store it, read it and write it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from efdgen.generator.hosts.host import HostPoint
from efdgen.generator.hosts.style import Style

if TYPE_CHECKING:
    from collections.abc import Iterable

    from efdgen.generator.hosts.host import Host
    from efdgen.generator.programs.kernel import PointType

# Names that may be in the braces of each text.
PLACES = {
    "read": ("r", "r_value", "bytes"),
    "write": ("a", "a_value", "bytes"),
    "select": ("r", "r_value", "a", "a_value", "flag"),
    "zero": ("a", "a_value"),
    "constant": ("words32", "words64", "montgomery64", "hex"),
}


@dataclass(frozen=True)
class HostElement:
    """The C type of an element, and code on elements that no formula calls.

    ``array`` is the length of an element that is an array, else empty. ``bound`` is the largest that an
    element has between two functions. ``constant`` initialises one. ``read`` makes one of a number below p,
    ``write`` the number in [0, p) of one, as bytes, ``order`` first. ``select`` overwrites ``{r}`` if a flag
    is 1, and ``zero`` is 1 for 0, else 0; both may be empty. ``header`` is code before all functions, and
    ``begin`` the first line of each.
    """

    type: str
    array: str
    bound: int
    constant: str
    read: str
    write: str
    order: Literal["big", "little"]
    select: str
    zero: str
    header: str
    begin: str

    def declaration(self, name: str) -> str:
        """Return the definition of a type that can be assigned."""
        if self.array:
            return f"typedef struct {{\n    {self.type} v[{self.array}];\n}} {name};"
        return f"typedef {self.type} {name};"

    def initialiser(self, text: str) -> str:
        """Return the template of an element's initialiser, given that of the host's type."""
        return f"{{{{{text}}}}}" if self.array else text

    def operand(self, name: str, *, pointer: bool = False) -> str:
        """Return a variable, or what a pointer points to, as an operand of the host's calls."""
        if self.array:
            return f"{name}{'->' if pointer else '.'}v"
        return name if pointer else f"&{name}"

    def value(self, name: str, *, pointer: bool = False) -> str:
        """Return a variable, or what a pointer points to, as a value to be assigned."""
        if self.array:
            return self.operand(name, pointer=pointer)
        return f"*{name}" if pointer else name


def with_own_points(
    host: Host, element: HostElement, prefix: str, prefixes: str, types: Iterable[PointType]
) -> Host:
    """Return a host whose points are structures of elements, declared under ``prefixes`` and their names."""
    fe = f"{prefix}_fe"
    style = Style(
        signature="static inline void {name}({parameters})",
        coordinate=element.operand("{argument}->{member}"),
        coordinate_value=element.value("{argument}->{member}"),
        flat_output=f"{fe} *{{variable}}{{number}}",
        flat_input=f"const {fe} *{{variable}}{{number}}",
        flat_coordinate=element.operand("{variable}{number}", pointer=True),
        flat_coordinate_value=element.value("{variable}{number}", pointer=True),
        local=element.operand("{name}"),
        local_value=element.value("{name}"),
        declaration=f"{fe} {{names}};",
        names=host.style.names,
        begin=element.begin,
        bound=host.style.bound,
        comment=host.style.comment,
        constant=f"static const {fe} {{name}}_constant = {element.initialiser(element.constant)};",
        constant_place=element.operand("{name}_constant"),
        timing=host.style.timing,
    )
    points = tuple(
        HostPoint(name, name, (), {v: v for v in kind.members}, {}, (), (), kind.name)
        for kind in types
        for name in (f"{prefixes}{kind.name}",)
    )
    return replace(
        host, prefix=prefixes, header="", footer="", input=element.bound, points=points, style=style
    )
