"""Kernels as a Python module of plain functions on integers, and a driver that tests them.

The module is its own namespace, so the bundle's prefix is its name and begins no other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from efdgen.generator.fields.claims import UNPROVED, Claims
from efdgen.generator.kernels.contract import header_lines
from efdgen.generator.render.python.exports import with_exports
from efdgen.generator.render.python.kernels import (
    assignment,
    comment,
    constants,
    function,
    module_header,
    module_text,
    point_class,
)
from efdgen.generator.render.python.polynomials import polynomial_numbers, polynomial_values
from efdgen.generator.text.environment import environment
from efdgen.generator.text.prefixes import require_prefix

if TYPE_CHECKING:
    from collections.abc import Collection

    from efdgen.generator.mathematics.ground import Ground
    from efdgen.generator.programs.kernel import Bundle


@dataclass(frozen=True)
class Options:
    """Options of the output: whether to write the test driver, and what takes note of it."""

    driver: bool = True
    claims: Claims = UNPROVED


def render(bundle: Bundle, options: Options) -> dict[str, str]:
    """Return the text of ``PREFIX.py`` and of ``driver.py``.

    Raises :class:`EfdgenError` for a prefix that cannot be the name of a module of one's own.
    """
    require_prefix("python", bundle.prefix)
    options.claims.announce(module_text(bundle.prefix, bundle.ground, bundle.groups))
    functions = [function(group, kernel) for group in bundle.groups for kernel in group.kernels]
    operations = {
        step.operation for group in bundle.groups for kernel in group.kernels for step in kernel.steps
    }
    templates = environment("python")
    module = templates.get_template("module.py.j2").render(
        **module_header(bundle),
        numbers=_numbers(bundle.ground, operations),
        **polynomial_values(bundle.ground),
        constants=[line for group in bundle.groups for line in constants(group)],
        types=[point_class(group, point_type) for group in bundle.groups for point_type in group.types],
        functions=functions,
        batches=any(function.batch for function in functions),
    )
    if not options.driver:
        return {f"{bundle.prefix}.py": module}
    driver = templates.get_template("driver.py.j2").render(
        header=comment(header_lines(bundle)[:4]),
        prefix=bundle.prefix,
        functions=functions,
        batches=any(function.batch for function in functions),
        digits=2 * bundle.ground.bytes,
        limit="1 << kernels.M" if bundle.ground.is_binary else "kernels.P",
    )
    return {f"{bundle.prefix}.py": with_exports(module), "driver.py": driver}


def _numbers(ground: Ground, operations: Collection[str]) -> list[str]:
    """Return the definitions of the numbers that a field's operations read."""
    if ground.is_binary:
        return polynomial_numbers(ground)
    half = assignment("HALF", (ground.prime + 1) // 2) if "half" in operations else []
    return [*assignment("P", ground.prime), *half]
