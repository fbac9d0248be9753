"""Parameters of hashing to curves, and proofs of maps to all systems of coordinates."""

import importlib
import shutil

import pytest
from test_python_package import written
from whole_curves import DATABASE

from efdgen.generator.compile import Request
from efdgen.generator.curves.hashing import hashing
from efdgen.generator.curves.load import built_in_curves, load_curve
from efdgen.generator.errors import EfdgenError
from efdgen.generator.formulas.layers import BUILT_IN, over
from efdgen.generator.planning.protocol_routines import protocol_module
from efdgen.generator.planning.request import draft_request
from efdgen.verify.routines.curve import without_reasons
from efdgen.verify.routines.hashing import prove_hashing

# Numbers z of the suites (RFC 9380, 8.2 to 8.8).
Z = {
    "P-256": -10,
    "P-384": -12,
    "P-521": -4,
    "edwards25519": 2,
    "edwards448": -1,
    "secp256k1": -11,
    "BLS12-381": 11,
}
HASHED = [curve.name for curve in built_in_curves() if hashing(curve)]
# Systems with an addition for all points of each of these curves.
LEAST = 3


@pytest.mark.parametrize("name", Z)
def test_the_search_for_z_finds_that_of_the_suite(name):
    curve = load_curve(name)
    assert hashing(curve).map.z == Z[name] % curve.prime


@pytest.mark.drawn(5)
@pytest.mark.parametrize("name", HASHED)
def test_maps_are_proved_in_every_system_that_has_a_plan(name):
    proved = 0
    for system in DATABASE.systems(load_curve(name).model):
        request = Request("c", name, set="curve", coords=system.rpartition("/")[2])
        try:
            plan = without_reasons(draft_request(DATABASE, request)[0])
        except EfdgenError:
            continue
        prove_hashing(plan, protocol_module(plan, "hash_to_curve"))
        proved += 1
    assert proved >= LEAST


def test_a_file_of_a_database_is_used_while_it_is_in_force(tmp_path):
    curve = load_curve("P-224")
    before = hashing(curve)
    (tmp_path / "hashing").mkdir()
    shutil.copy(BUILT_IN / "hashing" / "secp256r1.toml", tmp_path / "hashing" / "own.toml")
    text = (tmp_path / "hashing" / "own.toml").read_text()
    text = text.replace('"secp256r1"', f'"{curve.name}"').replace("P256_XMD", "OWN_XMD")
    (tmp_path / "hashing" / "own.toml").write_text(text)
    with over([tmp_path]):
        found = hashing(curve)
        assert (found.suite, found.published) == ("OWN_XMD:SHA-256_SSWU", True)
    assert hashing(curve) == before


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ("b = 1771", "b = 1772", "the polynomial is not that of a kernel"),
        ("0x3f8731ab", "0x3f8731ac", "the polynomial is not that of a kernel"),
        ('", 1]', '", 2]', "a kernel polynomial is monic"),
        ("hash =", "hush =", "unknown key"),
    ],
)
def test_wrong_parameters_are_refused(right, wrong, said, tmp_path):
    (tmp_path / "hashing").mkdir()
    text = (BUILT_IN / "hashing" / "secp256k1.toml").read_text()
    (tmp_path / "hashing" / "secp256k1.toml").write_text(text.replace(right, wrong))
    with over([tmp_path]), pytest.raises(EfdgenError, match=said):
        hashing(load_curve("secp256k1"))


@pytest.mark.slow
@pytest.mark.long
def test_packages_refuse_in_their_own_words(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    for curve, hash_name, other in (("P-224", "sha256", "shake128"), ("Ed448", "shake256", "sha256")):
        prefix = f"refusing_{curve.lower().replace('-', '')}"
        written(tmp_path, curve, prefix)
        module = importlib.import_module(f"{prefix}.hash_to_curve")
        assert len(module.expand_message(b"m", b"t", 0, hash_name)) == 0
        for length in (-1, 1 << 16, 1 << 80):
            with pytest.raises(ValueError, match="a tag has a byte or more, and at most"):
                module.expand_message(b"m", b"t", length, hash_name)
        for function in (module.hash_to_curve, module.encode_to_curve, module.hash_to_scalar):
            with pytest.raises(ValueError, match="a tag has a byte or more"):
                function(b"m", b"")
            with pytest.raises(ValueError, match="unsupported hash type"):
                function(b"m", b"t", other)
            with pytest.raises(TypeError):
                function("m", b"t")
