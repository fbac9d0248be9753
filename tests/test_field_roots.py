"""Square roots in C and in Rust against Python's integers, and the addition chains that they run along."""

import random
import subprocess
from math import isqrt
from pathlib import Path

import field_primes
import gmpy2
import pytest
from field_primes import random_primes

from efdgen.generator.fields.chains import Chain, Step, addition_chain
from efdgen.generator.fields.request import FieldRequest
from efdgen.generator.fields.root_steps import root_of_unity, two_adicity
from efdgen.generator.output import write_files
from efdgen.generator.render.field.bundle import render_field

NAMED_PRIMES, RANDOM_PRIMES = 5, 3
# p - 1 is divisible by these powers of two: 1, 2, 4, 8, 16; 1, 2, 32, 96.
PRIMES = {
    "3": 3,
    "5": 5,
    "17": 17,
    "73": 73,
    "241": 241,
    "251": 251,
    "2^255-19": 2**255 - 19,
    "BLS12-381's r": 0x73EDA753299D7D483339D80809A1D80553BDA402FFFE5BFEFFFFFFFF00000001,
    "P-224": 2**224 - 2**96 + 1,
    "P-521": 2**521 - 1,
}
# Exponents of square roots and inverses, and how long the best chains are that we know of.
KNOWN = {
    "2^252-3": (2**252 - 3, 251 + 11),
    "secp256k1's (p+1)/4": ((2**256 - 2**32 - 977 + 1) // 4, 253 + 13),
    "P-256's (p+1)/4": ((2**256 - 2**224 + 2**192 + 2**96) // 4, 253 + 7),
    "2^448's (p-3)/4": ((2**448 - 2**224 - 4) // 4, 445 + 12),
    "(5*2^248-1)'s (p-3)/4": (5 * 2**246 - 1, 247 + 12),
    "(65*2^376-1)'s (p-3)/4": (65 * 2**374 - 1, 379 + 14),
    "2^255-21": (2**255 - 21, 254 + 11),
    "secp256k1's p-2": (2**256 - 2**32 - 979, 269),
    "P-256's p-2": (2**256 - 2**224 + 2**192 + 2**96 - 3, 266),
    "P-384's p-2": (2**384 - 2**128 - 2**96 + 2**32 - 3, 396),
    "P-256's n-2": (0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC63254F, 292),
}


def raised(base: int, chain: Chain, modulus: int) -> int:
    """Run a chain on a number."""
    made = [base]
    for step in chain.steps:
        power = pow(made[step.left], 1 << step.squarings, modulus)
        made.append(power if step.right is None else power * made[step.right] % modulus)
    return made[-1]


@pytest.mark.parametrize(("exponent", "known"), KNOWN.values(), ids=KNOWN.keys())
def test_chains_make_their_power_and_are_about_as_short_as_any_known(exponent, known):
    chain = addition_chain(exponent)
    assert raised(3, chain, 2**607 - 1) == pow(3, exponent, 2**607 - 1)
    assert chain.exponents()[-1] == exponent
    assert known <= chain.squarings + chain.multiplications <= known + 2


def test_chains_for_small_and_for_random_exponents(rng):
    for exponent in [*range(1, 300), *(rng.getrandbits(rng.randrange(20, 400)) | 1 for _ in range(8))]:
        chain = addition_chain(exponent)
        assert (1, *chain.exponents())[-1] == exponent
        bits = exponent.bit_length()
        assert chain.squarings <= bits + 8, exponent
        assert chain.multiplications <= min(exponent.bit_count() - 1, bits // 4 + 10), exponent


def test_a_chain_says_what_it_makes():
    chain = Chain((Step(0, 1, None), Step(1, 0, 0), Step(2, 2, 2)))
    assert chain.exponents() == (2, 3, 15)
    assert (chain.squarings, chain.multiplications) == (3, 2)
    assert Chain((Step(0, 1, None), Step(1, 0, 1), Step(2, 2, 2))).exponents()[-1] != 15


@pytest.mark.parametrize("p", PRIMES.values(), ids=PRIMES.keys())
def test_the_root_of_unity_has_its_order(p):
    order = 1 << two_adicity(p)
    assert (p - 1) // order % 2 == 1
    assert pow(root_of_unity(p), order // 2, p) == p - 1


def values(p: int, rng: random.Random) -> list[int]:
    if p < 1 << 8:
        return list(range(p))
    unity = [pow(root_of_unity(p), 1 << i, p) for i in range(two_adicity(p))]
    squares = [rng.randrange(p) ** 2 % p for _ in range(5)]
    return [0, 1, 2, p - 1, p - 2, isqrt(p) ** 2, *unity[:9], *unity[-3:], *squares, *squares[:1]]


def requests(p: int, rng: random.Random) -> list[tuple[str, tuple[int, ...], int | None]]:
    """Calls, and what the square of the answer is; None where there is none."""
    cases = []
    for a in values(p, rng):
        root = a == 0 or gmpy2.legendre(a, p) == 1
        cases.append(("sqrt", (a,), a if root else None))
        cases.append(("inv_sqrt", (a,), pow(a, -1, p) if root and a else None))
        for b in (0, 1, rng.randrange(p)):
            ratio = a * pow(b, -1, p) % p if b else 0
            exists = a == 0 or (b != 0 and gmpy2.legendre(ratio, p) == 1)
            cases.append(("sqrt_ratio", (a, b), ratio if exists else None))
    return cases


def differences(command: list[str | Path], p: int, rng: random.Random) -> list[str]:
    cases, size = requests(p, rng), 2 * ((p.bit_length() + 7) // 8)
    text = "".join(f"{name} {' '.join(f'{v:0{size}x}' for v in operands)}\n" for name, operands, _ in cases)
    run = subprocess.run([*command, "run"], input=text, capture_output=True, text=True, check=True)
    wrong = []
    for (name, operands, square), answer in zip(cases, run.stdout.splitlines(), strict=True):
        flag, root = answer.split()
        right = (flag, int(root, 16)) == ("0", 0) if square is None else flag == "1"
        if not right or (square is not None and int(root, 16) ** 2 % p != square):
            wrong.append(f"{name} {operands}: {answer}")
    return wrong


def written(folder: Path, language: str, p: int) -> None:
    request = FieldRequest(language, hex(p), operations=("sqrt", "inv_sqrt", "sqrt_ratio"))
    write_files(folder, render_field(request))


@pytest.mark.parametrize("p", PRIMES.values(), ids=PRIMES.keys())
def test_roots_in_c(p, cc, rng, tmp_path):
    written(tmp_path, "c", p)
    word = rng.choice([64, 32])
    options = ["-std=c99", "-O1", "-Wall", "-Wextra", "-Wconversion", "-Werror", f"-DFP_WORD_BITS={word}"]
    subprocess.run([cc, *options, "test_fp.c", "-o", "test_fp"], cwd=tmp_path, check=True)
    assert differences([tmp_path / "test_fp"], p, rng) == [], word


@pytest.mark.parametrize("name", ["17", "251", "P-224"])
def test_roots_in_rust(name, cargo, rng, tmp_path):
    written(tmp_path, "rust", PRIMES[name])
    build = [cargo, "build", "--quiet", "--offline", "--example", "test_fp"]
    subprocess.run(build, cwd=tmp_path, check=True)
    assert differences([tmp_path / "target/debug/examples/test_fp"], PRIMES[name], rng) == []


def wrong_flags(command: list[str | Path], p: int, rng: random.Random) -> list[str]:
    """Ask which numbers are squares; return the answers that are wrong."""
    asked, size = [*values(p, rng), *(rng.randrange(p) for _ in range(10))], 2 * ((p.bit_length() + 7) // 8)
    text = "".join(f"is_square {a:0{size}x}\n" for a in asked)
    run = subprocess.run([*command, "run"], input=text, capture_output=True, text=True, check=True)
    pairs = zip(asked, run.stdout.split(), strict=True)
    return [f"is_square {a:x}: {answer}" for a, answer in pairs if int(answer) != (gmpy2.legendre(a, p) >= 0)]


def rust_crate(folder: Path, p: int, right: str = "", wrong: str = "") -> None:
    """Write a crate with a test program of its own name; ``right`` is replaced once where it is given."""
    files = render_field(FieldRequest("rust", hex(p), prefix=folder.name))
    assert not right or files["src/field.rs"].count(right) == 1
    files["src/field.rs"] = files["src/field.rs"].replace(right, wrong) if right else files["src/field.rs"]
    files[f"examples/{folder.name}.rs"] = files.pop("examples/test_fp.rs")
    write_files(folder, {name: text for name, text in files.items() if name != "Cargo.lock"})


def own_failures(program: Path) -> list[str]:
    """Run the vectors of Python's integers that a test program holds, of every operation."""
    run = subprocess.run([program, "test", "20"], capture_output=True, text=True, check=False)
    return [line for line in run.stdout.splitlines() if line.startswith("FAILED")]


def test_every_operation_in_rust_of_named_and_random_primes(cargo, few, rng, tmp_path):
    named = few(rng, field_primes.PRIMES.values(), NAMED_PRIMES)
    chosen = [*named, *random_primes(rng, RANDOM_PRIMES, range(3, 450))]
    primes = {f"f{number}": p for number, p in enumerate(chosen)}
    for name, p in primes.items():
        rust_crate(tmp_path / name, p)
    rust_crate(tmp_path / "wrong_root", 251, "root.square().ct_eq(self)", "root.ct_eq(&root)")
    rust_crate(tmp_path / "wrong_flag", 251, "self.test_square(false)", "!self.test_square(false)")
    workspace = '[workspace]\nresolver = "2"\nmembers = ["*"]\nexclude = ["target"]\n'
    (tmp_path / "Cargo.toml").write_text(f"{workspace}[profile.dev]\ndebug = false\nincremental = false\n")
    subprocess.run([cargo, "build", "--quiet", "--examples"], cwd=tmp_path, check=True)
    built = tmp_path / "target/debug/examples"
    for name, p in primes.items():
        assert differences([built / name], p, rng) == [], hex(p)
        assert wrong_flags([built / name], p, rng) == [], hex(p)
        assert own_failures(built / name) == [], hex(p)
    assert own_failures(built / "wrong_flag")
    assert differences([built / "wrong_root"], 251, rng)
    assert wrong_flags([built / "wrong_flag"], 251, rng)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("fp_fe_sqr(&z, &z);", ""),
        ("flag = fp_fe_equal(&square, a);", "flag = 1 + 0 * fp_fe_equal(&square, a);"),
        ("for (int i = 3; i >= 0; i--)", "for (int i = 3; i >= 1; i--)"),
    ],
)
def test_a_defect_is_seen(right, wrong, cc, same_rng, tmp_path):
    written(tmp_path, "c", PRIMES["241"] if "i = 3" not in right else 97)
    header = tmp_path / "fp.h"
    text = header.read_text()
    assert text.count(right) == 1
    header.write_text(text.replace(right, wrong))
    subprocess.run([cc, "-std=c99", "-O1", "test_fp.c", "-o", "test_fp"], cwd=tmp_path, check=True)
    p = PRIMES["241"] if "i = 3" not in right else 97
    assert differences([tmp_path / "test_fp"], p, same_rng) != []
