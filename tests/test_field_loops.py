"""Loops on words as they are printed: read, run on integers, proved, and refused where they are wrong."""

from dataclasses import replace

import gmpy2
import pytest
from edits import table

from efdgen.generator.fields.bundle import offered_functions
from efdgen.generator.fields.field import Field
from efdgen.generator.fields.pieces import Names
from efdgen.generator.mathematics.prime import PrimeField
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
    offered = offered_functions(Field(PrimeField(prime)), Names(prefix), language, slow=False)
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


PRIMES = {"31 bits": 2**31 - 1, "61 bits": 2**61 - 1}
EDITS = table("loops")


def test_every_edit_finds_its_place():
    """Some are drawn in each run, and text changes meanwhile."""
    texts = {row[:3]: loops(row[0], PRIMES[row[1]], row[2])[-1].text for row in map(tuple, EDITS)}
    assert [edit for edit in EDITS if edit[3] not in texts[tuple(edit[:3])]] == []


def require_refuted(language, field, name, right, wrong, text):
    found = loops(language, PRIMES[field], name)[-1]
    assert found.arrangement.word == 32
    with pytest.raises(Refuted, match=text):
        prove_loop(edited(found, right, wrong))


@pytest.mark.parametrize("edit", [edit for edit in EDITS if edit[1] == "31 bits"])
def test_a_wrong_turn_is_refuted(edit, unproved):
    require_refuted(*edit)


@pytest.mark.slow
@pytest.mark.drawn(30)
@pytest.mark.parametrize("edit", [edit for edit in EDITS if edit[1] == "61 bits"])
def test_what_is_wrong_around_a_turn_is_refuted(edit, tmp_path_factory, monkeypatch):
    monkeypatch.setenv("EFDGEN_CACHE", str(tmp_path_factory.getbasetemp()))
    require_refuted(*edit)


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
