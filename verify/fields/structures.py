"""Elements in the structures of C and of Rust, and what is called with them while functions are followed.

Whatever is called is taken as what it does: functions on words by their contracts, which are proved of limb
programs, and public functions on elements by what is proved of each of them.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from efdgen.verify.words.places import Element as Place
from efdgen.verify.words.places import Variable
from efdgen.verify.words.values import Bit, Integer, NotFollowedError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from efdgen.generator.fields.emitted import Build, EmittedFunction

Value = Any  # an element of whatever kind, a pair of them, a structure, a place
Routines = dict[str, "Callable[..., Value]"]


class Pair(NamedTuple):
    """An element c0 + c1·i of GF(p²)."""

    c0: Value
    c1: Value


class Part(NamedTuple):
    """A word of an element, of the number in [0, p) that it is kept as (``kept``), or of the one it is."""

    kind: str
    element: Value
    at: int


class Arithmetic:
    """What is computed with elements of GF(p), and with pairs of them; ``world`` computes with the former."""

    def __init__(self, world: Value, nonresidue: int | None) -> None:
        self.world = world
        self._nonresidue = nonresidue or 0

    def add(self, a: Value, b: Value) -> Value:
        """Return a + b."""
        return self._each(self.world.add, a, b)

    def sub(self, a: Value, b: Value) -> Value:
        """Return a - b."""
        return self._each(self.world.sub, a, b)

    def times(self, a: Value, factor: int | Fraction) -> Value:
        """Return a multiple."""
        return self._each(lambda x: self.world.times(x, factor), a)

    def neg(self, a: Value) -> Value:
        """Return -a."""
        return self.times(a, -1)

    def half(self, a: Value) -> Value:
        """Return a/2."""
        return self.times(a, Fraction(1, 2))

    def mul(self, a: Value, b: Value) -> Value:
        """Return a·b."""
        if not isinstance(a, Pair):
            return self.world.mul(a, b)
        mul, add, times = self.world.mul, self.world.add, self.world.times
        low = add(mul(a.c0, b.c0), times(mul(a.c1, b.c1), self._nonresidue))
        return Pair(low, add(mul(a.c0, b.c1), mul(a.c1, b.c0)))

    def sqr(self, a: Value) -> Value:
        """Return a²."""
        return self.mul(a, a)

    def sqr_n(self, a: Value, count: int) -> Value:
        """Return a^(2^n)."""
        for _ in range(count):
            a = self.sqr(a)
        return a

    def chain(self, a: Value, count: int, b: Value) -> Value:
        """Return a^(2^n)·b."""
        return self.mul(self.sqr_n(a, count), b)

    def norm(self, a: Pair) -> Value:
        """Return the norm of a pair."""
        return self.mul(a, self.conj(a)).c0

    def conj(self, a: Pair) -> Pair:
        """Return the conjugate."""
        return Pair(a.c0, self.world.times(a.c1, -1))

    def inverse(self, a: Value) -> Value:
        """Return 1/a, and 0 of 0."""
        if isinstance(a, Pair):
            scale = self.world.inverse(self.norm(a))
            return Pair(*(self.world.mul(part, scale) for part in self.conj(a)))
        return self.world.inverse(a)

    def is_zero(self, a: Value) -> Bit:
        """Whether a is 0."""
        if isinstance(a, Pair):
            first, second = self.world.is_zero(a.c0), self.world.is_zero(a.c1)
            return Bit(first and second)
        return Bit(self.world.is_zero(a))

    def equal(self, a: Value, b: Value) -> Value:
        """Whether a = b."""
        return self.is_zero(self.sub(a, b)) if isinstance(a, Pair) else self.world.equal(a, b)

    def select(self, flag: Value, a: Value, b: Value) -> Value:
        """Return a where a flag is 1, b where it is 0."""
        return self._each(lambda x, y: self.world.select(flag, x, y), a, b)

    def is_square(self, a: Value) -> Bit:
        """Whether a is a square."""
        return Bit(self.world.is_square(self.norm(a) if isinstance(a, Pair) else a))

    def inverse_root(self, a: Value) -> Value:
        """Return an inverse root of a square, 0 of 0."""
        return self.world.inverse_root(a)

    def root_of_square(self, a: Value) -> Value:
        """Return a root of a square: the square times an inverse root of it."""
        return self.mul(a, self.inverse_root(a))

    def vanishes(self, a: Value) -> bool:
        """Whether a is 0 by what is known."""
        return all(map(self.world.vanishes, a)) if isinstance(a, Pair) else self.world.vanishes(a)

    def same(self, a: Value, b: Value) -> bool:
        """Whether two elements are equal by what is known."""
        return type(a) is type(b) and self.vanishes(self.sub(a, b))

    def number(self, value: int, *, pair: bool = False) -> Value:
        """Return a number, as a pair or not."""
        found = self.world.constant(value)
        return Pair(found, self.world.constant(0)) if pair else found

    @staticmethod
    def _each(operation: Callable[..., Value], *values: Value) -> Value:
        if not isinstance(values[0], Pair):
            return operation(*values)
        return Pair(*(operation(*parts) for parts in zip(*values, strict=True)))


class Structures:
    """Elements as a language keeps them, in words of a size."""

    def __init__(
        self, function: EmittedFunction, build: Build, language: str, arithmetic: Arithmetic, *, pairs: bool
    ) -> None:
        self.function, self.build, self.arithmetic = function, build, arithmetic
        self.language, self.pairs = language, pairs
        self._limbs = "limb" if language == "c" else "0"

    # Structures

    def empty(self) -> dict[str, Value]:
        """Return an element that has no value yet."""
        return {self._limbs: [None] * self.build.limbs}

    def empty_pair(self) -> dict[str, Value]:
        """Return an element of GF(p²) that has no value yet."""
        return {"c0": self.empty(), "c1": self.empty()} if self.pairs else self.empty()

    def kept(self, value: Value) -> dict[str, Value]:
        """Return an element, or a pair, in its structure."""
        if isinstance(value, Pair):
            return {"c0": self.kept(value.c0), "c1": self.kept(value.c1)}
        return {self._limbs: self.words(value, "element")}

    def words(self, value: Value, kind: str) -> list[Value]:
        """Return the words of an element."""
        count = self.build.limbs if kind == "element" else self.build.words
        return [Part(self._kind(kind), value, at) for at in range(count)]

    def _kind(self, kind: str) -> str:
        return "number" if kind == "kept" and self.build.radix == 1 else kind

    def of(self, structure: Value) -> Value:
        """Return the element that a structure holds, or something that points to one."""
        structure = held(structure)
        if not isinstance(structure, dict):
            raise NotFollowedError("this is no element")
        if "c0" in structure:
            return Pair(self.of(structure["c0"]), self.of(structure["c1"]))
        return self.joined(structure[self._limbs], "element")

    def joined(self, words: Sequence[Value], kind: str) -> Value:
        """Return the element whose words these are, all of them and in order; known words are a constant."""
        words = [word.raw if isinstance(word, Integer) else word for word in words]
        first = words[0]
        if all(isinstance(word, int) for word in words) and kind == "element":
            number = sum(word << at for word, at in zip(words, self.build.positions, strict=True))
            prime = self.function.prime
            return self.arithmetic.world.constant(number * pow(self.build.radix, -1, prime) % prime)
        if not isinstance(first, Part) or first.kind != self._kind(kind):
            raise NotFollowedError(f"these are no words of an element as {kind}")
        wanted = [first._replace(at=at) for at in range(len(words))]
        if words != wanted or len(words) != len(self.words(first.element, kind)):
            raise NotFollowedError("words are of several elements, or some are left out")
        return first.element

    # What is called

    def routines(self) -> Routines:
        """Return what functions call, by their names in the language."""
        return self._in_c() if self.language == "c" else self._in_rust()

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
            found = operation(*(self.joined(words, "element") for words in inputs))
            r[:] = self.words(found, "element")

        return call

    def _on_pairs(self, operation: Callable[..., Value]) -> Callable[..., None]:
        def call(r0: list[Value], r1: list[Value], *inputs: list[Value]) -> None:
            parts = [self.joined(words, "element") for words in inputs]
            found = operation(*map(Pair, parts[::2], parts[1::2]))
            r0[:], r1[:] = (self.words(part, "element") for part in found)

        return call

    def _choices(self) -> Routines:
        a = self.arithmetic

        def select(r: list[Value], x: list[Value], y: list[Value], bit: Value) -> None:
            r[:] = self.words(
                a.select(_bit(bit), *(self.joined(words, "element") for words in (x, y))), "element"
            )

        def cswap(r: list[Value], s: list[Value], x: list[Value], y: list[Value], bit: Value) -> None:
            one, other = (self.joined(words, "element") for words in (x, y))
            flag = _bit(bit)
            r[:] = self.words(a.select(flag, other, one), "element")
            s[:] = self.words(a.select(flag, one, other), "element")

        def mul_small(r: list[Value], x: list[Value], k: Value) -> None:
            factor = held(k if not isinstance(k, list) else k[0])
            factor = factor.raw if isinstance(factor, Integer) else factor
            r[:] = self.words(a.mul(self.joined(x, "element"), factor), "element")

        return {"select": select, "cswap": cswap, "mul_small": mul_small}

    def _numbers(self) -> Routines:
        def converted(source: str, target: str) -> Callable[..., None]:
            def call(r: list[Value], x: list[Value]) -> None:
                r[:] = self.words(self.joined(x, source), target)

            return call

        return {
            "canonical": converted("element", "kept"),
            "from_canonical": converted("kept", "element"),
            "to_number": converted("element", "number"),
            "from_number": converted("number", "element"),
            "is_nonzero": lambda t: self.arithmetic.is_zero(self.joined(t, "kept")) ^ 1,
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
                given = [x if isinstance(x, int | Integer) else self.of(x) for x in inputs]
                r.write(self.kept(operation(*given)))

            return call

        def swap(x: Value, y: Value, flag: Value) -> None:
            one, other = self.of(x), self.of(y)
            x.write(self.kept(a.select(flag, other, one)))
            y.write(self.kept(a.select(flag, one, other)))

        def inverse_square_root(r: Value, x: Value) -> Bit:
            flag, root = a.world.inverse_square_root(self.of(x))
            r.write(self.kept(root))
            return Bit(flag)

        for prefix, pair in (("fe", False), ("fe2", self.pairs)):
            found |= {f"{prefix}_{name}": giving(how) for name, how in self._operations().items()}
            found |= {
                f"{prefix}_set_zero": giving(lambda pair=pair: a.number(0, pair=pair)),
                f"{prefix}_set_one": giving(lambda pair=pair: a.number(1, pair=pair)),
                f"{prefix}_is_zero": lambda x: a.is_zero(self.of(x)),
                f"{prefix}_equal": lambda x, y: _flag(a.equal(self.of(x), self.of(y))),
                **dict.fromkeys(
                    (f"{prefix}_is_square", f"{prefix}_is_square_var"), lambda x: a.is_square(self.of(x))
                ),
                f"{prefix}_select": lambda r, flag, x, y: r.write(
                    self.kept(a.select(flag, self.of(x), self.of(y)))
                ),
                f"{prefix}_cswap": swap,
                f"{prefix}_inv_sqrt": inverse_square_root,
            }
        found["inverse_root"] = giving(a.inverse_root)
        found["root_of_square"] = giving(a.root_of_square)
        found["chain_step"] = giving(a.chain)
        return found

    def _in_rust(self) -> Routines:
        a = self.arithmetic
        found: Routines = {f"limbs::{name}": routine for name, routine in self.on_words().items()}

        def giving(operation: Callable[..., Value]) -> Callable[..., Value]:
            return lambda *inputs: self.kept(
                operation(*(x if isinstance(x, int | Integer) else self.of(x) for x in inputs))
            )

        names = {"sqr": "square", "sqr_n": "square_n", "inv": "invert", "inv_var": "invert_var"}
        for name, how in self._operations().items():
            found[names.get(name, name)] = giving(how)
        found["conjugate"] = giving(a.conj)
        found["inverse_root"] = giving(a.inverse_root)
        found["root_of_square"] = giving(a.root_of_square)
        found["chain_step"] = giving(a.chain)
        found["is_zero"] = lambda x: a.is_zero(self.of(x))
        found["ct_eq"] = lambda x, y: _flag(a.equal(self.of(x), self.of(y)))
        found |= dict.fromkeys(("is_square", "is_square_var"), lambda x: a.is_square(self.of(x)))
        for owner in ("Self", "FieldElement"):
            found[f"{owner}::select"] = lambda x, y, flag: self.kept(a.select(flag, self.of(x), self.of(y)))
            found[f"{owner}::cswap"] = self._swap
            found[f"{owner}::constant"] = lambda words: {self._limbs: list(words)}
        select = found["Self::select"]
        found["Self::conditional_select"] = lambda x, y, flag: select(y, x, flag)
        return {**found, **self._options()}

    def _swap(self, x: Value, y: Value, flag: Value) -> None:
        a, one, other = self.arithmetic, self.of(x), self.of(y)
        held(x).update(self.kept(a.select(flag, other, one)))
        held(y).update(self.kept(a.select(flag, one, other)))

    def _options(self) -> Routines:
        """Return what Rust does with choices and with what may be there or not."""
        world = self.arithmetic.world

        def inverse_sqrt(x: Value) -> Value:
            flag, root = world.inverse_square_root(self.of(x))
            return {"value": self.kept(root), "flag": Bit(flag)}

        return {
            "choice": lambda bit: bit,
            "Choice::from": lambda bit: bit,
            "unwrap_u8": lambda choice: choice,
            "Word::from": lambda value: value,
            "CtOption::new": lambda value, flag: {"value": value, "flag": flag},
            "is_some": lambda option: option["flag"],
            "unwrap_or": lambda option, other: option["value"] if option["flag"] else other,
            "inverse_sqrt": inverse_sqrt,
        }


def held(value: Value) -> Value:
    """Return what something points to, or the value itself."""
    return value.read() if isinstance(value, Variable | Place) else value


def _bit(bit: Value) -> Value:
    found = held(bit[0] if isinstance(bit, list) else bit)
    return found.raw if isinstance(found, Integer) else found


def _flag(value: Value) -> Value:
    return Bit(value) if isinstance(value, bool) else value
