"""Functions on elements over a host's field: calls of its operations, in texts that are proved."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from efdgen.generator.fields.chains import addition_chain
from efdgen.generator.fields.core import core
from efdgen.generator.fields.emitted import Build, EmittedFunction, with_texts
from efdgen.generator.fields.loops import EmittedLoop, with_claims
from efdgen.generator.fields.pieces import FieldFunction, c_definitions
from efdgen.generator.fields.powers import repeated_squaring
from efdgen.generator.fields.root_steps import RootSteps
from efdgen.generator.fields.roots import c_power, roots
from efdgen.generator.text.environment import environment

if TYPE_CHECKING:
    from efdgen.generator.fields.field import Field
    from efdgen.generator.fields.pieces import Names

    FunctionClaim: TypeAlias = EmittedLoop | RootSteps | EmittedFunction

# An element has no words that a text may read; a proof has a word for each.
_WHOLE = Build(word=64, limbs=1, words=1, radix=1, positions=(0,))
_OF_CORE = ("set_one", "equal")
_OF_ROOTS = ("chain_step", "root_power", "inverse_root", "root_of_square")
_OF_RATIO = "sqrt_ratio_z"
_UNITY = "root_of_unity"


def element_functions(field: Field, names: Names, root: str, *, inverts: bool) -> dict[str, FieldFunction]:
    """Return functions that call operations of elements alone, each after what it calls, with their claims.

    ``root`` is the square root that is wanted. Inversion is among them unless the host ``inverts``.
    """
    found = {function.name: function for function in core(field, names) if function.name in _OF_CORE}
    found["sqr_n"] = repeated_squaring(names)
    taken = {*_OF_ROOTS, root} | ({_OF_RATIO} if root == "sqrt_ratio" else set())
    found |= {function.name: function for function in roots(field, names) if function.name in taken}
    if not inverts:
        found["inv"] = _inversion(field, names)
    unity = RootSteps.of(field.prime).unity
    return {
        name: replace(function, claims=tuple(_of_host(claim, unity) for claim in function.claims))
        for name, function in with_texts(with_claims(found, names, "c"), field, names, "c").items()
    }


def unity_constant(prime: int) -> dict[str, int]:
    """Return the constant that square roots read, if any, by its name without prefix."""
    steps = RootSteps.of(prime)
    return {_UNITY: steps.unity} if steps.adicity > 1 else {}


def _of_host(claim: FunctionClaim, unity: int) -> FunctionClaim:
    """Return a claim about elements whose words no text reads."""
    if isinstance(claim, EmittedFunction):
        return replace(claim, builds=(_WHOLE,), constants=((_UNITY, unity),))
    return claim


def _inversion(field: Field, names: Names) -> FieldFunction:
    values = c_power("inv", "p - 2", addition_chain(field.prime - 2), names)
    text = environment("c").get_template("host_inversion.h.j2").render(names.template, **values)
    ((_, definition),) = c_definitions(text).items()
    return FieldFunction("inv", definition.doc, definition.text, "", "", takes="a", gives="element")
