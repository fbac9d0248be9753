"""Whole curves in Python over kernels in C: the functions, signatures and constants of the pure modules."""

import inspect
import subprocess
import sys
import types

import pytest
from conformance import second_point
from whole_curves import DATABASE, tiny_file

from efdgen.generator.compile import Request
from efdgen.generator.files import render_plan
from efdgen.generator.planning.request import plan_curve
from efdgen.verify.plan_proofs import SafePlans

CURVES = [("prime", "jacobian"), ("twisted", "extended-1"), ("Curve25519", None)]
TYPES = {"Point", "AffinePoint"}


@pytest.fixture(scope="module", params=CURVES, ids=lambda case: case[0])
def both(request, cc, tmp_path_factory):
    """Return a curve's module over C, and the pure one."""
    curve, system = request.param
    folder = tmp_path_factory.mktemp("compiled")
    path = curve if system is None else tiny_file(folder, curve)
    options = {"prefix": f"over_c_{curve.lower()}", "set": "curve", "table": "small", "lowering": "calls"}
    options |= {"layout": "module", "second": second_point(path)}
    modules = []
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        for backend in ("c", None):
            wanted = Request("python", path, system, backend=backend, **options)
            files = render_plan(plan_curve(DATABASE, wanted, SafePlans()), wanted)
            if backend:
                for name, text in files.items():
                    (folder / name).write_text(text.replace("-O3", "-O0"))
                build = [sys.executable, str(folder / f"{wanted.prefix}_build.py")]
                done = subprocess.run(build, check=False, capture_output=True, text=True)
                assert done.returncode == 0, done.stderr[-3000:]
            module = types.ModuleType(wanted.prefix)
            exec(compile(files[f"{wanted.prefix}.py"], wanted.prefix, "exec"), vars(module))
            modules.append(module)
        yield modules


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


def test_coordinates_are_below_the_prime(both):
    for module in both:
        with pytest.raises(ValueError, match=r"\S"):
            module.from_affine(1, 2)
    over_c, pure = both
    if hasattr(pure, "Point"):
        with pytest.raises(ValueError, match=r"\S"):
            over_c.Point(*([pure.P] * len(pure.GENERATOR)))


def test_a_backend_goes_with_whole_curves_in_python(efdgen, tmp_path):
    for options in (("--lang", "c", "--set", "curve"), ("--lang", "python")):
        found = efdgen("compile", *options, "--curve", "secp256k1", "--backend", "c", "--out", tmp_path / "x")
        assert (found.code, (tmp_path / "x").exists()) == (2, False)
        assert "--backend needs" in found.err
