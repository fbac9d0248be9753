"""Types that emitted C defines for words of a size, and the structures of elements, as they must be."""

from __future__ import annotations

from efdgen.verify.words.reader import NotReadError

_ALWAYS = (
    "typedef struct { fp_word limb [ FP_LIMBS ] ; } fp_fe ;",
    "typedef struct { fp_fe c0 , c1 ; } fp_fe2 ;",
    "typedef struct { fp_fe c0 ; fp_fe c1 ; } fp_fe2 ;",
)
_BY_WORD = {
    64: (
        "typedef unsigned char fp_carry ;",
        "typedef uint64_t fp_word ;",
        "typedef int64_t fp_signed ;",
        "__extension__ typedef unsigned __int128 fp_wide ;",
        "typedef struct { uint64_t low , high ; } fp_wide ;",
        "typedef struct { uint64_t low , middle , high ; } fp_wide ;",
        "__extension__ typedef __int128 fp_sum ;",
        "typedef struct { uint64_t low , high ; } fp_sum ;",
        "__extension__ typedef unsigned __int128 fp_poly ;",
        "typedef __m128i fp_poly ;",
        "typedef uint64x2_t fp_poly ;",
    ),
    32: (
        "typedef uint32_t fp_carry ;",
        "typedef uint32_t fp_word ;",
        "typedef int32_t fp_signed ;",
        "typedef uint64_t fp_wide ;",
        "typedef int64_t fp_sum ;",
        "typedef uint64_t fp_poly ;",
    ),
}


def require_type(tokens: list[str], word: int) -> None:
    """Raise :class:`NotReadError` for the definition of a type of words or elements that is another one."""
    known = (*_ALWAYS, *_BY_WORD[word])
    name, text = tokens[-2], " ".join(tokens)
    if any(other.endswith(f" {name} ;") for other in known) and text not in known:
        raise NotReadError(f"{name} is another type: {text}")
