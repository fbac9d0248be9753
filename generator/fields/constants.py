"""Numbers as emitted text: words in rows, limbs in rows, bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.text.rust import array

if TYPE_CHECKING:
    from collections.abc import Iterable

    from efdgen.generator.fields.field import Field, Representation

_IN_A_LINE = 3
_BYTES_IN_A_LINE = 12


def word_rows(words: Iterable[int], word: int) -> list[str]:
    """Return C literals of words, some in a line."""
    return _rows([f"UINT{word}_C(0x{value:0{word // 4}X})" for value in words])


def limb_rows(limbs: Iterable[int], word: int) -> list[str]:
    """Return C literals of signed limbs, some in a line."""
    return _rows([_limb(limb, word) for limb in limbs])


def byte_rows(field: Field, value: int) -> list[str]:
    """Return C literals of a number of an element's bytes, little-endian, some in a line."""
    items = [f"0x{byte:02x}" for byte in value.to_bytes(field.bytes, "little")]
    return [", ".join(items[at : at + _BYTES_IN_A_LINE]) for at in range(0, len(items), _BYTES_IN_A_LINE)]


def byte_constant(name: str, field: Field, value: int) -> str:
    """Return a Rust constant: a number below p in bytes, little-endian."""
    items = [f"0x{byte:02x}" for byte in value.to_bytes(field.bytes, "little")]
    return array(f"const {name}: [u8; FieldElement::BYTES] =", items)


def kept_bytes(name: str, representation: Representation, value: int) -> str:
    """Return a Rust constant: the words that an element is stored as, in bytes, little-endian."""
    words = representation.element(value)
    items = [f"0x{b:02x}" for word in words for b in word.to_bytes(representation.word // 8, "little")]
    return array(f"const {name}: &[u8] =", items).replace("= [", "= &[", 1).replace("\n    [", "\n    &[", 1)


def _rows(literals: list[str]) -> list[str]:
    return [", ".join(literals[at : at + _IN_A_LINE]) for at in range(0, len(literals), _IN_A_LINE)]


def _limb(limb: int, word: int) -> str:
    sign = "-" if limb < 0 else ""
    return f"{sign}INT{word}_C(0x{abs(limb):X})" if abs(limb) > 1 else str(limb)
