"""The proof of each printed function on elements, and the statement about it."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from efdgen.verify.fields.compilers import prove_for_compilers
from efdgen.verify.fields.encodings import prove_encoding
from efdgen.verify.fields.functions import failures, prove_cases, text_of
from efdgen.verify.fields.polynomials import prove_solution, prove_trace
from efdgen.verify.fields.powers import (
    counts,
    prove_inverse_root,
    prove_inversion,
    prove_power,
    prove_root_of_square,
    prove_square_root,
)

if TYPE_CHECKING:
    from efdgen.generator.fields.emitted import EmittedFunction


def prove_function(function: EmittedFunction) -> str:
    """Return the proved statement about a function; raises :class:`efdgen.verify.verdicts.Refuted`."""
    stated = "for all inputs, by symbolic execution of this text, assuming its callees' contracts"
    for build in function.builds if function.language == "c" else ():
        prove_for_compilers(function.text, build.word)
    if any(what in function.name for what in ("bytes", "words", "canonical")):
        prove_encoding(function)
        return f"{stated} (Z3)" if "bytes" in function.name and not function.quadratic else stated
    if "_pow" in function.name:
        prove_power(function)
        *few, most = counts(function)
        return f"{stated}, for exponents of {', '.join(map(str, few))} and {most} bytes"
    if function.ground.is_binary:
        if function.name == "fe_sqrt":
            prove_square_root(function)
            return f"{stated} (exponents)"
        if function.name == "fe_trace":
            prove_trace(function)
            return f"{stated} (coefficients)"
        if function.name == "fe_solve_quadratic":
            prove_solution(function)
    if function.name == "fe_inv":
        prove_inversion(function)
        return f"{stated} (exponents)"
    with failures(function.language):
        own = text_of(function, function.builds[0]).functions
    if "inverse_root" in own:
        _inverse_root(function)
    if "root_of_square" in own:
        prove_root_of_square(function)
    prove_cases(function)
    return f"{stated} (normal forms, case by case)"


@lru_cache(maxsize=8)
def _inverse_root(function: EmittedFunction) -> None:
    prove_inverse_root(function)
