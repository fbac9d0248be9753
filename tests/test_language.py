"""The formula language: round trips, both dialects, and what is said of a malformed text."""

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from efdgen.generator.errors import TextError
from efdgen.generator.formulas.database import BUILT_IN, Database
from efdgen.generator.formulas.reader import (
    formula_statements,
    kind_statements,
    model_statements,
    system_statements,
)
from efdgen.generator.language.parser import digit_names, parse_document, parse_three_operand
from efdgen.generator.language.printer import print_document, print_expression
from efdgen.generator.language.syntax import (
    Assignment,
    Binary,
    Expression,
    Group,
    Name,
    Negative,
    Number,
    Statement,
)

FORMAT = BUILT_IN / "FORMAT.md"


def value(text: str, dialect: str = "normalised") -> Expression:
    (statement,) = [s for s in parse_document(text, dialect=dialect) if s.keyword == "compute"]
    assert isinstance(statement.content, Assignment)
    return statement.content.value


def test_every_formula_is_printed_as_it_stands(database: Database) -> None:
    for formula_id in database.ids:
        printed = print_document(formula_statements(database.formula(formula_id)))
        assert printed == database.text(formula_id), formula_id


def test_every_model_system_and_kind_is_printed_as_it_stands(database: Database) -> None:
    systems = {formula_id.rsplit("/", 2)[0] for formula_id in database.ids}
    for system in systems:
        printed = print_document(system_statements(database.system(system)))
        assert printed == (BUILT_IN / system / "variables").read_text(encoding="utf-8")
    for model in {system.rpartition("/")[0] for system in systems}:
        printed = print_document(model_statements(database.model(model)))
        assert printed == (BUILT_IN / model / "coordinates").read_text(encoding="utf-8")
    for path in (BUILT_IN / "kinds").iterdir():
        printed = print_document(kind_statements(database.kind(path.name)))
        assert printed == path.read_text(encoding="utf-8")


def test_the_example_of_the_documentation_is_the_file_it_names() -> None:
    text = FORMAT.read_text(encoding="utf-8")
    blocks = re.findall(r"(?m)^`(g1p/[^`]+)`.*\n\n((?:    .*\n)+)", text)
    ((path, block),) = blocks
    assert re.sub("(?m)^    ", "", block) == (BUILT_IN / path).read_text(encoding="utf-8")


def test_the_documentation_names_every_keyword_of_the_grammar() -> None:
    grammar = (Path(BUILT_IN).parent / "generator/language/normalised.lark").read_text(encoding="utf-8")
    keywords = [word for group in re.findall(r"/\(([a-z|]+)\)", grammar) for word in group.split("|")]
    documented = re.findall(r'"([a-z]+)"', FORMAT.read_text(encoding="utf-8"))
    assert sorted(keywords) == sorted(documented)


NAMES = st.sampled_from(["X1", "x1", "lambda", "I", "compute", "a_2", "ZZ3"]) | st.from_regex(
    r"[A-Za-z][A-Za-z0-9_]{0,5}", fullmatch=True
)


def chains(operands: st.SearchStrategy[Expression], operators: str) -> st.SearchStrategy[Expression]:
    """Up to three operands, taken together from left to right; nothing is divided by a literal 0."""

    def fold(parts: list[tuple[str, Expression]]) -> Expression:
        (_, result), *rest = parts
        for operator, operand in rest:
            safe = "*" if operator == "/" and operand == Number(0) else operator
            result = Binary(safe, result, operand)
        return result

    return st.lists(st.tuples(st.sampled_from(operators), operands), min_size=1, max_size=3).map(fold)


def sums(atoms: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    """Sums of products of signed powers, as the grammar has them."""
    powers = atoms | st.builds(Binary, st.just("^"), atoms, st.builds(Number, st.integers(0, 1000)))
    return chains(chains(powers | st.builds(Negative, powers), "*/"), "+-")


ATOMS = st.builds(Name, NAMES) | st.builds(Number, st.integers(0, 10**30))
GROUPED = st.recursive(ATOMS, lambda atoms: st.builds(Group, sums(atoms)), max_leaves=8)


@given(sums(GROUPED))
@settings(max_examples=200, deadline=None, print_blob=True)
@pytest.mark.slow
def test_any_expression_survives_printing_and_parsing(expression: Expression) -> None:
    assert value(f"compute t = {print_expression(expression)}") == expression


@pytest.mark.parametrize(
    ("published", "normalised"),
    [
        ("Y1(C-B)", "Y1*(C - B)"),
        ("2 D(XX-YY)", "2*D*(XX - YY)"),
        ("1/(4 y1^2) x1^4", "1/(4*y1^2)*x1^4"),
        ("(a)(b)(c)", "(a)*(b)*(c)"),
        ("a b/c d", "a*b/c*d"),
        ("a^2 b^3", "a^2*b^3"),
        ("x (y)^2", "x*(y)^2"),
        ("a -b", "a - b"),
        ("a (-b)", "a*(-b)"),
        ("-a b", "-a*b"),
        ("2*-x", "2*-x"),
        ("2x1", "2*x1"),
        ("2 2 x", "2*2*x"),
        ("x2 2", "x2*2"),
        ("lambda^2+lambda-I", "lambda^2 + lambda - I"),
        ("A a-a A", "A*a - a*A"),
    ],
)
def test_products_by_juxtaposition(published: str, normalised: str) -> None:
    assert print_expression(value(f"compute t = {published}", "upstream")) == normalised


def test_juxtaposition_binds_like_a_written_product() -> None:
    a, b, c, d = (Name(name) for name in "abcd")
    product = Binary("*", Binary("/", Binary("*", a, b), c), d)
    assert value("compute t = a b/c d", "upstream") == product
    assert value("compute t = a*b/c*d") == product


def test_a_name_that_begins_with_a_digit_is_one_name_only_where_it_is_declared() -> None:
    text = "parameter 2d\ncompute 2P = 2d X1 2 d\n"
    assert digit_names(text) == ("2P", "2d")
    assert print_expression(value(text, "upstream")) == "2d*X1*2*d"
    assert print_expression(value("compute t = 2d X1", "upstream")) == "2*d*X1"
    assert print_expression(value("parameter 2d\ncompute t = 12d 2dd", "upstream")) == "12*d*2*dd"
    (line,) = parse_three_operand("t0 = 2d*2P\n", names=("2P", "2d"))
    assert line == Statement("compute", Assignment("t0", Binary("*", Name("2d"), Name("2P"))))


def test_keywords_are_names_where_a_name_stands() -> None:
    (statement,) = parse_document("compute compute = assume*source")
    assert statement.content == Assignment("compute", Binary("*", Name("assume"), Name("source")))


@pytest.mark.parametrize(
    "text",
    ["# a\n# b\nsource x\n", "#\n#\n\n #\nsource x\n", "source x\n# a\n# b", "source x # a\r\n# b\r\n#\r\n"],
)
def test_comments_may_follow_each_other(text: str) -> None:
    assert [(s.keyword, s.content) for s in parse_document(text)] == [("source", "x")]


def test_comments_spaces_and_line_ends_mean_nothing() -> None:
    plain = parse_document("source [key] page 3\ncompute X3 = X1 + Y1\n")
    assert parse_document("# why\r\n\r\n source\t[key] page 3 # there\r\n  compute X3=X1+Y1#") == plain


def test_error_lines_of_published_code_are_kept_apart() -> None:
    first, second = parse_three_operand("t0 = a*b\nerror: not sure how to handle P*(-t0)\n")
    assert (first.keyword, second.keyword) == ("compute", "error")
    assert second.content == "not sure how to handle P*(-t0)"


MALFORMED = [
    ("compute X3 = (X1 + Y1", 1, 14, "never closed"),
    ("compute X3 = ((a) + (b", 1, 21, "never closed"),
    ("compute X3 = X1 + Y1)", 1, 21, "nothing opens this parenthesis"),
    ("compute X3 == X1", 1, 13, "'=' is written once"),
    ("assume Z1 = 1", 1, 11, "an equation is written with '=='"),
    ("assume a == b == c", 1, 15, "a second '=='"),
    ("compute X3 = A = B", 1, 16, "a second '='"),
    ("compute X3 = 2 D", 1, 16, "a product is written with '*'"),
    ("compute X3 = 2d", 1, 15, "a name begins with a letter"),
    ("compute 2d = D", 1, 9, "a name begins with a letter"),
    ("compute = D", 1, 9, "a name is missing"),
    ("compute X3", 1, 11, "expected '='"),
    ("compute X3 = D +", 1, 17, "an expression is missing before the end of the line"),
    ("compute X3 = ()", 1, 15, "an expression is missing before ')'"),
    ("compute X3 = D**2", 1, 16, "a power is written with '^'"),
    ("compute X3 = D^-1", 1, 16, "an exponent is a number"),
    ("compute X3 = D^x", 1, 16, "an exponent is a number"),
    ("compute X3 = D^2^2", 1, 17, "needs parentheses"),
    ("compute X3 = D^1001", 1, 14, "too large"),
    ("compute X3 = D/0", 1, 16, "division by zero"),
    (f"compute X3 = D + {2**1024}", 1, 18, "the number is too large; at most 1024 bits"),
    (f"compute X3 = {'9' * 1001}", 1, 14, "this number is too long"),
    (f"compute X3 = {'(' * 201}x{')' * 201}", 1, 215, "more than 200 operations"),
    ("compute X3 = D·E", 1, 15, "a product is written with '*'"),
    ("compute X3 = D − E", 1, 16, "a difference is written with '-'"),
    ("compute X3 = 2.5*E", 1, 15, "write 5/2 for 2.5"),
    ("compute X3 = [D]", 1, 14, "grouped with ( and )"),
    ("compute _x = D", 1, 9, "a name begins with a letter"),
    ("compute X3 = X1²", 1, 16, "unexpected character '²': a square is written ^2"),
    ("compute X3 = \tD $", 1, 17, "unexpected character '$'"),
    ("# one\n\nparameter a\n  comput X3 = D", 4, 3, "did you mean compute"),
    ("X3 = D", 1, 1, "compute X3 = D"),
    ("compute", 1, 1, "wants an assignment"),
    ("assume", 1, 1, "wants an equation"),
    ("source", 1, 1, "wants a text"),
]


@pytest.mark.parametrize("text", ["", "\n\n", " \n"])
def test_a_blank_line_is_not_shown(text: str) -> None:
    """It was, and under it a caret that pointed at nothing."""
    with pytest.raises(TextError) as error:
        parse_document(text, "some/file")
    assert str(error.value).startswith("some/file:")
    assert str(error.value).endswith(": there is no statement in this text")


@pytest.mark.parametrize(("text", "line", "column", "reason"), MALFORMED)
def test_a_malformed_text_is_told_with_line_column_and_caret(
    text: str, line: int, column: int, reason: str
) -> None:
    with pytest.raises(TextError) as error:
        parse_document(text, "some/file")
    assert reason in error.value.reason
    assert (error.value.position.line, error.value.position.column) == (line, column)
    head, shown, caret = str(error.value).split("\n")
    assert head.startswith(f"some/file:{line}:{column}: ")
    whole = text.split("\n")[line - 1].rstrip("\r")
    start = column - 1 - (caret.index("^") - len("  "))
    assert start == 0 or len(whole) > 120  # long lines are shown around the place
    assert shown[2:] == whole[start : start + len(shown) - 2]
    assert len(shown) - 2 == len(whole) if len(whole) <= 120 else 60


@pytest.mark.parametrize(
    ("text", "column", "reason"),
    [
        ("compute X3 == 1", 13, "'=' is written once"),
        ("assume a = b = c", 14, "a second '='"),
        ("compute X3 = 2 (A", 16, "never closed"),
        ("compute X3 = A B)", 17, "nothing opens this parenthesis"),
        ("compute X3 = A # B", 16, "no comments"),
        ("output P3 = P1", 1, "did you mean"),
    ],
)
def test_a_malformed_text_in_the_published_dialect(text: str, column: int, reason: str) -> None:
    with pytest.raises(TextError, match=re.escape(reason)) as error:
        parse_document(text, dialect="upstream")
    assert error.value.position.column == column


def test_a_caret_stands_under_the_place_behind_tabs() -> None:
    with pytest.raises(TextError) as error:
        parse_document("compute X3 =\tD\t$")
    assert str(error.value).split("\n")[1:] == ["  compute X3 =\tD\t$", "              \t \t^"]
