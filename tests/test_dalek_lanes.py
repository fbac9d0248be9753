"""Ed25519 in crates with dalek's interface and lanes: verdicts beside integers and the published crate."""

import re
import sys
import tomllib
from functools import cache, partial
from pathlib import Path

import pytest
from api_lanes import RUNS, SIZES, answers, dependency, instruct
from ecosystem.sources import call, emit, run
from lane_machines import WIDE
from whole_curves import DATABASE
from whole_rust import require_clean, require_each_alone, require_publishable

from efdgen.generator.compile import Request
from efdgen.generator.curves.load import load_curve
from efdgen.generator.errors import EfdgenError
from efdgen.generator.files import render_plan
from efdgen.generator.planning.request import plan_curve
from efdgen.verify.plan_proofs import SafePlans
from efdgen.verify.readback.proofs import FieldProofs
from efdgen.verify.vectors.protocol_cases import protocol_questions
from efdgen.verify.vectors.signature_cases import eddsa
from efdgen.verify.vectors.whole_curve import REFUSED, WholeCurve

PUBLISHED = {"dalek": "3.0.0", "dalek-2": "2.2.0"}
# A model takes minutes to be optimised.
BATCHES = 24


def emitted(folder, api="dalek", machine=WIDE):
    """Emit the crates of points, signatures and exchanges, and return their folders."""
    points = emit(folder / "points", "edwards25519", api, "curve25519-dalek", machine)
    thin = {"signatures": "edwards25519", "exchange": "Curve25519"}
    made = [emit(folder / name, curve, api, machine=machine) for name, curve in thin.items()]
    return points, *(call(crate, points) for crate in made)


@pytest.fixture(scope="module")
def crates(cargo, tmp_path_factory):
    """The folders of crates for eight lanes, by the commands of the page for readers."""
    folder = tmp_path_factory.mktemp("crates")
    page = (Path(__file__).parents[1] / "docs" / "dalek.md").read_text()
    for command in re.findall(r"^    efdgen (compile .*--api dalek --machine .*)$", page, re.M):
        done = run(folder, sys.executable, "-m", "efdgen", *command.split())
        assert done.succeeded, done.output
    points = folder / "curve25519-dalek"
    return points, *(call(folder / name, points) for name in ("ed25519-dalek", "x25519-dalek"))


def rows_by_integers(rng):
    """Return keys, messages, signatures and verdicts; keys that dalek reads in its own way are left out."""
    known = WholeCurve.of(load_curve("edwards25519"), DATABASE)
    asked = [row[1:] for row in eddsa(known, rng) if row[0] == "eddsa_verify"]
    given = [(*(text.strip("-") for text in row[:3]), int(row[3])) for row in asked]
    given += [*by_the_identity(known)]
    return [row for row in given if len(row[2]) == 128 and known.decoded(bytes.fromhex(row[0]))]


def exchanges_by_integers(rng):
    """Yield batches of secrets, public keys and results, which are 0 for keys of small order."""
    known = WholeCurve.of(load_curve("Curve25519"), DATABASE)
    asked = (each for each in protocol_questions(known, rng) if each.function == "exchange")
    given = [(*each.arguments, each.answer) for each in asked]
    zeros = bytes(32).hex()
    rows = [(k, u, zeros if r == REFUSED else r) for k, u, r in given if len(k) == len(u) == 64]
    yield from (rng.choices(rows, k=size) for size in SIZES)
    yield rows


def by_the_identity(known):
    """Yield signatures by the identity with S = 0, for which R is the identity in its only encoding."""
    right = known.encoded(known.affine.neutral)
    for number in (1, 1 + known.curve.prime, 1 | 1 << 255):
        encoding = number.to_bytes(32, "little")
        yield right.hex(), b"1".hex(), (encoding + bytes(32)).hex(), int(encoding == right)


def batches(rows, rng):
    """Yield batches: of any signatures, of valid ones, and with one that is not, for a part of small order.

    Such a part vanishes in some sums.
    """
    valid = [row for row in rows if row[3]]
    mixed = [row for row in rows if not row[3] and row[1] == b"m".hex()]
    yield from (rng.choices(rows, k=size) for size in SIZES)
    yield from (rng.choices(valid, k=size) for size in SIZES)
    # Every row once.
    yield from (rows[at : at + 44] for at in range(0, len(rows), 44))
    honest = next(row for row in valid if row[1] != b"m".hex())
    for at in range(BATCHES):
        place, size = rng.randrange(8), 8 + at % 2
        for among in (valid, mixed):
            batch = [honest] * size
            batch[place] = rng.choice(among)
            yield batch


@pytest.mark.long
@pytest.mark.drawn(1)
@pytest.mark.parametrize("api", PUBLISHED)
@pytest.mark.parametrize(("machine", "mode"), RUNS)
def test_verdicts_are_those_by_integers_and_of_dalek(api, machine, mode, cargo, tmp_path, rng):
    points, signatures, exchange = emitted(tmp_path, api, machine)
    for module in ("native", "curve25519"):
        instruct(points, module, machine, mode)
    needs = [
        dependency("own", "ed25519-dalek", f'path = "{signatures}"', "batch"),
        dependency("own_x", "x25519-dalek", f'path = "{exchange}"'),
        dependency("points", "curve25519-dalek", f'path = "{points}"', "emitted-lanes-by-efdgen"),
        dependency("real", "ed25519-dalek", f'version = "={PUBLISHED[api]}"', "batch"),
    ]
    given = [*batches(rows_by_integers(rng), rng)]
    exchanges = [*exchanges_by_integers(rng)]
    lines = [" ".join(["x25519", *(",".join(row[:2]) for row in batch)]) for batch in exchanges]
    lines += [" ".join(",".join(row[:3]) for row in batch) for batch in given]
    found = answers(tmp_path / "program", "dalek", needs, lines, mode)
    results = found[: len(exchanges)]
    assert results == [" ".join(row[2] for row in batch) for batch in exchanges]
    del found[: len(exchanges)]
    verdicts = []
    for batch, line in zip(given, found, strict=True):
        wanted = "-" + "".join(str(row[3]) for row in batch)
        *both, whole = line.split()
        assert both == [wanted, wanted], batch
        verdicts.append(("0" not in wanted, whole == "1"))
    # Each may hold without the other.
    assert {*verdicts} == {(False, False), (False, True), (True, False), (True, True)}


@pytest.mark.long
@pytest.mark.usefixtures("clippy", "rustfmt")
def test_crates_are_formatted_pass_lints_and_are_documented(crates):
    for folder in crates:
        require_clean(folder, "--all-features")
        require_publishable(folder, "--all-features")


@pytest.mark.long
@pytest.mark.drawn(1)
@pytest.mark.parametrize("at", range(3), ids=["points", "signatures", "exchange"])
def test_each_feature_alone_compiles(at, crates):
    features = tomllib.loads((crates[at] / "Cargo.toml").read_text())["features"]
    require_each_alone(crates[at], sorted(features))


@cache
def proved():
    """Return the proofs of the crate of points, and its files, which are read back."""
    named = {"api": "dalek", "crate_name": "curve25519-dalek", "machine": WIDE}
    request = Request("rust", "edwards25519", set="protocols", **named)
    plan, proofs = plan_curve(DATABASE, request, SafePlans()), FieldProofs()
    files = proofs.proved(partial(render_plan, plan, request))
    proofs.require_read(files)
    return proofs, files


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("src/native/lanes/multiply.rs", "select(&other, &sum, ", "select(&sum, &other, "),
        ("src/native/lanes/field.rs", "_mm512_madd52lo_epu64(", "_mm512_madd52hi_epu64("),
        ("src/native/lanes/tables.rs", "entry([0x", "entry([0x1"),
        ("src/native/lanes.rs", 'efdgen_lanes = "none"', 'efdgen_lanes = "some"'),
    ],
)
def test_edits_of_lanes_are_refused(path, before, after):
    proofs, files = proved()
    assert before in files[path]
    with pytest.raises(EfdgenError, match="differs from what was proved"):
        proofs.require_read({**files, path: files[path].replace(before, after, 1)})
