"""Test subjects: kernels for a curve, every formula of the database."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING

from efdgen.generator.compile import Request, make_bundle
from efdgen.generator.curves.instantiate import NotApplicable, find_curve, parameter_assumptions
from efdgen.generator.curves.load import checked_curve
from efdgen.generator.files import render
from efdgen.generator.formulas.foundations import own_foundations
from efdgen.generator.kernels.bundle import group
from efdgen.generator.kernels.candidate import candidate
from efdgen.generator.kernels.prover import Prover
from efdgen.generator.origin import Origin
from efdgen.generator.programs.kernel import Bundle
from efdgen.verify.certificate import require_law

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from efdgen.generator.curves.curve import Curve
    from efdgen.generator.formulas.database import Database
    from efdgen.generator.formulas.formula import Formula
    from efdgen.generator.kernels.candidate import Candidate
    from efdgen.generator.kernels.specialise import Specialised
    from efdgen.generator.mathematics.ground import Ground
    from efdgen.generator.options import Language


@dataclass(frozen=True)
class Subject:
    """A bundle, and its source files in one or more languages.

    ``curve`` is the curve of a bundle that has only one, where it has a name.
    """

    title: str
    bundle: Bundle
    files: Mapping[Language, Mapping[str, str]]
    curve: Curve | None = None


def curve_subject(database: Database, request: Request, languages: Sequence[Language]) -> Subject:
    """Return the kernels that a request asks for, printed in some languages; they are not proved."""
    curve = checked_curve(request.curve)
    bundle = make_bundle(database, request, FoundationProver())
    files = {language: render(bundle, replace(request, lang=language, layout=None)) for language in languages}
    return Subject(curve.name, bundle, files, curve)


def every_formula(database: Database, ground: Ground, languages: Sequence[Language], seed: int) -> Subject:
    """Return kernels of every formula of a field's characteristic, odd or 2, on random curves over it.

    Formulas of one model share a curve where their assumptions allow it, the least demanding first, and those
    with a map last.
    """
    rng = Random(seed)
    place = "g12o/" if ground.is_binary else "g1p/"
    formulas = [
        database.formula(formula_id)
        for formula_id in database.readable(i for i in database.ids if i.startswith(place))
    ]
    formulas.sort(key=lambda f: (f.map is not None, len(parameter_assumptions(f)), f.id))
    curves: dict[str, list[dict[str, int]]] = {}
    chosen: dict[tuple[str, int, str], list[Candidate]] = {}
    for formula in formulas:
        number, found = _on_a_curve(formula, ground, curves.setdefault(formula.system.model.id, []), rng)
        chosen.setdefault((formula.system.model.id, number, formula.system.id), []).append(found)
    groups = []
    for (_, number, system), candidates in sorted(chosen.items(), key=lambda item: item[0]):
        namespace = re.sub(r"\W", "_", f"curve{number}_{system.removeprefix(place)}")
        groups.append(group(namespace, f"curve {number}", ground, candidates, FoundationProver()))
    bundle = Bundle("every", ground, tuple(groups), Origin(("efdgen", "test", "--all")))
    files = {language: render(bundle, Request(language, "every", lowering="calls")) for language in languages}
    return Subject(f"every formula over {_field_text(ground)}", bundle, files)


def _field_text(ground: Ground) -> str:
    if ground.is_binary:
        return str(ground)
    return f"GF({ground.prime})" if ground.prime < 1 << 16 else f"a field of {ground.bits} bits"


def _on_a_curve(
    formula: Formula, ground: Ground, curves: list[dict[str, int]], rng: Random
) -> tuple[int, Candidate]:
    """Return the first curve that fits a formula, by number; append a new one where none does.

    Parameters that a map leaves free are random.
    """
    free = (
        {name: rng.randrange(1, ground.order) for name in formula.map.free_parameters} if formula.map else {}
    )
    for number, parameters in enumerate(curves):
        try:
            return number, candidate(formula, ground, {**parameters, **free})
        except NotApplicable:
            continue
    found = find_curve(formula, ground, rng)
    curves.append({name: found[name] for name in formula.system.model.parameters})
    return len(curves) - 1, candidate(formula, ground, {**curves[-1], **free})


class FoundationProver(Prover):
    """Proofs of the laws of a formula's model, map and kind, where they are not built in.

    The expected values of tests come from these laws; nothing is proved of the formula.
    """

    def proof(self, specialised: Specialised) -> str:
        """Return that a kernel is tested alone; raise :class:`EfdgenError` if a law is not proved."""
        if own_foundations(specialised.formula):
            require_law(specialised.formula)
        return "none; these kernels are built for a test"
