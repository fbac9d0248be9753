"""Built-in curves, a few or all of them: proved on words, built in each language, and run."""

from dataclasses import replace

import pytest
from every_kind import of_every_kind
from test_every_prime import prove_operations

from efdgen.generator.compile import Request, make_bundle
from efdgen.generator.curves.load import built_in_curves
from efdgen.generator.fields.field import Field
from efdgen.generator.fields.whole import whole_formulas
from efdgen.verify.limbs.prove import prove_contract
from efdgen.verify.vectors.drivers import Build
from efdgen.verify.vectors.subjects import FoundationProver, curve_subject
from efdgen.verify.vectors.suite import run_suites

CURVES = {curve.name: curve for curve in built_in_curves() if not curve.field.is_binary}
# Curves that were refused in C and Rust: a fold without room, R² mod p that ends in a word 0, a short square.
REFUSED = ["secp160k1", "secp160r1", "secp160r2", "secp224k1", "prime239v1", "prime239v2", "prime239v3"]


def require_words(name: str, database) -> None:
    """Prove the operations of a curve's field, and the kernels of the curve as they are lowered whole."""
    curve = CURVES[name]
    prove_operations(curve.prime, targets=("portable",))
    request = Request("c", name, formulas=of_every_kind(database, name))
    bundle = make_bundle(database, request, FoundationProver())
    for group in bundle.groups:
        found = whole_formulas(group, Field(curve.field))
        assert found
        for whole in found.values():
            prove_contract(whole.operation.program, whole.operation.contract)


@pytest.fixture
def curves(pytestconfig, rng, few) -> list[str]:
    """A curve that was refused and another, others in each run; or those of a slice."""
    if pytestconfig.getoption("slice"):
        return few(rng, sorted(CURVES), 0)
    return [rng.choice(REFUSED), rng.choice(sorted(CURVES.keys() - set(REFUSED)))]


@pytest.mark.long
@pytest.mark.slow
def test_every_curve_is_proved_on_words(curves, database):
    for name in curves:
        require_words(name, database)


def wrong(names, builds, database) -> list[str]:
    """Build kernels of curves, and return what is answered wrongly."""
    languages = tuple(dict.fromkeys(build.language for build in builds))
    requests = [
        Request("c", name, formulas=of_every_kind(database, name), lowering="calls") for name in names
    ]
    subjects = [curve_subject(database, request, languages) for request in requests]
    runs = run_suites(subjects, 1, builds=builds)
    results = [
        replace(result, curve=s.title)
        for s, (_, found) in zip(subjects, runs, strict=True)
        for result in found
    ]
    assert {(r.curve, r.language) for r in results if r.calls} == {(n, b.name) for n in names for b in builds}
    return [f"{result.curve}, {result.language}: {result.function}" for result in results if not result.ok]


@pytest.mark.long
def test_curves_are_built_in_c_and_run(curves, database, cc):
    builds = [Build("C", "c", level="0"), Build("C, 32 bits", "c", level="0", word=32)]
    assert wrong(curves, builds, database) == []


@pytest.mark.long
def test_curves_are_built_in_rust_and_python_and_run(curves, database, cc, cargo):
    builds = [Build("Rust", "rust", level="0"), Build("python", "python")]
    assert wrong(curves, builds, database) == []
