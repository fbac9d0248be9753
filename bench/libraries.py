"""Builder of the compared libraries: entries in C by each compiler and in Rust, and the harness.

Generated code is cached in build/bench until the generator changes. Ours and peers are compiled for the same
processors.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path

from subjects import BINARY, BINARY_FIELDS, CURVES, FIELDS, X_ONLY, BinaryField, Curve, Field

from efdgen.generator.curves.load import checked_curve
from efdgen.generator.processes import run
from efdgen.verify.hosts.packages import crate_sources

# The crate that carries the sources of libsecp256k1, at the version of the Rust library.
LIBSECP256K1 = {"secp256k1-sys": "=0.14.1"}
HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
BUILD = ROOT / "build" / "bench"

FLAGS = ("-shared", "-fPIC", "-I", str(HERE / "c"))
# gcc needs these to keep chains of carries in order; headers that need them say so by a pragma.
TUNING = {
    "gcc": (
        *("-fno-tree-ter", "-fno-schedule-insns2", "-fno-tree-slp-vectorize", "-fno-tree-vectorize"),
        "-frename-registers",
    )
}

Say = Callable[[str], None]


@dataclass(frozen=True)
class Processor:
    """For which processors everything is compiled: flags of compilers, and the folder of what is built."""

    c: tuple[str, ...]
    rust: str
    folder: Path

    @property
    def flags(self) -> str:
        """The flags, as they are told."""
        return f"C: {' '.join(self.c)}, Rust: {self.rust}"


ANY = Processor(("-mbmi2", "-madx", "-mpclmul"), "-Ctarget-feature=+bmi2,+adx,+pclmulqdq,+sse4.1", BUILD)
"""Processors of x86-64 since 2015."""
NATIVE = Processor(("-march=native",), "-Ctarget-cpu=native", BUILD / "native")
"""The processor at hand."""


def compilers() -> dict[str, str]:
    """Return the C compilers that there are, by the name that the tables have."""
    wanted = {"gcc": ("gcc",), "clang": ("clang-19", "clang")}
    found = {name: next(filter(shutil.which, commands), None) for name, commands in wanted.items()}
    return {name: command for name, command in found.items() if command}


def versions() -> dict[str, str]:
    """Return the first line that each compiler says of its version."""
    commands = {**compilers(), "rustc": "rustc"}
    return {
        name: run([command, "--version"]).stdout.partition("\n")[0].strip()
        for name, command in commands.items()
    }


def build_harness() -> Path:
    """Build the program that times; return it."""
    BUILD.mkdir(parents=True, exist_ok=True)
    harness = BUILD / "harness"
    _run("cc", "-O2", "-o", harness, HERE / "c" / "harness.c", "-ldl")
    return harness


def build(
    subjects: Collection[str], processor: Processor, say: Say, wanted: Collection[str] = ()
) -> list[Path]:
    """Build the libraries of some primes and curves, by some compilers or by all; ``say`` reports each.

    The Rust library is of all primes and curves, as a crate has a list of its dependencies.
    """
    chosen = {name: command for name, command in compilers().items() if name in (wanted or {name})}
    with_rust = "rustc" in (wanted or {"rustc"})
    fields = [field for field in FIELDS if field.name in subjects]
    curves = [curve for curve in CURVES if curve.name in subjects]
    for field in FIELDS:
        for language in (*(["rust"] * with_rust), *(chosen if field in fields else ())):
            _generate_field(field, language, say)
    for curve in (*CURVES, X_ONLY):
        for language in (*(["rust"] * with_rust), *(chosen if curve.name in subjects else ())):
            _generate_curve(curve, language, say)
    binary = [curve for curve in BINARY if curve.name in subjects]
    for curve, language in product(binary, chosen):
        _generate_binary(curve, language, say)
    binary_fields = [field for field in BINARY_FIELDS if field.name in subjects]
    for field, language in product(binary_fields, chosen):
        _generate_binary_field(field, language, say)
    processor.folder.mkdir(parents=True, exist_ok=True)
    libraries = []
    ours = (
        _fields(fields, chosen),
        _curves(curves, chosen),
        _x_only(subjects, chosen),
        _binary_fields(binary_fields, chosen),
        _binary(binary, chosen),
    )
    for part in (*ours, _libsecp256k1(subjects, chosen), _system(fields), _system_of_2(binary)):
        for source in part:
            libraries.append(source.built(processor))
            say(f"built {source.name}")
    if with_rust:
        say("building the Rust library")
        libraries.append(_rust(processor))
    return libraries


@dataclass(frozen=True)
class _Library:
    """A library to build: its name, the compiler, the source and the options."""

    name: str
    compiler: str
    source: Path
    options: Sequence[object]

    def built(self, processor: Processor) -> Path:
        library = processor.folder / f"{self.name}.so"
        _run(self.compiler, self.source, *processor.c, *FLAGS, *self.options, "-o", library)
        return library


def _generate_field(field: Field, language: str, say: Say) -> None:
    """Generate a field in Rust, or in C for one of its compilers."""
    arguments = (
        "--lang",
        _kind(language),
        "--target",
        language,
        "--prime",
        f"{field.prime:#x}",
        "--prefix",
        field.prefix,
        "--degree",
        str(field.degree),
    )
    _generate(BUILD / "fields" / field.prefix / language, ("field", *arguments), say)


def _kind(language: str) -> str:
    return "rust" if language == "rust" else "c"


def _generate_curve(curve: Curve, language: str, say: Say) -> None:
    """Generate the formulas of a curve in Rust, or in C for a compiler, and the whole curve with big tables.

    The latter has another name.
    """
    common = ("compile", "--lang", _kind(language), "--target", language, "--curve", curve.name)
    if curve != X_ONLY:
        _generate(BUILD / curve.prefix / language, (*common, "--prefix", curve.prefix), say)
    _generate_whole(curve, language, common, say)


def _generate_binary(curve: Curve, language: str, say: Say) -> None:
    """Generate the formulas of a curve over GF(2^m) in C, its ladder and the whole curve by other names."""
    common = ("compile", "--lang", "c", "--target", language, "--curve", curve.name)
    for prefix, system in ((curve.prefix, "lopezdahab"), (f"x_{curve.prefix}", "xz")):
        command = (*common, "--coords", system, "--prefix", prefix)
        _generate(BUILD / prefix / language, command, say)
    _generate_whole(curve, language, common, say)


def _generate_whole(curve: Curve, language: str, common: Sequence[str], say: Say) -> None:
    """Generate a whole curve with big tables under another name."""
    prefix = f"w_{curve.prefix}"
    command = (*common, "--set", "curve", "--table", "large", "--prefix", prefix)
    _generate(BUILD / prefix / language, command, say)


def _generate_binary_field(field: BinaryField, language: str, say: Say) -> None:
    """Generate a field GF(2^m) in C."""
    names = ("--binary", field.polynomial, "--prefix", field.prefix)
    command = ("field", "--lang", "c", "--target", language, *names)
    _generate(BUILD / "fields" / field.prefix / language, command, say)


def _generate(folder: Path, command: Sequence[str], say: Say) -> None:
    """Run efdgen, unless a stamp says that the same generator wrote the folder by the same command."""
    stamp = folder / "generated-by"
    wanted = f"{' '.join(command)} {_generator()}"
    if not stamp.exists() or stamp.read_text() != wanted:
        say(f"generating {folder.relative_to(BUILD)}")
        shutil.rmtree(folder, ignore_errors=True)
        _run(sys.executable, "-m", "efdgen", *command, "--out", folder)
        stamp.write_text(wanted)


@cache
def _generator() -> str:
    """Return a digest of everything that generated code depends on."""
    files = sorted(
        path
        for folder in ("efd", "generator", "templates")
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    )
    return hashlib.sha256(b"".join(hashlib.sha256(path.read_bytes()).digest() for path in files)).hexdigest()


def _fields(fields: Sequence[Field], chosen: Mapping[str, str]) -> Iterator[_Library]:
    for field in fields:
        for name, compiler in chosen.items():
            folder = BUILD / "fields" / field.prefix / name
            options = _options(folder / f"{field.prefix}.h", name, FIELD=field.name)
            options += ["-DEXTENSION"] * (field.degree - 1)
            yield _Library(f"{field.prefix}-{name}", compiler, HERE / "c" / "ours_field.c", options)


def _curves(curves: Sequence[Curve], chosen: Mapping[str, str]) -> Iterator[_Library]:
    for curve in curves:
        for name, compiler in chosen.items():
            for prefix, part in ((curve.prefix, "points"), (f"w_{curve.prefix}", "curve")):
                options = _options(BUILD / prefix / name / f"{prefix}.h", name, CURVE=curve.name)
                yield _Library(f"{part}-{prefix}-{name}", compiler, HERE / "c" / f"ours_{part}.c", options)


def _x_only(subjects: Collection[str], chosen: Mapping[str, str]) -> Iterator[_Library]:
    if X_ONLY.name in subjects:
        prefix = f"w_{X_ONLY.prefix}"
        for name, compiler in chosen.items():
            options = _options(BUILD / prefix / name / f"{prefix}.h", name, ROW="Curve25519/X25519")
            yield _Library(f"x-{prefix}-{name}", compiler, HERE / "c" / "ours_x.c", options)


def _binary_fields(fields: Sequence[BinaryField], chosen: Mapping[str, str]) -> Iterator[_Library]:
    for field, (name, compiler) in product(fields, chosen.items()):
        header = BUILD / "fields" / field.prefix / name / f"{field.prefix}.h"
        yield from _with_and_without_instruction(field, header, name, compiler)


def _binary(curves: Sequence[Curve], chosen: Mapping[str, str]) -> Iterator[_Library]:
    for curve, (name, compiler) in product(curves, chosen.items()):
        ladder = f"x_{curve.prefix}"
        header, other = (BUILD / p / name / f"{p}.h" for p in (curve.prefix, ladder))
        options = [f'-DLADDER_HEADER="{other.name}"', f"-DLADDER={ladder}", "-I", other.parent]
        yield from _with_and_without_instruction(curve, header, name, compiler, options)
        yield from _whole(curve, name, compiler)


def _whole(curve: Curve, name: str, compiler: str) -> Iterator[_Library]:
    """Build the entries of a whole curve over GF(2^m), with carry-less instructions and without."""
    prefix = f"w_{curve.prefix}"
    for way, macros in ((name, []), (f"{name}, portable", [f"-D{prefix.upper()}_PORTABLE"])):
        options = _options(BUILD / prefix / name / f"{prefix}.h", way, CURVE=curve.name)
        library = f"curve-{prefix}-{way.replace(', ', '-')}"
        yield _Library(library, compiler, HERE / "c" / "ours_curve.c", [*options, *macros])


def _with_and_without_instruction(
    subject: Curve | BinaryField, header: Path, name: str, compiler: str, options: Sequence[object] = ()
) -> Iterator[_Library]:
    """Build entries over GF(2^m), with carry-less products by an instruction and without."""
    prefixes = (subject.prefix, f"x_{subject.prefix}")
    portable = [f"-D{prefix.upper()}_PORTABLE" for prefix in prefixes]
    for way, macros in ((name, []), (f"{name}, portable", portable)):
        library = f"binary-{subject.prefix}-{way.replace(', ', '-')}"
        texts = _options(header, way, CURVE=subject.name)
        yield _Library(library, compiler, HERE / "c" / "ours_binary.c", [*texts, *options, *macros])


def _system_of_2(curves: Sequence[Curve]) -> Iterator[_Library]:
    """Build the entries of libraries of the system for fields GF(2^m)."""
    for part, who, compiler, links in (
        ("openssl_binary.c", "OpenSSL", "cc", ["-lcrypto"]),
        ("ntl.cpp", "NTL", "c++", ["-lntl", "-lgmp"]),
    ):
        command = [compiler, "-E", "-DCURVE=", "-DEXPONENTS=", HERE / "c" / part, "-I", HERE / "c"]
        if curves and run(command).returncode:
            print(f"Left out: {who}, whose headers are not installed.", file=sys.stderr)
            continue
        for curve in curves:
            field = checked_curve(curve.name).field
            assert field.is_binary
            exponents = [at for at in reversed(range(field.degree + 1)) if field.polynomial >> at & 1]
            texts = [f'-DCURVE="{curve.name}"', f'-DWHO="{who}"']
            texts.append(f"-DEXPONENTS={', '.join(map(str, exponents))}")
            library = f"{who.lower()}-{curve.prefix}"
            yield _Library(library, compiler, HERE / "c" / part, ["-O2", *texts, *links])


def _options(header: Path, compiler: str, **texts: str) -> list[object]:
    texts |= {"HEADER": header.name, "WHO": f"efdgen, {compiler}"}
    macros = [f'-D{macro}="{text}"' for macro, text in texts.items()]
    folder = ("-I", header.parent)
    names = (f"-DPREFIX={header.stem}", f"-DUPPER={header.stem.upper()}")
    text = header.read_text(encoding="utf-8")
    tuned = TUNING.get(compiler, ()) if "no-tree-ter" in text else ()
    incomplete = ["-DINCOMPLETE"] * ("_add_incomplete(" in text)
    return [*macros, *names, *incomplete, *folder, "-O2", "-std=gnu11", *tuned]


def _libsecp256k1(subjects: Collection[str], chosen: Mapping[str, str]) -> Iterator[_Library]:
    """Build the library from the crate that carries its sources, names as they were before the crate."""
    if "secp256k1" not in subjects:
        return
    source = BUILD / "libsecp256k1"
    if not source.exists():
        shutil.copytree(
            crate_sources(LIBSECP256K1, BUILD / "crates") / "secp256k1-sys" / "depend" / "secp256k1", source
        )
        for path in (*source.rglob("*.h"), *source.rglob("*.c")):
            path.write_text(path.read_text().replace("rustsecp256k1_v0_14_", "secp256k1_"))
    headers = [word for name in ("stdio.h", "stdlib.h", "string.h") for word in ("-include", name)]
    tables = [source / "src" / f"precomputed_ecmult{part}.c" for part in ("", "_gen")]
    settings = ["-DECMULT_WINDOW_SIZE=15", "-DCOMB_BLOCKS=43", "-DCOMB_TEETH=6"]
    for name, compiler in chosen.items():
        who = f'-DWHO="libsecp256k1, {name}"'
        options = ["-O3", "-w", *headers, "-I", source / "src", "-I", source, *settings, who, *tables]
        yield _Library(f"libsecp256k1-{name}", compiler, HERE / "c" / "libsecp256k1.c", options)


def _system(fields: Sequence[Field]) -> Iterator[_Library]:
    """Build the entries of libraries of the system, those that are installed with their headers."""
    for name, who, link in (("openssl", "OpenSSL", "-lcrypto"), ("gmp", "GMP", "-lgmp")):
        part = "openssl_field" if name == "openssl" else name
        command = ["cc", "-E", "-DPRIME=", "-DFIELD=", HERE / "c" / f"{part}.c", "-I", HERE / "c"]
        if run(command).returncode:
            print(f"Left out: {who}, whose headers are not installed.", file=sys.stderr)
            continue
        options = ["-O2", f'-DWHO="{who}"', link]
        for field in (field for field in fields if field.degree == 1):
            one = [f'-DPRIME="{field.prime:X}"', f'-DFIELD="{field.name}"']
            yield _Library(f"{name}-{field.prefix}", "cc", HERE / "c" / f"{part}.c", [*one, *options])
        if name == "openssl":
            yield _Library("openssl-curves", "cc", HERE / "c" / "openssl.c", options)


def _rust(processor: Processor) -> Path:
    manifest, target = HERE / "rust" / "Cargo.toml", processor.folder / "cargo"
    command = ("cargo", "build", "--quiet", "--release", "--locked", "--manifest-path", manifest)
    _run(*command, "--target-dir", target, environment={"RUSTFLAGS": processor.rust})
    return target / "release" / "libbench_peers.so"


def _run(*command: object, environment: dict[str, str] | None = None) -> None:
    words = [str(word) for word in command]
    done = run(words, environment=os.environ | (environment or {}))
    if done.returncode:
        raise SystemExit(f"{' '.join(words)}\n{done.stderr}")
