"""Instruction sets of lanes: a table of their registers, their intrinsics by operation, and who has them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from efdgen.generator.limbs.operations import Mul

if TYPE_CHECKING:
    from collections.abc import Mapping

    from efdgen.generator.options import Machine

_WORD = 64
_NUMBERS = {4: "four", 8: "eight"}
_GNU = "defined(__GNUC__) && defined(__x86_64__)"
_MICROSOFT = "defined(_MSC_VER) && defined(_M_X64) && !defined(__clang__)"
# Bits of EBX in leaf 7, 0 of CPUID.
_LEAF_7 = {"avx512f": 16, "avx512dq": 17, "avx512ifma": 21, "avx512vl": 31}


@dataclass(frozen=True)
class InstructionSet:
    """A row: instructions on registers of ``count`` words of 64 bits.

    ``intrinsics`` are by the names of operations, and four more: ``zero``, ``all`` (a number in all lanes),
    ``andnot``, and ``type`` of a register. ``features`` are those of target attributes in C and Rust,
    ``detected`` those that libraries of both languages detect, and ``leaf`` the bit of EAX in leaf 7, 1 of
    CPUID for what older libraries do not. ``compiled`` is the condition in C for compilers that know the
    features. ``registers`` are the values that a schedule keeps.
    """

    title: str
    count: int
    intrinsics: Mapping[str, str]
    features: tuple[str, ...]
    detected: tuple[str, ...]
    registers: int
    compiled: str = f"({_GNU}) || ({_MICROSOFT})"
    leaf: int | None = None

    @property
    def number(self) -> str:
        """The number of lanes as a word."""
        return _NUMBERS[self.count]

    @property
    def bits(self) -> int:
        """The bits of a register."""
        return _WORD * self.count

    @property
    def by_halves(self) -> bool:
        """Return whether there is no product of words, only of their halves."""
        return Mul.lanes not in self.intrinsics

    @property
    def leaf_7(self) -> int:
        """The bits that tell of all features, in EBX of leaf 7, 0 of CPUID."""
        return sum(1 << _LEAF_7[name] for name in self.detected)

    @property
    def target(self) -> str:
        """The features as target attributes have them."""
        return ",".join(self.features)


def _of_registers(bits: int, numbers: str) -> dict[str, str]:
    """Return the intrinsics on registers of a size that AVX2 and AVX-512 name alike."""
    whole = ("and", "or", "xor", "andnot")
    return {
        "type": f"__m{bits}i",
        "zero": f"_mm{bits}_setzero_si{bits}",
        "all": f"_mm{bits}_{numbers}",
        **{name: f"_mm{bits}_{name}_epi64" for name in ("add", "sub", "slli", "srli")},
        **{name: f"_mm{bits}_{name}_si{bits}" for name in whole},
    }


_AVX2 = _of_registers(256, "set1_epi64x")

MACHINES: dict[Machine, InstructionSet] = {
    "x86-64-avx512ifma": InstructionSet(
        "AVX-512 IFMA",
        8,
        {
            **_of_registers(512, "set1_epi64"),
            "mullo": "_mm512_mullo_epi64",
            "madd52lo": "_mm512_madd52lo_epu64",
            "madd52hi": "_mm512_madd52hi_epu64",
        },
        ("avx512f", "avx512dq", "avx512ifma"),
        ("avx512f", "avx512dq", "avx512ifma"),
        30,
    ),
    "x86-64-avx512ifma-vl": InstructionSet(
        "256-bit AVX-512 IFMA",
        4,
        {
            **_AVX2,
            "mullo": "_mm256_mullo_epi64",
            "madd52lo": "_mm256_madd52lo_epu64",
            "madd52hi": "_mm256_madd52hi_epu64",
        },
        ("avx512f", "avx512dq", "avx512vl", "avx512ifma"),
        ("avx512f", "avx512dq", "avx512vl", "avx512ifma"),
        30,
    ),
    "x86-64-avxifma": InstructionSet(
        "AVX-IFMA",
        4,
        {
            **_AVX2,
            "mul": "_mm256_mul_epu32",
            "madd52lo": "_mm256_madd52lo_avx_epu64",
            "madd52hi": "_mm256_madd52hi_avx_epu64",
        },
        ("avx2", "avxifma"),
        ("avx2",),
        14,
        "defined(__x86_64__) && (defined(__clang__) ? __clang_major__ >= 16 : __GNUC__ >= 13)",
        23,
    ),
}
"""The instruction sets by machine. Half of the registers of AVX2 are there without AVX-512."""
