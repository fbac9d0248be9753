"""The pass over secrets in single instructions: saved pointers, halves of a choice, constant data."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from efdgen.verify.machine.check import Expected, judge
from efdgen.verify.machine.objects import read_object

# A target; the text of a function of a pointer and counts; an edit with a leak, and what that is.
CASES = {
    "a frame of 4,096 bytes": (
        "aarch64-none-elf",
        """
        sub sp, sp, #1, lsl #12
        str x0, [sp, #16]
        ldr x1, [x0]
        str x1, [sp, #24]
        ldr x2, [sp, #16]
        ldr x3, [x2]
        add sp, sp, #1, lsl #12
        ret
        """,
        ("ldr x2, [sp, #16]", "ldr x2, [sp, #24]"),
        {"address"},
    ),
    "both halves of a choice": (
        "thumbv7em-none-eabi",
        """
        ldr r1, [r0]
        cmp r2, #3
        ite gt
        movgt r1, #1
        movle r1, #0
        cmp r1, #0
        beq 1f
        nop
        1: bx lr
        """,
        ("movle r1, #0", "movle r3, #0"),
        {"branch"},
    ),
    "a choice by two comparisons": (
        "thumbv7em-none-eabi",
        """
        ldr r1, [r0]
        cmp r2, #3
        ite gt
        movgt r1, #1
        movle r1, #0
        cmp r1, #0
        beq 1f
        nop
        1: bx lr
        """,
        (
            "ite gt\n        movgt r1, #1\n",
            "it gt\n        movgt r1, #1\n        cmp r3, #2\n        it le\n",
        ),
        {"branch"},
    ),
    "a table, downwards": (
        "armv7a-none-eabi",
        """
        movw r1, #:lower16:table
        movt r1, #:upper16:table
        sub r3, r1, r2, lsl #2
        ldr r3, [r3, #8]
        bx lr
        """,
        ("sub r3, r1, r2, lsl #2", "ldr r2, [r0]\n        sub r3, r1, r2, lsl #2"),
        {"address"},
    ),
    "a row of a table": (
        "armv7a-none-eabi",
        """
        movw r1, #:lower16:table
        movt r1, #:upper16:table
        mov r3, #8
        mla r3, r2, r3, r1
        ldr r3, [r3]
        bx lr
        """,
        ("mov r3, #8", "ldr r3, [r0]"),
        {"address"},
    ),
    "a register that hands over nothing": (
        "armv7a-none-eabi",
        """
        push {r4, lr}
        sub sp, sp, #32
        add r12, sp, #8
        str r0, [r12]
        add r1, sp, #16
        bl g
        ldr r1, [sp, #8]
        ldr r1, [r1]
        add sp, sp, #32
        pop {r4, pc}
        """,
        ("add r1, sp, #16", "add r1, sp, #8"),
        {"address"},
    ),
    "a place before an array": (
        "armv7a-none-eabi",
        """
        push {r4, lr}
        sub sp, sp, #32
        add r4, sp, #16
        mov r1, r4
        bl g
        sub r3, r4, #16
        str r3, [sp]
        bl g
        ldr r3, [sp]
        ldr r3, [r3, #16]
        add sp, sp, #32
        pop {r4, pc}
        """,
        ("ldr r3, [r3, #16]\n", "ldr r3, [r3, #16]\n        ldr r3, [r3]\n"),
        {"address"},
    ),
}
# Writes to where its second argument is, and has a table of numbers.
REST = {
    "aarch64-none-elf": "ret",
    "armv7a-none-eabi": "ldr r12, [r0]\n        str r12, [r1]\n        bx lr",
    "thumbv7em-none-eabi": "bx lr",
}


def found(text: str, target: str, folder: Path, clang: str) -> set[str]:
    """Return what is found in a function."""
    heads = "".join(f"        .type {name}, %function\n" for name in "fg")
    thumb = "        .thumb\n        .syntax unified\n" if target.startswith("thumb") else ""
    body = f"{heads}{thumb}f:{text}\n.size f, .-f\ng:\n        {REST[target]}\n.size g, .-g\n"
    data = ".section .rodata\n.type table, %object\ntable: .long 1, 2, 3, 4\n.size table, .-table\n"
    (folder / "text.s").write_text(f".text\n.globl f\n{body}{data}")
    command = [clang, f"--target={target}", "-c", "text.s", "-o", "text.o"]
    subprocess.run(command, cwd=folder, check=True)
    own = frozenset({"f"})
    verdict = judge(read_object(folder / "text.o"), Expected(frozenset(), own, own))
    assert not verdict.unjudged
    return {finding.what for finding in verdict.findings}


@pytest.mark.parametrize("case", CASES)
def test_saved_and_computed_places_are_told_from_secrets(case, tmp_path, clang):
    target, text, (old, new), leak = CASES[case]
    assert text.count(old) == 1
    assert found(text, target, tmp_path, clang) == set()
    assert found(text.replace(old, new), target, tmp_path, clang) == leak
