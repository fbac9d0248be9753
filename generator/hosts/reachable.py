"""The part of a program that a host can compute, and the line at which it stops."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.programs.program import expression_text, operands

if TYPE_CHECKING:
    from collections.abc import Iterable

    from efdgen.generator.hosts.form import Form
    from efdgen.generator.programs.program import Program


def missing_line(program: Program, value: int, known: set[int]) -> str:
    """Return the first line on the way to a value that cannot be computed from what is known."""
    operation = program.instructions[value].operation
    for operand in operands(operation):
        if operand not in known:
            return missing_line(program, operand, known)
    text = expression_text(operation, lambda number, _: program.instructions[number].label)
    return f"{program.instructions[value].label} = {text}"


def computable(forms: list[Form]) -> set[int]:
    """Return the forms that can be computed from inputs and constants."""
    found: set[int] = {number for number, form in enumerate(forms) if form.origin}
    size = -1
    while size != len(found):
        size = len(found)
        found |= {
            number
            for number, form in enumerate(forms)
            if any(found.issuperset(way.operands) for way in form.alternatives)
        }
    return found


def reachable(forms: list[Form], able: set[int], wanted: Iterable[int]) -> set[int]:
    """Return the forms from which the ``wanted`` ones can be computed; remove ways that lead nowhere.

    ``able`` are the forms that can be computed.
    """
    for form in forms:
        form.alternatives = [way for way in form.alternatives if able.issuperset(way.operands)]
    found: set[int] = set()
    pending = [*wanted]
    while pending:
        number = pending.pop()
        if number not in found:
            found.add(number)
            pending += [operand for way in forms[number].alternatives for operand in way.operands]
    return found
