"""Symbols that routines are followed on: words of bits, carries, numbers and ranges, against integers."""

from itertools import product

import pytest

from efdgen.generator.errors import EfdgenError
from efdgen.generator.routines.integers import Integers, RoutineError
from efdgen.generator.routines.module import module
from efdgen.generator.routines.parser import LIBRARY, parse
from efdgen.generator.routines.types import Integer
from efdgen.verify.routines.arithmetic import Arithmetic
from efdgen.verify.routines.exceptions import Bounds, Orders
from efdgen.verify.routines.points import Point, multiple, read_steps
from efdgen.verify.routines.words import Columns, Polynomial, prove_words, words
from efdgen.verify.symbols.bits import Bitwise, Word, form_of_word, symbol_bit, word
from efdgen.verify.symbols.facts import DeadError, Facts
from efdgen.verify.symbols.ways import ways

U8, U32, U64 = Integer("byte", 8), Integer("u32", 32), Integer("u64", 64)


def test_operators_on_words_of_bits_agree_with_integers(rng):
    """Every value of the symbols is tried; they are decided afterwards."""
    for _ in range(200):
        known = rng.getrandbits(8)
        bits = [symbol_bit(("k", i)) if known >> i & 1 else rng.getrandbits(1) for i in range(8)]
        shift, other = rng.randrange(8), rng.getrandbits(8)
        values = [rng.getrandbits(1) for _ in range(8)]
        for operator, right in (("<<", shift), (">>", shift), ("^", other), ("&", other), ("|", other)):
            facts = Facts()
            found = Bitwise(facts).binary(operator, U8, word(bits), right)
            facts.known = {("k", i): value for i, value in enumerate(values)}
            plain = Bitwise(facts).known(word(bits))
            assert Bitwise(facts).known(found) == Integers().binary(operator, U8, plain, right)


def test_operators_that_bits_do_not_follow_are_refused():
    a, b = (word([symbol_bit((name, i)) for i in range(8)]) for name in "ab")
    meaning = Bitwise(Facts())
    for operator, right, why in (
        ("|", b, "two unknown bits"),
        ("+", 1, "unknown bits"),
        (">>", 8, "a shift"),
    ):
        with pytest.raises(RoutineError, match=why):
            meaning.binary(operator, U8, a, right)
    assert meaning.binary("^", U8, a, a) == 0
    with pytest.raises(RoutineError, match="counts as a number"):
        form_of_word(meaning.binary("^", U8, a, b))
    with pytest.raises(RoutineError, match="nothing is known"):
        meaning.binary("+", U8, None, 1)


def test_a_bit_that_is_needed_is_decided_both_ways():
    def follow(facts: Facts) -> int:
        return Bitwise(facts).binary("+", U8, Word((symbol_bit(("k", 0)),)), 3)

    assert [(found, facts.cases) for facts, found in ways(follow)] == [
        (3, ["not bit 0 of k set"]),
        (4, ["bit 0 of k set"]),
    ]


@pytest.mark.parametrize(
    ("kind", "operator", "low", "high", "right", "why"),
    [
        (U32, "+", 0, 2**32 - 1, 1, "out of its type"),
        (U64, "*", 0, 2**32, 2**32, "out of its type"),
        (U64, "-%", 0, 2**32 - 1, 2**33, "out of its type"),
        (U64, "-", 0, 7, 8, "not followed"),
        (U32, ">>", 0, 2**32 - 1, 32, "not followed"),
        (U64, ">>", 0, 2**64 - 1, 31, "not followed"),
        (U64, ">>", 0, 2**64 - 1, 63, "not followed"),
        (U64, "+", -1, 5, 1, "wrapped"),
    ],
)
def test_sums_that_may_leave_their_type_are_refused(kind, operator, low, high, right, why):
    value = Polynomial({("a",): 1}, low, high)
    with pytest.raises(RoutineError, match=why):
        Columns().binary(operator, kind, value, right)


def test_a_word_and_its_carry_make_up_a_sum():
    columns = Columns()
    (a, b) = words("a", 2)
    total = columns.binary("+", U64, columns.converted(U64, a), columns.converted(U64, b))
    low, carry = columns.converted(U32, total), columns.binary(">>", U64, total, 32)
    assert (carry.low, carry.high) == (0, 1)
    assert low.is_word
    assert low.plus(carry, 2**32).terms == total.terms


EDITS = [
    ("scalar_sub", "u64(b[i]) + u64(borrow)", "u64(b[i])"),
    ("scalar_sub", "difference >> 63", "difference >> 32"),
    ("scalar_add", "        sum >>= 32\n    return r", "        sum >>= 31\n    return r"),
    ("scalar_add", "sum += u64(a[i]) + u64(b[i])", "sum = u64(a[i]) + u64(b[i])"),
    ("scalar_add_product", "for j in 0..SCALAR_WORDS - i:", "for j in 0..SCALAR_WORDS - i - 1:"),
    ("scalar_quotient", "for j in i + SCALAR_WORDS..2", "for j in i + SCALAR_WORDS + 1..2"),
    ("scalar_quotient", "r[i] = product[i + split.words]", "r[i] = product[i + split.words - 1]"),
    ("scalar_quotient", "u32[2 * SCALAR_WORDS] = half", "u32[2 * SCALAR_WORDS] = 0"),
    ("scalar_quotient", "var row: u64 = 0", "var row: u64 = 1"),
]
COUNT = 3
NAMES = ("scalar_sub", "scalar_add", "scalar_add_product", "scalar_quotient")


def staged(old: str = "", new: str = ""):
    text = (LIBRARY / "scalars.routine").read_text(encoding="utf-8")
    assert text.count(old) == 1 or not old
    row = (0,) * COUNT
    values = {"SCALAR_WORDS": COUNT, "SCALAR_BYTES": 8, "DIGITS": 65}
    values |= {"SPLIT_MULTIPLIERS": (row,) * 2, "SPLIT_HALVES": (row * 2,) * 2, "SPLIT_BASIS": (row,) * 4}
    plan = {"encoding.big": 0, "split.words": 4, "split.kept": 2, "split.shift": 128, "split.reason": ""}
    parsed = parse(text.replace(old, new) if old else text)
    return module(parsed, plan, values | {"SPLIT_SHIFTS": (row,) * 8}, NAMES)


def test_arithmetic_of_several_words_is_proved():
    prove_words(staged(), NAMES, 128)


@pytest.mark.parametrize(("name", "old", "new"), EDITS)
def test_edits_of_arithmetic_are_refused(name, old, new):
    with pytest.raises(EfdgenError):
        prove_words(staged(old, new), [name], 128)


def test_ranges_contain_all_values_and_no_others_of_differences():
    """A borrow bounds what a number is reduced to."""
    facts = Facts()
    facts.limits["k"] = 0, 1000
    t = facts.make("t", 2, {"k": 1})
    less = facts.make("d", 2, {"k": 1, None: -600})
    assert (less.low, less.high) == (-600, 400)
    with facts.assuming((less.name, -1), 1):
        assert facts.range(t.form) == (0, 599)
    with facts.assuming((less.name, -1), 0):
        assert facts.range(t.form) == (600, 1000)
        assert facts.range(less.form) == (0, 400)
    assert facts.range(t.form) == (0, 1000)
    other = facts.make("e", 2, {"k": 1, None: 1})
    assert other.sign == 0
    with pytest.raises(DeadError), facts.assuming((t.name, -1), 1):
        pass


def test_a_quotient_is_rounded_down():
    facts = Facts()
    facts.limits["k"] = 0, 1000
    quotient = facts.quotient({"k": 7, None: 5}, 16)
    # k - 16/7*quotient is between -5/7 and 10/7.
    low, high = facts.range({"k": 7, **{name: -16 * c for name, c in quotient.items()}})
    true = [7 * k - 16 * ((7 * k + 5) // 16) for k in range(1001)]
    assert (low, high) == (min(true), max(true))


def test_numbers_that_are_none_are_refused():
    facts = Facts()
    facts.limits["k"] = 0, 2**40
    t = facts.make("t", 2, {"k": 1}).value()
    for wrong, why in (([t[1], t[0]], "no number"), ([t[0], None], "never written")):
        with pytest.raises(RoutineError, match=why):
            facts.number(wrong)
    facts.limits["l"] = 0, 2**70
    with pytest.raises(RoutineError, match="71 bits in 2 words"):
        facts.make("l", 2, {"l": 1})
    with pytest.raises(RoutineError, match="neither 0 nor 1"):
        Arithmetic(facts, 0).table["scalar_assign"](t, t, 2)


def test_forms_that_may_be_multiples_of_an_order_are_found():
    """Against all values of the bits."""
    for constant, order in product((-31, -5, 1, 4, 10), (7, 11, 13)):
        facts = Facts()
        facts.limits["k"] = 0, 31
        number = facts.make("k", 1, {"k": 1})
        form = {(number.name, i): 2 << i for i in range(5)} | {None: constant}
        met = any((constant + 2 * k) % order == 0 for k in range(32))
        assert Bounds(facts, order).vanishes(form, Orders(order, order)) == met
        small = any(constant + 2 * k == 0 or abs(constant + 2 * k) >= 3 for k in range(32))
        assert Bounds(facts, order).vanishes(form, Orders(order, 3)) == small


def test_points_of_two_bases_may_be_equal():
    facts = Facts()
    assert Bounds(facts, 101).meets(multiple("P", 3), multiple("G", 5), Orders(101, 101), None)
    assert not Bounds(facts, 101).meets(multiple("P", 3), multiple("P", 5), Orders(101, 101), None)
    assert Bounds(facts, 101).meets(multiple("P", 3), multiple("P", 98), Orders(101, 101), None)
    assert Bounds(facts, 101).meets(Point(), multiple("P", 98), Orders(101, 101), None)


def test_tables_are_read_by_windows():
    odd = [multiple("P", n) for n in (1, 3, 5, 7)]
    read = read_steps(odd, 3)
    for window in range(8):
        total = read.zero
        for i, step in enumerate(read.steps):
            total = total.plus(step, window >> i & 1)
        assert total == multiple("P", 2 * window - 7)
    for wrong in (odd[:3], [*odd[:3], multiple("P", 9)], odd[::-1][:2] + odd[:2]):
        with pytest.raises(RoutineError, match=r"a table of 3|is not the sum"):
            read_steps(wrong, 3)
