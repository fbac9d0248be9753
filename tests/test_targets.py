"""Every target has every set of functions, on curves of all kinds: proved, printed, commented and read."""

from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import get_args

import pytest
from c_comments import uncommented

from efdgen.api.requests import require_target
from efdgen.generator.errors import EfdgenError
from efdgen.generator.options import Optimize, Set, Target

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
    files = [*(tmp_path / "made").rglob("*.[hr]*")]
    assert files
    heads = [head for file in files if file.suffix == ".h" for head in uncommented(file.read_text())]
    assert heads == []


def test_a_function_without_comment_is_seen() -> None:
    text = "/* Returns a. */\nstatic int f(int a) {\n    return a;\n}\n\nstatic int g(int a) {\n}\n"
    assert uncommented(text) == ["static int g(int a) {"]
