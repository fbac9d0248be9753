"""Names of routines in languages: none means two things, and none is a type or a function of readers."""

from dataclasses import replace

import pytest
from test_routines import HEAD
from test_routines_comments import PLANS
from test_routines_multiples import plan_of

from efdgen.generator.errors import EfdgenError
from efdgen.generator.languages.bindings import Bindings, require_apart
from efdgen.generator.languages.c.printer import TYPES as C_TYPES
from efdgen.generator.languages.rust.types import TYPES as RUST_TYPES
from efdgen.generator.planning.curve_routines import curve_module
from efdgen.generator.planning.protocol_routines import protocol_module, protocol_routines, with_kept
from efdgen.generator.render.c.routines import _bindings
from efdgen.generator.routines.module import module
from efdgen.generator.routines.names import FUNCTIONS, is_routine, is_type, is_variable
from efdgen.generator.routines.parser import parse
from efdgen.generator.routines.types import SCALARS
from efdgen.verify.routines import c as c_forms
from efdgen.verify.routines import rust_values as rust_forms
from efdgen.verify.words import c_grammar as c_words

TEXT = """
structure point
structure element

leaf fe_add(a: element, b: element) -> element as r
leaf kernel(p: point) -> point as r
leaf entry_kernel(p: point) -> point as r

routine add(p: point, q: point) -> point as r:
    let z = fe_add(p.X, q.X)
    var r = kernel(p)
    r.X = z
    return r

routine less(p: point) -> point as r:
    let s = entry_kernel(p)
    return add(s, p)
"""


def test_types_and_functions_of_readers_are_no_names():
    types = [kind.removeprefix("fp_") for kind in c_words._TYPES if kind.startswith("fp_")]
    functions = [*types, c_forms._WORD_MASK, *rust_forms._WRAPPING, "wrapping_neg", "black_box"]
    assert set(functions) <= FUNCTIONS
    assert not any(map(is_routine, functions))
    assert not any(map(is_variable, [*C_TYPES.values(), *RUST_TYPES.values()]))
    assert not any(map(is_routine, SCALARS))
    assert not any(map(is_type, SCALARS))


@pytest.mark.parametrize(
    ("bindings", "reason"),
    [
        (Bindings({"add": "fp_less"}), "add and less have one name, less"),
        (Bindings({"kernel": "fp_less"}), "kernel and less have one name, less"),
        (Bindings({"less": "fp_signed"}), "the routine less cannot be called signed"),
        (Bindings({"less": "fp_dot"}, {"point": "fp_dot"}), "the routine less cannot be called dot"),
        (Bindings({"fe_add": "add"}), "add and fe_add have one name, add"),
        (Bindings({"fe_add": "add"}, methods=frozenset(["fe_add"])), ""),
        (Bindings({"fe_add": "add"}, methods=frozenset(["fe_add", "add", "less"])), ""),
        (Bindings({"less": "add"}, methods=frozenset(["add", "less"])), "add and less have one name, add"),
        (Bindings({"entry_kernel": "fp_kernel"}), ""),
    ],
)
def test_functions_with_one_name_are_refused(bindings, reason):
    found = module(parse(HEAD + TEXT), {"point.members": ("X", "Y")}, {"N": 4}, ["less"])
    if not reason:
        require_apart(found, ["less"], bindings, "fp_")
        return
    with pytest.raises(EfdgenError, match=reason):
        require_apart(found, ["less"], bindings, "fp_")


@pytest.mark.slow
@pytest.mark.parametrize(("curve", "coordinates"), PLANS)
def test_names_of_plans_are_apart(curve, coordinates):
    plan = plan_of(curve, coordinates)
    found, bindings = curve_module(plan), _bindings(plan)
    require_apart(found, found.routines, bindings, f"{plan.prefix}_")
    twice = replace(bindings, functions={**bindings.functions, "negate": f"{plan.prefix}_add"})
    with pytest.raises(EfdgenError, match="add and negate have one name, add"):
        require_apart(found, found.routines, twice, f"{plan.prefix}_")


@pytest.mark.slow
@pytest.mark.parametrize("prefix", ["p_", "q_"])
def test_a_prefix_that_variables_have_is_refused(prefix):
    """Was found when the text was read back: its variables lost their prefix."""
    plan = plan_of("secp256k1", "jacobian-0")
    found = curve_module(plan)
    with pytest.raises(EfdgenError, match=rf"the variable {prefix}is_identity starts with {prefix}; choose"):
        require_apart(found, found.routines, Bindings(), prefix)


@pytest.mark.slow
def test_a_file_of_protocols_has_what_the_curve_keeps_to_itself():
    """Was found in C of two files, where a routine was not declared."""
    plan = plan_of("secp256k1", "jacobian-0")
    found, own = protocol_module(plan, "ecdsa"), protocol_routines(plan, "ecdsa")
    assert {*with_kept(found, own, ())} == {*own, "reduced", "low_bit"}
    assert {*with_kept(found, own, {"reduced"})} == {*own, "low_bit"}
