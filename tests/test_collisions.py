"""Default headers after public headers of OpenSSL and macros of libsecp256k1, and beside each other."""

import subprocess

import pytest
from english import ROOT
from whole_c import WARNINGS

CURVES = {"secp256k1": "secp256k1", "P-256": "p256", "edwards25519": "edwards25519"}
OPENSSL = ("bn", "ec", "ecdsa", "evp", "hmac", "obj_mac", "ssl", "x509v3")
# The names that the public header of libsecp256k1 defines.
LIBSECP256K1 = """\
#ifndef SECP256K1_H
#define SECP256K1_H
#define SECP256K1_INLINE inline
#define SECP256K1_API extern
#define SECP256K1_GNUC_PREREQ(a, b) 1
#define SECP256K1_WARN_UNUSED_RESULT
#define SECP256K1_ARG_NONNULL(x)
typedef struct secp256k1_context_struct secp256k1_context;
typedef struct secp256k1_scratch_space_struct secp256k1_scratch_space;
typedef struct { unsigned char data[64]; } secp256k1_pubkey;
typedef struct { unsigned char data[64]; } secp256k1_ecdsa_signature;
#endif
"""


@pytest.mark.parametrize("language", ["c", "c++"])
@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.usefixtures("openssl")
def test_default_headers_follow_other_headers(cc, cxx, tmp_path, language, order):
    """Was: libsecp256k1's own guard hid secp256k1's header."""
    (tmp_path / "libsecp256k1.h").write_text(LIBSECP256K1)
    lines = ['#include "libsecp256k1.h"', *(f"#include <openssl/{name}.h>" for name in OPENSSL)]
    lines += [f'#include "{prefix}.h"' for prefix in CURVES.values()][::order]
    lines += ["void use(void);", "void use(void) {"]
    lines += [f"    static {p}_point {p}; {p}_double(&{p}, &{p});" for p in CURVES.values()]
    (tmp_path / "user.c").write_text("\n".join([*lines, "}", ""]))
    folders = [word for name in CURVES for word in ("-I", ROOT / "out" / name / "c")]
    compiler, standard = (cc, "-std=c99") if language == "c" else (cxx, "-std=c++11")
    done = subprocess.run(
        [compiler, "-x", language, standard, *WARNINGS, "-fsyntax-only", *folders, tmp_path / "user.c"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
