"""Peers of emitted C: the file ``peers.toml`` and the images of peers.

cargo brings their sources from the registry of crates into build/. Peers are linked as emitted code is: the
linker drops functions that no operation reaches. The host computes hash functions of peers that let the
caller choose them, as it does for emitted code. BearSSL and micro-ecc make nonces by them; p256-m and
P256-Cortex-M4 take a fixed one. Emitted ECDSA and ECDH take points that were checked before; functions of
peers take coordinates, and all but those of micro-ecc check them. Monocypher signs with the public key at
hand, which emitted EdDSA computes.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from images import Image, compiled
from machines import MACHINES

FILE = Path(__file__).with_suffix(".toml")
DRIVERS = FILE.with_suffix("")
_OPTIONS = ("-std=gnu11", "-fdata-sections")


@dataclass(frozen=True)
class Peer:
    """A library, as it is compiled for speed or for size."""

    name: str
    optimize: str
    folder: str
    sources: Sequence[str]
    drivers: Mapping[str, str]
    level: str = "-O2"
    levels: Mapping[str, str] = field(default_factory=dict)
    includes: Sequence[str] = (".",)
    options: Sequence[str] = ()
    empty: Sequence[str] = ()
    only: Sequence[str] = tuple(MACHINES)
    curves: Mapping[str, Sequence[str]] = field(default_factory=dict)
    machines: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def image(self, machine: str, curve: str, crates: Path, build: Path, kept: Sequence[str]) -> Image:
        """Compile the operations of a curve for a machine."""
        name = f"{self.name}-{self.optimize}-{machine}-{curve}"
        headers = build / f"{self.name}-headers"
        for empty in self.empty:
            (headers / empty).parent.mkdir(parents=True, exist_ok=True)
            (headers / empty).touch()
        crate, _, inner = self.folder.partition("/")
        # Each crate has a manifest of its own: two versions of clang-sys cannot be in one.
        folder = crates / crate / "vendor" / crate / inner
        places = [headers, *(folder / each for each in self.includes)]
        options = [*self.options, *self.curves.get(curve, ()), *self.machines.get(machine, ())]
        options += [self.levels.get(machine, self.level), *_OPTIONS, *(f"-I{place}" for place in places)]
        sources = [path for pattern in self.sources for path in sorted(folder.glob(pattern))]
        files = [DRIVERS / self.drivers[curve], *sources]
        return compiled(MACHINES[machine], build / f"{name}.elf", files, options, kept)


@dataclass(frozen=True)
class Published:
    """Figures that others published, by line of the table."""

    who: str
    machine: str
    source: str
    lines: Mapping[str, int]


@dataclass(frozen=True)
class Data:
    """The file: versions of crates, peers, published figures, and goals by machine and line."""

    crates: Mapping[str, str]
    peers: Sequence[Peer]
    published: Sequence[Published]
    goals: Mapping[str, Mapping[str, int]]


def read() -> Data:
    """Return what the file has."""
    found = tomllib.loads(FILE.read_text(encoding="utf-8"))
    peers = [Peer(**peer) for peer in found["peer"]]
    return Data(found["crates"], peers, [Published(**each) for each in found["published"]], found["goals"])
