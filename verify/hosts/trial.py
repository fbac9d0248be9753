"""Runs of a host's functions on the shared test vectors."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from efdgen.generator.hosts.aliasing import aliases
from efdgen.verify.vectors.data import EDGE
from efdgen.verify.vectors.drivers import Driver
from efdgen.verify.vectors.runner import judge, requests
from efdgen.verify.vectors.subjects import Subject
from efdgen.verify.vectors.suite import make_suite

if TYPE_CHECKING:
    from collections.abc import Sequence

    from efdgen.generator.curves.curve import Curve
    from efdgen.generator.hosts.compile import HostBundle
    from efdgen.verify.vectors.data import Suite
    from efdgen.verify.vectors.runner import Result


def trial(bundle: HostBundle, curve: Curve, command: Sequence[str], seed: int) -> list[Result]:
    """Ask a driver every vector of its functions, with every aliasing; return how each function did.

    Raises :class:`EfdgenError` where the driver breaks down, as it does where a host's own check fails.
    """
    suite = _aliased(make_suite(Subject(curve.name, bundle.bundle, {}, curve), seed), bundle)
    # Python hosts need no field operations.
    asked = requests(suite, "python")
    return judge(suite, {"python": Driver("python", tuple(command)).ask(asked)})


def _aliased(suite: Suite, bundle: HostBundle) -> Suite:
    """Return a suite with every aliasing in all cases, except in those at the edges of words."""
    functions = []
    for vectors, function in zip(suite.functions, bundle.functions, strict=True):
        names = tuple(argument.name for argument in aliases(function))
        cases = (case if case.origin == EDGE else replace(case, aliases=names) for case in vectors.cases)
        functions.append(replace(vectors, cases=tuple(cases)))
    return replace(suite, functions=tuple(functions))
