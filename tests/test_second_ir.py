"""LLVM IR as the second reader translates it."""

import pytest
from second.errors import RefusedError, UndefinedError
from second.ir import Module
from second.ir_memory import Block, read, stored

MODULE = """\
target datalayout = "e-m:e-p270:32:32-i64:64-n8:16:32:64-S128"
@bytes = private unnamed_addr constant [4 x i8] c"\\\\\\93a\\22", align 1

define void @copied(ptr align 1 %r) unnamed_addr #0 {
start:
  call void @llvm.memcpy.p0.p0.i64(ptr align 1 %r, ptr align 1 @bytes, i64 4, i1 false)
  ret void
}

define i64 @shifted(i64 %a, i64 %b) unnamed_addr #0 {
start:
  %0 = icmp slt i64 %a, 0
  br i1 %0, label %bb1, label %bb2

bb1:
  %1 = ashr i64 %a, %b
  ret i64 %1

bb2:
  %2 = freeze i64 %a
  ret i64 %2
}
"""


def test_backslashes_and_quotes_in_constants_are_read():
    block = Block(bytes(4))
    Module(MODULE).call("copied", (block, 0))
    assert read(block, 8) == [0x5C, 0x93, 0x61, 0x22]


def test_shifts_keep_signs():
    assert Module(MODULE).call("shifted", (1 << 64) - 8, 2) == (1 << 64) - 2


def test_what_is_unknown_or_undefined_ends_a_call():
    module = Module(MODULE)
    with pytest.raises(RefusedError, match="freeze"):
        module.call("shifted", 1, 2)
    with pytest.raises(UndefinedError, match="shift"):
        module.call("shifted", (1 << 64) - 8, 64)
    with pytest.raises(UndefinedError, match="4 bytes at 2"):
        module.call("copied", (stored([1], 32), 2))
