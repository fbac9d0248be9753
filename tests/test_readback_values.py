"""Values of words: what is spelled in several ways is one value."""

import pytest

from efdgen.verify.readback.values import Values


@pytest.mark.parametrize("word", [64, 32])
def test_two_shifts_are_the_funnel_of_any_halves(word, rng):
    ones = (1 << word) - 1
    for _ in range(300):
        values = Values(word)
        numbers = [rng.choice([0, 1, 1 << word - 1, ones, rng.getrandbits(word)]) for _ in range(2)]
        high, low = halves = [
            rng.choice([values.make("input", "a", index), values.constant(number)])
            for index, number in enumerate(numbers)
        ]
        amount = rng.randrange(1, word)
        shifts = values.shifted("<<", high, amount), values.shifted(">>", low, word - amount)
        funnel = values.funnel(high, low, amount)
        assert values.bitwise("|", *shifts) == values.bitwise("|", *shifts[::-1]) == funnel
        inputs = dict(zip(halves, map(values.constant, numbers), strict=True))
        shifted = (numbers[0] << word | numbers[1]) << amount >> word & ones
        needed = values.needed([funnel])
        assert values.known(values.substituted(needed, inputs)[funnel]) == shifted
