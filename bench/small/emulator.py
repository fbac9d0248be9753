"""Counts of instructions of functions in a bare image for Arm or RISC-V, on an emulator (Unicorn).

The image is the code from BASE on. Hash functions of the image are computed here, and are not counted.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import unicorn
from unicorn import arm_const as arm
from unicorn import riscv_const as riscv

BASE, SIZE = 0x10000, 4 << 20
_TOP, _STOP = BASE + SIZE - 64, 0x7FFFF000


@dataclass(frozen=True)
class Count:
    """Instructions that a function took, and the bytes of stack that it wrote at most."""

    instructions: int
    stack: int


@dataclass
class Emulator:
    """A machine with an image; ``core`` is ``arm`` with a model of core, or ``riscv``."""

    core: str
    model: str
    image: Path
    symbols: Mapping[str, int]
    hashes: dict[int, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.core == "arm":
            self._uc = unicorn.Uc(unicorn.UC_ARCH_ARM, unicorn.UC_MODE_THUMB | unicorn.UC_MODE_MCLASS)
            self._uc.ctl_set_cpu_model(getattr(arm, f"UC_CPU_ARM_{self.model}"))
            self._sp, self._link, self._thumb = arm.UC_ARM_REG_SP, arm.UC_ARM_REG_LR, 1
            self._arguments = [getattr(arm, f"UC_ARM_REG_R{n}") for n in range(4)]
        else:
            self._uc = unicorn.Uc(unicorn.UC_ARCH_RISCV, unicorn.UC_MODE_RISCV32)
            self._sp, self._link, self._thumb = riscv.UC_RISCV_REG_SP, riscv.UC_RISCV_REG_RA, 0
            self._arguments = [getattr(riscv, f"UC_RISCV_REG_A{n}") for n in range(4)]
        self._uc.mem_map(BASE, SIZE)
        self._uc.mem_map(_STOP, 0x1000)
        self._uc.mem_write(BASE, self.image.read_bytes())
        hosted = {"host_init": self._init, "host_update": self._update, "host_final": self._final}
        self._hosted: dict[int, Callable[[int, int, int], None]] = {
            self.symbols[name]: act for name, act in hosted.items() if name in self.symbols
        }
        self._sizes: dict[tuple[int, int], int] = {}
        self._uc.hook_add(unicorn.UC_HOOK_BLOCK, self._block)

    def run(self, name: str) -> Count:
        """Call a function, which has to return 1; return what it took."""
        self._counted, self._lowest = 0, _TOP
        self._uc.reg_write(self._sp, _TOP)
        self._uc.reg_write(self._link, _STOP | self._thumb)
        self._uc.emu_start(self.symbols[name] | self._thumb, _STOP)
        returned = self._uc.reg_read(self._arguments[0])
        if returned != 1:
            raise RuntimeError(f"{name} returned {returned}")
        return Count(self._counted, _TOP - self._lowest)

    def _block(self, _uc: object, at: int, size: int, _data: object) -> None:
        """Count the instructions of a block that runs, and act for the host."""
        if (at, size) not in self._sizes:
            self._sizes[at, size] = self._instructions(at, size)
        self._counted += self._sizes[at, size]
        self._lowest = min(self._lowest, self._uc.reg_read(self._sp))
        if act := self._hosted.get(at):
            act(*(self._uc.reg_read(register) for register in self._arguments[:3]))

    def _instructions(self, at: int, size: int) -> int:
        """Return how many instructions some bytes are: of two bytes or four, as the first one says."""
        code, offset, found = bytes(self._uc.mem_read(at, size)), 0, 0
        while offset < size:
            half = int.from_bytes(code[offset : offset + 2], "little")
            long = half >> 11 in (0b11101, 0b11110, 0b11111) if self._thumb else half & 3 == 3
            offset += 4 if long else 2
            found += 1
        return found

    # The host's part

    def _init(self, state: int, algorithm: int, _: int) -> None:
        name = bytes(self._uc.mem_read(algorithm, 16)).split(b"\0")[0].decode()
        self.hashes[state] = hashlib.new(name)

    def _update(self, state: int, at: int, length: int) -> None:
        self.hashes[state].update(bytes(self._uc.mem_read(at, length)))

    def _final(self, state: int, digest: int, length: int) -> None:
        self._uc.mem_write(digest, self.hashes[state].digest()[:length])
