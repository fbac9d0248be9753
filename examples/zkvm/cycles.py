"""Builds the guests, runs them on random cases, and prints the table of their cycles.

python examples/zkvm/cycles.py [--cases N] [--functions] [--rust] [--json] [--out FOLDER]
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from functools import partial
from hashlib import sha512
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import prover
import recovery
import secp256k1
import tables
from edwards import GENERATOR, LAW, ORDER
from guests import build
from running import Counter
from rust import build_rust

if TYPE_CHECKING:
    from collections.abc import Callable

    from running import Report


@dataclass(frozen=True)
class Row:
    """A row of the table: a guest on random cases, and which of its marks counts, or 0 for the whole program.

    ``known`` are the cycles that are known of others, ``goal`` what this has to stay below.
    """

    name: str
    guest: str
    case: Callable[[Random], bytes]
    mark: int
    known: int | None
    goal: int | None


def half_case(shape: prover.Shape, rng: Random) -> bytes:
    """Return the input of half.c for random scalars and a random point."""
    a, b = rng.randrange(ORDER), rng.randrange(ORDER)
    q = LAW.multiple(rng.randrange(ORDER), GENERATOR)
    return prover.half_input(a, b, q, prover.sum_of(a, b, q), prover.hints(a, b, shape))


def fixed_case(rng: Random) -> bytes:
    """Return the input of fixed.c for random scalars."""
    a, b = rng.randrange(ORDER), rng.randrange(ORDER)
    second = LAW.multiple(tables.SECOND, GENERATOR)
    return prover.little_endian(a, b, *prover.sum_of(a, b, second))


def signature_case(rng: Random) -> bytes:
    """Return the input of signature.c for a random key and a message of 110 bytes."""
    message = rng.randbytes(110)
    return prover.signature_input(*signed(rng.randbytes(32), message))


def signed(seed: bytes, message: bytes) -> tuple[bytes, bytes, bytes]:
    """Return a key, the message and its signature, by RFC 8032."""
    expanded = sha512(seed).digest()
    secret = int.from_bytes(expanded[:32], "little") & (1 << 254) - 8 | 1 << 254
    key = prover.encoded(LAW.multiple(secret, GENERATOR))
    nonce = prover.hashed(expanded[32:], message) % ORDER
    r = prover.encoded(LAW.multiple(nonce, GENERATOR))
    s = (nonce + prover.hashed(r, key, message) * secret) % ORDER
    return key, message, r + prover.little_endian(s)


def recovery_case(rng: Random) -> bytes:
    """Return the input of recover.c for a signature of a random hash by a random key."""
    order, law = secp256k1.ORDER, secp256k1.LAW
    z, key, nonce = rng.getrandbits(256), rng.randrange(1, order), rng.randrange(1, order)
    x, y = law.multiple(nonce, secp256k1.GENERATOR)
    s = (z + x * key) * pow(nonce, -1, order) % order
    signature = recovery.Signature(z, x % order, s, y % 2 + (2 if x >= order else 0))
    return recovery.recovery_input(signature, *recovery.recover(signature))


# Known cycles on RISC Zero: ed255190 has them in its README; for ECDSA, users report those of k256.
ROWS = (
    Row("a·G + b·Q, G fixed", "half", partial(half_case, prover.CALL), 0, 303_260, 100_000),
    Row("a·G + b·Q, both fixed, tables not in memory yet", "fixed", fixed_case, 1, 230_156, 67_000),
    Row("a·G + b·Q, both fixed, afterwards", "fixed", fixed_case, 2, 115_286, 40_000),
    Row("an Ed25519 signature on 110 bytes, with SHA-512", "signature", signature_case, 0, None, None),
    Row("the key of an ECDSA signature on secp256k1", "secp256k1/recover", recovery_case, 0, 661_667, 84_000),
    Row(
        "a·G + b·Q, G fixed, without the call",
        "plain/half",
        partial(half_case, prover.PLAIN),
        0,
        2_098_066,
        1_300_000,
    ),
)


RUST = Row("a·G + b·Q, G fixed, in Rust", "half-rust", partial(half_case, prover.CALL), 0, 303_260, 200_000)


def measured(folder: Path, row: Row, cases: int) -> Report:
    """Return the means of a row's counts over cases, and the functions of the last case."""
    rng, run = Random(row.guest), Counter(folder / "counter")
    reports = []
    for _ in range(cases):
        report = run(folder / f"{row.guest}.elf", "--input", f"io={row.case(rng).hex()}")
        if report["status"]:
            raise SystemExit(f"{row.guest} refused a right result, with status {report['status']}")
        reports.append(report)
    counted = [report["marks"][row.mark - 1] if row.mark else report for report in reports]
    keys = [
        key for key, value in counted[0].items() if isinstance(value, int) and key not in {"status", "number"}
    ]
    return {key: sum(found[key] for found in counted) // cases for key in keys} | {
        "functions": reports[-1]["functions"]
    }


HEAD = "| | instructions | calls | pages in, out | **cycles** | known | ratio |"


def table_lines(rows: tuple[Row, ...], found: dict[str, Report]) -> list[str]:
    """Return the lines of the table: cycles of instructions, calls, movements of pages, all cycles."""
    lines = [HEAD, "|---|---:|---:|---:|---:|---:|---:|"]
    for row in rows:
        report = found[row.name]
        known = f"{row.known:,} | {row.known / report['total']:.2f}" if row.known else "|"
        lines.append(
            f"| {row.name} | {report['cycles']:,} | {report['calls']:,} "
            f"| {report['page_ins']}, {report['page_outs']} | **{report['total']:,}** | {known} |"
        )
    return lines


def function_lines(row: Row, report: Report) -> list[str]:
    """Return the cycles of a row's functions in its last case."""
    lines = ["", f"{row.name}:"]
    for function in report["functions"]:
        share = 100 * function["total"] / sum(each["total"] for each in report["functions"])
        lines.append(
            f"  {function['total']:9,} {share:5.1f} %  {function['name']}, {function['bytes']:,} bytes"
        )
    return lines


def missed(row: Row, report: Report) -> bool:
    """Return whether a row takes more than its goal."""
    return row.goal is not None and report["total"] >= row.goal


def main() -> None:
    """Print the table, or what it is made of."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--cases", type=int, default=8, help="random cases of each row (default: 8)")
    parser.add_argument("--functions", action="store_true", help="print the cycles of functions too")
    parser.add_argument("--rust", action="store_true", help="build and count the guest in Rust too")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--out", type=Path, default=Path("build/zkvm"), help="the folder to build in")
    arguments = parser.parse_args()
    build(arguments.out)
    rows: tuple[Row, ...] = ROWS
    if arguments.rust:
        build_rust(arguments.out)
        rows += (RUST,)
    found = {row.name: measured(arguments.out, row, arguments.cases) for row in rows}
    if arguments.json:
        print(json.dumps(found, indent=2))
        return
    lines = table_lines(rows, found)
    for row in rows:
        if arguments.functions or missed(row, found[row.name]):
            lines += function_lines(row, found[row.name])
    print("\n".join(lines))


if __name__ == "__main__":
    main()
