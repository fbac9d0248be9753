"""Conditions of generated files: the names that they test, and each combination of these in C."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING

from efdgen.verify.words.c import preprocessed
from efdgen.verify.words.reader import NotReadError, without_comments

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

CONDITIONS = {
    "UINTPTR_MAX": "<stdint.h>: the largest pointer; words have 64 bits where it is UINT64_MAX",
    "UINT64_MAX": "<stdint.h>",
    "_MSC_VER": "Microsoft's compiler and clang-cl: intrinsics",
    "_M_X64": "Microsoft's compiler and clang-cl, for x86-64",
    "__ARM_FEATURE_AES": "gcc and clang: carry-less products of ARM (PMULL)",
    "__ARM_FEATURE_DSP": "gcc and clang: Arm with products that are added to sums, UMAAL if with Thumb-2",
    "__AVX10_1__": "gcc and clang: AVX10, with which a target cannot leave out AVX-512",
    "__AVX512F__": "gcc and clang: AVX-512, which `--target gcc` leaves out",
    "__BMI2__": "gcc and clang: BMI2, which one function of `--target gcc` leaves out",
    "__GNUC__": "gcc and clang: assembler as a barrier, attributes",
    "__PCLMUL__": "gcc and clang: carry-less products of x86-64 (PCLMULQDQ)",
    "__SIZEOF_INT128__": "gcc and clang: integers of 128 bits",
    "__aarch64__": "gcc and clang, for 64-bit ARM",
    "__clang__": "clang and clang-cl",
    "__clang_major__": "clang and clang-cl: the version",
    "__cplusplus": "C++ compilers",
    "__thumb2__": "gcc and clang, for Arm with instructions of Thumb-2",
    "__x86_64__": "gcc and clang, for x86-64",
}
"""The names of compilers that emitted C tests, with their meanings."""

OWN_CONDITIONS = {
    "DECLASSIFY": "the user: a macro that marks a result as public, for tools",
    "HASH_STATE_BYTES": "the user: the bytes that a hash function's state may have",
    "INTRINSICS": "the header: whether it uses intrinsics for carries",
    "PORTABLE": "the user: no intrinsics",
    "WIPE": "the user: a macro that wipes memory",
    "WORD_BITS": "the user, or the header by UINTPTR_MAX: 64 or 32",
}
"""The names after the prefix that emitted C tests, with who defines them."""

# Names that are numbers, or that a text defines itself; the size of words is chosen beforehand.
_GIVEN = {"UINTPTR_MAX", "UINT64_MAX"}
# Macros that a user may define.
_OF_USERS = {name for name, meaning in OWN_CONDITIONS.items() if meaning.startswith("the user:")}
# Pairs: the first is never defined without the second, or never with it.
_IMPLIED = (("__PCLMUL__", "__x86_64__"), ("__ARM_FEATURE_AES", "__aarch64__"))
_EXCLUDED = (
    *(("__thumb2__", "__x86_64__"), ("__thumb2__", "__aarch64__"), ("__thumb2__", "_MSC_VER")),
    ("__GNUC__", "_MSC_VER"),
    ("__x86_64__", "__aarch64__"),
    ("_M_X64", "__aarch64__"),
)


@lru_cache(maxsize=16)
def combinations(text: str, word: int) -> dict[str, tuple[str, ...]]:
    """Return the defined names of each combination of conditions, by its name, for words of a size.

    Combinations that choose the same lines are one, and those that end in ``#error`` none.
    """
    code = without_comments(text)
    numbered = enumerate(code.split("\n"))
    skeleton = [line if line.startswith("#") else str(number) for number, line in numbered]
    directives = "\n".join(_sections(skeleton))
    tested = _tested(directives)
    found: dict[tuple[str, ...], tuple[str, ...]] = {}
    for chosen in product(*tested.values()):
        values = dict(zip(tested, chosen, strict=True))
        if _is_possible({name for name, value in values.items() if value is not None}, tested):
            defined = tuple(
                f"{name}={value}".removesuffix("=") for name, value in values.items() if value is not None
            )
            lines = tuple(preprocessed(directives, word, defined)[0])
            if not any(line.startswith("#error") for line in lines):
                found.setdefault(lines, defined)
    if not found:
        raise NotReadError("every choice of conditions ends in #error")
    return {" ".join(defined) or "no macro": _with_prefix(defined) for defined in found.values()}


def _with_prefix(defined: tuple[str, ...]) -> tuple[str, ...]:
    """Return names, and users' names under the prefix of texts that are proved as well."""
    own = (f"FP_{user}" for user in sorted(_OF_USERS) for name in defined if name.endswith(f"_{user}"))
    return tuple(dict.fromkeys((*defined, *own)))


def _sections(lines: list[str]) -> Iterator[str]:
    """Yield directives, and of the lines between two of them the first."""
    before = "#"
    for line in lines:
        if line.startswith("#") or before.startswith("#"):
            yield line
        before = line


def _tested(directives: str) -> dict[str, tuple[str | None, ...]]:
    """Return the names that may be defined or not, each with its values: None for undefined.

    A value matters where conditions compare it: then it is each of their numbers, and the ones beside it.
    """
    found: dict[str, tuple[str | None, ...]] = {}
    for condition in re.findall(r"^#(?:if|ifdef|ifndef|elif)\b(.*)", directives, re.M):
        if asked := re.search(rf"(?:^ *|defined *\(? *)({'|'.join(_GIVEN)})\b(?! *==)", condition):
            raise NotReadError(f"a condition on whether {asked[1]} is defined")
        for name in re.findall(r"[A-Za-z_]\w*", condition):
            own = any(name.endswith(f"_{user}") for user in _OF_USERS)
            if own or (name in CONDITIONS and name not in _GIVEN):
                numbers = {int(number) for number in re.findall(rf"\b{name} *[<>=]=? *(\d+)", directives)}
                near = sorted({number + by for number in numbers for by in (-1, 0, 1)})
                found[name] = (None, *(map(str, near) if near else [""]))
    return dict(sorted(found.items()))


def _is_possible(defined: Collection[str], tested: Collection[str]) -> bool:
    """Return whether a compiler may define these of the names that a text tests, and no others of them."""
    implied = all(one not in defined or other in defined for one, other in _IMPLIED if other in tested)
    return implied and not any(one in defined and other in defined for one, other in _EXCLUDED)
