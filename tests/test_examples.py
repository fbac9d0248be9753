"""The example projects: their files are generated, and their recipe for CI is run line by line."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

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
    (project / "commitments.py").write_text(text.replace("ed.multiply(blinding, H)", "ed.multiply(1, H)"))
    assert not passes(project, efdgen)
