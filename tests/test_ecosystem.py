"""A published crate's own tests, on the emitted crate in its place: one of those of `make rust-ecosystem`."""

import pytest
from ecosystem.patches import write
from ecosystem.programs import unused
from ecosystem.sources import emit, published, run, write_program
from ecosystem.suites import SUITES, crate_of, outcome, prepare


@pytest.mark.long
@pytest.mark.drawn(1)
@pytest.mark.parametrize(
    ("name", "curve", "api", "features", "passed"),
    [
        ("p224", "P-224", "rustcrypto", (), 16),
        ("p224", "P-224", "rustcrypto", ("word32",), 16),
        ("x25519-dalek", "Curve25519", "dalek", (), 17),
        ("curve25519-dalek-4", "edwards25519", "dalek-2", (), 71),
    ],
    ids=["p224", "p224 with words of 32 bits", "x25519-dalek", "curve25519-dalek of generation 4"],
)
@pytest.mark.usefixtures("cargo")
def test_the_tests_of_a_published_crate_pass(name, curve, api, features, passed, tmp_path):
    crate = crate_of(name)
    source = published(tmp_path / "source", crate, SUITES[name]["version"])
    prepare(tmp_path / "suite", name, source, emit(tmp_path / "emitted", curve, api, crate), *features)
    found = outcome(tmp_path / "suite", tmp_path / "target")
    assert (found.passed, found.failed, found.succeeded) == (passed, 0, True), found.output


@pytest.mark.long
@pytest.mark.usefixtures("cargo")
def test_a_lock_file_that_switches_a_patch_off_is_found(tmp_path):
    """Was: tests of ed25519-dalek ran on the registry's 4.2.0, which its lock file names, and passed."""
    crate = write(tmp_path, "curve25519-dalek", "dalek-2")
    patch = ["[patch.crates-io]", f'curve25519-dalek = {{ path = "{crate}" }}']
    needs = ['curve25519-dalek = "4"']
    write_program(tmp_path, needs)
    assert run(tmp_path, "cargo", "generate-lockfile").succeeded
    assert run(tmp_path, "cargo", "update", "curve25519-dalek", "--precise", "4.1.2").succeeded
    write_program(tmp_path, needs, *patch)
    assert "curve25519-dalek@4.1.3 is not replaced" in unused(tmp_path, ["curve25519-dalek-4"], [])[0]
    assert run(tmp_path, "cargo", "update", "curve25519-dalek").succeeded
    assert unused(tmp_path, ["curve25519-dalek-4"], []) == []
