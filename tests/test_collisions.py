"""Default headers after the public headers of other libraries, after macros, and beside each other."""

import subprocess
from functools import cache

import pytest
from english import ROOT
from host_packages import C_HOSTS, libsecp256k1_sources
from tools import WARNINGS
from whole_curves import DATABASE

from efdgen.generator.compile import Request
from efdgen.generator.curves.instantiate import suitable_prime
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.generator.text.keywords import C_MACROS
from efdgen.verify.hosts.packages import crate_sources
from efdgen.verify.vectors.subjects import every_formula
from efdgen.verify.vectors.testing import LARGE_FIELD
from efdgen.verify.vectors.whole_subjects import whole_subject

CURVES = ("secp256k1", "P-256", "edwards25519", "Curve25519", "Ed448")
# OpenSSL and BoringSSL define the same names, and so are never in one program.
HOSTS = {
    "libsecp256k1": (
        "secp256k1",
        *(f"secp256k1_{part}" for part in ("ecdh", "extrakeys", "recovery", "schnorrsig")),
    ),
    "OpenSSL": tuple(
        f"openssl/{part}" for part in ("bn", "ec", "ecdh", "ecdsa", "evp", "hmac", "sha", "ssl")
    ),
    "BoringSSL": tuple(
        f"openssl/{part}" for part in ("bn", "curve25519", "ec_key", "ecdsa", "evp", "sha", "ssl")
    ),
    "mbedTLS": tuple(f"mbedtls/{part}" for part in ("ecdh", "ecdsa", "ecp", "md", "pk", "sha256", "sha512")),
    "libsodium": ("sodium",),
}
FORMULAS = ("formulas of odd characteristic", "formulas of characteristic 2")
SYSTEM = (
    "limits",
    "stddef",
    "stdint",
    "stdio",
    "stdlib",
    "string",
    "immintrin",
    "openssl/evp",
    "openssl/hmac",
)
PROGRAMS = (("libsecp256k1", "OpenSSL", "mbedTLS", "libsodium"), ("libsecp256k1", "BoringSSL"), ())


@cache
def emitted() -> dict[str, str]:
    """The headers of curves with their protocols, under their default names."""
    found: dict[str, str] = {}
    for curve in CURVES:
        request = Request("c", curve, set="protocols", table="small", lowering="calls")
        files = whole_subject(DATABASE, request, ["c"]).files["c"]
        found |= {name: text for name, text in files.items() if name.endswith(".h")}
    return found


@pytest.mark.parametrize("language", ["c", "c++"])
@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("hosts", PROGRAMS, ids=["OpenSSL and others", "BoringSSL", "none"])
@pytest.mark.usefixtures("openssl", "cargo")
def test_default_headers_follow_other_headers(hosts, cc, cxx, tmp_path, language, order):
    """Was: libsecp256k1's own guard hid secp256k1's header; its functions were defined again."""
    headers = [name for name in emitted() if "_hash_" not in name and not name.endswith("_32.h")]
    for name, text in emitted().items():
        (tmp_path / name).write_text(text)
    lines = [f"#include <{part}.h>" for host in hosts for part in HOSTS[host]]
    lines += [f'#include "{name}"' for name in headers[::order]]
    prefixes = [name.removesuffix("_wipe.h") for name in headers if name.endswith("_wipe.h")]
    assert len(prefixes) == len(CURVES)
    lines += [f"int use_{p}(void);\nint use_{p}(void) {{ return {p.upper()}_FE_BITS; }}" for p in prefixes]
    (tmp_path / "user.c").write_text("\n".join([*lines, ""]))
    folders = [libsecp256k1_sources(ROOT / "build" / "hosts") / "include"] if hosts else []
    if "BoringSSL" in hosts:
        folders.append(
            crate_sources(C_HOSTS, ROOT / "build" / "hosts" / "c") / "boring-sys/deps/boringssl/include"
        )
    found = [word for folder in folders for word in ("-isystem", str(folder))]
    compiler, standard = (cc, "-std=c11") if language == "c" else (cxx, "-std=c++17")
    done = subprocess.run(
        [compiler, "-x", language, standard, *WARNINGS, "-fsyntax-only", *found, "-iquote", ".", "user.c"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", ["curves", *FORMULAS])
@pytest.mark.usefixtures("openssl")
def test_headers_use_no_macro_of_other_headers(name, cc, tmp_path):
    """A local called ``small`` does not compile on Windows; here each use of a macro is a syntax error."""
    grounds = dict(zip(FORMULAS, (PrimeField(suitable_prime(256)), LARGE_FIELD), strict=True))
    files = every_formula(DATABASE, grounds[name], ["c"], 1).files["c"] if name in grounds else emitted()
    for file, text in files.items():
        (tmp_path / file).write_text(text)
    headers = [f for f in files if f.endswith(".h") and not f.endswith(("_32.h", "_sodium.h", "_mbedtls.h"))]
    macros = [macro for found in C_MACROS.values() for macro in found.split()]
    lines = [f"#include <{part}.h>" for part in SYSTEM]
    lines += [f"#undef {macro.partition('(')[0]}\n#define {macro} 1 @" for macro in macros]
    lines += [f'#include "{header}"' for header in headers]
    (tmp_path / "user.c").write_text("\n".join([*lines, ""]))
    command = [cc, "-std=gnu11", "-fsyntax-only", "-iquote", ".", "user.c"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
