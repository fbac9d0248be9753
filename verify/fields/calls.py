"""Calls in followed text, in each language: the same functions, with arguments in the language's order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from efdgen.verify.fields.rows import AHEAD

if TYPE_CHECKING:
    from collections.abc import Callable

    from efdgen.verify.fields.trace import Trace
    from efdgen.verify.words.values import Integer

Value = Any
Routines = dict[str, "Callable[..., Value]"]


def routines_in_c(trace: Trace) -> Routines:
    """Return what C calls: results go to the first arguments."""

    def written(function: Callable[..., list[Integer]]) -> Callable[..., None]:
        def call(r: list[Value], *arguments: Value) -> None:
            r[:] = function(*arguments)

        return call

    def piece(t: list[Value], zeta: Value, f: Value, g: Value, count: int) -> Value:
        after, t[:] = trace.piece(zeta, f, g, count, 0)
        return after

    def symbol_piece(t: list[Value], symbol: Value, changes: Value, *given: Value) -> Value:
        after, t[:] = trace.piece(given[0], given[1], given[2], given[3], AHEAD, 1)
        told = trace.told(symbol.read(), changes.read(), given[-1])
        for place, value in zip((symbol, changes), told, strict=True):
            place.write(value)
        return after

    def advance(f: Value, g: Value, t: Value, count: int) -> None:
        for place, value in zip((f, g), trace.advance(f.read(), g.read(), t, count), strict=True):
            place.write(value)

    def compose(t: list[Value], s: list[Value]) -> None:
        t[:] = trace.compose(s, t)

    def adjust(a: list[Value], sign: Value) -> None:
        a[:] = trace.adjust(a, sign)

    return {
        "division_piece": piece,
        "halving_lead": written(trace.lead),
        "halving_piece": written(trace.halvings),
        "halving_advance": lambda x, t: written(trace.lead_behind)(x, x, t),
        "fe_inv": lambda _, value: trace.inverted(value),
        "symbol_piece": symbol_piece,
        "division_advance": advance,
        "division_compose": compose,
        "signed_adjust": adjust,
        "division_quotient": written(lambda *given: trace.applied("fg", *given)),
        "division_row": written(lambda *given: trace.applied("de", *given)),
        "to_signed": written(trace.to_signed),
        "from_signed": written(trace.from_signed),
        "fe_canonical": written(trace.canonical),
        "fe_from_canonical": lambda _, words: trace.returned(words),
        "limbs_is_nonzero": trace.is_nonzero,
    }


def routines_in_rust(trace: Trace) -> Routines:
    """Return what Rust calls."""

    def symbol_piece(state: dict[str, Value], low: list[Value], count: int) -> Value:
        zeta, changes, symbol = (
            trace.machine.integer(trace.word, state[one]) for one in ("zeta", "changes", "bits")
        )
        state["zeta"], matrix = trace.piece(zeta, low[0], low[1], count, AHEAD, 1)
        state["bits"], state["changes"] = trace.told(symbol, changes, count)
        return matrix

    def adjust(a: list[Value], sign: Value) -> None:
        a[:] = trace.adjust(a, sign)

    return {
        "division_piece": lambda zeta, low, count: trace.piece(zeta, low[0], low[1], count, 0),
        "halving_lead": trace.lead,
        "halving_piece": lambda low, x: trace.halvings(low[0], low[1], x),
        "halving_advance": trace.lead_behind,
        "invert": trace.inverted,
        "symbol_piece": symbol_piece,
        "division_advance": lambda low, t, count: list(trace.advance(low[0], low[1], t, count)),
        "division_compose": trace.compose,
        "signed_adjust": adjust,
        "division_quotient": lambda *given: trace.applied("fg", *given),
        "division_row": lambda *given: trace.applied("de", *given),
        "to_signed": trace.to_signed,
        "from_signed": trace.from_signed,
        "canonical": trace.canonical,
        "Self::from_canonical": trace.returned,
        "limbs::is_nonzero": trace.is_nonzero,
        "choice": lambda bit: bit,
    }
