"""Symbols of the second reader: what is computed with them is what is computed with integers."""

import operator
from functools import reduce

import pytest
from second import clang
from second.c_edits import C_EDITS
from second.c_files import translate
from second.c_machine import CMachine
from second.edits import edited
from second.machines import arrays_of
from second.printing import printed
from second.proving import proves
from second.symbols import Domain, Symbol, UndecidedError

from efdgen.generator.fields.printed import LimbText

BITS = 6
OPERATORS = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
}


def value(domain, symbol, inputs):
    """Return what a symbol is for some inputs, by the operations that its unknowns result from."""
    keys = {number: key for key, number in domain._known.items()}

    def unknown(number):
        return of_key(keys[number])

    def of_key(key):
        if isinstance(key, str):
            return inputs[key]
        match key:
            case ("negative", inner):
                return -of_key(inner)
            case (">>", terms, amount):
                return of_terms(terms) >> amount
            case ("%", terms, bits):
                return of_terms(terms) & (1 << bits) - 1
            case (name, both):
                sides = [of_terms(terms) for terms in both]
                return OPERATORS[name](*(sides if len(sides) == 2 else sides * 2))

    def of_terms(terms):
        return sum(
            reduce(operator.mul, (unknown(number) for number in factors), factor) for factors, factor in terms
        )

    return of_terms(symbol.terms.items())


def drawn(rng, depth, names):
    """Return a random expression as a function of the values of names, each step wrapped or not."""
    if not depth or not rng.randrange(4):
        if rng.randrange(3):
            name = rng.choice(names)
            return lambda given: given[name]
        constant = rng.choice((0, 1, 3, 1 << BITS - 1, (1 << BITS) - 1, rng.randrange(1 << BITS)))
        return lambda _: constant
    left, right = drawn(rng, depth - 1, names), drawn(rng, depth - 1, names)
    shift, bits, kind = rng.randrange(BITS + 2), rng.choice((1, BITS, 2 * BITS)), rng.choice("+-*&|^<>%+-%")
    if kind == "<":
        return lambda given: left(given) << shift
    if kind == ">":
        return lambda given: left(given) >> shift
    if kind == "%":
        return lambda given: left(given) & (1 << bits) - 1
    return lambda given: OPERATORS[kind](left(given), right(given))


def test_symbols_are_as_integers(same_rng):
    compared = 0
    for _ in range(3000):
        tops = {name: same_rng.choice((1, 1, (1 << BITS) - 1, 5)) for name in "abcd"}
        expression = drawn(same_rng, 5, [*tops])
        domain = Domain()
        try:
            found = expression({name: domain.unknown(name, 0, top) for name, top in tops.items()})
        except UndecidedError:
            continue
        if not isinstance(found, Symbol):
            continue
        low, high = found.bounds()
        for _ in range(8):
            inputs = {name: same_rng.randint(0, top) for name, top in tops.items()}
            expected = expression(inputs)
            assert value(domain, found, inputs) == expected
            assert low <= expected <= high
            compared += 1
    assert compared > 8000


def test_comparisons_that_depend_on_inputs_are_undecided():
    a = Domain().unknown("a", 0, 7)
    assert a < 8
    assert not a > 7
    assert a - a == 0
    for compare in (lambda: a < 7, lambda: a == 3, lambda: bool(a), lambda: a >= 1):
        with pytest.raises(UndecidedError):
            compare()


def proved(files):
    """Return the limb functions of 64-bit words of a header that are proved."""
    module = translate(clang.parse(files, "secp256k1.h", ["-target", "x86_64-linux-gnu"]))
    machine = CMachine(module, "secp256k1", 1 << 256)
    return {f.name for f in FUNCTIONS if proves(f, machine.limb(f.name, arrays_of(f), returns=f.test))}


FILES, ANNOUNCED = printed("c", "secp256k1")
FUNCTIONS = next(text.functions for text in ANNOUNCED if isinstance(text, LimbText) and text.word == 64)


def test_limb_functions_and_fused_formulas_are_proved():
    assert proved(FILES) == {function.name for function in FUNCTIONS}


EDITED = {
    "u32-local": "product_256_256",
    "suffix-shift": "reduce_a_512_to_289",
    "x-octal": "half",
    "x-constant": "half",
    "x-swapped-carry": "half",
}


@pytest.mark.parametrize(("name", "function"), EDITED.items())
def test_an_edited_limb_function_is_not_proved(name, function):
    (edit,) = (edit for edit in C_EDITS if edit.name == name)
    assert function not in proved(edited(FILES, edit))
