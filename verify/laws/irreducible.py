"""Irreducibility of relations: a proof that their ideal is prime.

Only then is a polynomial outside the ideal zero nowhere but at exceptions, so that one may divide by it.

Relations fall into blocks that share no name but parameters: the curve equations of one point, or what
binds the scales of one representation. A block is prime, together with the relations of the parameters
alone, if it is one irreducible polynomial, or if Singular says so. Several blocks are prime together, with S
the ring of the parameters, if

- all but one are geometrically irreducible, so that they stay prime over any extension of S's field of
  fractions. A prime block with a nonsingular rational point is: the curve has one, its identity, and
  scales have (1, …, 1);
- each is flat over S, so that no component of them lies over special parameters only. The coefficients of
  the first relation of a block have no zero in common, hence it is zero over no parameters; each further one
  is monic in a name that those before it do not hold, hence finite over them. Thus the fibres of
  these complete intersections all have one dimension.

Then the product of the blocks is without torsion over S and irreducible over its field of fractions.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, TypeAlias

from efdgen.verify import store
from efdgen.verify.laws.basis import groebner_basis
from efdgen.verify.laws.polynomials import Polynomial, Ring

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from efdgen.verify.laws.polynomials import Exponents

Names: TypeAlias = frozenset[Polynomial]
Terms: TypeAlias = "tuple[tuple[Exponents, Fraction], ...]"

_SINGULAR = "efdgen.verify.laws.singular"


def is_irreducible(
    parameters: Iterable[Polynomial], relations: Sequence[Polynomial], curves: Sequence[Polynomial]
) -> bool:
    """Return whether relations and curve equations make a prime ideal; also false if that is unknown."""
    shared = frozenset(parameters)
    of_parameters = [relation for relation in relations if shared.issuperset(relation.variables())]
    blocks = _blocks([*relations, *curves], shared)
    if not all(_is_prime([*of_parameters, *block]) for block in blocks or [[]]):
        return False
    if len(blocks) <= 1:
        return True
    rigid = [set(block) <= set(curves) or _has_rational_point(block, shared) for block in blocks]
    return (
        rigid.count(False) <= 1
        and _is_prime(of_parameters)
        and all(_is_flat(block, shared) for block in blocks)
    )


def _blocks(relations: Iterable[Polynomial], shared: Names) -> list[list[Polynomial]]:
    """Group relations that share a name which is not a parameter; those of parameters alone are left out."""
    blocks: list[tuple[Names, list[Polynomial]]] = []
    for relation in relations:
        own = frozenset(relation.variables()) - shared
        if own:
            joined = [block for block in blocks if block[0] & own]
            names = own.union(*(block[0] for block in joined))
            members = [member for block in joined for member in block[1]]
            blocks = [block for block in blocks if block not in joined] + [(names, [*members, relation])]
    return [members for _, members in blocks]


def _has_rational_point(block: Sequence[Polynomial], shared: Names) -> bool:
    """Return whether a block is one relation without parameters that has the nonsingular point (1, …, 1)."""
    relation, names = block[0], block[0].variables()
    if len(block) > 1 or not shared.isdisjoint(names):
        return False
    return relation.at_ones() == 0 and any(relation.derivative(name).at_ones() != 0 for name in names)


def _is_flat(block: Sequence[Polynomial], shared: Names) -> bool:
    first, *others = block
    held = set(first.variables())
    if not _has_coprime_coefficients(first, held - shared):
        return False
    for relation in others:
        new = set(relation.variables()) - held - shared
        if not any(relation.coefficient({name: relation.degree(name)}).is_constant() for name in new):
            return False
        held |= new
    return True


def _has_coprime_coefficients(relation: Polynomial, names: set[Polynomial]) -> bool:
    """Return whether the coefficients at the monomials in some names make the whole ring."""
    exponents = ({name: term.degree(name) for name in names} for term in relation.monomials())
    coefficients = [relation.coefficient(exponent) for exponent in exponents]
    if any(coefficient.is_constant() for coefficient in coefficients):
        return True
    basis = groebner_basis(relation.ring, list(dict.fromkeys(coefficients)))
    return any(element.polynomial.is_constant() for element in basis)


def _is_prime(relations: Sequence[Polynomial]) -> bool:
    """Return whether polynomials make a prime ideal, decided once for all that differ in their names only."""
    if not relations:
        return True
    used = sorted({name.place for relation in relations for name in relation.variables()})
    terms = (
        tuple(sorted((tuple(key[place] for place in used), value) for key, value in relation.dict().items()))
        for relation in relations
    )
    return _decide(relations[0].ring.modulus, len(used), tuple(terms))


@cache
def _decide(modulus: int, names: int, relations: tuple[Terms, ...]) -> bool:
    """Decide by factors whether one polynomial is irreducible; ask Singular of several, once and for all."""
    ring = Ring(names, modulus)
    polynomials = [ring(dict(relation)) for relation in relations]
    if len(polynomials) == 1:
        return [exponent for _, exponent in polynomials[0].factor()] == [1]
    name = store.key(_SINGULAR, repr((modulus, names, [str(polynomial) for polynomial in polynomials])))
    known = store.load(name)
    if not isinstance(known, bool):
        from efdgen.verify.laws.singular import is_prime

        known = is_prime(polynomials)
        store.store(name, known)
    return known
