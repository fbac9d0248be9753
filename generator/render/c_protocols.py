"""Protocols as C headers next to a curve's: thin examples over its functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError
from efdgen.generator.fields.request import FieldRequest
from efdgen.generator.kernels.kernel import Bundle
from efdgen.generator.planning.plan import CurvePlan
from efdgen.generator.planning.protocols import Scheme, exchange_scheme, protocols, signature_scheme
from efdgen.generator.render.c_parts import random_values
from efdgen.generator.render.c_source import source
from efdgen.generator.render.c_text import comment
from efdgen.generator.render.contract import header_lines
from efdgen.generator.render.field_bundle import render_c_source

if TYPE_CHECKING:
    from collections.abc import Sequence

    from efdgen.generator.planning.ladder import LadderPlan
    from efdgen.generator.render.c import Options

_OPERATIONS = ("add", "mul", "inv", "is_zero", "set_zero", "set_one", "equal")
_BYTES = ("from_bytes_be", "to_bytes_be", "from_bytes_le", "to_bytes_le")


def render_protocols(plan: CurvePlan | LadderPlan, options: Options) -> dict[str, str]:
    """Return the texts of ``PREFIX_eddsa.h`` and so on, and of ``PREFIX_n.h``, which computes modulo n.

    ``example.c`` is a program that uses each, and ``driver_protocols.c`` the one that ``efdgen test`` asks.
    Raises :class:`EfdgenError` for a curve that no protocol is there for.
    """
    names = protocols(plan.curve)
    if not names:
        raise EfdgenError(f"no protocols are available for {plan.curve.name}; use --set curve")
    prefix, prime = plan.prefix, plan.curve.prime
    bundle = Bundle(prefix, prime, (plan.kernels,), plan.command)
    scheme = signature_scheme(plan.curve) or exchange_scheme(plan.curve)
    context = {
        "header": comment(header_lines(bundle)[:4]),
        "prefix": prefix,
        "PREFIX": prefix.upper(),
        "fe": f"{prefix}_fe",
        "point": f"{prefix}_point",
        "affine": f"{prefix}_affine_point",
        "curve": plan.curve.name,
        "scheme": scheme,
        "top": scheme
        and {"byte": scheme.top // 8, "bit": 1 << scheme.top % 8, "mask": (1 << scheme.top % 8) - 1},
        "encoded": prime.bit_length() // 8 + 1,
        "cofactor": plan.cofactor,
        "big": plan.curve.model == "g1p/shortw",
        "coordinate": "x" if plan.curve.model == "g1p/shortw" else "y",
        "infinite": isinstance(plan, CurvePlan) and plan.representation.infinite,
        **random_values(plan.order, prime),
    }
    files = {
        f"{prefix}_{name}.h": source(f"protocols/{name}.h.j2", {**context, "name": name}) for name in names
    }
    helpers = ["wipe", *_hash_headers(names, signature_scheme(plan.curve))]
    files |= {
        f"{prefix}_{name}.h": source(f"protocols/{name}.h.j2", {**context, "names": names})
        for name in helpers
    }
    if any(f"{prefix}_n.h" in text for text in files.values()):
        request = FieldRequest(
            "c",
            hex(plan.order),
            operations=(*_OPERATIONS, *_BYTES),
            prefix=f"{prefix}_n",
            layout=options.layout,
        )
        files |= render_c_source(request, options.certify)
    own = [f"{prefix}.c"] * (options.layout == "split")
    sources = ["example.c", *own, *sorted(name for name in files if name.endswith(".c"))]
    used = {**context, "names": names, "sources": sources, "hashes": len(helpers) > 1}
    return files | {
        "example.c": source("protocols/example.c.j2", used),
        "driver_protocols.c": source("protocols/driver.c.j2", used | {"driver_header": context["header"]}),
    }


def _hash_headers(names: Sequence[str], scheme: Scheme | None) -> list[str]:
    """Return the headers of hash functions for some protocols: the table, and an adapter for each library.

    Only OpenSSL has SHAKE256, the hash function of a ``scheme`` with contexts.
    """
    if not {"ecdsa", "eddsa"} & set(names):
        return []
    return ["hash", "hash_openssl", *([] if scheme and scheme.context else ["hash_mbedtls", "hash_sodium"])]
