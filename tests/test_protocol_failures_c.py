"""Protocols in C with hash functions that fail: calls refuse, outputs are zeros, and nothing is leaked."""

import subprocess

import pytest
from protocol_files import protocols_of
from tools import SANITIZED
from whole_c import compile_files

# Each call of the hash function counts; the one with the number `fatal` fails.
PROGRAM = """
#include <stdio.h>
#include <string.h>
HEADERS
static whole_hash inner;
static int calls, fatal, begun, ended;

static int survives(void) {
    return calls++ != fatal;
}

static int init(void *state, const void *algorithm) {
    if (!survives() || !inner.init(state, algorithm)) {
        return 0;
    }
    begun++;
    return 1;
}

static int update(void *state, const uint8_t *bytes, size_t length) {
    return survives() && inner.update(state, bytes, length);
}

static int final(void *state, uint8_t *digest, size_t length) {
    ended++;
    return inner.final(state, digest, length) & survives();
}

static const uint8_t secret[64] = {3, 1}, message[300] = {1}, zeros[256];

static int attempt(uint8_t *out, size_t *size, const whole_hash *hash) {
    (void)message;
    CALL
}

int main(void) {
    uint8_t out[256], right[256];
    size_t size = 0;
    whole_hash hash = inner = whole_hash_openssl(HASH);
    fatal = -1;
    if (!attempt(right, &size, &inner)) {
        return 1;
    }
    hash.init = init;
    hash.update = update;
    hash.final = final;
    for (fatal = 0;; fatal++) {
        int done;
        calls = begun = ended = 0;
        memset(out, 0xAA, sizeof out);
        done = attempt(out, &size, &hash);
        if (begun != ended || (fatal < calls) == done) {
            return 2;
        }
        if (memcmp(out, done ? right : zeros, size) != 0) {
            return 3;
        }
        if (done) {
            printf("%d failures\\n", fatal);
            return 0;
        }
    }
}
"""
CALLS = {
    "ecdsa_sign": "*size = 64; return whole_ecdsa_sign_message(out, secret, message, sizeof message, hash);",
    "bip340_sign": "*size = 64; return whole_bip340_sign(out, secret, message, 300, secret + 32, hash);",
    "eddsa_public_key": "*size = 32; return whole_eddsa_public_key(out, secret, hash);",
    "eddsa_sign": "*size = 64; return whole_eddsa_sign(out, secret, message, sizeof message, hash);",
    "eddsa_ph": """
    whole_eddsa_key key;
    whole_hash_stream stream;
    uint8_t digest[WHOLE_PREHASH_BYTES] = {0};
    int done;
    *size = 64;
    memset(out, 0, 64);
    done = whole_eddsa_ph_start(&stream, hash);
    done &= whole_hash_add(&stream, message, 200);
    done &= whole_hash_add(&stream, message + 200, 100);
    done &= whole_hash_finish(&stream, digest);
    return done && whole_eddsa_expand_key(&key, secret, hash) &&
        whole_eddsa_ph_sign_expanded(out, &key, digest, message, 9, hash);
    """,
}
SUBJECTS = [(name, "edwards25519" if name.startswith("eddsa") else "secp256k1") for name in CALLS]


@pytest.mark.parametrize(("name", "curve"), SUBJECTS)
@pytest.mark.usefixtures("openssl")
def test_a_hash_function_that_fails_is_refused(name, curve, cc, tmp_path):
    files = dict(protocols_of(curve).files["c"])
    headers = [header for header in sorted(files) if header.startswith(f"whole_{name[:4]}")]
    text = "".join(f'#include "{header}"\n' for header in (*headers, "whole_hash_openssl.h"))
    hash_function = "EVP_sha512()" if curve == "edwards25519" else "EVP_sha256()"
    program = PROGRAM.replace("HEADERS", text).replace("CALL\n", f"{CALLS[name]}\n")
    files["failing.c"] = program.replace("HASH)", f"{hash_function})")
    compile_files(tmp_path, files, cc, *SANITIZED, "failing.c", "-o", "failing", "-lcrypto")
    done = subprocess.run([tmp_path / "failing"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, (done.returncode, done.stderr[-2000:])
    assert int(done.stdout.split()[0]) >= 3
