"""Functions on one word or two in C: proved for every kind of compiler, and refused where they are wrong."""

from dataclasses import replace

import pytest

from efdgen.generator.fields.emitted import emitted_words
from efdgen.generator.fields.pieces import Names
from efdgen.verify.fields.helpers import COMPILERS, prove_helpers
from efdgen.verify.verdicts import Refuted
from efdgen.verify.words.c import read_c
from efdgen.verify.words.reader import NotReadError


@pytest.mark.parametrize("word", [64, 32])
@pytest.mark.parametrize("language", ["c", "rust"])
def test_sums_and_products_of_words_are_proved(word, language):
    prove_helpers(emitted_words(word, Names("toy"), language))


def test_words_without_flags_are_proved_and_have_texts_of_their_own():
    emitted = emitted_words(32, Names("fp"), "c", target="rv32im")
    prove_helpers(emitted)
    assert emitted.text != emitted_words(32, Names("fp"), "c").text


@pytest.mark.parametrize("target", ["cortex-m0", "cortex-m4"])
def test_products_of_a_machine_are_proved(target):
    emitted = emitted_words(32, Names("fp"), "c", target=target)
    prove_helpers(emitted)
    assert emitted.text != emitted_words(32, Names("fp"), "c").text


def test_compilers_are_given_texts_of_their_own():
    emitted = emitted_words(64, Names("fp"), "c")
    texts = {repr(read_c(emitted.text, 64, defined)) for defined in COMPILERS[64].values()}
    assert len(texts) == len(COMPILERS[64])
    with pytest.raises(NotReadError):
        read_c(emitted.text, 64, ())


WRONG = [
    (64, "*r = low;\n    return carry;", "*r = a;\n    return carry;", "word_addc is right, with intrinsics"),
    (64, "addcarryx_u64(carry, a, b,", "addcarryx_u64(0, a, b,", "word_addc is right, with gcc"),
    (64, "sbb_u64(borrow, a, b, &low)", "sbb_u64(borrow, b, a, &low)", "word_subb is right, with gcc"),
    (64, '"+r"(mask)', '"=r"(mask)', "not understood"),
    (64, "__builtin_addcll(a, b, carry, &high)", "__builtin_addcll(a, b, 0, &high)", "word_addc is right"),
    (64, "(fp_wide)a + b + carry", "(fp_wide)a + b", "word_addc is right, with 128-bit integers"),
    (64, "(difference >> 64) & 1", "(difference >> 63) & 1", "word_subb is right, with 128-bit integers"),
    (64, "(product >> 64)", "(product >> 63)", "word_mul is right"),
    (64, "return _umul128(a, b, high);", "return _umul128(a, a, high);", "mul is right, with .* alone"),
    (64, "| (low >> (64 - amount))", "| (low >> (63 - amount))", "word_shld is right"),
    (64, "addc(bit, high, high, r)", "addc(bit, high, low, r)", "word_twice is right, with gcc"),
    (64, "(high << 1) | (low >> 63)", "(high << 1) | (low >> 62)", "word_twice is right"),
    (64, "(high >> 63);", "(high >> 62);", "word_twice is right"),
    (64, "0 - bit", "bit", "word_mask is right"),
    (64, "sum.high += high + carry;", "sum.high += high;", "sum_add is right, with .* alone"),
    (64, "(y & (0 - (x >> 63))) + ", "", "sum_add is right, with .* alone"),
    (64, "(y & (0 - (x >> 63)))", "(x & (0 - (x >> 63)))", "sum_add is right, with .* alone"),
    (64, "(sum.low >> 62) | (sum.high << 2)", "(sum.low >> 62) | (sum.high << 1)", "sum_shift is right"),
    (64, "(uint64_t)((int64_t)sum.high >> 62)", "sum.high >> 62", "sum_shift is right, with .* alone"),
    (64, "return sum.low;", "return sum.high;", "sum_low is right, with .* alone"),
    (64, "word_addc(carry, x.high", "word_addc(0, x.high", "wide_add is right, with .* alone"),
    (64, "word_subb(borrow, x.high", "word_subb(0, x.high", "wide_sub is right, with .* alone"),
    (64, "(x.high << (64 - amount))", "(x.high << (32 - amount))", "wide_shift is right|followed"),
    (64, "product.low = fp_word_mul(a, b,", "product.low = fp_word_mul(a, a,", "wide_mul is right"),
    (64, "fp_wide_of(a, 0)", "fp_wide_of(0, a)", "wide_add_word is right"),
    (64, "fp_word_mask(", "fp_word_veil(", "the contract of word_veil is known"),
    (32, "(sum >> 32)", "(sum >> 31)", "word_addc is right"),
    (32, "(high << 1) | (low >> 31)", "(high << 1)", "word_twice is right"),
    (32, "(uint64_t)a * b;\n    *high", "(uint64_t)a + b;\n    *high", "word_mul is right"),
    (32, "return sum + (int64_t)a * b", "return sum - (int64_t)a * b", "sum_add is right"),
    (32, "sum >> FP_SIGNED_BITS", "sum >> 31", "sum_shift is right"),
    (32, "x + (fp_wide)a * b", "x + a * b", "wide_mac is right"),
    (32, "(fp_wide)a * b + c + d", "(fp_wide)a * b + c + c", "wide_mul_add2 is right"),
    (32, "(fp_wide)a * b + c + d", "(fp_wide)a * b + (c + d)", "wide_mul_add2 is right"),
]
WRONG_FOR_MACHINES = [
    ("cortex-m0", "+ (low >> 16)", "+ (low >> 15)", "word_product is right"),
    ("cortex-m0", "(middle & 0xFFFF)", "(middle & 0xFFFE)", "c can be followed"),
    ("cortex-m0", "+ (other >> 16)", "", "word_product is right"),
    ("cortex-m0", "fp_word_product(a, b) + c", "fp_word_product(a, a) + c", "wide_mul_add2 is right"),
    ("cortex-m4", "low = c, high = d", "low = c, high = c", "wide_mul_add2 is right, with .* UMAAL"),
    ("cortex-m4", '"r"(a), "r"(b)', '"r"(a), "r"(a)', "wide_mul_add2 is right, with .* UMAAL"),
    ("cortex-m4", '"+r"(low), "+r"(high)', '"+r"(high), "+r"(low)', "word_addc is right, with .* UMAAL"),
    ("cortex-m4", '"+r"(high)', '"=r"(high)', "not understood"),
    (
        "cortex-m4",
        "fp_wide_of(low, high);",
        "fp_wide_of(high, low);",
        "wide_mul_add2 is right, with .* UMAAL",
    ),
    ("cortex-m4", "(fp_wide)high << 32", "(fp_wide)high << 31", "is right"),
    ("cortex-m4", "low = a, high = carry", "low = a, high = 0", "word_addc is right, with .* UMAAL"),
    ("cortex-m4", '"r"(b), "r"(one)', '"r"(a), "r"(one)', "word_addc is right, with .* UMAAL"),
    ("cortex-m4", "one = 1", "one = 2", "word_addc is right, with .* UMAAL"),
    ("cortex-m4", "low = ~b", "low = b", "word_subb is right, with .* UMAAL"),
    ("cortex-m4", "high = 1 - borrow", "high = borrow", "word_subb is right, with .* UMAAL"),
    ("cortex-m4", "return 1 - high", "return high", "word_subb is right, with .* UMAAL"),
    ("cortex-m4", "umaal %0, %1, %2", "umlal %0, %1, %2", "not understood"),
]
WRONG_WITHOUT_FLAGS = [
    ("0 - (uint32_t)(difference >> 32)", "(uint32_t)(difference >> 32)", "word_subb is right"),
    ("(high << 1) + bit", "(high << 1) + low", "word_twice is right"),
    ("(high << 1) + bit", "high << 1", "word_twice is right"),
]


@pytest.mark.drawn(8)
@pytest.mark.parametrize(("word", "right", "wrong", "text"), WRONG)
def test_what_loses_a_bit_is_refuted(word, right, wrong, text):
    emitted = emitted_words(word, Names("fp"), "c")
    assert right in emitted.text
    with pytest.raises(Refuted, match=text):
        prove_helpers(replace(emitted, text=emitted.text.replace(right, wrong)))


@pytest.mark.parametrize(("right", "wrong", "text"), WRONG_WITHOUT_FLAGS)
def test_what_loses_a_bit_without_flags_is_refuted(right, wrong, text):
    emitted = emitted_words(32, Names("fp"), "c", target="rv32im")
    assert right in emitted.text
    with pytest.raises(Refuted, match=text):
        prove_helpers(replace(emitted, text=emitted.text.replace(right, wrong)))


@pytest.mark.parametrize(("target", "right", "wrong", "text"), WRONG_FOR_MACHINES)
def test_a_wrong_product_of_a_machine_is_refuted(target, right, wrong, text):
    emitted = emitted_words(32, Names("fp"), "c", target=target)
    assert right in emitted.text
    with pytest.raises(Refuted, match=text):
        prove_helpers(replace(emitted, text=emitted.text.replace(right, wrong)))


WRONG_RUST = [
    (64, "_addcarry_u64(carry, a, b,", "_addcarry_u64(0, a, b,", "add_carry is right, with Rust for x86_64"),
    (64, "(low, high)", "(a, high)", "add_carry is right, with Rust for x86_64"),
    (64, "(sum >> 64) as u8", "(sum >> 63) as u8", "add_carry is right, with Rust for aarch64"),
    (64, ".wrapping_sub(u128::from(borrow))", "", "sub_borrow is right, with Rust for aarch64"),
    (64, "(product >> 64)", "(product >> 32)", "mul_wide is right"),
    (64, "wrapping_sub(core", "wrapping_add(core", "mask is right"),
    (32, ".wrapping_add(u64::from(carry))", "", "add_carry is right"),
    (32, "as u8 & 1", "as u8", "sub_borrow is right"),
    (32, "= u64::from(a).wrapping_mul(u64::from(b))", "= u64::from(a)", "mul_wide is right"),
    (32, "    u64::from(a).wrapping_mul(u64::from(b))", "    u64::from(a)", "wide_mul is right"),
    (32, "        .wrapping_add(u64::from(d))", "", "wide_mul_add2 is right"),
    (64, "x.wrapping_add(wide_mul(a, b))", "x.wrapping_sub(wide_mul(a, b))", "wide_mac is right"),
]


@pytest.mark.drawn(8)
@pytest.mark.parametrize(("word", "right", "wrong", "text"), WRONG_RUST)
def test_what_loses_a_bit_in_rust_is_refuted(word, right, wrong, text):
    emitted = emitted_words(word, Names("fp"), "rust")
    assert right in emitted.text
    with pytest.raises(Refuted, match=text):
        prove_helpers(replace(emitted, text=emitted.text.replace(right, wrong)))
