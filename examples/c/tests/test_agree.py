"""The key agreement in C."""

import subprocess
from pathlib import Path

import pytest


@pytest.mark.usefixtures("cc")
def test_the_key_agreement_in_c(project: Path, passes) -> None:
    assert passes()
    refused = subprocess.run(["./agree", "01" * 32, "00" * 32], capture_output=True, text=True, check=False)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert subprocess.run(["./agree", "01" * 31], capture_output=True, check=False).returncode == 2
    with (project / "curve/curve25519.h").open("a") as header:
        header.write("/* edited */\n")
    assert not passes()
