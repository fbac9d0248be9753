"""Functions in secp256k1_fe, run on libsecp256k1's own field with its run-time checks on."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from host_driver import c_driver
from host_packages import libsecp256k1_sources

from efdgen.generator.curves.load import load_curve
from efdgen.generator.errors import EfdgenError
from efdgen.generator.formulas.database import Database
from efdgen.generator.hosts.compile import HostBundle, HostRequest, make_host_bundle
from efdgen.generator.hosts.render import render
from efdgen.verify.curve_prover import CurveProver
from efdgen.verify.hosts.packages import run_tool
from efdgen.verify.hosts.trial import trial

ROOT = Path(__file__).parents[1]
HARNESS = (ROOT / "tests" / "hosts" / "libsecp256k1.c").read_text()
FORMULAS = (
    "g1p/shortw/jacobian-0/doubling/dbl-2009-l",
    "g1p/shortw/jacobian-0/addition/madd-2004-hmv",
    "g1p/shortw/jacobian-0/addition/add-1998-cmo-2",
    "g1p/shortw/jacobian-0/dblu/dblu",
    "g1p/shortw/jacobian/zaddu/zaddu-2007-m",
    "g1p/shortw/affine/addition-hinted/add-slope",
    "g1p/shortw/affine/addition-hinted/add-sum",
    "g1p/shortw/affine/doubling-hinted/dbl-slope",
)
FLAGS = (
    "-O1",
    "-std=c90",
    "-pedantic",
    "-Wall",
    "-Wextra",
    "-Wno-long-long",
    "-Wno-unused-function",
    "-Werror",
)
BUILDS = {
    "5x52, checked": ("-DVERIFY",),
    "10x26, checked": ("-DVERIFY", "-DUSE_FORCE_WIDEMUL_INT64"),
    "5x52": (),
}

Build = Callable[[str, tuple[str, ...]], str]


@pytest.fixture(scope="module")
def bundle(database: Database) -> HostBundle:
    request = HostRequest("libsecp256k1", "secp256k1", formulas=FORMULAS)
    return make_host_bundle(database, request, CurveProver())


@pytest.fixture(scope="module")
def build(bundle: HostBundle, cc: str, cargo: str, tmp_path_factory: pytest.TempPathFactory) -> Build:
    sources = libsecp256k1_sources(ROOT / "build" / "hosts") / "src"
    main = c_driver(bundle, HARNESS, "secp256k1_fe")

    def made(text: str, flags: tuple[str, ...]) -> str:
        folder = tmp_path_factory.mktemp("libsecp256k1")
        (folder / "driver.c").write_text(main)
        (folder / "secp256k1_formula.h").write_text(text)
        run_tool([cc, *FLAGS, *flags, f"-I{sources}", "-I.", "-o", "driver", "driver.c"], folder)
        return str(folder / "driver")

    return made


@pytest.mark.long
@pytest.mark.parametrize("flags", BUILDS.values(), ids=BUILDS)
def test_functions_pass_the_vectors_on_the_host_itself(
    bundle: HostBundle, build: Build, flags: tuple[str, ...]
) -> None:
    command = build(render(bundle)["secp256k1_formula.h"], flags)
    results = trial(bundle, load_curve("secp256k1"), [command], seed=1)
    assert len(results) == len(FORMULAS)
    for result in results:
        assert result.ok, (result.function, result.failures)
        assert result.calls > 20


@pytest.mark.usefixtures("cargo")
def test_the_program_of_the_documentation_runs(bundle: HostBundle, cc: str, tmp_path: Path) -> None:
    shown = re.findall(r"```c\n(.*?)```", (ROOT / "docs" / "dropping-in.md").read_text(), re.S)
    (tmp_path / "try.c").write_text(next(text for text in shown if "int main" in text))
    (tmp_path / "secp256k1_formula.h").write_text(render(bundle)["secp256k1_formula.h"])
    sources = libsecp256k1_sources(ROOT / "build" / "hosts") / "src"
    run_tool([cc, "-w", "-DVERIFY", f"-I{sources}", "-I.", "-o", "try", "try.c"], tmp_path)
    run_tool([str(tmp_path / "try")], tmp_path)


@pytest.mark.long
@pytest.mark.slow
def test_a_point_that_must_be_affine_is_of_the_type_that_is(bundle: HostBundle) -> None:
    text = " ".join(render(bundle)["secp256k1_formula.h"].split())
    assert "_add_mixed_incomplete( secp256k1_gej *r, const secp256k1_gej *a, const secp256k1_ge *b)" in text


@pytest.mark.parametrize(
    ("pattern", "wrong"),
    [
        (r"(_negate\(&\S+ &a->x), 4\)", r"\1, 3)"),
        (r"secp256k1_fe_normalize_weak\(&\S+\);", ";"),
        (r"(_fe_mul\(&\S+) &(\S+), &\S+\);", r"\1 &\2, &\2);"),
    ],
    ids=["a lower magnitude", "no normalisation", "operands in one place"],
)
def test_the_host_refuses_what_breaks_its_rules(
    bundle: HostBundle, build: Build, pattern: str, wrong: str
) -> None:
    text = render(bundle)["secp256k1_formula.h"]
    mutated = re.sub(pattern, wrong, text)
    assert mutated != text
    with pytest.raises(EfdgenError, match="failed with status"):
        trial(bundle, load_curve("secp256k1"), [build(mutated, ("-DVERIFY",))], seed=1)


def test_a_wrong_function_is_found(bundle: HostBundle, build: Build) -> None:
    text = render(bundle)["secp256k1_formula.h"]
    wrong = re.sub(r"(_mul_int\(&\S+), 3\)", r"\1, 2)", text)
    assert wrong != text
    results = trial(bundle, load_curve("secp256k1"), [build(wrong, ())], seed=1)
    assert {result.function for result in results if not result.ok} == {
        "double_update",
        "double",
        "double_hinted",
    }
