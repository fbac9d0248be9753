"""Stand-ins for the headers of compilers, and what their functions do: as their documentation says.

libclang carries no headers, and those of a target are not on this machine. A vector is a structure of one
integer, so that operators on vectors do not compile.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from second.errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Callable

FOLDER = "/headers"

_WORD = (1 << 64) - 1
_INTEGERS = "".join(
    f"typedef __{sign}INT{bits}_TYPE__ {sign.lower()}int{bits}_t;\n"
    for sign in ("", "U")
    for bits in (8, 16, 32, 64)
)
_MACROS = """\
#define INT32_C(c) c
#define UINT32_C(c) c##U
#define INT64_C(c) c##LL
#define UINT64_C(c) c##ULL
#define UINT64_MAX 0xffffffffffffffffULL
#define UINTPTR_MAX __UINTPTR_MAX__
"""
# A function of gcc that clang lacks.
_BUILTIN = "unsigned char __builtin_ia32_sbb_u64(unsigned char, {0}, {0}, {0} *);\n".format(
    "unsigned long long"
)
_CARRIES = """\
typedef unsigned long long u;
unsigned char _addcarry_u64(unsigned char, u, u, u *);
unsigned char _subborrow_u64(unsigned char, u, u, u *);
"""
_PRODUCTS = "u _umul128(u, u, u *);\n"
_VECTORS = """\
#include <stdint.h>
typedef struct { unsigned __int128 bits; } __m128i;
__m128i _mm_cvtsi64_si128(long long);
long long _mm_cvtsi128_si64(__m128i);
__m128i _mm_unpackhi_epi64(__m128i, __m128i);
__m128i _mm_xor_si128(__m128i, __m128i);
__m128i _mm_clmulepi64_si128(__m128i, __m128i, int);
"""
_NEON = """\
#include <stdint.h>
typedef struct { unsigned __int128 bits; } uint64x2_t;
typedef unsigned long long poly64_t;
typedef struct { unsigned __int128 bits; } poly128_t;
uint64_t vgetq_lane_u64(uint64x2_t, int);
uint64x2_t veorq_u64(uint64x2_t, uint64x2_t);
uint64x2_t vreinterpretq_u64_p128(poly128_t);
poly128_t vmull_p64(poly64_t, poly64_t);
"""
HEADERS = {
    "stdint.h": _INTEGERS + _MACROS + _BUILTIN,
    "stddef.h": "typedef __SIZE_TYPE__ size_t;\n",
    "string.h": "#include <stddef.h>\n",
    "immintrin.h": _CARRIES,
    "intrin.h": _CARRIES + _PRODUCTS,
    "wmmintrin.h": _VECTORS,
    "arm_neon.h": _NEON,
}


def _carried(sign: int) -> Callable[..., int]:
    def add(carry: int, left: int, right: int, low: Any) -> int:
        total = left + sign * (right + carry)
        low[0][low[1]] = total & _WORD
        return sign * (total >> 64)

    return add


def _carrying(sign: int) -> Callable[..., int]:
    def add(left: int, right: int, carry: int, out: Any) -> int:
        total = left + sign * (right + carry)
        out[0][out[1]] = sign * (total >> 64)
        return total & _WORD

    return add


def _product(left: int, right: int, high: Any) -> int:
    high[0][high[1]] = left * right >> 64
    return left * right & _WORD


def carryless(left: int, right: int) -> int:
    """Return the product of two polynomials over GF(2)."""
    total = 0
    while right:
        total ^= left * (right & 1)
        left, right = left << 1, right >> 1
    return total


def _clmul(left: Any, right: Any, halves: int) -> Any:
    if halves not in (0, 1, 16, 17):
        raise RefusedError(f"_mm_clmulepi64_si128 with {halves}")
    words = left["bits"] >> 64 * (halves & 1) & _WORD, right["bits"] >> 64 * (halves >> 4) & _WORD
    return {"bits": carryless(*words)}


def _lane(vector: Any, lane: int) -> int:
    if lane not in (0, 1):
        raise RefusedError(f"vgetq_lane_u64 with {lane}")
    return vector["bits"] >> 64 * lane & _WORD


def _signed(word: int) -> int:
    return word - (word >> 63 << 64)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "_addcarry_u64": _carried(1),
    "_subborrow_u64": _carried(-1),
    "__builtin_ia32_addcarryx_u64": _carried(1),
    "__builtin_ia32_sbb_u64": _carried(-1),
    "__builtin_addcll": _carrying(1),
    "__builtin_subcll": _carrying(-1),
    "_umul128": _product,
    "_mm_cvtsi64_si128": lambda word: {"bits": word & _WORD},
    "_mm_cvtsi128_si64": lambda a: _signed(a["bits"] & _WORD),
    "_mm_unpackhi_epi64": lambda a, b: {"bits": a["bits"] >> 64 | b["bits"] >> 64 << 64},
    "_mm_xor_si128": lambda a, b: {"bits": a["bits"] ^ b["bits"]},
    "_mm_clmulepi64_si128": _clmul,
    "vgetq_lane_u64": _lane,
    "veorq_u64": lambda a, b: {"bits": a["bits"] ^ b["bits"]},
    "vreinterpretq_u64_p128": dict,
    "vmull_p64": lambda left, right: {"bits": carryless(left, right)},
}
