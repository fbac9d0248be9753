"""Signed images with the hash of mbed TLS."""

import hashlib
import subprocess
from pathlib import Path

import pytest

from efdgen.generator.curves.load import load_curve
from efdgen.generator.formulas.database import Database
from efdgen.verify.vectors.digest_cases import der
from efdgen.verify.vectors.signature_cases import signed_digest
from efdgen.verify.vectors.whole_curve import WholeCurve


@pytest.mark.usefixtures("cc", "hash_libraries")
def test_signed_images_with_the_hash_of_mbedtls(project: Path, passes) -> None:
    assert passes()

    def image(*words: str, data: bytes = b"an image") -> tuple[int, str]:
        done = subprocess.run(["./image", *words], input=data, capture_output=True, check=False)
        return done.returncode, done.stdout.decode().strip()

    curve = WholeCurve.of(load_curve("secp256k1"), Database())
    digest = hashlib.sha256(b"an image").digest()
    r, s, _ = signed_digest(curve, 5, digest, "sha256")
    secret, key = f"{5:064x}", curve.encoded(curve.multiple(5, curve.generator)).hex()
    low, high = (der(r, n).hex() for n in sorted((s, curve.order - s)))
    assert image("public", secret) == (0, key)
    assert image("sign", secret) == (0, low)
    assert image("verify", key, low) == (0, "")
    assert image("verify", key, high) == (1, "")
    assert image("verify", key, low + "00") == (1, "")
    assert image("verify", key, low, data=b"another") == (1, "")
    assert image("sign", "00" * 32) == (1, "")
    assert image("sign", "x") == (2, "")
