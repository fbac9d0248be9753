"""Exclusive access in routines: what a call changes has no alias, of any type and at any depth."""

import pytest

from efdgen.generator.errors import EfdgenError
from efdgen.generator.routines import tree
from efdgen.generator.routines.exclusive import overlap
from efdgen.generator.routines.module import module
from efdgen.generator.routines.parser import parse

TEXT = """
constant N: int

type row = u32[N]

structure point

leaf merge(inout p: point, q: point)
leaf exchange(inout p: point, inout q: point)
leaf twice(p: point) -> point as r
leaf step(inout p: point) -> point as r
leaf parts(p: point) -> point as r, point as s
leaf sum_of(t: point[]) -> point as r
leaf fill(inout t: point[N], p: point)

routine through(inout p: point, q: point):
    merge(p, q)

routine number(inout a: u32) -> u32:
    a = a ^ 1
    return a

routine numbers(inout a: u32, inout b: u32):
    a = b

routine both(inout a: u32, t: row):
    a = t[0]

routine plus(a: u32, b: u32) -> u32:
    return a +% b

routine f(a: point, t: row, i: int) -> u32:
    var p: point = a
    var q: point = a
    var r: point[N]
    var s: point[2][N]
    r[0] = a
    r[1] = a
    s[0][0] = a
    s[1][0] = a
    var u: row = t
    var b: u32 = 0
    {line}
    return b
"""
WRONG = {
    "a structure twice": ("merge(p, p)", "p"),
    "a structure twice, through a routine": ("through(p, p)", "p"),
    "a structure changed twice": ("exchange(p, p)", "p"),
    "an item twice": ("merge(r[0], r[0])", "r"),
    "an item at any place": ("merge(r[0], r[i])", "r"),
    "an item of an item": ("merge(s[0][0], s[0][i])", "s"),
    "an item, and a row with it": ("merge(s[0][0], sum_of(s[0]))", "s"),
    "an item, and the whole array": ("merge(r[0], sum_of(r))", "r"),
    "an array, and an item of it": ("fill(r, r[0])", "r"),
    "an item in a call": ("merge(r[0], twice(r[0]))", "r"),
    "a call that changes it too": ("merge(p, step(p))", "p"),
    "a result in its place": ("p = step(p)", "p"),
    "a result in a part of it": ("r[i] = step(r[0])", "r"),
    "two results in one place": ("p, p = parts(q)", "p"),
    "two results in two parts": ("r[0], r[i] = parts(q)", "r"),
    "a number changed twice": ("numbers(b, b)", "b"),
    "a word of what is read": ("both(u[0], u)", "u"),
    "a number read beside the call": ("b = b ^ number(b)", "b"),
    "two calls in a sum": ("u[0] = number(b) ^ number(b)", "b"),
    "a number read by a call beside": ("u[0] = plus(b, number(b))", "b"),
    "an update by a call": ("b ^= number(b)", "b"),
}
RIGHT = [
    "merge(p, q)",
    "exchange(r[0], r[1])",
    "exchange(s[0][i], s[1][i])",
    "merge(s[1][0], sum_of(s[0]))",
    "p = step(q)",
    "r[0] = step(r[1])",
    "p, q = parts(p)",
    "r[0], r[1] = parts(r[i])",
    "numbers(u[0], u[1])",
    "merge(p, twice(twice(q)))",
    "u[0] = number(b) ^ u[0]",
]


def checked(line: str):
    return module(parse(TEXT.replace("{line}", line)), {}, {"N": 4}, ["f"])


@pytest.mark.parametrize(("line", "name"), WRONG.values(), ids=WRONG)
def test_aliases_of_what_is_changed_are_refused(line, name):
    with pytest.raises(EfdgenError, match=rf"f, line \d+: {name} is changed and read at once"):
        checked(line)


@pytest.mark.parametrize("line", RIGHT)
def test_places_apart_may_be_changed(line):
    assert "f" in checked(line).routines


def test_members_are_apart_by_their_names():
    p, q = tree.Name("p"), tree.Name("q")
    x, y = tree.Member(p, "X"), tree.Member(p, "Y")
    assert overlap(p, x)
    assert overlap(x, tree.Member(p, "X"))
    assert not overlap(x, y)
    assert not overlap(x, tree.Member(q, "X"))
    items = [tree.Member(tree.Index(p, index), "X") for index in (tree.Number(0), tree.Number(1), q)]
    assert not overlap(items[0], items[1])
    assert overlap(items[0], items[2])
