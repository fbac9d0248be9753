"""Names of variables if every value has its own: the formula's names, in the case of the language."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from efdgen.generator.hosts.run import Local

if TYPE_CHECKING:
    from collections.abc import Iterable

    from efdgen.generator.hosts.function import HostFunction
    from efdgen.generator.hosts.host import Host


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
