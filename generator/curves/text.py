"""Descriptions of curves: a list, one curve in full, and objects for JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.formulas.database import Database
from efdgen.generator.language.printer import print_equation
from efdgen.generator.mathematics.binary import polynomial_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from efdgen.generator.curves.curve import Curve


def curve_list(curves: Iterable[Curve]) -> str:
    """Return a line for each curve: name, bits of the field, model, aliases."""
    rows = [(c.name, str(c.bits), c.model, ", ".join(c.aliases)) for c in curves]
    widths = [max(map(len, column), default=0) for column in zip(*rows, strict=True)]
    lines = (
        f"{name:{widths[0]}}  {bits:>{widths[1]}}  {model:{widths[2]}}  {aliases}".rstrip()
        for name, bits, model, aliases in rows
    )
    return "".join(f"{line}\n" for line in lines)


def curve_text(curve: Curve) -> str:
    """Return everything that is known of a curve, one fact a line."""
    model = Database().model(curve.model)
    facts = {
        "name": ", ".join((curve.name, *curve.aliases)),
        "source": curve.source,
        "model": f"{curve.model}, {model.title}",
        "equation": ", ".join(print_equation(equation).replace("==", "=") for equation in model.equations),
        **_field_facts(curve),
        **{name: curve.field.element_text(value) for name, value in curve.parameters.items()},
        **{f"generator {name}": hex(value) for name, value in (curve.generator or {}).items()},
        "order": "" if curve.order is None else f"{curve.order:#x} ({curve.order.bit_length()} bits)",
        "cofactor": "" if curve.cofactor is None else str(curve.cofactor),
    }
    return "".join(f"{name:<12} {value}\n" for name, value in facts.items() if value)


def curve_object(curve: Curve) -> dict[str, object]:
    """Return a curve as an object of strings, lists and hexadecimal numbers; None stays None."""
    return {
        "name": curve.name,
        "aliases": list(curve.aliases),
        "source": curve.source,
        "model": curve.model,
        "bits": curve.bits,
        "prime": hex(curve.field.characteristic),
        "polynomial": polynomial_text(curve.field.polynomial) if curve.field.is_binary else None,
        "parameters": _hexadecimal(curve.parameters),
        "generator": None if curve.generator is None else _hexadecimal(curve.generator),
        "order": None if curve.order is None else hex(curve.order),
        "cofactor": None if curve.cofactor is None else hex(curve.cofactor),
    }


def _field_facts(curve: Curve) -> dict[str, str]:
    if curve.field.is_binary:
        return {"polynomial": f"{polynomial_text(curve.field.polynomial)} ({curve.bits} bits)"}
    return {"prime": f"{curve.prime:#x} ({curve.bits} bits)"}


def checked(curve: Curve) -> list[str]:
    """Return what has been found true of a curve, for a curve that :func:`load_curve` returned."""
    of_prime = f"prime of {curve.bits} bits"
    facts = ["irreducible polynomial" if curve.field.is_binary else of_prime, "not singular"]
    facts += ["generator on the curve"] if curve.generator is not None else []
    facts += [f"prime order of {curve.order.bit_length()} bits"] if curve.order is not None else []
    facts += [f"cofactor {curve.cofactor}"] if curve.cofactor is not None else []
    return facts


def _hexadecimal(values: Mapping[str, int]) -> dict[str, str]:
    return {name: hex(value) for name, value in values.items()}
