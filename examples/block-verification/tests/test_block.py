"""The verification of blocks of signatures: its own tests, and a crate that accepts every signature."""

import subprocess
from pathlib import Path

import pytest


@pytest.mark.long
@pytest.mark.usefixtures("cargo")
def test_verdicts_on_a_block_are_equal(project: Path, passes) -> None:
    assert passes()
    source = project / "secp256k1/src/ecdsa.rs"
    text = source.read_text()
    # The first is in lanes, the other one after the other.
    edits = [
        ("pairs[at].is_some() && equal", "pairs[at].is_some()"),
        ("pairs[at].is_some_and(", "pairs[at].is_none_or("),
    ]
    for right, wrong in edits:
        assert text.count(right) == 1
        text = text.replace(right, wrong)
    source.write_text(text)
    command = ["cargo", "run", "--release", "--", "64"]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "assertion `left == right` failed: emitted" in done.stderr
