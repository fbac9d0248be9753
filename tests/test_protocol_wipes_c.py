"""Locals of protocols in C: those that hold scalars, keys or bytes made of them are wiped where they end."""

import re

import pytest
from whole_curves import DATABASE
from wipes import left

from efdgen.generator.compile import Request
from efdgen.verify.vectors.whole_subjects import whole_subject


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.parametrize("curve", ["secp256k1", "edwards25519", "Ed448", "Curve25519", "Jubjub"])
def test_locals_of_functions_on_secrets_are_wiped(curve):
    request = Request("c", curve, set="protocols", prefix="whole", table="small", lowering="calls")
    files = whole_subject(DATABASE, request, ["c"]).files["c"]
    assert left(files, "whole") == {}
    headers = {name: text for name, text in files.items() if re.fullmatch(r"whole_.*\.h", name)}
    wipes = {
        (name, line) for name, text in headers.items() for line in re.findall(r"^.*_WIPE\(&.*\n", text, re.M)
    }
    assert wipes
    assert [
        line for name, line in sorted(wipes) if not left({name: headers[name].replace(line, "")}, "whole")
    ] == []
