"""Contract of sums of comb entries that are read by their index, for public scalars.

``add_comb_var`` adds for each block the entry that a window chooses, as reads of whole tables do. It is a
loop over blocks that changes its sum alone. So it is proved block by block, for every window, with any sum
and any entries: an iteration reads nothing else, and a claim about each is one about their sequence.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from efdgen.generator.errors import EfdgenError
from efdgen.generator.routines import tree
from efdgen.generator.routines.integers import RoutineError
from efdgen.generator.routines.interpreter import Interpreter
from efdgen.generator.routines.types import INT
from efdgen.verify.routines.group import Group
from efdgen.verify.routines.points import Point, multiple
from efdgen.verify.symbols.bits import Bitwise
from efdgen.verify.symbols.facts import Facts

if TYPE_CHECKING:
    from collections.abc import Callable

    from efdgen.generator.routines.module import Module
    from efdgen.generator.scalars.comb import Comb

ROUTINE, WINDOW = "add_comb_var", "comb_window"


def prove_picked(module: Module, comb: Comb) -> None:
    """Prove the contract; raise :class:`EfdgenError` where it fails."""
    try:
        _prove(_one_block(module), comb)
    except RoutineError as error:
        raise EfdgenError(f"{ROUTINE} is not proved: {error}") from None


def _prove(one: Module, comb: Comb) -> None:
    tables = [
        [multiple(f"{block} {entry}") for entry in range(1 << comb.teeth - 1)] for block in range(comb.blocks)
    ]
    for block, table in enumerate(tables):
        half = len(table)
        for window in range(2 * half):
            entry = table[window - half] if window >= half else table[half - 1 - window].times(-1)
            if _sum(one, tables, block, window) != multiple("sum").plus(entry):
                raise EfdgenError(f"{ROUTINE} adds another entry in block {block} for window {window}")


def _one_block(module: Module) -> Module:
    """Return a module in which the routine does one iteration of its loop, for a given block."""
    routine = module.routines[ROUTINE]
    statements = [s for s in routine.body if not isinstance(s, tree.Comment)]
    loop = statements[0]
    if len(statements) != 1 or not isinstance(loop, tree.For) or loop.down:
        raise EfdgenError(f"{ROUTINE} is more than a loop")
    if (loop.start, loop.stop) != (tree.Number(0), tree.Number(_blocks(routine))):
        raise EfdgenError(f"{ROUTINE} is no loop over all blocks")
    block = tree.Parameter(loop.name, tree.TypeName("int"), "", type=INT)
    own = replace(routine, parameters=(*routine.parameters, block), body=loop.body)
    return replace(module, routines={**module.routines, ROUTINE: own})


def _blocks(routine: tree.Routine) -> int:
    """Return the number of blocks of the routine's table."""
    length = routine.parameters[1].kind.lengths[0]
    if not isinstance(length, tree.Number):
        raise EfdgenError(f"{ROUTINE} takes a table of any length")
    return length.value


def _sum(module: Module, tables: list[list[Point]], block: int, window: int) -> Point:
    """Run one iteration on any sum, table and scalar, of which a window is read alone."""
    facts = Facts()
    words, t, flips, s = Bitwise(facts), object(), object(), object()

    def chosen(*given: object) -> list[int]:
        if given != (t, flips, block, s):
            raise RoutineError("a window of another block, pass or scalar")
        return [window]

    run = Interpreter(module, Group(facts, words, {}, {}).table | {WINDOW: chosen}, values=words)
    (found,), _ = run.run(ROUTINE, multiple("sum"), tables, t, flips, s, block)
    assert isinstance(found, Point)
    return found


def picked(run: Interpreter, group: Group, comb: Comb) -> Callable[..., list[Any]]:
    """Return the contract on one way: a sum, and for each block the entry of its window."""

    def added(total: Point, table: list[list[Point]], t: Any, flips: Any, s: int) -> list[Any]:  # noqa: ANN401
        for block, entries in enumerate(table):
            (window,) = run.call(WINDOW, t, flips, block, s)
            total = group.read_and_add(total, entries, window, comb.teeth)
        return [total]

    return added
