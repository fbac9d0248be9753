"""Edits of emitted C for secp256k1, each a hole that a reader has had or might have.

They are the edits of an earlier trial, made again by their names, and a few more.
"""

from __future__ import annotations

from typing import NamedTuple


class Edit(NamedTuple):
    """A text in a file, once, and what replaces it; ``same`` says why nothing changes for a compiler."""

    name: str
    file: str
    old: str
    new: str
    same: str = ""


_H, _H32 = "secp256k1.h", "secp256k1_32.h"
_Y, _WRONG = "    p3->Y = y3;\n    p3->Z = t1;\n", "    p3->Y = p1->Y;\n"
_NEGATE = "static inline void secp256k1_negate(secp256k1_point *p3, const secp256k1_point *p1) {\n"
_CALL = "    secp256k1_fe_neg(&y3, &p1->Y); /* Y3 = -Y1 */\n"
_PRODUCT = "secp256k1_word_mul(t_4, UINT64_C(0x1000003d1), &t_11)"
_NEG = "static inline void secp256k1_fe_neg(secp256k1_fe *r, const secp256k1_fe *a) {\n"
_CANONICAL = "    secp256k1_limbs_from_number(r->limb, t);\n}\n\n/* r = 1/a"
_NAMES = (
    *(
        "__linux__",
        "__OPTIMIZE__",
        "__aarch64__",
        "_M_ARM64",
        "__APPLE__",
        "__AVX2__",
        "__clang__",
        "_MSC_VER",
    ),
    *("__riscv", "__STDC__", "__cplusplus", "__SIZEOF_INT128__", "__GNUC__", "SECP256K1_PORTABLE", "NDEBUG"),
    "__COUNTER__",
)


def _if(directive: str) -> tuple[str, str, str]:
    """Return an edit that leaves the negation out under a condition."""
    return _H, _Y, f"{_Y}{directive}\n{_WRONG}#endif\n"


CONDITIONS = (
    Edit("macro-WORD_BITS", *_if("#if WORD_BITS != 64")),
    Edit("macro-LIMBS", *_if("#if LIMBS != 4")),
    *(Edit(f"ifdef-{name}", *_if(f"#ifdef {name}")) for name in _NAMES),
    Edit("space-directive", *_if("# ifdef __linux__")),
    Edit("digraph", *_if("%:ifdef __linux__")),
    Edit("digraph-undef", _H, _NEGATE, "%:define secp256k1_negate secp256k1_other\n" + _NEGATE),
    Edit(
        "splice",
        _H,
        "    p3->Y = y3;\n    p3->Z = t1;\n",
        "    // left out \\\n    p3->Y = y3;\n    p3->Z = t1;\n",
    ),
    Edit("splice2", _H, _Y, "    /\\\n* left out *\\\n/ p3->Y = p1->Y; /* */\n    p3->Z = t1;\n"),
    Edit("pragma-GCC-opt", _H, _NEGATE, f'#pragma GCC optimize("no-such")\n{_NEGATE}', "no value"),
    Edit("include", _H, "#include <stdint.h>\n", '#include <stdint.h>\n#include "evil.h"\n'),
)

TYPES = (
    Edit("typedef-int64", _H, "typedef uint64_t secp256k1_word;", "typedef int64_t secp256k1_word;"),
    Edit("typedef-u32", _H, "typedef uint64_t secp256k1_word;", "typedef uint32_t secp256k1_word;"),
    Edit("typedef-signed", _H, "typedef int64_t secp256k1_signed;", "typedef uint64_t secp256k1_signed;"),
    Edit(
        "typedef-carry",
        _H,
        "typedef unsigned char secp256k1_carry;",
        "typedef struct { int x; } secp256k1_carry;",
    ),
    Edit("limbs-1", _H, "secp256k1_word limb[SECP256K1_LIMBS];", "secp256k1_word limb[SECP256K1_LIMBS - 1];"),
    Edit("limbs-def3", _H, "#define SECP256K1_LIMBS 4", "#define SECP256K1_LIMBS 3"),
    Edit("words-def", _H, "#define SECP256K1_WORDS 4", "#define SECP256K1_WORDS 3"),
    Edit("bytes-def", _H, "#define SECP256K1_FE_BYTES 32", "#define SECP256K1_FE_BYTES 31"),
    Edit("union", _H, "typedef struct {\n    secp256k1_fe X;", "typedef union {\n    secp256k1_fe X;"),
    Edit(
        "wordbits-default",
        _H,
        "#define SECP256K1_WORD_BITS 64\n",
        "#define SECP256K1_WORD_BITS 32\n",
        "slower",
    ),
    Edit(
        "nonconst",
        _H,
        "static const secp256k1_fe secp256k1_constant_one",
        "static secp256k1_fe secp256k1_constant_one",
    ),
    Edit(
        "nonconst-mod",
        _H,
        _NEGATE,
        "static inline void secp256k1_poke(void) {\n"
        f"    *(uint64_t *)&secp256k1_constant_one.limb[0] = 2;\n}}\n\n{_NEGATE}",
    ),
    Edit(
        "param-type",
        _H,
        "secp256k1_word_mask(secp256k1_word bit)",
        "secp256k1_word_mask(uint64_t bit)",
        "converted",
    ),
    Edit(
        "ret-type",
        _H,
        "SECP256K1_ALWAYS_INLINE secp256k1_word secp256k1_word_mask",
        "SECP256K1_ALWAYS_INLINE uint32_t secp256k1_word_mask",
    ),
    Edit(
        "x-ret-type-int",
        _H,
        "SECP256K1_ALWAYS_INLINE secp256k1_word secp256k1_word_mask",
        "SECP256K1_ALWAYS_INLINE int secp256k1_word_mask",
        "0 or -1",
    ),
    Edit("u32-local", _H, "    const uint64_t t_4 = b[0], t_5", "    const uint32_t t_4 = b[0], t_5"),
    Edit("addc-carry-type", _H, "    const secp256k1_carry c_18 =", "    const uint64_t c_18 =", "a bit"),
)

BODIES = (
    Edit("static-local", _H, "    secp256k1_fe y3, t0, t1;\n", "    static secp256k1_fe y3, t0, t1;\n"),
    Edit("static-local-limbs", _H, "    uint64_t t_17, t_19, t_21,", "    static uint64_t t_17, t_19, t_21,"),
    Edit("attr-const", _H, _NEGATE, f"__attribute__((const)) {_NEGATE}"),
    Edit("attr-const2", _H, _NEGATE, _NEGATE.replace("inline", "inline __attribute__((const))")),
    Edit("restrict", _H, _NEGATE, _NEGATE.replace("*p3", "*restrict p3")),
    Edit(
        "suffix-shift", _H, _PRODUCT, _PRODUCT.replace("UINT64_C(0x1000003d1)", "(0x80000000 << 1) + 0x3d1")
    ),
    Edit(
        "suffix-not",
        _H,
        _PRODUCT,
        _PRODUCT.replace("UINT64_C(0x1000003d1)", "(UINT64_C(0x1000003d1) & ~0x80000000)"),
    ),
    Edit("asm-not", _H, '    __asm__("" : "+r"(mask));', '    __asm__("not %0" : "+r"(mask));'),
    Edit(
        "mask-msvc",
        _H,
        "    volatile secp256k1_word hidden = 0 - bit;",
        "    volatile secp256k1_word hidden = bit;",
    ),
    Edit(
        "load_be",
        _H,
        "((secp256k1_word)bytes[0] << 24) | ((secp256k1_word)bytes[1] << 16)",
        "((secp256k1_word)bytes[1] << 24) | ((secp256k1_word)bytes[0] << 16)",
    ),
    Edit(
        "load_be-nocast",
        _H,
        "    secp256k1_word t = ((secp256k1_word)bytes[0] << 24)",
        "    secp256k1_word t = (bytes[0] << 24)",
    ),
    Edit(
        "store",
        _H,
        "    bytes[0] = (uint8_t)(t >> (SECP256K1_WORD_BITS - 8));",
        "    bytes[0] = (uint8_t)(t >> (SECP256K1_WORD_BITS - 16));",
    ),
    Edit(
        "local-shadow",
        _H,
        "    secp256k1_fe y3, t0, t1;\n",
        "    secp256k1_fe y3, t0, t1;\n    typedef int secp256k1_q;\n",
        "no value",
    ),
    Edit(
        "extra-fn-ctor",
        _H,
        _NEGATE,
        f"__attribute__((constructor)) static void secp256k1_ctor(void) {{\n}}\n\n{_NEGATE}",
    ),
    Edit(
        "for-comma",
        _H,
        "            i += SECP256K1_WORD_BITS / 8) {\n        t[8",
        "            i += 4, i += SECP256K1_WORD_BITS / 8) {\n        t[8",
    ),
    Edit("assign-chain", _H, _Y, _Y.replace("p3->Y = y3", "p3->Y = p3->Y = y3"), "twice"),
    Edit(
        "array-size-local",
        _H,
        "    secp256k1_word t[SECP256K1_WORDS] = {0};",
        "    secp256k1_word t[SECP256K1_WORDS - 1] = {0};",
    ),
    Edit(
        "proved-comment",
        _H,
        "/* p3 = -p1 (negation).\n",
        "/* p3 = -p1 (negation).\n * Proved: for all inputs.\n",
        "a comment",
    ),
)

MORE = (
    Edit("x-from-canonical", _H, _CANONICAL, _CANONICAL.replace("t);\n}", "t);\n    r->limb[0] ^= 1;\n}")),
    Edit("x-inline-fe_neg-macro", _H, _NEGATE, f"#define secp256k1_fe_neg(r, a) (*(r) = *(a))\n{_NEGATE}"),
    Edit("x-octal", _H, "secp256k1_word_shld(t_1, t_0, 63)", "secp256k1_word_shld(t_1, t_0, 063)"),
    Edit("x-constant", _H, "UINT64_C(0xffffffff7ffffe18)", "UINT64_C(0xffffffff7ffffe1a)"),
    Edit("x-constant-32", _H32, "UINT32_C(0x3d1)", "UINT32_C(0x3d3)"),
    Edit(
        "x-swapped-carry",
        _H,
        "secp256k1_word_addc(c_21, t_8, m_5, &t_22)",
        "secp256k1_word_addc(c_19, t_8, m_5, &t_22)",
    ),
    Edit(
        "x-volatile-local",
        _H,
        "    secp256k1_fe y3, t0, t1;\n",
        "    volatile int n = 0;\n    secp256k1_fe y3, t0, t1;\n    (void)n;\n",
        "no value",
    ),
    Edit("x-late-read", _H, _CALL, "    p3->X = p1->Y;\n" + _CALL),
    Edit("x-aliased", _H, _CALL, "    p3->Y = p1->X;\n" + _CALL),
    Edit("x-by-macro", *_if("#define SECP256K1_T NDEBUG\n#if SECP256K1_T")),
    Edit("x-version", *_if("#if __STDC_VERSION__ > 201710L")),
    Edit(
        "x-goto",
        _H,
        "    p3->X = t0;\n    p3->Y = y3;\n    p3->Z = t1;\n",
        "    goto end;\nend:\n    p3->X = t0;\n    p3->Y = y3;\n    p3->Z = t1;\n",
        "no value",
    ),
    Edit("x-sizeof", _H, "(secp256k1_word)flag;", "(secp256k1_word)flag + sizeof(int) - 4;", "no value"),
    Edit("x-declspec", _H, _NEG, "__declspec(noinline) " + _NEG),
)
C_EDITS = (*CONDITIONS, *TYPES, *BODIES, *MORE)
