"""Contracts of called functions on elements, which replace the calls in symbolic execution.

Functions on words are taken by their contracts, which are proved of limb programs, and public functions on
elements by what is proved of each of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.verify.fields.arithmetic import Pair, Value
from efdgen.verify.fields.structures import held
from efdgen.verify.words.values import Bit, Integer

if TYPE_CHECKING:
    from collections.abc import Callable

    from efdgen.verify.fields.structures import Structures

Routines = dict[str, "Callable[..., Value]"]


class Contracts:
    """The functions that may be called in a language, with elements in its structures."""

    def __init__(self, structures: Structures) -> None:
        self.structures, self.arithmetic = structures, structures.arithmetic
        self._of, self._kept = structures.of, structures.kept
        self._joined, self._words = structures.joined, structures.words

    def routines(self) -> Routines:
        """Return what functions call, by their names in the language."""
        return self._in_c() if self.structures.language == "c" else self._in_rust()

    def on_words(self) -> Routines:
        """Return functions on words: what they write comes first."""
        a = self.arithmetic
        operations: dict[str, Callable[..., Value]] = {
            **{name: getattr(a, name) for name in ("add", "sub", "neg", "half", "mul", "sqr")},
            "sum_of_products": lambda x, y, z, w: a.add(a.mul(x, y), a.mul(z, w)),
            "difference_of_products": lambda x, y, z, w: a.sub(a.mul(x, y), a.mul(z, w)),
        }
        found: Routines = {name: self._written(how) for name, how in operations.items()}
        for name in ("mul", "sqr", "sum_of_products", "difference_of_products"):
            found[f"{name}_2"] = self._on_pairs(operations[name])
        found["norm_2"] = self._written(lambda x, y: a.norm(Pair(x, y)))
        return {**found, **self._choices(), **self._numbers()}

    def _written(self, operation: Callable[..., Value]) -> Callable[..., None]:
        def call(r: list[Value], *inputs: list[Value]) -> None:
            found = operation(*(self._joined(words, "element") for words in inputs))
            r[:] = self._words(found, "element")

        return call

    def _on_pairs(self, operation: Callable[..., Value]) -> Callable[..., None]:
        def call(r0: list[Value], r1: list[Value], *inputs: list[Value]) -> None:
            parts = [self._joined(words, "element") for words in inputs]
            found = operation(*map(Pair, parts[::2], parts[1::2]))
            r0[:], r1[:] = (self._words(part, "element") for part in found)

        return call

    def _choices(self) -> Routines:
        a = self.arithmetic

        def select(r: list[Value], x: list[Value], y: list[Value], bit: Value) -> None:
            r[:] = self._words(
                a.select(_bit(bit), *(self._joined(words, "element") for words in (x, y))), "element"
            )

        def cswap(r: list[Value], s: list[Value], x: list[Value], y: list[Value], bit: Value) -> None:
            one, other = (self._joined(words, "element") for words in (x, y))
            flag = _bit(bit)
            r[:] = self._words(a.select(flag, other, one), "element")
            s[:] = self._words(a.select(flag, one, other), "element")

        def mul_small(r: list[Value], x: list[Value], k: Value) -> None:
            factor = held(k if not isinstance(k, list) else k[0])
            factor = factor.raw if isinstance(factor, Integer) else factor
            r[:] = self._words(a.mul(self._joined(x, "element"), factor), "element")

        return {"select": select, "cswap": cswap, "mul_small": mul_small}

    def _numbers(self) -> Routines:
        def converted(source: str, target: str) -> Callable[..., None]:
            def call(r: list[Value], x: list[Value]) -> None:
                r[:] = self._words(self._joined(x, source), target)

            return call

        return {
            "canonical": converted("element", "kept"),
            "from_canonical": converted("kept", "element"),
            "to_number": converted("element", "number"),
            "from_number": converted("number", "element"),
            "is_nonzero": lambda t: self.arithmetic.is_zero(self._joined(t, "kept")) ^ 1,
        }

    def _operations(self) -> dict[str, Callable[..., Value]]:
        """Return what public functions make of elements, by their names in C."""
        a = self.arithmetic
        names = "add", "sub", "neg", "half", "mul", "sqr", "sqr_n", "conj"
        return {
            **{name: getattr(a, name) for name in names},
            **dict.fromkeys(("inv", "inv_var"), a.inverse),
            "norm": a.norm,
            "mul_small": self._multiple,
        }

    def _multiple(self, x: Value, k: Value) -> Value:
        """Return k·x, k a number or the symbol of one."""
        a = self.arithmetic
        factor = k.raw if isinstance(k, Integer) else a.number(k)
        return a.mul(x, Pair(factor, a.number(0)) if isinstance(x, Pair) else factor)

    def _in_c(self) -> Routines:
        a = self.arithmetic
        found: Routines = {f"limbs_{name}": routine for name, routine in self.on_words().items()}

        def giving(operation: Callable[..., Value]) -> Callable[..., None]:
            def call(r: Value, *inputs: Value) -> None:
                given = [x if isinstance(x, int | Integer) else self._of(x) for x in inputs]
                r.write(self._kept(operation(*given)))

            return call

        def swap(x: Value, y: Value, flag: Value) -> None:
            one, other = self._of(x), self._of(y)
            x.write(self._kept(a.select(flag, other, one)))
            y.write(self._kept(a.select(flag, one, other)))

        def inverse_square_root(r: Value, x: Value) -> Bit:
            flag, root = a.world.inverse_square_root(self._of(x))
            r.write(self._kept(root))
            return Bit(flag)

        def ratio(r: Value, x: Value, y: Value) -> Value:
            flag, root = a.sqrt_ratio_z(self._of(x), self._of(y))
            r.write(self._kept(root))
            return _flag(flag)

        for prefix, pair in (("fe", False), ("fe2", self.structures.pairs)):
            found |= {f"{prefix}_{name}": giving(how) for name, how in self._operations().items()}
            found |= {
                f"{prefix}_set_zero": giving(lambda pair=pair: a.number(0, pair=pair)),
                f"{prefix}_set_one": giving(lambda pair=pair: a.number(1, pair=pair)),
                f"{prefix}_is_zero": lambda x: a.is_zero(self._of(x)),
                f"{prefix}_equal": lambda x, y: _flag(a.equal(self._of(x), self._of(y))),
                **dict.fromkeys(
                    (f"{prefix}_is_square", f"{prefix}_is_square_var"), lambda x: a.is_square(self._of(x))
                ),
                f"{prefix}_select": lambda r, x, y, flag: r.write(
                    self._kept(a.select(flag, self._of(x), self._of(y)))
                ),
                f"{prefix}_cswap": swap,
                f"{prefix}_inv_sqrt": inverse_square_root,
            }
        found["fe_sqrt_ratio_z"] = ratio
        found["fe_trace"] = lambda x: Bit(a.trace(self._of(x)))
        found |= dict.fromkeys(("fe_half_trace", "quadratic_root"), giving(a.solution))
        found["make_even"] = lambda r: r.write(self._kept(a.even(self._of(r))))
        found["inverse_root"] = giving(a.inverse_root)
        found["root_of_square"] = giving(a.root_of_square)
        found["chain_step"] = giving(a.chain)
        return found

    def _in_rust(self) -> Routines:
        a = self.arithmetic
        found: Routines = {f"limbs::{name}": routine for name, routine in self.on_words().items()}

        def giving(operation: Callable[..., Value]) -> Callable[..., Value]:
            return lambda *inputs: self._kept(
                operation(*(x if isinstance(x, int | Integer) else self._of(x) for x in inputs))
            )

        names = {"sqr": "square", "sqr_n": "square_n", "inv": "invert", "inv_var": "invert_var"}
        for name, how in self._operations().items():
            found[names.get(name, name)] = giving(how)
        found["conjugate"] = giving(a.conj)
        found["inverse_root"] = giving(a.inverse_root)
        found["root_of_square"] = giving(a.root_of_square)
        found["chain_step"] = giving(a.chain)
        found["is_zero"] = lambda x: a.is_zero(self._of(x))
        found["ct_eq"] = lambda x, y: _flag(a.equal(self._of(x), self._of(y)))
        found |= dict.fromkeys(("is_square", "is_square_var"), lambda x: a.is_square(self._of(x)))

        def select(x: Value, y: Value, flag: Value) -> Value:
            return self._kept(a.select(flag, self._of(x), self._of(y)))

        for owner in ("Self", "FieldElement"):
            found[f"{owner}::select"] = select
            found[f"{owner}::cswap"] = self._swap
            found[f"{owner}::constant"] = self.structures.constant
        found["trace"] = lambda x: Bit(a.trace(self._of(x)))
        found |= dict.fromkeys(("half_trace", "quadratic_root"), giving(a.solution))
        found["make_even"] = giving(a.even)
        found["Self::conditional_select"] = lambda x, y, flag: select(y, x, flag)
        return {**found, **self._options()}

    def _swap(self, x: Value, y: Value, flag: Value) -> None:
        a, one, other = self.arithmetic, self._of(x), self._of(y)
        held(x).update(self._kept(a.select(flag, other, one)))
        held(y).update(self._kept(a.select(flag, one, other)))

    def _options(self) -> Routines:
        """Return what Rust does with choices and with what may be there or not."""
        world = self.arithmetic.world

        def inverse_sqrt(x: Value) -> Value:
            flag, root = world.inverse_square_root(self._of(x))
            return {"value": self._kept(root), "flag": Bit(flag)}

        def ratio(x: Value, y: Value) -> list[Value]:
            flag, root = self.arithmetic.sqrt_ratio_z(self._of(x), self._of(y))
            return [_flag(flag), self._kept(root)]

        return {
            "Self::sqrt_ratio_z": ratio,
            "choice": lambda bit: bit,
            "Choice::from": lambda bit: bit,
            "unwrap_u8": lambda choice: choice,
            "Word::from": lambda value: value,
            "CtOption::new": lambda value, flag: {"value": value, "flag": flag},
            "is_some": lambda option: option["flag"],
            "unwrap_or": lambda option, other: option["value"] if option["flag"] else other,
            "inverse_sqrt": inverse_sqrt,
        }


def _bit(bit: Value) -> Value:
    found = held(bit[0] if isinstance(bit, list) else bit)
    return found.raw if isinstance(found, Integer) else found


def _flag(value: Value) -> Value:
    return Bit(value) if isinstance(value, bool) else value
