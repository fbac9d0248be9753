"""The signatures on a Cortex-M."""

import subprocess
from pathlib import Path

import pytest
from protocol_vectors import rfc6979


def firmware(project: Path) -> tuple[int, list[str]]:
    """Return the status and the lines of the program on a Cortex-M."""
    command = ["make", "--silent", "run"]
    done = subprocess.run(
        command, cwd=project, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout.splitlines()


@pytest.mark.usefixtures("arm_gcc", "qemu_arm")
def test_the_signatures_on_a_cortex_m(project: Path, passes) -> None:
    assert passes()
    published = {(key, name, text): out.hex() for key, _, name, text, out in rfc6979()}
    assert firmware(project) == (0, [published["P-256", "SHA256", "sample"], "verified"])
    main = (project / "main.c").read_text()
    (project / "main.c").write_text(main.replace("signature[0] ^= 1", "signature[0] ^= 0"))
    assert not passes()
