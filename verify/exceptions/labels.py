"""Names of the points of a formula's kind: inputs P and Q, also P-Q, P+Q and 2P."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.formulas.formula import point_number
from efdgen.generator.language.printer import print_expression
from efdgen.generator.language.syntax import Binary, Name, rename

if TYPE_CHECKING:
    from efdgen.generator.formulas.formula import Kind
    from efdgen.generator.language.syntax import Expression

DIFFERENCE, SUM = "P-Q", "P+Q"


def given_points(kind: Kind) -> dict[int, Expression]:
    """Return the inputs that others determine, each with the law by which they do."""
    return {point_number(e.left): e.right for e in kind.given if isinstance(e.left, Name)}


def free_points(kind: Kind) -> dict[int, str]:
    """Return the inputs that may be any points, each with its letter."""
    given = given_points(kind)
    return dict(zip((number for number in kind.inputs if number not in given), "PQRS", strict=False))


def input_labels(kind: Kind) -> dict[int, str]:
    """Return what each input is called: its letter, also for one that equals it, or P-Q for a difference."""
    letters = free_points(kind)
    equal = {
        number: letters[point_number(law)]
        for number, law in given_points(kind).items()
        if isinstance(law, Name)
    }
    return dict.fromkeys(kind.inputs, DIFFERENCE) | letters | equal


def labels(kind: Kind) -> dict[str, Expression]:
    """Return points as group expressions over P1, P2, …, by what they are called."""
    letters = free_points(kind)
    found: dict[str, Expression] = {}
    if len(letters) == 2:
        left, right = (Name(f"P{number}") for number in letters)
        found |= {DIFFERENCE: Binary("-", left, right), SUM: Binary("+", left, right)}
    found |= {letter: Name(f"P{number}") for number, letter in letters.items()}
    for output in kind.outputs:
        law = rename(output.law, {f"P{number}": letter for number, letter in letters.items()})
        found.setdefault(print_expression(law).replace("*", "").replace(" ", ""), output.law)
    return found
