"""Outputs of protocols in C in the place of inputs: the same results, and zeros after each refusal."""

import re
import subprocess
from collections import Counter
from dataclasses import dataclass

import pytest
from english import ROOT
from overlaps import functions, wrapped
from protocol_files import protocols_of, whole_of
from tools import SANITIZED
from whole_c import compile_files
from whole_curves import DATABASE

from efdgen.generator.compile import Request
from efdgen.verify.vectors.whole_cases import Question
from efdgen.verify.vectors.whole_curve import REFUSED
from efdgen.verify.vectors.whole_subjects import whole_subject

# On curves of a small cofactor every known message has a point.
NEVER_REFUSE = {"elgamal_embed", "embed_var"}
# A supersingular curve of p + 1 points: each message of a byte has about four points in the subgroup.
SPARSE = """\
name = "sparse"
model = "g1p/shortw"
prime = 2152671167
order = 190031
cofactor = 11328
parameters = {a = 0, b = 7}
generator = {x = 1866550730, y = 1387701082}
"""
CURVES = ("secp256k1", "P-521", "edwards25519", "Ed448", "Curve25519")
# Functions that the driver of some curve does not call; a stream restarts with the table that it holds.
OTHERS = """
#undef main
static int others(void) {
    uint8_t bytes[WHOLE_SCALAR_BYTES] = {0}, digests[2][WHOLE_HASH_DIGEST_MAX];
    whole_hash hash = whole_hash_openssl(HASH);
    whole_hash_stream stream;
    whole_sc a;
    int right = !whole_sc_from_key(&a, bytes) && whole_sc_is_zero(&a);
    bytes[WHOLE_SCALAR_BYTES / 2] = 1;
    right &= whole_sc_from_key(&a, bytes) && !whole_sc_is_zero(&a);
    stream.hash = hash;
    for (int i = 0; i < 2; i++) {
        whole_hash_refuse(digests[i], &hash);
        right &= whole_hash_start(&stream, i == 0 ? &hash : &stream.hash);
        right &= whole_hash_add(&stream, bytes, sizeof bytes) && whole_hash_finish(&stream, digests[i]);
        stream.hash = hash;
    }
    return right && memcmp(digests[0], digests[1], hash.digest_bytes) == 0;
}

int main(void) {
    return others() ? driver_main() : 30;
}
"""


def protocol_headers(files) -> list[str]:
    """Return the headers of protocols, without those of libraries, of the curve and of its fields."""
    names = (name for name in files if re.fullmatch(r"whole_(?!n[_.]|hash_(?!to_curve))[a-z]\w*\.h", name))
    return sorted(name for name in names if name != "whole_wipe.h")


def documented() -> set[str]:
    """Return the words in code of the page about curves, among them the exported functions of a curve."""
    page = (ROOT / "docs" / "curves-api.md").read_text()
    return {word for span in re.findall(r"`([^`\n]+)`", page) for word in re.findall(r"\w+", span)}


@dataclass(frozen=True)
class Trial:
    """A run of a driver: the requests that it answers wrong, faults, and how each function was tried.

    ``tried`` has the number of calls that were not refused, of refused ones, and of shared places.
    """

    wrong: list[str]
    faults: Counter[str]
    tried: dict[str, tuple[int, ...]]


def trial(files, questions, cc, folder, exported=()) -> Trial:
    """Return how the protocols of a curve are tried by the questions to its driver, or exported functions."""
    found = wrapped(files, ["whole.h"] if exported else protocol_headers(files), exported)
    if "whole_hash.h" in files and not exported:
        hashed = "EVP_shake256()" if "EVP_shake256()" in files["driver.c"] else "EVP_sha256()"
        others = OTHERS.replace("HASH)", f"{hashed})")
        found["driver.c"] = f"#define main driver_main\n{files['driver.c']}{others}"
    flags = (*SANITIZED, "-Wno-unused-function")
    compile_files(folder, found, cc, *flags, "driver.c", "-o", "driver", "-lcrypto")
    text = "".join(f"{question.request}\n" for question in questions)
    done = subprocess.run([folder / "driver"], input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    said = [line.split(": ", 1) for line in done.stderr.splitlines()]
    counts = [line.split() for kind, line in said if kind == "tried"]
    answers = zip(questions, done.stdout.splitlines(), strict=True)
    return Trial(
        [question.request for question, answer in answers if answer != question.answer],
        Counter(line for kind, line in said if kind == "fault"),
        {name: (*map(int, numbers),) for name, *numbers in counts},
    )


@pytest.mark.long
@pytest.mark.drawn(2)
@pytest.mark.parametrize("curve", CURVES)
@pytest.mark.usefixtures("openssl")
def test_every_function_takes_outputs_in_the_place_of_inputs(curve, cc, tmp_path, rng):
    subject = protocols_of(curve)
    files = subject.files["c"]
    questions = subject.suite(rng.randrange(1 << 32)).asked("c")
    rng.shuffle(questions)
    found = trial(files, questions, cc, tmp_path)
    assert (found.wrong, found.faults) == ([], {})
    every = [f for name in protocol_headers(files) for f in functions(files[name])]
    assert not_tried(every, found.tried) == NEVER_REFUSE & found.tried.keys()


def not_tried(every, tried) -> set[str]:
    """Return the functions that were not called, not with a shared place, or not so that they refuse."""
    counts = {f.name: tried.get(f.name, (0, 0, 0)) for f in every}
    called = {f.name for f in every if not counts[f.name][0]}
    shared = {f.name for f in every if not counts[f.name][2] and may_share(f)}
    return called | shared | {f.name for f in every if f.refuses and not counts[f.name][1]}


def may_share(function) -> bool:
    """Return whether an output may be in the place of an input."""
    types = {p.pointed for p in function.written}
    return any(p.pointed.removeprefix("const ") in types for p in function.inputs)


@pytest.mark.long
@pytest.mark.usefixtures("openssl")
def test_a_message_without_a_point_leaves_zeros(cc, tmp_path):
    (tmp_path / "sparse.toml").write_text(SPARSE)
    names = {"prefix": "whole", "set": "protocols", "table": "small", "lowering": "calls"}
    whole = whole_subject(DATABASE, Request("c", str(tmp_path / "sparse.toml"), **names), ["c"])
    files = {**whole.files["c"], "driver.c": whole.files["c"]["driver_protocols.c"]}
    curve, point, first = whole.curve, whole.curve.generator, {}
    for _ in range(curve.order - 1):
        if point[1] % 2 == 0:
            first[point[0] >> 16] = min(point, first.get(point[0] >> 16, point))
        point = curve.affine.add(point, curve.generator)
    assert 0 not in first
    questions = [
        Question("elgamal_embed", ("01",), curve.point(first[1]), "edge"),
        Question("elgamal_embed", ("00",), REFUSED, "edge"),
    ]
    found = trial(files, questions, cc, tmp_path)
    assert (found.wrong, found.faults) == ([], {})
    assert found.tried["elgamal_embed"][:2] == (1, 1)


WIPED = "memset(signature, 0, WHOLE_SIGNATURE_BYTES);"
DIGEST = "    whole_ecdsa_digest(&e, digest, length);\n    done"
OPEN = "    int valid = whole_der_open"
COMMIT = "    if (done) {\n        whole_eddsa_commit(made"
# Edits of headers, and a fault that is then reported.
FAULTS = {
    "secp256k1": [
        ("ecdsa", DIGEST, f"    {WIPED}\n{DIGEST}", "ecdsa_sign_digest, signature at digest: another result"),
        (
            "ecdsa",
            "_select(r, r, &none, valid)",
            "_negate(&none, &none)",
            "ecdsa_public_key, r: not zeros after a refusal",
        ),
        (
            *("ecdsa_der", OPEN, f"    {WIPED}\n{OPEN}"),
            "ecdsa_from_der, signature at der: another result",
        ),
        (
            "elgamal",
            "&reduced.X, &zero, valid)",
            "&reduced.X, &zero, valid | 1)",
            "elgamal_extract, message: not zeros after a refusal",
        ),
        (
            "sc",
            "set_zero(&sum)",
            "set_zero(&sum), whole_n_fe_set_zero(r)",
            "sc_from_wide_bytes, r at bytes: another result",
        ),
        (
            *("hash", "whole_hash_refuse(digest, &stream->hash)", "(void)digest"),
            "hash_parts, digest, with a hash that fails: not zeros after a refusal",
        ),
    ],
    "edwards25519": [
        ("eddsa", COMMIT, f"    {WIPED}\n{COMMIT}", "eddsa_sign_expanded, signature at key: another result"),
        (
            "eddsa",
            "memset(key, 0, sizeof *key)",
            "(void)key",
            "eddsa_expand_key, key, with a hash that fails: not zeros after a refusal",
        ),
    ],
}


@pytest.mark.drawn(1)
@pytest.mark.parametrize("curve", FAULTS)
@pytest.mark.usefixtures("openssl")
def test_faults_are_found(curve, cc, tmp_path, rng):
    files = dict(protocols_of(curve).files["c"])
    for name, right, fault, _ in FAULTS[curve]:
        header = f"whole_{name}.h"
        assert files[header].count(right) == 1, right
        files[header] = files[header].replace(right, fault)
    questions = protocols_of(curve).suite(rng.randrange(1 << 32)).asked("c")
    rng.shuffle(questions)
    found = trial(files, questions, cc, tmp_path).faults
    assert {report for *_, report in FAULTS[curve]} - found.keys() == set()


@pytest.mark.long
@pytest.mark.drawn(1)
@pytest.mark.parametrize("curve", ["secp256k1", "edwards25519", "Curve25519"])
def test_every_function_of_a_curve_takes_outputs_that_are_inputs(curve, cc, tmp_path, rng):
    subject = whole_of(curve)
    files, named = subject.files["c"], documented()
    questions = subject.suite(rng.randrange(1 << 32)).asked("c")
    if curve == "secp256k1":
        questions += [Question(name, ("O",), REFUSED, "edge") for name in ("encode", "encode_uncompressed")]
    rng.shuffle(questions)
    found = trial(files, questions, cc, tmp_path, named)
    assert (found.wrong, found.faults) == ([], {})
    every = functions(files["whole.h"], named)
    assert len(every) > 5
    assert not_tried(every, found.tried) == NEVER_REFUSE & found.tried.keys()
