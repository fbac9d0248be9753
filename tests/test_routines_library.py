"""The library of routines: what a curve needs in another way is a file, not a static line."""

import re
from dataclasses import replace

import pytest
from test_routines_ladders import plan as plan_of_ladder
from test_routines_multiples import plan_of

from efdgen.generator.kernels import batches
from efdgen.generator.planning import (
    coset_routines,
    curve_routines,
    ladder_routines,
    prepared_routines,
    protocol_routines,
    table_routines,
)
from efdgen.generator.routines.parser import LIBRARY, library

FILES = {path.name.removesuffix(".routine"): path for path in LIBRARY.iterdir()}
CURVES = (
    ("Ed448", None),
    ("secp256k1", "jacobian-0"),
    ("P-256", "projective"),
    ("edwards25519", "extended-1"),
    ("edwards25519", "inverted"),
    ("P-256", "jacobian-3"),
    ("sect163r2", None),
)


READING = (
    *(coset_routines, curve_routines, ladder_routines, prepared_routines, protocol_routines),
    table_routines,
)
"""Modules that read files of the library."""


def test_static_lines_are_at_most_a_twentieth_of_the_library():
    lines = [line for path in FILES.values() for line in path.read_text("utf-8").splitlines()]
    static = [line for line in lines if re.match(r"\s*static ", line)]
    assert 0 < 20 * len(static) <= len(lines)


@pytest.mark.slow
@pytest.mark.long
def test_every_file_of_the_library_is_read_for_some_curve(monkeypatch):
    plans = [plan_of(curve, coordinates) for curve, coordinates in CURVES]
    plans += [replace(plan, half=None) for plan in plans if plan.half]
    read = set()

    def reading(name, *kinds):
        read.add(name)
        return library(name, *kinds)

    for module in READING:
        monkeypatch.setattr(module, "library", reading)
    for plan in plans:
        curve_routines.curve_module(plan)
        for protocol in protocol_routines.with_routines(plan):
            protocol_routines.protocol_module(plan, protocol)
    ladder_routines.ladder_module(plan_of_ladder("Curve25519"))
    assert read == FILES.keys() - {batches.ROUTINE}
