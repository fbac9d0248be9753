"""The module for WebAssembly, run by Node.js against published vectors and Node's own functions."""

import re
import subprocess
from pathlib import Path

import pytest


@pytest.mark.core
@pytest.mark.usefixtures("wasm")
def test_the_module_agrees_with_node(project: Path, passes) -> None:
    assert passes()
    source = project / "src/lib.rs"
    source.write_text(
        source.read_text().replace("::verify(&*key, message,", "::verify(&*key, &message[1..],")
    )
    assert not passes()


@pytest.mark.core
@pytest.mark.usefixtures("wasm")
@pytest.mark.parametrize(("flags", "word"), [("", 32), ("-C target-feature=+wide-arithmetic", 64)])
def test_words_are_those_of_the_target(project: Path, monkeypatch, flags: str, word: int) -> None:
    """Other words are not compiled: they may have mistakes."""
    monkeypatch.setenv("RUSTFLAGS", flags)
    built = ["cargo", "build", "--quiet", "--target", "wasm32-unknown-unknown", "--manifest-path"]
    for bits, fails in ((96 - word, False), (word, True)):
        limbs = project / f"x25519/src/limbs{bits}.rs"
        limbs.write_text(limbs.read_text() + "mistake\n")
        command = [*built, str(project / "x25519/Cargo.toml")]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        assert (done.returncode != 0) == fails, done.stderr
        assert bool(re.search(rf"limbs{bits}.rs", done.stderr)) == fails
