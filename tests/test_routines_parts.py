"""Parts of arrays and public arguments in routines: meaning, refusals, and the printed text read back."""

from contextlib import suppress

import pytest
from test_routines import HEAD
from test_routines_printed import NONE, changed, edits, in_c, in_rust, modules

from efdgen.generator.errors import EfdgenError
from efdgen.generator.languages.bindings import Bindings
from efdgen.generator.routines.integers import RoutineError
from efdgen.generator.routines.interpreter import Interpreter
from efdgen.generator.routines.module import module
from efdgen.generator.routines.parser import parse
from efdgen.verify.words.c import read_c
from efdgen.verify.words.reader import NotReadError
from efdgen.verify.words.rust import read_rust

SIZES = {"N": 4, "HALF": 3}
PARTS = """
constant HALF: int

routine reversed_half(t: byte[HALF]) -> byte[HALF] as r:
    var r: byte[HALF]
    for i in 0..HALF:
        r[i] = t[HALF - 1 - i]
    return r

routine halves(t: byte[2 * HALF]) -> byte[1 + 2 * HALF] as r:
    var r: byte[1 + 2 * HALF]
    r[0] = byte(u32(t[0]) >> 7)
    r[1..1 + HALF] = reversed_half(t[HALF..2 * HALF])
    r[1 + HALF..1 + 2 * HALF] = reversed_half(t[0..HALF])
    return r

public routine first(data: byte[length]) -> byte[HALF] as found, u32:
    var found: byte[HALF] = 0
    var valid: u32 = 0
    if length == HALF + 1 and data[0] == 4:
        found = data[0..HALF]
        valid = 1
    return found, valid
"""


def test_parts_are_read_and_written():
    run = Interpreter(modules(parse(HEAD + PARTS), SIZES))
    assert run.call("halves", [0x81, 2, 3, 4, 5, 6]) == [[1, 6, 5, 4, 3, 2, 0x81]]
    assert run.call("first", [4, 5, 6, 7]) == [[4, 5, 6], 1]
    assert run.call("first", [5, 5, 6, 7]) == run.call("first", [4, 5]) == [[0, 0, 0], 0]


def test_a_part_beyond_the_end_is_refused():
    text = parse(f"{HEAD}routine f(data: byte[length]) -> byte[2] as r:\n    return g(data[1..3])\n{PAIR}")
    run = Interpreter(module(text, {}, {"N": 4}, ["f"]))
    assert run.call("f", [1, 2, 3]) == [[2, 3]]
    with pytest.raises(RoutineError, match="items 1 to 3 of 2"):
        run.call("f", [1, 2])


PAIR = "routine g(t: byte[2]) -> byte[2] as r:\n    return t\n"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("routine f(t: byte[4]) -> byte[2] as r:\n    return g(t[i..2])\n", "this is no constant"),
        ("routine f(t: byte[4]) -> byte[2] as r:\n    return g(t[3..5])\n", "no items 3 to 5 of 4"),
        ("routine f(t: byte[4]) -> byte[2] as r:\n    return g(t[2..2])\n", "no items 2 to 2 of 4"),
        ("routine f(t: byte[4]) -> byte[2] as r:\n    return g(t[0..3])\n", "instead of byte\\[2\\]"),
        ("routine f(t: u32) -> byte[2] as r:\n    return g(t[0..2])\n", "this has no items"),
        ("routine f(data: byte[count]) -> byte[count] as r:\n    return data\n", "length of a result"),
        (
            "public routine h(a: u32) -> u32:\n    return a\nroutine f(a: u32) -> u32:\n    return h(a)\n",
            "time",
        ),
        (
            "routine f(a: byte) -> u32:\n    if a == 4:\n        return 1\n    return 0\n",
            "depends on a secret",
        ),
        (
            "routine change(inout a: byte[2], b: byte[2]):\n    a[0] = b[1]\n"
            "routine f(inout t: byte[4]):\n    change(t[0..2], t[1..3])\n",
            "changed and read at once",
        ),
    ],
)
def test_what_parts_and_public_arguments_are_refused(text, reason):
    with pytest.raises(EfdgenError, match=reason):
        module(parse(HEAD + PAIR + text), {}, {"N": 4}, ["f"])


def test_texts_of_parts_are_as_reviewers_write_them():
    found = modules(parse(HEAD + PARTS), SIZES)
    assert "fp_reversed_half(r + 1 + FP_HALF, t);" in in_c(found)
    assert "r[1..=HALF].copy_from_slice(&reversed_half(&t[HALF..2 * HALF]));" in in_rust(found)
    assert "size_t length" in in_c(found)


@pytest.mark.parametrize("language", ["c", "rust"])
def test_every_edit_of_a_printed_part_is_found(language):
    found = modules(parse(HEAD + PARTS), SIZES)
    text = in_c(found) if language == "c" else in_rust(found)
    own = NONE if language == "c" else Bindings()
    read = (lambda edited: read_c(edited, 64)) if language == "c" else read_rust
    assert not changed(found, read(text), own)
    count = 0
    for _, edited in edits(text):
        count += 1
        with suppress(NotReadError):
            assert changed(found, read(edited), own), edited
    assert count > 20


def test_a_loop_over_items_of_an_item_was_left_out():
    text = parse(
        "routine f(t: u32[2][3][2]) -> u32:\n    var s: u32 = 0\n"
        "    for i, row in t[1]:\n        s = s +% row[1]\n    return s\n"
    )
    run = Interpreter(module(text, {}, {}, ["f"]))
    assert run.call("f", [[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]]]) == [30]
