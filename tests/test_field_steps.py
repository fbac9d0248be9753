"""Division steps: their number, their arrangement on words, and the count of signs that tells squares."""

import gmpy2
import pytest

from efdgen.generator.fields.division_steps import DivisionSteps, sufficient_steps
from efdgen.generator.fields.squares import LOOKAHEAD


def divide(f: int, g: int, steps: int) -> tuple[int, int]:
    """The definition: division steps from delta = 1/2 on; ``twice`` is twice delta."""
    twice = 1
    for _ in range(steps):
        if twice > 0 and g % 2:
            twice, f, g = 2 - twice, g, (g - f) // 2
        else:
            twice, g = 2 + twice, (g + g % 2 * f) // 2
    return f, g


def test_the_steps_suffice_for_all_numbers_below_small_moduli_and_no_fewer_do_everywhere():
    tight = set()
    for modulus in range(3, 512, 2):
        bits = modulus.bit_length()
        steps = sufficient_steps(bits)
        for g in range(modulus):
            f, rest = divide(modulus, g, steps)
            assert (abs(f), rest) == (gmpy2.gcd(modulus, g), 0), (modulus, g)
            if divide(modulus, g, steps - 2)[1]:
                tight.add(bits)
    assert tight


@pytest.mark.parametrize("word", [64, 32])
def test_an_arrangement_holds_its_modulus(word):
    for bits in range(2, 641):
        modulus = gmpy2.next_prime((1 << bits - 1) | 1) if bits > 2 else gmpy2.mpz(3)
        steps = DivisionSteps(int(modulus), word)
        limbs = steps.balanced_modulus()
        assert sum(limb << steps.limb_bits * index for index, limb in enumerate(limbs)) == modulus
        assert sum(limb << steps.limb_bits * index for index, limb in enumerate(steps.split(-5))) == -5
        assert max(map(abs, limbs)) <= 1 << steps.limb_bits - 1
        assert 2 * modulus < 1 << steps.limb_bits * steps.limbs - 1
        assert steps.batches * steps.steps >= sufficient_steps(int(modulus).bit_length())
        assert sum(steps.pieces) == steps.steps <= steps.limb_bits
        assert max(steps.pieces) <= steps.longest_piece


def symbol(modulus: int, value: int, pieces: tuple[int, ...], batches: int) -> int:
    """Jacobi's symbol by exact division steps, signs counted along a vector of every piece alone."""
    f, g, twice, bits, turns = modulus, value, 1, 0, 0
    for _ in range(batches):
        first, before, matrix = f, False, (1, 0, 0, 1)
        for count in pieces:
            u, v, q, r = 1, 0, 0, 1
            for _ in range(count):
                old = (v or u) < 0
                if twice > 0 and g % 2:
                    bits ^= (g >> 1) & ~(f >> 1)
                    twice, f, g = 2 - twice, g, (g - f) // 2
                    u, v, q, r = 2 * q, 2 * r, q - u, r - v
                else:
                    odd = g % 2
                    twice, g = 2 + twice, (g + odd * f) // 2
                    u, v, q, r = 2 * u, 2 * v, q + odd * u, r + odd * v
                bits ^= (f >> 1) ^ (f >> 2)
                turns += old != ((v or u) < 0)
            a, b, c, d = matrix
            matrix = u * a + v * c, u * b + v * d, q * a + r * c, q * b + r * d
            after = matrix[1] < 0
            turns += before ^ after ^ (v < 0)
            before = after
        turns += (first < 0) ^ (f < 0) ^ before
    assert g == 0
    return 0 if abs(f) != 1 else -1 if (bits ^ (turns + 1) >> 1) & 1 else 1


@pytest.mark.parametrize("pieces", [(1, 1, 2), (3, 3, 3), (4, 5, 5)])
def test_signs_are_counted_rightly_for_every_small_modulus(pieces):
    for modulus in range(3, 160, 2):
        batches = -(-sufficient_steps(modulus.bit_length()) // sum(pieces))
        for value in range(modulus):
            assert symbol(modulus, value, pieces, batches) == gmpy2.jacobi(value, modulus), (modulus, value)


@pytest.mark.parametrize("word", [64, 32])
def test_a_word_has_room_for_what_steps_look_at(word):
    steps = DivisionSteps(2**256 - 189, word, lookahead=LOOKAHEAD)
    longest = steps.longest_piece
    assert 3 * longest + 5 <= word - 2  # the place of g's own coefficient, before it is halved
    assert 3 * longest + 8 > word - 2
