"""Builds the guest in Rust: for this machine by cargo, and for rv32im where a core library for it exists.

rustup installs one with `rustup target add`. Without it, Debian's compiler makes one in a minute from the
sources of its version: packages rustc and rust-src, 0.5 GB.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import tables
from guests import FORMULAS, HERE, compile_formulas, compile_guest
from running import run

TARGET = "riscv32im-unknown-none-elf"
OPTIONS = ("--crate-type", "lib", "--edition", "2021", "--target", TARGET)
OPTIMISED = ("-C", "opt-level=3", "-C", "panic=abort", "-C", "codegen-units=1")
LACKING = (
    f"no core library for rv32im: rustup target add {TARGET}; or on Debian, apt-get install rustc rust-src"
)
DEBIAN = "/usr/bin/rustc"
STACK = 8192
# The crate that rustc adds to others beside core; guests call nothing of it.
BUILTINS = "#![no_std]\n#![feature(compiler_builtins)]\n#![compiler_builtins]\n"


@dataclass(frozen=True)
class Compiler:
    """A compiler for rv32im: the command, and the folder of a core library that is not its own."""

    command: str
    core: Path | None = None

    def compile(self, name: str, source: Path, *options: str) -> None:
        """Compile a crate; with a core library of ours, it may use what only the compiler's own may."""
        allowed = ["env", "RUSTC_BOOTSTRAP=1"] if self.core else []
        library = ["-L", str(self.core)] if self.core else []
        command = [*allowed, self.command, *OPTIONS, *OPTIMISED, *library]
        run([*command, "--crate-name", name, *options, str(source)])


def find_compiler(folder: Path) -> Compiler | None:
    """Return a compiler for rv32im, or None; a core library that is made for it is kept in the folder."""
    own = printed("rustc", "--print", "target-libdir", "--target", TARGET)
    if own and Path(own).exists():
        return Compiler("rustc")
    version = "".join(printed(DEBIAN, "--version").split()[1:2])
    source = Path(f"/usr/src/rustc-{version}/library/core/src/lib.rs")
    if not source.exists():
        return None
    core = folder / f"core-{version}"
    found = Compiler(DEBIAN, core)
    if not (core / "libcompiler_builtins.rlib").exists():
        core.mkdir(parents=True, exist_ok=True)
        builtins = core / "builtins.rs"
        builtins.write_text(BUILTINS)
        for name, text in (("core", source), ("compiler_builtins", builtins)):
            found.compile(name, text, "--out-dir", str(core), "--cap-lints", "allow")
    return found


def printed(*command: str) -> str:
    """Return what a command prints; nothing if it fails or does not exist."""
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
    except FileNotFoundError:
        return ""


def write_crate(crate: Path) -> None:
    """Write the crate into a folder, with its formulas and tables."""
    shutil.copytree(HERE / "rust", crate, dirs_exist_ok=True)
    needed = [formula for formula in FORMULAS if not formula.endswith("add-affine")]
    compile_formulas(crate / "src", crate / "zkvm.toml", needed)
    (crate / "src" / "tables.rs").write_text(tables.rust_text())


def build_rust(folder: Path) -> None:
    """Build half-rust.elf. No code of core is linked, so a guest that could panic does not link."""
    compiler = find_compiler(folder)
    if compiler is None:
        sys.exit(LACKING)
    crate, program = folder / "rust", folder / "half-rust.elf"
    write_crate(crate)
    compiler.compile("guest", crate / "src" / "lib.rs", "--emit", "obj", "-o", str(crate / "guest.o"))
    compile_guest(crate / "guest.o", program, stack=STACK)
