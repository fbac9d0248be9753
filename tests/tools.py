"""The tools that tests need: a test asks for a tool by its fixture, and finds no other.

A test that asks for the fixture ``cc`` carries the marker ``cc``; in its run, ``PATH`` has a C compiler and
what that calls, and no other tool. A test that asks for no tool and is not marked ``slow`` carries the marker
``quick``. Missing tools are reported after collection, before any test runs.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable

    from running import Counter

PACKAGES = "make packages, as root"
RUST = "https://rustup.rs installs Rust; rustup component add clippy rustfmt"
BASE = ("env", "sh", "uname")


@dataclass(frozen=True)
class Tool:
    """A tool: the commands that will do, who supplies them, what else they call, and arguments for a trial.

    ``source`` is what the trial reads on standard input.
    """

    commands: tuple[str, ...]
    supplier: str
    calls: tuple[str, ...] = ()
    trial: tuple[str, ...] = ()
    source: str = ""


BINUTILS = ("addr2line", "ar", "as", "ld", "make", "nm", "objdump")
CC = os.environ.get("CC", "cc")
# The compiler that Python builds extensions with: Debian's has another name.
OF_PYTHON = tuple(shlex.split(sysconfig.get_config_var("CC") or "")[:1])
# Without optimisation, and words' functions called and not inlined, gcc takes a quarter of the time.
UNOPTIMISED = ("-O0", "-Dalways_inline=")
SANITIZERS = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all")
SANITIZED = (*UNOPTIMISED, *SANITIZERS)
WARNINGS = ("-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wsign-conversion", "-Wshadow", "-Werror")
C_WARNINGS = (*WARNINGS, "-Wcast-qual", "-Wstrict-prototypes", "-Wmissing-prototypes", "-Wundef", "-Wvla")
LINKED = ("-fsanitize=address", "-x", "c", "-", "-o", os.devnull)
TOOLS = {
    "cc": Tool((CC,), "install a C compiler, or name one in CC", ("cc", "gcc", *OF_PYTHON, *BINUTILS)),
    "gcc": Tool(("gcc",), "apt-get install gcc, as root", BINUTILS),
    "cxx": Tool(("g++", "c++"), "apt-get install g++, as root", BINUTILS),
    "clang": Tool(("clang", "clang-19"), PACKAGES, BINUTILS, LINKED, "int main(void) { return 0; }\n"),
    "llvm_mca": Tool(("llvm-mca", "llvm-mca-19"), PACKAGES),
    "valgrind": Tool(("valgrind",), PACKAGES),
    "riscv_gcc": Tool(("riscv64-unknown-elf-gcc",), PACKAGES, ("riscv64-unknown-elf-objdump",)),
    "qemu_riscv32": Tool(("qemu-riscv32", "qemu-riscv32-static"), PACKAGES),
    "arm_gcc": Tool(
        ("arm-none-eabi-gcc",),
        PACKAGES,
        ("make",),
        ("--specs=nano.specs", "-E", "-"),
        "#include <string.h>\n",
    ),
    "qemu_arm": Tool(("qemu-system-arm",), PACKAGES),
    "mixnet_libraries": Tool(
        (CC,),
        PACKAGES,
        trial=("-E", "-"),
        source="#include <gcrypt.h>\n#include <gmp.h>\n#include <openssl/bn.h>\n",
    ),
    "hash_libraries": Tool(
        (CC,), PACKAGES, trial=("-E", "-"), source="#include <mbedtls/md.h>\n#include <sodium.h>\n"
    ),
    "doxygen": Tool(("doxygen",), PACKAGES),
    "coqc": Tool(("coqc",), PACKAGES),
    "openssl": Tool((CC,), PACKAGES, trial=("-E", "-"), source="#include <openssl/evp.h>\n"),
    "cargo": Tool(("cargo",), RUST, ("rustc", "cc", *BINUTILS)),
    "wasm": Tool(
        ("rustc",),
        "rustup target add wasm32-unknown-unknown, and Node.js from version 20 on",
        ("cargo", "node", "cp", "cc", *BINUTILS),
        # To standard output: as root, rustc would replace a device that it is told to write.
        ("--target=wasm32-unknown-unknown", "--crate-type=rlib", "--emit=asm=-", "-"),
        "pub fn nothing() {}\n",
    ),
    "clippy": Tool(("cargo-clippy",), RUST, ("cargo", "clippy-driver"), ("--version",)),
    "rustfmt": Tool(("rustfmt",), RUST, ("cargo", "cargo-fmt"), ("--version",)),
}
_PATH = os.environ.get("PATH", os.defpath)
_SCRIPTS = tempfile.TemporaryDirectory(prefix="efdgen-tools-")


@cache
def command(name: str) -> str | None:
    """Return the first command of a tool that there is; None where there is none or its trial fails."""
    tool = TOOLS[name]
    found = next((each for each in tool.commands if shutil.which(each, path=_PATH)), None)
    if found is None or not tool.trial:
        return found
    environment = {**os.environ, "PATH": _PATH}
    trial = (found, *tool.trial)
    done = subprocess.run(
        trial, input=tool.source, env=environment, capture_output=True, text=True, check=False
    )
    return found if done.returncode == 0 else None


def needs(item: pytest.Item) -> frozenset[str]:
    """Return what a test asks for, by fixtures or the mark ``needs``: tools, the published database."""
    marked = (name for mark in item.iter_markers("needs") for name in mark.args)
    return frozenset({*getattr(item, "fixturenames", ()), *marked}) & {*TOOLS, "upstream"}


def missing(wanted: Iterable[str]) -> list[str]:
    """Return a line for each tool that is not there, with what supplies it."""
    found = []
    for name in sorted({*wanted}):
        if name in TOOLS and command(name) is None:
            commands = " or ".join(TOOLS[name].commands)
            found.append(f"There is no {name} ({commands}), which tests need: {TOOLS[name].supplier}")
    return found


def pytest_configure(config: pytest.Config) -> None:
    for name in TOOLS:
        config.addinivalue_line("markers", f"{name}: asks for the fixture {name}")
    config.addinivalue_line(
        "markers", "needs(*tools): asks for tools as their fixtures do, for one parameter"
    )
    config.addinivalue_line("markers", "quick: asks for no tool, and is not slow")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests with the tools that they ask for, and with their tier."""
    for item in items:
        asked = needs(item)
        for name in asked:
            item.add_marker("published" if name == "upstream" else name)
        if not asked and item.get_closest_marker("slow") is None:
            item.add_marker("quick")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_finish(session: pytest.Session) -> None:
    """Report missing tools as an error of collection, and run no test."""
    if lines := missing(name for item in session.items for name in needs(item)):
        report = pytest.CollectReport("tools", "failed", "\n".join(lines), [])
        session.config.hook.pytest_collectreport(report=report)
        session.items.clear()  # processes of xdist run what there is, errors or not


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Run a test, its fixtures included, with the tools on PATH that it asks for."""
    asked = needs(item)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", str(_folder(asked & {*TOOLS})))
        return (yield)


@cache
def _folder(names: frozenset[str]) -> Path:
    """Return a folder of scripts that call the base programs and those of some tools where they are."""
    folder = Path(_SCRIPTS.name, "-".join(sorted(names)) or "none")
    folder.mkdir()
    tools = [TOOLS[name] for name in names]
    for program in {*BASE, *(each for tool in tools for each in (*tool.commands, *tool.calls))}:
        if found := shutil.which(program, path=_PATH):
            script = folder / Path(program).name
            script.write_text(f'#!/bin/sh\nexec {shlex.quote(found)} "$@"\n')
            script.chmod(0o755)
    return folder


def _fixture(name: str) -> object:
    @pytest.fixture(scope="session", name=name)
    def found() -> str | None:
        return command(name)

    return found


globals().update({name: _fixture(name) for name in TOOLS})


@pytest.fixture(scope="session")
def compilers(cc: str, clang: str) -> dict[str, str]:
    """Return the commands of two C compilers, by the names of their fixtures."""
    return {"cc": cc, "clang": clang}


@pytest.fixture(params=["cc", "clang"])
def compiler(request: pytest.FixtureRequest, compilers: dict[str, str]) -> str:
    """Return each of two C compilers: a test that asks for it runs twice."""
    return compilers[request.param]


@pytest.fixture(scope="session")
def counter(cc: str, tmp_path_factory: pytest.TempPathFactory) -> Counter:
    """The counter of cycles for rv32im in examples/zkvm, with sanitizers, without a search for leaks."""
    from running import build_counter

    built = build_counter(tmp_path_factory.mktemp("counter"), cc, *C_WARNINGS, "-O1", *SANITIZERS)
    return replace(built, environment={"ASAN_OPTIONS": "detect_leaks=0"})


if __name__ == "__main__":
    sys.exit("\n".join(missing(TOOLS)) or 0)
