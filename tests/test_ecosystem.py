"""A published crate's own tests, on the emitted crate in its place: one of those of `make rust-ecosystem`."""

import pytest
from ecosystem.sources import emit, published
from ecosystem.suites import SUITES, outcome, prepare


@pytest.mark.long
@pytest.mark.drawn(1)
@pytest.mark.parametrize(
    ("name", "curve", "api", "features", "passed"),
    [
        ("p224", "P-224", "rustcrypto", (), 16),
        ("p224", "P-224", "rustcrypto", ("word32",), 16),
        ("x25519-dalek", "Curve25519", "dalek", (), 17),
    ],
    ids=["p224", "p224 with words of 32 bits", "x25519-dalek"],
)
@pytest.mark.usefixtures("cargo")
def test_the_tests_of_a_published_crate_pass(name, curve, api, features, passed, tmp_path):
    source = published(tmp_path / "source", name, SUITES[name]["version"])
    prepare(tmp_path / "suite", name, source, emit(tmp_path / "emitted", curve, api), *features)
    found = outcome(tmp_path / "suite", tmp_path / "target")
    assert (found.passed, found.failed, found.succeeded) == (passed, 0, True), found.output
