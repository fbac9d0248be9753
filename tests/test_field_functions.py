"""Functions on elements as they are printed: proved for many primes, and refused where they are wrong."""

from dataclasses import replace
from functools import cache

import pytest

from efdgen.generator.fields.bundle import offered_functions
from efdgen.generator.fields.emitted import EmittedFunction
from efdgen.generator.fields.field import Field
from efdgen.generator.fields.pieces import Names
from efdgen.verify.fields.printed import prove_function
from efdgen.verify.verdicts import Refuted

BLS12_381_R = 0x73EDA753299D7D483339D80809A1D80553BDA402FFFE5BFEFFFFFFFF00000001
P224 = 2**224 - 2**96 + 1


@cache
def functions(language: str, prime: int, nonresidue: int | None = None) -> dict[str, EmittedFunction]:
    """What is printed of each public function, without division steps."""
    offered = offered_functions(Field(prime, nonresidue=nonresidue), Names("fp"), language)
    return {
        name: claim
        for name, function in offered.items()
        for claim in function.claims
        if isinstance(claim, EmittedFunction)
    }


PROVED = [
    *((3, -1), (5, 2), (17, None), (2**61 - 1, -1), (15 * 2**27 + 1, None), (BLS12_381_R, None)),
    *((P224, None), (5 * 2**248 - 1, -1)),
]


@pytest.mark.drawn(5)
@pytest.mark.parametrize("language", ["c", "rust"])
@pytest.mark.parametrize(("prime", "nonresidue"), PROVED)
def test_what_is_printed_is_proved(prime, nonresidue, language):
    found = functions(language, prime, nonresidue)
    assert len(found) > 24 + 24 * (nonresidue is not None)
    for function in found.values():
        if "pow" not in function.name or prime < 1 << 64:
            assert prove_function(function).startswith("for all inputs, by symbolic execution of this text")


# Of each: a prime and a nonresidue, a function, what is right, what is wrong, and what is said of it.
WRONG_C = [
    ("plain", "add", "a->limb, b->limb", "a->limb, a->limb", "gives what it should"),
    ("plain", "sub", "a->limb, b->limb", "b->limb, a->limb", "gives what it should"),
    ("plain", "half", "limbs_half(", "limbs_neg(", "gives what it should"),
    ("plain", "set_zero", "i < FP_LIMBS", "i + 1 < FP_LIMBS", "no words of an element"),
    ("plain", "set_zero", "= 0;\n    }", "= 1;\n    }", "gives what it should"),
    ("plain", "set_one", "*r = fp_constant_one", "r->limb[0] = 0", "no words|gives what"),
    ("plain", "mul_small", ", &k)", ", a->limb)", "followed|gives what it should"),
    ("plain", "difference_of_products", "limbs_difference_of", "limbs_sum_of", "gives what it should"),
    ("plain", "select", "a->limb, b->limb", "b->limb, a->limb", "gives what it should"),
    ("plain", "select", "fp_word bit = (fp_word)flag", "fp_word bit = 1", "gives what it should"),
    ("plain", "cswap", "a->limb, b->limb, &bit", "b->limb, a->limb, &bit", "gives what it should"),
    ("plain", "is_zero", "1 ^ fp_limbs", "fp_limbs", "gives what it should"),
    ("plain", "equal", "fe_sub(", "fe_add(", "gives what it should"),
    ("plain", "equal", "&difference, a, b", "&difference, a, a", "gives what it should"),
    ("plain", "sqr_n", "i = 1;", "i = 0;", "gives what it should"),
    ("plain", "sqr_n", "n <= 0", "n <= 1", "gives what it should"),
    ("plain", "sqr_n", "fp_limbs_sqr(r->limb, r->limb)", "fp_limbs_mul(r->limb, r->limb, a->limb)", "gives"),
    ("plain", "sqr_n", "r->limb, r->limb);\n", "r->limb, r->limb);\n if (i > 900) { *r = *a; }\n", "alike"),
    ("plain", "to_words", "to_words(fp_word t", "to_words(fp_word s", "followed"),
    ("windows", "to_words", "limbs_to_number", "limbs_canonical", "no words of an element"),
    ("windows", "from_words", "limbs_from_number", "limbs_from_canonical", "no words of an element"),
    ("windows", "is_zero", "limbs_canonical", "limbs_to_number", "no words of an element"),
    ("plain", "from_bytes_be", "FP_FE_BYTES - i - FP_WORD_BITS / 8", "i", "bytes are read"),
    ("plain", "from_bytes_be", "bytes[1]", "bytes[0]", "bytes are read"),
    ("plain", "from_bytes_be", "(t << 32)", "(t << 16 << 8)", "followed|bytes are read"),
    ("plain", "from_bytes_be", "int i = 0;", "int i = 4;", "followed|bytes are read"),
    ("plain", "from_bytes_le", "bytes[5]", "bytes[6]", "bytes are read"),
    ("plain", "from_bytes_le", "<< 24))", "<< 16))", "followed|bytes are read"),
    ("plain", "from_bytes_le", "<= FP_FE_BYTES", "< FP_FE_BYTES", "followed|bytes are read"),
    ("windows", "from_bytes_be", "FP_FE_BYTES - 1 - i", "i", "bytes are read"),
    ("windows", "from_bytes_le", "bytes[i]", "bytes[FP_FE_BYTES - 1 - i]", "bytes are read"),
    ("windows", "from_bytes_le", "8 * i %", "4 * i %", "followed|bytes are read"),
    ("windows", "from_bytes_le", "= {0};", ";", "followed|bytes are read"),
    ("plain", "from_bytes_le", "t[i] & mask", "t[i]", "bytes are read"),
    ("plain", "from_bytes_le", "below = 1 ^ ", "below = ", "bytes are read"),
    ("plain", "from_bytes_le", "return (int)(1 & mask)", "return 1", "followed|bytes are read"),
    ("plain", "to_bytes_be", "FP_FE_BYTES - i - FP_WORD_BITS / 8", "i", "bytes are written"),
    ("plain", "to_bytes_be", "FP_WORD_BITS - 24", "FP_WORD_BITS - 16", "bytes are written"),
    ("plain", "to_bytes_le", "8 * i / FP_WORD_BITS", "0", "bytes are written"),
    ("plain", "to_bytes_le", "t >> 48", "t >> 40", "bytes are written"),
    ("windows", "to_bytes_be", "FP_FE_BYTES - 1 - i", "i", "followed|bytes are written"),
    ("windows", "to_bytes_le", "8 * i % FP_WORD_BITS", "0", "bytes are written"),
    ("plain", "inv_batch", "&one, &a[i]", "&zero, &a[i]", "followed|gives"),
    ("plain", "inv_batch", "&zero, &r[i], skip", "&one, &r[i], skip", "gives"),
    ("plain", "inv_batch", "i = left - 1", "i = n - left", "gives"),
    ("plain", "inv_batch", "left > 0", "left > 1", "gives"),
    ("plain", "inv_batch", "r[i] = product;", "r[0] = product;", "gives|followed"),
    ("plain", "inv_batch", "r[i] = product;", "r[i] = product; if (i == 7) { product = one; }", "alike"),
    ("plain", "inv_batch", "fp_fe_inv(&product, &product);", "", "gives"),
    ("plain", "pow", "4 * bytes - 1", "4 * bytes - 2", "exponent that is given|gives"),
    ("plain", "pow", "2 * (i % 4) + 1", "2 * (i % 4)", "exponent that is given"),
    ("plain", "pow", "&power, 2)", "&power, 1)", "exponent that is given"),
    ("plain", "pow", "&table[3], &table[2], low", "&table[2], &table[3], low", "more than a known power"),
    ("plain", "pow", "&odd, &digit, high", "&digit, &odd, high", "exponent that is given"),
    ("plain", "pow_public", "*r = power;", "*r = power; *r = base;", "last turn"),
    ("plain", "pow_public", "base = *a;", "base; fp_fe_set_one(r); base = *a;", "another power"),
    ("plain", "pow_public", "i % 8", "i % 7", "another bit|all bits|more than known"),
    ("plain", "pow_public", "&power, &power, &base", "&power, &base, &base", "another power"),
    ("plain", "pow_public", "i >= 0", "i > 0", "all bits are taken"),
    ("plain", "pow_public", "*r = power;", "*r = base;", "last turn"),
    ("plain", "sqrt", "r, &root, &zero, flag", "r, &zero, &root, flag", "gives"),
    ("turns", "sqrt", "&root, &root, a", "&root, &root, &root", "gives"),
    ("plain", "sqrt", "fp_fe_sqr_n(r, a, 59)", "fp_fe_sqr_n(r, a, 58)", "a root of a square|followed"),
    ("plain", "sqrt", "fp_root_of_square(&root, a)", "root = *a", "gives"),
    ("plain", "sqrt", "fp_fe_equal(&square, a)", "1", "gives"),
    ("plain", "inv_sqrt", "fp_fe_mul(&test, &test, a);", "", "gives"),
    ("plain", "sqrt_ratio", "fp_fe_mul(&test, &test, b);", "", "gives"),
    ("windows", "sqrt", "rest = 95 - i", "rest = 94 - i", "a root is found|followed"),
    ("windows", "sqrt", "i < 95", "i < 80", "a root is found|followed"),
    ("windows", "sqrt", "order = count", "order = count + 1", "a root is found|followed"),
    ("windows", "sqrt", "&unity[i + 1])", "&unity[i])", "a root is found|followed"),
    ("windows", "sqrt", "&unity[96 - order]", "&unity[95 - order]", "a root is found|followed"),
    ("windows", "sqrt", "y, y, &t, done", "y, &t, y, done", "a root is found|followed"),
    ("windows", "sqrt", "&b, &b, &t, done", "&b, &b, &t, 0", "a root is found|followed"),
    ("windows", "sqrt", "i = 1; i < 96", "i = 2; i < 96", "followed"),
    ("windows", "sqrt", "fp_fe_mul(&b, &b, x);", "", "followed"),
    ("windows", "sqrt", "fp_chain_step(r, ", "fp_fe_mul(r, a, ", "followed"),
    ("windows", "sqrt", "UINT64_C(0x", "UINT64_C(0x1", "root of unity|followed|does not fit uint64_t"),
    ("turns", "sqrt", "i = 2; i >= 0", "i = 1; i >= 0", "a root is found|followed"),
    ("turns", "sqrt", "fp_fe_sqr(&z, &z);", "", "a root is found|followed"),
    ("pairs", "fe2_add", "&a->c1, &b->c1", "&a->c1, &b->c0", "gives"),
    ("pairs", "fe2_conj", "r->c0 = a->c0;", "", "followed|gives"),
    ("pairs", "fe2_mul", "r->c0.limb, r->c1.limb", "r->c1.limb, r->c0.limb", "gives"),
    ("pairs", "fe2_norm", "a->c0.limb, a->c1.limb", "a->c0.limb, a->c0.limb", "gives"),
    ("pairs", "fe2_is_zero", "&a->c0) & ", "&a->c0) | ", "gives"),
    ("pairs", "fe2_inv", "fp_fe_neg(&norm, &norm);", "", "gives"),
    ("pairs", "fe2_is_square", "fp_fe2_norm(&norm, a);", "norm = a->c0;", "gives"),
    (
        "pairs",
        "fe2_sqrt",
        "&x, &y, square);\n    return found",
        "&y, &x, square);\n    return found",
        "gives",
    ),
    ("pairs", "fe2_sqrt", "fp_fe_select(&t, &other, &t, fp_fe_is_zero(&t));", "", "gives"),
    ("pairs", "fe2_sqrt", "fp_fe_half(&t, &t);", "", "gives|followed"),
    ("pairs", "fe2_inv_sqrt", "& (1 ^ fp_fe2_is_zero(a))", "", "gives"),
    ("pairs", "fe2_sqrt_ratio", "| fp_fe2_is_zero(a)", "", "gives"),
    ("pairs", "fe2_from_bytes_be", "below &= ", "below = ", "it is told"),
    ("pairs", "fe2_from_bytes_be", "bytes + FP_FE_BYTES", "bytes", "followed|both numbers"),
    ("pairs", "fe2_to_bytes_le", "&a->c1", "&a->c0", "a pair is written"),
    ("pairs over 2", "fe2_sqrt", "real & (1 ^ square)", "real", "gives"),
    ("pairs over 2", "fe2_sqrt", "fp_fe_select(&other, &other, &t, real);", "", "gives|followed"),
    ("pairs over 2", "fe2_sqrt", "fp_fe_select(&t, &t, &other, fp_fe_is_square(&t));", "", "gives|followed"),
]

WRONG_RUST = [
    ("plain", "add", "&self.0, &other.0", "&self.0, &self.0", "gives"),
    ("plain", "select", "&a.0, &b.0", "&b.0, &a.0", "gives"),
    ("plain", "cswap", "&one.0, &other.0", "&other.0, &one.0", "gives"),
    ("plain", "is_zero", "choice(1 ^ limbs", "choice(limbs", "gives"),
    ("plain", "sqr_n", "for _ in 0..n", "for _ in 1..n", "gives"),
    ("plain", "from_bytes_le", "i % WORD_BYTES", "i % (WORD_BYTES - 1)", "bytes are read"),
    ("plain", "from_bytes_be", "reversed.reverse();", "", "turned around"),
    ("plain", "to_bytes_le", "[i % WORD_BYTES]", "[0]", "bytes are written"),
    ("plain", "to_bytes_be", "bytes.reverse();", "", "turned around"),
    ("plain", "inv_batch", ".zip(values).rev()", ".zip(values)", "gives"),
    (
        "plain",
        "inv_batch",
        "Self::select(&Self::ONE, value",
        "Self::select(value, &Self::ONE",
        "gives|followed",
    ),
    ("plain", "pow", "2 * pair + 1", "2 * pair", "exponent that is given"),
    ("plain", "pow", "square_n(2)", "square_n(3)", "exponent that is given"),
    ("plain", "pow", "(0..4)", "(0..3)", "exponent that is given"),
    ("plain", "pow_public", "(0..8).rev()", "(0..8)", "another bit"),
    ("plain", "pow_public", "e.iter().rev()", "e.iter()", "another bit"),
    ("plain", "sqrt", "ct_eq(self)", "ct_eq(&root)", "gives|followed"),
    ("plain", "sqrt_ratio", ".mul(b).ct_eq(a)", ".mul(a).ct_eq(b)", "gives"),
    ("windows", "sqrt", "while i < 95", "while i < 80", "a root is found|followed"),
    ("windows", "sqrt", "(1..=count).rev()", "(1..=count)", "a root is found|followed"),
    ("windows", "sqrt", "&y.mul(&unity[i]), done", "&y.mul(&unity[i + 1]), done", "a root is found|followed"),
    ("turns", "sqrt", "z = z.square();", "", "a root is found|followed"),
    ("pairs", "fe2_mul", "&other.c0.0,\n        &other.c1.0", "&other.c1.0,\n        &other.c0.0", "gives"),
    ("pairs", "fe2_inv", "&factor.neg()", "factor", "gives"),
    (
        "pairs",
        "fe2_sqrt",
        "(Self { c0, c1 }, inverse, is_some)",
        "(Self { c1, c0: c1 }, inverse, is_some)",
        "gives",
    ),
    ("pairs", "fe2_inv_sqrt", "is_some & !self.is_zero()", "is_some", "gives"),
    ("pairs", "fe2_sqrt_ratio", "a.mul(&found", "b.mul(&found", "gives"),
    ("pairs", "fe2_from_bytes_be", "Self { c0, c1 }", "Self { c0: c1, c1: c0 }", "pair is read"),
    ("pairs", "fe2_to_bytes_be", "self.c1.to_bytes_be()", "self.c0.to_bytes_be()", "a pair is written"),
    ("pairs over 2", "fe2_sqrt", "real & !square", "real & square", "gives"),
]

FIELDS = {
    "plain": (2**61 - 1, None),
    "windows": (P224, None),
    "turns": (241, None),
    "pairs": (2**61 - 1, -1),
    "pairs over 2": (2**29 - 3, 2),
}


@pytest.mark.parametrize("edit", WRONG_C)
def test_what_is_wrong_in_c_is_refuted(edit):
    kind, name, right, wrong, text = edit
    function = functions("c", *FIELDS[kind])[name]
    assert right in function.text
    with pytest.raises(Refuted, match=text):
        prove_function(replace(function, text=function.text.replace(right, wrong)))


@pytest.mark.parametrize("edit", WRONG_RUST)
def test_what_is_wrong_in_rust_is_refuted(edit):
    kind, name, right, wrong, text = edit
    function = functions("rust", *FIELDS[kind])[name]
    assert right in function.text
    with pytest.raises(Refuted, match=text):
        prove_function(replace(function, text=function.text.replace(right, wrong)))


BRANCHES = [
    ("plain", "sqrt", "c", "fp_fe_select(r, &root, &zero, flag);", "if (flag) { *r = root; }"),
    ("plain", "select", "c", "fp_word bit = (fp_word)flag", "fp_word bit = flag ? 1 : 0"),
    ("plain", "inv_batch", "c", "&r[i], &zero, &r[i], skip", "&r[i], &zero, &r[i - skip], 0"),
    ("windows", "sqrt", "c", "fp_fe_select(y, y, &t, done);", "if (done == 0) { *y = t; }"),
    ("plain", "is_zero", "rust", "self.canonical()))", "self.canonical()) == 0)"),
    ("pairs", "fe2_is_zero", "rust", "is_zero() & self", "is_zero() && self"),
]


@pytest.mark.parametrize(("kind", "name", "language", "right", "wrong"), BRANCHES)
def test_a_branch_on_data_is_refuted(kind, name, language, right, wrong):
    function = functions(language, *FIELDS[kind])[name]
    assert right in function.text
    with pytest.raises(Refuted, match="depends on data"):
        prove_function(replace(function, text=function.text.replace(right, wrong)))


def test_a_loop_that_does_not_end_is_refuted():
    function = functions("c", *FIELDS["plain"])["set_zero"]
    with pytest.raises(Refuted, match="does not end"):
        prove_function(replace(function, text=function.text.replace("i < FP_LIMBS; i++", "; i += 0")))
