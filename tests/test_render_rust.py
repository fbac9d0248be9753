"""The printed Rust: what its linters say, that it does without std, and its names and files."""

from __future__ import annotations

import re
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from every_kind import of_every_kind

from efdgen.generator.compile import Request, make_bundle
from efdgen.generator.kernels.prover import Prover
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.generator.origin import Origin
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
from efdgen.generator.render.rust import bundle as rust
from efdgen.generator.text.rust import WIDTH
from efdgen.verify.vectors.subjects import every_formula

if TYPE_CHECKING:
    from efdgen.generator.formulas.database import Database

PEDANTIC = ["--", "--deny", "warnings", "--deny", "clippy::pedantic"]


LIBRARY = """
[package]
name = "library"
version = "0.0.0"
edition = "2021"

[dependencies]
subtle = { version = "2.6", default-features = false }
"""

PROGRAM = """
[package]
name = "program"
version = "0.0.0"
edition = "2021"

[dependencies]
secp256k1 = { path = "secp256k1", features = ["zeroize"] }

[profile.dev]
panic = "abort"
"""

PANIC_HANDLER = """
#![no_std]
#![no_main]
extern crate secp256k1;
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    loop {}
}
"""


@pytest.fixture(scope="module")
def bundle(database: Database) -> Bundle:
    return make_bundle(
        database,
        Request("rust", "secp256k1", "jacobian-0", of_every_kind(database, "secp256k1")),
        Prover(),
    )


@pytest.fixture(scope="module")
def crate(bundle: Bundle, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(rust.render(bundle, rust.Options()), tmp_path_factory.mktemp("crate"))


def write(files: dict[str, str], folder: Path) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def run(folder: Path, *command: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=folder, input=stdin, capture_output=True, text=True, check=False)


def require(folder: Path, *command: str, stdin: str = "") -> str:
    done = run(folder, *command, stdin=stdin)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def field_bundle(prefix: str, prime: int) -> Bundle:
    return Bundle(prefix, PrimeField(prime), (), Origin(("efdgen", "compile", "--lang", "rust")))


def odd_bundle(bundle: Bundle) -> Bundle:
    """Return a bundle over GF(13) of names that are keywords, differ by case only, or begin with a digit."""
    point = PointType("point", ("X", "x", "TYPE", "2d"), (), "x = X")
    inputs = (Argument("p1", 1, point, point.members), Argument("p2", 2, point, point.members))
    names = ("I", "a", "A", "lambda", "A_2")
    total = Temporary(0)
    kernel = replace(
        bundle.groups[0].kernels[0],
        name="add",
        inputs=inputs,
        outputs=(Argument("p3", 3, point, point.members), Argument("p4", 4, point, point.members)),
        steps=(
            Step("copy", total, (Coordinate("p1", "TYPE"),), "TYPE1"),
            *(
                Step("add", total, (total, CurveConstant(name)), f"{name} + t, at length " * 9)
                for name in names
            ),
        ),
        stores=tuple(Store(f"p{number}", member, total) for number in (3, 4) for member in point.members),
        temporaries=1,
    )
    constants = {name: number for number, name in enumerate(names, start=1)}
    group = CurveKernels("", "a_Curve", "system", "a_Curve, in no system", constants, (point,), (kernel,))
    return Bundle("odd", PrimeField(13), (group,), Origin(("efdgen", "compile", "--lang", "rust")))


@pytest.mark.slow
def test_a_crate_and_a_module_have_their_files(bundle: Bundle):
    files = rust.render(bundle, rust.Options())
    sources = ["src/field.rs", "src/lib.rs", "src/limbs32.rs", "src/limbs64.rs"]
    assert sorted(files) == ["Cargo.lock", "Cargo.toml", "build.rs", "examples/driver.rs", *sources]
    assert list(rust.render(bundle, rust.Options("module"))) == ["secp256k1.rs"]
    assert "#![no_std]" in files["src/lib.rs"]
    assert all(
        "#![forbid(unsafe_code)]" in text for text in rust.render(bundle, rust.Options("module")).values()
    )


def test_rustfmt_changes_nothing_whatever_the_formula(rustfmt, database: Database, tmp_path: Path):
    every = every_formula(database, PrimeField(37), ["rust"], seed=1).files["rust"]
    write({name: text for name, text in every.items() if name.endswith(".rs")}, tmp_path)
    require(tmp_path, rustfmt, "--check", "--edition", "2021", "src/lib.rs", "examples/driver.rs")
    assert all(len(line) <= WIDTH for text in every.values() for line in text.splitlines())


# The largest primes of some numbers of words, and one that Montgomery's reduction serves.
PRIMES = {
    1: (2**64 - 59, "whole"),
    2: (2**128 - 159, "whole"),
    3: (5713510721397056890160607558520725852311899424112851379539, "whole"),
    4: (2**256 - 189, "calls"),
    5: (2**320 - 197, "whole"),
    10: (2**640 - 305, "calls"),
}


@pytest.mark.parametrize("limbs", PRIMES)
def test_rustfmt_changes_nothing_whatever_the_prime(rustfmt, limbs: int, bundle: Bundle, tmp_path: Path):
    prime, lowering = PRIMES[limbs]
    folder = write(
        rust.render(replace(bundle, ground=PrimeField(prime)), rust.Options("module", lowering)), tmp_path
    )
    require(folder, rustfmt, "--check", "--edition", "2021", "secp256k1.rs")
    require(folder, rustfmt, "--check", "--edition", "2024", "secp256k1.rs")


def test_rustfmt_tells_a_change(rustfmt, bundle: Bundle, tmp_path: Path):
    (text,) = rust.render(bundle, rust.Options("module")).values()
    write({"changed.rs": text.replace("let t0 = ", "let t0 =  ", 1)}, tmp_path)
    assert run(tmp_path, rustfmt, "--check", "--edition", "2021", "changed.rs").returncode == 1


@pytest.mark.parametrize("features", ["", "zeroize", "word32"])
@pytest.mark.usefixtures("clippy")
def test_clippy_has_no_word_against_a_crate(cargo, crate: Path, features: str):
    require(crate, cargo, "clippy", "--locked", "--all-targets", "--features", features, *PEDANTIC)


@pytest.mark.usefixtures("clippy")
def test_clippy_has_no_word_against_modules_in_a_crate_that_uses_nothing_of_them(
    cargo, rustfmt, bundle: Bundle, tmp_path: Path
):
    bundles = [field_bundle("p521", 2**521 - 1), field_bundle("tiny", 3), bundle]
    modules = [rust.render(b, rust.Options("module")) for b in bundles]
    modules.append(rust.render(odd_bundle(bundle), rust.Options("module", "calls")))
    source = {name: text for files in modules for name, text in files.items()}
    require(write(source, tmp_path / "src"), rustfmt, "--check", "--edition", "2021", *source)
    declarations = "".join(f"mod {name.removesuffix('.rs')};\n" for name in source)
    write({"Cargo.toml": LIBRARY, "src/lib.rs": f"#![no_std]\n{declarations}"}, tmp_path)
    require(tmp_path, cargo, "clippy", *PEDANTIC)


@pytest.mark.usefixtures("clippy")
def test_clippy_tells_a_constant_that_nothing_reads(cargo, bundle: Bundle, tmp_path: Path):
    files = rust.render(bundle, rust.Options())
    unread = files["src/lib.rs"] + "\nconst UNREAD: FieldElement = FieldElement::ONE;\n"
    write(files | {"src/lib.rs": unread}, tmp_path)
    assert "UNREAD" in run(tmp_path, cargo, "clippy", *PEDANTIC).stderr


@pytest.mark.parametrize("std", [False, True])
def test_a_crate_does_without_std(cargo, bundle: Bundle, tmp_path: Path, std: bool):
    """A program with a panic handler of its own does not compile where std has brought another."""
    write(rust.render(bundle, rust.Options()), tmp_path / "secp256k1")
    write({"Cargo.toml": PROGRAM, "src/main.rs": PANIC_HANDLER}, tmp_path)
    if std:
        library = tmp_path / "secp256k1" / "src" / "lib.rs"
        library.write_text(library.read_text(encoding="utf-8").replace("#![no_std]\n", ""), encoding="utf-8")
    done = run(tmp_path, cargo, "check")
    assert (done.returncode, "`panic_impl`" in done.stderr) == ((101, True) if std else (0, False)), (
        done.stderr
    )


def test_names_stay_apart_and_legal(bundle: Bundle):
    (text,) = rust.render(odd_bundle(bundle), rust.Options("module", "calls")).values()
    assert re.findall(r"pub (\w+): FieldElement", text) == ["x", "x_2", "vtype", "v2d"]
    for word in (64, 32):
        constants = re.findall(rf"const (CONSTANT_\w+): \[u{word}; 1\] = \[0x([0-9a-f_]+)\]", text)
        kept = {name: int(digits.replace("_", ""), 16) for name, digits in constants}
        radix = 2**word % 13
        assert kept == {
            "CONSTANT_ONE": radix,
            "CONSTANT_A": 3 * radix % 13,
            "CONSTANT_A_2": 5 * radix % 13,
            "CONSTANT_I": 1 * radix % 13,
            "CONSTANT_A_3": 2 * radix % 13,
            "CONSTANT_LAMBDA": 4 * radix % 13,
        }
    assert "pub fn add(p1: &Point, _p2: &Point) -> (Point, Point) {" in text


def test_a_kernel_says_its_contract(bundle: Bundle):
    text = rust.render(bundle, rust.Options())["src/lib.rs"]
    for kernel in bundle.groups[0].kernels:
        comment, _, _ = text.partition(f"pub fn {kernel.name}(")
        comment = comment.rpartition("}\n")[2]
        labels = re.findall(r"^/// (\w+):", comment, re.MULTILINE)
        assert labels[:2] == ["Formula", "Cost"], kernel.name
        assert kernel.formula.id in comment


@pytest.mark.parametrize("name", ["aaa", "t", "zzz"])
def test_the_lock_file_is_what_cargo_would_write(cargo, name: str, tmp_path: Path):
    files = rust.render(field_bundle(name, 3), rust.Options())
    write(files, tmp_path)
    require(tmp_path, cargo, "metadata", "--format-version", "1")
    assert (tmp_path / "Cargo.lock").read_text(encoding="utf-8") == files["Cargo.lock"]
