"""examples/libsecp256k1 in place of the library: its programs, its test of constant time, equal results.

The library's sources are those of a crate, which leaves functions of contexts to Rust: here they are added.
"""

from __future__ import annotations

import re
import shutil
import signal
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from english import ROOT
from host_packages import libsecp256k1_sources
from tools import SANITIZED, UNOPTIMISED, WARNINGS

from efdgen.verify.hosts.packages import run_tool

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

TESTS = Path(__file__).parent
HEADERS = ("", "_ecdh", "_extrakeys", "_preallocated", "_recovery", "_schnorrsig")
MODULES = tuple(f"-DENABLE_MODULE_{name}" for name in ("ECDH", "EXTRAKEYS", "RECOVERY", "SCHNORRSIG"))
LEFT_OUT = """
extern const secp256k1_nonce_function secp256k1_nonce_function_rfc6979, secp256k1_nonce_function_default;
secp256k1_context *secp256k1_context_clone(const secp256k1_context *ctx);
void secp256k1_context_destroy(secp256k1_context *ctx);
"""
DECLARATION = re.compile(
    r"^(?:SECP256K1_API|extern|void|secp256k1_context)\b.*?\b(secp256k1_\w+)[(;]", re.MULTILINE
)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory, cargo: str) -> Path:
    """The library's sources with all declarations in its header."""
    assert cargo
    folder = tmp_path_factory.mktemp("library") / "libsecp256k1"
    shutil.copytree(libsecp256k1_sources(ROOT / "build" / "hosts"), folder)
    with (folder / "include" / "secp256k1.h").open("a") as header:
        header.write(LEFT_OUT)
    return folder


@pytest.fixture
def project(project: Path, library: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The example beside another one that it reads, and the library's headers in its environment."""
    shutil.copytree(TESTS.parents[1] / "cortex-m", project.parent / "cortex-m")
    monkeypatch.setenv("INCLUDE", str(library / "include"))
    return project


def compiled(project: Path, compiler: str, library: Path, *flags: str) -> Path:
    """Return the object file of the example's library."""
    found = ("-isystem", str(library / "include"), "-I../cortex-m")
    run_tool([compiler, "-std=c99", *flags, *found, "-c", "-o", "k1.o", "secp256k1.c"], project)
    return project / "k1.o"


def linked(folder: Path, compiler: str, library: Path, program: Path, *rest: str | Path) -> Path:
    """Return a program for the library, compiled and linked with object files."""
    command = [compiler, "-std=c99", "-O1", "-w", f"-I{library / 'include'}", "-o", "program", program, *rest]
    run_tool([*map(str, command)], folder)
    return folder / "program"


def printed(program: Path, *arguments: str) -> list[str]:
    return run_tool([str(program), *arguments], program.parent).splitlines()


def test_the_recipe_and_its_program(project: Path, cc: str, passes: Callable[[], bool]) -> None:
    assert cc
    assert passes()
    digest = "a0dc65ffca799873cbea0ac274015b9526505daaaed385155425f7337704883e"
    found = printed(project / "sign", f"{1:064x}", digest)
    # The digest of "Satoshi Nakamoto" under the key 1, a vector that many libraries share.
    assert found[1] == (
        "934b1ea10a4b3c1757e2b0c017d0b6143ce3c9a7e6a4a49860d7a6ab210ee3d8"
        "2442ce9d2b916064108014783e923ec36b49743e2ffa1c4496f01a512aafd9e5"
    )
    assert subprocess.run(["./sign", "0"], capture_output=True, check=False).returncode == 2
    mutate(project, "k1_sc_mul(&e, &e, d);", "k1_sc_add(&e, &e, d);")
    assert not passes()


def test_compilers_have_no_warning(project: Path, compiler: str, library: Path) -> None:
    for file in ("secp256k1.c", "sign.c"):
        flags = ("-std=c99", *WARNINGS, "-fsyntax-only", "-isystem", str(library / "include"))
        run_tool([compiler, *flags, "-I../cortex-m", file], project)


def test_headers_before_version_0_3_are_followed(project: Path, cc: str, library: Path) -> None:
    """Was: the static context's pointer is not const in the headers that distributions carry."""
    old = shutil.copytree(library / "include", project / "old")
    text = (old / "secp256k1.h").read_text()
    declaration = "const secp256k1_context * const secp256k1_context_static"
    assert declaration in text
    (old / "secp256k1.h").write_text(text.replace(declaration, declaration.replace("* const", "*")))
    run_tool(
        [cc, "-std=c99", *WARNINGS, "-fsyntax-only", "-isystem", "old", "-I../cortex-m", "secp256k1.c"],
        project,
    )


def test_every_function_of_the_headers_is_defined(project: Path, cc: str, library: Path) -> None:
    declared = set()
    for part in HEADERS:
        text = (library / "include" / f"secp256k1{part}.h").read_text()
        declared |= {*DECLARATION.findall(text)}
    symbols = run_tool(
        ["nm", "--defined-only", "-g", str(compiled(project, cc, library, *UNOPTIMISED))], project
    )
    defined = {line.split()[-1] for line in symbols.splitlines() if line}
    assert len(declared) > 50
    assert declared - defined == {"secp256k1_context_set_sha256_compression"}
    assert all(name.startswith("secp256k1_") for name in defined)


@pytest.mark.parametrize("name", ["ecdsa", "ecdh", "schnorr"])
def test_examples_of_the_library_run(name: str, project: Path, cc: str, library: Path) -> None:
    example = linked(
        *(project, cc, library, library / "examples" / f"{name}.c"),
        compiled(project, cc, library, *UNOPTIMISED),
    )
    assert len(printed(example)) > 2


def follows_no_secret(project: Path, cc: str, library: Path, valgrind: str, *flags: str) -> bool:
    """Return whether valgrind finds nothing in the library's own test of constant time."""
    built = compiled(project, cc, library, *flags, "-DVALGRIND")
    test = linked(project, cc, library, library / "src" / "ctime_tests.c", built, "-DVALGRIND", *MODULES)
    command = [valgrind, "--quiet", "--error-exitcode=9", str(test)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode in {0, 9}, done.stderr
    return done.returncode == 0


def test_secrets_decide_no_branch(project: Path, compiler: str, library: Path, valgrind: str) -> None:
    assert follows_no_secret(project, compiler, library, valgrind, "-O2")


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("    k1_n_fe_set_one(&one);", "if (!valid) abort();"),
        ("    const unsigned char mask =", "if (keep == 0) abort();\nconst unsigned char mask ="),
        (
            "    const int odd = has_odd_y(data);",
            "const int odd = has_odd_y(data); if (odd) (void)fflush(NULL);",
        ),
    ],
    ids=["a secret key", "a result", "a pair of keys"],
)
def test_branches_on_secrets_are_found(
    right: str, wrong: str, project: Path, cc: str, library: Path, valgrind: str
) -> None:
    mutate(project, right, wrong)
    assert not follows_no_secret(project, cc, library, valgrind, *UNOPTIMISED)


def mutate(project: Path, right: str, wrong: str) -> None:
    (source,) = (path for path in project.glob("*.[ch]") if right in path.read_text())
    text = source.read_text()
    assert text.count(right) == 1
    source.write_text(text.replace(right, wrong))


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory, cc: str, library: Path) -> Path:
    """The program of calls, linked with the library itself."""
    names = ("secp256k1", "precomputed_ecmult", "precomputed_ecmult_gen")
    sources = [library / "src" / f"{name}.c" for name in names]
    return linked(
        tmp_path_factory.mktemp("original"),
        *(cc, library, TESTS / "program.c", TESTS / "contexts.c"),
        *(*sources, *MODULES),
    )


def replaced(project: Path, cc: str, library: Path, *flags: str) -> Path:
    """Return the program of calls, linked with the example."""
    built = compiled(project, cc, library, *flags)
    return linked(project, cc, library, TESTS / "program.c", built, *flags)


@pytest.mark.drawn(1)
@pytest.mark.parametrize("flags", [("-O2",), SANITIZED], ids=["optimised", "sanitized"])
def test_results_are_those_of_the_library(
    flags: tuple[str, ...], project: Path, cc: str, library: Path, original: Path, rng: random.Random
) -> None:
    program = replaced(project, cc, library, *flags)
    for seed in (f"{rng.randrange(2**32)}" for _ in range(5)):
        right = printed(original, seed)
        assert len(right) > 5000
        assert printed(program, seed) == right, seed
    for each in (original, program):
        done = subprocess.run([each], capture_output=True, text=True, check=False)
        assert done.returncode == -signal.SIGABRT
        assert "illegal argument" in done.stderr


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("    return (int)borrow;", "    return (int)borrow & 0;"),
        ("    if (length > 1 && (at[0] == 0 || at[0] == 0xFF)", "    if (length > 1 && (at[0] == 0)"),
        ("    if (!negative && length <= NUMBER_BYTES) {", "    if (length <= NUMBER_BYTES) {"),
        ("    return (input[0] & 1) == has_odd_y(input + 1) && k1", "    return k1"),
        ("    return valid & (1 ^ k1_sc_is_zero(d));", "    return valid;"),
        ("    length = append(seed, length, data, NUMBER_BYTES);", ""),
        ("(uint8_t)(id ^ (uint32_t)high)", "(uint8_t)id"),
        ("    if (!LEGAL(n >= 1) || !LEGAL(ins != NULL)) {", "    if (!LEGAL(ins != NULL)) {"),
        ("k1_sc_neg(&negated, &ctx->blind);", "negated = ctx->blind;"),
    ],
    ids=[
        *("high s", "padding of 0xFF", "negative numbers", "hybrid keys", "sums of 0", "additional data"),
        *("recovery ids", "illegal arguments", "blinding"),
    ],
)
def test_other_results_are_seen(
    right: str, wrong: str, project: Path, cc: str, library: Path, original: Path
) -> None:
    mutate(project, right, wrong)
    program = replaced(project, cc, library, *UNOPTIMISED, "-w")
    assert printed(program, "1") != printed(original, "1")
