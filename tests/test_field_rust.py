"""The Rust field against Python's integers, for primes of many sizes and in both sizes of words.

All fields are modules of one crate, each with its own driver, so that they are compiled in one go.
"""

from __future__ import annotations

import random
import subprocess
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from typing import TYPE_CHECKING

import pytest
from field_primes import PRIMES, SMALL_PRIMES, random_primes

from efdgen.generator.mathematics.prime import PrimeField
from efdgen.generator.origin import Origin
from efdgen.generator.programs.kernel import Bundle
from efdgen.generator.render.rust import bundle as rust

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from efdgen.generator.options import RepresentationKind

NAMED_PRIMES, RANDOM_PRIMES = 5, 3
EXHAUSTIVE = 16
# The wrong function is the first of those that have this text, in either size of words.
WRONG = {
    "wrong_fold": ("0x26_u", "0x25_u"),
    "wrong_carry": ("add_carry(0, t_0, ", "add_carry(1, t_0, "),
    "wrong_operand": ("mul_wide(t_1, ", "mul_wide(t_2, "),
}

MANIFEST = """
[package]
name = "fields"
version = "0.0.0"
edition = "2021"

[features]
word32 = []

[dependencies]
subtle = { version = "2.6", default-features = false }

[profile.dev]
opt-level = 0
debug = false
overflow-checks = true
debug-assertions = true
incremental = false
"""

MAIN = """
fn main() {{
    for line in std::io::stdin().lines() {{
        let line = line.unwrap();
        let (field, request) = line.split_once(' ').unwrap();
        let answer = match field {{
            {cases}
            _ => unreachable!(),
        }};
        println!("{{}}", answer.unwrap_or_else(|reason| format!("error: {{reason}}")));
    }}
}}
"""


@dataclass(frozen=True)
class Case:
    request: str
    expected: str


def render_module(name: str, prime: int) -> tuple[str, str]:
    """Return a field as a module, and its driver as another whose ``answer`` can be called from outside."""
    kind: RepresentationKind | None = "unsaturated" if name.startswith("limbs_") else None
    options = rust.Options("module", fields=replace(rust.Options().fields, kind=kind))
    module = rust.render(
        Bundle(name, PrimeField(prime), (), Origin(("efdgen", "compile", "--lang", "rust"))), options
    )
    return module[f"{name}.rs"], driver().replace("use ::toy ", f"use crate::{name} ")


@cache
def driver() -> str:
    """Return the driver that every field of a crate called ``toy`` has."""
    files = rust.render(
        Bundle("toy", PrimeField(3), (), Origin(("efdgen", "compile", "--lang", "rust"))),
        rust.Options("crate"),
    )
    return files["examples/driver.rs"].replace("fn answer(", "pub fn answer(")


def build(
    cargo: str, primes: dict[str, int], word_bits: int, folder: Path
) -> Callable[[list[str]], list[str]]:
    """Compile fields into one program, and return a function that asks it."""
    source = folder / "src"
    source.mkdir()
    modules = {name: render_module(name, prime) for name, prime in primes.items()}
    for name, (text, replacement) in WRONG.items():
        module, driver = render_module(name, 2**255 - 19)
        assert text in module
        modules[name] = module.replace(text, replacement), driver
    for name, (module, driver) in modules.items():
        (source / f"{name}.rs").write_text(module, encoding="utf-8")
        (source / f"{name}_driver.rs").write_text(driver, encoding="utf-8")
    declarations = "".join(f"mod {name};\n#[allow(dead_code)]\nmod {name}_driver;\n" for name in modules)
    cases = "\n            ".join(f'"{name}" => {name}_driver::answer(request),' for name in modules)
    (source / "main.rs").write_text(declarations + MAIN.format(cases=cases), encoding="utf-8")
    (folder / "Cargo.toml").write_text(MANIFEST, encoding="utf-8")
    features = ["--features", "word32"] if word_bits == 32 else []
    command = [cargo, "build", "--quiet", "--target-dir", "target", *features]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr

    def ask(requests: list[str]) -> list[str]:
        text = "".join(f"{request}\n" for request in requests)
        program = folder / "target" / "debug" / "fields"
        return subprocess.run(
            [program], input=text, capture_output=True, text=True, check=True
        ).stdout.splitlines()

    return ask


@pytest.fixture(scope="module")
def primes(few) -> dict[str, int]:
    seed = random.randrange(2**32)
    print(f"seed {seed} of the random primes")
    rng = random.Random(seed)
    named = few(rng, PRIMES.values(), NAMED_PRIMES)
    chosen = [*named, *SMALL_PRIMES.values(), *random_primes(rng, RANDOM_PRIMES)]
    limbs = {"limbs_448": 2**448 - 2**224 - 1, "limbs_secp256k1": 2**256 - 2**32 - 977}
    return {f"field_{number}": prime for number, prime in enumerate(chosen)} | limbs


@pytest.fixture(scope="module", params=[64, 32])
def ask(
    request: pytest.FixtureRequest,
    cargo: str,
    primes: dict[str, int],
    tmp_path_factory: pytest.TempPathFactory,
) -> Callable[[list[str]], list[str]]:
    return build(cargo, primes, request.param, tmp_path_factory.mktemp(f"fields{request.param}"))


def chosen_values(prime: int, rng: random.Random) -> list[int]:
    """Return values at the edges of words, plain and in Montgomery form, and random ones."""
    if prime < EXHAUSTIVE:
        return list(range(prime))
    radix = 1 << (prime.bit_length() + 63) // 64 * 64
    edges = {0, 1, 2, prime - 1, prime - 2, prime // 2, prime // 2 + 1}
    edges |= {(1 << power) + offset for power in range(32, prime.bit_length(), 32) for offset in (-1, 0)}
    chosen = rng.sample(sorted(edges), min(len(edges), 12))
    inner = [value * pow(radix, -1, prime) for value in chosen]
    return [value % prime for value in [*chosen, *inner, *(rng.randrange(prime) for _ in range(4))]]


def cases(prime: int, rng: random.Random) -> Iterator[Case]:
    """Yield every operation on chosen values and pairs of them, with what Python's integers say."""
    size = (prime.bit_length() + 7) // 8

    def written(value: int, order: str = "big") -> str:
        return value.to_bytes(size, order).hex()

    def case(operation: str, *operands: int, value: int) -> Case:
        return Case(f"field.{operation} - {' '.join(map(written, operands))}", written(value))

    yield Case("field.set_zero -", written(0))
    yield Case("field.set_one -", written(1))
    values = chosen_values(prime, rng)
    for a in values:
        yield case("neg", a, value=-a % prime)
        yield case("half", a, value=a * pow(2, -1, prime) % prime)
        yield case("sqr", a, value=a * a % prime)
        yield case("inv", a, value=pow(a, -1, prime) if a else 0)
        yield case("to_bytes_be", a, value=a)
        yield Case(f"field.to_bytes_le - {written(a)}", written(a, "little"))
        yield Case(f"field.is_zero - {written(a)}", str(int(a == 0)))
    for a, b in product(values, repeat=2):
        yield case("add", a, b, value=(a + b) % prime)
        yield case("sub", a, b, value=(a - b) % prime)
        yield case("mul", a, b, value=a * b % prime)
        yield Case(f"field.equal - {written(a)} {written(b)}", str(int(a == b)))
        yield Case(f"field.select - 1 {written(a)} {written(b)}", written(a))
        yield Case(f"field.select - 0 {written(a)} {written(b)}", written(b))
    top = 256**size - 1
    for raw in {*values, prime, min(prime + 1, top), top, rng.randint(prime, top)}:
        answer = f"1 {written(raw)}" if raw < prime else f"0 {written(0)}"
        yield Case(f"field.from_bytes_be - {written(raw)}", answer)
        yield Case(f"field.from_bytes_le - {written(raw, 'little')}", answer)


def wrong_answers(
    ask: Callable[[list[str]], list[str]], name: str, asked: list[Case]
) -> list[tuple[Case, str]]:
    answers = ask([f"{name} {case.request}" for case in asked])
    return [(case, answer) for case, answer in zip(asked, answers, strict=True) if answer != case.expected]


def test_every_operation_is_what_integers_say(ask, primes: dict[str, int], rng: random.Random):
    for name, prime in primes.items():
        assert wrong_answers(ask, name, list(cases(prime, rng))) == [], prime


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_constant_is_seen(ask, name: str, same_rng: random.Random):
    assert wrong_answers(ask, name, list(cases(2**255 - 19, same_rng)))


def test_malformed_requests_are_refused(ask, primes: dict[str, int]):
    thirteen = next(name for name, prime in primes.items() if prime == 13)
    requests = {
        "field.cube - 01": "error: no function is called field.cube",
        "field.neg - 0d": "error: not below p",
        "field.neg - 1": "error: not 1 bytes in hexadecimal: 1",
        "field.neg - +1": "error: not 1 bytes in hexadecimal: +1",
        "field.neg -": "error: too few values",
        "field.neg - 01 01": "error: too many values",
        "field.neg b 01": "error: no input is called b",
        "field.select - 2 01 01": "error: neither 0 nor 1: 2",
    }
    assert ask([f"{thirteen} {request}" for request in requests]) == list(requests.values())
