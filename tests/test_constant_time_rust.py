"""Whole curves in Rust under valgrind: no branch and no address depends on scalars and coordinates."""

import subprocess
from pathlib import Path

import pytest
from whole_rust import Wanted, cargo, write_workspace

FOUND = 9
CURVES = {
    "secp256k1": ("secp256k1", "jacobian-0"),
    "edwards25519": ("edwards25519", "extended-1"),
    "edwards25519_inverted": ("edwards25519", "inverted"),
    "curve25519": ("Curve25519", None),
}
# Valgrind's requests are macros of C.
MARKS = """
#include <stddef.h>
#include <valgrind/memcheck.h>

void hide(const unsigned char *bytes, size_t length) {
    (void)VALGRIND_MAKE_MEM_UNDEFINED(bytes, length);
}

void show(const unsigned char *bytes, size_t length) {
    (void)VALGRIND_MAKE_MEM_DEFINED(bytes, length);
}
"""
MANIFEST = """[package]
name = "program"
version = "0.0.0"
edition = "2021"

[dependencies]
subtle = "2.6"
"""
HEAD = """
use std::hint::black_box;

use subtle::Choice;

extern "C" {
    fn hide(bytes: *const u8, length: usize);
    fn show(bytes: *const u8, length: usize);
}

fn secret<T>(mut value: T) -> T {
    unsafe { hide((&raw mut value).cast(), size_of::<T>()) };
    value
}

/// Marks a value as known, as far as the program goes on with it.
fn public<T>(value: T) {
    let mut value = value;
    unsafe { show((&raw mut value).cast(), size_of::<T>()) };
    black_box(value);
}

"""
POINTS = """fn CURVE() {
    use CURVE::*;
    let k = secret([0x5a_u8; SCALAR_BYTES]);
    let bit = Choice::from(k[0] & 1);
    let p = multiply(&k, &multiply_generator(&k));
    let mut q = METHOD(&k, &secret(GENERATOR.double()));
    q = q.add(&p).subtract(&GENERATOR).double().negate();
    q = p.select(&q, bit).clear_cofactor();
    public(q.equal(&p) & q.is_identity() & q.is_on_curve() & q.is_in_subgroup());
    public(q.validate().is_some());
    public(q.encode_wire());
    let affine = q.to_affine()UNWRAP;
    public(from_affine(&affine.x, &affine.y).is_some());
    public(LIFT(&affine.x, bit).is_some());
    let (mut encodings, mut scratch) = ([[0; ENCODED_BYTES]; 2], [affine; 2]);
    let _ = encode_batch(&mut encodings, &mut scratch, &[p, q]);
    public(encodings);
    public(random_scalar(|bytes| bytes.fill(5)));
}
"""
LADDER = """fn CURVE() {
    use CURVE::*;
    let k = secret([0x5a_u8; SCALAR_BYTES]);
    let p = multiply_generator(&k);
    public(p.is_some());
    let found = multiply(&k, &p.unwrap_or(GENERATOR)).unwrap_or(GENERATOR);
    let x = x_multiply(&k, &found.x);
    public(found.is_on_curve());
    public(lift_x(&x, Choice::from(k[1] & 1)).is_some());
    public(encode(&x));
}
"""
MAIN = """
fn main() {
    match std::env::args().nth(1).as_deref() {
CASES
        name => panic!("no curve is called {name:?}"),
    }
}
"""


def program() -> str:
    """Return the text of a program that does the constant-time operations of the curve it is told."""
    text, cases = HEAD, ""
    for name in CURVES:
        body = LADDER if name == "curve25519" else POINTS
        unwrap = ".unwrap_or(AFFINE)" if name == "secp256k1" else ""
        lift = "lift_x" if name == "secp256k1" else "lift_y"
        text += body.replace("CURVE", name).replace("UNWRAP", unwrap).replace("LIFT", lift)
        text = text.replace("METHOD", "coz_multiply" if name == "secp256k1" else "multiply")
        cases += f'        Some("{name}") => {name}(),\n'
    affine = "AffinePoint { x: FieldElement::ZERO, y: FieldElement::ZERO }"
    return (text + MAIN).replace("AFFINE", affine).replace("CASES", cases.rstrip())


@pytest.fixture(scope="module")
def workspace(tmp_path_factory) -> Path:
    """Return a folder of crates and a program of valgrind's."""
    folder = tmp_path_factory.mktemp("secrets")
    wanted = [Wanted(name, *curve, lowering="whole") for name, curve in CURVES.items()]
    write_workspace(folder, wanted, "program")
    dependencies = "".join(f'{name} = {{ path = "../{name}" }}\n' for name in CURVES)
    (folder / "program/src").mkdir(parents=True)
    (folder / "program/Cargo.toml").write_text(MANIFEST + dependencies)
    (folder / "program/src/main.rs").write_text(program())
    (folder / "marks.c").write_text(MARKS)
    subprocess.run(["gcc", "-O1", "-c", "marks.c"], cwd=folder, check=True)
    subprocess.run(["ar", "rc", "libmarks.a", "marks.o"], cwd=folder, check=True)
    build(folder)
    return folder


def build(folder: Path) -> None:
    cargo(
        folder,
        *("rustc", "-p", "program", "--release", "--config", "profile.release.debug=1", "--"),
        *("-L", f"native={folder}", "-l", "static=marks"),
    )


def complaints(folder: Path, name: str) -> list[str]:
    """Return the branches and addresses that memcheck finds to depend on what is undefined."""
    valgrind = ["valgrind", "-q", f"--error-exitcode={FOUND}", "target/release/program", name]
    done = subprocess.run(valgrind, cwd=folder, check=False, capture_output=True, text=True)
    assert done.returncode in (0, FOUND), done.stderr
    assert ("ninitialised" in done.stderr) == (done.returncode == FOUND)
    return [line for line in done.stderr.splitlines() if "ninitialised" in line or ".rs:" in line]


@pytest.mark.parametrize("name", CURVES)
def test_nothing_depends_on_secrets(name, workspace):
    assert complaints(workspace, name) == []


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("k[i / 8] >> (i % 8) & 1;", "u8::from(k[usize::from(k[i / 8] & 15)] > 90);"),
        (
            "swap(&mut r, &mut s, Choice::from(swapped ^ bit))",
            "if bit > 0 { swap(&mut r, &mut s, 1.into()) }",
        ),
    ],
    ids=["address", "branch"],
)
def test_a_leak_is_seen(right, wrong, workspace):
    path = workspace / "curve25519/src/ladder.rs"
    text = path.read_text()
    assert text.count(right) == 1
    try:
        path.write_text(text.replace(right, wrong))
        build(workspace)
        assert complaints(workspace, "curve25519") != []
    finally:
        path.write_text(text)
