"""The verification of signatures in Rust."""

from pathlib import Path

import pytest


@pytest.mark.usefixtures("cargo")
def test_the_signature_verification_in_rust(project: Path, passes) -> None:
    assert passes()
    (project / "p256/src/words.rs").unlink()
    assert not passes()
