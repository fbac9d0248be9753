"""C functions in the names of SQIsign and of modarith, run on SQIsign's field as a registry has it.

No package that pip, cargo or apt can fetch has SQIsign's own C, nor what modarith writes. The crate
``sqisign-verify`` has the same arithmetic in Rust, limb by limb, and here it gets the names of both in C.
"""

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random

import pytest
from host_driver import c_driver
from host_packages import SQISIGN
from host_provers import ProvedPrograms

from efdgen.generator.curves.load import load_curve
from efdgen.generator.formulas.database import Database
from efdgen.generator.hosts.compile import HostBundle, HostRequest, make_host_bundle
from efdgen.generator.hosts.render import render
from efdgen.verify.hosts.packages import manifest_text, run_tool
from efdgen.verify.hosts.trial import trial
from efdgen.verify.vectors.drivers import Driver

ROOT = Path(__file__).parents[1]
HOSTS = ROOT / "tests" / "hosts"
CURVE = HOSTS / "sqisign" / "curve.toml"
BUILD = ROOT / "build" / "hosts" / "sqisign"
TARGET = ROOT / "build" / "hosts" / "rust" / "target"  # other crates need some of the same
FORMULAS = ("montgom/xz/ladder/ladd-1987-m-3", "montgom/xz/diffadd/dadd-1987-m-3", "montgom/xz/scaling/scale")
# The type of an element, whether it is an array, its degree.
ELEMENTS = {"sqisign": ("fp_t", False, 1), "modarith": ("fp_t", True, 1), "sqisign-fp2": ("fp2_t", False, 2)}
LIBRARY = '[lib]\npath = "src/lib.rs"\ncrate-type = ["staticlib"]\n\n[workspace]\n'

Build = Callable[[str, HostBundle, str], str]
# re + im·i as a pair.
Pair = tuple[int, int]


@pytest.fixture(scope="module")
def bundles(database: Database) -> Mapping[str, HostBundle]:
    return {
        name: make_host_bundle(database, HostRequest(name, str(CURVE), formulas=FORMULAS), ProvedPrograms())
        for name in ELEMENTS
    }


@pytest.fixture(scope="module")
def library(cargo: str) -> Path:
    """Build SQIsign's field with its names in C; return the library."""
    (BUILD / "src").mkdir(parents=True, exist_ok=True)
    (BUILD / "Cargo.toml").write_text(manifest_text(SQISIGN).replace("[workspace]\n", LIBRARY))
    shutil.copy(HOSTS / "sqisign" / "lib.rs", BUILD / "src" / "lib.rs")
    settings = (f"CARGO_TARGET_DIR={TARGET}", "CARGO_INCREMENTAL=0", "CARGO_PROFILE_DEV_DEBUG=0")
    run_tool(["env", *settings, cargo, "build", "--quiet"], BUILD)
    return TARGET / "debug" / "libhosts.a"


@pytest.fixture(scope="module")
def build(library: Path, cc: str, tmp_path_factory: pytest.TempPathFactory) -> Build:
    def built(name: str, bundle: HostBundle, text: str) -> str:
        folder = tmp_path_factory.mktemp(name)
        (folder / f"{bundle.prefix.rstrip('_')}.h").write_text(text)
        element, arrays, degree = ELEMENTS[name]
        harness = (HOSTS / f"{name}.c").read_text()
        main = c_driver(bundle, harness, element, arrays=arrays, degree=degree)
        (folder / "driver.c").write_text(main)
        flags = ("-O1", "-std=c99", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function")
        include = f"-I{HOSTS / 'sqisign'}"
        run_tool([cc, *flags, include, "-I.", "driver.c", str(library), "-o", "driver"], folder)
        return str(folder / "driver")

    return built


@pytest.mark.parametrize("name", ["sqisign", "modarith"])
def test_functions_pass_the_vectors_on_the_field_of_sqisign(
    bundles: Mapping[str, HostBundle], build: Build, name: str
) -> None:
    (text,) = render(bundles[name]).values()
    results = trial(bundles[name], load_curve(str(CURVE)), [build(name, bundles[name], text)], seed=1)
    assert len(results) == len(FORMULAS)
    for result in results:
        assert result.ok, (result.function, result.failures)
        assert result.calls > 10


P = 5 * 2**248 - 1
A = 1173


def times(left: Pair, right: Pair) -> Pair:
    (a, b), (c, d) = left, right
    return (a * c - b * d) % P, (a * d + b * c) % P


def plus(left: Pair, right: Pair) -> Pair:
    return (left[0] + right[0]) % P, (left[1] + right[1]) % P


def minus(left: Pair, right: Pair) -> Pair:
    return (left[0] - right[0]) % P, (left[1] - right[1]) % P


def inverse(value: Pair) -> Pair:
    norm = pow(value[0] ** 2 + value[1] ** 2, P - 2, P)
    return value[0] * norm % P, -value[1] * norm % P


def power(value: Pair, exponent: int) -> Pair:
    result = (1, 0)
    for bit in f"{exponent:b}":
        result = times(result, result)
        result = times(result, value) if bit == "1" else result
    return result


def square_root(value: Pair) -> Pair | None:
    """Return a root where there is one, by the algorithm for primes that are 3 modulo 4."""
    start = power(value, (P - 3) // 4)
    root, half = times(start, value), times(start, times(start, value))
    factor = (0, 1) if half == (P - 1, 0) else power(plus((1, 0), half), (P - 1) // 2)
    root = times(factor, root)
    return root if times(root, root) == value else None


def right_side(x: Pair) -> Pair:
    """Return x³ + A·x² + x."""
    return times(x, plus(times(x, plus(x, (A, 0))), (1, 0)))


def point(rng: Random) -> tuple[Pair, Pair]:
    while True:
        x = rng.randrange(P), rng.randrange(P)
        y = square_root(right_side(x))
        if y is not None:
            return x, y


def x_of_sum(one: tuple[Pair, Pair], other: tuple[Pair, Pair]) -> Pair:
    """Return the x-coordinate of a sum, by the chord or the tangent."""
    (x, y), (u, v) = one, other
    if one == other:
        above, below = plus(plus(times((3, 0), times(x, x)), times((2 * A, 0), x)), (1, 0)), plus(y, y)
    else:
        above, below = minus(v, y), minus(u, x)
    slope = times(above, inverse(below))
    return minus(minus(minus(times(slope, slope), (A, 0)), x), u)


def spelled(value: Pair) -> str:
    return f"{value[1]:064x}{value[0]:064x}"


def wrong_answers(command: str, seed: int) -> int:
    """Ask a driver for ladder steps on points over the quadratic field; return how many are wrong."""
    rng = Random(seed)
    asked, expected = [], []
    for alias in ("-", "p2", "p3") * 4:
        one, other = point(rng), point(rng)
        shares = [rng.randrange(P) for _ in range(6)]
        x_difference = x_of_sum(one, (other[0], minus((0, 0), other[1])))
        coordinates = []
        for index, x in enumerate((x_difference, one[0], other[0])):
            z = shares[2 * index], shares[2 * index + 1]
            coordinates += [times(x, z), z]
        asked.append(" ".join(("ladder_step", alias, *map(spelled, coordinates))))
        expected.append((x_of_sum(one, one), x_of_sum(one, other)))
    wrong = 0
    for answer, (double, total) in zip(Driver("c", (command,)).ask(asked), expected, strict=True):
        a, b, c, d = [(int(word[64:], 16), int(word[:64], 16)) for word in answer.split()]
        wrong += (times(a, inverse(b)), times(c, inverse(d))) != (double, total)
    return wrong


@pytest.mark.parametrize(("old", "new", "share"), [("", "", 0), ("fp2_add(", "fp2_sub(", 12)])
def test_functions_are_right_over_the_quadratic_field(
    bundles: Mapping[str, HostBundle], build: Build, old: str, new: str, share: int
) -> None:
    bundle = bundles["sqisign-fp2"]
    (text,) = render(bundle).values()
    changed = text.replace(old, new) if old else text
    assert (changed != text) == bool(old)
    seed = 20
    assert wrong_answers(build("sqisign-fp2", bundle, changed), seed) == share, f"seed {seed}"
