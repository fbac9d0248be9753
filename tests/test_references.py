"""The bibliography and the source lines agree."""

import re
from collections import Counter
from pathlib import Path

import pytest

from efdgen.generator.formulas.database import BUILT_IN, Database
from efdgen.generator.formulas.upstream import citation
from efdgen.generator.reports.references import Reference, cited_keys, read_references

BIBLIOGRAPHY = BUILT_IN / "references.bib"
ROOT = BUILT_IN.parent


def test_every_key_cited_is_an_entry_and_every_entry_is_cited(database: Database) -> None:
    cited = {key for formula_id in database.ids for key in cited_keys(database.formula(formula_id).source)}
    cited |= {key for map_id in database.map_ids for key in cited_keys(database.map(map_id).source)}
    code = [path for folder in ("generator", "verify") for path in (ROOT / folder).rglob("*.py")]
    cited |= {key for path in code for key in re.findall(r"\[(\d{4}-[a-z-]+)\]", path.read_text("utf-8"))}
    assert {reference.key for reference in read_references()} == cited


def test_entries_are_sorted_and_unique() -> None:
    keys = re.findall(r"(?m)^@\w+\{(.*),$", BIBLIOGRAPHY.read_text(encoding="utf-8"))
    assert keys == sorted(keys)
    assert Counter(keys).most_common(1)[0][1] == 1
    assert keys == [reference.key for reference in read_references()]


def test_every_entry_has_authors_the_year_of_its_key_and_a_title_or_a_note() -> None:
    for reference in read_references():
        fields = reference.fields
        assert fields["author"], reference.key
        assert fields["year"] == reference.key[:4], reference.key
        assert "title" in fields or fields["note"].startswith("As cited by"), reference.key


def test_an_entry_is_written_as_one_sentence_a_field(tmp_path: Path) -> None:
    path = tmp_path / "one.bib"
    path.write_text("@misc{k,\n  author = {A. Bee and C. Dee},\n  title = {On {X}},\n  year = {1999},\n}\n")
    (reference,) = read_references(path)
    assert reference == Reference(
        "misc", "k", {"author": "A. Bee and C. Dee", "title": "On {X}", "year": "1999"}
    )
    assert str(reference) == "A. Bee, C. Dee. On X. 1999."


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("2007 Bernstein--Lange", "[2007-bernstein-lange]"),
        (
            "2008.02.25 Hisil--Wong--Carter--Dawson, page 10, top",
            "[2008-02-25-hisil-wong-carter-dawson] page 10, top",
        ),
        (
            '1986 Chudnovsky--Chudnovsky "Sequences of numbers", page 414, formula (4.2ii) modified as "so"',
            "[1986-chudnovsky-chudnovsky] page 414, formula (4.2ii)",
        ),
        (
            '2006 Gaudry "Variants", page 2/5, with (a); or 2009 Gaudry--Lubicz "The", Section 6.2, plus y',
            "[2006-gaudry] page 2/5; [2009-gaudry-lubicz] Section 6.2",
        ),
        ("2005 Doche--Lange / Al-Daoud et al 2002 ", "[2005-doche-lange] after Al-Daoud et al 2002"),
        ("2005 Doche--Lange, following Lopez-Dahab 1998", "[2005-doche-lange] after Lopez-Dahab 1998"),
        (
            "2007 Bernstein--Lange; note that it was already mentioned in 2001 Bernstein http://x.org/t.html#29",
            "[2007-bernstein-lange]; [2001-bernstein]",
        ),
        (
            "2008 Bernstein--Birkner--Joye--Lange--Peters http://x.org/2008/013 Section 6, plus Z2=1",
            "[2008-bernstein-birkner-joye-lange-peters] Section 6",
        ),
        ("2008 Bernstein-–Lange-–Rezaeian Farashahi", "[2008-bernstein-lange-rezaeian-farashahi]"),
        ("2013 Oliveira--López--Aranha", "[2013-oliveira-lopez-aranha]"),
        ('2007(?) Kim--Kim "A New Method"', "[2007-kim-kim]"),
        ("folklore # and more", "folklore"),
    ],
)
def test_a_published_source_line_is_cut_down_to_facts(source: str, expected: str) -> None:
    assert citation(source) == expected
