"""The example projects: their files are generated, and their recipe for CI is run line by line."""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from protocol_vectors import rfc6979

from efdgen.generator.curves.load import load_curve
from efdgen.generator.formulas.database import Database
from efdgen.verify.vectors.digest_cases import der
from efdgen.verify.vectors.signature_cases import signed_digest
from efdgen.verify.vectors.whole_curve import WholeCurve

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


def recipe(project: Path) -> list[str]:
    """Return the commands of a project's workflow, without the installation of efdgen."""
    found = re.findall(r"^ +- run: (.*)$", (project / "ci.yml").read_text(encoding="utf-8"), re.MULTILINE)
    assert found[0].startswith("pip install ")
    return found[1:]


@pytest.fixture
def project(request, tmp_path, efdgen, monkeypatch) -> Path:
    """A copy of an example with its generated files, as its user has committed them."""
    copy = shutil.copytree(EXAMPLES / request.param, tmp_path / request.param)
    monkeypatch.chdir(copy)
    assert efdgen("generate").code == 0
    return copy


def passes(project: Path, efdgen) -> bool:
    """Return whether all commands of a project's recipe end with status 0."""
    for command in recipe(project):
        if command.startswith("efdgen "):
            status = efdgen(*command.split()[1:]).code
        else:
            line = command.replace("python3", sys.executable)
            status = subprocess.run(line, shell=True, cwd=project, check=False).returncode
        if status:
            return False
    return True


@pytest.mark.usefixtures("cc")
@pytest.mark.parametrize("project", ["c"], indirect=True)
def test_the_key_agreement_in_c(project: Path, efdgen) -> None:
    assert passes(project, efdgen)
    refused = subprocess.run(["./agree", "01" * 32, "00" * 32], capture_output=True, text=True, check=False)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert subprocess.run(["./agree", "01" * 31], capture_output=True, check=False).returncode == 2
    with (project / "curve/curve25519.h").open("a") as header:
        header.write("/* edited */\n")
    assert not passes(project, efdgen)


def firmware(project: Path) -> tuple[int, list[str]]:
    """Return the status and the lines of the program on a Cortex-M."""
    command = ["make", "--silent", "run"]
    done = subprocess.run(
        command, cwd=project, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout.splitlines()


@pytest.mark.usefixtures("arm_gcc", "qemu_arm")
@pytest.mark.parametrize("project", ["cortex-m"], indirect=True)
def test_the_signatures_on_a_cortex_m(project: Path, efdgen) -> None:
    assert passes(project, efdgen)
    published = {(key, name, text): out.hex() for key, _, name, text, out in rfc6979()}
    assert firmware(project) == (0, [published["P-256", "SHA256", "sample"], "verified"])
    main = (project / "main.c").read_text()
    (project / "main.c").write_text(main.replace("signature[0] ^= 1", "signature[0] ^= 0"))
    assert not passes(project, efdgen)


@pytest.mark.usefixtures("cc", "hash_libraries")
@pytest.mark.parametrize("project", ["mbedtls"], indirect=True)
def test_signed_images_with_the_hash_of_mbedtls(project: Path, efdgen) -> None:
    assert passes(project, efdgen)

    def image(*words: str, data: bytes = b"an image") -> tuple[int, str]:
        done = subprocess.run(["./image", *words], input=data, capture_output=True, check=False)
        return done.returncode, done.stdout.decode().strip()

    curve = WholeCurve.of(load_curve("secp256k1"), Database())
    digest = hashlib.sha256(b"an image").digest()
    r, s, _ = signed_digest(curve, 5, digest, "sha256")
    secret, key = f"{5:064x}", curve.encoded(curve.multiple(5, curve.generator)).hex()
    low, high = (der(r, n).hex() for n in sorted((s, curve.order - s)))
    assert image("public", secret) == (0, key)
    assert image("sign", secret) == (0, low)
    assert image("verify", key, low) == (0, "")
    assert image("verify", key, high) == (1, "")
    assert image("verify", key, low + "00") == (1, "")
    assert image("verify", key, low, data=b"another") == (1, "")
    assert image("sign", "00" * 32) == (1, "")
    assert image("sign", "x") == (2, "")


@pytest.mark.usefixtures("cargo")
@pytest.mark.parametrize("project", ["rust"], indirect=True)
def test_the_signature_verification_in_rust(project: Path, efdgen) -> None:
    assert passes(project, efdgen)
    (project / "p256/src/words.rs").unlink()
    assert not passes(project, efdgen)


@pytest.mark.parametrize("project", ["python"], indirect=True)
def test_the_commitments_in_python(project: Path, efdgen) -> None:
    assert passes(project, efdgen)
    text = (project / "commitments.py").read_text()
    (project / "commitments.py").write_text(text.replace("blinding * H", "1 * H"))
    assert not passes(project, efdgen)
