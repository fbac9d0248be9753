"""Groups of cosets of points (RFC 9496): its vectors in every language, and parameters that are refused."""

import contextlib
import importlib
from functools import cache
from itertools import count
from pathlib import Path
from random import Random

import pytest
from conformance import NEEDS, build_python
from edits import once, table
from mutants.sources import Routines
from protocol_vectors import records
from test_routines_multiples import plan_of
from tools import UNOPTIMISED, command
from whole_c import build as build_c
from whole_curves import DATABASE
from whole_drivers import Subject
from whole_rust import Wanted, run_cargo, write_workspace

from efdgen.generator.compile import Request
from efdgen.generator.curves.cosets import cosets
from efdgen.generator.curves.load import load_curve
from efdgen.generator.errors import EfdgenError
from efdgen.generator.files import render_plan
from efdgen.generator.planning.coset_routines import coset_roots
from efdgen.generator.planning.request import plan_curve
from efdgen.generator.routines.integers import RoutineError
from efdgen.verify.lemmas.prover import Prover
from efdgen.verify.lemmas.table import LEMMAS
from efdgen.verify.plan_proofs import SafePlans
from efdgen.verify.routines.curve import staged
from efdgen.verify.vectors.coset_cases import cosets as cases
from efdgen.verify.vectors.whole_expected import row

EDITS = table("cosets")
VECTORS = records(Path(__file__).parent / "vectors/rfc9496.txt", "COUNT")
GROUPS = {"edwards25519": ("ristretto255", 1, (16, 29, 11)), "edwards448": ("decaf448", 2, (16, 21, 7))}
"""The groups of curves, the factor of their generators, and the numbers of vectors."""


def published(curve):
    """Return the vectors of a curve: multiples, refused encodings, and uniform bytes."""
    group, factor, counts = GROUPS[curve.curve.name]
    prefix = cosets(curve.curve).prefix
    titles = [f"{group} {kind}" for kind in ("multiples", "refused", "uniform")]
    multiples, refused, uniform = ([v for v in VECTORS if v[""] == title] for title in titles)
    assert (len(multiples), len(refused), len(uniform)) == counts
    rows = [(f"{prefix}_decode", vector["ENCODING"], "refused") for vector in refused]
    for k, vector in enumerate(multiples):
        point = curve.multiple(factor * k, curve.generator)
        found = row(curve, f"{prefix}_decode", bytes.fromhex(vector["ENCODING"]))
        rows += [(f"{prefix}_encode", curve.point(point), vector["ENCODING"]), found]
        rows.append((f"{prefix}_equal", curve.point(point), found[-1], "1"))
    for vector in uniform:
        rows.append(row(curve, f"{prefix}_from_uniform_bytes", bytes.fromhex(vector["BYTES"])))
        rows.append((f"{prefix}_encode", rows[-1][-1], vector["ENCODING"]))
    return rows


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    """Return what builds the driver of a curve in a language."""

    @cache
    def built(language: str, curve: str) -> Subject:
        folder = tmp_path_factory.mktemp("driver")
        if language == "c":
            return build_c(folder, curve, None, *UNOPTIMISED, compiler=command("cc"))
        if language == "rust":
            name = f"crate_{curve}"
            subjects = write_workspace(folder, [Wanted(name, curve)])
            run_cargo(folder, "build", "--examples", "--features", "alloc", own=True)
            return subjects[name]
        return build_python(folder, curve, None, "c" if language == "compiled" else None)

    return built


@pytest.mark.slow
@pytest.mark.drawn(4)
@pytest.mark.parametrize(
    ("language", "curve"),
    [
        pytest.param(language, curve, marks=NEEDS[language])
        for curve in GROUPS
        for language in ("c", "rust", "python", "compiled")
    ],
)
def test_published_and_random_elements(language, curve, program):
    subject = program(language, curve)
    seed = Random().randrange(1 << 32)
    print(f"seed {seed}")
    rows = [*published(subject.curve), *cases(subject.curve, Random(seed))]
    assert subject.differences(rows) == []


@pytest.mark.slow
@pytest.mark.parametrize("curve", GROUPS)
def test_packages_have_the_groups(curve, tmp_path, monkeypatch):
    prefix = f"package_of_{curve}"
    request = Request("python", curve, prefix=prefix, set="curve", table="small")
    for name, text in render_plan(plan_curve(DATABASE, request, SafePlans()), request).items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    package, (group, factor, _) = importlib.import_module(prefix), GROUPS[curve]
    names = ("encode", "decode", "equal", "map", "from_uniform_bytes")
    own = cosets(load_curve(curve)).prefix
    encode, decode, equal, mapped, uniform = (getattr(package, f"{own}_{name}") for name in names)
    vectors = [bytes.fromhex(v["ENCODING"]) for v in VECTORS if v[""] == f"{group} multiples"]
    for k, encoding in enumerate(vectors):
        assert encode(factor * k * package.GENERATOR) == encoding
        assert equal(decode(bytearray(encoding)), factor * k * package.GENERATOR)
        assert not equal(decode(encoding), factor * (k + 1) * package.GENERATOR)
    assert equal(mapped(0) + mapped(0), uniform(bytes(2 * package.FIELD_BYTES)))
    odd = odd_point(package)
    for wrong in (
        lambda: encode(odd),
        lambda: decode(vectors[1][:-1]),
        lambda: decode(vectors[1] + b"\0"),
        lambda: uniform(bytes(package.FIELD_BYTES)),
        lambda: mapped(package.P),
        lambda: mapped(-1),
    ):
        with pytest.raises(ValueError, match=r"\S"):
            wrong()
    for wrong in (lambda: encode(b""), lambda: decode("00"), lambda: equal(odd, 1), lambda: mapped("1")):
        with pytest.raises(TypeError):
            wrong()


@cache
def plan(curve, system=None):
    return plan_of(curve, system)


def prove(own):
    """Prove the functions on cosets, and their parts."""
    prover = Prover(own, staged(own))
    for name in ("extended", "point_of_fractions", "element_of_bytes", *coset_roots(own)):
        LEMMAS[name].prove(prover, name)


@pytest.mark.slow
@pytest.mark.drawn(1)
@pytest.mark.parametrize(
    ("curve", "system"),
    [(c, s) for c in GROUPS for s in (None, "projective", "inverted")]
    + [("edwards25519", "halved-extended")],
)
def test_functions_on_cosets_are_proved(curve, system):
    prove(plan(curve, system))


@pytest.mark.slow
@pytest.mark.drawn(4)
@pytest.mark.parametrize("at", range(len(EDITS)), ids=lambda at: f"{EDITS[at][1]}-{at}")
def test_an_edit_is_refused(at):
    curve, file, right, wrong = EDITS[at]
    own, source = plan(curve), Routines(file)
    with source.replaced(once(right, wrong)(source.text)), pytest.raises((EfdgenError, RoutineError)):
        prove(own)


def odd_point(package):
    """Return a point that is not twice another: h/2 times the order does not make it the identity."""
    for y in count(2):
        with contextlib.suppress(ValueError):
            point = package.Point.lift_y(y, 0)
            if not (package.COFACTOR // 2 * package.ORDER * point).is_identity():
                return point
    raise AssertionError("half of all points are odd")


def test_other_curves_have_none():
    assert all(cosets(load_curve(name)) is None for name in ("P-256", "Curve25519", "Jubjub", "E-222"))
    facts = {name: cosets(load_curve(name)).rotates for name in GROUPS}
    assert facts == {"edwards25519": True, "edwards448": False}
