"""Source text of a field: nothing too wide, no untrue comment, each function complete."""

from __future__ import annotations

import re
import subprocess
from itertools import pairwise

import pytest
from tools import WARNINGS

from efdgen.generator.fields.bundle import offered_functions
from efdgen.generator.fields.pieces import Names, paragraphs
from efdgen.generator.fields.request import FieldRequest
from efdgen.generator.limbs.shape import number_text
from efdgen.generator.render.c.source import fitted
from efdgen.generator.render.field.bundle import render_field


@pytest.mark.drawn(1)
@pytest.mark.parametrize("word", [64, 32])
def test_every_operation_of_c_is_complete_alone(compiler, word, tmp_path):
    """Each has a header with nothing but what it calls, and all headers are included at once."""
    prime = "2^61-1"
    offered = offered_functions(FieldRequest("c", prime).field(), Names("fp"), "c")
    operations = [name for name, function in offered.items() if function.public]
    assert {"mul", "inv", "inv_var", "is_square_var", "sqrt_ratio", "pow_public"} <= set(operations)
    for name in operations:
        files = render_field(FieldRequest("c", prime, word, operations=(name,), prefix=f"alone_{name}"))
        (tmp_path / f"alone_{name}.h").write_text(files[f"alone_{name}.h"])
    text = "".join(f'#include "alone_{name}.h"\n' for name in operations)
    (tmp_path / "all.c").write_text(f"{text}int main(void) {{\n    return 0;\n}}\n")
    command = [compiler, "-std=c99", "-fsyntax-only", *WARNINGS, "all.c"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:2000]


def unused(text: str, prefix: str) -> list[str]:
    """Return functions and constants of a header that it calls nowhere and that are not for its users."""
    code = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    head = rf"(?:static|{prefix.upper()}_\w+) [^;{{}}=]*?"
    # Arithmetic on words and on pairs of them comes as a whole.
    names = re.findall(rf"^{head}\b({prefix}_(?!fe2?_|word_|wide_|sum_)\w+)(?:\(|\[| =)", code, re.M)
    assert names
    return [name for name in names if len(re.findall(rf"\b{name}\b", code)) == 1]


@pytest.mark.parametrize("nonresidue", [None, -1])
def test_what_is_not_called_is_not_printed(nonresidue):
    offered = offered_functions(FieldRequest("c", "2^61-1").field(), Names("fp"), "c")
    for name in (name for name, function in offered.items() if function.public):
        request = FieldRequest("c", "2^61-1", 64, operations=(name,), nonresidue=nonresidue)
        text = render_field(request)["fp.h"]
        assert unused(text, "fp") == [], name
    assert unused(f"{text}static inline int fp_idle(void) {{\n", "fp") == ["fp_idle"]


@pytest.mark.drawn(1)
@pytest.mark.parametrize("prime", ["5*2^248-1", "P-521", "BLS12-381"])
@pytest.mark.slow
def test_no_line_of_a_field_is_too_long(prime):
    for language, prefix in (("c", "fe25519"), ("rust", "fp")):
        extension = -1 if prime == "5*2^248-1" else None
        files = render_field(FieldRequest(language, prime, prefix=prefix, nonresidue=extension))
        for path, text in files.items():
            if path.endswith((".c", ".h")) or path.startswith("src/"):
                wide = [line for line in text.splitlines() if len(line) > 100]
                assert wide == [], (path, prime)


def test_a_sentence_of_a_comment_fills_its_lines():
    """In a comment of several lines none ends long before the next word would."""
    text = render_field(FieldRequest("c", "2^255-19"))["fp.h"]
    for comment in re.findall(r"^/\* .*?\*/$", text, re.M | re.S)[1:]:
        lines = [line.strip().removeprefix("/*").removeprefix("*").strip() for line in comment.splitlines()]
        for line, following in pairwise(lines):
            word = following.split(" ")[0]
            if line and word.islower() and word.isalpha() and not line.endswith("."):
                assert len(line) + len(word) > 90, (line, following)


def test_lines_of_c_are_broken_where_they_may():
    call = "first_function_of_many(one, two) + second_function_of_many(three, four, five)"
    assert fitted(f"    a = {call}, b = third(six);").split("\n") == [
        f"    a = {call},",
        "        b = third(six);",
    ]
    text = '    printf("' + "a, b; " * 20 + '");'
    assert fitted(text) == text
    head = f"static inline int f({', '.join(f'const some_type *argument_{i}' for i in range(5))}) {{"
    assert max(map(len, fitted(head).split("\n"))) <= 100
    long_statement = "    *g = " + " + ".join(f"some_function(value_{i}, *pointer)" for i in range(9)) + ";"
    broken = fitted(f"/* A comment. */\n{long_statement}")
    assert max(map(len, broken.split("\n"))) <= 100
    assert "".join(broken.split()) == "".join(f"/* A comment. */{long_statement}".split())
    comment = fitted("/*\n * " + "word " * 40 + "\n */").split("\n")
    assert max(map(len, comment)) <= 100
    assert all(line.startswith(" * word") for line in comment[1:-1])


def test_numbers_are_written_as_people_do():
    written = {
        38: "38",
        1 << 384: "2^384",
        (1 << 256) - 1: "2^256 - 1",
        (1 << 255) + 19: "2^255 + 19",
        5 << 248: "5·2^248",
        2**256 - 2**224 + 2**192 + 2**96 - 1: "2^256 - 2^224 + 2^192 + 2^96 - 1",
        0xABCDEF0123456789_1122334455667788_99: "0xab cdef012345678911 2233445566778899",
    }
    assert {number: number_text(number) for number in written} == written


def test_paragraphs_are_joined():
    assert paragraphs(["One", "line.", "", "", "Another."]) == ("One line.", "", "Another.")
    assert paragraphs(["One.", ""]) == ("One.",)


@pytest.mark.parametrize(
    ("operations", "timed"), [((), True), (("mul", "inv"), False), (("is_square_var",), True)]
)
def test_what_takes_variable_time_is_excepted(operations, timed):
    """A file that says that nothing depends on values has no function of which that is not true."""
    request = FieldRequest("c", "2^61-1", operations=operations)
    text = render_field(request)["fp.h"]
    assert ("_var(" in text or "_public(" in text) is timed
    assert ("names end in _var" in text) is timed
    crate = render_field(FieldRequest("rust", "2^61-1", operations=operations))
    assert ("except those named `*_var`" in crate["src/lib.rs"]) is timed
    assert "points" not in crate["src/lib.rs"]
    assert "points" not in crate["Cargo.toml"]


def comment_of(text: str, name: str) -> str:
    """Return the comment before the definition of a limb function."""
    at = text.index(f" fp_limbs_{name}(", text.index("#endif"))
    return text[text.rindex("/*", 0, at) : at]


@pytest.mark.parametrize("prime", ["2^255-19", "5*2^248-1", "P-256 order"])
@pytest.mark.parametrize("operation", ["mul", "sqr", "add", "half", "sum_of_products"])
def test_the_cost_of_an_operation_is_what_its_text_has(prime, operation):
    """The products and sums that a comment counts stand in the function and in those that it calls."""
    text = render_field(FieldRequest("c", prime, 64))["fp.h"]
    bare = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    functions = dict(re.findall(r"^\S[^;{]* fp_limbs_(\w+)\([^;{]*\) \{\n(.*?)^\}", bare, re.M | re.S))

    def count(name: str, pattern: str) -> int:
        called = re.findall(r"fp_limbs_(\w+)\(", functions[name])
        return len(re.findall(pattern, functions[name])) + sum(count(each, pattern) for each in called)

    # A sum never becomes a mask.
    sums = r"fp_word_(?:addc|subb)\(|= (?!fp_word_mask\()[^&|~;]* [+-] [^&|~;]*;"
    patterns = {"product": r"fp_word_mul\(| \* ", "sum": sums}
    for kind, pattern in patterns.items():
        stated = re.search(rf"(\d+) {kind}s?\b", comment_of(text, operation))
        assert int(stated[1] if stated else 0) == count(operation, pattern), kind


def test_what_only_moves_words_costs_nothing():
    text = render_field(FieldRequest("c", "2^255-19", 64))["fp.h"]
    assert "Cost: 4 sums of 64-bit words.\n" in comment_of(text, "is_nonzero")
    assert "Bounds: " in comment_of(text, "from_number")
    assert "Cost: " not in comment_of(text, "from_number")


@pytest.mark.parametrize("prime", ["2^255-19", "P-256", "P-521"])
@pytest.mark.parametrize("word", [64, 32])
def test_no_limb_function_is_there_twice(prime, word):
    text = render_field(FieldRequest("c", prime, word))["fp.h"]
    bare = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    found = re.findall(r"^\S[^;{\n]* fp_limbs_(\w+)\(([^;{]*)\) \{\n(.*?)^\}", bare, re.M | re.S)
    names: dict[tuple[str, str], str] = {}
    for name, arguments, body in found:
        assert names.setdefault((arguments, body), name) == name
    assert len(names) > 20


@pytest.mark.parametrize(("prime", "linkage"), [("2^255-19", "FP_ALWAYS_INLINE"), ("P-521", "static inline")])
def test_squares_of_few_words_alone_are_merged_into_loops(prime, linkage):
    text = render_field(FieldRequest("c", prime, 64))["fp.h"]
    assert re.findall(r"^(.+) void fp_limbs_sqr\(", text, re.MULTILINE) == [linkage]


def test_what_is_left_over_of_a_comment_goes_on_with_its_next_line():
    sentence = " ".join(["word"] * 20)
    text = f"/* {sentence}\n * and another,\n * which is the last.\n *   a list\n */\n"
    first, second, third, *others = fitted(text).splitlines()
    assert len(first) <= 100
    assert second == " * word and another,"
    assert (third, others) == (" * which is the last.", [" *   a list", " */"])
    listed = f"/* {sentence}\n * Cost: one.\n */\n"
    assert fitted(listed).splitlines()[1:3] == [" * word", " * Cost: one."]


def test_a_word_that_is_too_long_for_a_line_of_a_comment_stays_where_it_is():
    """A line with a star alone was put before it, where the command of a header ends."""
    lines = ["/* Command: efdgen compile --second", f" * {'x' * 120}", " * --table small", " */"]
    assert fitted("\n".join(lines)).split("\n") == lines
