"""A published crate's own tests, on the emitted crate in its place: one of those of `make rust-ecosystem`."""

import json
import re
import sys

import pytest
from ecosystem.__main__ import main
from ecosystem.machines import HERE, WASM_32, WORDS_32, Machine
from ecosystem.patches import write
from ecosystem.programs import unused
from ecosystem.rows import ROWS, chosen
from ecosystem.sources import emit, published, run, write_program
from ecosystem.suites import SUITES, crate_of, outcome, prepare, with_arithmetic


def emitted_by(suite, folder):
    """Return the folder of the crate that a suite is for, emitted."""
    facts = SUITES[suite]
    return emit(folder / suite, facts["curve"], facts.get("api", "rustcrypto"), crate_of(suite))


def prepared(name, machine, folder):
    """Return the folder of the crate that runs a suite on an emitted crate, on a machine."""
    source = published(folder / "source", crate_of(name), SUITES[name]["version"])
    emitted = {each: emitted_by(each, folder) for each in with_arithmetic([name])}
    beneath = {crate_of(each): path for each, path in emitted.items() if each != name}
    prepare(folder / "suite", name, source, emitted[name], machine, beneath)
    return folder / "suite"


@pytest.mark.long
@pytest.mark.drawn(1)
@pytest.mark.parametrize(
    ("name", "machine", "passed"),
    [
        ("p224", HERE, 16),
        ("p224", WORDS_32, 16),
        ("x25519-dalek", HERE, 17),
        ("ed25519-dalek-2", WORDS_32, 34),
        ("curve25519-dalek-4", HERE, 71),
    ],
    ids=lambda value: value.name if isinstance(value, Machine) else None,
)
@pytest.mark.usefixtures("cargo")
def test_the_tests_of_a_published_crate_pass(name, machine, passed, tmp_path):
    found = outcome(prepared(name, machine, tmp_path), tmp_path / "target", machine=machine)
    assert (found.passed, found.failed, found.succeeded) == (passed, 0, True), found.output


# The ignored test would fail: it must not run, and is not counted.
TESTS = """
#[test] #[should_panic] fn panics() { panic!() }
#[test] #[should_panic] fn returns() {}
#[test] #[should_panic] fn traps() { core::arch::wasm32::unreachable() }
#[test] #[ignore] fn takes_long() { panic!() }
#[test] fn errs() -> Result<(), u8> { Err(7) }
"""
MESSAGES = {
    "p224::unit0::tests::rfc6979": "assertion `left == right` failed",
    "projective::returns": "the test did not panic",
    "projective::traps": "RuntimeError: unreachable",
    "projective::errs": "the test returned an error",
}


@pytest.mark.long
@pytest.mark.usefixtures("wasm")
def test_a_suite_in_webassembly_counts_failures(tmp_path):
    """All tests of p224 pass; one fails with a changed digit in RFC 6979's signature, A.2.4."""
    suite = prepared("p224", WASM_32, tmp_path)
    found = outcome(suite, tmp_path / "target", machine=WASM_32)
    assert (found.passed, found.failed, found.succeeded) == (16, 0, True), found.output
    unit, projective = suite / "src" / "unit0.rs", suite / "tests" / "projective.rs"
    unit.write_text(unit.read_text().replace("1CDFE6662DDE", "1CDFE6672DDE"))
    projective.write_text(projective.read_text() + TESTS)
    found = outcome(suite, tmp_path / "target", "--no-fail-fast", machine=WASM_32)
    assert (found.passed, found.failed, found.succeeded) == (16, 4, False), found.output
    failed = dict(re.findall(r"^(\S+) \.\.\. FAILED\n((?:.+\n)*?)(?=.*FAILED)", found.output, re.M))
    assert failed.keys() == MESSAGES.keys()
    for name, message in MESSAGES.items():
        assert message in failed[name]


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


@pytest.mark.parametrize("words", [["--words", "32"], ["--machine", "wasm32"]])
def test_a_program_is_refused_on_another_machine(monkeypatch, capsys, words):
    monkeypatch.setattr(sys, "argv", ["ecosystem", "hpke", "p256", *words])
    with pytest.raises(SystemExit, match="2"):
        main()
    assert "--words and --machine are for suites; remove the program hpke" in capsys.readouterr().err


def test_results_of_machines_have_different_keys():
    keys = [json.dumps(machine.key()) for machine in (HERE, WORDS_32, WASM_32)]
    assert len({*keys}) == 3
