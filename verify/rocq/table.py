"""The table of a check of many certificates: how many, how long, how large, by model and by kind."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from efdgen.verify.rocq.coqc import Checked

_SLOWEST = 5


def table(checked: Sequence[Checked], total: int) -> str:
    """Return the table, and the certificates that took longest; ``total`` is the number of all."""
    lines = [f"{'':24}{'accepted':>9}{'seconds':>10}{'longest':>9}{'largest':>10}"]
    for part in (_model, _kind):
        groups: dict[str, list[Checked]] = defaultdict(list)
        for each in checked:
            groups[part(each.certificate.subject)].append(each)
        lines += [_row(name, group) for name, group in sorted(groups.items())]
        lines.append("")
    slowest = sorted(checked, key=lambda each: -each.seconds)[:_SLOWEST]
    lines += [f"{each.seconds:8.1f} s  {each.certificate.subject}" for each in slowest]
    seconds = sum(each.seconds for each in checked)
    lines.append(
        f"{len(checked)} of {total} certificates accepted by Rocq, in {seconds:.0f} s of processor time"
    )
    return "\n".join(lines)


def _row(name: str, group: Sequence[Checked]) -> str:
    seconds, longest = sum(each.seconds for each in group), max(each.seconds for each in group)
    largest = max(sum(map(len, each.certificate.theorems)) for each in group) / 1000
    return f"{name:24}{len(group):9}{seconds:10.1f}{longest:9.1f}{largest:7.0f} kB"


def _model(subject: str) -> str:
    return "/".join(subject.split("/")[:2])


def _kind(subject: str) -> str:
    parts = subject.split("/")
    return parts[3] if len(parts) > 4 else "models and maps"
