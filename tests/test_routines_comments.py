"""Comments of printed routines: every verb is in the third person, and a method's point is ``self``."""

import re

import pytest
from test_routines_multiples import plan_of

from efdgen.generator.errors import EfdgenError
from efdgen.generator.languages.docs import VERBS, about_self, third_person
from efdgen.generator.planning.curve_routines import curve_module
from efdgen.generator.render.rust.routines import _is_method
from efdgen.generator.routines import tree
from efdgen.generator.routines.parser import LIBRARY, library

FILES = sorted(file.name.removesuffix(".routine") for file in LIBRARY.iterdir())
PLANS = [
    ("secp256k1", "jacobian-0"),
    ("secp256k1", "projective"),
    ("P-256", "xyzz"),
    ("edwards25519", "extended-1"),
    ("edwards25519", "inverted"),
    ("Ed448", "projective"),
]
# A bare verb where a command has one.
BARE = re.compile(rf"(?:\A|, |\b(?:and|but|or|then) )({'|'.join(VERBS)})\b", re.I)


@pytest.mark.parametrize(
    ("command", "statement"),
    [
        ("Return a, and return b.", "Returns a, and returns b."),
        ("Read a scalar, and reduce it.", "Reads a scalar, and reduces it."),
        ("Add a or subtract b.", "Adds a or subtracts b."),
        ("Assign a to t.\nIt is reduced.", "Assigns a to t.\nIt is reduced."),
        ("Exchange a and b, and nothing else.", "Exchanges a and b, and nothing else."),
        ("Return m[0]*a and least*b, or zeros.", "Returns m[0]*a and least*b, or zeros."),
    ],
)
def test_commands_become_statements(command, statement):
    assert third_person(command) == statement


@pytest.mark.parametrize(
    "command",
    [
        "",
        "The sum of a and b.",
        "return a.",
        "Frobnicate a.",
        "Read a, and clamp it.",
        "Read a and clamp it.",
        "Read a, clamp it and return it.",
        "Read a, then need b.",
        "Read a.\nReturn b.",
    ],
)
def test_commands_with_unknown_verbs_are_refused(command):
    with pytest.raises(EfdgenError, match="the comment"):
        third_person(command)


@pytest.mark.parametrize("file", FILES)
def test_comments_of_the_library_are_commands(file):
    for routine in library(file).routines.values():
        if not routine.leaf:
            assert not BARE.findall(third_person(routine.doc)), routine.name


@pytest.mark.slow
@pytest.mark.parametrize(("curve", "coordinates"), PLANS)
def test_comments_of_plans_are_statements(curve, coordinates):
    """Was printed: "Reads a scalar, and reduce it"."""
    for routine in curve_module(plan_of(curve, coordinates)).routines.values():
        if not routine.leaf:
            assert not BARE.findall(third_person(routine.doc)), routine.name


@pytest.mark.slow
@pytest.mark.parametrize(("curve", "coordinates"), PLANS)
def test_names_of_points_in_comments_of_methods_are_parameters(curve, coordinates):
    for routine in curve_module(plan_of(curve, coordinates)).routines.values():
        if routine.leaf or not _is_method(routine):
            continue
        name = routine.parameters[0].name
        assert len(re.findall(rf"\b{name}\b", routine.doc)) == about_self(routine.doc, name).count("self")
        # Comments within a method are not rewritten.
        lines = [s.text for s in tree.statements(routine.body) if isinstance(s, tree.Comment)]
        assert not re.search(rf"\b{name}\b", "\n".join(lines)), routine.name


def test_words_are_not_taken_for_parameters():
    assert about_self("Returns 2*p - up, p.X and whether p is a point.", "p") == (
        "Returns 2*self - up, self.X and whether self is a point."
    )
    for comment, name in (
        ("Returns a point.", "a"),
        ("Returns x modulo p.", "p"),
        ("Returns an element of GF(p).", "p"),
    ):
        with pytest.raises(EfdgenError, match="for another thing"):
            about_self(comment, name)
