"""A published crate's own tests, on the emitted crate in its place: one of those of `make rust-ecosystem`."""

import pytest
from ecosystem.patches import write
from ecosystem.programs import unused
from ecosystem.rows import ROWS, chosen
from ecosystem.sources import emit, published, run, write_program
from ecosystem.suites import SUITES, crate_of, outcome, prepare, with_arithmetic


def emitted_by(suite, folder):
    """Return the folder of the crate that a suite is for, emitted."""
    facts = SUITES[suite]
    return emit(folder / suite, facts["curve"], facts.get("api", "rustcrypto"), crate_of(suite))


@pytest.mark.long
@pytest.mark.drawn(1)
@pytest.mark.parametrize(
    ("name", "features", "passed"),
    [
        ("p224", (), 16),
        ("p224", ("word32",), 16),
        ("x25519-dalek", (), 17),
        ("ed25519-dalek-2", ("word32",), 34),
        ("curve25519-dalek-4", (), 71),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
@pytest.mark.usefixtures("cargo")
def test_the_tests_of_a_published_crate_pass(name, features, passed, tmp_path):
    source = published(tmp_path / "source", crate_of(name), SUITES[name]["version"])
    emitted = {each: emitted_by(each, tmp_path) for each in with_arithmetic([name])}
    beneath = {crate_of(each): path for each, path in emitted.items() if each != name}
    prepare(tmp_path / "suite", name, source, emitted[name], *features, beneath=beneath)
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


def test_a_project_names_all_rows_with_one_of_its_crates():
    dalek = chosen(["dalek"])
    assert {"curve25519-dalek", "hpke", "bulletproofs", "vodozemac"} <= set(dalek)
    assert {"k256", "frost-p256", "revm-precompile"}.isdisjoint(dalek)
    assert chosen(["rustcrypto", "dalek"]) == chosen([]) == list(ROWS)
    assert chosen(["snow", "p256"]) == ["p256", "snow"]
    with pytest.raises(ValueError, match="there is no p257; choose some of dalek, rustcrypto, p256"):
        chosen(["p257"])
