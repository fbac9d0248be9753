"""Routines: what the checker refuses, what the interpreter does, and scalars against Python's integers."""

import pytest

from efdgen.generator.errors import EfdgenError, TextError
from efdgen.generator.planning.scalar_words import words_of
from efdgen.generator.routines import tree
from efdgen.generator.routines.integers import RoutineError
from efdgen.generator.routines.interpreter import Interpreter
from efdgen.generator.routines.module import module
from efdgen.generator.routines.parser import library, parse

WORDS, BYTES, DIGITS = 10, 32, 257
PLAN = {
    "buckets.bits": 257,
    "encoding.big": 1,
    "split.words": 12,
    "split.kept": 8,
    "split.shift": 384,
    "split.reason": "a reason",
}
WHOLE = 1 << 32 * WORDS
LIMIT = 1 << 8 * BYTES


def words(number: int, count: int = WORDS) -> list[int]:
    return list(words_of(number, count))


def number(found: list[int]) -> int:
    return sum(word << 32 * i for i, word in enumerate(found))


def constants(**tables):
    row = tuple(words(0))
    values = {
        "SCALAR_WORDS": WORDS,
        "SCALAR_BYTES": BYTES,
        "DIGITS": DIGITS,
        "SPLIT_MULTIPLIERS": (row, row),
        "SPLIT_HALVES": ((0,) * 2 * WORDS,) * 2,
        "SPLIT_BASIS": (row,) * 4,
        "SPLIT_SHIFTS": (row,) * 8,
    }
    return values | tables


def scalars(**tables):
    text = library("scalars")
    return Interpreter(module(text, PLAN, constants(**tables), text.routines))


@pytest.fixture
def values(rng) -> list[int]:
    """Scalars at every boundary of words, and random ones."""
    edges = [(1 << 32 * i) + d for i in range(9) for d in (-1, 0, 1)]
    return [*(n for n in edges if 0 <= n < LIMIT), LIMIT - 1, *(rng.getrandbits(256) for _ in range(20))]


def test_scalars_are_read_and_taken_apart(values):
    run = scalars()
    for k in values:
        (t,) = run.call("scalar_read", list(k.to_bytes(BYTES, "big")))
        assert number(t) == k
        for at in (0, 1, 27, 31, 32, 63, 255, 287):
            for count in (1, 5, 16):
                assert run.call("scalar_bits", t, at, count) == [k >> at & (1 << count) - 1]


def test_sums_and_differences_of_scalars(values):
    run = scalars()
    for a, b in zip(values, values[::-1], strict=True):
        r, borrow = run.call("scalar_sub", words(a), words(b))
        assert (number(r), borrow) == ((a - b) % WHOLE, a < b)
        assert number(run.call("scalar_add", words(a), words(b))[0]) == a + b
        t = words(a)
        run.call("scalar_add_product", t, words(b), words(a))
        assert number(t) == (a + a * b) % WHOLE
        for flag in (0, 1):
            t = words(a)
            run.call("scalar_assign", t, words(b), flag)
            assert number(t) == (b if flag else a)
        for small in (0, 1, 2):
            near = [run.call("scalar_differs_by", words(b + d), words(b), small) for d in range(4)]
            assert near == [[int(d == small)] for d in range(4)]


def test_scalars_are_reduced_and_made_odd(values):
    run, order = scalars(), 2**253 - 5
    multiples = [words(order << i) for i in (3, 2, 1, 0)]
    for k in values:
        t = words(k)
        run.call("scalar_reduce", t, multiples)
        assert number(t) == k % order
        (even,) = run.call("scalar_make_odd", t, words(order))
        assert (number(t), even) == ((k % order, 0) if k % order % 2 else (order - k % order, 1))
        n = (1 << 200) - 59
        (r,) = run.call("scalar_lengthened", words(k % n), words(n), 200)
        once = k % n + n
        assert number(r) == (once if once >> 200 & 1 else once + n)


@pytest.mark.slow
def test_recodings_of_scalars(values):
    run = scalars()
    for k in values:
        t = words(k | 1)
        run.call("scalar_signs", t, 257)
        signs = number(t)
        assert sum((2 * (signs >> i & 1) - 1) << i for i in range(257)) == k | 1
        for width in (2, 5, 8):
            (digits,) = run.call("wnaf_var", words(k), width)
            assert sum(digit << i for i, digit in enumerate(digits)) == k
            assert all(d == 0 or (d % 2 and abs(d) < 1 << (width - 1)) for d in digits)
        (digits,) = run.call("signed_wnaf_var", words(-k % WHOLE), 4)
        assert sum(digit << i for i, digit in enumerate(digits)) == -k


@pytest.mark.parametrize("width", range(2, 17))
def test_windows_with_half_of_each_added_are_digits(values, width):
    run, half = scalars(), 1 << (width - 1)
    (count,) = run.call("window_count", width)
    for k in values:
        (r,) = run.call("scalar_shifted_var", words(k), width, count)
        digits = [run.call("scalar_bits", r, width * i, width)[0] - half for i in range(count)]
        assert sum(digit << width * i for i, digit in enumerate(digits)) == k


@pytest.mark.slow
@pytest.mark.parametrize("long", [False, True])
def test_scalars_are_split(values, rng, long):
    """Also with numbers of which every sum carries, from each word to the last."""
    numbers = [WHOLE - 1] * 4 if long else [rng.getrandbits(280) for _ in range(4)]
    halves = [WHOLE**2 - 1] * 2 if long else [rng.getrandbits(400) for _ in range(2)]
    basis = [rng.getrandbits(300) for _ in range(4)]
    shifts = [rng.getrandbits(300) & ~3 | 2 * (i % 4) + 1 for i in range(8)]
    run = scalars(
        SPLIT_MULTIPLIERS=tuple(tuple(words(g)) for g in numbers[:2]),
        SPLIT_HALVES=tuple(tuple(words(h, 2 * WORDS)) for h in halves),
        SPLIT_BASIS=tuple(tuple(words(v)) for v in basis),
        SPLIT_SHIFTS=tuple(tuple(words(v)) for v in shifts),
    )
    for k in values:
        c = [((k * g + h) % WHOLE**2) >> 384 for g, h in zip(numbers, halves, strict=False)]
        (found,) = run.call("scalar_halves", words(k))
        wanted = [k + c[0] * basis[0] + c[1] * basis[2], c[0] * basis[1] + c[1] * basis[3]]
        assert [number(half) for half in found] == [w % WHOLE for w in wanted]
        parity = 2 * (number(found[0]) & 1) + (number(found[1]) & 1)
        odd = [list(half) for half in found]
        run.call("scalar_odd_halves", odd)
        moved = [number(half) + shifts[2 * parity + h] for h, half in enumerate(found)]
        assert [number(half) for half in odd] == [m % WHOLE for m in moved]


HEAD = "constant N: int\ntype row = u32[N]\n\n"
RIGHT = (
    "routine f(a: u32, b: u32) -> u32:\n    return a & b\n",
    "routine f_var(a: u32) -> u32:\n    var r = a\n    if a == 0:\n        r = 1\n    return r\n",
    "routine f(a: row, i: int) -> u32:\n    return a[i % N]\n",
    "routine f(a: u32, b: byte) -> word:\n    var w: word = 0xffffffff\n    w = mask(word(b))\n"
    "    w = word(a)\n    return w\n",
    "routine g(inout a: row):\n    a[0] = 1\n\nroutine f(a: row) -> row as r:\n"
    "    var r: row = a\n    g(r)\n    return r\n",
)
WRONG = {
    "a branch on a secret": ("if a == 0:\n        b = 1", "depends on a secret"),
    "a loop on a secret": ("while a == 0:\n        b = 1", "depends on a secret"),
    "a branch on a number": ("if i:\n        b = 1", "on a comparison"),
    "an index that is secret": ("b = t[a]", "u32 instead of int"),
    "a shift by a secret": ("b = b << a", "u32 instead of int"),
    "a public integer of a secret": ("let j = int(a)", "depend on a secret"),
    "a division of secrets": ("b = a / a", "no / of u32"),
    "a remainder of secrets": ("b = a % a", "no % of u32"),
    "a constant that is assigned": ("let c = a\n    c = a", "c is not assigned again"),
    "a parameter that is assigned": ("a = 1", "a is not assigned again"),
    "an array that is given": ("t[0] = 1", "t is not assigned again"),
    "a loop variable that is assigned": ("for j in 0..3:\n        j = 1", "j is not assigned again"),
    "two types": ("b = a + u64(a)", "between two types"),
    "a narrowing without a word": ("b = u64(a)", "u64 instead of u32"),
    "a number that does not fit": ("b = a + 0x100000000", "4294967296 is no u32"),
    "a negative number": ("b = -a", "- of u32"),
    "a complement of an integer": ("let j = ~i", "~ of int"),
    "a sum of conditions": ("if (i == 0) + (i == 1) == 0:\n        b = 1", "no \\+ of a condition"),
    "bits of integers": ("let j = i & 1", "no & of int"),
    "an item of a number": ("b = a[0]", "has no items"),
    "a name twice": ("let a = i", "a is declared already"),
    "a loop that hides": ("for a in 0..3:\n        b = 1", "a is declared already"),
    "a constant that is hidden": ("let N = i", "N is declared already"),
    "a name from an inner block": ("for j in 0..3:\n        let c = a\n    b = c", "c is not declared"),
    "a loop variable behind its loop": ("for j in 0..3:\n        b = 1\n    let c = j", "j is not declared"),
    "items of a number": ("for j, c in a:\n        b = 1", "no items that can be counted"),
    "items that are numbers": ("for j, c in t:\n        b = c", "read by their index"),
    "an array that its loop changes": (
        "var rows: u32[2][N]\n    for j, c in rows:\n        c[0] = 1\n        rows[0][0] = 1",
        "items of rows are changed by the name c",
    ),
    "a type that is not there": ("var c: u33 = 0", "no type u33"),
    "a number without a value": ("var c: u32", "only an array"),
    "another length": ("var c: u32[3] = t", "u32\\[4\\] instead of u32\\[3\\]"),
    "a routine that is not there": ("b = g(a)", "no routine g"),
    "a static branch that is not": ("static if i == 0:\n        b = 1", "does not decide"),
    "a plan without a name": ("static if plan.x:\n        b = 1", "the plan has no plan.x"),
    "too few values": ("let c, d = same(a)", "1 values for 2 names"),
    "too few arguments": ("b = same()", "0 arguments instead of 1"),
    "a result that is not used": ("same(a)", "is not used"),
    "a result where there is none": ("let c = change(s)", "0 values for 1 names"),
    "what is changed is given": ("change(t)", "a variable is wanted"),
    "what is changed is read": ("merge(s, s)", "changed and read at once"),
    "an item of what is changed": ("pick(s, s[0], s)", "changed and read at once"),
    "variable time": ("b = slow_var(a)", "takes variable time"),
    "a mask that is not used": ("mask(a)", "a mask is a value"),
    "a mask of an integer": ("b = mask(i)", "made of a bit"),
    "a variable that is a keyword of C": ("let register = a", "register is no name for a variable"),
    "a variable that is a keyword of Rust": ("let match = a", "match is no name for a variable"),
    "a variable that is a macro of C": ("let unix = a", "unix is no name for a variable"),
    "a variable that is a type of C": ("let uint8_t = a", "uint8_t is no name for a variable"),
    "a variable that is a type of Rust": ("let usize = i", "usize is no name for a variable"),
    "a variable that is a function of Rust": ("let black_box = i", "black_box is no name for a variable"),
    "a variable that Rust has beside it": ("let before = i", "before is no name for a variable"),
    "a variable with the prefix of functions": ("let fp_a = i", "fp_a is no name for a variable"),
    "a variable in capitals": ("let A = i", "A is no name for a variable"),
    "a loop over a keyword": ("for loop in 0..3:\n        b = 1", "loop is no name for a variable"),
    "items that are a keyword": (
        "var rows: u32[2][N]\n    for j, struct in rows:\n        b = struct[0]",
        "struct is no name for a variable",
    ),
    "a sum of words": ("let w = word(a) + word(a)", "no \\+ of word"),
    "a sum of words that wraps": ("let w = word(a) +% word(a)", "no \\+% of word"),
    "bits of words": ("let w = word(a) & word(a)", "no & of word"),
    "a shift of a word": ("let w = word(a) >> 1", "no >> of word"),
    "a comparison of words": ("if word(a) == word(a):\n        b = 1", "no == of word"),
    "a complement of a word": ("let w = ~word(a)", "~ of word"),
    "an update of a word": ("var w = word(a)\n    w |= w", "no \\| of word"),
    "a part of a word": ("b = u32(word(a))", "no u32 is made of a word"),
    "an integer of a word": ("let j = u64(mask(word(a)))", "no u64 is made of a word"),
    "a word of more bits": ("let w = word(u64(a))", "no word is made of u64"),
    "a word of a signed number": ("let w = word(i32(a))", "no word is made of i32"),
    "a long word": ("var w: word = 0x100000000", "4294967296 is no word of 32 bits"),
    "a return in the middle": ("return 1\n    b = 1", "no statement follows a return"),
}
HELPERS = """
routine same(a: u32) -> u32:
    return a

routine change(inout t: row):
    t[0] = 1

routine merge(inout t: row, u: row):
    t[0] = u[0]

routine pick(inout t: row, a: u32, u: row):
    t[0] = u[0] + a

routine slow_var(a: u32) -> u32:
    return a
"""


@pytest.mark.parametrize("text", RIGHT)
def test_routines_that_pass(text):
    assert module(parse(HEAD + text), {}, {"N": 4}, parse(HEAD + text).routines).routines


@pytest.mark.parametrize(("line", "reason"), WRONG.values(), ids=WRONG)
def test_routines_that_are_refused(line, reason):
    body = f"    var b: u32 = 0\n    var s: row = t\n    {line}\n    return b\n"
    text = f"{HEAD}{HELPERS}\nroutine f(a: u32, t: row, i: int) -> u32:\n{body}"
    with pytest.raises(EfdgenError, match=reason):
        module(parse(text), {}, {"N": 4}, ["f"])


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("routine f(a: u32) -> u32:\n    let b = a\n", "ends in return"),
        ("routine f(a: u32):\n    return a\n", "ends in return|1 values instead of 0"),
        ("routine f(a: u32) -> u32, u32:\n    return a\n", "1 values instead of 2"),
        ("routine f(self: u32) -> u32:\n    return self\n", "self is no name for a variable"),
        ("routine f(t: u32[while]) -> u32:\n    return t[0]\n", "while is no name for a variable"),
        ("routine f(t: u32[2]) -> u32[2] as new:\n    return t\n", "new is no name for a variable"),
        (
            "routine f(t: u32[2]) -> u32[2] as r:\n    let r_out = t\n    return r_out\n",
            "r_out is the place of r",
        ),
        (
            "routine signed(a: u32) -> u32:\n    return a\nroutine f():\n    let b = signed(1)\n",
            "no name for a routine",
        ),
        (
            "routine mask(a: u32) -> u32:\n    return a\nroutine f():\n    let b = mask(1)\n",
            "no name for a routine",
        ),
        (
            "routine byte(a: u32) -> u32:\n    return a\nroutine f():\n    let b = byte(1)\n",
            "byte is no name for a routine",
        ),
        ("leaf iter(a: u32) -> u32\nroutine f():\n    let b = iter(1)\n", "iter is no name for a routine"),
        ("leaf move(a: u32) -> u32\nroutine f():\n    let b = move(1)\n", "move is no name for a routine"),
        ("type u32 = u64\nroutine f(a: u32) -> u32:\n    return a\n", "u32 is no name for a type"),
        ("structure byte\nroutine f(a: byte) -> byte as r:\n    return a\n", "byte is no name for a type"),
        (
            "routine f(a: u32) -> u32:\n    return g(a)\nroutine g(a: u32) -> u32:\n    return f(a)\n",
            "itself",
        ),
    ],
)
def test_whole_routines_that_are_refused(text, reason):
    with pytest.raises(EfdgenError, match=reason):
        module(parse(text), {}, {}, ["f"])


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("routine f(a: u32) -> u32:\n    return a +\n", 2),
        ("routine f(a: u32) -> u32:\n    if a == 1\n        return a\n", 2),
        ("routine f(a) -> u32:\n    return a\n", 1),
        ("routine f() -> u32:\nreturn 1\n", 2),
        ("routine f():\n    a = 1\n\nroutine f():\n    a = 1\n", 1),
    ],
)
def test_texts_that_are_no_routines(text, line):
    with pytest.raises(TextError) as error:
        parse(text)
    assert error.value.position.line == line


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("return a + 1", "4294967296 is no u32"),
        ("return a - a - 1", "-1 is no u32"),
        ("return a * a", "is no u32"),
        ("return a << 8 * i", "a shift by 32"),
        ("return t[i]", "item 4 of 4"),
        ("return t[i - 5]", "item -1 of 4"),
        ("var s: row\n    s[1] = 1\n    return s[0]", "never written"),
        ("return mask(a)", "a mask of 4294967295"),
        (
            "var s: row\n    var r: row = t\n    merge(r, s)\n    return r[0]",
            "reads u, which was never written",
        ),
    ],
)
def test_what_no_routine_may_do(body, reason):
    text = parse(f"{HEAD}{HELPERS}\nroutine f(a: u32, t: row, i: int) -> u32:\n    {body}\n")
    run = Interpreter(module(text, {}, {"N": 4}, ["f"]))
    with pytest.raises(RoutineError, match=reason):
        run.call("f", (1 << 32) - 1, [0, 1, 2, 3], 4)


@pytest.mark.parametrize("operator", ["<", "<=", ">", ">=", "==", "!="])
@pytest.mark.parametrize("number", range(-1, 6))
def test_comparisons_that_a_loop_decides_are_folded(operator, number):
    """The conditions of a loop over 1, 2, 3 that hold in every turn or in none."""
    true = {
        "<": int.__lt__,
        "<=": int.__le__,
        ">": int.__gt__,
        ">=": int.__ge__,
        "==": int.__eq__,
        "!=": int.__ne__,
    }
    text = parse(
        "routine f() -> int:\n    var s = 0\n    for j in 7..7:\n        s += 100\n"
        f"    for i in 1..4:\n        if i {operator} plan.n:\n            s += i\n    return s\n"
    )
    checked = module(text, {"plan.n": number}, {}, ["f"])
    turns = [i for i in (1, 2, 3) if true[operator](i, number)]
    assert Interpreter(checked).call("f") == [sum(turns)]
    (loop,) = [s for s in checked.routines["f"].body if isinstance(s, tree.For)]
    assert any(isinstance(s, tree.If) for s in loop.body) == (0 < len(turns) < 3)


def test_sums_that_wrap():
    text = parse("routine f(a: u32) -> u32:\n    return (a +% 1) -% 2 *% (a +% 3) ^ ~a\n")
    assert Interpreter(module(text, {}, {}, ["f"])).call("f", (1 << 32) - 1) == [((0 - 4) % 2**32) ^ 0]


def test_what_is_given_by_value_is_not_changed():
    text = parse(
        f"{HEAD}routine g(inout t: row):\n    t[0] = 7\n\nroutine f(t: row) -> row as r:\n"
        "    var r: row = t\n    g(r)\n    return r\n"
    )
    run, given = Interpreter(module(text, {}, {"N": 4}, ["f"])), [1, 2, 3, 4]
    assert run.call("f", given) == [[7, 2, 3, 4]]
    assert given == [1, 2, 3, 4]


def test_a_contract_takes_the_place_of_a_routine():
    text = parse(
        f"{HEAD}routine g(inout t: row, a: u32) -> u32:\n    t[0] = a\n    return 1\n\n"
        "routine f(t: row) -> u32:\n    var r: row = t\n    let b = g(r, 5)\n    return r[0] + b\n"
    )
    checked = module(text, {}, {"N": 4}, ["f"])
    assert Interpreter(checked).call("f", [1, 2, 3, 4]) == [6]
    contract = {"g": lambda t, a: [[a + 1] * len(t), 10]}
    assert Interpreter(checked, contract).call("f", [1, 2, 3, 4]) == [16]
