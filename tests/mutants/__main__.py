"""`make mutants`: make random single edits, have proofs and tests refuse them, and print a table of them."""

from __future__ import annotations

import argparse
import multiprocessing
import os
import resource
import signal
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from queue import SimpleQueue
from random import Random
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import slices

from mutants.catalogue import KINDS
from mutants.report import table, write_table
from mutants.targets import Killed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from multiprocessing.connection import Connection

    from mutants.kinds import Kind

ROOT = Path(__file__).parents[2]
TRIES = 60  # edits without effect on printed text, before a kind is given up
SECONDS = 120  # processor time for a proof or a compiler


@dataclass(frozen=True)
class Outcome:
    """The fate of a mutant; ``verdict`` is proof, generator, compiler, tests, equivalent or survived."""

    kind: str
    number: int
    verdict: str
    reason: str
    place: str
    sort: str
    difference: str

    @property
    def text(self) -> str:
        """The line that reports it."""
        what = f"{self.kind} {self.number}, {self.sort}: {self.verdict}"
        return f"{what}{': ' * bool(self.reason)}{self.reason}\n{self.place}\n{self.difference}\n"


def known_equivalents() -> dict[tuple[str, str], str]:
    """Return the reasons why mutants are equivalent, by place and difference.

    Without a difference all edits of a function are that nothing refuses.
    """
    text = Path(__file__).with_name("equivalent.toml").read_text(encoding="utf-8")
    return {
        (each["place"], each.get("difference", "").strip()): each["reason"]
        for each in tomllib.loads(text)["mutant"]
    }


def outcome(kind: Kind, seed: int, number: int, folder: Path) -> Outcome | None:
    """Make a mutant of a kind and try it; return None where every edit changes nothing that is printed."""
    for attempt in range(TRIES):
        mutant = kind.mutant(Random(f"{seed} {kind.title} {number} {attempt}"))
        if mutant is not None:
            break
    else:
        return None
    known = known_equivalents()
    reason = known.get((mutant.place, mutant.difference.strip()), "")
    try:
        reason = reason or mutant.judge(folder) or known.get((mutant.place, ""), "")
        verdict = "equivalent" if reason else "survived"
    except Killed as killed:
        verdict, reason = killed.by, killed.reason
    return Outcome(kind.title, number, verdict, reason, mutant.place, mutant.sort, mutant.difference)


def _child(kind: Kind, seed: int, number: int, folder: Path, sender: Connection) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    sender.send(outcome(kind, seed, number, folder))


def tried(kind: Kind, seed: int, number: int, folder: Path) -> Outcome | None:
    """Return what becomes of a mutant, which is tried in a process of its own."""
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_child, args=(kind, seed, number, folder, sender))
    process.start()
    sender.close()
    try:
        found = receiver.recv()
    except EOFError:
        process.join()
        if process.exitcode not in (-signal.SIGXCPU, -signal.SIGKILL):
            error = f"mutant {number} of {kind.title} ends in status {process.exitcode}, seed {seed}"
            raise RuntimeError(error) from None
        return Outcome(kind.title, number, "proof", "no end after much processor time", "", "", "")
    process.join()
    return found


def outcomes(kinds: Sequence[Kind], seed: int, numbers: Sequence[int], jobs: int) -> Iterator[Outcome]:
    """Yield the outcomes of mutants by kind and number; each of some jobs builds in a folder of its own.

    Many mutants of a kind share targets that are prepared once, and one of each prepares its own.
    """
    if len(numbers) > 1 < len(kinds):
        for kind in kinds:
            yield from outcomes([kind], seed, numbers, jobs)
        return
    if len(numbers) > 1:
        for target in kinds[0].targets:
            target.prepare()
    with TemporaryDirectory(prefix="efdgen-mutants-") as folder, ThreadPoolExecutor(jobs) as pool:
        free: SimpleQueue[Path] = SimpleQueue()
        for job in range(jobs):
            free.put(Path(folder, str(job)))

        def one(of: tuple[Kind, int]) -> Outcome | None:
            chosen = free.get()
            try:
                return tried(of[0], seed, of[1], chosen)
            finally:
                free.put(chosen)

        yield from filter(None, pool.map(one, product(kinds, numbers)))


def main() -> int:
    """Try some mutants of each kind; return 1 where one survives."""
    parser = argparse.ArgumentParser(prog="make mutants")
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--count", type=int, default=20, help="how many of each kind")
    parser.add_argument("--kind", action="append", help="part of the title of a kind; all without it")
    parser.add_argument("--slice", default="1", metavar="I/N", help="the Ith of N slices, with a seed")
    parser.add_argument("--write", type=Path, help="a page whose table is to be replaced")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--verbose", action="store_true")
    asked = parser.parse_args()
    unknown = [part for part in asked.kind or () if not any(part in kind.title for kind in KINDS)]
    if unknown:
        titles = "; ".join(kind.title for kind in KINDS)
        parser.error(f"no kind has {unknown[0]!r} in its title; there are {titles}")
    (part, *_), parts = slices.parsed(asked.slice)
    if parts > 1 and asked.seed is None:
        parser.error("slices are of one seed; give --seed")
    seed = asked.seed if asked.seed is not None else Random().randrange(10**6)
    print(f"seed {seed}, {asked.count} of each kind", flush=True)
    kinds = [k for k in KINDS if not asked.kind or any(part in k.title for part in asked.kind)]
    os.environ |= {"CARGO_INCREMENTAL": "0", "CARGO_PROFILE_DEV_DEBUG": "0", "CARGO_BUILD_JOBS": "1"}
    found: list[Outcome] = []
    for one in outcomes(kinds, seed, range(asked.count)[part - 1 :: parts], asked.jobs):
        found.append(one)
        if asked.verbose or one.verdict == "survived":
            print(one.text, flush=True)
        else:
            print(f"{one.kind} {one.number}: {one.verdict}", flush=True)
    print(table(found))
    if asked.write:
        write_table(asked.write, seed, asked.count, found)
    return int(any(one.verdict == "survived" for one in found))


if __name__ == "__main__":
    sys.exit(main())
