"""The suite of protocols: generated code answers right in each language, and single faults are found."""

import re
from pathlib import Path

import pytest
from whole_curves import DATABASE

from efdgen.generator.compile import Request
from efdgen.verify.vectors.drivers import build_driver
from efdgen.verify.vectors.whole_curve import REFUSED
from efdgen.verify.vectors.whole_subjects import WholeSubject, whole_subject

SYSTEMS = {"secp160r1": "jacobian-3", "Ed448": "projective", "Curve25519": None}
_FOUND: dict[tuple[str, str], WholeSubject] = {}


def subject(language: str, curve: str) -> WholeSubject:
    """Return the protocols of a curve, printed once."""
    if (language, curve) not in _FOUND:
        request = Request(
            language, curve, SYSTEMS[curve], prefix="whole", set="protocols", table="small", lowering="calls"
        )
        _, _FOUND[language, curve] = whole_subject(DATABASE, request, [language]).all_parts()
    return _FOUND[language, curve]


def wrong(
    language: str, curve: str, folder: Path, file: str = "", right: str = "", fault: str = ""
) -> set[str]:
    """Return which functions answer wrong, with a fault in a file."""
    found, files = subject(language, curve), {**subject(language, curve).files[language]}
    if file:
        assert files[file].count(right) == 1
        files[file] = files[file].replace(right, fault)
    suite = found.suite(1)
    answers = build_driver(language, files, folder).ask(suite.requests(language))
    return {result.function for result in suite.judge({language: answers}) if not result.ok}


@pytest.mark.parametrize("curve", ["secp160r1", "Curve25519"])
@pytest.mark.usefixtures("cc")
def test_protocols_answer_right_in_c(curve, tmp_path):
    assert wrong("c", curve, tmp_path) == set()


@pytest.mark.parametrize("curve", SYSTEMS)
def test_protocols_answer_right_in_python(curve, tmp_path):
    assert wrong("python", curve, tmp_path) == set()


@pytest.mark.usefixtures("cargo")
def test_protocols_answer_right_in_rust_and_a_fault_is_found(tmp_path):
    assert wrong("rust", "Curve25519", tmp_path) == set()
    fault = (
        "src/exchange.rs",
        "CtOption::new(encode(&x), !x.is_zero())",
        "CtOption::new(encode(&x), 1.into())",
    )
    assert wrong("rust", "Curve25519", tmp_path, *fault) == {"exchange"}


@pytest.mark.parametrize(
    ("curve", "file", "right", "fault", "functions"),
    [
        (
            "secp160r1",
            "whole/_ecdh.py",
            "if not 0 < secret < curve.ORDER:",
            "if not 0 < secret:",
            {"ecdh_exchange"},
        ),
        ("secp160r1", "whole/_ecdsa.py", "and 0 < s < curve.ORDER)", "and 0 < s)", {"ecdsa_verify"}),
        ("secp160r1", "whole/_ecdsa.py", 'key = mac(key, value + b"\\0")', "pass", {"ecdsa_sign"}),
        ("Ed448", "whole/_eddsa.py", "if s >= curve.ORDER:", "if s > curve.ORDER:", {"eddsa_verify"}),
        ("Ed448", "whole/_eddsa.py", " or len(context) > 255", "", {"eddsa_verify"}),
        ("Ed448", "whole/_elgamal.py", "if curve.is_in_subgroup(point):", "if point:", {"elgamal_embed"}),
        ("Curve25519", "whole/_exchange.py", "    if not common:", "    if False:", {"exchange"}),
    ],
)
def test_faults_are_found_in_python(curve, file, right, fault, functions, tmp_path):
    assert wrong("python", curve, tmp_path, file, right, fault) == functions


@pytest.mark.parametrize(
    ("curve", "file", "right", "fault", "functions"),
    [
        (
            "Curve25519",
            "whole_exchange.h",
            "i + 1 < WHOLE_FIELD_BYTES",
            "i - 1 < WHOLE_FIELD_BYTES",
            {"exchange"},
        ),
        (
            *(
                "Ed448",
                "whole_eddsa.h",
                "_hash(out, hash, &part, 1)",
                "_hash(out, hash, &part, 0)",
            ),
            {"eddsa_public_key", "eddsa_sign", "eddsa_sign_expanded", "eddsa_ph_sign_expanded"},
        ),
        (
            *("Ed448", "whole_eddsa.h", "return length <= 255;", "return length <= 511;"),
            {
                *("eddsa_sign", "eddsa_sign_expanded", "eddsa_verify"),
                *("eddsa_ph_sign_expanded", "eddsa_ph_verify"),
            },
        ),
        (
            *("secp160r1", "whole_ecdsa.h", "negated, sizeof negated) > 0", "negated, sizeof negated) < 0"),
            {"ecdsa_low_s", "ecdsa_has_low_s"},
        ),
        ("secp160r1", "whole_ecdsa.h", "recovery_id & 1);", "0);", {"ecdsa_recover"}),
        ("secp160r1", "whole_ecdsa_der.h", "(*der)[0] > 127", "(*der)[0] > 255", {"ecdsa_from_der"}),
        ("secp160r1", "whole_ecdsa_der.h", "inner == length", "inner <= length", {"ecdsa_from_der"}),
        ("secp160r1", "whole_ecdsa_der.h", "(*der)[1] < 128)", "(*der)[1] < 1)", {"ecdsa_from_der"}),
        ("secp160r1", "whole_ecdsa_der.h", " && length == 0", "", {"ecdsa_from_der"}),
        ("secp160r1", "whole_ecdsa_der.h", "memcmp(head, *der, count) != 0", "0", {"ecdsa_from_der"}),
    ],
)
@pytest.mark.usefixtures("cc")
def test_faults_are_found_in_c(curve, file, right, fault, functions, tmp_path):
    assert wrong("c", curve, tmp_path, file, right, fault) == functions


@pytest.mark.parametrize("curve", SYSTEMS)
def test_each_protocol_is_asked_what_it_has_to_refuse(curve):
    questions = subject("python", curve).suite(1).questions
    tests = ("verify", "has_low_s")
    refused = {
        q.function
        for q in questions
        if q.answer == REFUSED or (q.answer == "0" and any(name in q.function for name in tests))
    }
    asked = {q.function for q in questions if not q.function.startswith("sc_")}
    assert asked - refused <= {"elgamal_encrypt", "elgamal_decrypt", "ecdsa_to_der"}
    assert len(set(questions)) > 30


def test_a_directory_with_protocols_is_asked_them(efdgen, tmp_path):
    made = efdgen(
        *(
            "compile",
            "--lang",
            "python",
            "--curve",
            "Curve25519",
            "--set",
            "protocols",
            "--out",
            tmp_path / "a",
        )
    )
    assert made.code == 0
    done = efdgen("test", "--lang", "python", tmp_path / "a")
    assert done.code == 0
    assert re.search(r"Curve25519, protocols.*exchange_public_key", done.out, re.S)
    path = tmp_path / "a/curve25519/_exchange.py"
    path.write_text(path.read_text().replace("if not common:", "if False:"))
    assert efdgen("test", "--lang", "python", tmp_path / "a").code == 1
