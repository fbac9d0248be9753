"""Refutations: the claims that fail, a counterexample, and the edit that repairs the formula."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.verify.children import ask

if TYPE_CHECKING:
    from efdgen.generator.formulas.formula import Formula
    from efdgen.verify.refutation.refutation import Refutation


def explain(formula: Formula) -> Refutation:
    """Return why a formula is false, found out in a child, where Sage is imported."""
    return ask(_refute, formula)


def _refute(formula: Formula) -> Refutation:
    from efdgen.verify.refutation.refute import refute

    return refute(formula)
