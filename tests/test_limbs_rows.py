"""The table of operations: rows on all short words, and a new row as all that an operation takes."""

from dataclasses import dataclass
from itertools import product

import pytest

from efdgen.generator.limbs import c, rust
from efdgen.generator.limbs.builder import LimbBuilder
from efdgen.generator.limbs.halves import HalfMul, HalvesBuilder
from efdgen.generator.limbs.interpreter import LostError, run, trace
from efdgen.generator.limbs.intervals import Interval, Intervals
from efdgen.generator.limbs.operation import Operation
from efdgen.generator.limbs.operations import (
    Add,
    And,
    CarrylessDot,
    Dot,
    Funnel,
    FusedHigh,
    FusedLow,
    Mul,
    MulLow,
    MulWide,
    Or,
    Select,
    ShiftLeft,
    ShiftRight,
    Sub,
    Xor,
)
from efdgen.generator.limbs.plan import plan
from efdgen.generator.limbs.printer import operation_text
from efdgen.generator.limbs.program import Claim, Number, Term
from efdgen.generator.limbs.spelling import LimbFunction
from efdgen.generator.limbs.tally import tally_text
from efdgen.verify.limbs.carries import _System
from efdgen.verify.limbs.lemma import lemmas
from efdgen.verify.limbs.prove import prove_lemma
from efdgen.verify.readback.limbs import LimbReader
from efdgen.verify.readback.meaning import results
from efdgen.verify.readback.values import Values
from efdgen.verify.verdicts import Refuted
from efdgen.verify.words.c import read_c
from efdgen.verify.words.rust import read_rust

BITS, BASE = 3, 8
# Operations on a, b and a bit, and their results in the words of this page alone.
ROWS = {
    MulWide(0, 1): lambda a, b, _: (a * b % BASE, a * b // BASE),
    MulLow(0, 1): lambda a, b, _: (a * b % BASE,),
    Mul(0, 1): lambda a, b, _: (a * b,) if a * b < BASE else None,
    HalfMul(0, 1, 2): lambda a, b, _: (a * b,) if max(a, b) < 4 and a * b < BASE else None,
    Dot(((0, 1),), ((0, 1),), ((1, 0),)): lambda a, b, _: wide(a * b + 7 * b - 7 * a, a * b + a + BASE * b),
    CarrylessDot(((0, 1),)): lambda a, b, _: carryless(a, b),
    Add(0, 1, 2): lambda a, b, bit: ((a + b + bit) % BASE, int(a + b + bit >= BASE)),
    Add(0, 1): lambda a, b, _: ((a + b) % BASE, int(a + b >= BASE)),
    Sub(0, 1, 2): lambda a, b, bit: ((a - b - bit) % BASE, int(a < b + bit)),
    And(0, 1): lambda a, b, _: (sum(1 << at for at in range(BITS) if digit(a, at) and digit(b, at)),),
    Or(0, 1): lambda a, b, _: (sum(1 << at for at in range(BITS) if digit(a, at) or digit(b, at)),),
    Xor(0, 1): lambda a, b, _: (sum(1 << at for at in range(BITS) if digit(a, at) != digit(b, at)),),
    ShiftLeft(0, 2): lambda a, b, _: (4 * a,) if a < 2 else None,
    ShiftRight(0, 2): lambda a, b, _: (a // 4,),
    Funnel(0, 1, 1): lambda a, b, _: (2 * a % BASE + b // 4,),
    Select(2, 0, 1): lambda a, b, bit: ((b, a)[bit],),
    FusedLow(2, 0, 1, 2): lambda a, b, bit: (bit + a * b % 4,) if max(a, b) < 4 else None,
    FusedHigh(2, 0, 1, 2): lambda a, b, bit: (bit + a * b // 4,) if max(a, b) < 4 else None,
}


def digit(number, at):
    return number // 2**at % 2


def wide(total, before):
    return (total % BASE, total // BASE) if total >= 0 and before < BASE**2 else None


def carryless(a, b):
    places = [i + j for i in range(BITS) for j in range(BITS) if digit(a, i) and digit(b, j)]
    total = sum(1 << place for place in {*places} if places.count(place) % 2)
    return total % BASE, total // BASE


def one_operation(operation, word=BITS, most=(7, 7, 1)):
    """Return a program of one operation on a, b and c, whose results are the words of a number."""
    builder = LimbBuilder(word)
    for name, maximum in zip("abc", most, strict=False):
        builder.input(name, 1, maximum)
    made = builder.emit(operation)
    claim = Claim(1, (Term(1, (0,)), Term(4, (1,))))
    result = builder.define("r = a + 4·b", made, (1 << word * len(made)) - 1, claim)
    return builder.build([("r", result)])


@pytest.mark.parametrize("operation", ROWS, ids=lambda operation: type(operation).__name__)
def test_results_are_as_a_row_says(operation):
    program, kind = one_operation(operation), Intervals(BITS)
    for a, b, bit in product(range(BASE), range(BASE), range(2)):
        if wanted := ROWS[operation](a, b, bit):
            assert tuple(trace(program, {"a": [a], "b": [b], "c": [bit]})[len(program.inputs) :]) == wanted
            intervals = operation.meaning(kind, [Interval(x, x) for x in (a, b, bit)].__getitem__)
            assert all(low <= value <= high for value, (low, high) in zip(wanted, intervals, strict=True))


@pytest.mark.parametrize("factor", [3, 19, 2**32 - 1, 2**32 + 977, 0xFF00000000000, 2**52 - 1, "b"])
def test_products_are_made_of_halves(factor, rng):
    builder = HalvesBuilder(64)
    maximum = 2**31 - 1 if factor == "b" else (2**64 - 1) // factor - 2**32
    a = builder.take_in(Number("a", (), (0,), max(maximum, 2**10)))
    b = builder.take_in(Number("b", (), (0,), 2**32 - 1))
    known = builder.numbers[b].words[0] if factor == "b" else builder.constant(factor)
    product, high = builder.mul(builder.numbers[a].words[0], known)
    assert builder.is_zero(high)
    claim = Claim(1, (Term(1, (a, b)),) if factor == "b" else (Term(factor, (a,)),))
    program = builder.build([("r", builder.define_limited("r = a * b", [product], (0,), claim))])
    kinds = {type(i.operation) for i in program.instructions}
    assert Mul not in kinds
    assert (HalfMul in kinds) == (factor not in (3, 19))
    for lemma in lemmas(program):
        prove_lemma(lemma)
    for _ in range(20):
        given = {"a": rng.randrange(max(maximum, 2**10)), "b": rng.randrange(2**32)}
        wanted = given["a"] * (given["b"] if factor == "b" else factor)
        assert run(program, {name: [value] for name, value in given.items()})["r"] == wanted


def test_a_factor_of_more_than_half_a_word_is_refused():
    (lemma,) = lemmas(one_operation(HalfMul(0, 1, 2)))
    with pytest.raises(Refuted, match="has a factor that may exceed 2 bits"):
        prove_lemma(lemma)
    with pytest.raises(LostError):
        trace(one_operation(HalfMul(0, 1, 2)), {"a": [1], "b": [4], "c": [0]})


class LowWord(Operation):
    """The low word of a sum: one half of a whole makes no equation with it."""

    def meaning(self, n, of):
        return n.halves(n.sum((of(0), 1), (of(1), 1)))[:1]

    operands = (0, 1)

    def on(self, values):
        return self


@pytest.mark.parametrize("operation", [*ROWS, LowWord()], ids=lambda operation: type(operation).__name__)
def test_what_a_row_makes_is_possible_to_z3(operation):
    (lemma,) = lemmas(one_operation(operation))
    instruction = next(i for i in lemma.instructions if type(i.operation) is type(operation))
    system = _System(lemma, instruction.results, lemma.instructions, tentative=False)
    row = ROWS.get(operation, lambda a, b, _: ((a + b) % BASE,))
    reads = operation.operands
    for values in product(range(BASE), range(BASE), range(2)):
        if wanted := row(*values):
            given = zip(instruction.operation.operands, (values[at] for at in reads), strict=True)
            known = [*given, *zip(instruction.results, wanted, strict=True)]
            total = system.sum([(system.word(value), BASE**at) for at, (value, _) in enumerate(known)])
            assert not system.excludes(total == sum(n * BASE**at for at, (_, n) in enumerate(known))), values


def number_of(values, value, given):
    """Return the number that a value of a graph is, by what the names of its operations mean."""
    name, *reads = values.node(value)
    match name:
        case "unit" | "constant":
            return reads[0] if reads else 1
        case "input":
            return given[reads[0]]
        case "double":
            return sum(number_of(values, each, given) * factor for each, factor in reads) % BASE**2
    if name == "fused":
        added, left, right = (number_of(values, each, given) for each in reads[:3])
        product = left % 4 * (right % 4)
        return (added + (product % 4, product // 4, product)[reads[4]]) % BASE
    amount = reads.pop() if name in ("<<", ">>", "funnel") else 0
    numbers = [number_of(values, each, given) for each in reads]
    found = {
        "product": lambda a, b: a * b,
        "low": lambda a: a % BASE,
        "high": lambda a: a // BASE,
        "add": lambda a, b, bit: (a + b + bit) % BASE,
        "carry": lambda a, b, bit: (a + b + bit) // BASE,
        "sub": lambda a, b, bit: (a - b - bit) % BASE,
        "borrow": lambda a, b, bit: int(a < b + bit),
        "negated": lambda a: -a % BASE,
        "inverted": lambda a: BASE - 1 - a,
        "&": lambda a, b: a & b,
        "|": lambda a, b: a | b,
        "^": lambda a, b: a ^ b,
        "<<": lambda a: a * 2**amount % BASE,
        ">>": lambda a: a // 2**amount,
        "funnel": lambda high, low: high * 2**amount % BASE + low // 2 ** (BITS - amount),
        "carryless": lambda a, b: carryless(a, b)[0] + BASE * carryless(a, b)[1],
        "poly_low": lambda a: a % BASE,
        "poly_high": lambda a: a // BASE,
    }
    return found[name](*numbers)


@pytest.mark.parametrize("operation", [*ROWS, LowWord()], ids=lambda operation: type(operation).__name__)
def test_printed_text_has_to_equal_what_a_row_makes(operation):
    values, program = Values(BITS), one_operation(operation)
    ((outputs,), _) = results(LimbFunction("toy", program, ()), values)
    row = ROWS.get(operation, lambda a, b, _: ((a + b) % BASE,))
    for a, b, bit in product(range(BASE), range(BASE), range(2)):
        if wanted := row(a, b, bit):
            given = {"a": a, "b": b, "c": bit}
            assert tuple(number_of(values, value, given) for value in outputs) == wanted, given


@dataclass(frozen=True, slots=True)
class AddShifted(Operation):
    """``left + right · 2^amount``, which fits a word."""

    left: int
    right: int
    amount: int

    reads = ("left", "right")
    counted = "sum"
    text = "{left} + ({right} << {amount})"
    c, rust = "{left} + ({right} << {amount})", "{left}.wrapping_add({right} << {amount})"

    def meaning(self, n, of):
        return n.chained(1, of(self.left), n.shifted_left(of(self.right), self.amount), None)[:1]


@dataclass(frozen=True, slots=True)
class Misspelt(AddShifted):
    c, rust = "{left} + ({right} << 1)", "{left}.wrapping_sub({right} << {amount})"


@dataclass(frozen=True, slots=True)
class Misunderstood(AddShifted):
    def meaning(self, n, of):
        return n.chained(1, of(self.left), n.shifted_left(of(self.right), self.amount + 1), None)[:1]


def differences(operation):
    """Return how texts in C and in Rust differ from a program of one operation."""
    function = LimbFunction("toy", one_operation(operation, 64, (2**60, 2**60)), ("A toy.",))
    in_c = c.render_header(plan(2**255 - 19, 64), [function], "fp").replace(" fp_toy(", " fp_limbs_toy(")
    in_rust = rust.render_module(plan(2**255 - 19, 64), [function])
    read = {"c": read_c(in_c, 64), "rust": read_rust(in_rust)}
    return {name: LimbReader(name, 64, {"toy": function}).differences(text) for name, text in read.items()}


def test_a_new_operation_is_one_row():
    operation = AddShifted(0, 1, 2)
    program = one_operation(operation, 64, (2**60, 2**60))
    assert trace(program, {"a": [5], "b": [7]})[2:] == [33]
    assert program.intervals[2].high == 2**64 - 1  # of the number that it makes
    assert operation.meaning(Intervals(64), [Interval(1, 2), Interval(3, 4)].__getitem__) == ((13, 18),)
    assert operation_text(operation) == "v0 + (v1 << 2)"
    assert tally_text(LimbFunction("toy", program, ())) == "1 sum of 64-bit words"
    assert operation.on((3, 4)) == AddShifted(3, 4, 2)
    (lemma,) = lemmas(program)
    prove_lemma(lemma)
    assert differences(operation) == {"c": {}, "rust": {}}


def test_a_row_with_another_meaning_is_refused():
    (lemma,) = lemmas(one_operation(Misunderstood(0, 1, 2), 64, (2**60, 2**60)))
    with pytest.raises(Refuted, match="terms of the claim do not vanish"):
        prove_lemma(lemma)
    assert all("toy" in found for found in differences(Misunderstood(0, 1, 2)).values())


def test_a_row_with_another_spelling_is_refused():
    assert all("toy" in found for found in differences(Misspelt(0, 1, 2)).values())


def test_what_does_not_fit_is_refused():
    (lemma,) = lemmas(one_operation(AddShifted(0, 1, 2), 64, (2**60, 2**63)))
    with pytest.raises(Refuted, match="may not fit a word"):
        prove_lemma(lemma)
