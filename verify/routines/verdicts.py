"""Proof of signatures by protocols, from numbers and points on: what is signed, accepted and recovered.

Numbers are rational functions of symbols, which hold modulo the order where no denominator is 0; functions on
points have the contracts of lemmas, and k·G and a·G + b·Q those of their own proofs. Hashes, and the bytes of
keys and signatures, are read before.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Any

from efdgen.generator.errors import EfdgenError
from efdgen.generator.planning.protocol_routines import may_be_above, protocol_module, with_routines
from efdgen.generator.planning.protocols import recovers_keys
from efdgen.generator.routines.integers import Integers, RoutineError
from efdgen.generator.routines.interpreter import Interpreter
from efdgen.verify.laws.algebra import Ratio, RationalFunctions
from efdgen.verify.routines.hashing import prove_hashing

if TYPE_CHECKING:
    from collections.abc import Callable

    from efdgen.generator.planning.plan import CurvePlan
    from efdgen.generator.routines.module import Module
    from efdgen.generator.routines.types import Type
    from efdgen.verify.symbols.items import Contracts


@dataclass(frozen=True, eq=False)
class _Number:
    """A number modulo the order, as a rational function of symbols."""

    value: Ratio

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Number) and (self.value - other.value).numerator == 0

    __hash__ = None  # type: ignore[assignment]  # one number has many fractions


@cache
def _functions() -> RationalFunctions:
    return RationalFunctions("adehkrsx", binary=False)


def _symbols(names: str) -> list[_Number]:
    return [_Number(_functions().name(name)) for name in names]


def _over(one: _Number, other: _Number) -> _Number:
    return _Number(_functions().mul(one.value, _functions().inv(other.value)))


def _inverse(number: _Number) -> list[_Number]:
    return [_Number(_functions().inv(number.value))]


_NUMBERS: Contracts = {
    "number_add": lambda a, b: [_Number(a.value + b.value)],
    "number_mul": lambda a, b: [_Number(a.value * b.value)],
    "number_neg": lambda a: [_Number(-a.value)],
    "number_inv": _inverse,
    "number_inv_var": _inverse,
    "number_to_bytes": lambda a: [_bytes(a)],
}


def prove_verdicts(plan: CurvePlan) -> dict[str, str]:
    """Prove signatures of protocols and return the claims; raise :class:`EfdgenError` where one is wrong."""
    claims: dict[str, str] = {}
    for name in with_routines(plan):
        module = protocol_module(plan, name)
        for function, (prove, claim) in _PROOFS[name].items():
            if (name, function) == ("ecdsa", "recover") and not recovers_keys(plan.curve):
                continue
            try:
                prove(plan, module)
            except RoutineError as error:
                raise EfdgenError(f"{name}_{function} is not proved: {error}") from None
            claims[f"{name}_{function}"] = f"Proved from numbers and points on: {claim}."
        if f"{name}_verify" in claims:
            claims[f"{name}_verify"] += " What is hashed and read before is tested."
    return claims


def _bytes(number: object) -> list[tuple[str, object]]:
    """Return the bytes of something, as one that stands for all."""
    return [("bytes", number)]


def _given(name: str, *wanted: object) -> Callable[..., list[object]]:
    """Return a contract that takes some arguments alone; its result has a name."""

    def contract(*given: object) -> list[object]:
        if _frozen(given) != _frozen(wanted):
            raise RoutineError(f"another way to {name}")
        return [name]

    return contract


def _affine(p: str) -> list[dict[str, str]]:
    return [{"X": f"x of {p}", "Y": f"y of {p}"}]


def _require(
    module: Module, contracts: Contracts, name: str, given: tuple[Any, ...], wanted: tuple[Any, ...]
) -> None:
    """Require what a routine makes of its arguments: its places, and its results."""
    places, results = Interpreter(module, {**_NUMBERS, **contracts}).run(name, *given)
    if _frozen((*places, *results)) != _frozen(wanted):
        raise RoutineError(f"{name} has another result")


def _prove_coordinate(plan: CurvePlan, module: Module) -> None:
    """Prove the x-coordinate of a point modulo n, and the recovery id; no x is above an order above p."""
    if told := may_be_above(plan):
        _prove_above(plan, module)
    x, r = _bytes("x of P"), "x modulo n"
    for odd, above in product((0, 1), (0, 1) if told else (0,)):
        contracts: Contracts = {
            "reduced": _affine,
            "fe_to_bytes": lambda a: [_bytes(a)],
            "number_of_bytes": _given(r, x),
            "low_bit": lambda a, odd=odd: [odd if a == "y of P" else None],
            "ecdsa_above": lambda *given, above=above: [above if given == (x, r) else None],
        }
        _require(module, contracts, "ecdsa_coordinate", ("P",), (r, odd | above << 1))


def _prove_ecdsa_signs(plan: CurvePlan, module: Module) -> None:
    _prove_coordinate(plan, module)
    d, e, k, x = _symbols("dekx")
    contracts: Contracts = {
        "multiply_generator": _given("k*G", _bytes(k)),
        "ecdsa_coordinate": lambda p: [x if p == "k*G" else None, "id"],
    }
    made = _over(_Number(e.value + x.value * d.value), k), *_inverse(k), x, "id"
    _require(module, contracts, "ecdsa_pair", (None, k, _bytes(k), d, e), made)


def _prove_ecdsa_accepts(plan: CurvePlan, module: Module) -> None:
    _prove_coordinate(plan, module)
    e, r, s, x = _symbols("ersx")
    for same, neutral in product((0, 1), repeat=2):
        contracts: Contracts = {
            "double_multiply_var": _given("R", _bytes(_over(e, s)), _bytes(_over(r, s)), "Q"),
            "ecdsa_coordinate": lambda p: [x if p == "R" else None, None],
            "is_identity": lambda p, flag=neutral: [flag if p == "R" else None],
            "number_equal": lambda a, b, flag=same: [flag if [a, b] in ([x, r], [r, x]) else None],
        }
        _require(module, contracts, "ecdsa_accepts_var", ("Q", e, r, s), (same & (1 ^ neutral),))


def _prove_ecdsa_recovers(_: CurvePlan, module: Module) -> None:
    e, r, s = _symbols("ers")
    back = _given("Q", _bytes(_over(_Number(-e.value), r)), _bytes(_over(s, r)), "P")
    _require(module, {"double_multiply_var": back}, "ecdsa_key_var", ("P", e, r, s), ("Q",))


class _Differences(Integers):
    """Words that are 0 where bytes are equal: the pairs of such bytes."""

    def binary(self, operator: str, kind: Type, left: Any, right: Any) -> Any:  # noqa: ANN401 - see Integers
        match operator, left, right:
            case "^", str(), str():
                return frozenset([frozenset([left, right])])
            case "|", frozenset() | 0, frozenset():
                return right | (left or frozenset())
            case "+", frozenset(), 255:
                return left, 255
            case ">>", (frozenset() as pairs, 255), 8:
                return pairs
        if isinstance(left, frozenset | tuple):
            raise RoutineError(f"bytes that differ, and {operator}")
        return super().binary(operator, kind, left, right)

    def converted(self, kind: Type, value: Any) -> Any:  # noqa: ANN401 - see Integers
        return value if isinstance(value, frozenset | str) else super().converted(kind, value)


def _prove_above(plan: CurvePlan, module: Module) -> None:
    """Prove that it is 1 where a number below p is not below n.

    It is where a byte of the number modulo n differs from that of the number, whose difference is 0 or n.
    """
    sizes: list[Any] = [module.constants[f"{name}_BYTES"].value for name in ("FIELD", "SCALAR")]
    number, low = ([f"{name}{i}" for i in range(size)] for name, size in zip("xr", sizes, strict=True))
    contracts: Contracts = {"number_to_bytes": lambda r: [low if r == "r" else None]}
    found = Interpreter(module, contracts, values=_Differences()).call("ecdsa_above", number, "r")
    wanted = frozenset(map(frozenset, zip(number[-len(low) :], low, strict=True)))
    if found != [wanted] or plan.curve.prime >= 2 * plan.order:
        raise RoutineError("ecdsa_above is another bit")


def _prove_eddsa_signs(_: CurvePlan, module: Module) -> None:
    a, h, r = _symbols("ahr")
    _require(module, {}, "eddsa_combine", (h, a, r), (_Number(r.value + h.value * a.value),))


def _prove_eddsa_accepts(_: CurvePlan, module: Module) -> None:
    (h,) = _symbols("h")
    equals = _given("R", "s", _bytes(h), "-A", "R")
    for same in (0, 1):
        contracts: Contracts = {
            "negate": lambda p: [f"-{p}"],
            "double_multiply_equals_var": lambda *given, flag=same: [flag for _ in equals(*given)],
        }
        _require(module, contracts, "eddsa_accepts_var", ("s", h, "A", "R"), (same,))


def _prove_bip340_signs(_: CurvePlan, module: Module) -> None:
    d, e, k = _symbols("dek")
    _require(module, {}, "bip340_combine", (e, d, k), (_Number(k.value + e.value * d.value),))


def _prove_bip340_accepts(_: CurvePlan, module: Module) -> None:
    (e,) = _symbols("e")
    for same, neutral, odd in product((0, 1), repeat=3):
        contracts: Contracts = {
            "double_multiply_var": _given("R", "s", _bytes(_Number(-e.value)), "P"),
            "reduced": _affine,
            "low_bit": lambda y, odd=odd: [odd if y == "y of R" else None],
            "fe_equal": lambda a, b, flag=same: [flag if {a, b} == {"x of R", "r"} else None],
            "is_identity": lambda p, flag=neutral: [flag if p == "R" else None],
        }
        _require(module, contracts, "bip340_accepts_var", ("s", e, "P", "r"), (same & ~neutral & ~odd & 1,))


_MAPPED = (
    "every element u becomes a point of the curve, by x1(u) or z·u²·x1(u) with the sign of RFC 9380, and two"
    " become their sum, times the cofactor, on the Montgomery curve of RFC 7748 too; hashes are tested"
)
_ACCEPTED = "a signature is accepted exactly where"
_PROOFS: dict[str, dict[str, tuple[Callable[[CurvePlan, Module], None], str]]] = {
    "ecdsa": {
        "sign": (
            _prove_ecdsa_signs,
            "r is the x-coordinate of k·G modulo n, s is (e + r·d)/k, and the recovery id has the low bit of"
            " y and whether x is not below n",
        ),
        "verify": (
            _prove_ecdsa_accepts,
            f"{_ACCEPTED} e/s·G + r/s·Q is not the identity and its x-coordinate is r modulo n",
        ),
        "recover": (_prove_ecdsa_recovers, "of a point P with the x-coordinate r the key is (s·P - e·G)/r"),
    },
    "eddsa": {
        "sign": (_prove_eddsa_signs, "s is r + h·a modulo n"),
        "verify": (_prove_eddsa_accepts, f"{_ACCEPTED} s·G - h·A = R"),
    },
    "hash_to_curve": {"hash_elements": (prove_hashing, _MAPPED)},
    "bip340": {
        "sign": (_prove_bip340_signs, "s is k + e·d modulo n"),
        "verify": (
            _prove_bip340_accepts,
            f"{_ACCEPTED} s·G - e·P has the x-coordinate r and an even y",
        ),
    },
}


def _frozen(value: Any) -> Any:  # noqa: ANN401 - a value, or copies of some
    return tuple(map(_frozen, value)) if isinstance(value, list | tuple) else value
