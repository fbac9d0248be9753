"""The linters and the type checker that generated Python passes."""

import subprocess
import sys
from pathlib import Path

LINT = "E,W,F,I,N,D,ANN,UP,B,SIM,RUF,PL"
IGNORED = "D203,D213,PLR2004,PLR0913,PLR0915,PLR0917"
OVER_C = "ANN401,N802,N803"
"""Rules that modules over kernels in C and packages do not follow."""


def lint(*arguments: str | Path, folder: Path | None = None) -> None:
    """Run a module of Python that checks others, in a folder; fail with what it reports."""
    done = subprocess.run(
        [sys.executable, "-m", *map(str, arguments)], capture_output=True, text=True, check=False, cwd=folder
    )
    assert done.returncode == 0, done.stdout + done.stderr


def ruff(folder: Path, ignored: str = "") -> None:
    """Lint and format the modules of a folder."""
    common = ("--no-cache", "--isolated", "--target-version", "py311", "--line-length", "110")
    rules = ",".join(filter(None, (IGNORED, ignored)))
    lint("ruff", "check", *common, "--select", LINT, "--ignore", rules, folder)
    lint("ruff", "format", "--check", *common, folder)


def mypy(folder: Path, *arguments: str | Path) -> None:
    """Check the types of modules, by default of all in a folder."""
    names = arguments or sorted(folder.glob("*.py"))
    lint("mypy", "--strict", "--cache-dir", folder / "cache", *names, folder=folder)
