"""The lint of English finds private expressions, openings, exceeded or raised budgets, and wrong titles."""

import tomllib
from pathlib import Path

import english
import pytest

CONFIG = tomllib.loads((english.ROOT / english.CONFIG).read_text(encoding="utf-8"))
PAGE = "# Title\n\nWhat is kept stands behind it.\n\n    behind: code\n\n`behind`, then a question: How?\n"
MODULE = '''"""How it is. What it does."""

# The values,
# of which there are two. By
# itself.
A = ("so many What", 1)  # of so many
'''
PROGRAM = "int behind; /* behind. Where\n * Whether x is 0, it is 0; what it does. */ // Is it? How?\n"


def found(tmp_path: Path, place: str, name: str, text: str) -> list[tuple[int, str]]:
    (tmp_path / name).write_text(text, encoding="utf-8")
    hits = sorted(english.hits(place, tmp_path / name, CONFIG))
    assert {budget for budget, _, _ in hits} == {place, f"{place}-openings"}
    return [(line, text) for _, line, text in hits]


def test_prose_is_counted_and_code_is_not(tmp_path):
    page = [(3, "What is kept"), (3, "behind"), (3, "stands"), (3, "What")]
    assert found(tmp_path, "docs", "a.md", PAGE) == page
    module = [(6, "so many"), (1, '"""How'), (1, "What"), (4, "By"), (6, "# of")]
    assert found(tmp_path, "python", "a.py", MODULE) == module
    program = [(1, "behind"), (1, "Where"), (2, "* Whether")]
    assert found(tmp_path, "templates", "a.c", PROGRAM) == program


@pytest.mark.parametrize(
    ("title", "fault"),
    [
        ("Record equivalent mutants", ""),
        ("Say of a superscript that it is none", "imperative verb"),
        ("Records equivalent mutants", "not imperative"),
        ("List mutants that do the same", "contains 'do the same'"),
        ("Record mutants.", "full stop"),
        ("Record " + "m" * 66, "73 characters"),
    ],
)
def test_titles_of_commits(title, fault):
    faults = list(english.title_faults(title, CONFIG))
    assert bool(faults) == bool(fault)
    assert fault in " ".join(faults)


def test_a_budget_may_be_neither_exceeded_nor_raised(monkeypatch):
    def git(command: str, *rest: str) -> str:
        if command == "show":
            return "[budgets]\ndocs = 5.0\n"
        return "new\nold\n" if "--" in rest else ""

    monkeypatch.setattr(english, "git", git)
    faults = [*english.faults({**CONFIG, "budgets": {"docs": 5.0}}, {"docs": 5.1})]
    assert faults == ["docs: 5.1 hits per 1,000 lines exceed the budget of 5.0"]
    raised = [*english.faults({**CONFIG, "budgets": {"docs": 6.0}}, {"docs": 5.1})]
    assert [each.partition(";")[0] for each in raised] == ["docs: the budget was raised to 6.0"] * 2
