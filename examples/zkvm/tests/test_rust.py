"""The guest of examples/zkvm in Rust: on this machine by cargo, and in the zkVM if it has a core library."""

from __future__ import annotations

import os
import random
import subprocess
from dataclasses import dataclass, replace
from pathlib import Path

import guests
import prover
import pytest
import rust
from affine_edwards import T8, add
from claims import (
    EDGES,
    LIES,
    NONSENSE,
    STATUS,
    edge_points,
    honest,
    numbers,
    random_claim,
    summands,
    sums,
    with_schedule,
    wrong_sum,
)
from running import build_counter

PEDANTIC = ("--all-targets", "--", "--deny", "warnings", "--deny", "clippy::pedantic")
SUMS = """\
//! The sums of two numbers.
use guest::field::{add, add_sub, sub, Fe};
use std::io::{stdin, Read, Write};

fn main() {
    let mut bytes = [0; 64];
    stdin().read_exact(&mut bytes).expect("two numbers");
    let number = |i: usize| -> Fe {
        std::array::from_fn(|j| u32::from_le_bytes(std::array::from_fn(|k| bytes[32 * i + 4 * j + k])))
    };
    let (a, b) = (number(0), number(1));
    let (sum, difference) = add_sub(&a, &b);
    for word in [sum, difference, add(&a, &b), sub(&a, &b)].concat() {
        std::io::stdout().write_all(&word.to_le_bytes()).expect("written");
    }
}
"""


@dataclass(frozen=True)
class Program:
    """A program of the crate for this machine."""

    path: Path

    def run(self, given: bytes, *arguments: str) -> subprocess.CompletedProcess[bytes]:
        command = [str(self.path), *arguments]
        return subprocess.run(command, input=given, capture_output=True, check=False, timeout=60)

    def status(self, given: bytes, *arguments: str) -> int:
        done = self.run(given, *arguments)
        assert not done.stderr
        return done.returncode


@pytest.fixture(scope="module")
def programs(cargo: str, clippy: str, rustfmt: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the crate's programs; the crate is as rustfmt and clippy want it."""
    crate = tmp_path_factory.mktemp("zkvm") / "rust"
    rust.write_crate(crate)
    environment = {**os.environ, "CARGO_INCREMENTAL": "0"}
    commands = [("fmt", "--check"), ("clippy", "--quiet", *PEDANTIC)]
    for command in commands:
        subprocess.run(["cargo", *command], cwd=crate, check=True, env=environment)
    (crate / "src" / "bin").mkdir()
    (crate / "src" / "bin" / "sums.rs").write_text(SUMS)
    subprocess.run(["cargo", "build", "--quiet"], cwd=crate, check=True, env=environment)
    return crate / "target" / "debug"


@pytest.fixture
def half(programs: Path) -> Program:
    return Program(programs / "zkvm-guest")


def test_scalars_and_points_at_the_edges(half: Program, rng: random.Random) -> None:
    for a in EDGES:
        b, q = rng.choice(EDGES), rng.choice(edge_points(rng))
        assert half.status(honest(a, b, q).input) == 0, (a, b, q)


@pytest.mark.parametrize("name", LIES)
def test_a_lie_is_refused_by_the_same_check_as_in_c(half: Program, rng: random.Random, name: str) -> None:
    lie, status = LIES[name]
    assert half.status(lie(random_claim(rng)).input) == STATUS[status]


def test_a_changed_schedule_proves_nothing_that_is_wrong(half: Program, rng: random.Random) -> None:
    wrong = wrong_sum(random_claim(rng), rng)
    text = wrong.hints.schedule
    for place in rng.sample(range(len(text)), 40):
        edited = text[:place] + bytes([rng.randrange(256)]) + text[place + 1 :]
        assert half.status(with_schedule(wrong, edited).input) != 0, place


@pytest.mark.parametrize("text", NONSENSE)
def test_a_schedule_of_nonsense_is_refused(half: Program, rng: random.Random, text: bytes) -> None:
    assert half.status(with_schedule(random_claim(rng), text).input) == STATUS["BAD_SCHEDULE"]


def test_answers_that_are_not_reduced_prove_nothing_that_is_wrong(half: Program, rng: random.Random) -> None:
    """The largest answer to every call is refused even for what is right; no answers prove what is wrong."""
    claim = random_claim(rng)
    wrong = replace(claim, r=add(claim.r, T8))
    assert half.status(claim.input, "least", "1", "9999") == 0
    assert half.status(claim.input, "largest", "1", "9999") == STATUS["NOT_REDUCED"]
    for _ in range(20):
        first = rng.randrange(1, 2400)
        last = rng.choice([first, first + 5, 5000])
        answers = rng.choice(["largest", f"{rng.randrange(2**32)}"])
        assert half.status(wrong.input, answers, f"{first}", f"{last}") != 0, (answers, first, last)


def test_sums_of_all_words_are_right_or_refused(programs: Path, rng: random.Random) -> None:
    program = Program(programs / "sums")
    for a, b in summands(rng):
        done = program.run(prover.little_endian(a, b))
        if (right := sums(a, b)) is None:
            assert done.returncode == STATUS["NOT_REDUCED"], (a, b)
        else:
            assert (done.returncode, numbers(done.stdout)) == (0, right * 2), (a, b)


def test_frames_that_may_exceed_the_stack_are_counted() -> None:
    listing = "10: ff010113  addi sp,sp,-16\n14: 81010113  add\tsp,sp,-2032\n18: 01010113  addi sp,sp,16\n"
    assert guests.stack_bound(listing) == 2048
    assert guests.stack_bound(listing + "  1c: 40510133  sub\tsp,sp,t0\n") > rust.STACK


@pytest.mark.core
def test_the_zkvm_runs_the_same_guest(
    cc: str, cargo: str, riscv_gcc: str, rng: random.Random, tmp_path: Path
) -> None:
    """It holds no call of core, and takes fewer cycles than 200,000."""
    kept = guests.HERE.parents[1] / "build" / "zkvm"
    rust.build_rust(kept)
    counter = build_counter(tmp_path, cc)

    def run(given: bytes) -> dict[str, int]:
        return counter(kept / "half-rust.elf", "--strict", "--input", f"io={given.hex()}")

    report = run(random_claim(rng).input)
    assert report["status"] == 0
    assert report["total"] < 200_000
    for lie, status in LIES.values():
        assert run(lie(random_claim(rng)).input)["status"] == STATUS[status]
