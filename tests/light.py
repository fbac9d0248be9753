"""An installation without Sage, of the wheel and of a clone: its size, and the times of the first commands.

    python tests/light.py dist/efdgen-VERSION-py3-none-any.whl

Everything that a user of the built-in database does has to work; an own formula is counted, but not proved.
"""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/in-your-project.md"
"""The page that gives the size of all files of an installation, Z3 included, without pip."""

FORMULA = "g1p/shortw/jacobian/addition/add-2007-bl"
NEEDS_SAGE = re.compile(r"efdgen: .*needs Sage: pip install 'passagemath-singular[^']*'\n")
IN_README = re.findall(r"^    efdgen (compile .* --set curve .*)$", (ROOT / "README.md").read_text(), re.M)


def size(folder: Path) -> int:
    """Return the bytes of the files in a folder."""
    return sum(path.lstat().st_size for path in folder.rglob("*") if not path.is_dir())


def processor_time() -> float:
    """Return the processor seconds of all programs that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Installation:
    """A wheel, or a clone, in an environment of its own, with an empty cache."""

    def __init__(self, folder: Path, source: str) -> None:
        self.folder, self.bin = folder, folder / "venv" / "bin"
        variables = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        self.environment = variables | {"EFDGEN_CACHE": str(folder / "cache")}
        folder.mkdir()
        self.run(sys.executable, "-m", "venv", folder / "venv")
        before = size(folder / "venv")
        pip = self.bin / "python", "-m", "pip", "--quiet", "--disable-pip-version-check"
        self.timed(f"pip install {source}", *pip, "install", "--constraint", ROOT / "constraints.txt", source)
        self.size = size(folder / "venv") - before

    def run(self, *command: str | Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command, cwd=self.folder, env=self.environment, capture_output=True, text=True, check=False
        )

    def timed(self, said: str, *command: str | Path) -> str:
        """Run a command, and print how long it took; it must succeed."""
        start, used = time.perf_counter(), processor_time()
        done = self.run(*command)
        if done.returncode:
            sys.exit(f"{said}: exit status {done.returncode}\n{done.stderr}")
        wall, processors = time.perf_counter() - start, processor_time() - used
        print(f"{wall:8.1f} s, {processors:6.1f} s of processors  {said}", flush=True)
        return done.stdout

    def efdgen(self, *arguments: str | Path) -> str:
        return self.timed(f"efdgen {' '.join(map(str, arguments))}", self.bin / "efdgen", *arguments)


def main(wheel: Path) -> None:
    with tempfile.TemporaryDirectory() as name:
        installation = Installation(Path(name, "wheel"), str(wheel.resolve()))
        print(f"{installation.size / 10**6:8.1f} MB installed", flush=True)
        (documented,) = map(int, re.findall(r"(\d+) MB, Z3 included", PAGE.read_text(encoding="utf-8")))
        assert abs(installation.size / 10**6 - documented) < 3
        use(installation)
        clone = Installation(Path(name, "clone"), f"git+file://{ROOT}")
        assert len(IN_README) == 3
        for command in IN_README:
            clone.efdgen(*command.split())


def use(installation: Installation) -> None:
    """Run what users of the built-in database run."""
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
        assert done.returncode == 2, (command, done)
        assert NEEDS_SAGE.fullmatch(done.stderr), (command, done)
        described = command[0] == "check" or "show" in command
        assert ("not refuted on" in done.stdout) is described, (command, done)
    print("            own formulas: one line says that they need Sage")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
