"""Six emitted crates in one program, as docs/one-stack.md replaces them: all are used."""

import json
import re
import tomllib
from pathlib import Path

import pytest
from ecosystem.patches import write
from ecosystem.sources import run, write_program
from whole_rust import run_cargo

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "one-stack.md").read_text()
COMMANDS = re.findall(r"^    efdgen (.*)$", PAGE, re.M)
TREES = re.findall(r"^    cargo tree --invert (\S+)$", PAGE, re.M)
PATCH = re.search(r"^```toml\n(\[patch.*?)^```", PAGE, re.M | re.S)[1]
CRATES = tomllib.loads(PATCH)["patch"]["crates-io"]
NEEDS = [
    *(f'{name} = "0.14"' for name in ("k256", "p256", "p384")),
    'curve25519-dalek = "5"',
    'ed25519-dalek = { version = "3", features = ["hazmat"] }',
    'x25519-dalek = { version = "3", features = ["static_secrets"] }',
]
YANKED = ("4.2.0", "373b7c5dbd637569a2cca66e8d66b8c446a1e7bf064ea321d265d7b3dfe7c97e")
"""A version of curve25519-dalek in lock files of published crates, and its checksum."""


def used(folder, name):
    """Return whether cargo uses the crate in the folder of its name."""
    done = run(folder, "cargo", "tree", "--quiet", "--invert", name)
    return done.succeeded and f"({folder / CRATES[name]['path']})" in done.output.splitlines()[0]


def yanked(folder):
    """Put the yanked version of curve25519-dalek into a lock file."""
    lock = folder / "Cargo.lock"
    pattern = r'(name = "curve25519-dalek"\nversion = ")[^"]*("\n.*\nchecksum = ")[^"]*'
    text, count = re.subn(pattern, rf"\g<1>{YANKED[0]}\g<2>{YANKED[1]}", lock.read_text())
    assert count == 1
    lock.write_text(text)


def test_the_page_replaces_and_asks_for_the_crates_that_it_emits():
    assert list(CRATES) == TREES
    assert [command.rpartition(" ")[2] for command in COMMANDS] == [at["path"] for at in CRATES.values()]
    assert len(PATCH.splitlines()) == 1 + len(CRATES) == 7


def test_the_first_page_has_the_same_section_and_the_ratios_of_the_table():
    page = (ROOT / "README.md").read_text()
    assert PATCH in page
    figures = json.loads((ROOT / "docs" / "plots" / "whole-operations.json").read_text())["microseconds"]
    dalek = "dalek's crates, AVX-512 IFMA", "efdgen, dalek's interface"
    for operation, theirs, ours, ratio in (
        ("ECDSA P-256: decode a key, verify", "p256 0.14", "efdgen, traits 0.14", "5.16"),
        ("Ed25519: decode a key, verify", *dalek, "0.92"),
        ("X25519: exchange", *dalek, "1.65"),
    ):
        assert f"{figures[operation][theirs] / figures[operation][ours]:.2f}" == ratio
        assert f"{ratio} times" in page


@pytest.mark.long
def test_a_program_uses_all_six_crates(cargo, tmp_path, monkeypatch, efdgen):
    program = (ROOT / "tests" / "one_stack_program.rs").read_text()
    profile = ("", "[profile.dev]", "opt-level = 1", "debug = false")
    write_program(tmp_path, NEEDS, *profile, main=program)
    assert not any(used(tmp_path, name) for name in CRATES)
    monkeypatch.chdir(tmp_path)
    for command in COMMANDS:
        assert efdgen(*command.split()).code == 0
    write_program(tmp_path, NEEDS, *profile, PATCH, main=program)
    assert "six crates agree" in run_cargo(tmp_path, "run", "--quiet")
    assert [name for name in CRATES if not used(tmp_path, name)] == []
    locked = tomllib.loads((tmp_path / "Cargo.lock").read_text())["package"]
    assert sorted(p["name"] for p in locked if "source" not in p) == sorted([*CRATES, "program"])
    assert sorted(p["name"] for p in locked if p["name"] in CRATES) == sorted(CRATES)


@pytest.mark.usefixtures("cargo")
@pytest.mark.parametrize(
    ("names", "told"),
    [
        (["curve25519-dalek"], "was not used in the crate graph"),
        (["curve25519-dalek", "ed25519-dalek"], "does not have that feature"),
        (["curve25519-dalek", "x25519-dalek"], "does not have that feature"),
    ],
)
def test_a_lock_file_with_a_yanked_version_is_reported(names, told, tmp_path):
    """Was: a lock file switched off the patch of curve25519-dalek, and programs ran on the published one."""
    needs = [f'{name} = "{4 if name == "curve25519-dalek" else 2}"' for name in names]
    write_program(tmp_path, needs)
    assert run(tmp_path, "cargo", "generate-lockfile").succeeded
    yanked(tmp_path)
    paths = {name: write(tmp_path, name, "dalek-2") for name in names}
    lines = [f'{name} = {{ path = "{path}" }}' for name, path in paths.items()]
    write_program(tmp_path, needs, "[patch.crates-io]", *lines)
    assert told in run(tmp_path, "cargo", "metadata", "--format-version", "1").output
    assert run(tmp_path, "cargo", "update", "curve25519-dalek").succeeded
    done = run(tmp_path, "cargo", "tree", "--quiet", "--invert", "curve25519-dalek")
    assert done.output.startswith(f"curve25519-dalek v4.1.3 ({paths['curve25519-dalek']})")
