"""Messages in points of a subgroup: all of them of a small curve, and how long they may be on others."""

from fractions import Fraction

import pytest
from edits import once
from whole_c import build
from whole_curves import subject as module_of

from efdgen.generator.curves.load import built_in_curves
from efdgen.generator.planning.embedding import embedding

# A subgroup of order 8171, in whose points a message has one byte.
SMALL = """\
name = "small"
model = "g1p/twisted"
prime = 65437
order = 8171
cofactor = 8
parameters = {a = -1, d = 24}
generator = {x = 31030, y = 10030}
"""
EDWARDS = [curve for curve in built_in_curves() if curve.model in ("g1p/twisted", "g1p/edwards")]
LENGTHS = {"edwards25519": 31, "edwards448": 55, "babyjubjub": 30, "e-222": 27, "curve41417": 50, "e-521": 64}


def in_points(subgroup):
    """Return the message in each point, and for each message the point of its least counter."""
    messages = {(x, y): y % 256 ^ 255 * (x % 2) for x, y in subgroup}
    points = {}
    for x, y in sorted(subgroup, key=lambda point: (point[1] >> 8, point[0] % 2)):
        points.setdefault(messages[x, y], (x, y))
    return messages, points


def subgroup_of(curve):
    """Return the subgroup without the identity."""
    found = [curve.generator]
    while found[-1] != curve.affine.neutral:
        found.append(curve.affine.add(found[-1], curve.generator))
    assert len(found) == 8171
    return found[:-1]


def rows_of(curve):
    messages, points = in_points(subgroup_of(curve))
    assert len(points) == 256
    extracted = [("extract", curve.point(point), f"{message:02x}") for point, message in messages.items()]
    embedded = [("embed_var", f"{message:02x}", curve.point(point)) for message, point in points.items()]
    return [*extracted, ("extract", curve.point(curve.affine.neutral), "01"), *embedded]


def small(folder, compiler, edit=None):
    (folder / "small.toml").write_text(SMALL)
    return build(folder, str(folder / "small.toml"), "extended-1", compiler=compiler, edit=edit)


def test_every_message_is_in_its_point(cc, tmp_path):
    subject = small(tmp_path, cc)
    assert subject.differences(rows_of(subject.curve)) == []


def test_every_message_is_in_its_point_in_python(tmp_path):
    (tmp_path / "small.toml").write_text(SMALL)
    found = module_of(str(tmp_path / "small.toml"), "extended-1")
    module, point = found.module, found.generator
    subgroup = []
    while point != found.affine.neutral:
        subgroup.append(point)
        point = found.affine.add(point, found.generator)
    messages, points = in_points(subgroup)
    assert len(points) == 256
    assert {p: module.extract(found.lift(p))[0] for p in subgroup} == messages
    assert {m: found.lower(module.embed_var(bytes([m]))) for m in range(256)} == points
    for wrong in (b"", b"ab"):
        with pytest.raises(ValueError, match="length is wrong"):
            module.embed_var(wrong)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("found = exists & whole_is_valid(&p)", "found = exists"),
        ("exists & whole_is_valid(&p)", "exists & whole_is_in_subgroup(&p)"),
        ("(uint32_t)message[j] ^ complement", "(uint32_t)message[j] ^ (complement & 0x7F)"),
        ("counter = i / 2;", "counter = i;"),
        ("(uint32_t)bytes[i] ^ complement", "(uint32_t)bytes[i] ^ (complement & 0x7F)"),
    ],
)
def test_a_defect_is_seen(right, wrong, cc, tmp_path):
    subject = small(tmp_path, cc, once(right, wrong))
    assert subject.differences(rows_of(subject.curve)) != []


def test_a_message_without_a_point_is_refused(cc, tmp_path):
    """One candidate for each message is few enough that most have none."""
    subject = small(tmp_path, cc, lambda text: text.replace("while (i < 512 &&", "while (i < 1 &&"))
    curve = subject.curve
    points = {y: curve.point((x, y)) for x, y in subgroup_of(curve) if x % 2 == 0 and y < 256}
    assert 0 < len(points) < 64
    rows = [("embed_var", f"{message:02x}", points.get(message, "refused")) for message in range(256)]
    assert subject.differences(rows) == []


@pytest.mark.parametrize("curve", EDWARDS, ids=lambda curve: curve.name)
def test_one_message_in_a_million_has_no_point_and_longer_ones_more_often(curve):
    found = embedding(curve.prime, curve.cofactor)
    none = 1 - Fraction(1, 2 * curve.cofactor)
    assert none ** (2 * (curve.prime >> 8 * found.bytes)) < Fraction(1, 2**20)
    assert none ** (2 * -(-curve.prime >> 8 * (found.bytes + 1))) > Fraction(1, 2**20)
    assert none ** (2 * (curve.prime >> 8 * found.bytes)) < Fraction(1, 2**found.bits)
    assert found.bytes == LENGTHS.get(curve.name, found.bytes)
    assert (found.counters - 1) << 8 * found.bytes < curve.prime <= found.counters << 8 * found.bytes


def test_a_field_of_one_byte_carries_no_message():
    assert embedding(251, 4) is None
    assert embedding(2**255 - 19, 2**24) is None
