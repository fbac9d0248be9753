"""Requests to the drivers of whole curves, each with the answer that the affine law gives."""

from random import Random

from whole_curves import has_order

from efdgen.generator.curves.affine import INFINITY


def tiny_cases(tiny) -> list[tuple[str, str]]:
    """Return requests that go through all points and scalars of a tiny curve."""
    every = (sums, multiples, multiples_of_the_generator, affine_points, batches, encodings, wire_formats)
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
            for function in ("multiply", "multiply_var"):
                yield f"{function} {tiny.scalar(k)} {tiny.point(p)}", tiny.point(expected)
            expected = tiny.affine.add(expected, p)


def multiples_of_the_generator(tiny):
    """Yield all multiples of the generator, and sums of one and of a multiple of another point."""
    affine, rng, points, most = tiny.affine, Random(1), tiny.points, 1 << 8 * tiny.scalar_bytes
    for k in range(most):
        expected = affine.multiple(k, tiny.generator)
        yield f"multiply_generator {tiny.scalar(k)}", tiny.point(expected)
        for q in rng.sample(points, 9):
            b = rng.randrange(most)
            both = affine.add(expected, affine.multiple(b, q))
            yield f"double_multiply_var {tiny.scalar(k)} {tiny.scalar(b)} {tiny.point(q)}", tiny.point(both)


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
    """Yield the encodings of all points, and all strings up to their length, which are points or refused."""
    points = [p for p in tiny.points if p != INFINITY]
    written = {tiny.encoded(p): p for p in points}
    assert len(written) == len(points)
    yield from ((f"encode {tiny.point(p)}", encoding.hex()) for encoding, p in written.items())
    if tiny.plan.model == "shortw":
        plain = {b"\4" + bytes.fromhex(tiny.point(p)): p for p in points}
        yield from ((f"encode_uncompressed {tiny.point(p)}", e.hex()) for e, p in plain.items())
        yield from (("encode O", "refused"), ("encode_uncompressed O", "refused"))
        both = [b"\4" + bytes([x, y]) for x in range(64) for y in range(64)]
        yield from ((f"decode {e.hex()}", tiny.point(plain[e]) if e in plain else "refused") for e in both)
    for length in range(3):
        for number in range(256**length):
            encoding = number.to_bytes(length, "big")
            expected = tiny.point(written[encoding]) if encoding in written else "refused"
            yield f"decode {encoding.hex()}", expected


def wire_formats(tiny):
    """Yield what is written without an inversion and read again, and what is refused."""
    size = tiny.plan.encoding.wire
    yield from ((f"wire {tiny.point(p)}", tiny.point(p)) for p in tiny.points)
    yield from ((f"decode_wire {'ff' * n}", "refused") for n in (0, 1, size - 1, size, size + 1))
    if len(tiny.plan.representation.identity) > 2:
        yield f"decode_wire {'00' * size}", "refused"


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
            cases += [
                (f"multiply {text} {subject.point(p)}", subject.point(expected)),
                (f"multiply_var {text} {subject.point(p)}", subject.point(expected)),
                (f"double_multiply_var {text} {text} {subject.point(p)}", subject.point(both)),
            ]
    return cases
