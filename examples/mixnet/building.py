"""Builds the mixnet into a folder: edwards25519 from efdgen, and one program over all groups."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

HERE = Path(__file__).resolve().parent
EFDGEN = (
    *(sys.executable, "-m", "efdgen", "compile", "--quiet", "--lang", "c", "--curve", "edwards25519"),
    *("--set", "curve", "--target", "gcc", "--table", "large", "--prefix", "ed"),
)
WARNINGS = ("-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Wstrict-prototypes", "-Wundef", "-Werror")
FLAGS = ("-std=gnu11", "-O2", "-march=native", *WARNINGS)
LIBRARIES = ("-lgmp", "-lcrypto", "-lgcrypt")
SOURCES = {path.name: path for path in sorted(HERE.rglob("*.c"))}


def write_curve(folder: Path) -> None:
    """Have efdgen write ed.h into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    run([*EFDGEN, "--out", str(folder)])


def compile_program(
    folder: Path,
    program: str = "mixnet",
    *,
    cc: str = "cc",
    flags: Sequence[str] = FLAGS,
    changed: Mapping[str, Path] | None = None,
) -> Path:
    """Compile and link the program in a folder that has ed.h, and return its path.

    ``changed`` are other files in the place of sources; objects of the sources that are left are used again.
    """
    objects = [folder / f"{name}.o" for name in SOURCES if name not in (changed or {})]
    wanted = [(SOURCES[path.stem], path) for path in objects if not path.exists()]
    for name, path in (changed or {}).items():
        objects.append(folder / f"{program}-{name}.o")
        wanted.append((path, objects[-1]))
    included = [f"-I{HERE}", f"-I{HERE / 'groups'}", f"-I{folder}"]
    with ThreadPoolExecutor(2) as pool:
        commands = ([cc, *flags, *included, "-c", "-o", str(to), str(source)] for source, to in wanted)
        list(pool.map(run, commands))
    linking = [flag for flag in flags if flag.startswith("-fsanitize")]
    run([cc, *linking, "-o", str(folder / program), *map(str, objects), *LIBRARIES])
    return folder / program


def run(command: Sequence[str]) -> str:
    """Run a command and return its output; end with what it says where it fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        sys.exit(f"There is no {command[0]}; make packages, as root, installs it and the libraries.")
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    return done.stdout
