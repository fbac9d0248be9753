"""C functions, built and run against the sources of the projects whose field they are for."""

from pathlib import Path

import pytest
from host_driver import c_driver
from host_packages import C_HOSTS
from host_provers import ProvedPrograms

from efdgen.generator.curves.load import load_curve
from efdgen.generator.formulas.database import Database
from efdgen.generator.hosts.compile import HostBundle, HostRequest, make_host_bundle
from efdgen.generator.hosts.render import render
from efdgen.verify.hosts.packages import crate_sources, run_tool
from efdgen.verify.hosts.trial import trial

ROOT = Path(__file__).parents[1]
JACOBIAN = (
    "jacobian-3/doubling/dbl-2001-b",
    "jacobian-3/addition/*add-2007-bl",
    "jacobian/zaddu/zaddu-2007-m",
)
HINTED = ("shortw/affine/addition-hinted/add-sum", "shortw/affine/doubling-hinted/dbl-slope")
# Curve, formulas, the type of an element, whether it is an array, arguments in front, sources besides.
HOSTS = {
    "fiat-c": (
        "edwards25519",
        (
            "twisted/extended-1/*/add-2008-hwcd-3",
            "twisted/extended-1/*/dbl-2008-hwcd",
            "twisted/projective/doubling/dbl-2008-bbjlp",
            "twisted/extended/conversion/to-cached",
        ),
        ("fiat_25519_tight_field_element", True, ""),
    ),
    "fiat-c-montgomery": ("P-256", JACOBIAN, ("element", True, "")),
    "macros": ("P-256", (*JACOBIAN, *HINTED, "jacobian/zacau-xy/zacau-2011-gjmrv"), ("FE", False, "")),
    "boringssl": ("P-384", (*JACOBIAN, *HINTED), ("EC_FELEM", False, "group")),
    "micro-ecc": ("P-256", (*JACOBIAN, *HINTED), ("element", True, "uECC_secp256r1()")),
}
CXX_FLAGS = (
    "-std=c++17",
    "-O0",
    "-w",
    "-fno-exceptions",
    "-fno-rtti",
    "-DOPENSSL_NO_ASM",
    "-ffunction-sections",
)


@pytest.fixture(scope="module")
def sources(cargo: str) -> Path:
    return crate_sources(C_HOSTS, ROOT / "build" / "hosts" / "c")


@pytest.fixture(scope="module", params=HOSTS)
def bundle(request: pytest.FixtureRequest, database: Database) -> HostBundle:
    curve, formulas, _ = HOSTS[request.param]
    return make_host_bundle(database, HostRequest(request.param, curve, formulas=formulas), ProvedPrograms())


def built(bundle: HostBundle, sources: Path, folder: Path) -> str:
    """Build the driver of a host's functions."""
    element, arrays, extra = HOSTS[bundle.host.name][2]
    harness = (ROOT / "tests" / "hosts" / f"{bundle.host.name}.c").read_text()
    for name, text in render(bundle).items():
        (folder / name).write_text(text)
    (folder / "driver.c").write_text(c_driver(bundle, harness, element, arrays=arrays, extra=extra))
    if bundle.host.name == "micro-ecc":
        include = f"-I{sources / 'micro-ecc-sys' / 'micro-ecc'}"
        run_tool(["cc", "-O1", "-std=c99", "-w", include, "-I.", "-o", "driver", "driver.c"], folder)
        return str(folder / "driver")
    boring = sources / "boring-sys" / "deps" / "boringssl"
    includes = [f"-I{boring}", f"-I{boring / 'include'}", f"-I{boring / 'crypto' / 'fipsmodule' / 'ec'}"]
    others = ["crypto/mem.cc", "crypto/thread_pthread.cc"] if bundle.host.name == "boringssl" else []
    files = ["driver.c", *(str(boring / name) for name in others)]
    linking = ["-Wl,--gc-sections", "-Wl,--unresolved-symbols=ignore-all", "-static"] if others else []
    run_tool(["g++", *CXX_FLAGS, *includes, "-I.", "-x", "c++", *files, *linking, "-o", "driver"], folder)
    return str(folder / "driver")


@pytest.mark.long
@pytest.mark.drawn(2)
@pytest.mark.usefixtures("cc", "gcc", "cxx")
def test_functions_pass_the_vectors_on_the_host_itself(
    bundle: HostBundle, sources: Path, tmp_path: Path
) -> None:
    command = [built(bundle, sources, tmp_path)]
    results = trial(bundle, load_curve(HOSTS[bundle.host.name][0]), command, seed=1)
    assert len(results) == len(bundle.functions) > 1
    for result in results:
        assert result.ok, (result.function, result.failures)
