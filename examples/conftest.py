"""The fixtures and hooks of the tests in tests/, and example projects with their generated files."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

pytest_plugins = ("shared",)


@pytest.fixture
def project(request, tmp_path, efdgen, monkeypatch) -> Path:
    """A copy of the example beside a test, with its generated files, as its user has committed them."""
    example = request.path.parents[1]
    copy = tmp_path / example.name
    shutil.copytree(example, copy, ignore=shutil.ignore_patterns("tests"))
    monkeypatch.chdir(copy)
    assert efdgen("generate").code == 0
    return copy


@pytest.fixture
def passes(project: Path, efdgen) -> Callable[[], bool]:
    """Return whether all commands of the project's recipe for CI, run line by line, end with status 0."""

    def run(command: str) -> int:
        if command.startswith("efdgen "):
            return efdgen(*command.split()[1:]).code
        line = command.replace("python3", sys.executable)
        return subprocess.run(line, shell=True, cwd=project, check=False).returncode

    recipe = (project / "ci.yml").read_text(encoding="utf-8")
    installation, *commands = re.findall(r"^ +- run: (.*)$", recipe, re.MULTILINE)
    assert installation.startswith("pip install ")
    return lambda: not any(map(run, commands))
