"""The check of machine code finds planted leaks, by real compilers for several targets, and no others."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random

import pytest
from whole_curves import DATABASE

from efdgen.generator.compile import Request
from efdgen.generator.errors import EfdgenError
from efdgen.verify.machine import objects
from efdgen.verify.machine.check import judge
from efdgen.verify.machine.compiling import Unit, compiler_of
from efdgen.verify.machine.report import MachineReport, MachineTrial
from efdgen.verify.machine.rust import Crate
from efdgen.verify.vectors.whole_subjects import whole_subject

OUT = Path(__file__).parents[1] / "out" / "edwards25519"
ADD = "    edwards25519_limbs_add(r->limb, a->limb, b->limb);\n"
TABLE = "static const uint64_t edwards25519_table[4] = {5, 9, 2, 7};\n"
TARGETS = (
    *("x86_64-none-elf", "i686-none-elf", "aarch64-none-elf", "thumbv7em-none-eabi"),
    *("riscv64-unknown-elf", "riscv32-unknown-elf"),
)
# Edits of edwards25519_fe_add, and the findings: a select of pointers branches, or loads from an address.
LEAKS = {
    "branch": ("if (a->limb[0] & 1) {{ edwards25519_fe_mul(r, r, b); }}", {"branch"}),
    "loop": ("for (uint64_t i = 0; i < (a->limb[0] & 7); i++) {{ edwards25519_fe_sqr(r, r); }}", {"branch"}),
    "select": ("*r = *(a->limb[0] & 1 ? a : b);", {"branch", "address"}),
    "index": ("r->limb[1] ^= (edwards25519_word)edwards25519_table[a->limb[0] & 3];", {"address"}),
    "store": ("r->limb[a->limb[0] & 3] ^= 1;", {"address"}),
    "division": ("r->limb[0] = a->limb[0] / (b->limb[0] | 1);", {"division", "__udivdi3"}),
    "spilled": (
        "edwards25519_word t[4] = {{0}}; for (int i = 0; i < 4; i++) t[i] = a->limb[i] & 3;"
        " r->limb[t[1]] = 1;",
        {"address"},
    ),
    "early": ("if (a->limb[3] == b->limb[3]) return; edwards25519_fe_mul(r, r, b);", {"branch"}),
    "compared": ("r->limb[0] ^= (edwards25519_word)memcmp_(a, b);", {"branch"}),
}
COMPARED = """static inline int memcmp_(const edwards25519_fe *a, const edwards25519_fe *b) {
    for (int i = 0; i < EDWARDS25519_LIMBS; i++) {
        if (a->limb[i] != b->limb[i]) {
            return 1;
        }
    }
    return 0;
}
"""


def files(edit: str = "") -> dict[str, str]:
    """Return the kernels of a curve in C, with a statement after the first sum."""
    found = {path.name: path.read_text() for path in (OUT / "c").iterdir()}
    text = found["edwards25519.h"]
    assert text.count(ADD) == 1
    if edit:
        text = text.replace(ADD, ADD + "    " + edit.format() + "\n")
        head = "static inline void edwards25519_fe_add("
        text = text.replace(head, TABLE + COMPARED.replace("EDWARDS25519_LIMBS", "4") + head)
        # A field element has more limbs of 32 bits; the first four are enough here.
        declared = "static inline void edwards25519_fe_sqr(edwards25519_fe *r, const edwards25519_fe *a);\n"
        declared += (
            "static inline void edwards25519_fe_mul(\n    edwards25519_fe *r, const edwards25519_fe *a,"
        )
        declared += " const edwards25519_fe *b);\n"
        text = text.replace(TABLE, declared + TABLE)
    return found | {"edwards25519.h": text}


def found(files: dict[str, str], folder: Path, command: str, target: str = "", level: str = "2"):
    return judge(*Unit.of(files, folder).compile(compiler_of(command, target, level)))


@pytest.mark.drawn(3)
@pytest.mark.parametrize("leak", LEAKS)
def test_a_planted_leak_is_found_on_any_target(leak: str, tmp_path: Path, clang: str, rng: Random):
    edit, kinds = LEAKS[leak]
    for target in rng.sample(TARGETS, 2):
        verdict = found(files(edit), tmp_path, clang, target)
        mine = {each.what for each in verdict.findings if each.function.endswith(("fe_add", "memcmp_"))}
        assert mine & kinds, (target, verdict.findings, verdict.unjudged)


@pytest.mark.drawn(3)
@pytest.mark.parametrize("leak", LEAKS)
def test_a_planted_leak_is_found_with_gcc(leak: str, tmp_path: Path, gcc: str):
    edit, kinds = LEAKS[leak]
    verdict = found(files(edit), tmp_path, gcc, level="s")
    mine = {each.what for each in verdict.findings if each.function.endswith(("fe_add", "memcmp_"))}
    assert mine & kinds, (verdict.findings, verdict.unjudged)


@pytest.mark.drawn(3)
@pytest.mark.parametrize("target", TARGETS)
def test_emitted_text_has_no_leak(target: str, tmp_path: Path, clang: str):
    verdict = found(files(), tmp_path, clang, target)
    assert not verdict.findings
    assert not verdict.unjudged
    assert verdict.straight > 40
    assert verdict.followed > verdict.straight


def test_emitted_text_has_no_leak_with_gcc(tmp_path: Path, gcc: str):
    for level in ("1", "3"):
        verdict = found(files(), tmp_path, gcc, level=level)
        assert not verdict.findings
        assert not verdict.unjudged


def test_a_library_multiplication_is_a_warning(tmp_path: Path, clang: str):
    for target, callee in (("thumbv6m-none-eabi", "__aeabi_lmul"), ("riscv32 -march=rv32i", "__muldi3")):
        triple, _, flags = target.partition(" ")
        verdict = found(files(), tmp_path, f"{clang} {flags}".strip(), triple, level="1")
        trial = MachineTrial("build", verdict)
        assert all(callee in calls for name, calls in verdict.products.items() if name.endswith("limbs_mul"))
        assert callee in trial.warning()
        assert "edwards25519_limbs_mul" in verdict.products
        assert "\n" not in trial.warning()


def test_a_target_without_a_table_is_not_judged_where_text_has_loops(tmp_path: Path, clang: str):
    verdict = found(files(), tmp_path, clang, "s390x-linux-gnu")
    assert verdict.straight > 40
    assert verdict.followed == 0
    assert "edwards25519_fe_inv" in verdict.unjudged
    looped = found(files(LEAKS["branch"][0]), tmp_path, clang, "s390x-linux-gnu")
    assert "edwards25519_fe_add" in looped.unjudged


def test_what_calls_an_unknown_instruction_is_not_judged(tmp_path: Path, clang: str):
    edit = '__asm__ volatile("rdtsc" ::: "eax", "edx");'
    verdict = found(files(edit), tmp_path, clang, "x86_64-none-elf")
    assert verdict.unjudged["edwards25519_fe_add"] == "rdtsc is not known"


RUST_LEAKS = {
    "branch": ("if a[0] & 1 == 1 { r[1] = 0; r[2] = a[3].wrapping_mul(5); r[3] = a[3] / 7; }", {"branch"}),
    "index": ("r[1] = r[(a[0] & 3) as usize];", {"address"}),
    "division": ("r[0] = a[0] / (b[0] | 1);", {"branch", "division"}),
    "checked": ("r[0] = r[a[0] as usize];", {"branch"}),
}


@pytest.fixture(scope="session")
def crate() -> dict[str, str]:
    texts = {path.relative_to(OUT / "rust").as_posix(): path for path in (OUT / "rust").rglob("*")}
    return {name: path.read_text() for name, path in texts.items() if path.is_file()}


def host() -> str:
    import platform

    return f"{platform.machine()}-unknown-linux-gnu"


def rust(texts: dict[str, str], folder: Path):
    return judge(*Crate.of(texts, folder).compile(host(), "2"))


@pytest.mark.drawn(2)
@pytest.mark.parametrize("leak", RUST_LEAKS)
def test_a_planted_leak_is_found_in_rust(leak: str, crate: dict[str, str], tmp_path: Path, cargo: str):
    edit, kinds = RUST_LEAKS[leak]
    text = crate["src/limbs64.rs"]
    head, name, rest = text.partition("pub fn add(")
    signature, brace, body = rest.partition("{\n")
    end = body.index("\n}\n")
    planted = f"{head}{name}{signature}{brace}{body[:end]}\n    {edit}{body[end:]}"
    verdict = rust({**crate, "src/limbs64.rs": planted}, tmp_path)
    assert {each.what for each in verdict.findings} & kinds, verdict.findings


def test_an_emitted_crate_has_no_leak(crate: dict[str, str], tmp_path: Path, cargo: str):
    verdict = rust(crate, tmp_path)
    assert not verdict.findings
    assert verdict.straight > 20
    assert {*verdict.unjudged.values()} == {"loops of Rust are not followed"}


def test_the_command_checks_a_compiler_and_a_target(efdgen, clang: str):
    """Run the command of docs/constant-time.md."""
    asked = ["test", "--constant-time", str(OUT), "--compiler", clang, "--target", "riscv64", "--json"]
    result = efdgen(*asked)
    assert result.code == 0
    outcomes = json.loads(result.out)
    assert [each["build"] for each in outcomes] == [f"{clang} --target=riscv64 -O{n}" for n in (2, 3)]
    assert all(each["ok"] and each["architecture"] == "riscv64" for each in outcomes)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--target", "riscv64"), "--target goes with --constant-time"),
        (("--constant-time", "--target", "riscv64", "--vectors", "."), "--vectors"),
        (
            ("--constant-time", "--target", "riscv64", "--compiler", "no-such-cc"),
            "no C compiler called no-such",
        ),
    ],
)
def test_a_wrong_request_is_refused_in_one_line(efdgen, options: tuple[str, ...], said: str):
    result = efdgen("test", str(OUT), *options)
    assert result.code == 2
    assert said in result.err
    assert len(result.err.splitlines()) == 1


def test_missing_packages_are_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(objects, "find_spec", lambda name: None)
    with pytest.raises(EfdgenError, match="capstone"):
        objects.require_disassembler()


def test_a_report_counts_and_fails(tmp_path: Path, clang: str):
    trial = MachineTrial("build", found(files(LEAKS["branch"][0]), tmp_path, clang, "x86_64-none-elf"))
    report = MachineReport("curve", [trial])
    assert not report.ok
    assert "FAILED" in report.text()
    assert "edwards25519_fe_add: branch" in report.text()


@pytest.mark.long
@pytest.mark.slow
def test_a_whole_curve_with_protocols_has_no_leak(tmp_path: Path, clang: str):
    """It was refused for a header of another library, and failed for what decodes."""
    request = Request("c", "P-256", set="protocols", prefix="whole", table="small", lowering="calls")
    files = whole_subject(DATABASE, request, ["c"]).files["c"]
    binary, expected = Unit.of(files, tmp_path).compile(compiler_of(clang, "riscv64-unknown-elf"))
    verdict = judge(binary, expected)
    assert verdict.faults == []
    reasons = verdict.unjudged
    assert reasons["whole_hash_sodium.h"] == "it includes sodium.h"
    assert reasons["whole_ecdsa_nonce"] == "it is part of a protocol"
    judged = {"whole_multiply", "whole_encode", "whole_lift_x", "whole_sc_inv"}
    assert judged.isdisjoint(reasons.keys() | expected.variable)
    # A formula that only functions in variable time call is a user's as well.
    assert all(re.search(r"_(var|decode)(_|$)", name) for name in expected.variable)
    assert verdict.followed > 150
