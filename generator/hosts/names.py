"""Names of arguments, variables, and constants as parameters: each apart from others of its function."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from efdgen.generator.formulas.names import fresh_name
from efdgen.generator.hosts.run import Local

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from efdgen.generator.hosts.function import HostFunction
    from efdgen.generator.hosts.host import Host
    from efdgen.generator.hosts.operation import Signature
    from efdgen.generator.hosts.style import Style


def binding_names(function: HostFunction, host: Host, taken: Iterable[str]) -> dict[int, str]:
    """Return a name for every variable of a function by number: ``u2`` for ``U2 = X2*Z1Z1``.

    A value whose bound is restored keeps its name, because it is only read as such. In Rust, an unused result
    begins with an underscore. Empty where variables are used again, because then none has one meaning.
    ``taken`` are names that arguments have.
    """
    names: dict[int, str] = {}
    if host.slots:
        return names
    used = {*taken, *function.constants}
    lines = function.placed.lines
    read = {place for line in lines for place in line.operands} | {*function.results.values()}
    for line in lines:
        for target, text in zip(line.targets, line.texts, strict=False):
            assert isinstance(target, Local)
            if line.operation in host.restores and isinstance(line.operands[0], Local):
                names[target.number] = names[line.operands[0].number]
                continue
            left, equal, _ = text.partition(" = ")
            plain = re.sub(r"[^a-z0-9_]", "", left.lower().replace("-", "minus_")) if equal else ""
            name = plain or f"{host.style.names}{target.number}"
            if host.language == "rust" and target not in read:
                name = f"_{name}"
            while name in used:
                name += "_"
            used.add(name)
            names[target.number] = name
    return names


def constant_names(function: HostFunction, host: Host, parameters: Iterable[str]) -> dict[str, str]:
    """Return the names of parameters that are constants of the curve, beside the texts of the other ones."""
    taken = {f"{host.style.names}{number}" for number in range(function.placed.variables)}
    taken.update(re.findall(r"\w+", " ".join(parameters)))
    return {
        name: fresh_name(f"curve_{name}" if name in taken else name, taken) for name in function.constants
    }


def argument_names(kernel: Signature, style: Style) -> dict[str, str]:
    """Return the names of points in the host's style; more than it has are the last name with numbers."""
    found: dict[str, str] = {}
    for names, arguments in ((style.inputs, kernel.inputs), (style.outputs, kernel.outputs)):
        more = (f"{names[-1]}_{number}" for number in range(len(names) + 1, len(arguments) + 1))
        found |= zip((argument.name for argument in arguments), (*names, *more), strict=False)
    return found


def meanings(function: HostFunction, names: Mapping[str, str], quote: str) -> str:
    """Say what parameters by their ``names`` are, where that is not their name; names are in quotes."""
    told = {own: function.meanings.get(name, name) for name, own in names.items()}
    return ", ".join(f"{quote}{own}{quote} = {text}" for own, text in told.items() if own != text)
