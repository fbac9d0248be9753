"""A picture and a short table of whole operations: the fastest emitted crate beside other libraries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from page import cells

from efdgen.generator.measuring.plots import Axis, Line, Plot

NAME = "whole-operations"
SHOWN = (
    "ECDSA P-256: decode a key, verify",
    "ECDSA P-256: sign",
    "ECDH P-256: decode a key, exchange",
    "ECDSA secp256k1: decode a key, verify",
    "ECDSA secp256k1: sign",
    "Ed25519: decode a key, verify",
    "Ed25519: sign",
    "X25519: exchange",
)
"""Operations that most libraries have, with the same work; in the order of the picture and of the table."""

_OURS = "efdgen"
_EARLIER = ("p256 0.13", "k256 0.13")
_GROUPS = {"p256 0.14": "RustCrypto", "k256 0.14": "RustCrypto", "secp256k1 0.33": "libsecp256k1"}


def picture(figures: Mapping[str, Mapping[str, float]], caption: str) -> Plot:
    """Return the plot of microseconds by operation and subject; a library has its fastest subject."""
    rows = [_fastest(figures[operation]) for operation in SHOWN]
    libraries = list(dict.fromkeys(library for times in rows for library in times))
    lines = [_line(library, rows) for library in libraries]
    x = Axis("time, divided by that of the fastest emitted crate", "ratio")
    return Plot(NAME, "Safe Rust by efdgen and libraries", x, Axis("", "names", SHOWN), {"": lines}, caption)


def summary(figures: Mapping[str, Mapping[str, float]], shown: Iterable[str] = SHOWN) -> list[str]:
    """Return the lines of a short table: microseconds with three digits, without earlier versions."""
    return [_summary(operation, figures[operation]) for operation in shown]


def _summary(operation: str, times: Mapping[str, float]) -> str:
    others = [
        f"{subject} {time:.3g}"
        for subject, time in times.items()
        if not subject.startswith((_OURS, *_EARLIER))
    ]
    return cells([operation, f"{_fastest(times)[_OURS]:.3g}", "; ".join(others)])


def _fastest(times: Mapping[str, float]) -> dict[str, float]:
    """Return the least time of each library, without earlier versions."""
    found: dict[str, float] = {}
    for subject, time in times.items():
        name = subject.partition(",")[0]
        if name not in _EARLIER:
            library = _GROUPS.get(name, name)
            found[library] = min(time, found.get(library, time))
    return found


def _line(library: str, rows: list[dict[str, float]]) -> Line:
    points = [*_points(library, rows)]
    return Line(library, tuple(x for x, _ in points), tuple(y for _, y in points))


def _points(library: str, rows: list[dict[str, float]]) -> Iterator[tuple[float, float]]:
    for index, times in enumerate(rows):
        if library in times:
            yield times[library] / times[_OURS], float(index)
