"""Rust functions, built and run against the crates whose field they are for."""

import re
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest
from host_driver import rust_driver
from host_packages import RUST_HOSTS
from host_provers import ProvedPrograms

from efdgen.generator.curves.load import load_curve
from efdgen.generator.errors import EfdgenError
from efdgen.generator.formulas.database import Database
from efdgen.generator.hosts.compile import HostBundle, HostRequest, make_host_bundle
from efdgen.generator.hosts.render import render
from efdgen.verify.hosts.packages import manifest_text, run_tool
from efdgen.verify.hosts.trial import trial

ROOT = Path(__file__).parents[1]
HARNESSES = ROOT / "tests" / "hosts"
BUILD = ROOT / "build" / "hosts" / "rust"
HOSTS = {
    "ff": ("P-256", ("g1p/shortw/projective-3/*/*-2015-rcb",)),
    "arkworks": ("P-256", ("jacobian-3/doubling/dbl-2001-b", "jacobian-3/addition/*add-2007-bl")),
    "k256": ("secp256k1", ("g1p/shortw/projective-0/*/*-2015-rcb",)),
    "ff-hinted": (
        "P-256",
        ("shortw/affine/addition-hinted/add-sum", "shortw/affine/doubling-hinted/dbl-slope"),
    ),
    "k256-hinted": ("secp256k1", ("shortw/affine/*-hinted/*-slope",)),
    "ff-pairs": ("P-256", ("g1p/shortw/projective-3/*/*-2015-rcb",)),
    "fiat-rust": (
        "edwards25519",
        (
            "twisted/extended-1/*/add-2008-hwcd-3",
            "twisted/extended-1/*/dbl-2008-hwcd",
            "twisted/projective/doubling/dbl-2008-bbjlp",
            "twisted/extended/conversion/to-cached",
        ),
    ),
    "fiat-rust-montgomery": ("P-256", ("jacobian-3/doubling/dbl-2001-b", "jacobian-3/addition/*add-2007-bl")),
}
LIBRARY = """\
//! Every generated module, as a library has them.
#![no_std]
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs, clippy::pedantic)]
"""
# A sum and a difference in one call, in place of a difference.
PAIR = """
fn pair<F: Field>(a: F, b: F) -> (F, F) {
    (a + b, a - b)
}
"""
SUB = 'sub = { code = "let {r} = {a} - {b};" }'
ADD_SUB = 'add_sub = { code = "let ({r}, {s}) = pair({a}, {b});", note = "pair" }'
# Magnitudes that k256's debug builds allow in a product, and others.
RIGHT, WRONG = 'needs = ["a <= 8", "b <= 8"]', 'needs = ["a <= 31", "b <= 31"]'


@pytest.fixture(scope="module")
def bundles(database: Database, tmp_path_factory: pytest.TempPathFactory) -> dict[str, HostBundle]:
    folder = tmp_path_factory.mktemp("hosts")
    pairs, lenient = folder / "ff-pairs.toml", folder / "k256-lenient.toml"
    text = (ROOT / "efd" / "hosts" / "ff.toml").read_text()
    assert text.count(SUB) == text.count("use ff::Field;\n") == 1
    text = text.replace("use ff::Field;\n", f"use ff::Field;\n{PAIR}")
    pairs.write_text(text.replace(SUB, ADD_SUB))
    made = {
        name: make_host_bundle(
            database,
            HostRequest(
                str(pairs) if name == "ff-pairs" else name.removesuffix("-hinted"), curve, formulas=formulas
            ),
            ProvedPrograms(),
        )
        for name, (curve, formulas) in HOSTS.items()
    }
    text = (ROOT / "efd" / "hosts" / "k256.toml").read_text()
    assert RIGHT in text
    lenient.write_text(text.replace(RIGHT, WRONG).replace('needs = ["a <= 8"]', 'needs = ["a <= 31"]'))
    curve, _ = HOSTS["k256"]
    request = HostRequest(str(lenient), curve, formulas=("projective-0/*/add-2015-rcb",), in_bounds="X=9")
    return made | {"k256-lenient": make_host_bundle(database, request, ProvedPrograms())}


def run_cargo(command: str, package: Path) -> str:
    """Run cargo on a package; what it builds of the crates is kept for the next run."""
    lock = BUILD / "Cargo.lock"
    if lock.exists():
        shutil.copy(lock, package / "Cargo.lock")
    settings = (
        f"CARGO_TARGET_DIR={BUILD / 'target'}",
        "CARGO_INCREMENTAL=0",
        "CARGO_PROFILE_DEV_DEBUG=0",
        # The lints run as the package is built, so that nothing is compiled twice.
        "RUSTC_WORKSPACE_WRAPPER=clippy-driver",
    )
    said = run_tool(["env", *settings, "cargo", *command.split()], package)
    BUILD.mkdir(parents=True, exist_ok=True)
    shutil.copy(package / "Cargo.lock", lock)
    return said


@pytest.fixture(scope="module")
def programs(
    bundles: Mapping[str, HostBundle],
    cargo: str,
    clippy: str,
    rustfmt: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> Mapping[str, Path]:
    """Build one package that has a program for each host; overflow and the hosts' own checks are on.

    Generated code satisfies rustfmt and clippy, pedantic lints among them.
    """
    package = tmp_path_factory.mktemp("rust")
    (package / "Cargo.toml").write_text(manifest_text(RUST_HOSTS))
    library = LIBRARY
    for name, bundle in bundles.items():
        folder = package / "src" / "bin" / name
        folder.mkdir(parents=True)
        harness = HARNESSES / f"{re.sub('-(hinted|lenient|pairs)$', '', name)}.rs"
        (folder / "main.rs").write_text(rust_driver(bundle, harness.read_text()))
        (folder / "points.rs").write_text(render(bundle)["points.rs"])
        library += f'#[path = "bin/{name}/points.rs"]\npub mod {name.replace("-", "_")};\n'
    (package / "src" / "lib.rs").write_text(library)
    shown = re.findall(r"```rust\n(.*?)```", (ROOT / "docs" / "dropping-in.md").read_text(), re.S)
    folder = package / "src" / "bin" / "documentation"
    folder.mkdir()
    (folder / "main.rs").write_text(next(text for text in shown if "fn main" in text))
    (folder / "points.rs").write_text(render(bundles["ff"])["points.rs"])
    run_cargo("build --quiet --lib --bins", package)
    generated = sorted(map(str, package.glob("src/bin/*/points.rs")))
    run_tool([rustfmt, "--check", "--edition", "2021", *generated], package)
    return {name: BUILD / "target" / "debug" / name for name in (*bundles, "documentation")}


@pytest.mark.long
@pytest.mark.parametrize("name", HOSTS)
def test_functions_pass_the_vectors_on_the_host_itself(
    bundles: Mapping[str, HostBundle], programs: Mapping[str, Path], name: str
) -> None:
    results = trial(bundles[name], load_curve(HOSTS[name][0]), [str(programs[name])], seed=1)
    assert len(results) == len(bundles[name].functions) > 1
    for result in results:
        assert result.ok, (result.function, result.failures)


@pytest.mark.long
@pytest.mark.slow
def test_sums_and_differences_are_bound_at_once(bundles: Mapping[str, HostBundle]) -> None:
    text = render(bundles["ff-pairs"])["points.rs"]
    both = 0
    for function in text.split("pub fn")[1:]:
        for pair in re.findall(r"let \((\w+), (\w+)\) = pair\(", function):
            read = [len(re.findall(rf"\b{name}\b", function)) > 1 for name in pair]
            assert read == [not name.startswith("_") for name in pair], pair
            both += all(read)
    assert both > 0


def test_the_program_of_the_documentation_runs(programs: Mapping[str, Path]) -> None:
    assert run_tool([str(programs["documentation"])], ROOT) == "equal\n"


def test_the_host_refuses_what_breaks_its_rules(
    bundles: Mapping[str, HostBundle], programs: Mapping[str, Path]
) -> None:
    command = [str(programs["k256-lenient"])]
    with pytest.raises(EfdgenError, match="magnitude <= 8"):
        trial(bundles["k256-lenient"], load_curve("secp256k1"), command, seed=1)
