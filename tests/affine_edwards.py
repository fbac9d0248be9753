"""The curve edwards25519 (RFC 8032) by its affine law, in Python integers."""

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
IDENTITY = (0, 1)
Point = tuple[int, int]


def add(one: Point, other: Point) -> Point:
    (x1, y1), (x2, y2) = one, other
    k = D * x1 * x2 * y1 * y2 % P
    return (x1 * y2 + y1 * x2) * pow(1 + k, -1, P) % P, (y1 * y2 + x1 * x2) * pow(1 - k, -1, P) % P


def multiple(k: int, point: Point) -> Point:
    if k < 0:
        return multiple(-k, (-point[0] % P, point[1]))
    found = IDENTITY
    for bit in f"{k:b}":
        found = add(found, found)
        if bit == "1":
            found = add(found, point)
    return found


def point_with_y(y: int) -> Point | None:
    """The point of an even x, by a root of (y^2 - 1)/(d y^2 + 1)."""
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    roots = [r for r in (x, x * pow(2, (P - 1) // 4, P) % P) if r * r % P == square]
    return (min(roots[0] % P, -roots[0] % P, key=lambda r: r % 2), y) if roots else None


G = point_with_y(4 * pow(5, -1, P) % P)
assert G is not None
# A point of order 8.
T8 = next(t for y in range(2, 99) if (q := point_with_y(y)) and multiple(4, t := multiple(L, q)) != IDENTITY)
