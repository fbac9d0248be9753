"""Lemmas: functions on points are proved for all points, and single edits of their routines are refused."""

import re
from dataclasses import replace
from functools import cache

import pytest
from mutants.edits import edits, function_at
from mutants.sources import Routines
from test_routines_multiples import plan_of
from test_routines_points import SYSTEMS, Points, require_law
from whole_curves import tiny_file

from efdgen.generator.curves.load import built_in_curves
from efdgen.generator.errors import EfdgenError
from efdgen.generator.planning.complete import has_complete_law
from efdgen.generator.planning.plan import CurvePlan
from efdgen.generator.routines.integers import RoutineError
from efdgen.generator.routines.tree import Routine
from efdgen.verify.lemmas.prover import Prover
from efdgen.verify.lemmas.table import LEMMAS, prove_lemmas
from efdgen.verify.routines.curve import FOLLOWED, follower, roots, staged
from efdgen.verify.routines.leaves import LEAVES, TEMPLATES, unproved

PLANS = {
    "secp256k1, slopes": ("secp256k1", "jacobian-0"),
    "secp256k1, projective": ("secp256k1", "projective"),
    "P-256, slopes": ("P-256", "jacobian-3"),
    "P-256, xyzz": ("P-256", "xyzz"),
    "P-256, a further coordinate": ("P-256", "modified"),
    "P-256, projective": ("P-256", "projective-3"),
    "edwards25519, chains": ("edwards25519", "extended-1"),
    "edwards25519, special points": ("edwards25519", "inverted"),
    "BLS12-381, a long cofactor": ("BLS12-381", "jacobian-0"),
    "Ed448, mixed additions": ("Ed448", "projective"),
    "Ed448, special points": ("Ed448", "inverted"),
}
FILES = (
    *(
        "points",
        "infinite",
        "incomplete",
        "slopes",
        "special",
        "apart",
        "subgroup",
        "prime",
        "cofactor_doublings",
    ),
    *("entries", "plain_entries", "incomplete_entries", "doublings", "doubled"),
)
SYSTEMS_OF = {
    "g1p/shortw": (None, "jacobian", "projective", "xyzz", "modified"),
    "g1p/twisted": (None, "inverted", "projective", "extended"),
    "g1p/edwards": (None, "inverted"),
}
CURVES = {c.name: c for c in built_in_curves() if c.model in SYSTEMS_OF}


@cache
def plan(name: str) -> CurvePlan:
    return plan_of(*PLANS[name])


@pytest.mark.slow
@pytest.mark.drawn(4)
@pytest.mark.parametrize("name", PLANS)
def test_functions_on_points_are_proved(name):
    prove_lemmas(plan(name), staged(plan(name)))


@pytest.mark.slow
@pytest.mark.drawn(2)
@pytest.mark.parametrize(("curve", "system"), [(c, s) for c in CURVES for s in SYSTEMS_OF[CURVES[c].model]])
def test_functions_on_points_are_proved_on_every_curve(curve, system):
    given = CURVES[curve]
    if given.model != "g1p/shortw" and not has_complete_law(given.model, given.prime, given.parameters):
        with pytest.raises(EfdgenError, match="is not complete"):
            plan_of(curve, system)
        return
    own = plan_of(curve, system)
    prove_lemmas(own, staged(own))


@pytest.mark.slow
@pytest.mark.drawn(6)
@pytest.mark.parametrize("name", PLANS)
def test_every_function_on_points_is_part_of_a_lemma(name):
    own = plan(name)
    module = staged(own)
    others = "double_multiply_equals_var", "embed_var", "extract"
    followed = module.reached([*roots(own), *others, *FOLLOWED])
    lemmas = module.reached(LEMMAS.keys() & module.routines.keys())
    assert set(module.routines) <= followed | lemmas
    written = {
        function
        for file in FILES
        for function in re.findall(r"^\w*? ?routine (\w+)", Routines(file).text, re.M)
    }
    written |= {name.replace("_entry", "_fixed_entry") for name in written}
    assert len(written) >= 40
    digits = {name for name in followed if re.fullmatch(r"(add|chain)_digit_\w+_var", name)}
    assert written & module.routines.keys() <= {"multiply", *lemmas, *digits}


def test_only_fields_numbers_kernels_and_templates_are_assumed():
    assert all(name.startswith(("fe_", "number_")) or name.endswith("_kernel") for name in LEAVES)
    assert set(TEMPLATES) == {"fe_join"}


@pytest.mark.slow
def test_claims_name_the_functions_that_are_tested():
    module = staged(plan("secp256k1, slopes"))
    assert unproved(module.reached(["multiply"])) == ["masked copies"]
    assert unproved(module.reached(["multiply_generator"])) == ["masked copies"]
    assert unproved(module.reached(["multiply_generator_var"])) == []


@cache
def routines(name: str) -> dict[str, Routine]:
    return staged(plan(name)).routines


def refused(source: Routines, edited: str) -> bool:
    """Return whether a proof refuses an edit of routines for some plan; the edit has to change one."""
    touched = False
    with source.replaced(edited):
        for name in PLANS:
            try:
                module = staged(plan(name))
                changed = {own for own in module.routines if module.routines[own] != routines(name).get(own)}
                prover = Prover(plan(name), module)
                for own in LEMMAS.keys() & module.routines.keys():
                    if module.reached([own]) & changed:
                        LEMMAS[own].prove(prover, own)
                if "multiply" in changed:
                    follower(plan(name), module).follow("multiply")
            except (EfdgenError, RoutineError):
                return True
            touched = touched or bool(changed)
    assert touched
    return False


@pytest.mark.long
@pytest.mark.slow
def test_single_edits_are_refused_or_change_no_result(rng, few, tmp_path):
    every = [(file, edit) for file in FILES for edit in edits(Routines(file).text, "routines")]
    for name in PLANS:
        routines(name)
    right = []
    for file, edit in few(rng, every, 6):
        source = Routines(file)
        print(f"{file}, {function_at(source.text, 'routines', edit.start)}: {edit}")
        if not refused(source, edited := edit.apply(source.text)):
            right.append(edit)
            curve, system, _ = rng.choice(SYSTEMS)
            folder = tmp_path / f"{len(right)}"
            folder.mkdir()
            with source.replaced(edited):
                require_law(Points(plan_of(tiny_file(folder, curve), system)))
    assert len(right) < 6


WRONG = [
    ("secp256k1, slopes", "slopes", "select(q, sum, p_is_identity)", "select(p, sum, p_is_identity)", "add"),
    ("secp256k1, slopes", "slopes", "& fe_is_zero(run.value)", "& fe_is_zero(rise.value)", "add"),
    ("secp256k1, slopes", "infinite", "same & ~p_is_identity", "same & p_is_identity", "equal"),
    ("P-256, projective", "incomplete", "select(twice, sum, same)", "select(sum, twice, same)", "add"),
    (
        "P-256, projective",
        "incomplete",
        "let same = equal(p, q)\n    let p_is",
        "let same = equal(p, p)\n    let p_is",
        "add",
    ),
    ("P-256, projective", "points", "select(IDENTITY, twice, ", "select(twice, twice, ", "double"),
    ("P-256, xyzz", "infinite", "undefined & infinite |", "undefined |", "is_on_curve"),
    ("P-256, projective", "incomplete", "        return double(p)", "        return p", "add_var"),
    ("P-256, projective", "points", "        left = fe_mul(left, q.{below})", "        left = left", "equal"),
    (
        "P-256, slopes",
        "points",
        "let r = point_or_zeros(made, on)",
        "let r = point_or_zeros(made, 1)",
        "point_with",
    ),
    ("P-256, slopes", "infinite", "let finite = ~is_identity(p)", "let finite = is_identity(p)", "to_affine"),
    (
        "P-256, slopes",
        "subgroup",
        "point_or_zeros(p, valid)",
        "point_or_zeros(p, ~valid)",
        "validate",
    ),
    (
        "P-256, slopes",
        "entries",
        "r.{m} = q.{m}\n        static else",
        "r.{m} = ONE\n        static else",
        "lift_entry",
    ),
    ("edwards25519, special points", "special", "fe_select(y, above,", "fe_select(x, above,", "add"),
    ("edwards25519, special points", "special", "other.Y = fe_neg(p.Y)", "other.Y = p.Y", "negate"),
    ("edwards25519, special points", "apart", "sum = double(sum)", "sum = double(p)", "multiply_small"),
    (
        "edwards25519, special points",
        "apart",
        "0..window.small_bits:",
        "1..window.small_bits:",
        "has_small_order",
    ),
    ("edwards25519, special points", "special", "undefined ^ special", "undefined & special", "is_on_curve"),
    ("edwards25519, chains", "entries", "r = negate_entry(r)", "r = r", "digit_entry_var"),
    (
        "edwards25519, chains",
        "doubled",
        "for i in 1..times:",
        "for i in 0..times:",
        "double_chain",
    ),
    (
        "edwards25519, chains",
        "cofactor_doublings",
        "for i in 1..group.doublings:",
        "for i in 2..group.doublings:",
        "clear_cofactor",
    ),
    (
        "BLS12-381, a long cofactor",
        "subgroup",
        "(ORDER_BYTES, p)",
        "(COFACTOR_BYTES, p)",
        "is_in_subgroup",
    ),
]


def test_each_edit_finds_its_place():
    """Some are drawn in each run, and routines change meanwhile."""
    assert [row for row in WRONG if row[2] not in Routines(row[1]).text] == []


@pytest.mark.slow
@pytest.mark.drawn(3)
@pytest.mark.parametrize(("name", "file", "old", "new", "function"), WRONG)
def test_wrong_functions_are_refused_by_name(name, file, old, new, function):
    own, source = plan(name), Routines(file)
    assert old in source.text
    with (
        source.replaced(source.text.replace(old, new)),
        pytest.raises(EfdgenError, match=f"{function} is not proved"),
    ):
        prove_lemmas(own, staged(own))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("digit ^ 0 -% negative", "digit ^ 0 -% 1", "another entry"),
        ("let negative = 1 ^ digit >> bits - 1", "let negative = digit >> bits - 1", "another entry"),
        ("- 1 >> 31", "- 1 >> 30", "a mask of|two entries"),
        ("let minus = choice(negative)", "let minus = choice(1 ^ negative)", "another entry"),
        ("fe_select(negated.{m}, found.{m}", "fe_select(found.{m}, negated.{m}", "another entry"),
        ("(u32(1) << bits - 1) - 1", "(u32(1) << bits) - 1", "another entry"),
        ("mask(word(hit))", "mask(word(1 ^ hit))", "two entries|another entry"),
    ],
)
def test_look_ups_of_other_entries_are_refused(old, new, why):
    own, source = plan("P-256, slopes"), Routines("entries")
    edited = source.text.replace(old.replace("- 1 >> 31", "-% 1 >> 31"), new.replace("- 1 >>", "-% 1 >>"))
    assert edited != source.text
    with source.replaced(edited), pytest.raises(EfdgenError, match=why):
        prove_lemmas(own, staged(own))


def _negation(own: CurvePlan) -> CurvePlan:
    entry = own.roles.entry
    first, *rest = entry.negation
    wrong = replace(entry, negation=(replace(first, negative=not first.negative), *rest))
    return replace(own, roles=replace(own.roles, entry=wrong))


PLANNED = {
    "another doubling": lambda own: replace(own, roles=replace(own.roles, double=own.roles.negate)),
    "another negative": lambda own: replace(own, roles=replace(own.roles, negate=own.roles.double)),
    "another negative of entries": _negation,
    "another identity": lambda own: replace(
        own, representation=replace(own.representation, identity=own.representation.generator)
    ),
    "another curve": lambda own: replace(
        own, curve=replace(own.curve, parameters={n: v + 1 for n, v in own.curve.parameters.items()})
    ),
}


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("defect", PLANNED)
@pytest.mark.parametrize("name", ["P-256, slopes", "edwards25519, chains"])
def test_wrong_plans_are_refused(name, defect):
    own = PLANNED[defect](plan(name))
    with pytest.raises(EfdgenError):
        prove_lemmas(own, staged(own))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["secp256k1, slopes", "P-256, xyzz", "edwards25519, chains"])
def test_edits_of_kernels_are_refused(name, rng):
    """A product in the place of a sum, and the like, in a kernel that functions on points call."""
    own, other = plan(name), {"add": "sub", "sub": "add", "mul": "add"}
    called = {
        kernel for kernel in Prover(own, staged(own)).kernels.values() if kernel != own.roles.from_affine
    }
    for kernel in own.kernels.kernels:
        places = [at for at, step in enumerate(kernel.steps) if step.operation in other]
        if kernel.name in called and places:
            at = rng.choice(places)
            steps = list(kernel.steps)
            steps[at] = replace(steps[at], operation=other[steps[at].operation])
            kernels = [replace(k, steps=tuple(steps)) if k is kernel else k for k in own.kernels.kernels]
            wrong = replace(own, kernels=replace(own.kernels, kernels=tuple(kernels)))
            print(kernel.name, at, kernel.steps[at].text)
            with pytest.raises(EfdgenError):
                prove_lemmas(wrong, staged(wrong))


@pytest.mark.slow
@pytest.mark.long
def test_a_proof_that_grows_is_undecided_after_steps_not_seconds():
    own, source = plan("P-256, xyzz"), Routines("points")
    edited = source.text.replace("left = fe_mul(left, q.{below})", "left = fe_mul(left, left)")
    assert edited != source.text
    with source.replaced(edited), pytest.raises(EfdgenError, match="undecided after 32 pairs"):
        LEMMAS["equal"].prove(Prover(own, staged(own)), "equal")
