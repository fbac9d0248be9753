"""Random edits of tokens of printed files: the readers refuse each, or compilers make the same code of it."""

import re

import pytest
from token_edits import PRINTED, Printed, compiled, made, outcomes, settled, verdict

BY_NAME = {str(printed): printed for printed in PRINTED}
C, RUST, PYTHON = (BY_NAME[f"kernels of secp256k1 in {language}"] for language in ("c", "rust", "python"))


@pytest.mark.drawn(6)
@pytest.mark.parametrize("printed", PRINTED, ids=str)
@pytest.mark.usefixtures("cc", "cargo")
def test_edits_of_tokens_are_refused_or_change_no_code(printed: Printed, rng):
    assert [edit for edit, who in outcomes(printed, rng.getrandbits(32), 12) if not who] == []


def edited(printed: Printed, file: str, pattern: str, replacement: str) -> dict[str, str]:
    files, _ = made(printed)
    text = re.sub(pattern, replacement, files[file], count=1, flags=re.M)
    assert text != files[file]
    return {**files, file: text}


# What no reader follows: declarations, macros, implementations, manifests, programs.
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


# What readers follow has the types that it was printed with; each was accepted, and some are other numbers.
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


@pytest.mark.usefixtures("cc")
def test_compilers_tell_what_an_edit_changes():
    """A qualifier of a local variable changes no code; a number and an error do."""
    assert settled(C, edited(C, "toy.h", r"const (uint64_t t_0 = a\[0\])", r"\1")) == "the same code"
    assert settled(C, edited(C, "toy.h", r"0x1000003d1", "0x1000003d3")) == ""
    assert compiled(edited(C, "toy.h", r"uint64_t t_0 = a\[0\]", "uint64_t t_0 == a[0]")) is None
