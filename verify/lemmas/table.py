"""The lemmas: what each function on points and entries returns, and the proof of that."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from efdgen.generator.errors import EfdgenError
from efdgen.generator.routines.integers import RoutineError
from efdgen.verify.lemmas import (
    batches,
    chained,
    coordinates,
    coset_points,
    encodings,
    look_ups,
    repeated,
    statements,
)
from efdgen.verify.lemmas import binary as binary_points
from efdgen.verify.lemmas.coset_doubles import encoded_double
from efdgen.verify.lemmas.coset_maps import mapped
from efdgen.verify.lemmas.cosets import decoded, encoded
from efdgen.verify.lemmas.prover import Prover

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from efdgen.generator.planning.plan import CurvePlan
    from efdgen.generator.routines.module import Module

Avoids: TypeAlias = Literal["", "exceptions", "small order"]


@dataclass(frozen=True)
class Lemma:
    """The result of a function, inputs that it must not have, and the proof.

    ``exceptions``: unless the addition law that is used is complete, neither of two points is the identity,
    nor one the other or its negative. ``small order``: in systems that cannot represent points with x*y = 0,
    the point's order does not divide the cofactor.
    """

    meaning: str
    prove: Callable[[Prover, str], None]
    avoids: Avoids = ""


_COSETS: dict[str, Lemma] = {
    "encode": Lemma("one encoding for each coset that has one, and 1, or zeros and 0", encoded),
    "decode": Lemma("a point of the coset of an encoding and 1, or zeros and 0", decoded),
    "equal": Lemma("whether p and q are of one coset", coset_points.equal),
    "map": Lemma("the image of an element", mapped),
    "from_uniform_bytes": Lemma("the sum of two images", coset_points.of_uniform_bytes),
}
_POINTS: dict[str, Lemma] = {
    "add_kernel": Lemma("p + q", statements.regular_sum_of, "exceptions"),
    "double_kernel": Lemma("2*p", statements.regular_double_of, "small order"),
    "chain_double_kernel": Lemma("2*p, for doublings alone", statements.regular_double_of, "small order"),
    "chain_last_kernel": Lemma("2*p", statements.regular_double_of, "small order"),
    "chain_add_entry": Lemma("p + q, for doublings alone", statements.regular_sum_of, "exceptions"),
    "chain_add_fixed_entry": Lemma("p + q, for doublings alone", statements.regular_sum_of, "exceptions"),
    "select": Lemma("p if flag, else q", statements.choice_of),
    "equal": Lemma("whether p = q", statements.equality_of),
    "is_identity": Lemma("whether p is the identity", statements.identity_of),
    "negate": Lemma("-p", statements.negative_of),
    "double": Lemma("2*p", statements.double_of),
    "double_var": Lemma("2*p", statements.double_of),
    "add": Lemma("p + q", statements.sum_of),
    "add_var": Lemma("p + q", statements.sum_of),
    "subtract": Lemma("p - q", statements.difference_of),
    "subtract_var": Lemma("p - q", statements.difference_of),
    "before_doublings": Lemma("p, for doublings alone", statements.copy_of),
    "double_chain": Lemma("2^times * p", repeated.doublings, "small order"),
    "double_times": Lemma("2^times * p", repeated.doublings, "small order"),
    "double_times_var": Lemma("2^times * p", repeated.doublings),
    "proper_identity_var": Lemma("p", statements.copy_of),
    "to_affine": Lemma("x and y of p, zeros where it has none", coordinates.to_affine),
    "from_affine": Lemma("the point (x, y) if there is one, else zeros", coordinates.from_affine),
    "point_with": Lemma("the point (x, y) and 1, or zeros and 0", coordinates.from_affine),
    "point_or_zeros": Lemma("p if flag, else zeros", encodings.kept),
    "low_bit": Lemma("the low bit of the number that a is", encodings.low_bit),
    "with_low_bit": Lemma("root or -root, by its low bit", encodings.signed),
    **{
        name: Lemma(
            "the point with a coordinate and a low bit of the other and 1, or zeros and 0", encodings.lifted
        )
        for name in ("point_with_x", "point_with_y", "lift_x", "lift_y")
    },
    "encode_affine": Lemma("the bytes of a coordinate, and a low bit", encodings.encoded_affine),
    "encode": Lemma("the encoding of p", encodings.encoded),
    "encode_uncompressed": Lemma("04, x and y of p", encodings.encoded_uncompressed),
    "decode": Lemma("the point of an encoding and 1, or zeros and 0", encodings.decoded),
    "inverse_of_all": Lemma("the inverse of the product of all Y, each other than 0", batches.inverted),
    "to_affine_batch": Lemma("x and y of each point, zeros where it has none", batches.to_affine),
    "encode_batch": Lemma("the encoding of each point", batches.encoded),
    "encode_xy": Lemma("x and y", batches.encoded_xy),
    "encode_xy_batch": Lemma("x and y of each point", batches.encoded_pairs),
    "decode_xy": Lemma("the point (x, y) and 1, or zeros and 0", batches.decoded_xy),
    "decode_xy_batch": Lemma("the point of each pair, or zeros", batches.decoded_pairs),
    "encode_wire": Lemma("all members of p", encodings.encoded_wire),
    "decode_wire": Lemma("the point of members and 1, or zeros and 0", encodings.decoded_wire),
    "lift_affine": Lemma("the point (x, y), which is one", coset_points.lifted),
    "extended": Lemma("X, Y, Z and T with x = X/Z, y = Y/Z and x*y = T/Z", coset_points.extended),
    "point_of_fractions": Lemma("the point (xn/xd, yn/yd), which is one", coset_points.by_fractions),
    "element_of_bytes": Lemma("the number of bytes modulo p", coset_points.number_of_bytes),
    "ristretto_double_encode": Lemma("the encoding of the coset of 2*p", encoded_double),
    **{f"{group}_{name}": lemma for group in ("ristretto", "decaf") for name, lemma in _COSETS.items()},
    "affine_is_on_curve": Lemma("whether there is a point (x, y)", coordinates.is_affine),
    "is_on_curve": Lemma("whether members are those of a point", coordinates.is_point),
    "right_side": Lemma("y^2 for a given x", coordinates.right_side),
    "make_entry": Lemma("p", statements.copy_of),
    **dict.fromkeys(("normal_entry", "normal_fixed_entry"), Lemma("p", statements.copy_of)),
    "endomorphism": Lemma("λ*q", chained.image_of),
    "scaled_entry": Lemma("q on the isomorphic curve of z", chained.scaled_of),
    "from_isomorphic": Lemma("p on the curve, given it on the isomorphic one of z", chained.raised_of),
    "add_scaled_entry_var": Lemma("p + q, given p on the isomorphic curve of z", chained.sum_of),
    "has_small_order": Lemma("whether the cofactor times p is the identity", repeated.small_order),
    "multiply_small": Lemma("k*p if the cofactor times p is the identity", repeated.small_multiple),
    "is_in_subgroup": Lemma("whether p is a multiple of the generator, on the curve", repeated.subgroup),
    "clear_cofactor": Lemma("the cofactor times p", repeated.cofactor),
    "multiply_add": Lemma("k*p + q", repeated.composition(("add", ("multiply", "k", "p"), "q"))),
    "is_valid": Lemma("whether p is in the subgroup, and not the identity", repeated.valid),
    "validate": Lemma("p in the subgroup but the identity, else zeros", repeated.validated),
}


def _of_entries(label: str) -> dict[str, Lemma]:
    return {
        f"add_{label}_kernel": Lemma("p + q", statements.regular_sum_of, "exceptions"),
        f"negate_{label}": Lemma("-q", statements.negative_of),
        f"lift_{label}": Lemma("q", statements.copy_of),
        f"read_{label}": Lemma(
            "entry window mod 2^(bits - 1) if the top bit of window is 1, else minus entry ~window",
            look_ups.window_entry,
        ),
        f"digit_{label}_var": Lemma("the odd multiple by a digit", look_ups.odd_entry),
        f"add_{label}": Lemma("p + q", statements.regular_sum_of, "exceptions"),
        f"add_{label}_var": Lemma("p + q", statements.sum_of),
    }


ON_BINARY: Mapping[str, Lemma] = {
    "half": Lemma("a half of p and 1, or other elements and 0", binary_points.half),
    "is_odd": Lemma("whether a point of the curve is of odd order", binary_points.odd),
    "satisfies_equation": Lemma("whether x and y satisfy the curve's equation", coordinates.is_affine),
    "satisfies_equations": Lemma("whether members with Z != 0 are those of a point", binary_points.is_point),
    "affine_is_on_curve": Lemma(
        "whether there is a point (x, y) of odd order",
        binary_points.conjunction("satisfies_equation", "is_odd"),
    ),
    "is_on_curve": Lemma("whether members are those of a point of odd order", binary_points.is_on_curve),
    "lift_affine": Lemma("the point (x, y), which is one", binary_points.lifted),
    **dict.fromkeys(
        ("from_affine", "point_with"),
        Lemma("the point (x, y) and 1, or zeros and 0", binary_points.from_affine),
    ),
    "encode_affine": Lemma("the bytes of x, and the low bit of y/x", binary_points.encoded_affine),
    **dict.fromkeys(
        ("point_with_x", "lift_x"),
        Lemma("the point with x and a low bit of y/x and 1, or zeros and 0", binary_points.with_x),
    ),
}
"""Lemmas on binary curves: those that there are only there, and others in the place of general ones."""


LEMMAS: Mapping[str, Lemma] = _POINTS | {
    name: lemma for label in ("entry", "fixed_entry", "summand") for name, lemma in _of_entries(label).items()
}


def lemmas_of(plan: CurvePlan) -> Mapping[str, Lemma]:
    """Return the lemmas for the curve of a plan."""
    return {**LEMMAS, **ON_BINARY} if plan.model == "binary" else LEMMAS


def prove_lemmas(plan: CurvePlan, module: Module) -> None:
    """Prove the lemmas of all functions that a module has; raise :class:`EfdgenError` where one fails."""
    prover, lemmas = Prover(plan, module), lemmas_of(plan)
    for name in module.routines:
        if name in lemmas:
            try:
                lemmas[name].prove(prover, name)
            except RoutineError as error:
                raise EfdgenError(f"{name} is not proved: {error}") from None
