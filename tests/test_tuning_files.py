"""Tunings as text: read as they were written, and refused with one line where they are none."""

from typing import get_args

import pytest

from efdgen.generator.autotuning.use import require_use
from efdgen.generator.errors import EfdgenError
from efdgen.generator.options import Target
from efdgen.generator.tuning.file import added, built_in, parse_tuning, read_tuning, tuning_text
from efdgen.generator.tuning.order import Order
from efdgen.generator.tuning.tuning import FieldChoice, FormulaChoice, OrderChoice, Tuning

P = 2**255 - 19
FIELD = FieldChoice(P, 64, "saturated", "clang", 1.25)
FORMULA = FormulaChoice("toy", "double", "g1p/toy/dbl", 1.5)
ORDER = OrderChoice("toy", "g1p/toy/dbl", "abc", Order((1, 0), (0,)))
FOR_GCC = OrderChoice("toy", "g1p/toy/dbl", "abc", Order((0, 1)), target="gcc")
TUNING = Tuning("c", ("toycc 1 -O2, a toy",), (FIELD,), (FORMULA,), (FOR_GCC, ORDER))
TEXT = tuning_text(TUNING)


def decisions(tuning: Tuning) -> tuple[object, ...]:
    return tuning.language, tuning.measured, tuning.fields, tuning.formulas, tuning.orders


def test_a_tuning_is_read_as_it_was_written():
    found = parse_tuning(TEXT, "mine.toml")
    assert decisions(found) == decisions(TUNING)
    assert tuning_text(found) == TEXT
    assert "ratio" not in TEXT.partition("[[order]]")[2]
    assert TEXT.partition("[[order]]")[2].count("target") == 1


@pytest.mark.parametrize("language", ["c", "rust"])
def test_what_is_built_in_is_a_tuning_as_it_is_written(language, pytestconfig):
    path = pytestconfig.rootpath / "generator" / "tuning" / f"{language}.toml"
    assert tuning_text(built_in(language)) == path.read_text()


@pytest.mark.parametrize("language", ["c", "rust"])
def test_what_is_built_in_chooses_no_formula(language):
    # Or one point would have other coordinates in one language than in another.
    assert built_in(language).formulas == ()


@pytest.mark.parametrize(
    ("old", "new", "place", "message"),
    [
        ("language", "langauge", "4:1", "unknown key 'langauge'; did you mean language?"),
        ('language = "c"', "", "1:1", "language is missing; it must be c or rust"),
        ('"c"', '"go"', "4:1", "language must be c or rust, not 'go'"),
        ("[[order]]", "[[ordre]]", "22:3", "unknown key 'ordre'; did you mean order?"),
        ("[1, 0]", "[1, 1]", "34:1", "order 2: instructions is not a permutation of 0 to 1 of g1p/toy/dbl"),
        ("[1, 0]", "[1, true]", "34:1", "order 2: instructions must be a list of integers"),
        ("[1, 0]", "7", "34:1", "order 2: instructions must be a list of integers"),
        ('program = "abc"', "", "22:3", "order 1: program is missing; it must be a text"),
        (
            '"gcc"',
            '"tcc"',
            "26:1",
            f"order 1: target must be {' or '.join(get_args(Target))}, not 'tcc'",
        ),
        (
            '"saturated"',
            '"loose"',
            "12:1",
            "field 1: representation must be saturated or unsaturated, not 'loose'",
        ),
        ('"0x7f', '"prime', "10:1", "field 1: prime is a hexadecimal number, not 'prime"),
        ("word = 64", "word = true", "11:1", "field 1: word must be a positive integer"),
        ("1.25", "-1", "14:1", "field 1: ratio must be a positive number"),
        ("1.25", "true", "14:1", "field 1: ratio must be a positive number"),
        ('operation = "double"', 'operation = "double"\nspeed = 2', "19:1", "formula 1: unknown key 'speed'"),
        ("measured = [", "measured = [1,", "5:1", "measured must be a list of texts"),
        ("[[field]]", "[field]", "9:2", "field must be tables, each under [[field]]"),
        ("[[field]]", "[[field", "9:8", "not TOML: Expected ']]' at the end of an array declaration"),
        ('program = "abc"', f"program = {'9' * 5000}", None, "a number too long"),
    ],
)
def test_what_is_no_tuning_is_refused_at_its_place(old, new, place, message):
    assert old in TEXT
    with pytest.raises(EfdgenError) as error:
        parse_tuning(TEXT.replace(old, new, 1), "mine.toml")
    head, *shown = str(error.value).splitlines()
    assert head.startswith(f"mine.toml:{place}: {message}" if place else f"mine.toml: {message}")
    assert head.endswith("; write it again with efdgen tune") == (place is not None)
    assert not shown or shown[1].strip() == "^"


def test_rows_of_one_line_are_numbered():
    row = 'curve = "toy", operation = "double", formula = "g1p/toy/dbl"'
    text = f'language = "c"\nmeasured = []\nformula = [{{{row}}}, {{{row}, speed = 2}}]'
    with pytest.raises(EfdgenError, match=r"^mine\.toml:3:139: formula 2: unknown key 'speed'"):
        parse_tuning(text, "mine.toml")


def test_a_file_that_cannot_be_a_tuning_is_refused(tmp_path):
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe")
    (tmp_path / "mine.toml").write_text(TEXT)
    for name, language, message in (
        ("none.toml", "c", "none.toml: No such file or directory"),
        ("binary.toml", "c", "binary.toml: not UTF-8 text"),
        ("mine.toml", "rust", "mine.toml was measured in c; tune again with --lang rust"),
        ("mine.toml", "python", "--tuning needs --lang c or rust"),
    ):
        with pytest.raises(EfdgenError, match=message):
            read_tuning(tmp_path / name, language)
    assert decisions(read_tuning(tmp_path / "mine.toml", "c")) == decisions(TUNING)


def test_decisions_come_before_those_of_the_base():
    base = Tuning("c", fields=(FIELD,), formulas=(FORMULA,), orders=(ORDER,))
    own = FieldChoice(P, 64, "saturated", "gcc")
    other = FormulaChoice("other", "add", "g1p/toy/add")
    found = Tuning("c", fields=(own,), formulas=(other,), base=base)
    assert found.field(P, 64) == own
    assert found.field(P, 32) is None
    assert found.formulas_of("toy") == {"g1p/toy/dbl"}
    assert found.formulas_of("other") == {"g1p/toy/add"}


def test_what_is_added_takes_the_place_of_what_is_about_the_same():
    faster = OrderChoice("toy", "g1p/toy/dbl", "abc", Order((0, 1)), 1.1)
    another = OrderChoice("toy", "g1p/toy/add", "def", Order((0,)))
    found = added(TUNING, Tuning("c", ("toycc 2, a toy",), orders=(faster, another)))
    assert found.orders == (FOR_GCC, faster, another)
    assert (found.fields, found.formulas) == ((FIELD,), (FORMULA,))
    assert found.measured == ("toycc 1 -O2, a toy", "toycc 2, a toy")


def test_a_tuning_without_a_use_is_refused_and_what_is_out_of_date_is_told():
    order = Tuning("c", orders=(ORDER,), name="mine.toml")
    for programs, told in (({"g1p/toy/dbl": "abc"}, 0), ({"g1p/toy/dbl": "new", "another": "abc"}, 0)):
        assert len(require_use(order, P, "toy", programs)) == told
    stale = Tuning("c", fields=(FIELD,), orders=(ORDER,), name="mine.toml")
    (line,) = require_use(stale, P, "toy", {"g1p/toy/dbl": "new"})
    assert line == "mine.toml: the order of g1p/toy/dbl is for another program"
    for tuning, curve in ((order, "other"), (order, "toy"), (Tuning("c", fields=(FIELD,)), "toy")):
        prime = P if tuning is order else P + 2
        with pytest.raises(EfdgenError, match=f"decides nothing here.* run efdgen tune for {curve}"):
            require_use(tuning, prime, curve, {"g1p/toy/dbl": "new"} if curve == "toy" else {})
