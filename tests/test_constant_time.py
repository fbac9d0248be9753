"""The check of constant time: what leaks is found in C and in Rust, what does not passes, and it can tell."""

import shutil
from pathlib import Path

import pytest
from every_kind import of_every_kind
from whole_curves import MONTGOM

from efdgen.generator.compile import Request
from efdgen.generator.errors import EfdgenError
from efdgen.verify.vectors import secrets
from efdgen.verify.vectors.secrets import Leak, Trial, leaks, require_memcheck, secret_builds, try_build
from efdgen.verify.vectors.secrets_report import SecretsReport
from efdgen.verify.vectors.subjects import curve_subject
from efdgen.verify.vectors.suite import vectors_of
from efdgen.verify.vectors.whole_subjects import WholeSubject, whole_subject

SAID = """\
==7== Conditional jump or move depends on uninitialised value(s)
==7==    at 0x109A2B: leak (driver.c:40)
==7==    by 0x10C3D4: main (driver.c:300)
==7==
==7== Use of uninitialised value of size 8
==7==    at 0x10B111: toy_select (toy.h:12)
==7==    by 0x10C3D4: main (driver.c:300)
==7==
"""


@pytest.fixture
def tiny_file(tmp_path) -> Path:
    path = tmp_path / "tiny.toml"
    path.write_text(MONTGOM)
    return path


@pytest.fixture
def tiny(database, tiny_file) -> WholeSubject:
    return whole_subject(database, Request("c", str(tiny_file), set="curve"), ["c", "rust"])


def tried(subject, language, folder, right="", wrong="", file="tiny.h", builds="usual") -> Trial:
    """Return what comes of the last build of a language, its code edited."""
    text = subject.files[language][file]
    assert text.count(right) == 1 or not right
    files = {**subject.files[language], file: text.replace(right, wrong) if right else text}
    *_, build = secret_builds([language], ["gcc"], [32], builds)
    return try_build(build, files, vectors_of(subject, 1), folder)


@pytest.mark.parametrize(
    ("language", "file", "right", "wrong", "what", "where"),
    [
        ("c", "tiny.h", "", "", "", ""),
        (
            *("c", "tiny.h", "tiny_swap(p2, p3, (int)(swapped ^ chosen));"),
            *("if (chosen) { tiny_swap(p2, p3, 1); }", "branch", "tiny_"),
        ),
        (
            *("c", "tiny.h", "(uint32_t)k[at / 8] >>"),
            *(r'(uint32_t)((const volatile char *)"\0\1\0\1")[k[at / 8] & 3] >>', "address", "tiny_"),
        ),
        (
            *("rust", "src/ladder.rs", "swapped = chosen;"),
            *(
                "if chosen > 0 { swap(&mut p2, &mut p3, 1.into()) } swapped = chosen;",
                "branch",
                "tiny::ladder",
            ),
        ),
        (
            *("rust", "src/ladder.rs", "k[at / 8]) >> (at % 8) & 1"),
            *("core::hint::black_box([0_u8, 1])[usize::from(k[at / 8] & 1)])", "address", "tiny::ladder"),
        ),
    ],
    ids=["none", "branch in C", "address in C", "branch in Rust", "address in Rust"],
)
@pytest.mark.usefixtures("gcc", "valgrind", "cargo")
def test_what_leaks_is_found_and_nothing_else(language, file, right, wrong, what, where, tiny, tmp_path):
    trial = tried(tiny, language, tmp_path, right, wrong, file)
    assert trial.sees
    assert {leak.what for leak in trial.found} == ({what} if what else set())
    assert all(any(where in call for call in leak.calls) for leak in trial.found)
    assert trial.ok == (not right)


@pytest.mark.parametrize(
    ("language", "file", "right", "wrong"),
    [
        ("c", "tiny.h", "(uint32_t)k[at / 8] >>", "(k[at / 8] / (k[0] | 1u)) >>"),
        ("c", "tiny.h", "(uint32_t)k[at / 8] >>", "(uint32_t)((float)k[at / 8] * 1.5f) >>"),
        ("rust", "src/ladder.rs", "from(k[at / 8]) >>", "from(k[at / 8] / (k[0] | 1)) >>"),
    ],
    ids=["division in C", "floating point in C", "division in Rust"],
)
@pytest.mark.usefixtures("gcc", "valgrind", "cargo")
def test_instructions_of_variable_time_are_found(language, file, right, wrong, tiny, tmp_path):
    trial = tried(tiny, language, tmp_path, right, wrong, file)
    assert (trial.sees, trial.found) == (True, [])
    assert trial.slow
    assert all("tiny" in " ".join(found.functions) for found in trial.slow)
    assert not trial.ok
    assert trial.slow[0].instruction in SecretsReport("tiny", vectors_of(tiny, 1), [trial]).text()


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("", ""),
        ("limb.wrapping_add(SIGNED_PRIME[i] & negative)", "*limb + (SIGNED_PRIME[i] & negative)"),
        ("u.wrapping_mul(t[column])", "u * t[column]"),
    ],
    ids=["none", "sum", "product"],
)
@pytest.mark.usefixtures("valgrind", "cargo")
def test_checks_of_overflow_branch_on_secrets(right, wrong, tiny, tmp_path):
    """Inversion in Rust was once constant in time only if overflow was not checked."""
    trial = tried(tiny, "rust", tmp_path, right, wrong, "src/field.rs", "other")
    assert "overflow-checks debug-assertions" in trial.build
    assert trial.sees
    assert {leak.what for leak in trial.found} == ({"branch"} if right else set())
    assert all("field.rs" in " ".join(leak.calls) for leak in trial.found)


def test_users_flags_are_tried():
    names = [build.name for build in secret_builds(["c", "rust"], ["gcc"], [64], "other")]
    assert {name.split()[1].rstrip(",") for name in names} == {"-O1", "-Os", "-Oz", "-O3"}
    (release,) = secret_builds(["rust"], [], [64])
    assert release.settings["CARGO_PROFILE_DEV_OVERFLOW_CHECKS"] == "false"
    fat = next(build for build in secret_builds(["rust"], [], [64], "other") if "lto=fat" in build.name)
    assert fat.settings["CARGO_PROFILE_DEV_LTO"] == "fat"
    assert fat.settings["CARGO_PROFILE_DEV_OVERFLOW_CHECKS"] == "true"
    portable = [build for build in secret_builds(["rust"], [], [64], "other") if "efdgen_carry" in build.name]
    assert [build.settings["RUSTFLAGS"] for build in portable] == ['--cfg efdgen_carry="portable"']


@pytest.mark.usefixtures("gcc", "valgrind", "cargo")
def test_without_a_disassembler_it_says_so(tiny, tmp_path, monkeypatch):
    monkeypatch.setattr(secrets, "disassembler", lambda: "")
    trial = tried(tiny, "c", tmp_path)
    report = SecretsReport("tiny", vectors_of(tiny, 1), [trial])
    assert trial.ok
    assert "not disassembled" in report.text()
    assert report.objects()[0]["disassembled"] is False


@pytest.fixture(scope="module")
def signatures(database) -> WholeSubject:
    request = Request("c", "secp256k1", set="protocols", lowering="calls")
    _, protocols = whole_subject(database, request, ["c"]).all_parts()
    return protocols


@pytest.mark.drawn(2)
@pytest.mark.parametrize(
    ("file", "right", "wrong", "where"),
    [
        ("secp256k1_ecdsa.h", "", "", ""),
        (
            *("secp256k1_ecdsa.h", "secp256k1_multiply_generator(&point, bytes);"),
            *("secp256k1_multiply_var(&point, bytes, &SECP256K1_GENERATOR);", "secp256k1_ecdsa_sign_"),
        ),
        (
            *("secp256k1_ecdh.h", "secp256k1_multiply(&common, secret, &common);"),
            *("secp256k1_multiply_var(&common, secret, &common);", "secp256k1_ecdh_exchange"),
        ),
        (
            *("secp256k1_n.h", "return secp256k1_n_fe_from_number(r, t);"),
            *("return t[0] == 3 ? 0 : secp256k1_n_fe_from_number(r, t);", "secp256k1_n_fe_from_bytes_be"),
        ),
    ],
    ids=["none", "nonce of ECDSA", "key of ECDH", "decoding of a key"],
)
@pytest.mark.usefixtures("cc", "gcc", "openssl", "valgrind")
def test_secrets_of_protocols_are_followed(file, right, wrong, where, signatures, tmp_path):
    """An ECDSA that multiplied its nonce in variable time was once called constant."""
    files = {**signatures.files["c"]}
    assert right in files[file]
    files[file] = files[file].replace(right, wrong) if right else files[file]
    build, *_ = secret_builds(["c"], ["gcc"], [64])
    trial = try_build(build, files, vectors_of(signatures, 1), tmp_path)
    assert (trial.sees, trial.wrong, trial.slow) == (True, [], [])
    assert bool(trial.found) == bool(right)
    assert all(where in " ".join(leak.calls) for leak in trial.found[-1:])
    assert "secp256k1_ecdsa_verify_message" in trial.not_run
    assert not {"secp256k1_ecdsa_sign_message", "secp256k1_elgamal_extract"} & set(trial.not_run)


@pytest.mark.usefixtures("gcc", "valgrind", "cargo")
def test_what_is_not_run_is_listed(tiny, tmp_path):
    trial = tried(tiny, "c", tmp_path)
    assert {"tiny_decode", "tiny_random_scalar"} <= set(trial.not_run)
    assert not {"tiny_x_multiply", "tiny_lift_x", "tiny_fe_mul"} & set(trial.not_run)
    report = SecretsReport("tiny", vectors_of(tiny, 1), [trial])
    assert "not run: tiny_" in report.text()
    assert "tiny_decode" in report.objects()[0]["not_run"]


@pytest.mark.usefixtures("gcc", "valgrind", "cargo")
def test_a_driver_that_marks_nothing_as_secret_is_no_proof(tiny, tmp_path):
    hook = "#define SECRET(at, size) ((void)VALGRIND_MAKE_MEM_UNDEFINED(at, size))"
    trial = tried(
        tiny, "c", tmp_path, hook, "#define SECRET(at, size) ((void)(at), (void)(size))", "driver.c"
    )
    assert (trial.sees, trial.found, trial.wrong, trial.ok) == (False, [], [], False)
    assert "this says nothing" in SecretsReport("tiny", vectors_of(tiny, 1), [trial]).text()
    with pytest.raises(EfdgenError, match="of another version"):
        tried(tiny, "rust", tmp_path, "fn secret<T>", "fn hidden<T>", "examples/driver.rs")


@pytest.mark.usefixtures("gcc", "valgrind")
def test_every_function_but_those_named_var_is_asked_and_judged(database, tiny_file, tmp_path):
    subject = whole_subject(database, Request("c", "secp256k1", set="curve", lowering="calls"), ["c"])
    functions = set(secrets.asked(vectors_of(subject, 1)))
    assert {"multiply", "multiply_generator", "coz_multiply", "validate", "select", "encode"} <= functions
    assert not {name for name in functions if name.endswith("_var") or name.startswith("decode")}
    request = Request("c", str(tiny_file), formulas=of_every_kind(database, str(tiny_file)))
    kernels = curve_subject(database, request, ["c"])
    assert {"field.inv", "field.select", "field.from_bytes_be"} <= set(secrets.asked(vectors_of(kernels, 1)))
    wrong = tried(kernels, "c", tmp_path, "tiny_fe_neg(r, &a);", "*r = a;", "driver.c")
    assert (wrong.sees, wrong.found, wrong.wrong) == (True, [], ["field"])


def test_complaints_are_read():
    first, second = leaks(SAID)
    assert first == Leak("branch", ("leak (driver.c:40)", "main (driver.c:300)"))
    assert first.intended
    assert second == Leak("address", ("toy_select (toy.h:12)", "main (driver.c:300)"))
    assert not second.intended
    report = SecretsReport("toy", None, [Trial("gcc -O2", [], [first, second])])
    assert not report.ok
    assert "toy_select (toy.h:12)" in report.text()
    assert report.objects()[0]["control"] is False


@pytest.mark.usefixtures("cc", "gcc", "valgrind")
def test_a_curve_is_checked_from_the_command_line(efdgen, tiny_file):
    arguments = ("--set", "curve", "--curve", tiny_file, "--lang", "c", "--compiler", "gcc", "--word", "64")
    done = efdgen("test", "--constant-time", *arguments)
    assert (done.code, done.err) == (0, "")
    assert "gcc -O2, 64 bits" in done.out
    assert "tiny, 2 builds: nothing depends on secrets" in done.out


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--constant-time", "--sanitize"), "one at a time"),
        (("--constant-time", "--lang", "python"), "--constant-time is for c and rust"),
        (("--sanitize", "--lang", "rust"), "--sanitize is for c; add --lang c"),
        (("--word", "64"), "go with --constant-time or --sanitize"),
        (("--builds", "other"), "--builds goes with --constant-time"),
        (("--constant-time", "--lang", "c", "--compiler", "no-such-cc"), "no C compiler called no-such-cc"),
    ],
)
@pytest.mark.usefixtures("cc", "cargo")
def test_bad_requests_end_with_one_line(arguments, reason, efdgen):
    done = efdgen("test", *arguments)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert reason in done.err


@pytest.mark.usefixtures("valgrind")
def test_missing_valgrind_is_named(monkeypatch):
    require_memcheck()
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(EfdgenError, match=r"valgrind is not installed.*apt-get install valgrind"):
        require_memcheck()
