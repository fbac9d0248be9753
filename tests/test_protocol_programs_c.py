"""Protocols in C beside programs of others: examples, C++, and libraries of hash functions."""

import subprocess
from functools import cache
from pathlib import Path

import pytest
from protocol_files import request_of
from tools import SANITIZED, UNOPTIMISED
from whole_c import WARNINGS, compile_files
from whole_curves import DATABASE

from efdgen.generator.files import render_plan
from efdgen.generator.planning.request import plan_curve
from efdgen.verify.plan_proofs import SafePlans

SPLIT = ("secp256k1", "Curve448")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return what writes the protocols of a curve, printed once, to a folder."""

    @cache
    def written(curve: str) -> Path:
        layout = "split" if curve in SPLIT else "header"
        request = request_of(curve, "c", layout)
        found = tmp_path_factory.mktemp("protocols")
        for name, text in render_plan(plan_curve(DATABASE, request, SafePlans()), request).items():
            (found / name).write_text(text)
        return found

    return written


def run(folder: Path, compiler: str, name: str, *flags: str) -> str:
    """Compile a program beside the protocols of a curve; return what it prints."""
    sources = sorted(path.name for path in folder.glob("whole*.c"))
    compile_files(folder, {}, compiler, f"{name}.c", *sources, "-o", name, *flags)
    return subprocess.run([folder / name], capture_output=True, text=True, check=False).stdout


@pytest.mark.parametrize("curve", ["secp256k1", "edwards25519", "Ed448", "Curve25519", "Curve448"])
@pytest.mark.usefixtures("openssl")
def test_the_example_is_right(curve, compilers, folder):
    flags = UNOPTIMISED if curve.endswith("448") else SANITIZED
    compiler = compilers["clang" if curve in ("edwards25519", "Curve448") else "cc"]
    assert run(folder(curve), compiler, "example", *flags, "-lcrypto").endswith("all right\n")


@pytest.mark.parametrize("curve", ["secp256k1", "edwards25519", "Curve25519"])
@pytest.mark.usefixtures("hash_libraries", "openssl")
def test_headers_are_cxx_too(curve, cxx, folder):
    names = sorted(path.name for path in folder(curve).glob("whole*.h"))
    assert len(names) > 1
    (folder(curve) / "all.cpp").write_text("".join(f'#include "{name}"\n' for name in names))
    subprocess.run([cxx, *WARNINGS, "-fsyntax-only", "all.cpp"], cwd=folder(curve), check=True)


ADAPTERS = """
#include "whole_PROTOCOL.h"
#include "whole_hash_mbedtls.h"
#include "whole_hash_openssl.h"
#include "whole_hash_sodium.h"
#include <stdio.h>
int main(void) {
    const uint8_t secret[32] = {7}, message[300] = {1};
    uint8_t signature[WHOLE_SIGNATURE_BYTES];
    whole_hash tables[6] = {whole_hash_openssl(EVP_shaSIZE()), whole_hash_mbedtls(MBEDTLS_MD_SHASIZE),
                            whole_hash_sodium_shaSIZE(),       whole_hash_mbedtls(MBEDTLS_MD_NONE),
                            whole_hash_openssl(EVP_shaSIZE()), whole_hash_openssl(EVP_shaSIZE())};
    tables[4].state_bytes = WHOLE_HASH_STATE_BYTES + 1;
    tables[5].digest_bytes = WHOLE_HASH_DIGEST_MAX + 1;
    for (int i = 0; i < 6; i++) {
        printf("%d", whole_SIGN(signature, secret, message, sizeof message, &tables[i]));
        for (size_t j = 0; j < sizeof signature; j++) {
            printf("%02x", (unsigned)signature[j]);
        }
        printf("\\n");
    }
    printf("%d\\n", wipes > 0);
    return 0;
}
"""
WIPE = """
#include <string.h>
static int wipes;
#define WHOLE_WIPE(at, length) (wipes++, (void)memset(at, 0, length))
"""


@pytest.mark.parametrize(
    ("curve", "protocol", "size"), [("secp256k1", "ecdsa", "256"), ("edwards25519", "eddsa", "512")]
)
@pytest.mark.usefixtures("hash_libraries")
def test_libraries_of_hashes_agree(curve, protocol, size, cc, folder):
    sign = "ecdsa_sign_message" if protocol == "ecdsa" else f"{protocol}_sign"
    main = WIPE + ADAPTERS.replace("PROTOCOL", protocol).replace("SIZE", size).replace("SIGN(", f"{sign}(")
    (folder(curve) / "adapters.c").write_text(main)
    libraries = ("-lmbedcrypto", "-lsodium", "-lcrypto")
    *signatures, wiped = run(folder(curve), cc, "adapters", *SANITIZED, *libraries).split()
    assert signatures[0][0] == "1"
    assert signatures[:3] == signatures[:1] * 3
    assert signatures[3:] == ["0" * len(signatures[0])] * 3
    assert wiped == "1"
