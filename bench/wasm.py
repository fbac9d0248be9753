"""Emitted Rust in WebAssembly beside its peers: times in Node.js and in Wasmtime, and sizes of modules.

Emits crates with the interfaces of RustCrypto's and dalek's, compiles them and the published ones to modules
from one text, and prints tables in Markdown: µs of a processor, in parentheses the ratio of a peer to the
emitted crates, and the targets of ``wasm/targets.toml``. Libraries from npm run in the process of Node.js in
which the modules run. Figures are the lower deciles over interleaved rounds of each subject's best run, since
other programs on the machine change them less than medians; the last line gives the difference. Each run is a
new process.

Usage: python bench/wasm.py [--runs 5] [--rounds 31] [--json FILE] [--markdown FILE]
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import outputs
from operations import CRATES as ALL_CRATES
from operations import DECILE, MEDIAN, ROOT, Figures, best, read, run
from page import cells, put

from efdgen.generator.measuring.machine import processor, version_of

HERE = ROOT / "bench" / "wasm"
BUILD = ROOT / "build" / "wasm"
MACHINE = "wasm32-unknown-unknown"
CRATES = {
    name: ALL_CRATES[name] for name in ("p256", "k256", "curve25519-dalek", "ed25519-dalek", "x25519-dalek")
}
ALL = "p256,k256,ed25519,x25519"
WIDE = "-C target-feature=+wide-arithmetic"
# dalek's crates have 32-bit words on this machine, unless they are asked for others.
WIDE_OF_PEERS = f'{WIDE} --cfg curve25519_dalek_bits="64"'
SECTION = "WebAssembly"
OURS, PEERS, OURS_WIDE, PEERS_WIDE = "emitted", "Rust's crates", "emitted, wide", "Rust's crates, wide"
LIBRARIES = ("noble-curves", "tiny-secp256k1", "libsodium.js")


@dataclass(frozen=True)
class Module:
    """A module to build: a folder of ``bench/wasm``, features, ``opt-level``, and arguments of rustc."""

    crate: str
    features: str = ALL
    level: str = "3"
    flags: str = ""

    def built(self, name: str) -> Path:
        """Build the module and return it under a name."""
        words = ["cargo", "build", "--release", "--quiet", "--locked", "--target", MACHINE]
        words += ["--features", self.features, "--target-dir", str(BUILD / "target")]
        environment = {"RUSTFLAGS": self.flags, "CARGO_PROFILE_RELEASE_OPT_LEVEL": self.level}
        run(words, HERE / self.crate, environment)
        made = BUILD / "target" / MACHINE / "release" / f"{self.crate}.wasm"
        return Path(shutil.copy(made, BUILD / f"{name}.wasm"))


FAST = {
    OURS: Module("emitted"),
    PEERS: Module("published"),
    OURS_WIDE: Module("emitted", flags=WIDE),
    PEERS_WIDE: Module("published", flags=WIDE_OF_PEERS),
}
SMALL = {crate: Module(FAST[crate].crate, "p256", "s") for crate in (OURS, PEERS)}


@dataclass(frozen=True)
class Table:
    """A table of the page: its key in figures and targets, its heading, and its columns."""

    key: str
    title: str
    columns: Sequence[str]

    @property
    def head(self) -> tuple[str, str]:
        """The two lines above the rows."""
        return cells([*self.columns, "target"]), "|---|" + "--:|" * len(self.columns)

    def lines(self, figures: Figures) -> dict[str, str]:
        """Return the lines by operation or module: figures with ratios of peers, and the target."""
        goals = targets(self.key, figures)
        return {name: self._line(name, row, goals.get(name)) for name, row in figures.items()}

    def _line(self, name: str, row: Mapping[str, float], goal: float | None) -> str:
        found = [name]
        for subject in self.columns[1:]:
            ratio = "" if subject.startswith(OURS) or subject not in row else f" ({_ratio(row, subject):.2f})"
            found.append(f"{row[subject]:,.0f}{ratio}" if subject in row else "")
        return cells([*found, "" if goal is None else f"{goal:,.0f}"])


def _ratio(row: Mapping[str, float], subject: str) -> float:
    """Return the figure of a subject divided by that of the emitted crates with the same words."""
    return row[subject] / row[OURS_WIDE if subject == PEERS_WIDE else OURS]


def spread(figures: Figures, others: Figures) -> float:
    """Return the greatest relative difference of a ratio of other figures."""
    found = ((figures[name], row, subject) for name, row in others.items() for subject in row)
    return max(abs(_ratio(row, subject) / _ratio(first, subject) - 1) for first, row, subject in found)


NODE = Table("node", "", ("operation", OURS, PEERS, *LIBRARIES))
WASMTIME = Table("wasmtime", "Wide arithmetic", ("operation", *FAST))
KILOBYTES = Table("kilobytes", "Sizes of modules", ("module", OURS, PEERS))
TABLES = (NODE, WASMTIME, KILOBYTES)


def targets(table: str, figures: Figures) -> dict[str, float]:
    """Return the targets of a table on this machine: each has its ratio to the peer that it names."""
    found = {}
    for name, given in tomllib.loads((HERE / "targets.toml").read_text(encoding="utf-8"))[table].items():
        peer = figures[given.get("of", name)][given["peer"]] / given["took"] if "peer" in given else 1
        found[name] = given["target"] * peer
    return found


def main() -> None:
    """Emit, build, time, print and write."""
    parser = argparse.ArgumentParser(description="Time emitted Rust in WebAssembly beside its peers.")
    parser.add_argument("--runs", type=int, default=5, help="take the best of this number of runs")
    parser.add_argument(
        "--rounds", type=int, default=31, help="take the lower decile of this number of rounds"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to a file")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="put the tables into a page")
    asked = parser.parse_args()
    outputs.check(asked)
    figures, medians = measured(asked.runs, asked.rounds)
    for table in TABLES:
        print("\n".join([*table.head, *table.lines(figures[table.key]).values(), ""]))
    where = f"{processor()}; {version_of('Rust')}; Node.js {run(['node', '--version'], ROOT).strip()}"
    most = max(spread(figures[key], found) for key, found in medians.items())
    print(f"{where}\nRatios of medians differ from these by at most {most:.0%}.")
    facts = {"where": where, **figures, "medians": medians}
    outputs.write(asked, facts, lambda page: updated(page, figures))


def measured(runs: int, rounds: int) -> tuple[dict[str, Figures], dict[str, Figures]]:
    """Emit, build and time; return the figures of each table by its key, and the medians of times."""
    for crate, (curve, *given) in CRATES.items():
        emit = ["compile", "--lang", "rust", "--set", "protocols", "--curve", curve, *given]
        run([sys.executable, "-m", "efdgen", *emit, "--out", str(BUILD / crate)], ROOT)
    modules = {subject: module.built(subject) for subject, module in FAST.items()}
    small = {subject: module.built(f"{subject}, small") for subject, module in SMALL.items()}
    narrow = {subject: modules[subject] for subject in (OURS, PEERS)}
    wide = {subject: modules[f"{subject}, wide"] for subject in narrow}
    sizes = {
        "four curves, `opt-level = 3`": narrow,
        "the same with wide arithmetic": wide,
        'ECDSA on P-256, `opt-level = "s"`': small,
    }
    lines = {
        NODE.key: _lines(["node", str(_libraries() / "time.mjs")], narrow, runs, rounds),
        WASMTIME.key: _lines([sys.executable, str(HERE / "in_wasmtime.py")], modules, runs, rounds),
    }
    deciles, medians = (
        {key: best(read(each, column) for each in found) for key, found in lines.items()}
        for column in (DECILE, MEDIAN)
    )
    kilobytes = {
        name: {subject: path.stat().st_size / 1000 for subject, path in paths.items()}
        for name, paths in sizes.items()
    }
    return {**deciles, KILOBYTES.key: kilobytes}, medians


def _libraries() -> Path:
    """Install libraries from npm beside a copy of the program that times them, and return the folder."""
    folder = BUILD / "node"
    shutil.copytree(HERE / "node", folder, dirs_exist_ok=True)
    run(["npm", "ci", "--silent"], folder)
    return folder


def _lines(program: Sequence[str], modules: Mapping[str, Path], runs: int, rounds: int) -> list[list[str]]:
    """Return the lines of each run of a program that times modules."""
    command = [*program, str(rounds), *(f"{subject}={path}" for subject, path in modules.items())]
    return [run(command, ROOT).splitlines() for _ in range(runs)]


def updated(page: str, figures: Mapping[str, Figures]) -> str:
    """Return a page with the tables in the places of its old ones."""
    for table in TABLES:
        lines = table.lines(figures[table.key])
        page = put(page, (SECTION, table.title), lines, [*lines], table.head)
    return page


if __name__ == "__main__":
    main()
