"""Comparison of C files, as each compiler sees them, with what their printer announced."""

from __future__ import annotations

from itertools import islice
from random import Random
from time import perf_counter
from typing import TYPE_CHECKING

from efdgen.generator.fields.printed import LimbText
from second.c_machine import CMachine
from second.comparing import FAILURES, announced, differences
from second.report import Report
from second.targets import Header, roots

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


def read_c(files: Mapping[str, str], expected: Sequence[object], seed: int, most: int) -> Iterator[Report]:
    """Yield a report for each C file that no other includes, with at most some differences."""
    texts = [text for text in expected if isinstance(text, LimbText) and text.language == "c"]
    for prefix in dict.fromkeys(text.prefix for text in texts):
        of_field = [text for text in texts if text.prefix == prefix]
        for root in roots(files):
            report, start = Report(root), perf_counter()
            header = Header(files, root, prefix)
            found = _differences(header, of_field, expected, seed, report)
            report.differences += islice(found, most)
            report.combinations, report.seconds = header.parsed, perf_counter() - start
            report.left_out = announced(of_field, expected) - report.compared
            yield report


def _differences(
    header: Header, texts: Sequence[LimbText], expected: Sequence[object], seed: int, report: Report
) -> Iterator[str]:
    name = ""
    try:
        for name, module in header.combinations():
            report.texts.append(name)
            machine = CMachine(module, texts[0].prefix, texts[0].ground.order)
            found = differences(machine, texts, expected, Random(f"{seed} {name}"), report)
            yield from (f"{name}: {difference}" for difference in found)
    except FAILURES as error:
        yield f"{name}: {error}" if name else f"{error}"
