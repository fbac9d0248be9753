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
structure element

leaf scale(p: point, z: element) -> point as r
leaf norm(p: point) -> element as r
leaf both_parts(p: point) -> point as r, element as z
leaf row_of(p: point, n: int) -> point[N] as r
leaf last_of(t: point[], n: int) -> point as r
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
    "a result over a member of an argument": ("p = scale(p, p.X)", "p"),
    "a result over a member of a whole": ("p.X = norm(p)", "p"),
    "a result over an item of an array": ("r[0] = sum_of(r)", "r"),
    "a result over a row of rows": ("s[0][1] = last_of(s[0], 1)", "s"),
    "a result over an array with an item": ("r = row_of(r[1], 2)", "r"),
    "results over a whole and its member": ("p, p.X = both_parts(q)", "p"),
    "a result over a member, among several": ("q, p.X = both_parts(p)", "p"),
    "a variable that is made again": ("let v = twice(q)\n    let v = scale(v, v.X)", "v"),
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
    "p = scale(p, q.X)",
    "p.X = norm(q)",
    "q.X = norm(p)",
    "r[0] = sum_of(s[0])",
    "p, q.X = both_parts(p)",
    "let v = twice(q)\n    let v = scale(v, q.X)",
]
# Results that are written where the caller says, perhaps where an argument is.
FURTHER = """
leaf is_flat(p: point) -> choice
leaf is_zero(z: element) -> choice
leaf chosen(p: point, q: point, first: choice) -> point as r

routine f(p: point, q: point) -> {results}:
    {body}
"""
WRONG_RESULTS = {
    "a part of an argument in its place": (
        "point as r",
        "return scale(p, p.X)",
        "p is changed and read at once",
    ),
    "a part of another argument in its place": (
        "point as r",
        "return scale(p, q.X)",
        "q is changed and read at once",
    ),
    "a number that is read late": (
        "point as r, choice",
        "return q, is_flat(p)",
        "returned by its name if it depends",
    ),
    "a number in a sum": (
        "point as r, choice",
        "return q, 1 ^ is_flat(p)",
        "returned by its name if it depends",
    ),
    "a structure that is read late": (
        "point as r, point as s",
        "return q, p",
        "returned by its name if it depends",
    ),
    "a call that reads late": (
        "point as r, point as s",
        "return q, twice(p)",
        "returned by its name if it depends",
    ),
    "a member that is read late": (
        "point as r, element as z",
        "return q, p.X",
        "returned by its name if it depends",
    ),
}
RIGHT_RESULTS = [
    ("point as r", "return chosen(p, q, is_zero(p.X))"),
    ("point as r", "return twice(p)"),
    ("point as r", "let z = p.X\n    return scale(p, z)"),
    ("point as r, choice", "let flat = is_flat(p)\n    return q, flat"),
    ("point as r, point as s", "let s = p\n    return q, s"),
    ("element as z, choice", "let flat = is_flat(p)\n    return norm(p), flat"),
]


def checked(line: str):
    return module(parse(TEXT.replace("{line}", line)), {"point.members": ("X", "Y")}, {"N": 4}, ["f"])


def returning(results: str, body: str):
    head, _, _ = TEXT.partition("routine f")
    text = head + FURTHER.format(results=results, body=body)
    return module(parse(text), {"point.members": ("X", "Y")}, {"N": 4}, ["f"])


@pytest.mark.parametrize(("line", "name"), WRONG.values(), ids=WRONG)
def test_aliases_of_what_is_changed_are_refused(line, name):
    with pytest.raises(EfdgenError, match=rf"f, line \d+: {name} is changed and read at once"):
        checked(line)


@pytest.mark.parametrize("line", RIGHT)
def test_places_apart_may_be_changed(line):
    assert "f" in checked(line).routines


@pytest.mark.parametrize(("results", "body", "reason"), WRONG_RESULTS.values(), ids=WRONG_RESULTS)
def test_results_where_arguments_are_read_late_are_refused(results, body, reason):
    with pytest.raises(EfdgenError, match=reason):
        returning(results, body)


@pytest.mark.parametrize(("results", "body"), RIGHT_RESULTS)
def test_results_may_be_where_arguments_are(results, body):
    assert "f" in returning(results, body).routines


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
