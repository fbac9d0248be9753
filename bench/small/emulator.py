"""Counts of instructions of functions in a bare image for Arm or RISC-V, on an emulator (Unicorn).

The image is the code from BASE on. Hash functions of the image are computed here, and are not counted.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

import unicorn
from counts import Count
from cycles import TAKEN
from images import Image
from unicorn import arm_const as arm
from unicorn import riscv_const as riscv

BASE, SIZE = 0x10000, 4 << 20
_TOP, _STOP = BASE + SIZE - 64, 0x7FFFF000


@dataclass
class Emulator:
    """A machine with an image; ``core`` is ``arm`` with a model of core, or ``riscv``.

    ``costs`` has the cycles of instructions by address, ``moving`` those that move the stack pointer. Without
    ``counting``, functions run much faster.
    """

    core: str
    model: str
    image: Image
    moving: Collection[int] = ()
    costs: Mapping[int, int] | None = None
    counting: bool = True
    hashes: dict[int, Any] = field(default_factory=dict)
    saved: list[Any] = field(default_factory=list)

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
        self._uc.mem_write(BASE, self.image.memory)
        hosted = {
            "host_init": self._init,
            "host_update": self._update,
            "host_final": self._final,
            "host_save": self._save,
            "host_load": self._load,
        }
        self._hosted: dict[int, Callable[[int, int, int], None]] = {
            self.image.symbols[name].address: act
            for name, act in hosted.items()
            if name in self.image.symbols
        }
        for address in self._hosted:
            self._uc.hook_add(unicorn.UC_HOOK_CODE, self._act, begin=address, end=address)
        self._sizes: dict[tuple[int, int], tuple[int, int, bool]] = {}
        if self.counting:
            self._uc.hook_add(unicorn.UC_HOOK_BLOCK, self._block)

    def run(self, name: str) -> Count:
        """Call a function, which has to return 1; return what it took."""
        if (returned := self.call(name)) != 1:
            raise RuntimeError(f"{name} returned {returned}")
        return Count(self._counted, _TOP - self._lowest, None if self.costs is None else self._cycles)

    def call(self, name: str) -> int:
        """Call a function and return its result."""
        start = self.image.symbols[name].address
        self._counted, self._cycles, self._lowest, self._next, self._moved = 0, 0, _TOP, start, True
        self._uc.reg_write(self._sp, _TOP)
        self._uc.reg_write(self._link, _STOP | self._thumb)
        self._uc.emu_start(start | self._thumb, _STOP)
        return int(self._uc.reg_read(self._arguments[0]))

    def read(self, name: str) -> bytes:
        """Return the bytes of a variable."""
        symbol = self.image.symbols[name]
        return bytes(self._uc.mem_read(symbol.address, symbol.size))

    def write(self, name: str, value: bytes) -> None:
        """Change the bytes of a variable."""
        symbol = self.image.symbols[name]
        if len(value) != symbol.size:
            raise ValueError(f"{name} has {symbol.size} bytes, not {len(value)}")
        self._uc.mem_write(symbol.address, value)

    def _block(self, _uc: object, at: int, size: int, _data: object) -> None:
        """Count the instructions and cycles of a block that runs."""
        if (at, size) not in self._sizes:
            self._sizes[at, size] = self._instructions(at, size)
        if self._moved:
            self._lowest = min(self._lowest, self._uc.reg_read(self._sp))
        instructions, cycles, self._moved = self._sizes[at, size]
        self._counted += instructions
        self._cycles += cycles if at == self._next else cycles + TAKEN
        self._next = at + size

    def _instructions(self, at: int, size: int) -> tuple[int, int, bool]:
        """Return the instructions and cycles of some bytes, and whether they move the stack pointer."""
        code, offset, found, cycles, moved = bytes(self._uc.mem_read(at, size)), 0, 0, 0, False
        while offset < size:
            half = int.from_bytes(code[offset : offset + 2], "little")
            long = half >> 11 in (0b11101, 0b11110, 0b11111) if self._thumb else half & 3 == 3
            cycles += 0 if self.costs is None else self.costs[at + offset]
            moved = moved or at + offset in self.moving
            offset += 4 if long else 2
            found += 1
        return found, cycles, moved

    # The host's part

    def _act(self, _uc: object, at: int, _size: int, _data: object) -> None:
        """Act for the host as a call of one of its functions begins."""
        self._hosted[at](*(self._uc.reg_read(register) for register in self._arguments[:3]))

    def _init(self, state: int, algorithm: int, _: int) -> None:
        name = bytes(self._uc.mem_read(algorithm, 16)).split(b"\0")[0].decode()
        self.hashes[state] = hashlib.new(name)

    def _update(self, state: int, at: int, length: int) -> None:
        self.hashes[state].update(bytes(self._uc.mem_read(at, length)))

    def _final(self, state: int, digest: int, length: int) -> None:
        self._uc.mem_write(digest, self.hashes[state].digest()[:length])

    def _save(self, state: int, at: int, _: int) -> None:
        """Write a number that denotes the present state of a hash function."""
        self._uc.mem_write(at, len(self.saved).to_bytes(4, "little"))
        self.saved.append(self.hashes[state].copy())

    def _load(self, state: int, at: int, _: int) -> None:
        number = int.from_bytes(self._uc.mem_read(at, 4), "little")
        self.hashes[state] = self.saved[number].copy()
