"""Compilation of emitted C into object files, for any target of a compiler, without a C library."""

from __future__ import annotations

import re
import shlex
import shutil
from dataclasses import dataclass
from pathlib import Path
from subprocess import CompletedProcess
from typing import TYPE_CHECKING

from efdgen.generator import processes
from efdgen.generator.errors import EfdgenError
from efdgen.verify.machine.check import Expected
from efdgen.verify.machine.objects import read_object
from efdgen.verify.machine.source import CALLER, reaching, sources, straight, variable
from efdgen.verify.vectors.drivers import included

if TYPE_CHECKING:
    from collections.abc import Mapping

    from efdgen.verify.machine.objects import Binary
    from efdgen.verify.machine.source import Source

_UNIT = "efdgen_unit.c"
_PROGRAM = re.compile(r"^int main\(", re.M)
_PART = re.compile(r"_32\.h$")
# Protocols have sizes in memory, and read signatures, which are public: runs judge them.
_PROTOCOL = re.compile(r"\w+_(?:bip340|ecdh|ecdsa|ecdsa_der|eddsa|elgamal|exchange|hash|hash_to_curve)\.h")
_DECLASSIFY = re.compile(r"\b(\w+_DECLASSIFY)\b")
_MARKED = "efdgen_declassified"
_WORD_BITS = re.compile(r"^#ifndef (\w+_WORD_BITS)$", re.M)
_FLAGS = ("-std=c99", "-w", "-ffunction-sections", "-fno-asynchronous-unwind-tables")
# Libraries for hashing, which targets do not have.
_FOREIGN = re.compile(r"^#include <((?:mbedtls|openssl)/[^>]+|sodium\.h)>", re.M)
# Headers for targets without a C library, after the compiler's own.
_STUBS = {
    "string.h": (
        "#include <stddef.h>\nvoid *memcpy(void *, const void *, size_t);\n"
        "void *memmove(void *, const void *, size_t);\n"
        "void *memset(void *, int, size_t);\nint memcmp(const void *, const void *, size_t);\n"
        "size_t strlen(const char *);\n"
    ),
    "stdlib.h": "#include <stddef.h>\nvoid *malloc(size_t);\nvoid free(void *);\nvoid abort(void);\n",
}


@dataclass(frozen=True)
class Compiler:
    """A C compiler: its command, the target that it is asked for, if any, and a level of optimisation."""

    command: tuple[str, ...]
    target: str = ""
    level: str = "2"

    @property
    def words(self) -> list[str]:
        """The command with the target, without a level."""
        return [*self.command, *([f"--target={self.target}"] if self.target else [])]

    def __str__(self) -> str:
        """Return the command as a user types it."""
        return " ".join([*self.words, f"-O{self.level}"])


def compiler_of(text: str, target: str = "", level: str = "2") -> Compiler:
    """Return a compiler; raise :class:`EfdgenError` if it is missing or does not take the target."""
    command = (*shlex.split(text),)
    if not command or shutil.which(command[0]) is None:
        raise EfdgenError(f"no C compiler called {text}; install one, or name another by --compiler")
    if target and machine_of(command[0]) and not _is_clang(command[0]):
        own = machine_of(command[0])
        if own.split("-")[0] != target.split("-", maxsplit=1)[0]:
            raise EfdgenError(f"{command[0]} compiles for {own} alone; leave out --target, or name a clang")
        target = ""
    return Compiler(command, target, level)


def machine_of(command: str) -> str:
    """Return the target that a compiler compiles for by default; empty if it does not tell, or is missing."""
    if shutil.which(command) is None:
        return ""
    done = processes.run([command, "-dumpmachine"])
    return done.stdout.strip() if done.returncode == 0 else ""


def _is_clang(command: str) -> bool:
    return "clang" in processes.run([command, "--version"]).stdout


@dataclass(frozen=True)
class Unit:
    """The files of a C library in a folder, with a file that includes them and calls each function."""

    folder: Path
    included: tuple[str, ...]
    prefixes: tuple[str, ...]
    options: tuple[str, ...]
    marking: tuple[str, ...]
    unjudged: Mapping[str, str]

    @staticmethod
    def of(files: Mapping[str, str], folder: Path, word: int | None = None) -> Unit:
        """Write files to a folder; raise :class:`EfdgenError` if none of them is a library's."""
        texts = {name: text for name, text in files.items() if re.fullmatch(r"[\w.]+\.[ch]", name)}
        texts = {name: text for name, text in texts.items() if not _PROGRAM.search(text)}
        foreign = {name: _FOREIGN.search(text) for name, text in texts.items()}
        unjudged = {name: f"it includes {found[1]}" for name, found in foreign.items() if found}
        texts = {name: text for name, text in texts.items() if name not in unjudged}
        for name, text in texts.items():
            (folder / name).write_text(text, encoding="utf-8")
        stubs = folder / "stubs"
        stubs.mkdir(exist_ok=True)
        for name, text in _STUBS.items():
            (stubs / name).write_text(text, encoding="utf-8")
        tops = [name for name in texts if name.endswith(".c")]
        inner = {name for top in tops for name in included(texts, top)}
        tops += [
            name for name in texts if name.endswith(".h") and name not in inner and not _PART.search(name)
        ]
        if not tops:
            raise EfdgenError("no kernels in C to compile; name a directory that has some")
        prefixes = tuple({name.rpartition(".")[0].removesuffix("_32") + "_" for name in texts})
        bits = {name for text in texts.values() for name in _WORD_BITS.findall(text)}
        options = [f"-D{name}={word}" for name in sorted(bits)] if word else []
        marks = {name for text in texts.values() for name in _DECLASSIFY.findall(text)}
        marking = (f"-D{name}(flag)={_MARKED}(flag)" for name in sorted(marks))
        protocols = "\n".join(text for name, text in texts.items() if _PROTOCOL.fullmatch(name))
        unjudged |= dict.fromkeys(sources(protocols, prefixes), "it is part of a protocol")
        return Unit(folder, (*tops,), prefixes, (*options,), (*marking,), unjudged)

    def functions(self, compiler: Compiler) -> dict[str, Source]:
        """Return the functions as the preprocessor leaves them for a target."""
        (self.folder / _UNIT).write_text("".join(f'#include "{name}"\n' for name in self.included))
        text = self._run(compiler, "-E", "-P", *self.marking).stdout
        return sources(text, self.prefixes)

    def declassifying(self, functions: Mapping[str, Source]) -> frozenset[str]:
        """Return the names of functions that declare a secret public."""
        return reaching(functions, re.compile(_MARKED))

    def compile(self, compiler: Compiler) -> tuple[Binary, Expected]:
        """Compile for a target; raise :class:`EfdgenError` with the compiler's first complaint."""
        # A helper that is always inlined gets constants for its counts.
        found = self.functions(compiler)
        functions = {name: each for name, each in found.items() if not (each.inlined and each.counts)}
        callers = "".join(each.caller() for each in functions.values())
        lines = "".join(f'#include "{name}"\n' for name in self.included)
        (self.folder / _UNIT).write_text(lines + callers, encoding="utf-8")
        output = self.folder / "unit.o"
        self._run(compiler, f"-O{compiler.level}", "-c", "-o", f"{output}")
        plain = straight(found) & functions.keys()
        roots = frozenset(f"{CALLER}{name}" for name in functions)
        free = {name for name, each in found.items() if each.variable}
        helpers = dict.fromkeys(variable(found) - free - plain, "only functions in variable time call it")
        marked = dict.fromkeys(self.declassifying(found), "it declares secrets public")
        unjudged = {**self.unjudged, **helpers, **marked}
        others = frozenset(functions) - plain
        expected = Expected(plain, others, roots, frozenset(free & functions.keys()), unjudged)
        return read_object(output), expected

    def _run(self, compiler: Compiler, *arguments: str) -> CompletedProcess[str]:
        command = [*compiler.words, *_FLAGS, *self.options, f"-I{self.folder}", *arguments]
        stubs = f"{self.folder / 'stubs'}"
        own = ["-nostdlibinc"] if "clang" in compiler.command[0] else []
        for extra in (["-idirafter", stubs], ["-ffreestanding", *own, "-isystem", stubs]):
            done = processes.run([*command, *extra, f"{self.folder / _UNIT}"])
            if done.returncode == 0:
                return done
        line = next((each for each in done.stderr.splitlines() if "error" in each), done.stderr[:200])
        raise EfdgenError(f"{compiler} failed: {line.strip()[:200]}")
