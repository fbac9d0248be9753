"""C functions with a text for each compiler: every text is proved.

Sums and products of words, and masks, are proved by :mod:`efdgen.verify.fields.helpers`. Zeros of a word are
counted here, for every number of them and for all words; what is built in is given, and loops are
followed. A function that depends on the compiler in any other way is refused.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from efdgen.verify.fields.functions import failures
from efdgen.verify.fields.helpers import COMPILERS, HELPERS
from efdgen.verify.verdicts import Refuted
from efdgen.verify.words.bits import Bits
from efdgen.verify.words.c import read_c
from efdgen.verify.words.machine import Machine
from efdgen.verify.words.reader import NotReadError
from efdgen.verify.words.values import Integer, NotFollowedError

if TYPE_CHECKING:
    from collections.abc import Callable

    from efdgen.verify.words.tree import Function, Routines
    from efdgen.verify.words.values import Kind, Raw

Term = Any  # Z3's terms carry no types

# Functions that count zeros, with what compilers have built in for words of 64 and of 32 bits.
_COUNTING = {
    "trailing_zeros": {64: "__builtin_ctzll", 32: "__builtin_ctz"},
    "leading_zeros": {64: "__builtin_clzll", 32: "__builtin_clz"},
}


@lru_cache(maxsize=256)
def prove_for_compilers(text: str, word: int) -> None:
    """Prove what depends on the compiler in a text of C; raises :class:`Refuted`."""
    try:
        texts = {name: read_c(text, word, defined) for name, defined in COMPILERS[word].items()}
    except NotReadError as error:
        raise Refuted(f"what is printed is not understood: {error}") from None
    for name in {name for read in texts.values() for name in read.functions}:
        versions = [read.functions.get(name) for read in texts.values()]
        if any(version != versions[0] for version in versions) and name not in (*HELPERS, *_COUNTING):
            raise Refuted(f"fails: {name} is the same for every compiler")
    proved: set[Function] = set()
    for compiler, read in texts.items():
        for name in _COUNTING.keys() & read.functions.keys():
            if read.functions[name] not in proved:
                with failures("c"):
                    _prove_counting(read, name, word, compiler)
                proved.add(read.functions[name])


class _Shifted(Bits):
    """Bit-vectors; what is shifted is simplified, so that known bits are read off."""

    def shift(self, operator: str, a: Raw, amount: Raw, kind: Kind) -> Raw:
        """Return an integer shifted to the left, bits lost, or to the right."""
        return self.z3.simplify(super().shift(operator, a, amount, kind))


def _prove_counting(text: Routines, name: str, word: int, compiler: str) -> None:
    """Prove that zeros are counted right, for one number of them after the other; a word is not 0."""
    bits = _Shifted()
    for count in range(word):
        rest = [bits.z3.BitVec("rest", word - 1 - count)] if count < word - 1 else []
        zeros = [bits.z3.BitVecVal(0, count)] if count else []
        one = [bits.z3.BitVecVal(1, 1)]
        parts = [*rest, *one, *zeros] if name == "trailing_zeros" else [*zeros, *one, *rest]
        term = bits.z3.Concat(*parts)
        machine = Machine(text, word, bits, {_COUNTING[name][word]: _built_in(bits, term, count)})
        if machine.follow(name, Integer(machine.word, term)) != count:
            raise Refuted(f"fails: {name} is right, with {compiler}")


def _built_in(bits: Bits, term: Term, count: int) -> Callable[[Integer | int], int]:
    """Return what is built in, which counts zeros of the word that it is asked for."""

    def call(value: Integer | int) -> int:
        # A word of which every bit is known is a number, once it is converted to another type.
        raw = bits.z3.BitVecVal(value, term.size()) if isinstance(value, int) else value.raw
        if raw.size() != term.size() or not bits.z3.is_true(bits.z3.simplify(raw == term)):
            raise NotFollowedError("zeros are counted of another word")
        return count

    return call
