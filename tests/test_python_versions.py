"""The Python that emitted Python needs: what it says, what its syntax needs, and what runs it."""

import ast
import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from test_python_package import DATABASE, SECRET, R, S
from tools import _PATH

from efdgen.api.files import files_of
from efdgen.generator.compile import Request
from efdgen.generator.fields.request import FieldRequest
from efdgen.generator.files import render_plan
from efdgen.generator.planning.request import plan_curve
from efdgen.generator.render.field.bundle import render_field
from efdgen.verify.plan_proofs import SafePlans

OLDEST, NEWEST = 10, 14
SAID = f"Needs Python 3.{OLDEST} or later"
PROGRAM = f"""
import sys
from p256 import GENERATOR, Point
from p256.keys import derive_private_key, decode_dss_signature
signed = derive_private_key({SECRET}).sign(b"sample", "sha256")
assert decode_dss_signature(signed) == ({R}, {S})
assert Point.from_bytes(bytes(7 * GENERATOR)) == 7 * GENERATOR
print(sys.version_info[1])
"""


def run(*command: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PATH": _PATH}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@cache
def interpreters() -> dict[int, str]:
    """Return interpreters by their minor versions: those on the path, and those installed beside this one."""
    named = [shutil.which(f"python3.{minor}", path=_PATH) for minor in range(OLDEST, NEWEST + 1)]
    beside = sorted(Path(sys.base_prefix).parent.glob("*/bin/python3"))
    found = {}
    for path in filter(None, [sys.executable, *named, *map(str, beside)]):
        code = "import sys; print(sys.version_info[1])"
        done = run(path, "-c", code)
        if done.returncode == 0:
            found.setdefault(int(done.stdout), path)
    return {minor: path for minor, path in sorted(found.items()) if minor >= OLDEST}


@cache
def emitted() -> dict[str, dict[str, str]]:
    """Return emitted files: kernels, a field, whole curves as packages and a module, and protocols."""
    made = {}
    for name, request in {
        "protocols": Request("python", "P-256", prefix="p256", set="protocols", table="small"),
        "module": Request("python", "edwards25519", set="curve", layout="module", table="small"),
        "ladder": Request("python", "Curve25519", set="protocols"),
        "compiled": Request("python", "secp256k1", set="curve", backend="c", layout="module", table="small"),
    }.items():
        made[name] = render_plan(plan_curve(DATABASE, request, SafePlans()), request)
    made["kernels"] = files_of(Request("python", "secp256k1"))[1]
    made["field"] = render_field(FieldRequest("python", "2^255-19"))
    return made


@pytest.mark.slow
def test_emitted_python_says_which_python_it_needs():
    """Was: nowhere."""
    for name, files in emitted().items():
        roots = [text for path, text in files.items() if path.endswith("__init__.py")]
        roots = roots or [text for path, text in files.items() if "/" not in path and path.endswith(".py")]
        said = [SAID in " ".join((ast.get_docstring(ast.parse(text)) or "").split()) for text in roots]
        assert any(said), name
    pages = Path(__file__).parents[1] / "docs"
    for page in ("kernels.md", "curves-api.md"):
        assert f"needs Python 3.{OLDEST} or later" in (pages / page).read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_syntax_is_that_of_the_oldest():
    for files in emitted().values():
        for path, text in files.items():
            if path.endswith(".py"):
                ast.parse(text, feature_version=(3, OLDEST))


@pytest.mark.slow
def test_all_interpreters_that_there_are_run_it(tmp_path: Path, record_property: pytest.FixtureRequest):
    for name, text in emitted()["protocols"].items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    found = interpreters()
    print(f"run by Python {', '.join(f'3.{minor}' for minor in found)}")
    record_property("interpreters", [*found])
    assert sys.version_info[1] in found
    for minor, path in found.items():
        command = [path, "-I", "-c", f"import sys; sys.path.insert(0, '.')\n{PROGRAM}"]
        done = run(*command, folder=tmp_path)
        assert (done.returncode, done.stdout, done.stderr) == (0, f"{minor}\n", ""), path
