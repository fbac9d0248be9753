"""Protocols over whole curves in C, on the vectors of RFC 7748, 8032, 6979 and of NIST."""

import subprocess
from functools import cache

import pytest
from protocol_vectors import (
    HASHES,
    NIST,
    VECTORS,
    der_integers,
    ed448_vectors,
    ed25519_vectors,
    private_key,
    records,
    rfc6979,
)
from tools import SANITIZED, UNOPTIMISED, WARNINGS
from whole_c import compile_files, differences
from whole_curves import DATABASE

from efdgen.generator.compile import Request
from efdgen.generator.curves.affine import AffineCurve
from efdgen.generator.curves.load import load_curve
from efdgen.generator.files import render_plan
from efdgen.generator.planning.make import unproved
from efdgen.generator.planning.request import plan_curve
from efdgen.verify.scalars.reasons import require_safe

BY_CLANG = ("P-521", "edwards25519", "Curve448")
SYSTEMS = {"edwards25519": "extended-1", "secp256k1": "jacobian-0"} | dict.fromkeys(NIST, "jacobian-3")
LAYOUTS = {"secp256k1": "split", "Curve448": "split"}
CHECKED = [("edwards25519", "main"), ("secp256k1", "main"), ("Curve25519", "main")]
MAIN = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define MOST 65536
#define IS(name) (strcmp(words[0], name) == 0)

static char *words[8];
static uint8_t data[8][MOST];
static size_t sizes[8];

static void show(int given, const uint8_t *bytes, size_t length) {
    for (size_t i = 0; given && i < length; i++) {
        printf("%02x", (unsigned)bytes[i]);
    }
    printf("%s\\n", given ? "" : "refused");
}

static void answer(void);

int main(void) {
    static char line[4 * MOST];
    while (fgets(line, sizeof line, stdin)) {
        int count = 0;
        for (char *word = strtok(line, " \\n"); word && count < 8; word = strtok(NULL, " \\n")) {
            words[count] = word;
            sizes[count] = 0;
            for (const char *at = word + (count > 0 ? 1 : strlen(word)); *at; at += 2) {
                unsigned byte = 0;
                (void)sscanf(at, "%2x", &byte);
                data[count][sizes[count]++] = (uint8_t)byte;
            }
            count++;
        }
        answer();
    }
    return 0;
}
"""
EDDSA = """
#include "whole_eddsa.h"
#include "whole_elgamal.h"
#include "whole_hash_openssl.h"
HEAD
static void answer(void) {
    uint8_t out[WHOLE_SIGNATURE_BYTES];
    whole_hash hash = whole_hash_openssl(HASH);
    if (IS("public")) {
        show(whole_eddsa_public_key(out, data[1], &hash), out, WHOLE_ENCODED_BYTES);
    } else if (IS("sign")) {
        show(whole_eddsa_sign(out, data[1], data[2], sizes[2] CONTEXT(3), &hash), out, sizeof out);
    } else {
        printf("%d\\n", whole_eddsa_verify(data[1], data[2], sizes[2], data[3] CONTEXT(4), &hash));
    }
}
"""
EXCHANGE = """
#include "whole_exchange.h"
HEAD
static void answer(void) {
    uint8_t out[WHOLE_KEY_BYTES];
    if (IS("public")) {
        whole_exchange_public_key(out, data[1]);
        show(1, out, sizeof out);
    } else if (IS("iterate")) {
        uint8_t k[WHOLE_KEY_BYTES];
        memcpy(k, data[1], sizeof k);
        for (int i = data[2][0]; i > 0; i--) {
            (void)whole_exchange(out, k, data[1]);
            memcpy(data[1], k, sizeof k);
            memcpy(k, out, sizeof k);
        }
        show(1, out, sizeof out);
    } else {
        int given = whole_exchange(out, data[1], data[2]);
        show(given, out, sizeof out);
    }
}
"""
ECDSA = """
#include "whole_ecdh.h"
#include "whole_ecdsa.h"
#include "whole_elgamal.h"
#include "whole_hash_openssl.h"
HEAD
static void draw(void *context, uint8_t *out, size_t length) {
    (void)context;
    memset(out, 0x35, length);
}

static void answer(void) {
    uint8_t out[WHOLE_SIGNATURE_BYTES + WHOLE_FIELD_BYTES];
    whole_point p, ciphertext[2];
    whole_hash hash;
    if (IS("sign")) {
        hash = whole_hash_openssl(EVP_get_digestbyname(words[3] + 1));
        show(whole_ecdsa_sign_message(out, data[1], data[2], sizes[2], &hash), out,
             WHOLE_SIGNATURE_BYTES);
    } else if (IS("public")) {
        show(whole_ecdsa_public_key(&p, data[1]) && whole_encode_uncompressed(out, &p), out,
             1 + 2 * WHOLE_FIELD_BYTES);
    } else if (IS("verify")) {
        hash = whole_hash_openssl(EVP_get_digestbyname(words[4] + 1));
        printf("%d\\n", whole_decode(&p, data[1], sizes[1]) &&
            whole_ecdsa_verify_message(&p, data[2], sizes[2], data[3], &hash));
    } else if (IS("exchange")) {
        int given = whole_decode(&p, data[2], sizes[2]);
        given = whole_ecdh_exchange(out, data[1], &p) && given;
        show(given, out, WHOLE_FIELD_BYTES);
    } else if (IS("neutral")) {
        printf("%d\\n", whole_ecdh_exchange(out, data[1], &WHOLE_IDENTITY));
    } else if (IS("embed")) {
        whole_multiply_generator(&p, data[1]);
        if (!whole_elgamal_embed(&ciphertext[1], data[2])) {
            printf("no point ");
        }
        whole_elgamal_encrypt(ciphertext, &p, &ciphertext[1], draw, NULL);
        whole_elgamal_decrypt(&p, data[1], ciphertext);
        show(whole_elgamal_extract(out, &p), out, WHOLE_EMBED_BYTES);
    }
}
"""
PROGRAMS = {"g1p/twisted": EDDSA, "g1p/edwards": EDDSA, "g1p/montgom": EXCHANGE, "g1p/shortw": ECDSA}
CONTEXTS = {
    "edwards25519": "#define CONTEXT(i)\n#define HASH EVP_sha512()\n",
    "Ed448": "#define CONTEXT(i) , data[i], sizes[i]\n#define HASH EVP_shake256()\n",
}


@pytest.fixture(scope="module")
def program(compilers, openssl, tmp_path_factory):
    """Return what compiles the program of a curve."""

    @cache
    def compiled(curve: str):
        request = Request(
            "c",
            curve,
            SYSTEMS.get(curve),
            prefix="whole",
            layout=LAYOUTS.get(curve, "header"),
            set="protocols",
            table="small",
            lowering="calls",
        )
        files = render_plan(plan_curve(DATABASE, request, unproved, require_safe), request)
        main = PROGRAMS[load_curve(curve).model].replace("HEAD", MAIN)
        files["main.c"] = CONTEXTS.get(curve, "") + main
        folder = tmp_path_factory.mktemp("protocols")
        compiler = compilers["clang" if curve in BY_CLANG else "cc"]
        unused = ("driver.c", "driver_protocols.c", "example.c", "main.c")
        sources = sorted(name for name in files if name.endswith(".c") and name not in unused)
        for main in ("main", "example"):
            flags = SANITIZED if (curve, main) in CHECKED else UNOPTIMISED
            compile_files(folder, files, compiler, *flags, f"{main}.c", *sources, "-o", main, "-lcrypto")
        return folder / "main"

    return compiled


def show_example(main) -> str:
    """Return what the emitted example prints, beside the program of a curve."""
    done = subprocess.run([main.with_name("example")], capture_output=True, text=True, check=False)
    return done.stdout


def words(name: str, *arguments: bytes | str) -> str:
    """Return a request; a sign stands before each argument, so that none is empty."""
    return " ".join([name, *(f"={a if isinstance(a, str) else a.hex()}" for a in arguments)])


def test_ed25519(program):
    cases = []
    for secret, public, message, signature in ed25519_vectors():
        cases += [
            (words("public", secret), public.hex()),
            (words("sign", secret, message), signature.hex()),
            (words("verify", public, message, signature), "1"),
            (words("verify", public, message + b"x", signature), "0"),
        ]
    order = load_curve("edwards25519").order
    larger = (int.from_bytes(signature[32:], "little") + order).to_bytes(32, "little")
    wrongs = (signature[:32] + larger, bytes(64), signature[:31] + b"\xff" + signature[32:])
    cases += [(words("verify", public, message, wrong), "0") for wrong in wrongs]
    cases.append((words("verify", b"\xff" * 32, message, signature), "0"))
    assert len(cases) > 60
    assert differences(program("edwards25519"), cases) == []


def test_ed448(program):
    cases = []
    for secret, public, message, signature, context in ed448_vectors():
        cases += [
            (words("public", secret), public.hex()),
            (words("sign", secret, message, context), signature.hex()),
            (words("verify", public, message, signature, context), "1"),
            (words("verify", public, message, signature, context + b"x"), "0"),
            (words("verify", public, message, signature[:-1] + b"\1", context), "0"),
        ]
    cases.append((words("sign", secret, message, bytes(256)), "refused"))
    assert len(cases) > 25
    assert differences(program("Ed448"), cases) == []


@pytest.mark.parametrize(("curve", "name"), [("Curve25519", "X25519"), ("Curve448", "X448")])
def test_exchange_of_keys(curve, name, program):
    cases = []
    for row in records(VECTORS / name / "rfc7748.txt", "COUNT"):
        scalar, u, expected = (bytes.fromhex(row[key]) for key in ("INPUT_SCALAR", "INPUT_U", "OUTPUT_U"))
        cases.append((words("exchange", scalar, u), expected.hex()))
    assert len(cases) >= 3
    prime, size = load_curve(curve).prime, len(scalar)
    for small in (0, 1, prime - 1, prime, prime + 1):
        cases.append((words("exchange", scalar, small.to_bytes(size, "little")), "refused"))
    if curve == "Curve25519":
        nine = (9).to_bytes(32, "little")
        once = "422c8e7a6227d7bca1350b3e2bb7279f7897b87bb6854b783c60e80311ae3079"  # RFC 7748, 5.2
        same = ((9 + prime) % 2**256).to_bytes(32, "little")
        cases += [(words("exchange", nine, u), once) for u in (same, nine[:-1] + b"\x80")]
        cases.append((words("iterate", nine, b"\1"), once))
    assert differences(program(curve), cases) == []


@pytest.mark.parametrize("curve", NIST)
def test_ecdsa_and_ecdh_of_nist(curve, program):
    found, cases = load_curve(curve), []
    affine = AffineCurve(DATABASE.model(found.model), found.prime, found.parameters)
    size = (found.prime.bit_length() + 7) // 8

    def plain(x: int, y: int) -> bytes:
        return b"\4" + x.to_bytes(size, "big") + y.to_bytes(size, "big")

    for _, pem, name, message, output in (row for row in rfc6979() if row[0] == curve):
        secret = private_key(pem, size).to_bytes(size, "big")
        signature = b"".join(n.to_bytes(size, "big") for n in der_integers(output))
        cases.append((words("sign", secret, message.encode(), name), signature.hex()))
    secrets = {case[0].split()[1] for case in cases}
    for text in secrets:
        public = affine.multiple(int(text[1:], 16), tuple(found.generator.values()))
        cases.append((f"public {text}", plain(*public).hex()))
    rows = records(VECTORS / "ECDSA/FIPS_186-3/SigVer.rsp", "Msg")
    for row in (row for row in rows if row[""].startswith(f"{curve},")):
        x, y, r, s = (int(row[key], 16) for key in ("Qx", "Qy", "R", "S"))
        if max(x, y, r, s) >> 8 * size:
            continue
        signature = r.to_bytes(size, "big") + s.to_bytes(size, "big")
        name, message = HASHES[row[""].partition(",")[2]], bytes.fromhex(row["Msg"])
        verdict = str(int(row["Result"].startswith("P")))
        cases.append((words("verify", plain(x, y), message, signature, name), verdict))
    for row in (r for r in records(VECTORS / "ECDSA/FIPS_186-3/PKV.rsp", "Qx") if r[""] == curve):
        x, y = int(row["Qx"], 16), int(row["Qy"], 16)
        if max(x, y) >> 8 * size == 0 and row["Result"].startswith("F"):
            cases.append((words("exchange", bytes(size - 1) + b"\1", plain(x, y)), "refused"))
    x, y = found.generator.values()
    own = plain(x, y)
    cases += [
        (words("exchange", bytes(size - 1) + b"\1", own), x.to_bytes(size, "big").hex()),
        (words("exchange", bytes(size), own), "refused"),
        (words("exchange", found.order.to_bytes(size, "big"), own), "refused"),
        (words("neutral", bytes(size - 1) + b"\1"), "0"),
        (words("sign", bytes(size), b"m", "sha256"), "refused"),
    ]
    assert {"0", "1", "refused"} <= {answer for _, answer in cases}
    assert differences(program(curve), cases) == []


def test_secp256k1(program):
    cases = []
    for row in records(VECTORS / "ECDSA/SECP256K1/SigGen.txt", "Msg"):
        x, y, r, s = (bytes.fromhex(row[key].zfill(64)) for key in ("Qx", "Qy", "R", "S"))
        name, message = HASHES[row[""].partition(",")[2]], bytes.fromhex(row["Msg"])
        for wrong in (False, True):
            signature = r + (s if not wrong else bytes([s[0] ^ 1]) + s[1:])
            cases.append((words("verify", b"\4" + x + y, message, signature, name), str(int(not wrong))))
    assert len(cases) > 40
    secret = bytes(range(1, 33))
    for text in (bytes(29), b"\xff" * 29, bytes(range(29))):
        cases.append((words("embed", secret, text), text.hex()))
    assert differences(program("secp256k1"), cases) == []


@pytest.mark.parametrize("curve", ["secp256k1", "edwards25519", "Ed448", "Curve25519"])
def test_the_example_is_right(curve, program):
    assert show_example(program(curve)).endswith("all right\n")


@pytest.mark.parametrize("curve", ["secp256k1", "edwards25519", "Curve25519"])
@pytest.mark.usefixtures("hash_libraries")
def test_headers_are_cxx_too(curve, cxx, program):
    folder = program(curve).parent
    names = sorted(path.name for path in folder.glob("whole*.h"))
    assert len(names) > 1
    (folder / "all.cpp").write_text("".join(f'#include "{name}"\n' for name in names))
    subprocess.run([cxx, *WARNINGS, "-fsyntax-only", "all.cpp"], cwd=folder, check=True)


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
def test_libraries_of_hashes_agree(curve, protocol, size, compilers, program):
    folder = program(curve).parent
    sign = "ecdsa_sign_message" if protocol == "ecdsa" else f"{protocol}_sign"
    main = WIPE + ADAPTERS.replace("PROTOCOL", protocol).replace("SIZE", size).replace("SIGN(", f"{sign}(")
    sources = [path.name for path in folder.glob("whole*.c")]
    libraries = ("-lmbedcrypto", "-lsodium", "-lcrypto")
    compile_files(
        folder,
        {"adapters.c": main},
        compilers["cc"],
        *SANITIZED,
        *("adapters.c", *sources, "-o", "adapters", *libraries),
    )
    done = subprocess.run([folder / "adapters"], capture_output=True, text=True, check=True)
    *signatures, wiped = done.stdout.split()
    assert signatures[0][0] == "1"
    assert signatures[:3] == signatures[:1] * 3
    assert signatures[3:] == ["0" * len(signatures[0])] * 3
    assert wiped == "1"
