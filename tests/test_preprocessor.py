"""Every branch of the preprocessor in C templates is taken by a build that runs on vectors, and is proved."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, combinations
from pathlib import Path

import pytest
from collected import Collected
from whole_c import build, planned, texts

from efdgen.generator.compile import Request, make_bundle
from efdgen.generator.fields.emitted import emitted_words
from efdgen.generator.fields.loops import EmittedLoop, in_c
from efdgen.generator.fields.pieces import Names
from efdgen.generator.fields.request import FieldRequest
from efdgen.generator.files import render
from efdgen.generator.formulas.database import Database
from efdgen.generator.kernels.prover import Prover
from efdgen.generator.render.field.bundle import render_field
from efdgen.generator.text.environment import environment
from efdgen.verify.fields.compilers import prove_for_compilers
from efdgen.verify.fields.helpers import COMPILERS
from efdgen.verify.readback.texts import in_one_text
from efdgen.verify.vectors.whole_cases import all_rows
from efdgen.verify.verdicts import Refuted
from efdgen.verify.words.c import read_c
from efdgen.verify.words.reader import NotReadError

TEMPLATES = Path(__file__).parent.parent / "templates" / "c"
SYSTEM = "".join(
    f"#include <{name}.h>\n" for name in ("stddef", "stdint", "stdio", "stdlib", "string", "time")
)
NO_GNU = f"{SYSTEM}#include <immintrin.h>\n#undef __GNUC__\n"
MICROSOFT = f"""{SYSTEM}
#undef __GNUC__
#undef __SIZEOF_INT128__
#define _MSC_VER 1930
#define _M_X64 100
#define __forceinline inline
"""
# Intrinsics as Microsoft's compiler documents them, in words of 64 bits at most.
INTRINSICS = """#pragma once
#include <stdint.h>

/* *r = low word of a + b + c; returns the carry. */
static inline unsigned char _addcarry_u64(unsigned char c, uint64_t a, uint64_t b, unsigned long long *r) {
    uint64_t sum = a + b, all = sum + (c != 0);
    *r = all;
    return (unsigned char)((sum < a) | (all < sum));
}

/* *r = low word of a - b - c; returns the borrow. */
static inline unsigned char _subborrow_u64(unsigned char c, uint64_t a, uint64_t b, unsigned long long *r) {
    uint64_t difference = a - b, all = difference - (c != 0);
    *r = all;
    return (unsigned char)((a < b) | (difference < all));
}

/* Returns the low word of a*b; *high is the high one. */
static inline uint64_t _umul128(uint64_t a, uint64_t b, uint64_t *high) {
    uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    uint64_t low = a0 * b0, middle = a1 * b0 + (low >> 32), other = a0 * b1 + (uint32_t)middle;
    *high = a1 * b1 + (middle >> 32) + (other >> 32);
    return (other << 32) | (uint32_t)low;
}
"""


@dataclass(frozen=True)
class Build:
    """A compiler and what it is told. One that does not run asks for instructions that may not be there."""

    compiler: str
    flags: tuple[str, ...] = ()
    prelude: str = ""
    runs: bool = True

    def command(self, compilers: dict[str, str], folder: Path) -> list[str]:
        (folder / "intrin.h").write_text(INTRINSICS)
        (folder / "arm_neon.h").write_text("")
        (folder / "prelude.h").write_text(self.prelude)
        standard = ["-std=c99", "-D_POSIX_C_SOURCE=199309L", "-Wno-builtin-macro-redefined", "-I."]
        return [compilers[self.compiler], *standard, "-include", "prelude.h", *self.flags]


BUILDS = {
    "gcc": Build("cc"),
    "gcc 11": Build("cc", ("-U__GNUC__", "-D__GNUC__=11")),
    "gcc, portable": Build("cc", ("-DFP_PORTABLE",)),
    "gcc, 32 bits": Build("cc", ("-DFP_WORD_BITS=32",)),
    "own erasure and sizes": Build(
        "cc", ("-DFP_WIPE(at,length)=memset(at,0,length)", "-DFP_HASH_STATE_BYTES=1024")
    ),
    "told what is public": Build("cc", ("-DFP_DECLASSIFY(flag)=(flag)",)),
    "gcc, no 128 bits": Build("cc", ("-U__SIZEOF_INT128__",)),
    "clang": Build("clang"),
    "clang, portable": Build("clang", ("-DFP_PORTABLE",)),
    "gcc, Cortex-M4": Build("cc", ("-D__thumb2__", "-D__ARM_FEATURE_DSP", "-DFP_WORD_BITS=32"), runs=False),
    "no gcc": Build("cc", (), NO_GNU),
    "no gcc, portable": Build("cc", ("-DFP_PORTABLE",), NO_GNU),
    "no gcc, 32 bits": Build("cc", ("-DFP_WORD_BITS=32",), NO_GNU),
    "Microsoft": Build("cc", (), MICROSOFT),
    "Microsoft, 64 bits": Build("cc", ("-DFP_WORD_BITS=64",), MICROSOFT, runs=False),
    "AVX-512": Build("cc", ("-mavx512f",), runs=False),
    "BMI2": Build("cc", ("-mbmi2",), runs=False),
    "PCLMULQDQ": Build("cc", ("-mpclmul",), runs=False),
    "PMULL": Build("cc", ("-D__aarch64__", "-D__ARM_FEATURE_AES"), runs=False),
}
# 127 bits in full words and in limbs with room: two words, and so a join of 128 bits.
FIELDS = {
    "saturated": FieldRequest("c", "5*2^248-1", representation="saturated"),
    "unsaturated": FieldRequest("c", "2^127-1", representation="unsaturated"),
    "binary": FieldRequest("c", polynomial="x^113 + x^9 + 1"),
}

# Conditions of programs beside the headers: what valgrind needs is in none but the builds of
# test_constant_time, and a benchmark without cycles says 0.
PROGRAMS = {"ifdef CHECK_SECRETS", "if defined(__GNUC__) && defined(__x86_64__)"}
# Headers are included once, and from C++ too; words of another size are refused where sizes are chosen.
_GUARD = re.compile(
    r"(?:not )?(?:ifndef \S+_H|ifdef __cplusplus)$|ifndef .*guard"
    r"|not if FP_WORD_BITS == (?:64$|32 && !defined)"
)
_CONDITION = re.compile(r"^[ \t]*#[ \t]*((?:if|ifdef|ifndef|elif)\b.*|\{\{ \"if\" if loop.*)$", re.M)


@cache
def field(kind: str) -> dict[str, str]:
    """The files of a field with a test program."""
    return render_field(FIELDS[kind])


@cache
def headers() -> dict[str, str]:
    """Headers in which every condition of a header's template is printed."""
    formula = "*/extended-1/addition/add-2008-hwcd-4"
    request = Request("c", "edwards25519", prefix="fp", formulas=(formula,), target="gcc")
    kernels = render(make_bundle(Database(), request, Prover()), request)
    whole, ladder = (
        in_one_text(texts(planned(*curve, "small"), "calls"), "whole")
        for curve in (("edwards25519", "extended-1"), ("X25519", None))
    )
    limbs = render_field(replace(FIELDS["unsaturated"], target="gcc"))
    machine = render_field(replace(FIELDS["unsaturated"], target="cortex-m4"))
    return {
        **{kind: in_one_text(field(kind), "fp") for kind in FIELDS},
        "unsaturated, gcc": in_one_text(limbs, "fp"),
        "unsaturated, Cortex-M4": in_one_text(machine, "fp"),
        "kernels": in_one_text(kernels, "fp"),
        "points": in_c(whole, Names("whole")),
        "ladder": in_c(ladder, Names("whole")),
        **{name: _template(f"protocols/{name}") for name in ("wipe", "hash")},
    }


def _template(name: str) -> str:
    text = environment("c").get_template(f"{name}.h.j2").render(prefix="fp", PREFIX="FP", header="", names=())
    return text.replace('#include "fp_wipe.h"\n', "")


def conditions() -> dict[str, str]:
    """The conditions in templates, without what names are put in, and where each is."""
    found = {}
    for path in sorted(TEMPLATES.rglob("*.j2")):
        for text in _CONDITION.findall(path.read_text()):
            plain = re.sub(r'^\{\{ "if" if loop\.first else "elif" \}\}', "if", text)
            condition = re.sub(r"\{\{.*?\}\}", "*", plain).strip()
            if not _GUARD.match(plain) and not _GUARD.match(condition):
                found[condition] = path.name
    return found


def marked(text: str) -> tuple[str, dict[str, str]]:
    """A text with a mark in every branch, an empty ``#else`` too, and which condition each mark is of."""
    lines, marks, open_conditions = [], {}, []
    for line in text.replace("\\\n", " ").splitlines():
        directive = re.match(r"\s*#\s*(\w+)", line)
        kind = directive[1] if directive else ""
        if kind in ("if", "ifdef", "ifndef"):
            open_conditions.append([line.strip(" #"), False])
        if kind == "endif":
            condition, has_else = open_conditions.pop()
            if not has_else:
                lines += ["#else", mark(marks, f"not {condition}")]
        lines.append(line)
        if kind == "else":
            open_conditions[-1][1] = True
        if kind in ("if", "ifdef", "ifndef", "elif", "else"):
            condition = line.strip(" #") if kind == "elif" else open_conditions[-1][0]
            lines.append(mark(marks, f"{'not ' * (kind == 'else')}{condition}"))
    return "\n".join(lines), marks


def mark(marks: dict[str, str], condition: str) -> str:
    name = f"BRANCH_{len(marks)}_"
    marks[name] = condition
    return name


@pytest.mark.long
def test_every_branch_is_taken_by_a_build(compilers, tmp_path):
    """Refused texts apart: a condition that no compiler meets is an error, and its branch says so."""
    emitted = set()
    for text in headers().values():
        marked_text, marks = marked(text)
        emitted.update(_CONDITION.findall(text))
        (tmp_path / "fp.h").write_text(marked_text)
        (tmp_path / "all.c").write_text('#include "fp.h"\n')
        taken = set()
        for one in BUILDS.values():
            command = [*one.command(compilers, tmp_path), "-E", "-P", "all.c"]
            done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
            taken.update(re.findall(r"BRANCH_\d+_", done.stdout))
        refused = re.findall(r"(BRANCH_\d+_)\s*#error", marked_text)
        left = {marks[name] for name in marks.keys() - taken - set(refused)}
        assert {condition for condition in left if not _GUARD.match(condition)} == set()
    known = {re.sub(r"\bFP\b", "*", text).strip() for text in emitted}
    for condition, template in conditions().items():
        pattern = re.escape(condition).replace(r"\*", r"\w*").replace("FP", r"\w*")
        matched = any(re.fullmatch(pattern, text) for text in (*known, *emitted, *PROGRAMS))
        assert matched, f"{template}: no build decides #{condition}"


def test_a_condition_that_no_build_decides_is_seen(compilers, tmp_path):
    text, marks = marked("#ifdef __riscv\nint a;\n#elif defined(__GNUC__)\nint b;\n#endif\n")
    (tmp_path / "all.c").write_text(text)
    done = subprocess.run(
        [*BUILDS["gcc"].command(compilers, tmp_path), "-E", "-P", "all.c"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert {marks[name] for name in marks if name not in done.stdout} == {
        "ifdef __riscv",
        "not ifdef __riscv",
    }


@pytest.mark.parametrize("name", [name for name, build in BUILDS.items() if build.runs])
@pytest.mark.parametrize("kind", FIELDS)
def test_every_branch_runs_on_vectors(kind, name, compilers, tmp_path):
    for path, text in field(kind).items():
        (tmp_path / path).write_text(text)
    command = [*BUILDS[name].command(compilers, tmp_path), "-O0", "-w", "test_fp.c", "-o", "test"]
    subprocess.run(command, cwd=tmp_path, check=True)
    done = subprocess.run([tmp_path / "test", "test", "2"], capture_output=True, text=True, check=False)
    passed, every = re.fullmatch(r"(\d+) of (\d+) tests passed\s*", done.stdout).groups()
    assert done.returncode == 0
    assert passed == every
    assert int(every) > 500


@pytest.mark.parametrize(
    ("right", "wrong", "name"),
    [
        ("*r = (high << 1) | (low >> 63);", "*r = (high << 1);", "no gcc, portable"),
        ("volatile fp_word hidden = 0 - bit;", "volatile fp_word hidden = 1 - bit;", "Microsoft"),
    ],
)
def test_a_branch_that_is_wrong_is_seen(right, wrong, name, compilers, tmp_path):
    for path, text in field("saturated").items():
        (tmp_path / path).write_text(text.replace(right, wrong) if path == "fp.h" else text)
    assert right in field("saturated")["fp.h"]
    command = [*BUILDS[name].command(compilers, tmp_path), "-O0", "-w", "test_fp.c", "-o", "test"]
    subprocess.run(command, cwd=tmp_path, check=True)
    done = subprocess.run([tmp_path / "test", "test", "2"], capture_output=True, check=False, timeout=60)
    assert done.returncode != 0


MACROS = "__SIZEOF_INT128__", "__x86_64__", "__GNUC__", "__clang__", "_MSC_VER", "_M_X64", "FP_PORTABLE"


@pytest.mark.parametrize("word", [64, 32])
def test_no_compiler_is_given_a_function_that_is_not_proved(word):
    """All combinations of macros that are not an error yield functions that are proved."""
    text = emitted_words(word, Names("fp"), "c").text
    proved: dict[str, set[object]] = {}
    for defined in COMPILERS[word].values():
        for name, function in read_c(text, word, defined).functions.items():
            proved.setdefault(name, set()).add(function)
    read = 0
    for defined in chain.from_iterable(combinations(MACROS, count) for count in range(len(MACROS) + 1)):
        try:
            found = read_c(text, word, defined).functions
        except NotReadError:
            continue
        read += 1
        assert all(function in proved[name] for name, function in found.items()), defined
    assert read >= 64


def counting_loop(word: int = 64) -> EmittedLoop:
    claims = Collected()
    request = FieldRequest("c", "2^61-1", word, operations=("inv_var",))
    render_field(request, claims)
    return next(c for c in claims.every if isinstance(c, EmittedLoop) and "trailing_zeros" in c.text)


@pytest.mark.parametrize("word", [64, 32])
def test_a_word_whose_last_bit_alone_is_1_is_counted_too(word):
    """Converted to `unsigned`, as it is known, it is a number and no vector of bits."""
    prove_for_compilers(counting_loop(word).text, word)


@pytest.mark.parametrize(
    ("right", "wrong", "text"),
    [
        ("__builtin_ctzll(a)", "__builtin_ctz((unsigned)a)", "followed"),
        ("__builtin_clzll(a)", "__builtin_ctzll(a)", "followed"),
        ("__builtin_ctzll(a)", "__builtin_ctzll(a >> 1)", "of another word"),
        ("(a & 1) == 0; a >>= 1", "(a & 3) == 0; a >>= 1", "followed"),
        ("FP_WORD_BITS - 1) == 0; a <<= 1", "FP_WORD_BITS - 2) == 0; a <<= 1", "followed"),
        ("zeros++", "zeros--", "zeros is right"),
        ("int zeros = 0", "int zeros = 1", "zeros is right"),
        ("fbelow = 0", "fbelow =\n#ifdef __GNUC__\n0\n#else\n1\n#endif\n", "same for every compiler"),
    ],
)
def test_zeros_that_are_counted_wrong_are_refuted(right, wrong, text):
    loop = counting_loop()
    prove_for_compilers(loop.text, 64)
    assert right in loop.text
    edited = replace(loop, text=loop.text.replace(right, wrong))
    with pytest.raises(Refuted, match=text):
        prove_for_compilers(edited.text, 64)


def test_points_are_joined_without_gcc_too(cc, rng, tmp_path):
    """Entries of tables are read by masks, 128 bits at a time where the compiler is gcc or like it."""
    flags = [*BUILDS["no gcc"].command({"cc": cc}, tmp_path)[2:], "-O0", "-w"]
    for right, wrong in (("", ""), ("|= a->limb[i] & mask;", "|= a->limb[i];")):
        made = build(
            tmp_path,
            "edwards25519",
            "extended-1",
            *flags,
            compiler=cc,
            edit=lambda text, right=right, wrong=wrong: text.replace(right, wrong),
        )
        rows = [row for row in all_rows(made.curve, rng) if row[0] == "multiply_generator"]
        assert len(rows) > 5
        assert bool(made.differences(rows)) == bool(right)
