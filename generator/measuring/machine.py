"""The machine of a measurement: its processor, and the versions of what compiled or ran the code."""

from __future__ import annotations

import platform
import re
from pathlib import Path

from efdgen.generator.measuring.compilers import c_compilers, version

_CPU_INFO = Path("/proc/cpuinfo")


def processor() -> str:
    """Return the architecture of this machine's processor and, where it is known, its model."""
    text = _CPU_INFO.read_text(encoding="utf-8") if _CPU_INFO.is_file() else ""
    model = re.search(r"^model name\s*: (.+)$", text, re.M)
    return f"{platform.machine()}{f' {model[1]}' if model else ''}"


def version_of(compiler: str) -> str:
    """Return name and version for a column of a table, ``C, gcc``, ``Rust`` or ``Python``: ``gcc 12.2.0``."""
    if compiler == "Python":
        return f"Python {platform.python_version()}"
    name = "rustc" if compiler == "Rust" else compiler.removeprefix("C, ")
    line = version("rustc" if compiler == "Rust" else c_compilers()[name][0])
    number = re.search(r"\d+(?:\.\d+)+", re.sub(r"\(.*?\)", "", line))
    return f"{name} {number[0]}" if number else line
