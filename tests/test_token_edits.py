"""Random edits of tokens of printed files: the readers refuse each, or compilers make the same code of it."""

import re

import pytest
from token_edits import PRINTED, Printed, compiled, made, outcomes, settled, verdict

from efdgen.verify.readback.conditions import CONDITIONS, OWN_CONDITIONS

BY_NAME = {str(printed): printed for printed in PRINTED}
C, RUST, PYTHON = (BY_NAME[f"kernels of secp256k1 in {language}"] for language in ("c", "rust", "python"))


@pytest.mark.drawn(4)
@pytest.mark.parametrize("printed", PRINTED, ids=str)
@pytest.mark.usefixtures("cc", "cargo")
def test_edits_of_tokens_are_refused_or_change_no_code(printed: Printed, rng):
    assert [edit for edit, who in outcomes(printed, rng.getrandbits(32), 12) if not who] == []


def edited(printed: Printed, file: str, pattern: str, replacement: str) -> dict[str, str]:
    files, _ = made(printed)
    text = re.sub(pattern, replacement, files[file], count=1, flags=re.M)
    assert text != files[file]
    return {**files, file: text}


# Text that no reader follows: declarations, macros, implementations, manifests, programs.
UNFOLLOWED = [
    (C, "toy.h", r"^#define TOY_LIMBS 4", "#define TOY_LIMBS 5"),
    (C, "toy.h", r"limb\[TOY_LIMBS\];", "limb[TOY_LIMBS + 1];"),
    (C, "toy.h", r"typedef uint64_t toy_word;", "typedef uint32_t toy_word;"),
    (C, "toy.h", r"^typedef struct \{", "typedef union {"),
    (C, "toy.h", r"^#endif\n\Z", "int toy_other(void);\n#endif\n"),
    (C, "driver.c", r"return 0;", "return 1;"),
    (RUST, "Cargo.toml", r'subtle = \{ version = "2', 'subtle = { version = "=2'),
    (RUST, "Cargo.toml", r"\[features\]\n", '[features]\ndefault = ["word32"]\n'),
    (RUST, "build.rs", r"fn main\(\) \{", "fn main() { return;"),
    (RUST, "src/field.rs", r"self\.ct_eq\(other\)\.into\(\)", "true"),
    (RUST, "src/field.rs", r"self\.0\.zeroize\(\);", ""),
    (RUST, "src/field.rs", r"^#\[derive\(Clone, Copy", "#[derive(Hash, Clone, Copy"),
    (RUST, "src/lib.rs", r"^mod field;", "mod field;\nmod other;"),
    (PYTHON, "driver.py", r"^import ", "import os\nimport "),
]


@pytest.mark.parametrize(("printed", "file", "pattern", "replacement"), UNFOLLOWED)
def test_what_no_reader_follows_is_as_printed(printed, file, pattern, replacement):
    found = verdict(printed, edited(printed, file, pattern, replacement))
    assert found.startswith("frames: ")
    assert file.rpartition("/")[2] in found


def test_files_are_those_that_were_printed():
    files, readback = made(C)
    found = [str(each) for each in readback.found({**files, "other.h": ""})]
    assert any("nobody printed this file" in each for each in found)
    without = {name: text for name, text in files.items() if name != "driver.c"}
    assert any("driver.c" in str(each) for each in readback.found(without))


# Edits of types in text that readers follow: each was accepted, and some are other numbers.
FOLLOWED = [
    (C, "toy.h", r"const uint64_t (t_0 = a\[0\])", r"const uint32_t \1"),
    (C, "toy.h", r"const uint64_t (t_0 = a\[0\])", r"static uint64_t \1"),
    (C, "toy.h", r"const uint64_t (t_0 = a\[0\])", r"volatile uint64_t \1"),
    (C, "toy.h", r"UINT64_C\(0x1000003d1\)", "(0x80000000 << 1) + 0x3d1"),
    (C, "toy.h", r"UINT64_C\(0x1000003d1\)", "((0x40000000 << 2) + 0x3d1)"),
    (C, "toy.h", r"UINT64_C\(0x1000003d1\)", "0x1000003d1"),
    (C, "toy.h", r"(limbs_from_number\(r->limb, t\);)", r"\1\n    r->limb[0] ^= 1;"),
    (
        RUST,
        "src/field.rs",
        r"(limbs::from_number\(&mut r\.0, words\);\n        r$)",
        r"r.0[0] ^= 1;\n        \1",
    ),
    (RUST, "src/limbs64.rs", r"0x1_0000_03d1_u64", "0x1_0000_03d3_u64"),
    (PYTHON, "toy.py", r"% P  #", "% (P + 1)  #"),
]


@pytest.mark.parametrize(("printed", "file", "pattern", "replacement"), FOLLOWED)
def test_what_readers_follow_is_what_was_proved(printed, file, pattern, replacement):
    assert verdict(printed, edited(printed, file, pattern, replacement)).startswith("readers: ")


# A statement in a limb function and in a routine, where it changes the result.
WHOLE = BY_NAME["secp256k1 in c, protocols"]
IN_C = [
    (
        C,
        "toy.h",
        r"(^    const uint64_t t_0 = a\[0\], t_1 = a\[1\], t_2 = a\[2\], t_3 = a\[3\];\n)",
        "r[0] = 1;",
    ),
    (WHOLE, "secp256k1.h", r"(^static inline void secp256k1_multiple_by_any\([^{]*\{\n)", "p = r;"),
]


@pytest.mark.slow
@pytest.mark.parametrize("place", IN_C, ids=["a limb function", "a routine"])
@pytest.mark.parametrize("name", [*CONDITIONS, *OWN_CONDITIONS, "GUARD"])
def test_no_condition_hides_a_statement(name, place):
    """Was: those on macros of users, on guards, and of routines on 32-bit words, were read as one case."""
    printed, file, pattern, statement = place
    prefix = file.partition(".")[0].upper()
    own = f"EFDGEN_{prefix}_H" if name == "GUARD" else f"{prefix}_{name}"
    asked = name if name in CONDITIONS else own
    always = f"#define {asked}" in made(printed)[0][file]
    valued = [f"#if defined({asked}) && {asked} == 12"] * (not always)
    for condition in (f"#ifdef {asked}", *[f"#ifndef {asked}"] * (not always), *valued):
        added = rf"\1{condition}\n    {statement}\n#endif\n"
        found = verdict(printed, edited(printed, file, pattern, added))
        assert found, condition


IN_RUST = [
    (RUST, "src/limbs64.rs", r"(^    let t_3 = a\[3\];\n)", "let t_3 = 0;"),
    (BY_NAME["P-256 in rust, protocols"], "src/multiply.rs", r"(^fn multiply_by_comb\([^{]*\{\n)", ""),
]


@pytest.mark.slow
@pytest.mark.parametrize("place", IN_RUST, ids=["a limb function", "a routine"])
@pytest.mark.parametrize(
    "condition",
    [
        *(f'feature = "{name}"' for name in ("zeroize", "alloc", "serde")),
        *('efdgen_carry = "portable"', 'all(target_arch = "x86_64", feature = "zeroize")'),
    ],
)
def test_no_attribute_hides_a_statement(condition, place):
    """Was: some features were read as absent, and in routines every statement as present."""
    printed, file, pattern, statement = place
    for asked in (condition, f"not({condition})"):
        assert verdict(printed, edited(printed, file, pattern, rf"\1    #[cfg({asked})]\n    {statement}\n"))


@pytest.mark.slow
def test_routines_are_read_with_words_of_both_sizes():
    printed, file, pattern, statement = IN_C[1]
    for word in (64, 32):
        added = rf"\1#if SECP256K1_WORD_BITS == {word}\n    {statement}\n#endif\n"
        assert verdict(printed, edited(printed, file, pattern, added))


@pytest.mark.parametrize(
    "line",
    ["#include <string.h>", "#define TOY_X 1", '#error "no"', '#ifdef __cplusplus\nextern "C" {\n#endif'],
)
def test_directives_are_outside_of_functions(line):
    printed, file, pattern, _ = IN_C[0]
    assert verdict(printed, edited(printed, file, pattern, rf"\1{line}\n")).startswith("readers: ")


@pytest.mark.usefixtures("cc")
def test_compilers_tell_what_an_edit_changes():
    """A qualifier of a local variable changes no code; a number and an error do."""
    assert settled(C, edited(C, "toy.h", r"const (uint64_t t_0 = a\[0\])", r"\1")) == "the same code"
    assert settled(C, edited(C, "toy.h", r"0x1000003d1", "0x1000003d3")) == ""
    assert compiled(edited(C, "toy.h", r"uint64_t t_0 = a\[0\]", "uint64_t t_0 == a[0]")) is None
