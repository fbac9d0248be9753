"""Crates as LLVM IR: rustc decides what conditions, comments, macros and types mean."""

from __future__ import annotations

import re
import subprocess
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from second.errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_CODE = ("-C", "opt-level=0", "-C", "debug-assertions=off", "-C", "overflow-checks=off", "-C", "panic=abort")
_FLAGS = (
    *_CODE,
    *("--edition", "2021", "--crate-type", "rlib", "--cap-lints", "allow", "-C", "codegen-units=1"),
    *("-C", "no-prepopulate-passes", "-C", "symbol-mangling-version=v0"),
)
_CRATES = ("subtle", "zeroize")
_FOLDER = TemporaryDirectory(prefix="second-")


@cache
def installed() -> set[str]:
    """Return the targets whose core library is installed."""
    library = Path(_run("rustc", "--print", "sysroot").strip(), "lib/rustlib")
    return {path.parent.name for path in library.glob("*/lib") if [*path.glob("libcore-*.rlib")]}


@cache
def conditions(target: str) -> set[str]:
    """Return the conditions that hold on a target."""
    return {*_run("rustc", *_CODE, "--print", "cfg", "--target", target).splitlines()}


def compiled(files: Mapping[str, str], target: str, settings: Sequence[str]) -> str:
    """Return the IR of a crate for a target, with settings as ``feature="word32"``; refuse what fails."""
    with TemporaryDirectory(dir=_FOLDER.name) as name:
        folder = Path(name)
        for path, text in files.items():
            if path.startswith("src/"):
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                (folder / path).write_text(text, encoding="utf-8")
        given = [word for setting in settings for word in ("--cfg", setting)]
        given += [word for crate in _CRATES for word in ("--extern", f"{crate}={_stand_in(crate, target)}")]
        given += ["--emit=llvm-ir", "-o", f"{folder / 'crate.ll'}", f"--remap-path-prefix={folder}=/crate"]
        _run(
            "rustc", *_FLAGS, "--crate-name", "second", "--target", target, *given, f"{folder / 'src/lib.rs'}"
        )
        return (folder / "crate.ll").read_text(encoding="utf-8")


@cache
def _stand_in(crate: str, target: str) -> Path:
    """Return the stand-in for a crate, compiled for a target."""
    path = Path(_FOLDER.name, target, f"lib{crate}.rlib")
    path.parent.mkdir(exist_ok=True)
    source = Path(__file__).with_name(f"{crate}.rs")
    _run("rustc", *_FLAGS, "--crate-name", crate, "--target", target, "-o", f"{path}", f"{source}")
    return path


def _run(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if re.match(r"error", line)]
        raise RefusedError(f"it does not compile: {(lines or [done.stderr])[0]}")
    return done.stdout
