"""Loops on words as they are printed: read, run on integers, proved, and refused where they are wrong."""

from dataclasses import replace

import gmpy2
import pytest

from efdgen.generator.fields.bundle import offered_functions
from efdgen.generator.fields.field import Field
from efdgen.generator.fields.pieces import Names
from efdgen.verify.fields.division import prove_loop
from efdgen.verify.fields.run import run
from efdgen.verify.verdicts import Refuted
from efdgen.verify.words.c import read_c
from efdgen.verify.words.machine import Machine
from efdgen.verify.words.reader import NotReadError
from efdgen.verify.words.rust import read_rust
from efdgen.verify.words.values import DependsOnDataError, Integer, NotFollowedError, Plain, Secret

CONSTANT_TIME = ("inv", "is_square")
VARIABLE_TIME = ("inv_var", "is_square_var")


def loops(language: str, prime: int, *names: str, prefix: str = "fp"):
    """The loops of functions, for words of both sizes."""
    offered = offered_functions(Field(prime), Names(prefix), language, slow=False)
    return [claim for name in names for claim in offered[name].claims]


def expected(name: str, value: int, prime: int) -> int:
    if "square" in name:
        return int(gmpy2.legendre(value, prime) >= 0)
    return pow(value, -1, prime) if value else 0


@pytest.mark.parametrize(("prime", "count"), [(3, 3), (5, 5), (13, 13), (251, 3), (2**255 - 19, 1)])
@pytest.mark.parametrize("language", ["c", "rust"])
@pytest.mark.slow
def test_what_is_printed_computes_on_integers_what_python_does(prime, count, language, rng):
    values = range(prime) if count == prime else [rng.randrange(prime) for _ in range(count)]
    for loop in loops(language, prime, *CONSTANT_TIME, *VARIABLE_TIME):
        name = loop.function.removeprefix("fe_")
        radix = loop.arrangement.radix
        for value in values:
            found, wanted = run(loop, value * radix % prime), expected(name, value, prime)
            if "square" not in name:
                wanted = wanted * radix % prime
            assert found == wanted, (name, loop.arrangement.word, value)


def test_no_branch_nor_index_depends_on_data_but_where_names_say_so():
    for language in ("c", "rust"):
        for loop in loops(language, 2**61 - 1, *CONSTANT_TIME):
            run(loop, None, Secret())
        for loop in loops(language, 2**61 - 1, *VARIABLE_TIME):
            with pytest.raises(DependsOnDataError):
                run(loop, None, Secret())


BRANCHES = [
    ("c", "fp_word odd = fp_word_mask(g & 1)", "fp_word odd = (g & 1) == 1 ? ~(fp_word)0 : 0"),
    ("c", "carry = limb >>", "if (carry == 0) { break; } carry = limb >>"),
    ("rust", "let odd = (g & one).wrapping_neg();", "let odd = if g & one == one { Word::MAX } else { 0 };"),
    ("rust", "carry = sum >> SIGNED_BITS;", "carry = sum >> (sign & 1);"),
]


@pytest.mark.parametrize(("language", "right", "wrong"), BRANCHES)
def test_a_branch_on_data_is_seen(language, right, wrong):
    for loop in loops(language, 2**61 - 1, "inv"):
        wrong_loop = edited(loop, right, wrong)
        with pytest.raises(DependsOnDataError):
            run(wrong_loop, None, Secret())
        with pytest.raises(Refuted, match=r"depends on data|signs are changed"):
            prove_loop(wrong_loop)


def edited(loop, right: str, wrong: str):
    assert right in loop.text, right
    return replace(loop, text=loop.text.replace(right, wrong))


@pytest.mark.parametrize("language", ["c", "rust"])
@pytest.mark.slow
def test_printed_loops_are_proved(language):
    for loop in loops(language, 2**255 - 19, *CONSTANT_TIME, *VARIABLE_TIME):
        prove_loop(loop)


TURNS = {
    "c": [
        ("inv", "(zeta ^ swap) - one", "(zeta ^ swap) + one", "division step"),
        ("inv", "(g + one) + (addend & odd)", "g + (addend & odd)", "division step"),
        ("inv", "f ^= difference & swap;", "f ^= difference & odd;", "division step"),
        ("inv", "swap = odd & negative", "swap = odd", "division step"),
        ("inv", "addend = f ^ negative;\n    }", "addend = g ^ negative;\n    }", "addend"),
        ("inv", "i < count", "i + 1 < count", "turns"),
        ("inv", "(fp_word)2 << (2 * count)", "(fp_word)4 << (2 * count)", "f is packed"),
        ("inv", "g & (half - 1)", "g & half", "g is packed"),
        ("inv", "fp_shift_right(f + half, width)", "fp_shift_right(f, width)", "rows are read"),
        ("is_square", "bits ^= swap & g & ~f;", "bits ^= swap & g;", "symbol changes"),
        ("is_square", "turns += change >> sign", "turns ^= change >> sign", "changes of sign"),
        ("is_square", "twos ^= f;", "twos = f;", "modulo 8"),
        ("is_square", "bits ^ twos ^ (twos >> 1)", "bits ^ twos", "modulo 8"),
        ("is_square", "turns = 0,", "turns = 1,", "before the loop"),
    ],
    "rust": [
        ("inv", "(zeta ^ swap).wrapping_sub(one)", "(zeta ^ swap).wrapping_add(one)", "division step"),
        (
            "inv",
            "wrapping_add(one).wrapping_add(addend & odd)",
            "wrapping_add(addend & odd)",
            "division step",
        ),
        ("inv", "f ^= difference & swap;", "f ^= difference & odd;", "division step"),
        ("inv", "(odd & negative, f ^ g)", "(negative, f ^ g)", "division step"),
        ("inv", "for _ in 0..count", "for _ in 1..count", "turns"),
        ("inv", "wrapping_sub(2 <<", "wrapping_sub(4 <<", "f is packed"),
        ("inv", "both.wrapping_sub(low)", "both", "rows are read"),
        ("is_square", "swap & g & !f", "swap & g & f", "symbol changes"),
        ("is_square", "changes.wrapping_add(change >>", "changes.wrapping_sub(change >>", "changes of sign"),
        ("is_square", "let mut twos = 0", "let mut twos = 1", "before the loop"),
    ],
}


AROUND = {
    "c": [
        ("inv", "u, f[i]), v, g[i]);\n        r", "u, f[i]), v, g[0]);\n        r", "divided by 2"),
        ("inv", "(fp_sum_low(sum) & mask)", "(fp_sum_low(sum))", "limbs are in their bounds"),
        ("inv", "(u & d_sign) + ", "", "between -2p and p"),
        ("inv", "multiple -= ", "multiple += ", "multiple of p"),
        ("inv", "FFFF); /* 1/p */", "FFFD);", "multiple of p"),
        ("inv", "(raised ^ negate) - negate + carry", "(raised ^ negate) + carry", "signs are changed"),
        ("inv", "fp_signed_prime[i] & add", "fp_signed_prime[i] & 1", "signs are changed|overflows"),
        ("inv", "t[2] * *f", "t[1] * *f", "low words"),
        ("inv", "s[2] * upper", "s[1] * upper", "matrices are multiplied"),
        ("inv", "bit > 2", "bit > 30", "limbs are made of words"),
        ("inv", "FP_SIGNED_BITS - bit;", "FP_SIGNED_BITS - bit + 1;", "words are made of limbs"),
        ("inv", "FP_FE_BITS + 31", "FP_FE_BITS + 61", "SIGNED_LIMBS is|no element"),
        ("inv", "(int64_t)a * b", "a * b", "overflows"),
        ("inv", "? 3 : 6", "? 3 : 5", "120 steps are enough"),
        ("inv", "? 47 : 24", "? 47 : 23", "138 steps are enough"),
        ("inv", "? 47 : 24", "? 47 : 30", "rows fit their words"),
        ("inv", "zeta = 0 - (fp_word)1;", "zeta = 0;", "starts from -1"),
        (
            "inv",
            "matrix[2], matrix[3]);\n        zeta",
            "matrix[0], matrix[3]);\n        zeta",
            "an entry",
        ),
        ("inv", "f[now][last] >> (", "g[now][last] >> (", "sign of f"),
        ("inv", "fp_signed_adjust(d[now ^ 1], 0);", "", "reduced"),
        ("inv", "scale = whole >> steps", "scale = whole >> (steps + 1)", "limb_bits steps"),
        ("inv", "fp_division_advance(&x, &y, s, (steps + 1) / 3);", "", "of step"),
        ("inv", "fp_division_compose(t, s);", "fp_division_compose(s, t);", "follow each other"),
        ("inv", "fp_word x = (fp_word)f[now][0]", "fp_word x = (fp_word)f[0][0]", "of one step"),
        ("is_square", "changes += before ^ after ^ ", "changes += after ^ ", "told by"),
        ("is_square", "before = after;", "", "told by"),
        ("is_square", ">> sign) ^ after;", ">> sign);", "told by"),
        ("is_square", "(changes + 1)", "changes", "told by"),
        ("is_square", "1 ^ (symbol & ", "1 & (symbol & ", "told by"),
        ("is_square_var", "rest |= (fp_word)g[now][i]", "rest = (fp_word)g[now][i]", "depends on data"),
        ("is_square_var", "rest |= (fp_word)g[now][i]", "rest |= (fp_word)f[now][i]", "depends on data"),
        ("inv_var", "e[now], t[2], t[3]", "e[now], t[0], t[3]", "of one matrix"),
        ("inv_var", "fp_signed_adjust(d[now], 0);", "", "reduced"),
        ("inv_var", "fp_prime_limbs[i]", "fp_inverse_start[i]", "low bits of f"),
        ("inv_var", "fp_fe_inv(r, a)", "fp_fe_inv(r, r)", "operand"),
        ("inv_var", "t[i] *= 4;", "t[i] *= 2;", "limb_bits steps"),
        ("inv_var", "fp_division_compose(t, s);", "fp_division_compose(s, t);", "follow each other"),
        ("inv_var", "piece(s, x, y, lead)", "piece(s, y, x, lead)", "low bits of f"),
        ("inv_var", "advance(&x, &y, t, count)", "advance(&x, &y, t, count - 1)", "count|steps"),
        ("inv_var", "(gsign | 1) << half", "(gsign | 1) << (half - 1)", "starts from signs"),
        ("inv_var", "upper = fsign | 1", "upper = 1", "starts from signs"),
        ("inv_var", "(f ^ fsign) - fsign", "f", "low bits are those"),
        ("inv_var", "(count + 1) << count) | (((g", "(count + 1) << 1) | (((g", "low bits are those"),
        (
            "inv_var",
            "zeros(g | ((fp_word)1 << left))",
            "zeros(g | ((fp_word)2 << left))",
            "zeros are counted",
        ),
        ("inv_var", "zeros(g | (", "zeros(f | (", "zeros are counted"),
        ("inv_var", "upper <<= zeros;", "", "subtracts|kept at the end"),
        ("inv_var", "left -= zeros;", "left -= zeros + 1;", "shifted out|too long"),
        ("inv_var", "zeros(difference | ((fp_word)1 << left))", "zeros(difference)", "not 0"),
        ("inv_var", "f += difference & smaller;", "f += difference;", "subtracts"),
        ("inv_var", "(difference ^ smaller) - smaller", "difference", "subtracts"),
        ("inv_var", "upper += change & smaller;", "upper += change;", "subtracts"),
        ("inv_var", "lower = (change ^ smaller)", "lower = (difference ^ smaller)", "subtracts"),
        ("inv_var", "upper - (fp_word)t[0], half", "upper, half", "read from its rows"),
        (
            "inv_var",
            "t[2] = (fp_signed)fp_shift_right(lower <<",
            "t[2] = (fp_signed)fp_shift_right(upper <<",
            "read",
        ),
        ("inv_var", "count = half - 2, sign", "count = half - 3, sign", "low bits are those"),
        ("inv_var", "ghigh | 1) - (", "ghigh | 1) - 1 - (", "too long"),
        ("inv_var", "fhigh | ghigh | 1", "fhigh | ghigh", "not 0"),
        (
            "inv_var",
            "i <= last; i++) {\n        const fp_word flimb",
            "i <= last + 1; i++) {\n        const fp_word flimb",
            "followed|no element",
        ),
    ],
    "rust": [
        (
            "inv",
            "(sum as Word & SIGNED_MASK)",
            "(sum as Word & (SIGNED_MASK >> 1))",
            "bounds|divided|multiple",
        ),
        ("inv", "(u & d_sign).wrapping_add(v & e_sign)", "v & e_sign", "between -2p and p"),
        ("inv", "wrapping_sub(sign).wrapping_add(carry)", "wrapping_sub(sign)", "signs are changed"),
        ("inv", "row(t[2], t[3]))", "row(t[2], t[1]))", "low words"),
        ("inv", "entry(s[0], s[1], 1)", "entry(s[0], s[1], 0)", "matrices are multiplied"),
        ("inv", "t[column + 2]", "t[column]", "matrices are multiplied"),
        ("inv", "Sum::from(a).wrapping_mul(Sum::from(b))", "Sum::from(a.wrapping_mul(b))", "overflows"),
        ("inv", "entry << REST", "entry << (REST - 1)", "limb_bits steps"),
        (
            "inv",
            "let shift = WORD_BITS - bit;",
            "let shift = WORD_BITS - bit - 1;",
            "limbs are made of words",
        ),
        ("inv", "shift = SIGNED_BITS - bit;", "shift = SIGNED_BITS - bit + 1;", "words are made of limbs"),
        ("inv", "{ 3 } else { 6 }", "{ 3 } else { 5 }", "120 steps are enough"),
        ("inv", "let mut zeta = Word::MAX", "let mut zeta: Word = 0", "starts from -1"),
        ("inv", "(zeta, d, e) = (after, upper, lower)", "(zeta, d, e) = (after, lower, upper)", "d"),
        ("inv", "f[SIGNED_LIMBS - 1] >> (WORD_BITS - 1)", "f[0] >> (WORD_BITS - 1)", "sign of f"),
        (
            "inv",
            "division_compose(&second, &first)",
            "division_compose(&first, &second)",
            "follow each other",
        ),
        ("is_square", "symbol.changes.wrapping_add(1)", "symbol.changes", "told by"),
        ("is_square", "let before = sign(matrix[1]);", "let before = sign(matrix[0]);", "told by"),
        ("is_square_var", "g.iter().all", "f.iter().all", "depends on data"),
        ("inv_var", "division_row(&d, &e, t[2], t[3])", "division_row(&d, &e, t[2], t[1])", "of one matrix"),
        ("inv_var", "return self.invert();", "return f.invert();", "operand"),
        ("inv_var", "entry << 2", "entry << 1", "limb_bits steps"),
        ("inv_var", "compose(&second, &first)", "compose(&first, &second)", "follow each other"),
        ("inv_var", "division_advance(low, &first, HALVINGS)", "low", "of step|follow each other"),
        ("inv_var", "(g_sign | 1) << half", "1 << half", "starts from signs"),
        ("inv_var", "wrapping_sub(sign) & low", "wrapping_sub(0) & low", "low bits are those"),
        ("inv_var", "upper <<= zeros;", "lower <<= zeros;", "subtracts|kept at the end"),
        ("inv_var", "wrapping_add(change & is_smaller)", "wrapping_sub(change & is_smaller)", "subtracts"),
        (
            "inv_var",
            "(1 as Word) << left)).trailing_zeros();\n        let",
            "(1 as Word) << 31)).trailing_zeros();\n        let",
            "zeros are counted|shifted out",
        ),
        ("inv_var", "word.wrapping_sub(first), half", "word, half", "read from its rows"),
        ("inv_var", "leading_zeros() - 2", "leading_zeros()", "too long"),
        ("inv_var", "HALVINGS: usize = WORD_BITS / 2 - 2", "HALVINGS: usize = WORD_BITS / 2 - 3", "14|steps"),
    ],
}


@pytest.mark.parametrize(
    ("language", "edit"), [(key, edit) for key, edits in TURNS.items() for edit in edits]
)
def test_a_wrong_turn_is_refuted(language, edit, tmp_path, monkeypatch):
    monkeypatch.setenv("EFDGEN_CACHE", str(tmp_path))
    name, right, wrong, text = edit
    narrow = loops(language, 2**31 - 1, name)[-1]
    assert narrow.arrangement.word == 32
    with pytest.raises(Refuted, match=text):
        prove_loop(edited(narrow, right, wrong))


@pytest.mark.drawn(30)
@pytest.mark.parametrize(
    ("language", "edit"), [(key, edit) for key, edits in AROUND.items() for edit in edits]
)
def test_what_is_wrong_around_a_turn_is_refuted(language, edit, tmp_path_factory, monkeypatch):
    monkeypatch.setenv("EFDGEN_CACHE", str(tmp_path_factory.getbasetemp()))
    name, right, wrong, text = edit
    with pytest.raises(Refuted, match=text):
        prove_loop(edited(loops(language, 2**61 - 1, name)[-1], right, wrong))


def test_what_is_not_understood_is_refused():
    for text in (
        "void f(int a) { goto end; }",
        "void f(int a) { a +; }",
        "#if X\nint f(void) { }\n#endif",
        "@",
    ):
        with pytest.raises(NotReadError):
            read_c(text, 64)
    for text in ("fn f() { unsafe(a) b; }", "fn f() { let 1 = a; }", "static A: u8 = 1;"):
        with pytest.raises(NotReadError):
            read_rust(text)


@pytest.mark.parametrize(
    ("language", "right", "wrong"),
    [
        ("c", "t[0] * *f", "t[0] * (fp_signed)*f"),
        ("c", "fp_signed upper = t[i]", "fp_signed upper = (fp_word)t[i]"),
        ("c", "mask(1), half = (fp_word)1 << count", "mask(1), half = (fp_word)1 << (count + FP_WORD_BITS)"),
        ("rust", "f & (half - 1)).wrapping_sub(", "f & (half - 1)) - ("),
        ("rust", "u.wrapping_mul(t[column])", "u.wrapping_mul(unknown[column])"),
    ],
)
def test_what_must_not_be_done_with_words_is_refused(language, right, wrong):
    loop = edited(loops(language, 251, "inv")[0], right, wrong)
    with pytest.raises(NotFollowedError):
        run(loop, 3)


def test_the_prefix_does_not_matter():
    wanted = list(map(repr, loops("c", 251, "inv")))
    for prefix in ("toy", "TOY"):
        assert list(map(repr, loops("c", 251, "inv", prefix=prefix))) == wanted


@pytest.mark.parametrize("statement", ["a = b++;", "a = b += 1;", "a = ;", "a b;"])
def test_statements_of_c_that_are_not_understood_are_refused(statement):
    with pytest.raises(NotReadError):
        read_c(f"static inline fp_word fp_f(fp_word a, fp_word b) {{ {statement} return a; }}", 64)


def test_an_assignment_to_several_places_goes_from_right_to_left():
    text = read_c("static inline fp_word fp_f(fp_word a, fp_word b) { a = b = a + 1; return a * b; }", 64)
    machine = Machine(text, 64, Plain())
    assert machine.call("f", *(Integer(machine.word, value) for value in (4, 9))).raw == 5 * 5
