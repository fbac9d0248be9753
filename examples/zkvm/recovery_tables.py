"""Writes recovery_tables.h of recover.c: constants and multiples of the generator of secp256k1."""

from __future__ import annotations

from recovery import FIXED, FIXED_MULTIPLES, OWN_MULTIPLES
from secp256k1 import BETA, LAMBDA, ORDER, PRIME
from tables import table, words

CONSTANTS = {
    "zk_minus_one": PRIME - 1,
    "beta": BETA,
    "order": ORDER,
    "order_minus_1": ORDER - 1,
    "order_excess": 2**256 - ORDER,
    "lambda": LAMBDA,
}


def text() -> str:
    """Return the header."""
    return "\n".join(
        [
            "/* Constants and tables of recover.c, made by recovery_tables.py. */",
            "#ifndef ZKVM_RECOVERY_TABLES_H",
            "#define ZKVM_RECOVERY_TABLES_H",
            *(f"static const zk_fe {name} ZK_NEAR_CONST = {words(n)};" for name, n in CONSTANTS.items()),
            f"enum {{ OWN_MULTIPLES = {OWN_MULTIPLES}, FIXED_MULTIPLES = {FIXED_MULTIPLES} }};",
            table("affine", "fixed", FIXED),
            "#endif",
            "",
        ]
    )
