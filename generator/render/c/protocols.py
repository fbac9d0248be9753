"""Protocols as C headers next to a curve's: thin examples over its functions."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any

from efdgen.generator.fields.request import FieldRequest
from efdgen.generator.kernels.contract import header_lines
from efdgen.generator.lanes.instructions import MACHINES
from efdgen.generator.planning.plan import CurvePlan
from efdgen.generator.planning.protocol_routines import HASHING, with_routines
from efdgen.generator.planning.protocols import (
    Scheme,
    c_protocols,
    exchange_scheme,
    recovers_keys,
    signature_scheme,
)
from efdgen.generator.programs.kernel import Bundle
from efdgen.generator.render.c.hashing import hashing_context
from efdgen.generator.render.c.parts import byte_lines, random_values
from efdgen.generator.render.c.routines import protocol_functions
from efdgen.generator.render.c.source import source
from efdgen.generator.render.field.bundle import render_c_source
from efdgen.generator.text.c import comment

if TYPE_CHECKING:
    from collections.abc import Sequence

    from efdgen.generator.options import Machine
    from efdgen.generator.planning.ladder import LadderPlan
    from efdgen.generator.render.c.bundle import Options
    from efdgen.generator.text.c import Function

_OPERATIONS = ("add", "sub", "neg", "mul", "inv", "select", "is_zero", "set_zero", "set_one", "equal")
_BYTES = ("from_bytes_be", "to_bytes_be", "from_bytes_le", "to_bytes_le")
_TAGS = ("aux", "nonce", "challenge")
_IN_LANES = "ecdsa", "eddsa"
"""Protocols that verify many signatures at once."""


def render_protocols(
    plan: CurvePlan | LadderPlan, options: Options, *, lanes: Machine | None = None
) -> dict[str, str]:
    """Return the texts of ``PREFIX_eddsa.h`` and so on, and of ``PREFIX_sc.h``, scalars by ``PREFIX_n.h``.

    With ``lanes`` some have functions on many inputs.
    ``example.c`` is a program that uses each, and ``driver_protocols.c`` the one that ``efdgen test`` asks.
    With ``lanes`` there is a header for many signatures at once.
    """
    names = c_protocols(plan.curve)
    prefix = plan.prefix
    context = {**_context(plan), "names": names, "machine": MACHINES[lanes] if lanes else None}
    hashes = _hash_headers(names, signature_scheme(plan.curve))
    scalars = ["sc"] if isinstance(plan, CurvePlan) else []
    routines: dict[str, list[Function]] = {}
    if isinstance(plan, CurvePlan):
        routines = {name: protocol_functions(plan, name, options.claims) for name in with_routines(plan)}
        if HASHING in routines:
            context |= hashing_context(plan, routines[HASHING], options)
    files = {
        f"{prefix}_{name}.h": source(
            f"protocols/{name}.h.j2",
            {**context, "name": name, "routines": routines.get(name, [])},
        )
        for name in (*names, *scalars, "wipe", *hashes)
    }
    files |= _in_lanes(context) if lanes else {}
    if scalars:
        request = FieldRequest(
            "c",
            hex(plan.order),
            target=options.fields.target,
            optimize=options.fields.optimize,
            operations=(*_OPERATIONS, *_BYTES),
            prefix=f"{prefix}_n",
            layout=options.layout,
        )
        files |= render_c_source(request, options.claims)
    own = [f"{prefix}.c"] * (options.layout == "split")
    sources = ["example.c", *own, *sorted(name for name in files if name.endswith(".c"))]
    used = {
        **context,
        "sources": sources,
        "hashes": bool(hashes),
        "scalars": bool(scalars),
    }
    return files | {
        "example.c": source("protocols/example.c.j2", used),
        "driver_protocols.c": source("protocols/driver.c.j2", used | {"driver_header": context["header"]}),
    }


def _context(plan: CurvePlan | LadderPlan) -> dict[str, Any]:
    """Return the template values of all protocols of a curve."""
    prefix, size, curve = plan.prefix, plan.curve.field.order, plan.curve
    scheme = signature_scheme(curve) or exchange_scheme(curve)
    bundle = Bundle(prefix, curve.field, (plan.kernels,), plan.command)
    order_bytes, scalar_bytes = ((n.bit_length() + 7) // 8 for n in (plan.order, plan.order * plan.cofactor))
    return {
        "header": comment(header_lines(bundle)[:4]),
        "prefix": prefix,
        "PREFIX": prefix.upper(),
        "fe": f"{prefix}_fe",
        "point": f"{prefix}_point",
        "affine": f"{prefix}_affine_point",
        "curve": curve.name,
        "scheme": scheme,
        "top": scheme
        and {"byte": scheme.top // 8, "bit": 1 << scheme.top % 8, "mask": (1 << scheme.top % 8) - 1},
        "encoded": size.bit_length() // 8 + 1,
        "cofactor": plan.cofactor,
        "big": curve.model.endswith("/shortw"),
        "recovers": recovers_keys(curve),
        "padding": scalar_bytes - order_bytes,
        "excess": byte_lines((size - plan.order).to_bytes(order_bytes, "big"))
        if recovers_keys(curve) and plan.cofactor == 1 and plan.order < size
        else [],
        "der_bytes": _der_bytes(2 * _der_bytes(order_bytes + 1)),
        "tags": [(tag, byte_lines(sha256(f"BIP0340/{tag}".encode()).digest())) for tag in _TAGS],
        "coordinate": "x" if curve.model.endswith("/shortw") else "y",
        "infinite": isinstance(plan, CurvePlan) and plan.representation.infinite,
        **random_values(plan.order, curve.bits),
    }


def _in_lanes(context: dict[str, Any]) -> dict[str, str]:
    """Return the headers that verify many signatures at once."""
    return {
        f"{context['prefix']}_lanes_{name}.h": source(
            f"lanes/{name}.h.j2", {**context, "name": f"lanes_{name}"}
        )
        for name in _IN_LANES
        if name in context["names"]
    }


def _der_bytes(length: int) -> int:
    """Return the bytes of a value of a given length in DER, with tag and length."""
    return length + 2 + (length > 127) + (length > 255)


def _hash_headers(names: Sequence[str], scheme: Scheme | None) -> list[str]:
    """Return the headers of hash functions for some protocols: the table, and an adapter for each library.

    Only OpenSSL has SHAKE256, the hash function of a ``scheme`` with contexts.
    """
    if not {"ecdsa", "eddsa", "hash_to_curve"} & set(names):
        return []
    return ["hash", "hash_openssl", *([] if scheme and scheme.context else ["hash_mbedtls", "hash_sodium"])]
