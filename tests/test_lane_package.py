"""Packages in Python over C with lanes: verdicts on many signatures at once, and multiples of many points."""

import importlib
import subprocess
import sys
from itertools import product

import pytest
from test_lane_verdicts_c import requests
from whole_curves import DATABASE

from efdgen.generator.compile import Request
from efdgen.generator.lanes.instructions import MACHINES
from efdgen.verify.vectors.whole_subjects import whole_subject

CURVES = "P-256", "secp256k1", "edwards25519", "Ed448"
SIZES = 0, 1, 7, 8, 9, 33


@pytest.fixture(scope="module", params=product(CURVES, MACHINES), ids=" ".join)
def built(request, cc, tmp_path_factory):
    """Return a curve, its package over C with lanes, and that of protocols in it."""
    curve, machine = request.param
    name = f"in_lanes_{curve}_{machine.rpartition('-')[2]}".lower().replace("-", "")
    wanted = Request("python", curve, prefix=name, set="protocols", backend="c", machine=machine)
    folder = tmp_path_factory.mktemp("lanes")
    for path, text in whole_subject(DATABASE, wanted, ["python"]).files["python"].items():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text(text.replace('"-O3"', '"-O0", "-Dalways_inline="'))
    subprocess.run([sys.executable, folder / name / "_build.py"], check=True, capture_output=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        scheme = "_eddsa" if curve in ("edwards25519", "Ed448") else "_ecdsa"
        modules = (importlib.import_module(f"{name}.{own}") for own in ("_curve", scheme, "keys"))
        yield curve, *modules


def octets(text):
    """Return bytes in hexadecimal; "-" is for none."""
    return b"" if text == "-" else bytes.fromhex(text)


def key_of(curve, text):
    """Return a point by its coordinates, which may be of no point of the curve."""
    x, y = (int(part or "0", 16) for part in (text[: len(text) // 2], text[len(text) // 2 :].strip("-")))
    return curve.IDENTITY if text == "-" else curve.Point(x, y, 1)


@pytest.mark.long
@pytest.mark.slow
def test_verdicts_are_those_by_integers(built, rng):
    name, curve, scheme, _ = built
    ecdsa = scheme.__name__.endswith("_ecdsa")
    for hashed, rows in requests(name, rng).items():
        every = [(key_of(curve, row[0]) if ecdsa else octets(row[0]), *row[1:]) for row in rows]
        given = [(row[0], *map(octets, row[1:3]), bool(row[3])) for row in every]
        given += [(*row[:2], row[2][:-1], False) for row in given[:9]]
        also = (hashed,) if ecdsa and hashed != "digests" else ()
        verb = "verify_digest" if hashed == "digests" else "verify"
        batches = [[rng.choice(given) for _ in range(size)] for size in SIZES]
        for batch in [*batches, given, given[3:] + given[:3]]:
            *columns, wanted = map(list, zip(*batch, strict=True)) if batch else [[]] * 4
            assert getattr(scheme, f"{verb}_batch")(*columns, *also) == wanted, batch
            assert [getattr(scheme, verb)(*row[:3], *also) for row in batch] == wanted, batch


@pytest.mark.long
@pytest.mark.slow
def test_keys_verify_many(built, rng):
    name, _, scheme, keys = built
    if scheme.__name__.endswith("_ecdsa"):
        owners = [keys.generate_private_key() for _ in range(17)]
    else:
        own = getattr(keys, "Ed448PrivateKey" if name == "Ed448" else "Ed25519PrivateKey")
        owners = [own.generate() for _ in range(17)]
    data = [rng.randbytes(at) for at in range(17)]
    signatures = [owner.sign(text) for owner, text in zip(owners, data, strict=True)]
    wrong = {3: signatures[4], 8: b"", 16: signatures[16] + b"\0", 5: signatures[5][:-1] + b"\xff"}
    given = [wrong.get(at, signature) for at, signature in enumerate(signatures)]
    publics = [owner.public_key() for owner in owners]
    assert keys.verify_batch(publics, given, data) == [at not in wrong for at in range(17)]
    assert keys.verify_batch([], [], []) == []
    with pytest.raises(ValueError, match=r"\S"):
        keys.verify_batch(publics[1:], given, data)


@pytest.mark.long
@pytest.mark.slow
def test_multiples_are_those_of_one_point(built, rng):
    _, curve, *_ = built
    edges = [0, 1, curve.ORDER - 1, curve.ORDER, *(rng.randrange(curve.ORDER) for _ in range(8))]
    for size in (0, 1, 8, 11):
        a, b = ([rng.choice(edges) for _ in range(size)] for _ in "ab")
        points = [curve.multiply_generator(rng.choice(edges)) for _ in range(size)]
        pairs = [*zip(a, points, strict=True)]
        found = curve.multiply_batch(a, points), curve.multiply_generator_batch(a)
        wanted = [curve.multiply(k, p) for k, p in pairs], [curve.multiply_generator(k) for k in a]
        for ours, theirs in zip(found, wanted, strict=True):
            assert all(map(curve.equal, ours, theirs))
            assert len(ours) == len(theirs)
        sums = curve.double_multiply_batch(a, b, points)
        assert len(sums) == size
        for found_sum, k, other, p in zip(sums, a, b, points, strict=True):
            assert curve.equal(found_sum, curve.double_multiply_var(k, other, p))
    with pytest.raises(ValueError, match="several lengths"):
        curve.multiply_batch([1], [])


def test_lanes_in_python_are_over_c(efdgen, tmp_path):
    options = ("--curve", "P-256", "--set", "curve", "--machine", "x86-64-avx512ifma")
    done = efdgen("compile", "--lang", "python", *options, "--out", f"{tmp_path}")
    assert done.code == 2
    assert "add --backend c" in done.err
