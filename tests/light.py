"""The wheel without Sage, in a fresh environment: its size, and the times of the first commands.

    python tests/light.py dist/efdgen-0.2.0-py3-none-any.whl

Everything that a user of the built-in database does has to work; an own formula is refused in one line.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MOST = 150 * 10**6
"""Bytes that all files of an installation may have, Z3 included, without pip."""

FORMULA = "g1p/shortw/jacobian/addition/add-2007-bl"
NEEDS_SAGE = "efdgen: needs Sage: pip install 'efdgen[prove]'\n"


def size(folder: Path) -> int:
    """Return the bytes of the files in a folder."""
    return sum(path.lstat().st_size for path in folder.rglob("*") if not path.is_dir())


class Installation:
    """The wheel in an environment of its own, with an empty cache."""

    def __init__(self, folder: Path, wheel: Path) -> None:
        self.folder, self.bin = folder, folder / "venv" / "bin"
        variables = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        self.environment = variables | {"EFDGEN_CACHE": str(folder / "cache")}
        self.run(sys.executable, "-m", "venv", folder / "venv")
        before = size(folder / "venv")
        pip = self.bin / "python", "-m", "pip", "--quiet", "--disable-pip-version-check"
        self.timed("pip install", *pip, "install", "--constraint", ROOT / "constraints.txt", wheel)
        self.size = size(folder / "venv") - before

    def run(self, *command: str | Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command, cwd=self.folder, env=self.environment, capture_output=True, text=True, check=False
        )

    def timed(self, said: str, *command: str | Path) -> str:
        """Run a command, and print how long it took; it must succeed."""
        start = time.perf_counter()
        done = self.run(*command)
        if done.returncode:
            sys.exit(f"{said}: exit status {done.returncode}\n{done.stderr}")
        print(f"{time.perf_counter() - start:8.1f} s  {said}", flush=True)
        return done.stdout

    def efdgen(self, *arguments: str | Path) -> str:
        return self.timed(f"efdgen {' '.join(map(str, arguments))}", self.bin / "efdgen", *arguments)


def main(wheel: Path) -> None:
    with tempfile.TemporaryDirectory() as name:
        installation = Installation(Path(name), wheel.resolve())
        print(f"{installation.size / 10**6:8.1f} MB installed, at most {MOST / 10**6:.0f}", flush=True)
        assert installation.size <= MOST
        assert "proved for every odd p" in installation.efdgen("show", FORMULA)
        for language in ("c", "rust", "python"):
            out = f"out/secp256k1/{language}"
            installation.efdgen("compile", "--lang", language, "--curve", "secp256k1", "--out", out)
        languages = ("--lang", "c", "--lang", "rust", "--lang", "python")
        assert "all as expected" in installation.efdgen("test", *languages, "out")
        for curve in ("edwards25519", "P-256", "Curve25519"):
            installation.efdgen("compile", "--lang", "c", "--set", "curve", "--curve", curve, "--out", curve)
        installation.efdgen("field", "--lang", "c", "--prime", "2^127 - 1", "--out", "field")
        installation.efdgen("verify")
        installation.efdgen("verify", "--models")
        require_own_formulas_to_need_sage(installation)


def require_own_formulas_to_need_sage(installation: Installation) -> None:
    """Change a formula in a database of the user, and require one line from all that has to prove it."""
    place, _, name = FORMULA.rpartition("/")
    own = installation.folder / "own" / place / f"{name}-own"
    own.parent.mkdir(parents=True)
    own.write_text((ROOT / "efd" / FORMULA).read_text().replace("(2*H)^2", "4*H^2"))
    for command in (
        ("check", own),
        ("--database", "own", "show", f"{FORMULA}-own"),
        ("--database", "own", "compile", "--lang", "c", "--curve", "P-521", "--formulas", f"{FORMULA}-own"),
        ("verify", "--again", FORMULA),
    ):
        done = installation.run(installation.bin / "efdgen", "--quiet", *command)
        assert (done.returncode, done.stderr) == (2, NEEDS_SAGE), (command, done)
    print("            own formulas: one line says that they need Sage")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
