"""Instructions of emitted C and of its peers on small machines, counted by an emulator.

Emits curves, has cargo bring the sources of peers, compiles bare images with cross compilers for Cortex-M4,
Cortex-M0+ and RV32IMC, and prints for each curve the bytes of code and of constants, the instructions of each
operation, and in parentheses the bytes of stack that it takes; then tables of all implementations with
published figures and goals, in thousands of instructions, with estimates of a Cortex-M4's cycles in
parentheses. The host computes hash functions, which are not counted. Counts are exact, and the same in each
run. ``small/peers.toml`` lists peers and goals.

Usage: python bench/small.py [--machines cortex-m4,rv32imc] [--curves P-256] [--target TARGET] [--level -O2]
                             [--representation KIND] [--optimize size] [--table small] [--no-peers]
                             [--jobs 2] [--json FILE] [--markdown FILE]
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from outputs import check, write

from efdgen.generator.errors import EfdgenError
from efdgen.verify.hosts.packages import crate_sources

HERE = Path(__file__).resolve().parent
BUILD = HERE.parent / "build" / "bench-small"
sys.path.insert(0, str(HERE / "small"))

from agreement import compare, results
from comparison import EMPTY_PAGE, OURS, Row, report, updated
from cycles import costs
from emitted import CURVES, TABLES, Emission
from emulator import Emulator
from images import Image, listing
from listings import moves_stack
from machines import MACHINES, available, missing
from peers import Data, Peer, read


@dataclass(frozen=True)
class Task:
    """A curve on a machine, as it is emitted or by a peer."""

    machine: str
    curve: str
    level: str
    subject: Emission | Peer

    @property
    def operations(self) -> Sequence[str]:
        """The operations to count."""
        names = CURVES[self.curve][1]
        own = isinstance(self.subject, Emission)
        return [name for name in names if own or name not in ("product", "square", "sum")]

    def image(self, crates: Path | None) -> Image:
        """Compile."""
        kept = ["setup", *self.operations]
        if isinstance(self.subject, Emission):
            return self.subject.image(self.machine, self.level, BUILD, kept)
        assert crates is not None, "peers need their sources"
        return self.subject.image(self.machine, self.curve, crates, BUILD / "peers", kept)


def main() -> None:
    """Emit, compile, check, count and print."""
    asked = _options().parse_args()
    check(asked)
    for line in missing(asked.machines):
        print(line, file=sys.stderr)
    machines = available(asked.machines)
    if not machines:
        raise SystemExit(2)
    data = read()
    own = list(_emitted(machines, asked))
    crates = None if asked.no_peers else _crates(data)
    peers = [] if crates is None else list(_peers(machines, asked, data))
    with ProcessPoolExecutor(asked.jobs) as pool:
        emissions = dict.fromkeys(task.subject for task in own if isinstance(task.subject, Emission))
        for folder in pool.map(partial(Emission.emit, build=BUILD), emissions):
            print(f"emitted {folder}", file=sys.stderr)
        rows = []
        for row in pool.map(partial(_row, crates=crates), [*own, *peers]):
            rows.append(row)
            print("\n".join(_lines(row)), flush=True)
    compare([(row.curve, f"{row.who} on {row.machine}", row.results) for row in rows])
    print("\n".join(report(rows, data)))
    if asked.markdown and not asked.markdown.exists():
        asked.markdown.write_text(EMPTY_PAGE, encoding="utf-8")
    write(asked, [asdict(row) for row in rows], lambda page: updated(page, rows, data))


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Count instructions of emitted C on small machines.")
    parser.add_argument("--machines", type=partial(_some, MACHINES), default=list(MACHINES))
    parser.add_argument("--curves", type=partial(_some, CURVES), default=list(CURVES))
    parser.add_argument("--target", help="in place of the target of each machine")
    parser.add_argument("--level", help="in place of the level of each machine, such as -O2; not for peers")
    parser.add_argument("--representation", help="that of elements, as for efdgen compile")
    parser.add_argument(
        "--optimize",
        type=partial(_some, TABLES),
        default=list(TABLES),
        help="speed or size, as for efdgen compile, or both",
    )
    parser.add_argument(
        "--table", help="the size of tables, as for efdgen compile; small for speed, tiny for size"
    )
    parser.add_argument("--no-peers", action="store_true", help="count emitted code alone")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="the number of processes")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to a file")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="put the tables into a page")
    return parser


def _some(known: Iterable[str], text: str) -> list[str]:
    """Return names that commas separate; the option is refused where one is not known."""
    names = text.split(",")
    if wrong := [name for name in names if name not in known]:
        raise argparse.ArgumentTypeError(f"there is no {wrong[0]}; choose some of {','.join(known)}")
    return names


def _emitted(machines: Sequence[str], asked: argparse.Namespace) -> Iterator[Task]:
    """Yield what to count of emitted code; code for size is compiled for size."""
    for optimize in asked.optimize:
        for machine in machines:
            found = MACHINES[machine]
            for curve in asked.curves:
                table = asked.table or TABLES[optimize]
                target = asked.target or found.target
                level = asked.level or ("-Os" if optimize == "size" else found.level)
                yield Task(
                    machine, curve, level, Emission(curve, target, optimize, table, asked.representation)
                )


def _peers(machines: Sequence[str], asked: argparse.Namespace, data: Data) -> Iterator[Task]:
    for machine in machines:
        for peer in data.peers:
            if peer.optimize in asked.optimize and machine in peer.only:
                for curve in asked.curves:
                    if curve in peer.drivers:
                        yield Task(machine, curve, peer.levels.get(machine, peer.level), peer)


def _crates(data: Data) -> Path | None:
    """Return the folder of the peers' sources; without cargo or its registry, say so and return nothing."""
    if shutil.which("cargo") is None:
        print("cargo is missing, so peers are left out; https://rustup.rs installs it", file=sys.stderr)
        return None
    folder = BUILD / "crates"
    try:
        for name, version in data.crates.items():
            crate_sources({name: version}, folder / name)
    except EfdgenError as error:
        print(f"peers are left out: {error}", file=sys.stderr)
        return None
    return folder


def _row(task: Task, crates: Path | None) -> Row:
    """Compile, check and count."""
    machine, image = MACHINES[task.machine], task.image(crates)
    found = results(Emulator(machine.core, machine.model, image, counting=False), task.operations)
    text = listing(machine, image)
    estimated = costs(text) if machine.cycles else None
    emulator = Emulator(machine.core, machine.model, image, moves_stack(text), estimated)
    emulator.run("setup")
    counts = {name: emulator.run(name) for name in task.operations}
    who = OURS if isinstance(task.subject, Emission) else task.subject.name
    sizes = image.code, image.constants
    return Row(who, task.machine, task.curve, task.subject.optimize, task.level, *sizes, counts, found)


def _lines(row: Row) -> Iterator[str]:
    counts = (f"{name} {count.instructions:,} ({count.stack:,})" for name, count in row.counts.items())
    head = f"{row.who}, {row.machine} {row.curve}, {row.optimize}, {row.level}"
    yield f"{head}: {row.code:,} + {row.constants:,} bytes; {', '.join(counts)}"


if __name__ == "__main__":
    main()
