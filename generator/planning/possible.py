"""Refusals that follow from a request and its curve alone, before anything is planned or proved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.compile import require_lanes
from efdgen.generator.errors import EfdgenError
from efdgen.generator.interfaces import INTERFACES, Naming, require_batches, require_fit, require_name
from efdgen.generator.planning.make import require_whole
from efdgen.generator.planning.protocols import require_protocols
from efdgen.generator.planning.second import second_point
from efdgen.generator.routines.prefixes import taken_prefixes
from efdgen.generator.text.prefixes import require_own_prefix

if TYPE_CHECKING:
    from efdgen.generator.compile import Request
    from efdgen.generator.curves.curve import Curve
    from efdgen.generator.formulas.database import Database


def require_possible(database: Database, request: Request, curve: Curve) -> None:
    """Raise :class:`EfdgenError` for a request that no plan of its curve can meet."""
    if request.lang != "python" or request.backend:
        _ = request.fields.of(curve.field).representations  # raises if these limbs do not fit
    if request.optimize == "size" and curve.field.is_binary:
        raise EfdgenError(f"{request.curve} is over {curve.field}; --optimize size is for GF(p); remove it")
    require_lanes(request, curve)
    if request.set == "kernels":
        return
    if curve.model != "g1p/montgom":
        require_whole(curve)
        if request.second is not None:
            second_point(database, curve, request.second)
    else:
        given = {"--second": request.second, "--odd-multiples": request.odd_multiples}
        for option, value in given.items():
            if value is not None:
                raise EfdgenError(
                    f"{option} has no effect on {curve.name}, whose ladder has no table; remove it"
                )
    if request.set == "protocols":
        require_protocols(curve)
    require_own_prefix(request.backend or request.lang, request.checked_prefix, taken_prefixes())
    if request.api is not None:
        require_fit(curve, INTERFACES[request.api])
        if request.machine:
            require_batches(curve, INTERFACES[request.api])
        require_name(curve, INTERFACES[request.api], Naming(request.crate_name, request.crate_version))
