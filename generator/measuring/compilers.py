"""The compilers of this machine: their commands, their versions, and how they are run."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

from efdgen.generator import processes
from efdgen.generator.errors import EfdgenError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

C_FLAGS = ("-std=c99", "-O2", "-march=native")

# gcc needs these to keep chains of carries in order, and their words in registers.
_GCC_FLAGS = (
    *("-fno-tree-ter", "-fno-schedule-insns2", "-fno-tree-slp-vectorize", "-fno-tree-vectorize"),
    "-frename-registers",
)
_SHOWN = 600  # characters of what a compiler says


def c_compilers() -> dict[str, list[str]]:
    """Return the commands of gcc and clang, those that there are, or of what CC names; by name.

    Raises :class:`EfdgenError` if there is none.
    """
    found = {name: shutil.which(name) or shutil.which(f"{name}-19") for name in ("gcc", "clang")}
    commands = {name: [path, *(_GCC_FLAGS if name == "gcc" else ())] for name, path in found.items() if path}
    if os.environ.get("CC"):
        commands = {os.environ["CC"]: os.environ["CC"].split()}
    if not commands:
        raise EfdgenError("neither gcc nor clang is installed; install one, or use --lang rust or python")
    return commands


def version(command: str) -> str:
    """Return the first line that a compiler says of its version, without paths.

    Raises :class:`EfdgenError` if there is no such compiler.
    """
    if shutil.which(command) is None:
        raise EfdgenError(f"compiler {command!r} is not installed; install it, or name another")
    done = processes.run([command, "--version"])
    if done.returncode or not done.stdout.strip():
        raise EfdgenError(f"{command} --version says nothing; name a compiler such as gcc, clang or rustc")
    return done.stdout.splitlines()[0].strip()


def run(
    command: Sequence[str],
    folder: Path | None = None,
    settings: Mapping[str, str] | None = None,
    text: str = "",
) -> str:
    """Run a command in a folder, with a text to read, and return what it prints.

    Raises :class:`EfdgenError` where it fails.
    """
    environment = {**os.environ, **(settings or {})}
    try:
        done = processes.run(command, folder, environment, text)
    except OSError as error:
        raise EfdgenError(f"{os.path.basename(command[0])} cannot be run: {error.strerror}") from None
    if done.returncode:
        raise EfdgenError(f"{os.path.basename(command[0])} failed: {done.stderr.strip()[:_SHOWN]}")
    return done.stdout
