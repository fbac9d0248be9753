"""A whole curve as a Python package: points with operators and keys, over the functions of its module."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.curves.cosets import cosets
from efdgen.generator.curves.hashing import hashing
from efdgen.generator.kernels.contract import header_lines
from efdgen.generator.lanes.instructions import MACHINES
from efdgen.generator.planning.coset_routines import coset_roots
from efdgen.generator.planning.exported import embedding_of
from efdgen.generator.planning.plan import CurvePlan
from efdgen.generator.planning.protocols import (
    exchange_scheme,
    protocols,
    recovers_keys,
    signature_scheme,
)
from efdgen.generator.programs.kernel import Bundle
from efdgen.generator.render.python.exports import in_order
from efdgen.generator.render.python.kernels import assignment, comment
from efdgen.generator.render.python.protocols import render_protocols
from efdgen.generator.text.environment import environment

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from efdgen.generator.curves.cosets import Cosets
    from efdgen.generator.curves.curve import Curve
    from efdgen.generator.options import Machine
    from efdgen.generator.planning.ladder import LadderPlan

_PUBLIC = {
    "ecdsa": ("keys", "ec"),
    "eddsa": ("keys", "eddsa"),
    "exchange": ("keys", "exchange"),
    "elgamal": ("elgamal", "elgamal"),
    "hash_to_curve": ("hash_to_curve", "hash_to_curve"),
    "bip340": ("bip340", "bip340"),
}
"""The public module of a protocol, and its template."""

_KNOWN = (
    *("BrainpoolP256R1", "BrainpoolP384R1", "BrainpoolP512R1", "SECP192R1", "SECP224R1", "SECP256K1"),
    *("SECP256R1", "SECP384R1", "SECP521R1"),
)
"""Curves over prime fields of the package cryptography, for ECDSA and ECDH."""

_JWK = {"SECP256R1": "P-256", "SECP384R1": "P-384", "SECP521R1": "P-521", "SECP256K1": "secp256k1"}
"""Curves of JSON Web Keys (RFC 7518, RFC 8812) by their names there."""

_ALWAYS = ("GENERATOR", "IDENTITY", "Point", "random_scalar")
"""Names of every package, beside its constants and functions."""


def render_package(
    plan: CurvePlan | LadderPlan,
    module: Mapping[str, str],
    *,
    with_protocols: bool,
    group: Cosets | None = None,
    lanes: Machine | None = None,
) -> dict[str, str]:
    """Return the files of the package ``PREFIX``, by their paths, around those of its module.

    It is about points, or about the elements of a group of cosets of them. With ``lanes`` protocols verify
    many signatures at once, by the functions that the module then has.
    Raises :class:`EfdgenError` where protocols are asked for and the curve has none.
    """
    prefix = plan.prefix
    private = {f"{prefix}.py": "_curve.py", f"{prefix}_build.py": "_build.py"}
    files = {private.get(name, name): text for name, text in module.items()}
    header = comment(header_lines(Bundle(prefix, plan.curve.field, (plan.kernels,), plan.command))[:4])
    own = hashing(plan.curve)
    context = {
        "header": header,
        "hashing": own,
        "expander": own.expander if own else "",
        "prefix": prefix,
        "curve": plan.curve.name,
        "scheme": signature_scheme(plan.curve) or exchange_scheme(plan.curve),
        "machine": MACHINES[lanes] if lanes else None,
        "recovers": recovers_keys(plan.curve),
        **_points(plan),
    }
    load = environment("python").get_template
    files["__init__.py"] = load(f"package/{'group' if group else 'points'}.py.j2").render(context)
    files["py.typed"] = "".join(f"{line}\n" for line in header)
    if not isinstance(plan, CurvePlan):
        files["_affine.py"] = load("package/ladder.py.j2").render(context)
    if with_protocols:
        found = render_protocols(plan, "from . import _curve as curve", lanes=lanes)
        files |= {name.removeprefix(prefix): text for name, text in found.items()}
        for public, template in filter(None, map(_PUBLIC.get, protocols(plan.curve))):
            files[f"{public}.py"] = load(f"package/{template}.py.j2").render(context)
        if serialized := _serialized(plan.curve):
            files["serialization.py"] = load("package/serialization.py.j2").render(context | serialized)
    return {f"{prefix}/{name}": text for name, text in files.items()}


def _serialized(curve: Curve) -> dict[str, Any]:
    """Return the values for the template of keys in files, nothing where no format has the curve."""
    known = next((name for name in _KNOWN if name.lower() == curve.name.lower()), "")
    if scheme := signature_scheme(curve) or exchange_scheme(curve):
        return {"jwk": {"name": scheme.name, "source": "RFC 8037"}}
    name = _JWK.get(known)
    source = "RFC 8812" if known == "SECP256K1" else "RFC 7518"
    return {"known": known, "jwk": name and {"name": name, "source": source}} if known else {}


def _points(plan: CurvePlan | LadderPlan) -> dict[str, Any]:
    """Return the values for the template of points, and on Montgomery curves for that of their group law."""
    if not isinstance(plan, CurvePlan):
        parameters = plan.curve.parameters
        constants = ["COFACTOR", "FIELD_BYTES", "ORDER", "SCALAR_BYTES"]
        functions = ["decode", "encode", "x_multiply"]
        return {
            "ladder": True,
            "group": "affine",
            "infinite": True,
            "second": False,
            "given": "x",
            "other": "y",
            "parameters": [
                line for name, value in parameters.items() for line in assignment(name.upper(), value)
            ],
            "reexported": [*constants, "random_scalar"],
            "binary": False,
            "exported": in_order([*constants, "P", *functions, *_ALWAYS]),
        }
    embedding = embedding_of(plan) is not None
    binary = plan.model == "binary"
    shortw = binary or plan.model == "shortw"
    constants = ["COFACTOR", "ENCODED_BYTES", "FIELD_BYTES", *["MESSAGE_BYTES"] * embedding]
    constants += [*["F", "M"] * binary, "ORDER", "SCALAR_BYTES"]
    functions = ["double_multiply", "multi_multiply", *["embed", "extract"] * embedding]
    second = plan.second is not None
    functions += ["SECOND", "double_multiply_generators"] * second
    functions += coset_roots(plan)
    return {
        "ladder": False,
        "binary": binary,
        "group": "curve",
        "infinite": plan.representation.infinite,
        "shortw": shortw,
        "given": "x" if shortw else "y",
        "other": "y/x" if binary else "y" if shortw else "x",
        "second": second,
        "embedding": embedding,
        "cosets": cosets(plan.curve),
        "reexported": in_order([*constants, "random_scalar"]),
        "exported": in_order([*constants, *([] if binary else ["P"]), *functions, *_ALWAYS]),
    }
