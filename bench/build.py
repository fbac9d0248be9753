"""Builds what is compared: libraries of entries, in C by each compiler and in Rust, and the harness."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
BUILD = ROOT / "build" / "bench"

CURVES = ("secp256k1", "P-256", "edwards25519")
FIELDS = {"secp256k1": "secp256k1", "P-256": "P-256", "edwards25519": "2^255-19"}
FLAGS = ("-mbmi2", "-madx", "-shared", "-fPIC", "-I", str(HERE / "c"))
# What gcc needs so that it keeps chains of carries in order, and what is in registers there.
TUNING = {"gcc": ("-fno-tree-ter", "-fno-schedule-insns2", "-fno-tree-slp-vectorize", "-fno-tree-vectorize")}


def compilers() -> dict[str, str]:
    """Return the C compilers that there are, by the name that the tables have."""
    wanted = {"gcc": ("gcc",), "clang": ("clang-19", "clang")}
    found = {name: next(filter(shutil.which, commands), None) for name, commands in wanted.items()}
    return {name: command for name, command in found.items() if command}


def build() -> tuple[Path, list[Path]]:
    """Build everything; return the harness and its libraries."""
    BUILD.mkdir(parents=True, exist_ok=True)
    for curve in CURVES:
        for language in ("c", "rust"):
            arguments = ("--lang", language, "--curve", curve, "--out", BUILD / curve / language)
            _run(sys.executable, "-m", "efdgen", "compile", *arguments)
    harness = BUILD / "harness"
    _run("cc", "-O2", "-o", harness, HERE / "c" / "harness.c", "-ldl")
    return harness, [*_ours(), *_libsecp256k1(), *_system(), _rust()]


def _ours() -> Iterator[Path]:
    for name, compiler in compilers().items():
        for curve in CURVES:
            folder = BUILD / curve / "c"
            header = next(folder.glob("*.h"))
            texts = {"HEADER": header.name, "WHO": f"efdgen, {name}", "CURVE": curve, "FIELD": FIELDS[curve]}
            options = [f'-D{macro}="{text}"' for macro, text in texts.items()]
            options += [f"-DPREFIX={header.stem}", "-I", folder, "-O2", "-std=gnu11", *TUNING.get(name, ())]
            for part in ("field", "points"):
                source = HERE / "c" / f"ours_{part}.c"
                yield _library(f"ours-{part}-{curve}-{name}", compiler, source, options)


def _libsecp256k1() -> Iterator[Path]:
    """Build the library from the crate that carries its sources, names as they were before the crate."""
    source = BUILD / "libsecp256k1"
    if not source.exists():
        shutil.copytree(_crate("secp256k1-sys") / "depend" / "secp256k1", source)
        for path in (*source.rglob("*.h"), *source.rglob("*.c")):
            path.write_text(path.read_text().replace("rustsecp256k1_v0_12_", "secp256k1_"))
    headers = [word for name in ("stdio.h", "stdlib.h", "string.h") for word in ("-include", name)]
    tables = [source / "src" / f"precomputed_ecmult{part}.c" for part in ("", "_gen")]
    settings = ["-DECMULT_WINDOW_SIZE=15", "-DCOMB_BLOCKS=43", "-DCOMB_TEETH=6"]
    for name, compiler in compilers().items():
        who = f'-DWHO="libsecp256k1, {name}"'
        options = ["-O3", "-w", *headers, "-I", source / "src", "-I", source, *settings, who, *tables]
        yield _library(f"libsecp256k1-{name}", compiler, HERE / "c" / "libsecp256k1.c", options)


def _system() -> Iterator[Path]:
    """Build the entries of libraries of the system, those that are installed with their headers."""
    for name, who, link in (("openssl", "OpenSSL", "-lcrypto"), ("gmp", "GMP", "-lgmp")):
        command = ["cc", "-E", HERE / "c" / f"{name}.c", "-I", HERE / "c"]
        if subprocess.run(command, check=False, capture_output=True).returncode:
            print(f"Left out: {who}, whose headers are not installed.", file=sys.stderr)
            continue
        yield _library(name, "cc", HERE / "c" / f"{name}.c", ["-O2", f'-DWHO="{who}"', link])


def _library(name: str, compiler: str, source: Path, options: Sequence[object]) -> Path:
    library = BUILD / f"{name}.so"
    _run(compiler, source, *FLAGS, *options, "-o", library)
    return library


def _rust() -> Path:
    flags = {"RUSTFLAGS": "-Ctarget-feature=+bmi2,+adx"}
    _run(
        "cargo",
        "build",
        "--quiet",
        "--release",
        "--manifest-path",
        HERE / "rust" / "Cargo.toml",
        "--target-dir",
        BUILD / "cargo",
        environment=flags,
    )
    return BUILD / "cargo" / "release" / "libbench_peers.so"


def _crate(name: str) -> Path:
    command = ["cargo", "metadata", "--format-version", "1", "--manifest-path", HERE / "rust" / "Cargo.toml"]
    packages = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["packages"]
    return next(Path(p["manifest_path"]).parent for p in packages if p["name"] == name)


def _run(*command: object, environment: dict[str, str] | None = None) -> None:
    words = [str(word) for word in command]
    done = subprocess.run(
        words, check=False, env=os.environ | (environment or {}), capture_output=True, text=True
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(words)}\n{done.stderr}")
