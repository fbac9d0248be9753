"""Protocols in C with words of both sizes, by their driver: every question, and published vectors."""

import hashlib
from functools import cache
from itertools import count
from pathlib import Path

import pytest
from english import ROOT
from protocol_files import protocols_of
from protocol_vectors import NIST, private_key, records, rfc6979
from tools import SANITIZED, UNOPTIMISED
from whole_c import compile_files, differences

from efdgen.verify.vectors.digest_cases import digests
from efdgen.verify.vectors.signature_cases import pair, signed_digest

WORDS = (64, 32)
VECTORS = ROOT / "tests" / "vectors"
# The order of this curve is so far below its prime that nonces are soon found whose x is not below it.
SMALL = """\
name = "small"
model = "g1p/shortw"
prime = 33554467
order = 33543173
cofactor = 1
parameters = {a = -3, b = 570}
generator = {x = 1, y = 17497542}
"""


@pytest.fixture(scope="module")
def driver(cc, openssl, tmp_path_factory):
    """Return what compiles the driver of a curve for words of a size, with sanitizers."""

    @cache
    def compiled(curve: str, bits: int) -> Path:
        folder = tmp_path_factory.mktemp("driver")
        flags = (*SANITIZED, f"-DWHOLE_WORD_BITS={bits}", f"-DWHOLE_N_WORD_BITS={bits}")
        compile_files(
            folder, protocols_of(curve).files["c"], cc, *flags, "driver.c", "-o", "driver", "-lcrypto"
        )
        return folder / "driver"

    return compiled


def ask(driver: Path, rows) -> list[str]:
    """Return the requests that are answered differently; a row ends with the answer, and - is no bytes."""
    return differences(driver, [(" ".join(part or "-" for part in row[:-1]), row[-1]) for row in rows])


@pytest.mark.drawn(2)
@pytest.mark.parametrize("bits", WORDS)
@pytest.mark.parametrize("curve", ["secp256k1", "P-521", "secp160r1", "edwards25519", "Ed448"])
def test_every_question_is_answered_right(curve, bits, driver, rng):
    seed = rng.randrange(1 << 32)
    print(f"seed {seed} of the questions")
    questions = protocols_of(curve).suite(seed).questions
    assert {"sc_inv", "sc_from_wide_bytes"} <= {question.function for question in questions}
    assert differences(driver(curve, bits), [(q.request, q.answer) for q in questions]) == []


@pytest.mark.parametrize("bits", WORDS)
@pytest.mark.parametrize(
    ("curve", "title", "name"),
    [
        ("edwards25519", "Ed25519ctx", "eddsa_ctx"),
        ("edwards25519", "Ed25519ph", "eddsa_ph"),
        ("Ed448", "Ed448ph", "eddsa_ph"),
    ],
)
def test_variants_of_rfc_8032(curve, title, name, bits, driver):
    rows = []
    for row in (r for r in records(VECTORS / "rfc8032.txt", "COUNT") if r[""] == title):
        secret, owner, message, context, signature = (
            row[key] for key in ("SECRET", "PUBLIC", "MESSAGE", "CONTEXT", "SIGNATURE")
        )
        rows += [
            ("eddsa_public_key", secret, owner),
            (f"{name}_sign_expanded", secret, message, context, signature),
            (f"{name}_verify", owner, message, signature, context, "1"),
            (f"{name}_verify", owner, message, signature, context + "00", "0"),
            (f"{name}_sign_expanded", secret, message, "00" * 256, "refused"),
        ]
    assert rows
    assert ask(driver(curve, bits), rows) == []


@pytest.mark.parametrize("bits", WORDS)
def test_vectors_of_bip_340(bits, driver):
    rows, verdicts = [], []
    for row in records(VECTORS / "bip340.txt", "COUNT"):
        if row["SECRET"]:
            rows.append(("bip340_public_key", row["SECRET"], row["PUBLIC"]))
            rows.append(("bip340_sign", row["SECRET"], row["MESSAGE"], row["RANDOM"], row["SIGNATURE"]))
        verdicts.append("1" if row["RESULT"] == "P" else "0")
        rows.append(("bip340_verify", row["PUBLIC"], row["MESSAGE"], row["SIGNATURE"], verdicts[-1]))
    assert (verdicts.count("1"), verdicts.count("0")) == (9, 10)
    assert ask(driver("secp256k1", bits), rows) == []


@pytest.mark.parametrize("bits", WORDS)
@pytest.mark.parametrize("curve", NIST)
def test_published_digests_and_der(curve, bits, driver):
    found, rows = protocols_of(curve).curve, []
    for _, pem, name, message, output in (row for row in rfc6979() if row[0] == curve):
        if name.lower() not in ("sha224", "sha256", "sha512"):
            continue
        secret = private_key(pem, found.field_bytes)
        digest = hashlib.new(name, message.encode()).hexdigest()
        r, s, number = signed_digest(found, secret, bytes.fromhex(digest), name)
        signature, owner = pair(found, r, s).hex(), found.point(found.multiple(secret, found.generator))
        rows += [
            ("ecdsa_to_der", signature, output.hex()),
            ("ecdsa_from_der", output.hex(), signature),
            ("ecdsa_sign_digest", found.scalar(secret), digest, name.lower(), f"{signature} {number}"),
            ("ecdsa_verify_digest", owner, digest, signature, "1"),
            ("ecdsa_recover", digest, signature, str(number), owner),
        ]
    assert len(rows) > 25
    assert ask(driver(curve, bits), rows) == []


@pytest.mark.parametrize("bits", WORDS)
def test_recovery_ids_of_an_x_above_the_order(bits, driver, rng, tmp_path_factory):
    path = tmp_path_factory.getbasetemp() / "small.toml"
    path.write_text(SMALL)
    curve = protocols_of(str(path)).curve
    d = rng.randrange(1, curve.order)
    owner, rows = curve.point(curve.multiple(d, curve.generator)), [*digests(curve, rng)]
    missing = {"2", "3"}
    for n in count(rng.randrange(1 << 32)):
        digest = hashlib.sha256(str(n).encode()).digest()
        r, s, number = signed_digest(curve, d, digest, "sha256")
        if str(number) in missing:
            text = pair(curve, r, s).hex()
            rows.append(("ecdsa_sign_digest", curve.scalar(d), digest.hex(), "sha256", f"{text} {number}"))
            rows.append(("ecdsa_recover", digest.hex(), text, str(number), owner))
            missing.remove(str(number))
        if not missing:
            break
    assert ask(driver(str(path), bits), rows) == []


@pytest.mark.parametrize(
    ("curve", "file", "right", "fault", "functions"),
    [
        ("secp256k1", "bip340", "!whole_bip340_is_odd(&reduced.Y)", "1", {"bip340_verify"}),
        ("secp256k1", "bip340", "!whole_lift_x(&p, &x, 0)", "!whole_lift_x(&p, &x, 1)", {"bip340_verify"}),
        ("secp256k1", "bip340", "masked[i] ^= digest[i]", "masked[i] |= digest[i]", {"bip340_sign"}),
        ("secp256k1", "ecdsa", "whole_ecdsa_excess, WHOLE_", "r, WHOLE_", {"ecdsa_recover"}),
        ("edwards25519", "eddsa", "sizeof domain->head", "0", {"ctx", "ph"}),
        ("edwards25519", "eddsa", "make_domain(&domain, 1, ", "make_domain(&domain, 0, ", {"ph"}),
        ("edwards25519", "sc", "piece = WHOLE_N_FE_BYTES - 1", "piece = WHOLE_N_FE_BYTES", {"sc", "eddsa"}),
    ],
)
@pytest.mark.usefixtures("openssl")
def test_faults_are_found(curve, file, right, fault, functions, cc, tmp_path):
    files = dict(protocols_of(curve).files["c"])
    text = files[f"whole_{file}.h"]
    assert right in text
    files[f"whole_{file}.h"] = text.replace(right, fault)
    compile_files(tmp_path, files, cc, *UNOPTIMISED, "driver.c", "-o", "driver", "-lcrypto")
    questions = [(q.request, q.answer) for q in protocols_of(curve).suite(1).questions]
    found = {line.partition(" ")[0] for line in differences(tmp_path / "driver", questions)}
    assert all(any(name in function for function in found) for name in functions)
