"""A template for a new formula: inputs, required outputs, and known relations, as comments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.formulas.formula import Formula
from efdgen.generator.language.printer import print_equation, print_expression

if TYPE_CHECKING:
    from collections.abc import Iterator

    from efdgen.generator.formulas.formula import Kind, System


def skeleton(formula_id: str, kind: Kind, system: System) -> str:
    """Return the text of a formula of a kind in a system, without its steps."""
    empty = Formula(formula_id, system, kind, "", (), (), ())
    lines = [
        *(f"# {line}".rstrip() for line in _facts(empty)),
        "",
        "source unpublished",
        *(f"# compute {name} = …" for name in empty.output_names),
    ]
    return "\n".join(lines) + "\n"


def _facts(empty: Formula) -> Iterator[str]:
    """Yield what holds, a fact a line."""
    kind, system, model = empty.kind, empty.system, empty.system.model
    yield f"{kind.title}; {system.title}; {model.title}"
    yield ""
    rows = [
        *(("curve", print_equation(equation)) for equation in model.equations),
        *(("assuming", print_equation(equation)) for equation in system.assumptions),
        *(("means", print_equation(equation)) for equation in system.meanings),
        ("parameters", ", ".join(empty.all_parameters)),
        ("inputs", ", ".join(empty.input_names)),
        *(("given", print_equation(equation)) for equation in (*kind.given, *kind.scalars)),
        ("outputs", ", ".join(empty.output_names)),
        *(("law", f"P{output.point} == {print_expression(output.law)}") for output in kind.outputs),
    ]
    yield from (f"{name:11}{text}" for name, text in rows if text)
    yield ""
    laws = [("P1 + P2", model.addition), ("2*P1", model.doubling), ("-P1", model.negation)]
    for title, law in laws:
        yield from (f"{f'{title},':9}{name} = {print_expression(value)}" for name, value in law.items())
