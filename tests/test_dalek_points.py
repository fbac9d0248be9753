"""The crate that replaces curve25519-dalek: the answers of the published one, and vectors of RFC 9496."""

import re
from functools import cache
from pathlib import Path

import pytest
from api_lanes import RUNS, instruct
from dalek_points import VERSIONS, answered, compared, left_on_the_heap
from ecosystem.sources import emit
from protocol_vectors import records

from efdgen.generator.curves.load import load_curve
from efdgen.generator.render.rust.dalek_points import elements

ROUNDS = 60
VECTORS = records(Path(__file__).parent / "vectors/rfc9496.txt", "COUNT")


@pytest.fixture(scope="module")
def crate(cargo, tmp_path_factory):
    """Return a function that emits the crate of a generation, once; lanes run by a mode."""
    folder = tmp_path_factory.mktemp("points")

    def made(api, machine=None, mode=None):
        found = emit(
            folder / f"{api} {machine} {mode}", "edwards25519", api, "curve25519-dalek", machine=machine
        )
        if machine:
            instruct(found, "native", machine, mode)
            instruct(found, "curve25519", machine, mode)
        return found

    return cache(made)


@pytest.mark.long
@pytest.mark.drawn(1)
@pytest.mark.parametrize(
    ("words", "lanes"),
    [((), ()), (("word32",), ()), *(((), lanes) for lanes in RUNS)],
    ids=["words of 64 bits", "words of 32 bits", *map(", ".join, RUNS)],
)
@pytest.mark.parametrize("api", VERSIONS)
def test_answers_are_those_of_the_published_crate(api, words, lanes, crate, tmp_path, rng):
    """Compare scalars, points of any order, sums, elements and u-coordinates, on bad input too."""
    printed = compared(tmp_path, crate(api, *lanes), api, rng.getrandbits(32), ROUNDS, *words)
    values, accepted, refused = map(
        int, re.search(r"(\d+) values, (\d+) accepted, (\d+) refused", printed).groups()
    )
    assert values > 120 * ROUNDS
    assert min(accepted, refused) > 2 * ROUNDS


@pytest.mark.long
@pytest.mark.drawn(1)
@pytest.mark.parametrize("api", VERSIONS)
def test_elements_are_those_of_the_standard(api, crate, tmp_path):
    multiples, refused, uniform = (
        [v for v in VECTORS if v[""] == f"ristretto255 {kind}"]
        for kind in ("multiples", "refused", "uniform")
    )
    expected = {f"{name} {k['COUNT']}": k["ENCODING"] for k in multiples for name in ("multiple", "half")}
    expected |= {f"read {k['ENCODING']}": k["ENCODING"] for k in (*multiples, *uniform)}
    expected |= {f"uniform {k['BYTES']}": k["ENCODING"] for k in uniform}
    expected |= {f"read {k['ENCODING']}": "refused" for k in refused}
    assert (len(multiples), len(refused), len(uniform)) == (16, 29, 11)
    assert dict(zip(expected, answered(tmp_path, crate(api), [*expected]), strict=True)) == expected


@pytest.mark.long
@pytest.mark.drawn(1)
@pytest.mark.parametrize("api", VERSIONS)
def test_sums_erase_scalars_and_their_digits_on_the_heap(api, crate, tmp_path):
    assert left_on_the_heap(tmp_path, crate(api), "alloc") == "scalars true, digits true\n"
    assert left_on_the_heap(tmp_path, crate(api), "alloc", "zeroize") == "scalars false, digits false\n"


def test_points_of_small_order_are_multiples_of_one():
    """The published order of these points is one of four, and their coordinates are named once."""
    curve = load_curve("edwards25519")
    values = [constant.value for constant in elements(curve)]
    assert len(set(values)) == len(values)
    assert values[0] == 486662
    prime, d = curve.prime, curve.parameters["d"]
    y = int.from_bytes(
        bytes.fromhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"), "little"
    )
    assert y in values
    assert d * pow(y, 4, prime) % prime == (1 - 2 * y * y) % prime
