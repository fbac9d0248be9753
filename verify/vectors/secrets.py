"""Constant time of binaries: drivers run in memcheck, with all of their input secret.

Besides the usual builds there are others, with flags that users of the code may set.

Memcheck follows undefined bits through every instruction and complains where one decides a branch or an
address; drivers mark what they read as undefined, and an answer as defined before it is printed. It does not
tell of divisions, which are looked for in the disassembly of the same drivers.
Each driver has a function that leaks on purpose, by a branch, an address and a division; all three have to
be found.
"""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Literal, TypeAlias

from efdgen.generator import processes
from efdgen.generator.errors import EfdgenError
from efdgen.generator.progress import result
from efdgen.verify.vectors.data import Suite
from efdgen.verify.vectors.drivers import Build, build_driver, c_compiler
from efdgen.verify.vectors.instructions import disassembler, variable_instructions
from efdgen.verify.vectors.reached import not_reached
from efdgen.verify.vectors.runner import judge, requests
from efdgen.verify.vectors.suite import builds_of, vectors_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from efdgen.generator.options import Language
    from efdgen.verify.vectors.instructions import Found
    from efdgen.verify.vectors.runner import Result
    from efdgen.verify.vectors.suite import AnySubject, AnySuite

Builds: TypeAlias = Literal["usual", "other"]

# The carries of processors other than x86-64, and of compilers before Rust 1.93.
_PORTABLE = 'efdgen_carry="portable"'
# Levels of C, and Rust's with settings of a profile; that crates have 16 units is a release's default.
LEVELS: dict[Builds, tuple[str, ...]] = {"usual": ("2", "3"), "other": ("1", "s")}
PROFILES: dict[Builds, tuple[tuple[str, ...], ...]] = {
    "usual": (("3",),),
    "other": (
        ("3", "overflow-checks", "lto=fat", "codegen-units=1"),
        ("3", "overflow-checks", "lto=fat", "codegen-units=1", _PORTABLE),
        ("s", "overflow-checks", "debug-assertions", "lto=off"),
        ("z", "overflow-checks", "codegen-units=1"),
        ("1", "overflow-checks", "debug-assertions"),
    ),
}
MEMCHECK = ("valgrind", "-q", "--num-callers=6")

_DRIVER = "examples/driver.rs"
_MANIFEST = "Cargo.toml"
# subtle asserts that a choice is 0 or 1: a branch on a secret, although it is never taken.
_WITHOUT_ASSERTIONS = "\n[profile.dev.package.subtle]\ndebug-assertions = false\n"
_FRAME = re.compile(r"(?:at|by) 0x[0-9A-F]+: (.*)")
_COMPLAINTS = {"jump": "branch", "value": "address"}
_MARKS = r"""
#include <stddef.h>
#include <valgrind/memcheck.h>

void hide(const unsigned char *bytes, size_t length) {
    (void)VALGRIND_MAKE_MEM_UNDEFINED(bytes, length);
}

void show(const unsigned char *bytes, size_t length) {
    (void)VALGRIND_MAKE_MEM_DEFINED(bytes, length);
}
"""
# The functions of a driver in Rust that mark values: as generated, and with valgrind's requests.
_PLAIN = "fn {name}<T>(value: T) -> T {{\n    value\n}}\n"
_MARKING = """\
fn {name}<T>(mut value: T) -> T {{
    #[link(name = "marks", kind = "static")]
    extern "C" {{
        fn {mark}(bytes: *const u8, length: usize);
    }}
    unsafe {{ {mark}((&raw mut value).cast(), size_of::<T>()) }};
    value
}}
"""


@dataclass(frozen=True)
class Leak:
    """A branch or an address that depends on a secret, and the calls that it is in, the innermost first."""

    what: str
    calls: tuple[str, ...]

    @property
    def intended(self) -> bool:
        """Return whether it is in the function that leaks on purpose."""
        return bool(self.calls) and re.match(r"(\w+::)*leak\b", self.calls[0]) is not None


@dataclass(frozen=True)
class Trial:
    """The outcome of a build: results of its functions, all leaks, and all variable-time instructions.

    Leaks and instructions on purpose are among them. ``inspected`` says whether there was a disassembler, and
    ``not_run`` names functions that no request calls.
    """

    build: str
    results: Sequence[Result]
    leaks: Sequence[Leak]
    instructions: Sequence[Found] = ()
    inspected: bool = True
    not_run: Sequence[str] = ()

    @property
    def found(self) -> list[Leak]:
        """The leaks that are a fault."""
        return [leak for leak in self.leaks if not leak.intended]

    @property
    def slow(self) -> list[Found]:
        """The instructions of variable time that are a fault."""
        return [found for found in self.instructions if not found.intended]

    @property
    def sees(self) -> bool:
        """Return whether both leaks on purpose were found, and where there was a look the division too."""
        divides = not self.inspected or any(found.intended for found in self.instructions)
        return divides and {leak.what for leak in self.leaks if leak.intended} == {*_COMPLAINTS.values()}

    @property
    def wrong(self) -> list[str]:
        """The functions whose answers are not right."""
        return [result.function for result in self.results if not result.ok]

    @property
    def ok(self) -> bool:
        """Return whether leaks and variable time would be detected, none were, and every answer was right."""
        return self.sees and not self.found and not self.slow and not self.wrong


def require_memcheck() -> None:
    """Raise :class:`EfdgenError` if there is no valgrind."""
    if shutil.which(MEMCHECK[0]) is None:
        raise EfdgenError(
            "valgrind is not installed, which checks constant time; on Debian: apt-get install valgrind"
        )


def secret_builds(
    languages: Sequence[Language], compilers: Sequence[str], words: Sequence[int], which: Builds = "usual"
) -> Iterator[Build]:
    """Yield the builds that are checked: C by each compiler, Rust in each profile, words of each size."""
    if "c" in languages:
        for name, level, word in product(compilers, LEVELS[which], words):
            flags = ("-g1", "-DCHECK_SECRETS", "-Wno-unused-result")
            yield Build(f"{name} -O{level}, {word} bits", "c", (name,), level, word, flags, runner=MEMCHECK)
    if "rust" in languages:
        for profile, word in product(PROFILES[which], words):
            level, *settings = profile
            name = " ".join((f"rust -O{level}", *settings))
            yield Build(
                f"{name}, {word} bits", "rust", (), level, word, settings=_profile(settings), runner=MEMCHECK
            )


def _profile(flags: Sequence[str]) -> dict[str, str]:
    """Return what a release is built with, and flags beside it, as cargo takes them from its environment."""
    chosen = {"debug-assertions": "false", "overflow-checks": "false", "codegen-units": "16", "debug": "1"}
    pairs = (flag.partition("=") for flag in flags if flag != _PORTABLE)
    chosen |= {name: value or "true" for name, _, value in pairs}
    found = {f"CARGO_PROFILE_DEV_{name.upper().replace('-', '_')}": value for name, value in chosen.items()}
    return found | ({"RUSTFLAGS": f"--cfg {_PORTABLE}"} if _PORTABLE in flags else {})


def run_trials(
    subjects: Sequence[AnySubject], seed: int, builds: Sequence[Build], advance: Callable[[], object]
) -> list[tuple[AnySuite, list[Trial]]]:
    """Return for each subject its suite and what came of each build.

    Raises :class:`EfdgenError` where a driver cannot be built or breaks down.
    """
    with TemporaryDirectory(prefix="efdgen-") as folder, processes.threads() as pool:
        tried = []
        for number, subject in enumerate(subjects):
            suite = vectors_of(subject, seed)
            trials = [
                pool.submit(
                    try_build, build, subject.files[build.language], suite, Path(folder, str(number), str(at))
                )
                for at, build in enumerate(builds_of(subject, builds))
            ]
            tried.append((suite, trials))
        found = []
        for suite, trials in tried:
            results = []
            for trial in trials:
                results.append(result(trial))
                advance()
            found.append((suite, results))
        return found


def try_build(build: Build, files: Mapping[str, str], suite: AnySuite, folder: Path) -> Trial:
    """Build the driver of a bundle, ask it once for each function that has to take constant time, and judge.

    Raises :class:`EfdgenError` where it cannot be built or breaks down.
    """
    if build.language == "rust":
        files = _marked(files)
        flags = f"{build.settings.get('RUSTFLAGS', '')} -L native={_marks(folder)}"
        build = replace(build, settings={**build.settings, "RUSTFLAGS": flags})
    suite = one_of_each(suite) if isinstance(suite, Suite) else replace(suite, constant_time=True)
    lines = requests(suite, build.language) if isinstance(suite, Suite) else suite.requests(build.language)
    control = f"leak - {'00' * (suite.digits // 2)}" if isinstance(suite, Suite) else "leak 00"
    driver = build_driver(build, files, folder)
    answers, said = driver.run([*lines, control])
    given = {build.name: answers[:-1]}
    results = judge(suite, given) if isinstance(suite, Suite) else suite.judge(given)
    inspected = bool(disassembler())
    instructions = variable_instructions(driver.program, _prefixes(build, files)) if inspected else []
    left = not_reached(build.language, files, [line.split(" ")[0] for line in lines])
    return Trial(build.name, results, [*leaks(said)], instructions, inspected, left)


def _prefixes(build: Build, files: Mapping[str, str]) -> list[str]:
    """Return how the names of generated functions begin: with the stem of a header, or the crate's name."""
    if build.language == "rust":
        return re.findall(r'^name = "(\w+)"', files[_MANIFEST], re.M)[:1]
    return [name.removesuffix(".h") + "_" for name in files if name.endswith(".h")]


def asked(suite: AnySuite) -> list[str]:
    """Return the functions that are asked for in a check of constant time."""
    if isinstance(suite, Suite):
        lines = requests(one_of_each(suite), "c")
    else:
        lines = replace(suite, constant_time=True).requests("c")
    return [line.split(" ")[0] for line in lines]


def one_of_each(suite: Suite) -> Suite:
    """Return the suite with one case of each function and operation, the last that is not exceptional."""
    field = {case.operation: case for case in suite.field if case.alias == "-"}
    functions = []
    for function in suite.functions:
        case = next((case for case in reversed(function.cases) if case.expected), function.cases[-1])
        functions.append(replace(function, cases=(replace(case, aliases=()),)))
    return replace(suite, field=(*field.values(),), functions=(*functions,))


def leaks(said: str) -> Iterator[Leak]:
    """Yield what memcheck complained about."""
    found: tuple[str, list[str]] = "", []
    for line in (re.sub(r"^==\d+== ", "", line).strip() for line in said.splitlines()):
        frame = _FRAME.match(line)
        if "uninitialised value" in line:
            if found[0]:
                yield Leak(found[0], (*found[1],))
            found = next(what for word, what in _COMPLAINTS.items() if word in line), []
        elif frame:
            found[1].append(frame[1])
    if found[0]:
        yield Leak(found[0], (*found[1],))


def _marked(files: Mapping[str, str]) -> Mapping[str, str]:
    """Return a crate's files with a driver that marks what it reads and writes, subtle without assertions."""
    driver = files[_DRIVER]
    for name, mark in (("secret", "hide"), ("public", "show")):
        plain = _PLAIN.format(name=name)
        if driver.count(plain) != 1:
            raise EfdgenError("this crate's driver is of another version; write it again by efdgen compile")
        driver = driver.replace(plain, _MARKING.format(name=name, mark=mark))
    return {**files, _DRIVER: driver, _MANIFEST: f"{files[_MANIFEST]}{_WITHOUT_ASSERTIONS}"}


def _marks(folder: Path) -> Path:
    """Compile valgrind's requests, which are macros of C, into a library; return its folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "marks.c").write_text(_MARKS, encoding="utf-8")
    for command in (
        [*c_compiler(), "-O1", "-c", "marks.c", "-o", "marks.o"],
        ["ar", "rc", "libmarks.a", "marks.o"],
    ):
        done = processes.run(command, folder)
        if done.returncode != 0:
            raise EfdgenError(f"{command[0]} does not make the library that marks secrets: {done.stderr}")
    return folder
