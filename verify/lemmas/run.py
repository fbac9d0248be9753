"""Runs of routines on elements, each on one way through a case: kernels are their steps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from efdgen.generator.errors import EfdgenError
from efdgen.generator.programs.interpreter import run_kernel
from efdgen.generator.routines.integers import RoutineError
from efdgen.generator.routines.interpreter import Interpreter
from efdgen.verify.lemmas.later import Choices, Later, later, now
from efdgen.verify.symbols.ways import ways

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from efdgen.generator.programs.kernel import Argument, CurveKernels, Kernel
    from efdgen.generator.routines.module import Module
    from efdgen.verify.laws.algebra import Ratio
    from efdgen.verify.lemmas.elements import Elements
    from efdgen.verify.lemmas.shapes import Value
    from efdgen.verify.symbols.facts import Facts

Started = TypeVar("Started")


class Run:
    """One way through one case: what calls of functions return for rational functions as elements.

    ``leaves`` are contracts in the place of functions, ``constants`` the values of constants.
    """

    def __init__(
        self,
        module: Module,
        elements: Elements,
        leaves: Mapping[str, Callable[..., list[Any]]],
        constants: Mapping[str, Any],
    ) -> None:
        self.elements = elements
        numbers = {"ZERO": elements.number(0), "ONE": elements.number(1)}
        self.leaves = _field(elements) | dict(leaves)
        self.constants = numbers | dict(constants)
        self._interpreter = Interpreter(module, self.leaves, self.constants, Choices())

    def nonzero(self, value: Ratio) -> bool:
        """Return whether an element is not 0."""
        return not self.elements.is_zero(value)

    def call(self, name: str, *arguments: Any) -> list[Any]:  # noqa: ANN401 - structures and integers
        """Return what a routine or a leaf changes and returns."""
        if name in self.leaves:
            return [now(value) for value in self.leaves[name](*arguments)]
        changed, results = self._interpreter.run(name, *arguments)
        return [now(value) for value in (*changed, *results)]


def kernel_leaf(
    kernel: Kernel, group: CurveKernels, elements: Elements
) -> Callable[..., list[dict[str, Later]]]:
    """Return a kernel of a group, whose steps are run when one of its results is asked for."""
    constants = {key: elements.number(value) for key, value in group.constants.items()}

    def called(*arguments: Value) -> list[dict[str, Later]]:
        def run() -> dict[str, Value]:
            given = {i.name: now(value) for i, value in zip(kernel.inputs, arguments, strict=True)}
            return run_kernel(kernel, elements, constants, given)

        results = Later(run)
        return [_members(results, output) for output in kernel.outputs]

    return called


def every(name: str, case: str, start: Callable[[Facts], Started], follow: Callable[[Started], str]) -> None:
    """Follow every way through a case; raise :class:`EfdgenError` with the first failure.

    ``start`` makes a run for the facts of a way, and ``follow`` returns how it fails, or an empty text.
    """

    def followed(facts: Facts) -> None:
        run = start(facts)
        try:
            failure = follow(run)
        except RoutineError as error:
            failure = str(error)
        if failure:
            where = ", ".join([case, *facts.cases])
            raise EfdgenError(f"{name} is not proved, for {where}: {failure}")

    if not list(ways(followed)):
        raise EfdgenError(f"{name} is not proved, for {case}: there are no such points")


def _field(elements: Elements) -> dict[str, Callable[..., list[Any]]]:
    return {
        "fe_mul": later(lambda a, b: a * b),
        "fe_sqr": later(lambda a: a * a),
        "fe_add": later(lambda a, b: a + b),
        "fe_sub": later(lambda a, b: a - b),
        "fe_neg": later(lambda a: -a),
        "fe_inv": later(elements.inv),
        "fe_is_zero": later(elements.is_zero),
        "fe_equal": later(lambda a, b: elements.is_zero(a - b)),
        "fe_select": lambda a, b, flag: [Later(lambda: a if now(flag) else b)],
    }


def _members(results: Later, output: Argument) -> dict[str, Later]:
    """Return the members of a kernel's output, before they are computed."""

    def member(name: str) -> Later:
        return Later(lambda: results.value()[output.name][name])

    return {name: member(name) for name in output.type.members}
