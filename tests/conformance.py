"""Whole curves in every language: tiny ones in all coordinate systems, large ones, and their requests."""

import os
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from whole_curves import DATABASE, SECOND
from whole_drivers import Subject

from efdgen.generator.compile import Request
from efdgen.generator.curves.load import load_curve
from efdgen.generator.files import render_plan
from efdgen.generator.planning.request import plan_curve
from efdgen.generator.planning.special import shared_numerator
from efdgen.verify.plan_proofs import SafePlans
from efdgen.verify.vectors.drivers import build_driver
from efdgen.verify.vectors.whole_cases import all_rows
from efdgen.verify.vectors.whole_curve import REFUSED, WholeCurve
from efdgen.verify.vectors.whole_subjects import whole_curve

Row = tuple[str, ...]
SEED = int(os.environ["EFDGEN_TEST_SEED"])
NEEDS = {
    "c": pytest.mark.needs("cc", "clang"),
    "rust": pytest.mark.needs("cargo"),
    "python": (),
    "compiled": pytest.mark.needs("cc"),
}
"""The tools of languages; ``compiled`` is Python over kernels in C."""

TINY_CASES = {
    ("prime", "jacobian"): "c python compiled",
    ("prime", "modified"): "python",
    ("prime", "projective"): "c rust python",
    ("prime", "xyzz"): "python",
    ("halves", "jacobian-0"): "c rust python",
    ("halves", "modified"): "python",
    ("halves", "projective-0"): "c python",
    ("negative", "projective-1"): "c python",
    ("three", "projective-3"): "c rust python",
    ("three", "xyzz-3"): "c rust python",
    ("even", "jacobian"): "c python",
    ("even", "projective"): "python",
    ("odd", "jacobian"): "python",
    ("odd", "xyzz"): "c rust python",
    ("twisted", "affine"): "c rust python",
    ("twisted", "projective"): "python",
    ("twisted", "inverted"): "c rust python",
    ("twisted", "extended"): "python",
    ("twisted", "extended-1"): "c rust python compiled",
    ("twisted", "halved-extended"): "c rust python",
    ("twisted", "halved-completed"): "c python",
    ("square", "projective"): "python",
    ("square", "extended"): "c python",
    ("edwards", "affine"): "c python",
    ("edwards", "projective"): "c rust python",
    ("edwards", "inverted"): "c rust python",
    ("ladder47", None): "c rust python",
    ("ladder47of8", None): "python",
    ("ladder53", None): "c rust python",
    ("ladder59", None): "c python",
}
"""The languages that each coordinate system of a tiny curve is tested in."""


def parameters(cases: dict[tuple[str, ...], str]) -> list[object]:
    """Return cases with the languages in which each is tested, as parameters that ask for their tools."""
    return [
        pytest.param(language, *case, marks=NEEDS[language], id="-".join(filter(None, (language, *case))))
        for case, languages in cases.items()
        for language in languages.split()
    ]


def with_few_points_in_buckets(plan):
    multi = getattr(plan, "multi", None)
    return (
        replace(plan, multi=replace(multi, threshold=4, windows=((20, 5), (9, 3), (4, 2)))) if multi else plan
    )


def second_point(curve: str) -> str | None:
    """Return a fixed point beside the generator, where there are sums with it."""
    found = load_curve(curve)
    if found.model == "g1p/montgom":
        return None
    whole = WholeCurve.of(found, DATABASE)
    return "{},{}".format(*whole.multiple(SECOND, whole.generator))


def rows_of(curve: WholeCurve, name: str) -> list[Row]:
    """Return the requests to a curve, made once for all languages: all of a tiny one, edges of others."""
    key = name, *curve.functions
    if key not in _ROWS:
        _ROWS[key] = [*all_rows(curve, Random(SEED))]
    return _ROWS[key]


_ROWS: dict[tuple[str, ...], list[Row]] = {}


def rows_of_plan(subject: Subject) -> list[Row]:
    """Return requests that depend on coordinates: the identity in batches, and what is not a point."""
    curve, plan = subject.curve, subject.plan
    if curve.model == "montgom":
        return []
    texts = [curve.point(p) for p in curve.points[:5]]
    infinite = texts[0] == "O"
    # A driver looks for zeros where it says that a batch is refused.
    rows = [("to_affine_batch", *texts, REFUSED if infinite else "".join(texts))]
    if infinite:
        rows += [("encode_batch", *texts, REFUSED)]
        rows += [("encode", "O", REFUSED), ("encode_uncompressed", "O", REFUSED)]
    if len(plan.representation.identity) > 2:
        rows.append(("decode_wire", "00" * plan.encoding.wire, REFUSED))
    if shared_numerator(plan):
        # The last coordinate and both others show x*y = 0, and must agree.
        x, y = curve.generator
        for bad in ((0, 1, 1), (1, 0, 1), (y, x, 0)):
            rows.append(("decode_wire", "".join(map(curve.element, bad)), REFUSED))
    return rows


def tiny_rows(subject: Subject, name: str) -> list[Row]:
    """Return the requests to a program of a tiny curve; Python is slow, and is asked smaller multiples."""
    rows = [*rows_of(subject.curve, name), *rows_of_plan(subject)]
    if subject.driver.language != "python":
        return rows
    bound, multiples = 2 * subject.curve.order * subject.curve.cofactor + 3, {"multiply", "multiply_var"}
    return [row for row in rows if row[0] not in multiples or int(row[1], 16) < bound]


def build_python(
    folder: Path, curve: str, coordinates=None, backend=None, second=None, change=None
) -> Subject:
    """Return a curve in Python, or over kernels in C that are not optimised."""
    options = {"prefix": "whole", "set": "curve", "table": "small", "lowering": "calls", "backend": backend}
    request = Request("python", curve, coordinates, second=second, **options)
    plan = plan_curve(DATABASE, request, SafePlans())
    plan = change(plan) if change else plan
    files = {name: text.replace("-O3", "-O0") for name, text in render_plan(plan, request).items()}
    return Subject(whole_curve(plan, DATABASE, second), build_driver("python", files, folder), plan)
