"""ECDSA in crates with RustCrypto's interface and lanes: verdicts beside integers, lints and refusals."""

import hashlib
import re
import sys
import tomllib
from pathlib import Path

import pytest
from api_lanes import RUNS, SIZES, answers, dependency, instruct
from ecosystem.sources import emit, run
from lane_machines import WIDE
from lane_rows import exceptional, of_all_lengths
from whole_curves import DATABASE
from whole_rust import require_clean, require_each_alone, require_publishable

from efdgen.generator.curves.load import load_curve
from efdgen.verify.vectors.digest_cases import digests
from efdgen.verify.vectors.signature_cases import ecdsa
from efdgen.verify.vectors.whole_curve import WholeCurve

APIS = ("rustcrypto", "rustcrypto-0.13")
CRATES = {"P-256": "p256", "P-384": "p384", "secp256k1": "k256"}
# A model takes minutes to be optimised.
SEEN = """
/// Returns whether lanes are used.
pub fn has_lanes() -> bool {
    native::lanes::is_available()
}
"""


def rows_by_integers(known, rng):
    """Return keys, digests, signatures and verdicts, of keys and signatures that RustCrypto's types have."""
    found = [*exceptional(known), *of_all_lengths(known, rng)]
    for name, *row in (*ecdsa(known, rng), *digests(known, rng)):
        if name == "ecdsa_verify":
            key, message, signature, hashed_by, verdict = row
            digest = hashlib.new(hashed_by, bytes.fromhex(message.strip("-"))).hexdigest()
            found.append((key, digest, signature, int(verdict)))
        elif name == "ecdsa_verify_digest":
            found.append((*row[:3], int(row[3])))
    typed = [row for row in found if is_typed(known, row[0], row[2])]
    return [("04" + key, digest.strip("-"), *rest) for key, digest, *rest in typed]


def is_typed(known, key, signature):
    """Return whether a key is finite, and both numbers of a signature are in [1, n)."""
    size = 2 * known.scalar_bytes
    numbers = [int(signature[at : at + size], 16) for at in (0, size)] if len(signature) == 2 * size else [0]
    return key != "O" and all(0 < number < known.order for number in numbers)


def expected(known, api, row):
    """Return RustCrypto's verdict: secp256k1 has low s, and generation 0.13 long digests."""
    _, digest, signature, verdict = row
    s = int(signature[2 * known.scalar_bytes :], 16)
    high = known.curve.name == "secp256k1" and 2 * s > known.order
    short = api == "rustcrypto-0.13" and len(digest) < known.scalar_bytes
    return int(verdict and not high and not short)


@pytest.mark.long
@pytest.mark.drawn(1)
@pytest.mark.parametrize("curve", CRATES)
@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize(("machine", "mode"), RUNS)
def test_verdicts_are_those_by_integers(machine, mode, api, curve, cargo, tmp_path, rng):
    crate = emit(tmp_path / "crate", curve, api, machine=machine)
    instruct(crate, "native", machine, mode)
    with (crate / "src" / "lib.rs").open("a") as file:
        file.write(SEEN)
    needs = [dependency("own", CRATES[curve], f'path = "{crate}"')]
    known = WholeCurve.of(load_curve(curve), DATABASE)
    rows = rows_by_integers(known, rng)
    # Batches of all sizes, and every row once.
    given = [rng.choices(rows, k=size) for size in SIZES]
    given += [rows[at : at + 44] for at in range(0, len(rows), 44)]
    lines = [" ".join(",".join(row[:3]) for row in batch) for batch in given]
    found = answers(tmp_path / "program", "prehashes", needs, lines, mode)
    seen = set()
    for batch, line in zip(given, found, strict=True):
        verdicts = [expected(known, api, row) for row in batch]
        wanted = "-" + "".join(map(str, verdicts))
        assert line.split() == [wanted, wanted], batch
        seen |= {*verdicts}
    assert seen == {0, 1}


@pytest.fixture(scope="module", params=["p256", "k256"])
def crate(request, cargo, tmp_path_factory):
    """The folder of a crate: p256 by the command of the page for readers, k256 of the older generation."""
    folder = tmp_path_factory.mktemp("crates")
    if request.param == "k256":
        return emit(folder, "secp256k1", "rustcrypto-0.13", machine=WIDE)
    page = (Path(__file__).parents[1] / "docs" / "rustcrypto.md").read_text()
    command = re.search(r"^    efdgen (compile .*--api rustcrypto --machine .*)$", page, re.M)[1]
    done = run(folder, sys.executable, "-m", "efdgen", *command.split())
    assert done.succeeded, done.output
    return folder / "p256"


@pytest.mark.long
@pytest.mark.usefixtures("clippy", "rustfmt")
def test_crates_are_formatted_pass_lints_and_are_documented(crate, few, rng):
    declared = tomllib.loads((crate / "Cargo.toml").read_text())["features"]
    refused = re.findall(r'feature = "([^"]+)"\)\]\ncompile_error!', (crate / "src" / "lib.rs").read_text())
    features = sorted(declared.keys() - {*refused})
    require_clean(crate, "--features", ",".join(features))
    require_publishable(crate, "--features", ",".join(features))
    require_each_alone(crate, few(rng, features, 2))


def test_an_order_that_is_not_whole_bytes_is_refused(efdgen):
    asked = ("--lang", "rust", "--set", "protocols", "--api", "rustcrypto", "--machine", WIDE)
    done = efdgen("compile", "--curve", "P-521", *asked, "--out", "crate")
    reason = "that of secp521r1 has 521 bits; leave --machine out"
    assert (done.code, reason in done.err) == (2, True), done.err
