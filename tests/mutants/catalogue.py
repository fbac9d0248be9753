"""Every kind of mutants, with the fields and curves on which it is tried."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.mathematics.binary import BinaryField, read_polynomial
from efdgen.generator.mathematics.prime import PrimeField
from mutants.hosts import Rules
from mutants.kinds import Printed, Sources
from mutants.sources import Routines, Template
from mutants.targets import CurveTarget, FieldTarget, ProtocolTarget
from mutants.values import Formulas, LimbPrograms, Plans

if TYPE_CHECKING:
    from collections.abc import Sequence

    from efdgen.generator.options import Language
    from mutants.kinds import Kind
    from mutants.targets import Target

FIELD = {
    "words": {
        "c": ("words64.h.j2", "words32.h.j2", "signed64.h.j2", "signed32.h.j2"),
        "rust": ("words.rs.j2", "signed.rs.j2"),
    },
    "elements": {"c": ("field.h.j2",), "rust": ("field_methods.rs.j2", "field_items.rs.j2")},
    "inversion": {"c": ("inversion.h.j2",), "rust": ("inversion.rs.j2",)},
    "inversion in variable time": {"c": ("variable_inversion.h.j2",), "rust": ("variable_inversion.rs.j2",)},
    "squares": {"c": ("squares.h.j2",), "rust": ("squares.rs.j2",)},
    "roots": {"c": ("roots.h.j2",), "rust": ("roots.rs.j2",)},
    "powers and batches": {
        "c": ("powers.h.j2", "chain_step.h.j2", "batch_inversion.h.j2"),
        "rust": ("powers.rs.j2", "chain_step.rs.j2", "batch_inversion.rs.j2"),
    },
    "quadratic fields": {"c": ("quadratic.h.j2",), "rust": ("quadratic.rs.j2",)},
}
FIELD_OF_2 = {
    "carry-less products": {
        "c": ("carryless64.h.j2", "carryless32.h.j2"),
        "rust": ("carryless.rs.j2",),
    },
    "roots and traces over GF(2)": {"c": ("polynomials.h.j2",), "rust": ("polynomials.rs.j2",)},
}
CURVE = {
    "points": {
        "c": ("random_membership.h.j2",),
        "python": ("points.py.j2", "entries.py.j2"),
    },
    "scalars": {"python": ("scalars.py.j2",)},
    "random values": {"c": ("random.h.j2",), "rust": ("random.rs.j2",)},
    "encodings": {
        "python": ("encodings.py.j2", "encodings_shortw.py.j2", "encodings_edwards.py.j2"),
    },
    "multiplication": {
        "python": ("multiply.py.j2", "multiply_var.py.j2", "one_z.py.j2"),
    },
    "combs": {"python": ("comb.py.j2",)},
    "sums and buckets": {
        "python": ("multi.py.j2",),
    },
    "ladders": {
        "python": ("montgomery.py.j2", "coz.py.j2"),
    },
}
_ROUTINES = (
    *("points", "infinite", "incomplete", "slopes", "special", "subgroup", "prime", "cofactor_doublings"),
    *("sums", "forms", "chain_entries", "ladder", "coz"),
    *("made_combs", "plain_combs", "normal_combs", "ecdsa", "eddsa", "recovery", "bip340"),
    *("many", "many_multiples", "many_chained", "many_co_z", "many_one_z"),
    *("numbers", "sec1", "rfc8032", "wire", "batches", "infinite_batches"),
    *("multiples", "special_multiples", "normal_multiples", "chained_multiples", "images", "endomorphism"),
    *("made_entries", "copied_entries", "normal_entries", "chained_entries"),
    *("entries", "plain_entries", "incomplete_entries", "doublings", "doubled"),
    *("scalars", "comb", "windows", "incomplete_sums", "chains", "even", "halves", "one_z", "apart"),
)
PRIMES = (("2^61-1", -1), ("3*2^30+1", None))
# Degrees of both parities; powers of x with the trace 1 are in all places of a byte.
POLYNOMIALS = (
    "x^41 + x^32 + x^30 + x^27 + x^24 + x^22 + x^20 + x^19 + x^15 + x^13 + x^2 + x + 1",
    "x^64 + x^4 + x^3 + x + 1",
)
CURVES = (
    ("secp256k1", "jacobian-0", None),
    ("P-256", "jacobian-3", "co-z"),
    ("edwards25519", "extended-1", None),
    ("Curve25519", None, None),
)
LIMB_PRIMES = (2**127 - 1, 2**255 - 19, 2**256 - 2**224 + 2**192 + 2**96 - 1, 5 * 2**248 - 1)
PRINTED = ("2^127-1", "P-256", "2^255-19")
PRINTED_OF_2 = ("x^113 + x^9 + 1", "x^163 + x^7 + x^6 + x^3 + 1")
PROTOCOLS = {
    "c": tuple(
        f"{name}.h.j2"
        for name in ("ecdh", "ecdsa", "ecdsa_der", "eddsa", "elgamal", "exchange", "bip340", "sc")
    ),
    "rust": tuple(f"{name}.rs.j2" for name in ("ecdh", "ecdsa", "eddsa", "elgamal", "exchange")),
    "python": tuple(f"{name}.py.j2" for name in ("ecdh", "ecdsa", "eddsa", "elgamal", "exchange")),
}
# The order of secp160r1 is above a power of 2: nonces are drawn again, and bits of their bytes are to spare.
PROTOCOL_CURVES = (
    ("secp160r1", "jacobian-3"),
    ("P-256", "jacobian-3"),
    ("secp256k1", "jacobian-0"),
    ("edwards25519", "extended-1"),
    ("Ed448", "projective"),
    ("Curve25519", None),
    ("Curve448", None),
)


def _field(language: Language) -> tuple[FieldTarget, ...]:
    return tuple(FieldTarget(language, prime, nonresidue) for prime, nonresidue in PRIMES)


def _curves(language: Language) -> tuple[CurveTarget, ...]:
    return tuple(CurveTarget(language, name, system, odd_multiples=table) for name, system, table in CURVES)


TITLES = {"c": "C", "rust": "Rust", "python": "Python"}


def _kinds() -> list[Kind]:
    fields = tuple(BinaryField(read_polynomial(polynomial)) for polynomial in PRINTED_OF_2)
    kinds: list[Kind] = [
        Formulas("formulas"),
        LimbPrograms("limb programs", (*map(PrimeField, LIMB_PRIMES),)),
        LimbPrograms("limb programs over GF(2)", fields),
    ]
    for language, compiler in (("c", ()), ("rust", ())):
        binary = tuple(FieldTarget(language, polynomial=polynomial) for polynomial in PRINTED_OF_2)
        kinds += [
            Printed(f"printed limbs over GF(2), {TITLES[language]}, {word} bits", word, binary)
            for word in (64, 32)
        ]
        targets = tuple(FieldTarget(language, prime, compiler=compiler) for prime in PRINTED)
        kinds += [
            Printed(f"printed limbs, {TITLES[language]}, {word} bits", word, targets) for word in (64, 32)
        ]
    clang = tuple(FieldTarget("c", prime, compiler=("clang-19",), target="clang") for prime in PRINTED)
    kinds.append(Printed("printed limbs, C for clang", 64, clang))
    rv32im = tuple(FieldTarget("c", prime, target="rv32im") for prime in PRINTED)
    kinds.append(Printed("printed limbs, C for rv32im", 32, rv32im))
    for title, names in FIELD.items():
        kinds += [_templates(title, language, files, _field(language)) for language, files in names.items()]
    for title, names in FIELD_OF_2.items():
        for language, files in names.items():
            binary = tuple(FieldTarget(language, polynomial=polynomial) for polynomial in POLYNOMIALS)
            kinds.append(_templates(title, language, files, binary))
    for title, names in CURVE.items():
        kinds += [
            _templates(title, language, [_path(language, name) for name in files], _curves(language))
            for language, files in names.items()
        ]
    on_words = (*_curves("c"), *_curves("rust"))
    kinds += [Sources(f"routines, {name}", (Routines(name),), on_words) for name in _ROUTINES]
    for language, names in PROTOCOLS.items():
        protocols = tuple(ProtocolTarget(language, *curve) for curve in PROTOCOL_CURVES)
        files = [f"protocols/{name}" for name in names]
        kinds.append(_templates("protocols", language, files, protocols))
    kinds.append(Rules("rules of a host"))
    kinds.append(Plans("plans", (*_curves("c"),)))
    return kinds


def _templates(title: str, language: Language, names: Sequence[str], targets: tuple[Target, ...]) -> Sources:
    sources = tuple(Template(language, name) for name in names)
    return Sources(f"{title}, {TITLES[language]}", sources, targets)


def _path(language: Language, name: str) -> str:
    return name if language == "python" else f"curve/{name}"


KINDS = _kinds()
