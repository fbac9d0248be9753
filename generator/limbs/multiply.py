"""Products and squares of numbers in saturated limbs: exact, of double width, without deferred carries.

A product goes row by row. The four products of a row are side by side, then one chain compresses them
to five words, and a second chain adds these to what is there::

      position      0     1     2     3     4     5
      a0·b         lo0   lo1   lo2   lo3
                         hi0   hi1   hi2   hi3
      a1·b               lo0   lo1   lo2   lo3
                               hi0   hi1   hi2   hi3
      …

Every chain ends in a word that has room for its carry: ⟨n words⟩ + aᵢ·b < 2^(w(n+1)). In words of 32 bits
each product takes up two words at once, one of the rows above and one that is carried: a·b + c + d < 2^(2w).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.limbs.program import Claim, Term

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from efdgen.generator.limbs.builder import LimbBuilder


MOST_KEPT = 4  # words whose squares, or other products, find registers to wait in
DOUBLED_BY_SUMS = 2  # words: their sums take the ports that products leave, and wait for nothing


def product(builder: LimbBuilder, left: int, right: int, name: str) -> int:
    """Multiply two numbers; return the number that is twice as wide.

    Rows run over the words of the right one, so that it may be ready later, except for its lowest word.
    """
    whole, by_words = builder.numbers[left], builder.numbers[right]
    result = builder.mul_row(whole.words, by_words.words[0])
    for index, word in enumerate(by_words.words[1:], start=1):
        if builder.in_rows and len(result) - index == len(whole.words):
            result[index:] = builder.add_product_row(result[index:], whole.words, word)
            continue
        row = builder.mul_row(whole.words, word)
        upper, carry = builder.add_rows(result[index:], row)
        if carry is not None and len(upper) == len(whole.words):
            upper.append(carry)
        result[index:] = upper
    maximum = whole.maximum * by_words.maximum
    claim = Claim(1, (Term(1, (left, right)),))
    text = f"{name} = {builder.numbers[left].name}·{builder.numbers[right].name}"
    return builder.define(text, result[: builder.count_words(maximum)], maximum, claim)


def square(builder: LimbBuilder, value: int, name: str, *, by_sums: bool = False) -> int:
    """Square a number: the products off the diagonal once, doubled, and the diagonal in one chain.

    They are doubled by shifts, which wait for each other little, but go where products go; or ``by_sums``, in
    one chain.

    Products that do not overlap share a layer. For gcc, and of many words, layers are of rows::

      position      1     2     3     4     5     6
      layer 0      a0a1  a0a2  a0a3  ───┤ a2a3  ──┤
      layer 1                  a1a2  a1a3  ──┤

    else of products alone, as many as a layer has room for, without a chain in any::

      layer 0      a0a1  ──┤   a0a3  ──┤  a2a3  ──┤
      layer 1            a0a2  ──┤   a1a3  ──┤
      layer 2                  a1a2  ──┤
    """
    number = builder.numbers[value]
    words, count = number.words, len(number.words)
    maximum = number.maximum**2
    claim, text = Claim(1, (Term(1, (value, value)),)), f"{name} = {number.name}²"
    if builder.in_rows:
        result = _square_in_rows(builder, words)
        return builder.define(text, result[: builder.count_words(maximum)], maximum, claim)
    packed = not builder.for_gcc and count <= MOST_KEPT
    sums = 2 * count if by_sums else DOUBLED_BY_SUMS if packed else 0
    diagonal = _diagonal(builder, words) if builder.for_gcc and count <= MOST_KEPT else []
    doubled: list[int] = []
    if count > 1:
        total, *layers = _packed(builder, words) if packed else _rows(builder, words)
        for layer in layers:
            first = next(at for at, word in enumerate(layer) if not builder.is_zero(word))
            upper, carry = builder.add_rows(total[first:], layer[first:])
            # A layer whose highest product fits a word has no room for a carry: it gets a word more.
            if carry is not None and max(len(total), len(layer)) < 2 * count - 1:
                upper.append(carry)
            total[first:] = upper
        doubled = [builder.constant(0), *builder.doubled(total[1:], sums)]
    result, _ = builder.add_rows(doubled[: 2 * count], diagonal or _diagonal(builder, words))
    return builder.define(text, result[: builder.count_words(maximum)], maximum, claim)


def _square_in_rows(builder: LimbBuilder, words: Sequence[int]) -> list[int]:
    """Square the number of a row: products off the diagonal row by row, doubled, and then the diagonal."""
    zero, count = builder.constant(0), len(words)
    total = [zero] * (2 * count)
    for at, word in enumerate(words[:-1]):
        row = words[at + 1 :]
        start, end = 2 * at + 1, at + count
        made = builder.add_product_row(total[start:end], row, word)
        total[start : start + len(made)] = made
    total[1:] = builder.shift_left(total[1:], 1)[: 2 * count - 1]
    carry = zero
    for at, word in enumerate(words):
        low, high = total[2 * at : 2 * at + 2]
        if at == count - 1 and builder.intervals[word].high ** 2 >> builder.word == 0:
            # The highest word of the square is 0, and so is what these carry.
            for each in (builder.mul(word, word)[0], carry):
                low, _ = builder.add(low, each)
            return [*total[:-2], low]
        total[2 * at], above = builder.mul_add(word, word, low, carry)
        total[2 * at + 1], carried = builder.add(high, above)
        carry = zero if carried is None else carried
    return total


def _diagonal(builder: LimbBuilder, words: Sequence[int]) -> list[int]:
    return [word for value in words for word in builder.mul(value, value)]


def _packed(builder: LimbBuilder, words: Sequence[int]) -> Iterator[list[int]]:
    """Yield layers of products, of words far apart first, and the fullest first."""
    count = len(words)
    pairs = [(low, low + apart) for apart in range(count - 1, 0, -1) for low in range(count - apart)]
    layers: list[list[tuple[int, int]]] = []
    for pair in pairs:
        room = (layer for layer in layers if all(abs(sum(pair) - sum(other)) > 1 for other in layer))
        layer = next(room, None)
        if layer is None:
            layers.append([pair])
        else:
            layer.append(pair)
    for layer in sorted(layers, key=len, reverse=True):
        result = [builder.constant(0)] * (2 + max(map(sum, layer)))
        for low, high in layer:
            result[low + high : low + high + 2] = builder.mul(words[low], words[high])
        yield result


def _rows(builder: LimbBuilder, words: Sequence[int]) -> Iterator[list[int]]:
    """Yield layers of rows of the triangle that do not overlap: row i covers the positions 2i+1 to n+i."""
    left = list(range(len(words) - 1))
    while left:
        rows, end = [], 0
        for row in left:
            if 2 * row + 1 > end:
                rows.append(row)
                end = len(words) + row
        left = [row for row in left if row not in rows]
        yield _layer(builder, words, rows)


def _layer(builder: LimbBuilder, words: Sequence[int], rows: Sequence[int]) -> list[int]:
    """Return the words, from position 0 on, of the rows of a layer."""
    result: list[int] = []
    for row in rows:
        result += [builder.constant(0)] * (2 * row + 1 - len(result))
        result += builder.mul_row(words[row + 1 :], words[row])
    return result
