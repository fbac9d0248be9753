"""Every target has every set of functions, on curves of all kinds: proved, printed, commented and read."""

import tomllib
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import get_args

import pytest
from c_comments import uncommented

from efdgen.api.requests import require_target
from efdgen.generator.compile import Request
from efdgen.generator.errors import EfdgenError
from efdgen.generator.formulas.database import Database
from efdgen.generator.options import Optimize, Set, Target
from efdgen.generator.planning.request import plan_curve
from efdgen.generator.reports.weights import parse_weights
from efdgen.verify.plan_proofs import SafePlans

CURVES = ("P-256", "P-384", "secp256k1", "Ed25519", "X25519", "Ed448", "sect233k1")


def compiles(target: str, language: str) -> bool:
    """Return whether a target has code in a language."""
    try:
        require_target(language, target)
    except EfdgenError:
        return False
    return True


def applies(optimize: str, language: str, curve: str) -> bool:
    """Return whether an option of code has an effect: small code is C, of prime fields."""
    return optimize == "speed" or (language == "c" and not curve.startswith("sect"))


CELLS = [
    (language, target, curve, chosen, optimize)
    for language, target, curve, chosen, optimize in product(
        ("c", "rust"), get_args(Target), CURVES, get_args(Set), get_args(Optimize)
    )
    if compiles(target, language) and applies(optimize, language, curve)
]


@pytest.mark.long
@pytest.mark.drawn(3)
@pytest.mark.parametrize(("language", "target", "curve", "chosen", "optimize"), CELLS)
def test_every_target_has_every_set(
    language: str, target: str, curve: str, chosen: str, optimize: str, efdgen: Callable, tmp_path: Path
) -> None:
    asked = ("--lang", language, "--curve", curve, "--set", chosen, "--target", target)
    asked += ("--optimize", optimize) if optimize != "speed" else ()
    table = () if chosen == "kernels" else ("--table", "small")
    made = efdgen("compile", *asked, *table, "--out", tmp_path / "made")
    assert (made.code, made.err.count("report it")) == (0, 0), made.err
    written = [*(tmp_path / "made").rglob("*.[hr]*")]
    assert written
    heads = [head for file in written if file.suffix == ".h" for head in uncommented(file.read_text())]
    assert heads == []


def test_a_function_without_comment_is_seen() -> None:
    text = "/* Returns a. */\nstatic int f(int a) {\n    return a;\n}\n\nstatic int g(int a) {\n}\n"
    assert uncommented(text) == ["static int g(int a) {"]


@pytest.mark.parametrize("target", ["cortex-m4", "cortex-m0", "rv32im"])
def test_formulas_for_a_machine_are_chosen_by_its_own_counts(target: Target, database: Database) -> None:
    """Was: a doubling with 16 sums, which are cheap in words of 64 bits alone."""
    counted = tomllib.loads(files("efdgen.generator.tuning").joinpath("machines.toml").read_text())[target]
    request = Request("c", "P-256", set="curve", target=target)
    weights = parse_weights(request.all_weights)
    for unit, name in (("S", "square"), ("add", "sum")):
        ratio = Fraction(sum(counted[name]), sum(counted["product"]))
        assert abs(weights.unit(unit) - ratio) < Fraction(1, 1000)
    assert not request.counts_instructions
    plans = [plan_curve(database, each, SafePlans()) for each in (request, replace(request, target=None))]
    chosen, other = (
        {kernel.name: weights.price(kernel.cost_emitted) for kernel in plan.kernels.kernels} for plan in plans
    )
    both = chosen.keys() & other.keys()
    assert all(chosen[name] <= other[name] for name in both)
    assert any(chosen[name] < other[name] for name in both)


def test_weights_of_a_request_come_before_those_of_a_machine() -> None:
    asked = Request("c", "P-256", set="curve", target="cortex-m4", weights="S=0.5")
    assert parse_weights(asked.all_weights).unit("S") == Fraction(1, 2)
