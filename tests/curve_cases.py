"""Requests to the drivers of whole curves, each with the answer that the affine law gives."""

from functools import reduce
from random import Random

from whole_curves import has_order

from efdgen.generator.curves.affine import INFINITY, AffineCurve
from efdgen.generator.render.special import shared_numerator

SECOND = 3


def tiny_cases(tiny) -> list[tuple[str, str]]:
    """Return requests that go through all points and scalars of a tiny curve."""
    every = (
        *(sums, multiples, multiples_of_the_generator, random_scalars, affine_points, points_by_a_coordinate),
        *(sums_of_many_multiples, batches, encodings, wire_formats),
    )
    second = multiples_of_two_points(tiny) if tiny.plan.second else ()
    return [*(case for cases in every for case in cases(tiny)), *second]


def tiny_ladder_cases(tiny) -> list[tuple[str, str]]:
    """Return requests that go through all points and scalars of a tiny Montgomery curve."""
    every = (ladders, ladders_on_the_twist, random_scalars, affine_points, points_by_x)
    return [case for cases in every for case in cases(tiny)]


def sums(tiny):
    """Yield all sums and differences, and what is asked of one point."""
    affine, points = tiny.affine, tiny.points
    for p in points:
        text = tiny.point(p)
        inside = has_order(affine, p, tiny.plan.order)
        neutral = p == affine.neutral
        yield f"double {text}", tiny.point(affine.double(p))
        yield f"negate {text}", tiny.point(affine.negate(p))
        yield f"is_identity {text}", str(int(neutral))
        yield f"is_in_subgroup {text}", str(int(inside))
        yield f"clear_cofactor {text}", tiny.point(affine.multiple(tiny.plan.cofactor, p))
        yield f"validate {text}", text if inside and not neutral else "refused"
        for q in points:
            other, difference = tiny.point(q), affine.add(p, affine.negate(q))
            for suffix in ("", "_var"):
                yield f"add{suffix} {text} {other}", tiny.point(affine.add(p, q))
                yield f"subtract{suffix} {text} {other}", tiny.point(difference)
            yield f"equal {text} {other}", str(int(p == q))


def multiples(tiny):
    """Yield all multiples of all points."""
    bound = min(2 * tiny.plan.order * tiny.plan.cofactor + 3, 1 << 8 * tiny.scalar_bytes)
    for p in tiny.points:
        expected = tiny.affine.neutral
        for k in range(bound):
            for function in ("multiply", "multiply_var", *(["coz_multiply"] * bool(tiny.plan.coz))):
                yield f"{function} {tiny.scalar(k)} {tiny.point(p)}", tiny.point(expected)
            expected = tiny.affine.add(expected, p)


def multiples_of_the_generator(tiny):
    """Yield all multiples of the generator, and sums of one and of a multiple of another point."""
    affine, rng, points, most = tiny.affine, Random(1), tiny.points, 1 << 8 * tiny.scalar_bytes
    expected = affine.neutral
    for k in range(most):
        yield f"multiply_generator {tiny.scalar(k)}", tiny.point(expected)
        for q in rng.sample(points, 5):
            b = rng.randrange(most)
            both = affine.add(expected, tiny.multiple(b, q))
            yield f"double_multiply_var {tiny.scalar(k)} {tiny.scalar(b)} {tiny.point(q)}", tiny.point(both)
        expected = affine.add(expected, tiny.generator)


def multiples_of_two_points(tiny):
    """Yield sums of multiples of the generator and of another fixed point, which is SECOND times it."""
    bound = 1 << 8 * tiny.scalar_bytes
    for a in range(bound):
        b = (5 * a + 2) % bound
        expected = tiny.point(tiny.multiple(a + SECOND * b, tiny.generator))
        yield f"double_multiply_generators {tiny.scalar(a)} {tiny.scalar(b)}", expected


def sums_of_many_multiples(tiny):
    """Yield sums of multiples of several points, by all methods where few points make buckets."""
    affine, rng = tiny.affine, Random(2)
    points, most = tiny.points, 1 << 8 * tiny.scalar_bytes
    for count in (0, 1, 2, 3, 4, 5, 9, 30):
        for _ in range(8):
            chosen = [(rng.randrange(most), rng.choice(points)) for _ in range(count)]
            total = reduce(affine.add, (tiny.multiple(k, p) for k, p in chosen), affine.neutral)
            pairs = [f"{tiny.scalar(k)} {tiny.point(p)}" for k, p in chosen]
            yield " ".join(["multi_multiply_var", *pairs]), tiny.point(total)


def random_scalars(tiny):
    """Yield what is drawn: bytes in range, or those behind them."""
    n = tiny.plan.order
    for first in range(256):
        drawn, value = f"{first:02x}{5 << (-n.bit_length() % 8):02x}", first >> (-n.bit_length() % 8)
        k = value if 0 < value < n else 5
        yield f"random_scalar {drawn}", tiny.scalar(k)
        if tiny.plan.curve.model != "g1p/montgom":
            yield f"random_point {drawn}", tiny.point(tiny.multiple(k, tiny.generator))


def points_by_a_coordinate(tiny):
    """Yield points by x or y and the low bit of the other coordinate, chosen and drawn."""
    short = tiny.plan.model == "shortw"
    for value in range(tiny.plan.curve.prime):
        for odd in (0, 1):
            found = [p for p in tiny.points if p and p[not short] == value and p[short] % 2 == odd]
            expected = tiny.point(found[0]) if found else "refused"
            yield f"lift {tiny.element(value)} {odd}", expected
            if found:
                yield f"random_point_by_lift ff{odd:02x}{value:02x}{odd:02x}", expected


def ladders(tiny):
    """Yield all multiples of all points but the neutral one, and their x-coordinates."""
    for q in tiny.points[1:]:
        expected = INFINITY
        for k in range(256):
            request = f"{tiny.scalar(k)} {tiny.point(q)}"
            yield f"ladder_multiply {request}", tiny.point(expected)
            if q == tiny.generator:
                yield f"multiply {request}", tiny.point(expected)
                yield f"multiply_generator {tiny.scalar(k)}", tiny.point(expected)
            x = 0 if expected == INFINITY else expected[0]
            yield f"x_multiply {tiny.scalar(k)} {tiny.element(q[0])}", tiny.element(x)
            expected = tiny.affine.add(expected, q)


def ladders_on_the_twist(tiny):
    """Yield multiples of all x-coordinates of the twist."""
    p, curve = tiny.plan.curve.prime, tiny.plan.curve.parameters
    b = next(b for b in range(2, p) if pow(b * curve["b"], (p - 1) // 2, p) == p - 1)
    twist = AffineCurve(tiny.affine.model, p, {"a": curve["a"], "b": b})
    for q in twist.all_points():
        expected = INFINITY
        for k in range(90):
            x = 0 if expected == INFINITY else expected[0]
            yield f"x_multiply {tiny.scalar(k)} {tiny.element(q[0])}", tiny.element(x)
            expected = twist.add(expected, q)


def points_by_x(tiny):
    """Yield points by x and the low bit of y, and all encodings of x-coordinates."""
    points = set(tiny.points) - {INFINITY}
    for x in range(tiny.plan.curve.prime):
        for odd in (0, 1):
            found = [q for q in points if q[0] == x and q[1] % 2 == odd]
            yield f"lift_x {tiny.element(x)} {odd}", tiny.point(found[0]) if found else "refused"
    written = {f"{q[0]:02x}" for q in points}
    texts = ["", "0000", *(f"{number:02x}" for number in range(256))]
    yield from ((f"decode {text}", text if text in written else "refused") for text in texts)


def affine_points(tiny):
    """Yield all pairs of coordinates, p among them."""
    prime, points = tiny.plan.curve.prime, set(tiny.points)
    for x in range(prime + 1):
        for y in range(prime + 1):
            p = (x, y)
            yield f"from_affine {tiny.point(p)}", tiny.point(p) if p in points else "refused"


def batches(tiny):
    """Yield affine coordinates of many points, among which is the neutral element, and their encodings."""
    points = tiny.points[:30]
    zero = "00" * 2 * tiny.plan.encoding.field
    texts = " ".join(map(tiny.point, points))
    yield f"to_affine_batch {texts}", " ".join(zero if p == INFINITY else tiny.point(p) for p in points)
    blank = bytes(tiny.plan.encoding.point)
    yield f"encode_batch {texts}", b"".join(blank if p == INFINITY else tiny.encoded(p) for p in points).hex()


def encodings(tiny):
    """Yield the encodings of all points, and strings up to their length, which are points or refused."""
    points = [p for p in tiny.points if p != INFINITY]
    written = {tiny.encoded(p): p for p in points}
    assert len(written) == len(points)

    def answer(encoding: bytes) -> str:
        return tiny.point(written[encoding]) if encoding in written else "refused"

    yield from ((f"encode {tiny.point(p)}", encoding.hex()) for encoding, p in written.items())
    if tiny.plan.model == "shortw":
        plain = {b"\4" + bytes.fromhex(tiny.point(p)): p for p in points}
        yield from ((f"encode_uncompressed {tiny.point(p)}", e.hex()) for e, p in plain.items())
        yield from (("encode O", "refused"), ("encode_uncompressed O", "refused"))
        both = [b"\4" + bytes([x, y]) for x in range(64) for y in range(64)]
        yield from ((f"decode {e.hex()}", tiny.point(plain[e]) if e in plain else "refused") for e in both)
    for malformed in (b"", bytes(3), *(bytes([first]) for first in range(256))):
        yield f"decode {malformed.hex()}", answer(malformed)
    seconds = (*range(tiny.plan.curve.prime + 2), 128, 255)
    for encoding in (bytes([first, second]) for first in range(256) for second in seconds):
        yield f"decode {encoding.hex()}", answer(encoding)


def wire_formats(tiny):
    """Yield what is written without an inversion and read again, and what is refused."""
    size = tiny.plan.encoding.wire
    yield from ((f"wire {tiny.point(p)}", tiny.point(p)) for p in tiny.points)
    yield from ((f"decode_wire {'ff' * n}", "refused") for n in (0, 1, size - 1, size, size + 1))
    if len(tiny.plan.representation.identity) > 2:
        yield f"decode_wire {'00' * size}", "refused"
    if shared_numerator(tiny.plan):
        # Whether x*y = 0 is told by the last coordinate and by both others, which must agree.
        x, y = tiny.generator
        for bad in ((0, 1, 1), (1, 0, 1), (y, x, 0)):
            yield f"decode_wire {''.join(map(tiny.element, bad))}", "refused"


def edge_cases(subject, rng: Random) -> list[tuple[str, str]]:
    """Return requests with scalars at the edges, for the neutral element, ±G and a random point."""
    affine, n = subject.affine, subject.plan.order
    top = (1 << 8 * subject.scalar_bytes) - 1
    scalars = [0, 1, 2, 3, n - 1, n, n + 1, n * subject.plan.cofactor, top, rng.randrange(n)]
    points = [affine.neutral, subject.generator, subject.minus(subject.generator), affine.random_point(rng)]
    cases = []
    for p in points[1:]:
        encoding = subject.encoded(p).hex()
        cases += [(f"encode {subject.point(p)}", encoding), (f"decode {encoding}", subject.point(p))]
        cases += [(f"decode {encoding}00", "refused"), (f"decode {encoding[2:]}", "refused")]
        cases.append((f"decode {'ff' * subject.plan.encoding.point}", "refused"))
        cases.append((f"wire {subject.point(p)}", subject.point(p)))
    for k in (k for k in scalars if k <= top):
        text, of_generator = subject.scalar(k), subject.multiple(k, subject.generator)
        of_points = [affine.neutral, of_generator, subject.minus(of_generator)]
        of_points.append(subject.multiple(k, points[3]))
        cases.append((f"multiply_generator {text}", subject.point(of_generator)))
        for p, expected in zip(points, of_points, strict=True):
            both = affine.add(of_generator, expected)
            if subject.plan.coz:
                cases.append((f"coz_multiply {text} {subject.point(p)}", subject.point(expected)))
            cases += [
                (f"multiply {text} {subject.point(p)}", subject.point(expected)),
                (f"multiply_var {text} {subject.point(p)}", subject.point(expected)),
                (f"double_multiply_var {text} {text} {subject.point(p)}", subject.point(both)),
            ]
    return cases


def edge_ladder_cases(subject, rng: Random) -> list[tuple[str, str]]:
    """Return requests with scalars at the edges, for the generator and a random point."""
    n, affine = subject.plan.order, subject.affine
    count, top = n * subject.plan.cofactor, (1 << 8 * subject.scalar_bytes) - 1
    cases = []
    for p in (subject.generator, affine.random_point(rng)):
        for k in (0, 1, 2, n - 1, n, n + 1, count - 1, count, count + 1, top, rng.randrange(n)):
            expected = subject.multiple(k, p)
            cases.append((f"multiply {subject.scalar(k)} {subject.point(p)}", subject.point(expected)))
            x = expected[0] if expected != INFINITY else 0
            cases.append((f"x_multiply {subject.scalar(k)} {subject.element(p[0])}", subject.element(x)))
    return cases
