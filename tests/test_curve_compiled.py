"""Whole curves in Python over kernels in C: the functions of the pure modules, with the same results."""

import inspect
import subprocess
import sys
import types
from random import Random

import pytest
from test_curve_python import IGNORED, LINT
from whole_curves import DATABASE, tiny_file

from efdgen.generator.compile import Request
from efdgen.generator.curves.affine import AffineCurve
from efdgen.generator.files import render_plan
from efdgen.generator.planning.make import unproved
from efdgen.generator.planning.request import plan_curve
from efdgen.verify.scalars.reasons import require_safe

CURVES = [("prime", "jacobian"), ("twisted", "extended-1"), ("Curve25519", None)]
SECOND = 5
TYPES = {"Point", "AffinePoint"}


def compiled(folder, curve, system):
    """Return a curve's module over C, and the pure one."""
    path = tiny_file(folder, curve) if curve in ("prime", "twisted") else curve
    options = {"prefix": f"over_c_{curve.lower()}", "set": "curve", "table": "small", "lowering": "calls"}
    options["layout"] = "module"
    if system:
        found = plan_curve(DATABASE, Request("python", path, system, **options), unproved, require_safe).curve
        affine = AffineCurve(DATABASE.model(found.model), found.prime, found.parameters)
        x, y = affine.multiple(SECOND, tuple(found.generator.values()))
        options["second"] = f"{x},{y}"
    modules = []
    for backend in ("c", None):
        request = Request("python", path, system, backend=backend, **options)
        files = render_plan(plan_curve(DATABASE, request, unproved, require_safe), request)
        if backend:
            for name, text in files.items():
                (folder / name).write_text(text.replace("-O3", "-O0"))
            build = [sys.executable, str(folder / f"{request.prefix}_build.py")]
            done = subprocess.run(build, check=False, capture_output=True, text=True)
            assert done.returncode == 0, done.stderr[-3000:]
        module = types.ModuleType(request.prefix)
        exec(compile(files[f"{request.prefix}.py"], request.prefix, "exec"), vars(module))
        modules.append(module)
    return modules


@pytest.fixture(scope="module", params=CURVES, ids=lambda case: case[0])
def both(request, cc, tmp_path_factory):
    folder = tmp_path_factory.mktemp("compiled")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        yield compiled(folder, *request.param)


def names(module) -> set[str]:
    kernels = ("jacobian", "extended", "projective", "xz", "ladder_step")
    public = {
        name
        for name, value in vars(module).items()
        if inspect.isfunction(value) and value.__module__ == module.__name__
    }
    return {name for name in public if not name.startswith(("_", *kernels))} | TYPES & vars(module).keys()


def test_functions_and_constants_are_the_same(both):
    over_c, pure = both
    assert names(over_c) == names(pure)
    for name in names(pure) - TYPES:
        ours, theirs = (inspect.signature(getattr(m, name)) for m in both)
        assert list(ours.parameters) == list(theirs.parameters), name
    numbers = {n for n, v in vars(over_c).items() if n.isupper() and n[0] != "_" and isinstance(v, int)}
    assert {"P", "ORDER", "COFACTOR", "FIELD_BYTES", "SCALAR_BYTES"} <= numbers
    assert {n: getattr(over_c, n) for n in numbers} == {n: getattr(pure, n) for n in numbers}
    assert tuple(over_c.GENERATOR) == tuple(pure.GENERATOR)


def plain(value):
    """Return a result as numbers, whatever represents it."""
    if isinstance(value, bytes) or value is None:
        return value
    if not hasattr(value, "__iter__"):
        return int(value)
    if isinstance(value, list):
        return [plain(v) for v in value]
    return tuple(map(int, value))


def attempt(function, *arguments):
    """Return a result, or that the function refuses the arguments."""
    try:
        return function(*arguments)
    except ValueError:
        return "refused"


def call(function, *arguments):
    found = attempt(function, *arguments)
    return found if found == "refused" else plain(found)


def test_results_are_the_same(both):
    over_c, pure = both
    rng, n = Random(5), pure.ORDER
    scalars = [0, 1, 2, n - 1, n, n + 1, rng.randrange(n), rng.randrange(n)]
    if not hasattr(pure, "Point"):
        for k in scalars:
            for function in ("multiply_generator", "x_multiply", "ladder_multiply"):
                given = () if function == "multiply_generator" else (9,)
                if function == "ladder_multiply":
                    given = (pure.lift_x(9, 1),)
                ours, theirs = (call(getattr(m, function), k, *given) for m in both)
                assert ours == theirs, (function, k)
        for x in range(30):
            encoding = x.to_bytes(pure.FIELD_BYTES, "little")
            assert call(over_c.decode, encoding) == call(pure.decode, encoding)
            assert call(over_c.lift_x, x, 1) == call(pure.lift_x, x, 1)
        assert call(over_c.from_affine, 1, 2) == call(pure.from_affine, 1, 2) == "refused"
        return
    points = [
        pure.IDENTITY,
        pure.GENERATOR,
        *(pure.multiply_var(rng.randrange(n), pure.GENERATOR) for _ in range(2)),
    ]
    for function, wanted in CALLS.items():
        if not hasattr(pure, function):
            continue
        for k in scalars:
            p, q = rng.choice(points), rng.choice(points)
            values = {"k": [k], "p": [p], "pq": [p, q], "kp": [k, p], "kk": [k, k + 1], "kkp": [k, 3, p]}[
                wanted
            ]
            theirs = attempt(getattr(pure, function), *values)
            ours = attempt(
                getattr(over_c, function),
                *(over_c.Point(*map(int, v)) if isinstance(v, tuple) else v for v in values),
            )
            if isinstance(theirs, tuple):
                assert over_c.equal(ours, over_c.Point(*map(int, theirs))), (function, values)
            else:
                assert ours == theirs, (function, values)


CALLS = {
    "add": "pq",
    "subtract": "pq",
    "equal": "pq",
    "double": "p",
    "negate": "p",
    "clear_cofactor": "p",
    "is_identity": "p",
    "is_on_curve": "p",
    "is_in_subgroup": "p",
    "encode": "p",
    "encode_uncompressed": "p",
    "encode_wire": "p",
    "multiply": "kp",
    "multiply_var": "kp",
    "coz_multiply": "kp",
    "multiply_generator": "k",
    "double_multiply_generators": "kk",
    "double_multiply_var": "kkp",
}


def test_batches_and_encodings_are_the_same(both):
    over_c, pure = both
    if not hasattr(pure, "Point"):
        return
    points = [[m.multiply_var(k, m.GENERATOR) for k in range(1, 6)] for m in both]
    assert plain(over_c.to_affine_batch(points[0])) == plain(pure.to_affine_batch(points[1]))
    assert over_c.encode_batch(points[0]) == pure.encode_batch(points[1])
    with_identity = [call(m.encode_batch, [*own, m.IDENTITY]) for m, own in zip(both, points, strict=True)]
    assert with_identity[0] == with_identity[1]
    sums = [m.multi_multiply_var(range(3, 8), own) for m, own in zip(both, points, strict=True)]
    assert over_c.encode(sums[0]) == pure.encode(sums[1])
    for own in points[1]:
        encoding, wire = pure.encode(own), pure.encode_wire(own)
        assert over_c.encode(over_c.decode(encoding)) == encoding
        assert over_c.encode_wire(over_c.decode_wire(wire)) == wire
        for wrong in (encoding[1:], encoding + b"\0", b"\xff" * len(encoding)):
            assert call(over_c.decode, wrong) == call(pure.decode, wrong)
        assert call(over_c.decode_wire, wire[1:]) == "refused"
        assert call(over_c.Point, *([pure.P] * len(own))) == "refused"
        x, y = map(int, pure.to_affine(own))
        assert over_c.equal(over_c.from_affine(x, y), over_c.decode(encoding))
        assert call(over_c.from_affine, x, (y + 1) % pure.P) == call(pure.from_affine, x, (y + 1) % pure.P)
    for value in range(20):
        lift = "lift_x" if hasattr(pure, "lift_x") else "lift_y"
        ours, theirs = (call(getattr(m, lift), value, 1) for m in both)
        assert ours == theirs, value
    assert call(over_c.validate, over_c.IDENTITY) == "refused"
    drawn = [m.random_point_by_lift(Random(7).randbytes) for m in both]
    assert over_c.encode(drawn[0]) == pure.encode(drawn[1])
    assert over_c.random_scalar(Random(7).randbytes) == pure.random_scalar(Random(7).randbytes)


@pytest.mark.slow
def test_modules_pass_the_linters_and_are_typed(tmp_path):
    for curve, system in (("secp256k1", "jacobian-0"), ("edwards25519", "extended-1"), ("Curve25519", None)):
        options = {"prefix": f"c{curve.lower()}", "set": "protocols", "backend": "c", "layout": "module"}
        request = Request("python", curve, system, **options)
        for name, text in render_plan(plan_curve(DATABASE, request, unproved, require_safe), request).items():
            if name.endswith(".py"):
                (tmp_path / name).write_text(text)
    ruff = ["-m", "ruff"]
    lines = ["--no-cache", "--isolated", "--line-length", "110"]
    for tool in (
        [*ruff, "check", *lines, "--select", LINT, "--ignore", f"{IGNORED},ANN401,N802,N803"],
        [*ruff, "format", *lines, "--check", "--diff"],
        ["-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache")],
    ):
        files = sorted(map(str, tmp_path.glob("*.py")))
        command = [sys.executable, *tool, *files]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
        assert done.returncode == 0, done.stdout + done.stderr


def test_a_backend_goes_with_whole_curves_in_python(efdgen, tmp_path):
    for options in (("--lang", "c", "--set", "curve"), ("--lang", "python")):
        found = efdgen("compile", *options, "--curve", "secp256k1", "--backend", "c", "--out", tmp_path / "x")
        assert (found.code, (tmp_path / "x").exists()) == (2, False)
        assert "--backend needs" in found.err
