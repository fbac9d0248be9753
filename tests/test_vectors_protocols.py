"""The suite of protocols: what is asked, and directories that are tested."""

import re

import pytest
from protocol_files import protocols_of

from efdgen.verify.vectors.whole_curve import REFUSED


@pytest.mark.slow
@pytest.mark.parametrize("curve", ["secp160r1", "Ed448", "Curve25519"])
def test_each_protocol_is_asked_what_it_has_to_refuse(curve):
    questions = protocols_of(curve, "python").suite(1).questions
    tests = ("verify", "has_low_s")
    refused = {
        q.function
        for q in questions
        if q.answer == REFUSED or (q.answer == "0" and any(name in q.function for name in tests))
    }
    asked = {q.function for q in questions if not q.function.startswith("sc_")}
    maps = {"map_to_curve", "map_to_montgomery"}
    assert asked - refused <= {"elgamal_encrypt", "elgamal_decrypt", "ecdsa_to_der", *maps}
    assert len(set(questions)) > 30


def test_a_directory_with_protocols_is_asked_them(efdgen, tmp_path):
    options = "compile --lang python --curve Curve25519 --set protocols --out"
    made = efdgen(*options.split(), tmp_path / "a")
    assert made.code == 0
    done = efdgen("test", "--lang", "python", tmp_path / "a")
    assert done.code == 0
    assert re.search(r"Curve25519, protocols.*exchange_public_key", done.out, re.S)
    path = tmp_path / "a/curve25519/_exchange.py"
    path.write_text(path.read_text().replace("if not common:", "if False:"))
    assert efdgen("test", "--lang", "python", tmp_path / "a").code == 1
