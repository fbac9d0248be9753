"""The curves of the groups jq255e and jq255s: generators, emitted kernels on published sums and multiples.

An element of a group is a point modulo (0, -1), which has order 2; its encoding is the x of its
representative with even y, in 32 bytes, little-endian.
"""

import importlib.util
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from efdgen.generator.curves.load import checked_curve

NAMES = ("jq255e", "jq255s")
VECTORS = tomllib.loads((Path(__file__).parent / "vectors/jq255.toml").read_text(encoding="utf-8"))
# The base points of the groups, whose multiples by the order are (0, -1).
BASES = {"jq255e": (1, 3), "jq255s": (3, 0x0F520B1BA747ADAC55E452A64612D10E6D7386B2348CC437104220CDA2789410)}


@pytest.fixture(params=NAMES)
def kernels(request: pytest.FixtureRequest, efdgen: Callable, tmp_path: Path) -> Any:
    """A module of emitted functions on points."""
    name = request.param
    assert efdgen("compile", "--lang", "python", "--curve", name, "--out", tmp_path).code == 0
    spec = importlib.util.spec_from_file_location(name, tmp_path / f"{name}.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def decoded(kernels: Any, text: str) -> Any:
    prime = kernels.P
    curve = checked_curve(kernels.__name__)
    a, d = curve.parameters["a"], curve.parameters["d"]
    x = int.from_bytes(bytes.fromhex(text), "little")
    y = root(d * x**4 + 2 * a * x**2 + 1, prime)
    return kernels.Point(x, prime - y if y % 2 else y, 1, x * x % prime)


def root(square: int, prime: int) -> int:
    """Return a square root; the primes are 3 modulo 4 and 5 modulo 8."""
    found = pow(square, (prime + 3) // 8 if prime % 8 == 5 else (prime + 1) // 4, prime)
    if found * found % prime != square % prime:
        found = found * pow(2, (prime - 1) // 4, prime) % prime
    assert found * found % prime == square % prime
    return found


def encoded(kernels: Any, point: Any) -> str:
    x, y = kernels.normalize(point)[:2]
    return (kernels.P - x if y % 2 and x else x).to_bytes(32, "little").hex()


def multiplied(kernels: Any, n: int, point: Any) -> Any:
    found = kernels.Point(0, 1, 1, 0)
    for bit in f"{n:b}":
        found = kernels.double(found)
        found = kernels.add(found, point) if bit == "1" else found
    return found


def test_published_sums(kernels: Any) -> None:
    for group in VECTORS[kernels.__name__]["sums"]:
        p, q = (decoded(kernels, group[name]) for name in ("p", "q"))
        both, double = kernels.add(p, q), kernels.double(p)
        assert encoded(kernels, both) == group["sum"]
        assert encoded(kernels, double) == encoded(kernels, kernels.add(p, p)) == group["double"]
        assert encoded(kernels, kernels.add(double, q)) == group["double_and_q"]
        assert encoded(kernels, kernels.double(both)) == group["double_of_sum"]


def test_published_multiples(kernels: Any) -> None:
    for group in VECTORS[kernels.__name__]["multiples"]:
        n = int.from_bytes(bytes.fromhex(group["n"]), "little")
        assert encoded(kernels, multiplied(kernels, n, decoded(kernels, group["p"]))) == group["multiple"]


@pytest.mark.parametrize("name", NAMES)
def test_the_generator_is_the_base_point_of_the_group(name: str) -> None:
    curve = checked_curve(name)
    x, y = BASES[name]
    assert curve.generator == {"x": curve.prime - x, "y": curve.prime - y}
