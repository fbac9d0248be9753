"""GF(p²) in C and in Rust against Python's integers: the test programs of bundles, and requests to them."""

from __future__ import annotations

import random
import subprocess
from itertools import product
from typing import TYPE_CHECKING

import pytest
from edits import once
from tools import SANITIZED, UNOPTIMISED, WARNINGS

from efdgen.generator.errors import EfdgenError
from efdgen.generator.fields.reference_quadratic import QuadraticReference
from efdgen.generator.fields.request import FieldRequest
from efdgen.generator.output import write_files
from efdgen.generator.render.field.bundle import render_field
from efdgen.verify.fields.certificate import FieldCertificates

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PRIMES = {"m127": "2^127-1", "sqisign1": "5*2^248-1", "sqisign5": "27*2^500-1", "bls": "BLS12-381"}
Pair = tuple[int, int]


class Field2:
    """GF(p²) by its definition: pairs (x, y) for x + y·i, i² = nonresidue."""

    def __init__(self, prime: int, nonresidue: int) -> None:
        self.p, self.nonresidue = prime, nonresidue
        self.size = 2 * ((prime.bit_length() + 7) // 8)

    def mul(self, a: Pair, b: Pair) -> Pair:
        real = a[0] * b[0] + self.nonresidue * a[1] * b[1]
        return real % self.p, (a[0] * b[1] + a[1] * b[0]) % self.p

    def pow(self, a: Pair, exponent: int) -> Pair:
        power = (1, 0)
        for bit in f"{exponent:b}":
            power = self.mul(power, power)
            power = self.mul(power, a) if bit == "1" else power
        return power

    def hex(self, a: Pair) -> str:
        return "".join(f"{part % self.p:0{self.size}x}" for part in a)

    def values(self, rng: random.Random) -> list[Pair]:
        """Both parts at their edges, and at random; squares, no square, elements of GF(p) and of i·GF(p)."""
        x, y = (rng.randrange(self.p) for _ in "xy")
        found = [(0, 0), (1, 0), (0, 1), (self.p - 1, 0), (0, self.p - 1), (self.p - 1, self.p - 1)]
        found += [(x, 0), (0, x), (x, y), (self.p // 2, y), (-x % self.p, 0)]
        return [*found, self.mul((x, y), (x, y)), self.mul((y, 1), (y, 1)), self.nonsquare()]

    def nonsquare(self) -> Pair:
        """Return an element without a root, one whose norm has none."""
        norms = ((c * c - self.nonresidue) % self.p for c in range(self.p))
        return next(c for c, norm in enumerate(norms) if pow(norm, self.p // 2, self.p) == self.p - 1), 1

    def check(self, request: str, answer: str) -> bool:
        """Return whether an answer is right: a product, an inverse, a flag, or a root with its flag."""
        name, *operands = request.split()
        a, b, c, d = (self._read(text) for text in (operands * 4)[:4])
        order = self.p**2 - 1
        match name:
            case "mul":
                return answer == self.hex(self.mul(a, b))
            case "sqr":
                return answer == self.hex(self.mul(a, a))
            case "add" | "sub":
                sign = 1 if name == "add" else -1
                return answer == self.hex((a[0] + sign * b[0], a[1] + sign * b[1]))
            case "conj":
                return answer == self.hex(self.pow(a, self.p))
            case "inv" | "inv_var":
                return answer == self.hex(self.pow(a, order - 1))
            case "sum_of_products" | "difference_of_products":
                sign = 1 if name == "sum_of_products" else -1
                parts = zip(self.mul(a, b), self.mul(c, d), strict=True)
                return answer == self.hex(tuple(x + sign * y for x, y in parts))
            case "is_square" | "is_square_var":
                return int(answer) == (self.pow(a, order // 2) in ((0, 0), (1, 0)))
            case "sqrt":
                return self._is_root(answer, (1, 0), a)
            case "inv_sqrt":
                return self._is_root(answer, a, (1, 0))
            case "sqrt_ratio":
                return self._is_root(answer, b, a)
            case _:
                raise ValueError(name)

    def _is_root(self, answer: str, b: Pair, a: Pair) -> bool:
        """Return whether an answer is a root of a/b, or 0 where there is none, and says which."""
        flag, text = answer.split()
        root, square = self._read(text), self.pow(self.mul(a, b), (self.p**2 - 1) // 2)
        there_is_one = a == (0, 0) or (b != (0, 0) and square == (1, 0))
        found = self.mul(b, self.mul(root, root)) == a if there_is_one else root == (0, 0)
        return int(flag) == there_is_one and found

    def requests(self, rng: random.Random) -> list[str]:
        values = list(map(self.hex, self.values(rng)))
        unary = ("sqr", "conj", "inv", "inv_var", "is_square", "is_square_var", "sqrt", "inv_sqrt")
        found = [f"{name} {a}" for name in unary for a in values]
        for name in ("add", "sub", "mul"):
            found += [f"{name} {a} {b}" for a in values for b in values]
        found += [f"sqrt_ratio {a} {b}" for a in values for b in rng.sample(values, 3)]
        for name in ("sum_of_products", "difference_of_products"):
            found += [f"{name} {' '.join(rng.choices(values, k=4))}" for _ in range(100)]
        return found

    def _read(self, text: str) -> Pair:
        return int(text[: self.size], 16), int(text[self.size :], 16)


def wrong_answers(program: list[str | Path], field: Field2, rng: random.Random) -> list[str]:
    requests = field.requests(rng)
    text = "".join(f"{request}\n" for request in requests)
    done = subprocess.run([*program, "run"], input=text, capture_output=True, text=True, check=True)
    answers = zip(requests, done.stdout.splitlines(), strict=True)
    return [f"{request}: {answer}" for request, answer in answers if not field.check(request, answer)]


def passed(program: list[str | Path]) -> bool:
    done = subprocess.run([*program, "test", "50"], capture_output=True, text=True, check=False)
    return done.returncode == 0


def c_program(folder: Path, prime: str, nonresidue: int, edit: Callable[[str], str] = str) -> FieldRequest:
    request = FieldRequest("c", prime, nonresidue=nonresidue)
    files = render_field(request)
    write_files(folder, {**files, "fp.h": edit(files["fp.h"])})
    return request


def compiled(folder: Path, compiler: str, *flags: str) -> list[str | Path]:
    command = [compiler, "-std=c99", *flags, "test_fp2.c", "-o", "test_fp2"]
    subprocess.run(command, cwd=folder, check=True)
    return [folder / "test_fp2"]


@pytest.mark.drawn(2)
@pytest.mark.parametrize("prime", PRIMES.values())
def test_c_agrees_with_integers(prime, compilers, few, rng, tmp_path):
    field = Field2(c_program(tmp_path, prime, -1).field().prime, -1)
    for compiler, word in few(rng, [*product(compilers.values(), (64, 32))], 2):
        program = compiled(tmp_path, compiler, *UNOPTIMISED, *WARNINGS, f"-DFP_WORD_BITS={word}")
        assert passed(program), (compiler, word)
        assert wrong_answers(program, field, rng) == [], (compiler, word)


@pytest.mark.parametrize(("prime", "nonresidue"), [("13", 2), ("3", -1), ("2^255-19", 2), ("257", -3)])
def test_any_small_nonresidue_will_do(prime, nonresidue, cc, rng, tmp_path):
    field = Field2(c_program(tmp_path, prime, nonresidue).field().prime, nonresidue)
    program = compiled(tmp_path, cc, *SANITIZED)
    assert passed(program)
    assert wrong_answers(program, field, rng) == []


RUST_BATCH = """
use m127::FieldElement2;

fn main() {
    for n in 0..9_u8 {
        let read = |i: u8| {
            let mut bytes = [0; FieldElement2::BYTES];
            (bytes[1], bytes[30]) = (i % 4, 77 * (i % 3));
            FieldElement2::from_bytes_be(&bytes).unwrap()
        };
        let values: Vec<_> = (0..n).map(read).collect();
        let mut inverses = vec![FieldElement2::ONE; values.len()];
        FieldElement2::invert_batch(&mut inverses, &values);
        for (value, inverse) in values.iter().zip(&inverses) {
            let zero = bool::from(value.is_zero());
            let wanted = if zero { FieldElement2::ZERO } else { FieldElement2::ONE };
            assert!(value.mul(inverse) == wanted && zero == bool::from(inverse.is_zero()));
        }
    }
}
"""


# Fields by the names of their crates, each with the square of i.
RUST = {name: (prime, -1) for name, prime in PRIMES.items()} | {
    **{"f13": ("13", 2), "f257": ("257", -3), "f89": ("2^89-1", 3)}
}


def rust_crate(folder: Path, prime: str, nonresidue: int) -> Field2:
    """Write a crate for GF(p²) with a test program of its own name; return the field."""
    request = FieldRequest("rust", prime, prefix=folder.name, nonresidue=nonresidue)
    files = render_field(request)
    files[f"examples/{folder.name}.rs"] = files.pop("examples/test_fp2.rs")
    left_out = ("Cargo.lock", "examples/test_fp.rs")
    write_files(folder, {name: text for name, text in files.items() if name not in left_out})
    return Field2(request.field().prime, nonresidue)


def test_rust_agrees_with_integers(cargo, few, rng, tmp_path):
    names = ["m127", *few(rng, sorted(RUST.keys() - {"m127"}), 1)]
    fields = {name: rust_crate(tmp_path / name, *RUST[name]) for name in names}
    rust_crate(tmp_path / "broken", "2^127-1", -1)
    for name in ("m127", "broken"):
        (tmp_path / name / f"examples/batch_{name}.rs").write_text(RUST_BATCH.replace("m127", name))
    broken = tmp_path / "broken/src/field.rs"
    text, right = broken.read_text(), "conditional_select(&found, &Self::ZERO, value.is_zero())"
    assert text.count(right) == 1
    broken.write_text(text.replace(right, right.replace("ZERO", "ONE")))
    members = ", ".join(f'"{name}"' for name in (*fields, "broken"))
    workspace = f'[workspace]\nresolver = "2"\nmembers = [{members}]\n[profile.dev]\ndebug = false\n'
    (tmp_path / "Cargo.toml").write_text(workspace)
    built = tmp_path / "target/debug/examples"
    for chosen, features in (((*fields, "broken"), ()), (names, [f"{name}/word32" for name in names])):
        packages = [word for name in chosen for word in ("--package", name)]
        build = [cargo, "build", "--quiet", "--examples", *packages, "--features", ",".join(features)]
        subprocess.run(build, cwd=tmp_path, check=True)
        for name in fields.keys() & {*chosen}:
            assert passed([built / name]), (name, features)
            assert wrong_answers([built / name], fields[name], rng) == [], (name, features)
        subprocess.run([built / "batch_m127"], check=True)
    assert subprocess.run([built / "batch_broken"], check=False, capture_output=True).returncode


BATCH = """
#include <stdio.h>
#include "fp.h"
int main(void) {
    fp_fe2 a[9], r[9], one, wanted;
    int wrong = 0;
    fp_fe2_set_one(&one);
    for (int i = 0; i < 9; i++) {
        const uint8_t bytes[2 * FP_FE_BYTES] = {(uint8_t)(i % 4), 0, (uint8_t)(77 * (i % 4))};
        wrong |= !fp_fe2_from_bytes_be(&a[i], bytes);
    }
    for (size_t n = 0; n <= 9; n++) {
        fp_fe2_inv_batch(r, a, n);
        for (size_t i = 0; i < n; i++) {
            fp_fe2_mul(&wanted, &r[i], &a[i]);
            wrong |= fp_fe2_is_zero(&a[i]) ? !fp_fe2_is_zero(&r[i]) : !fp_fe2_equal(&wanted, &one);
        }
    }
    return wrong;
}
"""


@pytest.mark.parametrize(
    ("right", "wrong"),
    [("", ""), ("fp_fe2_select(&r[i], &zero", "fp_fe2_select(&r[i], &one")],
)
def test_many_inverses_are_inverses(right, wrong, cc, tmp_path):
    c_program(tmp_path, "2^127-1", -1, lambda text: text.replace(right, wrong) if right else text)
    (tmp_path / "test_fp2.c").write_text(BATCH)
    (program,) = compiled(tmp_path, cc, *UNOPTIMISED, *WARNINGS)
    assert subprocess.run([program], check=False).returncode == bool(right)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("fp_fe_inv(&norm, &norm);", ""),
        ("fp_fe_inv_var(&norm, &norm);", ""),
        ("square = fp_fe_equal(&s, &t);", "square = 1;"),
        ("fp_fe_select(&t, &other, &t, fp_fe_is_zero(&t));", ""),
        ("return fp_fe_is_square(&norm);", "return 1;"),
        ("return fp_fe_is_square_var(&norm);", "return 1;"),
        ("fp_fe_neg(&n, &n);", ""),
        ("fp_fe2_inv_sqrt(&root, &root) | fp_fe2_is_zero(a);", "fp_fe2_inv_sqrt(&root, &root);"),
    ],
)
def test_a_defect_is_seen(right, wrong, cc, same_rng, tmp_path):
    field = Field2(c_program(tmp_path, "2^127-1", -1, once(right, wrong)).field().prime, -1)
    program = compiled(tmp_path, cc, *UNOPTIMISED)
    assert not passed(program)
    assert wrong_answers(program, field, same_rng) != []


def test_a_bundle_has_both_test_programs_and_proofs(cc, efdgen, tmp_path):
    done = efdgen("field", "--prime", "2^61-1", "--degree", "2", "--lang", "c", "--out", tmp_path)
    assert done.code == 0
    made = subprocess.run(
        ["make", "test", f"CC={cc}"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert made.returncode == 0, made.stderr
    assert made.stdout.count("tests passed") == 2
    header = (tmp_path / "fp.h").read_text()
    comment = header[: header.index("fp_limbs_mul_2(")].rpartition("/*")[2]
    assert "Bounds: a0, a1, b0, b1, r0, r1 at most 2^64 - 1." in comment
    assert "Proved: no carry is lost" in comment


def test_products_are_proved_for_every_shape():
    for prime in ("2^61-1", "7", "BLS12-381 order"):
        nonresidue = 5 if prime.endswith("order") else -1
        render_field(
            FieldRequest("c", prime, 64, nonresidue=nonresidue, operations=("mul",)), FieldCertificates()
        )


@pytest.mark.parametrize(
    ("prime", "nonresidue", "message"),
    [("13", -1, "is a square modulo p"), ("7", 8, "from -7 to 7"), ("7", 0, "from -7 to 7")],
)
def test_what_is_no_nonresidue_is_refused(prime, nonresidue, message):
    with pytest.raises(EfdgenError, match=message):
        FieldRequest("c", prime, nonresidue=nonresidue).field()


def test_references_are_what_they_say(rng):
    prime = 2**61 - 1
    reference, field = QuadraticReference(prime, -1, 8, 1), Field2(prime, -1)
    counts = {**dict.fromkeys(("mul", "add", "sub"), 2), "sum_of_products": 4, "difference_of_products": 4}
    for name, count in {**counts, **dict.fromkeys(("sqr", "inv", "conj", "is_square"), 1)}.items():
        for row in reference.rows(name, count):
            operands = " ".join(f"{value:032x}" for value in row.operands)
            answer = str(int(row.flag)) if name == "is_square" else f"{row.value:032x}"
            assert field.check(f"{name} {operands}", answer), (name, operands)
