"""Instructions are counted as compilers emit them, the same each time."""

import shutil

import pytest

from efdgen.generator.autotuning.candidates import timed_operations
from efdgen.generator.autotuning.counting import MERGED, InstructionCount, instructions
from efdgen.generator.autotuning.stopwatch import Compiler
from efdgen.generator.errors import EfdgenError
from efdgen.generator.fields.field import Field

DISASSEMBLY = """\

tuning:     file format elf64-x86-64

Disassembly of section .text:

0000000000001149 <call_0>:
    1149:\tpush   %rbp
    114a:\tcall   1130 <t0_limbs_f0.constprop.0>
    114f:\tret

0000000000001130 <t0_limbs_f0.constprop.0>:
    1130:\tmulx   %rax,%rbx,%rcx
    1135:\tret

0000000000008000 <tuning::t0::f12>:
    8000:\tret
"""


def test_instructions_are_those_of_functions_by_their_plain_names():
    assert instructions(DISASSEMBLY) == {"call_0": 3, "t0_limbs_f0": 2, "f12": 1}


@pytest.mark.parametrize(
    ("language", "command", "flags"),
    [("c", "gcc", ("-O2",)), ("c", "clang-19", ("-O2",)), ("rust", "rustc", ("-Copt-level=2",))],
)
def test_what_takes_more_products_has_more_instructions_each_time(language, command, flags):
    field = Field(2**255 - 19, "gcc", (64,))
    operations = timed_operations(field, ("mul", "sqr", "add"))
    count = InstructionCount(Compiler(language, command, flags))
    found = count(operations, 2)
    counts = {timed.operation.name: each[0] for timed, each in zip(operations, found, strict=True)}
    assert counts["mul"] > counts["sqr"] > counts["add"] > 8
    assert all(each == [each[0]] * 2 for each in found)
    assert count(operations, 2) == found


def test_what_is_there_twice_counts_once():
    add, mul = timed_operations(Field(2**255 - 19, words=(64,)), ("add", "mul"))
    found = InstructionCount(Compiler("c", "gcc", ("-O2",)))([mul, add, mul], 1)
    assert sorted(each == [MERGED] for each in found) == [False, False, True]
    assert found[1] < [MERGED]


def test_without_a_disassembler_it_says_what_to_install(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with pytest.raises(EfdgenError, match="no objdump to count instructions with; install binutils"):
        InstructionCount(Compiler("c", "gcc", ()))
