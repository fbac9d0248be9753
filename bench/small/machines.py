"""Small machines: their cross compilers and how emitted code is compiled for them."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Machine:
    """A core: its compiler, the emulator's name of it, the target of emitted code, and the faster level."""

    title: str
    compiler: tuple[str, ...]
    core: str
    model: str
    target: str
    level: str = "-O2"
    cycles: bool = False

    @property
    def tools(self) -> str:
        """The beginning of the names of its tools."""
        return self.compiler[0].removesuffix("gcc")


_ARM, _RISCV = ("arm-none-eabi-gcc", "-mthumb"), ("riscv64-unknown-elf-gcc", "-mabi=ilp32", "-mcmodel=medany")
MACHINES = {
    "cortex-m4": Machine(
        "Cortex-M4", (*_ARM, "-mcpu=cortex-m4"), "arm", "CORTEX_M4", "cortex-m4", "-Os", cycles=True
    ),
    "cortex-m0plus": Machine("Cortex-M0+", (*_ARM, "-mcpu=cortex-m0plus"), "arm", "CORTEX_M0", "cortex-m0"),
    "rv32imc": Machine("RV32IMC", (*_RISCV, "-march=rv32imc"), "riscv", "", "rv32im"),
}


def missing(names: Iterable[str]) -> Iterator[str]:
    """Yield a line for each cross compiler that some machines need and that is not installed."""
    needed: dict[str, list[str]] = {}
    for name in names:
        needed.setdefault(MACHINES[name].compiler[0], []).append(name)
    for compiler, left_out in needed.items():
        if shutil.which(compiler) is None:
            yield f"{compiler} is missing: {', '.join(left_out)} not counted; run make packages, as root"


def available(names: Iterable[str]) -> list[str]:
    """Return the machines whose cross compilers are installed."""
    return [name for name in names if shutil.which(MACHINES[name].compiler[0])]
