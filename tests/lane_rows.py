"""Signatures of ECDSA for lanes: a key, a digest, a signature and its verdict, computed by integers."""

from efdgen.verify.vectors.signature_cases import leftmost, pair, signed_digest


def exceptional(known):
    """Yield digests for which u1*G is u2*Q, or its negative, and others, for keys 1 to 8 times G."""
    order, size = known.order, len(pair(known, 0, 0)) // 2
    for d in range(1, 9):
        key = known.point(known.multiple(d, known.generator))
        k = 1000 + d
        r = known.multiple(k, known.generator)[0] % order
        s = 2 * r * d * pow(k, -1, order) % order
        for e, verdict in ((r * d % order, 1), (-r * d % order, 0), (r * d % order ^ 1, 0)):
            shift = -order.bit_length() % 8
            yield key, (e << shift).to_bytes(size, "big").hex(), pair(known, r, s).hex(), verdict


def of_all_lengths(known, rng):
    """Yield digests of all lengths, from none to more than the order has."""
    d = rng.randrange(1, known.order)
    key = known.point(known.multiple(d, known.generator))
    for length in range(known.scalar_bytes + 9):
        digest = rng.randbytes(length)
        r, s, _ = signed_digest(known, d, digest, "sha256")
        yield key, digest.hex() or "-", pair(known, r, s).hex(), 1
        if leftmost(known, digest) != leftmost(known, other := bytes([length % 251 + 1]) + digest):
            yield key, other.hex(), pair(known, r, s).hex(), 0
