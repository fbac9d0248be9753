"""Drivers of kernel bundles: built with the compilers of this machine, and queried."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import sys
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from efdgen.generator import processes
from efdgen.generator.errors import EfdgenError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from efdgen.generator.options import Language

LANGUAGES: tuple[Language, ...] = ("c", "rust", "python")

_SHOWN_LINES = 12


@dataclass(frozen=True)
class Build:
    """Compilation and execution of drivers; ``name`` is for tables.

    ``compiler`` is a C compiler's command, empty for the one in ``CC``; ``level`` is that of optimisation,
    empty for 1 in C and for 0 in Rust, whose compilation takes longer than the vectors; ``word`` the bits of
    a word where they are not the code's own choice. ``flags`` go to the C compiler, ``settings`` to cargo's
    environment, ``runner`` is the program that runs the driver, and ``arguments`` are for the driver.
    """

    name: str
    language: Language
    compiler: tuple[str, ...] = ()
    level: str = ""
    word: int | None = None
    flags: tuple[str, ...] = ()
    settings: Mapping[str, str] = field(default_factory=dict)
    runner: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()


@dataclass(frozen=True)
class Driver:
    """A program that answers requests on standard input, one line each; ``program`` is its file."""

    language: Language
    command: tuple[str, ...]
    program: str = ""

    def ask(self, requests: Sequence[str]) -> list[str]:
        """Return the answer to each request; raise :class:`EfdgenError` where the program breaks down."""
        return self.run(requests)[0]

    def run(self, requests: Sequence[str]) -> tuple[list[str], str]:
        """Return the answer to each request, and what was said on standard error; raise like :meth:`ask`."""
        text = "".join(f"{request}\n" for request in requests)
        done = processes.run(self.command, text=text)
        answers = done.stdout.splitlines()
        if done.returncode != 0 or len(answers) != len(requests):
            said = _head(done.stderr) or f"{len(answers)} answers to {len(requests)} requests"
            raise EfdgenError(f"the {self.language} driver failed with status {done.returncode}: {said}")
        return answers, done.stderr


def require_compilers(languages: Sequence[Language]) -> None:
    """Raise :class:`EfdgenError` for the first language whose compiler is missing, with the way round it."""
    for language in languages:
        tool, advice = {
            "c": (c_compiler()[0], "install one, or name one in CC"),
            "rust": ("cargo", "https://rustup.rs installs it"),
            "python": (sys.executable, ""),
        }[language]
        if shutil.which(tool) is None:
            others = " ".join(f"--lang {other}" for other in LANGUAGES if other != language)
            what = {"c": "C compiler", "rust": "Rust build tool", "python": "Python"}[language]
            raise EfdgenError(f"no {what} called {tool}; {advice}, or go on without it: {others}")


def build_driver(how: Language | Build, files: Mapping[str, str], folder: Path) -> Driver:
    """Write the files of a bundle to a folder and build its driver there, in the usual way or another.

    Raises :class:`EfdgenError` with the compiler's first lines where it refuses them.
    """
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    build = how if isinstance(how, Build) else Build(how, how)
    match build.language:
        case "c":
            program: tuple[str, ...] = (_build_c(build, files, folder),)
        case "rust":
            program = (_build_rust(build, folder),)
        case "python":
            _build_python(files, folder)
            program = (sys.executable, "-B", str(folder / "driver.py"))
    return Driver(build.language, (*build.runner, *program, *build.arguments), program[0])


def c_compiler() -> tuple[str, ...]:
    """Return the command of the C compiler that ``CC`` names."""
    return (*shlex.split(os.environ.get("CC", "")),) or ("cc",)


def c_compilers() -> list[str]:
    """Return the names of the C compilers there are: gcc, and clang or else the newest of its versions."""
    folders = map(Path, os.environ.get("PATH", "").split(os.pathsep))
    versions = {path.name for folder in folders for path in folder.glob("clang-[1-9]*[0-9]")}
    newest = sorted((name for name in versions if name[6:].isdigit()), key=lambda name: int(name[6:]))
    names = ["gcc", "clang" if shutil.which("clang") else (newest or ["clang"])[-1]]
    return [name for name in names if shutil.which(name)]


def sanitized_builds(compilers: Sequence[str], words: Sequence[int]) -> Iterator[Build]:
    """Yield builds in C that end where memory is not theirs or what they do is undefined."""
    flags = ("-g1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
    for name, word in product(compilers, words):
        yield Build(f"{name}, {word} bits", "c", (name,), "1", word, flags)


def _build_c(build: Build, files: Mapping[str, str], folder: Path) -> str:
    # Examples and test programs are beside a driver, each with a main of its own.
    others = {name for name, text in files.items() if name != "driver.c" and "\nint main(" in text}
    sources = sorted(name for name in files.keys() - others if name.endswith(".c"))
    prefixes = [name.removesuffix(".h").upper() for name in files if name.endswith(".h")]
    words = [f"-D{prefix}_WORD_BITS={build.word}" for prefix in prefixes if build.word]
    flags = [
        "-std=c99",
        "-Werror=incompatible-pointer-types",
        f"-O{build.level or '1'}",
        *words,
        *build.flags,
    ]
    hashes = ["-lcrypto"] * _hashes({name: files[name] for name in included(files, "driver.c")})
    _compile("c", [*(build.compiler or c_compiler()), *flags, "-o", "driver", *sources, *hashes], folder)
    return str(folder / "driver")


def included(files: Mapping[str, str], name: str) -> set[str]:
    """Return a file's name and those of all files beside it that it includes."""
    found, waiting = set(), [name]
    while waiting:
        name = waiting.pop()
        if name in files and name not in found:
            found.add(name)
            waiting += re.findall(r'^#include "([^"]+)"', files[name], re.M)
    return found


def can_hash(files: Mapping[str, str]) -> bool:
    """Return whether the library of hashes that some files include, if any, is there."""
    if not _hashes(files):
        return True
    text = "#include <openssl/hmac.h>\nint main(void) { return HMAC == 0; }\n"
    with TemporaryDirectory(prefix="efdgen-") as folder:
        Path(folder, "probe.c").write_text(text, encoding="utf-8")
        command = [*c_compiler(), "-o", "probe", "probe.c", "-lcrypto"]
        return processes.run(command, Path(folder)).returncode == 0


def _hashes(files: Mapping[str, str]) -> bool:
    return any("#include <openssl/" in text for text in files.values())


def _build_python(files: Mapping[str, str], folder: Path) -> None:
    """Build the extension of a module over kernels in C."""
    for name in files:
        if name.endswith("_build.py"):
            _compile("python", [sys.executable, "-B", name], folder)


def _build_rust(build: Build, folder: Path) -> str:
    command = ["cargo", "build", "--example", "driver", "--message-format=json-render-diagnostics"]
    manifest = (folder / "Cargo.toml").read_text(encoding="utf-8")
    features = [name for name in ("alloc", "protocols") if f"\n{name} = [" in manifest]
    features += ["word32"] * (build.word == 32)
    command += ["--features", ",".join(features)] if features else []
    settings = {
        "CARGO_TARGET_DIR": str(folder / "target"),
        "CARGO_INCREMENTAL": "0",
        "CARGO_PROFILE_DEV_OPT_LEVEL": build.level or "0",
        "CARGO_PROFILE_DEV_DEBUG": "0",
        **build.settings,
    }
    messages = _compile("rust", command, folder, settings)
    return str(next(found for line in messages.splitlines() if (found := json.loads(line).get("executable"))))


def _compile(
    language: Language, command: list[str], folder: Path, environment: Mapping[str, str] | None = None
) -> str:
    done = processes.run(command, folder, {**os.environ, **(environment or {})})
    if done.returncode != 0:
        raise EfdgenError(f"{command[0]} does not compile the {language} kernels:\n{_head(done.stderr)}")
    return done.stdout


def _head(text: str) -> str:
    return "\n".join(text.strip().splitlines()[:_SHOWN_LINES])
