"""Certificates of the affine laws themselves, and of maps between models.

A model's: sum, double and negative are on the curve; the images of P1, P2 and -(P1 + P2) on the Weierstrass
form are on a line, and those of P1 and -2*P1 on the tangent at P1; the maps to the form and back undo each
other. A map's: an image is on the target curve, and the image of a sum is the sum of the images.
Associativity of sums is not certified; it is the theorem about chords and tangents of cubic curves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.formulas.formula import Model
from efdgen.generator.language.printer import print_equation
from efdgen.generator.language.syntax import Binary, Equation, Name, Number
from efdgen.verify.rocq.builder import Builder, Point
from efdgen.verify.rocq.certificate import Certificate, read_back, theorem_name
from efdgen.verify.rocq.points import points_witness
from efdgen.verify.rocq.prove import prove
from efdgen.verify.rocq.sage_script import script
from efdgen.verify.rocq.statement import Statement

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from efdgen.generator.formulas.formula import Map
    from efdgen.generator.language.syntax import Expression


def model_certificate(model: Model) -> Certificate:
    """Return the certificate of a model's affine laws."""
    name = theorem_name(model.id)
    laws = (_weierstrass, _negation, _addition, _doubling)
    about = (f"The affine laws of {model.title}. That sums are associative is not claimed.",)
    statements = [law(model, f"{name}{law.__name__}") for law in laws]
    return _certificate(model, (), (), about, statements)


def map_certificate(between: Map) -> Certificate:
    """Return the certificate of a map between models."""
    statement = _homomorphism(between, theorem_name(between.id))
    about = (f"The map: {between.title}",)
    return _certificate(between, between.parameters, between.assumptions, about, [statement])


def _certificate(
    subject: Model | Map,
    parameters: tuple[str, ...],
    assumptions: tuple[Equation, ...],
    about: tuple[str, ...],
    statements: Iterable[Statement],
) -> Certificate:
    model = subject if isinstance(subject, Model) else subject.model
    names: list[str] = []
    texts: list[str] = []
    scripts: list[str] = []
    for statement in statements:
        proof = prove(statement)
        text, read = read_back(proof)
        found = points_witness(subject, model, parameters, assumptions, (proof.statement, read))
        about = (*about, f"The hypotheses of {statement.name} hold, among others, {found}.")
        names.append(statement.name)
        texts.append(text)
        scripts.append(script(proof))
    return Certificate(subject.id, model.binary, tuple(names), tuple(texts), tuple(scripts), about)


class _Points(Builder):
    """Generic points of a generic curve of a model."""

    def __init__(
        self, model: Model, count: int, parameters: Iterable[str] = (), assumptions: Iterable[Equation] = ()
    ) -> None:
        super().__init__(model)
        self.parameters = {p: self.name(p) for p in (*model.parameters, *parameters)}
        self.bind("the parameters of the curve", tuple(self.parameters.values()))
        for equation in assumptions:
            solve = tuple(self.parameters.values())[::-1]
            self.require(equation, self.parameters, solve, f"assumed: {print_equation(equation)}")
        self.points: dict[int, Point] = {}
        for number in range(1, count + 1):
            point = {c: self.name(f"{c}{number}") for c in model.coordinates}
            self.points[number] = point
            self.bind(f"P{number}, a point of the curve", tuple(point.values()))
            for equation in self.on_curve(point, self.parameters):
                self.suppose(equation)

    def apply(self, law: Mapping[str, Expression], comment: str, suffix: str, *points: Point) -> Point:
        """Define the coordinates that a law gives."""
        names = dict(self.parameters)
        for number, point in enumerate(points, start=1):
            names |= {f"{coordinate}{number}": name for coordinate, name in point.items()}
        return self.define_all(law, names, comment, suffix)

    def claim_on_curve(self, point: Point, comment: str) -> None:
        """Claim that a point is on the curve."""
        for equation in self.model.equations:
            self.claim(equation, {**self.parameters, **point}, comment)

    def image(self, point: Point, comment: str, suffix: str) -> tuple[Name, Name]:
        """Define the image of a point on the Weierstrass form."""
        names = {**self.parameters, **point}
        found = self.define_all(self.model.to_weierstrass, names, comment, suffix)
        u, v = (Name(name) for name in found.values())
        return u, v

    def coefficients(self) -> dict[str, Expression]:
        """Return a0, a1, … of the Weierstrass form."""
        return {
            name: self.undivided(value, self.parameters) for name, value in self.model.weierstrass.items()
        }

    def statement(self, name: str) -> Statement:
        """Return the statement."""
        parameters = tuple(self.parameters.values())
        affine = {f"affine {c}{number}": n for number, point in self.points.items() for c, n in point.items()}
        lines, claims = tuple(self.lines), tuple(self.claims)
        called = {**self.parameters, **affine}
        return Statement(name, self.model.binary, parameters, lines, claims, called=called)


def _weierstrass(model: Model, name: str) -> Statement:
    """State that the image of a point is on the Weierstrass form, and leads back."""
    points = _Points(model, 1)
    point = points.points[1]
    u, v = points.image(point, "the image of P1 on the Weierstrass form", "_w")
    a = points.coefficients()
    left = _sum(_times(a["a0"], v, v), _times(a["a1"], u, v), _times(a["a3"], v))
    right = _sum(_times(u, u, u), _times(a["a2"], u, u), _times(a["a4"], u), a["a6"])
    points.claim(Equation(left, right), {}, "the image is on the Weierstrass form")
    names = {**points.parameters, **dict(zip(model.to_weierstrass, (u.text, v.text), strict=True))}
    back = points.define_all(model.from_weierstrass, names, "the way back", "_back")
    for coordinate, own in point.items():
        points.claim(Equation(Name(back[coordinate]), Name(own)), {}, "the way back leads to P1")
    return points.statement(name)


def _negation(model: Model, name: str) -> Statement:
    points = _Points(model, 1)
    points.claim_on_curve(points.apply(model.negation, "-P1", "3", points.points[1]), "-P1 is on the curve")
    return points.statement(name)


def _addition(model: Model, name: str) -> Statement:
    points = _Points(model, 2)
    first, second = points.points[1], points.points[2]
    third = points.apply(model.addition, "P1 + P2", "3", first, second)
    points.claim_on_curve(third, "P1 + P2 is on the curve")
    (u1, v1), (u2, v2) = (
        points.image(p, f"P{n} on the Weierstrass form", f"_w{n}") for n, p in points.points.items()
    )
    opposite = points.apply(model.negation, "-(P1 + P2)", "4", third)
    u3, v3 = points.image(opposite, "-(P1 + P2) on the Weierstrass form", "_w4")
    left = _times(_difference(v3, v1), _difference(u2, u1))
    right = _times(_difference(v2, v1), _difference(u3, u1))
    points.claim(Equation(left, right), {}, "P1, P2 and -(P1 + P2) are on a line")
    return points.statement(name)


def _doubling(model: Model, name: str) -> Statement:
    points = _Points(model, 1)
    first = points.points[1]
    double = points.apply(model.doubling, "2*P1", "3", first)
    points.claim_on_curve(double, "2*P1 is on the curve")
    u, v = points.image(first, "P1 on the Weierstrass form", "_w1")
    opposite = points.apply(model.negation, "-2*P1", "4", double)
    u3, v3 = points.image(opposite, "-2*P1 on the Weierstrass form", "_w4")
    a = points.coefficients()
    rise = _difference(
        _sum(_times(Number(3), u, u), _times(Number(2), a["a2"], u), a["a4"]), _times(a["a1"], v)
    )
    run = _sum(_times(Number(2), a["a0"], v), _times(a["a1"], u), a["a3"])
    equation = Equation(_times(_difference(v3, v), run), _times(rise, _difference(u3, u)))
    points.claim(equation, {}, "-2*P1 is on the tangent at P1")
    return points.statement(name)


def _homomorphism(between: Map, name: str) -> Statement:
    points = _Points(between.model, 2, between.parameters, between.assumptions)
    curve = points.define_all(between.curve, points.parameters, "the target curve", "_t")

    def image(point: Point, number: str) -> Point:
        names = {**points.parameters, **point}
        return points.define_all(
            between.image, names, f"the image of {number}", f"_image{number.strip('P')[:1]}"
        )

    images = [image(point, f"P{number}") for number, point in points.points.items()]
    target = Builder(between.target)
    for equation in target.on_curve(images[0], curve):
        points.claim(equation, {}, "the image of P1 is on the target curve")
    third = points.apply(between.model.addition, "P1 + P2", "3", *points.points.values())
    of_sum = image(third, "P3 = P1 + P2")
    names = dict(curve)
    for number, point in enumerate(images, start=1):
        names |= {f"{coordinate}{number}": value for coordinate, value in point.items()}
    total = points.define_all(between.target.addition, names, "the sum of the images", "_sum")
    for coordinate, value in total.items():
        equation = Equation(Name(of_sum[coordinate]), Name(value))
        points.claim(equation, {}, "the image of the sum is the sum of the images")
    return points.statement(name)


def _sum(*terms: Expression) -> Expression:
    found, *rest = terms
    for term in rest:
        found = Binary("+", found, term)
    return found


def _times(*factors: Expression) -> Expression:
    found, *rest = factors
    for factor in rest:
        found = Binary("*", found, factor)
    return found


def _difference(left: Expression, right: Expression) -> Expression:
    return Binary("-", left, right)
