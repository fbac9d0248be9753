"""The tool that makes mutants: what it edits, and what it says of mutants that nobody refuses."""

from random import Random

import pytest
from mutants.__main__ import Outcome, known_equivalents, outcome
from mutants.edits import edits, function_at
from mutants.kinds import Mutant
from mutants.report import BEGIN, END, table, write_table
from mutants.targets import Killed

C = """\
/* Sums: a + b. */
static int sum(const int a[4], int b) {
    int r = a[0] + b;
    r = twice(r, a[1]);
    return r >> 1;
}
"""


def shown(sort: str) -> set[str]:
    lines = C.splitlines()
    after = [edit.apply(C).splitlines() for edit in edits(C, "c") if edit.sort == sort]
    return {line.strip() for found in after for line in found if line not in lines}


def test_code_is_edited_and_nothing_else():
    assert shown("operator") == {"int r = a[0] - b;", "return r << 1;"}
    assert shown("number") == {
        *(
            "int r = a[1] + b;",
            "r = twice(r, a[0]);",
            "r = twice(r, a[2]);",
            "return r >> 0;",
            "return r >> 2;",
        ),
    }
    assert {"r = twice(a[1], r);", "r = twice(r, r);"} == shown("arguments exchanged") | shown(
        "argument repeated"
    )
    left_out = [edit.apply(C) for edit in edits(C, "c") if edit.sort == "statement left out"]
    assert len(left_out) == 3
    assert all("/* Sums: a + b. */\nstatic int sum(const int a[4], int b) {\n" in text for text in left_out)


def test_statements_are_exchanged_where_one_writes_what_the_other_names():
    (exchanged, *_) = [edit.apply(C) for edit in edits(C, "c") if edit.sort == "statements exchanged"]
    assert exchanged.index("r = twice") < exchanged.index("int r = a[0]")
    alone = "    int x = a[0];\n    int y = a[1];\n"
    assert not [edit for edit in edits(alone, "c") if edit.sort == "statements exchanged"]
    typed = "    let one: Word = bit(1);\n    let (half, all) = ((1 as Word) << 4, 5);\n"
    assert not [edit for edit in edits(typed, "rust") if edit.sort == "statements exchanged"]
    needed = typed.replace("5)", "one)")
    assert [edit for edit in edits(needed, "rust") if edit.sort == "statements exchanged"]


def test_factors_of_a_product_are_not_exchanged():
    found = edits("    h = word_mul(a, b, &l);\n    h = word_shld(a, b, 3);\n", "c")
    (exchanged,) = [edit for edit in found if edit.sort == "arguments exchanged" and edit.text == "b, a"]
    assert exchanged.start > 30


def test_declarations_are_no_arguments_and_statements_end_before_a_comment():
    text = "    {{ fe }} left, right;\n    left = right; /* r */\n"
    found = edits(text, "c")
    assert {edit.sort for edit in found} == {"statement left out", "statements exchanged"}
    assert "    {{ fe }} left, right;\n /* r */\n" in [edit.apply(text) for edit in found]


class Toy:
    """Mutants of which the first is refused and the second is not."""

    title, targets = "toys", ()

    def __init__(self, refused: bool) -> None:
        self.refused = refused

    def mutant(self, rng: Random) -> Mutant:
        def judge(_: object) -> str:
            if self.refused:
                raise Killed("tests", "add is wrong\nand more")
            return ""

        return Mutant("a text", "number", f"-{rng.random()}", judge)


@pytest.mark.parametrize("refused", [True, False])
def test_what_nobody_refuses_survives(refused, tmp_path):
    found = outcome(Toy(refused), 1, 0, tmp_path)
    assert found is not None
    assert (found.verdict, found.reason) == (("tests", "add is wrong") if refused else ("survived", ""))
    assert outcome(Toy(refused), 1, 0, tmp_path) == found
    assert outcome(Toy(refused), 2, 0, tmp_path) != found


def test_edits_of_a_function_that_may_return_anything_are_tried_all_the_same(monkeypatch, tmp_path):
    monkeypatch.setattr("mutants.__main__.known_equivalents", lambda: {("a text", ""): "it is a guess"})
    verdicts = [outcome(Toy(refused), 1, 0, tmp_path).verdict for refused in (True, False)]
    assert verdicts == ["tests", "equivalent"]


def test_the_table_counts_and_replaces_its_own_lines(tmp_path):
    verdicts = ("proof", "proof", "tests", "survived")
    found = [Outcome("toys", n, verdict, "", "", "", "") for n, verdict in enumerate(verdicts)]
    assert "| toys | 4 | 2 | 0 | 0 | 1 | 0 | 1 |" in table(found).splitlines()
    page = tmp_path / "page.md"
    page.write_text(f"before\n{BEGIN}old\n{END}after\n")
    write_table(page, 7, 4, found)
    assert page.read_text() == (f"before\n{BEGIN}`make mutants SEED=7 COUNT=4`\n\n{table(found)}{END}after\n")


def test_every_equivalent_mutant_has_a_reason():
    assert all(known_equivalents().values())


@pytest.mark.parametrize(
    ("language", "text", "names"),
    [
        ("c", C.replace("}", "}\nint n = 1;"), {"return r >> 1;": "sum", "int n = 1;": ""}),
        (
            "rust",
            "impl A {\n    pub fn one() {\n        a();\n    }\n    const B: u8 = 1;\n}\n",
            {"a();": "one", "const B": ""},
        ),
        (
            "python",
            "def one():\n    def two():\n        a()\n\n    b()\n\n\nC = 1\n",
            {"a()": "two", "b()": "one", "C = 1": ""},
        ),
        ("routines", 'export routine one(a: u32):\n    """One."""\n    a = 1\n', {"a = 1": "one"}),
        ("c", "void {{ prefix }}_one(int a) {\n    b();\n}\n", {"b();": "{{ prefix }}_one"}),
    ],
)
def test_the_function_of_an_edit_is_named(language, text, names):
    assert {part: function_at(text, language, text.index(part)) for part in names} == names
