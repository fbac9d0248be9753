"""The Python kernels: they compute what the kernel says, pass the linters, and say what they are not."""

import sys
import types
from dataclasses import replace
from pathlib import Path
from random import Random

import gmpy2
import pytest
from linters import mypy, ruff

from efdgen.generator.compile import Request
from efdgen.generator.curves.instantiate import find_curve, suitable_prime
from efdgen.generator.formulas.database import Database
from efdgen.generator.kernels.bundle import group
from efdgen.generator.kernels.candidate import candidate
from efdgen.generator.kernels.prover import Prover
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.generator.origin import Origin
from efdgen.generator.programs.interpreter import run_kernel
from efdgen.generator.programs.kernel import (
    Argument,
    Bundle,
    Coordinate,
    CurveConstant,
    CurveKernels,
    PointType,
    Step,
    Store,
    Temporary,
)
from efdgen.generator.render.python.bundle import Options, render
from efdgen.generator.render.python.definitions import integers
from efdgen.generator.render.python.kernels import assignment
from efdgen.verify.vectors.subjects import curve_subject

PRIME = suitable_prime(256)
FIELD = PrimeField(PRIME)


@pytest.fixture(scope="module")
def bundles(database: Database) -> list[Bundle]:
    """Every formula of odd characteristic on a curve of its own, as a bundle of its own."""
    made = []
    for formula_id in database.ids:
        if formula_id.startswith("g1p/"):
            formula = database.formula(formula_id)
            found = candidate(formula, FIELD, find_curve(formula, FIELD, Random(formula_id)))
            kernels = group("", "random", FIELD, [found], Prover())
            made.append(
                Bundle(
                    "kernels",
                    FIELD,
                    (kernels,),
                    Origin(("efdgen", "compile", "--lang", "python")),
                )
            )
    assert len(made) >= 454
    return made


@pytest.fixture(scope="module")
def modules(bundles: list[Bundle]) -> list[str]:
    return [render(bundle, Options(driver=False))["kernels.py"] for bundle in bundles]


@pytest.fixture(scope="module")
def secp256k1(database: Database) -> dict[str, str]:
    return curve_subject(database, Request("python", "secp256k1"), ["python"]).files["python"]


def executed(text: str) -> types.ModuleType:
    module = types.ModuleType("kernels")
    sys.modules["kernels"] = module
    exec(compile(text, "kernels.py", "exec"), module.__dict__)
    return module


@pytest.mark.parametrize("integer", [int, gmpy2.mpz])
@pytest.mark.slow
def test_functions_compute_what_the_kernels_say(bundles, modules, rng: Random, integer) -> None:
    field = FIELD
    for bundle, text in zip(bundles, modules, strict=True):
        module, (kernels,) = executed(text), bundle.groups
        (kernel,) = kernels.kernels
        points = {a.name: {m: rng.randrange(PRIME) for m in a.type.members} for a in kernel.inputs}
        expected = run_kernel(kernel, field, kernels.constants, points)
        typed = {"point": "Point", "normalized_point": "NormalizedPoint"}
        inputs = []
        for argument in kernel.inputs:
            name = typed.get(argument.type.name) or argument.type.name.title().replace("_", "")
            coordinates = {member: integer(value) for member, value in points[argument.name].items()}
            inputs.append(getattr(module, name)(**coordinates))
        found = getattr(module, kernel.name)(*([inputs] if kernel.batch else inputs))
        if kernel.batch or kernel.tests:
            *found, _ = found
            outputs = found[0] if kernel.batch else found
        else:
            outputs = [found] if len(kernel.outputs) == 1 else found
        for argument, point in zip(kernel.outputs, outputs, strict=True):
            assert point._asdict() == expected[argument.name], kernel.formula.id
            assert {type(value) for value in point} <= {integer, int}


@pytest.mark.slow
def test_every_module_passes_the_linters(modules: list[str], tmp_path: Path) -> None:
    for number, text in enumerate(modules):
        (tmp_path / f"module{number}.py").write_text(text)
    ruff(tmp_path)


def test_a_linter_refuses_what_is_wrong(secp256k1: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "kernels.py").write_text(secp256k1["secp256k1.py"].replace("-> Point:", ":", 1))
    with pytest.raises(AssertionError, match="ANN201"):
        ruff(tmp_path)


@pytest.mark.slow
def test_modules_and_drivers_are_typed(database: Database, secp256k1: dict[str, str], tmp_path: Path) -> None:
    curve25519 = curve_subject(database, Request("python", "curve25519"), ["python"]).files["python"]
    long = curve_subject(database, Request("python", "E-521"), ["python"]).files["python"]
    for folder, files in (("a", secp256k1), ("b", curve25519), ("c", long)):
        (tmp_path / folder).mkdir()
        for name, text in files.items():
            (tmp_path / folder / name).write_text(text)
    ruff(tmp_path)
    for folder in ("a", "b"):
        mypy(tmp_path, tmp_path / folder / "driver.py")


@pytest.mark.parametrize("bits", [1, 64, 255, 256, 257, 385, 512, 513, 640])
def test_numbers_of_any_length_and_sign_are_written(bits: int) -> None:
    for number in (1 << bits - 1, (1 << bits) - 1, -(1 << bits - 1), 1 - (1 << bits)):
        lines = [*assignment("SPLIT_G1", number), *integers({"BETA": number})]
        found: dict[str, int] = {}
        exec("_integer = int\n" + "\n".join(lines), found)
        assert (found["SPLIT_G1"], found["BETA"]) == (number, number), lines
        assert all(len(line) <= 110 for line in lines)


def test_a_module_says_what_it_is(secp256k1: dict[str, str]) -> None:
    text = secp256k1["secp256k1.py"]
    assert text.startswith("# SPDX-License-Identifier: MIT OR Apache-2.0 OR 0BSD\n")
    assert "Code generated by efdgen" in text.split("\n\n")[0]
    assert "NOT CONSTANT TIME" in text
    assert "not in\nMontgomery form" in text
    assert "in Montgomery form, on input" not in text
    assert "A test program" in secp256k1["driver.py"]


@pytest.mark.slow
@pytest.mark.long
def test_awkward_names_and_every_operation(bundles: list[Bundle]) -> None:
    """Keywords, names of tuple methods, digits in front; copies and sums that are returned."""
    point = PointType("point", ("lambda", "count", "2d"), (), "x = lambda")
    p1, p3 = Argument("p1", 1, point, point.members), Argument("p3", 3, point, point.members)
    a, b, c = (Coordinate("p1", member) for member in point.members)
    steps = [
        Step("add", Temporary(0), (a, CurveConstant("lambda")), "a + k"),
        Step("neg", Temporary(0), (Temporary(0),), "-(a + k)"),
        Step("copy", Temporary(1), (Temporary(0),), "-(a + k)"),
        Step("half", Temporary(0), (b,), "b/2"),
        Step("copy", Temporary(2), (c,), "c"),
    ]
    stores = tuple(Store("p3", m, Temporary(n)) for m, n in zip(point.members, (1, 0, 2), strict=True))
    kernel = replace(
        bundles[0].groups[0].kernels[0],
        name="f",
        inputs=(p1,),
        outputs=(p3,),
        steps=tuple(steps),
        stores=stores,
    )
    constants = {"lambda": 5, "Lambda": 6}
    kernels = CurveKernels("name_space", "a curve", "a system", "a curve", constants, (point,), (kernel,))
    module = executed(
        render(Bundle("kernels", PrimeField(13), (kernels,), Origin(("efdgen", "compile"))), Options())[
            "kernels.py"
        ]
    )
    given = module.NameSpacePoint(lambda_=3, count_=7, v2d=11)
    assert module.name_space_f(given) == (-(3 + 5) % 13, 7 * 7 % 13, 11)


def test_the_inverse_of_zero_is_zero(bundles: list[Bundle]) -> None:
    bundle = next(b for b in bundles if b.groups[0].kernels[0].formula.id == "g1p/shortw/jacobian/scaling/z")
    module = executed(render(bundle, Options())["kernels.py"])
    assert module.normalize(module.Point(X=1, Y=1, Z=0)) == (0, 0)
