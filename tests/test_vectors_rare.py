"""Questions for code that hardly any random input enters: they see single wrong edits of whole curves."""

from pathlib import Path
from random import Random

import pytest
from whole_curves import tiny_file

from efdgen.generator.compile import Request
from efdgen.generator.formulas.database import Database
from efdgen.verify.vectors import whole_cases, whole_edges, whole_rare
from efdgen.verify.vectors.drivers import Build, build_driver
from efdgen.verify.vectors.whole_subjects import WholeSubject, whole_subject
from efdgen.verify.vectors.whole_suite import WholeSuite

C, RUST, PYTHON = "p256.h", "src/random.rs", "p256/_curve.py"


@pytest.fixture(scope="module")
def curve(database: Database) -> WholeSubject:
    request = Request("c", "P-256", set="curve", table="small", lowering="calls")
    return whole_subject(database, request, ["c", "rust", "python"])


def wrong(suite: WholeSuite, language: str, files: dict[str, str], folder: Path, level: str) -> set[str]:
    """Return the functions that a driver answers wrongly for."""
    driver = build_driver(Build(language, language, level=level), files, folder)
    results = suite.judge({language: driver.ask(suite.requests(language))})
    return {result.function for result in results if not result.ok}


EDITS = [
    ("c", C, "drawn[31 - i]", "drawn[i]", "random_scalar"),
    ("c", C, "below = some = 0;", "below = 0, some = 1;", "random_scalar"),
    ("c", C, "drawn[P256_FIELD_BYTES] & 1", "drawn[P256_FIELD_BYTES] >> 1 & 1", "random_point_by_lift"),
    ("c", C, "s == 0 && block >= 5", "s == 0 && block >= 6", "multiply_generator"),
    ("c", C, "window - 1], &negated)", "window - 1], q)", "multi_multiply_var"),
    ("c", C, "size_t i = half; i-- > 0;", "size_t i = half; i-- > 1;", "multi_multiply_var"),
    ("c", C, "found.Y = p256_constant_zero;", "", "multiply"),
    ("c", C, "((1 ^ undefined) & on)", "((1 ^ undefined) | on)", "decode_wire"),
    ("rust", RUST, "& !some.ct_eq(&0)", "& !some.ct_eq(&2)", "random_scalar"),
    ("python", PYTHON, "if 0 < k < ORDER:", "if 0 <= k < ORDER:", "random_scalar"),
    ("python", PYTHON, "0 <= x < P", "0 <= x <= P", "from_affine"),
    ("python", PYTHON, "number >> 8 &", "number >> 9 &", "random_point_by_lift"),
    ("python", PYTHON, "k %= ORDER\n    digits", "k = k % ORDER ^ (k == 21)\n    digits", "multiply"),
    ("python", PYTHON, "k %= ORDER\n    digits", "k = k % ORDER ^ (k == ORDER - 34)\n    digits", "multiply"),
    ("python", PYTHON, "return not p.Z", "return not (p.X and p.Z)", "multiply_var"),
    ("python", PYTHON, "digit > 0 else -1 - n", "digit > 0 else n", "multi_multiply_var"),
]


@pytest.mark.slow
def test_every_edit_finds_its_place(curve):
    """A run builds a few edits, and looks for the text of each: a changed template loses one in silence."""
    lost = [
        (file, right) for language, file, right, _, _ in EDITS if right not in curve.files[language][file]
    ]
    assert not lost


@pytest.mark.drawn(3)
@pytest.mark.parametrize(("language", "file", "right", "edit", "function"), EDITS)
@pytest.mark.usefixtures("cc", "cargo")
def test_a_rare_fault_is_seen(language, file, right, edit, function, curve, tmp_path):
    text = curve.files[language][file]
    assert right in text
    files = {**curve.files[language], file: text.replace(right, edit)}
    assert function in wrong(curve.suite(1), language, files, tmp_path, "1" if "zero" in right else "0")


def test_the_last_addition_of_a_comb_is_asked_to_double():
    order = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
    comb = whole_rare.Comb(6, 4, 11)
    doubled = []
    for k in whole_rare.exceptional_scalars(order):
        block, entry, sign = comb.steps(k)[-1][-1]
        last = sign * comb.multiples(block)[entry]
        doubled.append((k - 2 * last) % order == 0)
    assert doubled.count(True) == 1


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("name", ["prime", "twisted", "edwards"])
def test_every_point_on_an_axis_is_an_edge(name, database, tmp_path):
    request = Request("c", str(tiny_file(tmp_path, name)), set="curve", table="small")
    found = whole_subject(database, request, ["python"]).curve
    one_of_each = {*whole_edges.on_axes(found)}
    opposite = {found.affine.negate(point) for point in one_of_each}
    assert one_of_each | opposite == {point for point in found.points if point and 0 in point}


@pytest.mark.slow
@pytest.mark.long
def test_every_rare_question_is_asked_of_a_large_curve(curve):
    rows = {row[0] for row in whole_cases.all_rows(curve.curve, Random(1))}
    assert {"random_scalar", "random_point", "random_point_by_lift", "multi_multiply_var"} <= rows
