"""Tables of precomputed points in generated code: every edit of their digits is refused on reading back."""

import random
import re
from functools import cache

import pytest
from collected import Collected

from efdgen.generator.compile import Request
from efdgen.generator.fields.printed import TableText
from efdgen.generator.files import render_plan
from efdgen.generator.formulas.database import Database
from efdgen.generator.planning.request import plan_curve
from efdgen.verify.plan_proofs import SafePlans
from efdgen.verify.readback.tables import table_differences

TABLES = {"c": ("p256_comb_table", "p256_odd_table"), "rust": ("COMB", "ODD")}


@cache
def printed(language: str) -> tuple[dict[str, str], list[TableText]]:
    """Return the files of a whole curve, and the tables that were announced."""
    request = Request(language, "P-256", set="curve", prefix="p256")
    plan = plan_curve(Database(), request, SafePlans())
    claims = Collected()
    files = render_plan(plan, request, claims)
    return files, [claim for claim in claims.every if isinstance(claim, TableText)]


def edited(text: str, place: int, rng: random.Random) -> str:
    """Return a text with another hexadecimal digit in a place."""
    digit = rng.choice([d for d in "0123456789ABCDEF" if d != text[place]])
    return text[:place] + digit + text[place + 1 :]


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.parametrize("language", ["c", "rust"])
def test_every_edited_digit_of_a_table_is_refused(language, rng):
    """Was: 28 of 35 edits of the digits of comb tables passed, for only some scalars show them."""
    files, tables = printed(language)
    assert {table.name for table in tables} == {*TABLES[language]}
    assert {table.word for table in tables} == {64, 32}
    for table in tables:
        assert list(table_differences(table, files)) == []
        (path,) = (path for path in table.paths if path in files)
        text = files[path]
        start = text.index(
            "{\n" if language == "c" else "[\n", re.search(rf"\b{table.name}\b[^=]*= ", text).start()
        )
        end = text.index("\n};" if language == "c" else "\n];", start)
        places = [start + m.end() - 1 for m in re.finditer(r"0x[0-9A-F_]*[0-9A-F]", text[start:end])]
        for place in rng.sample(places, 20):
            wrong = {**files, path: edited(text, place, rng)}
            found = [each for other in tables for each in table_differences(other, wrong)]
            assert [name for name, *_ in found] == [table.name], text[place - 20 : place + 5]


@pytest.mark.slow
@pytest.mark.parametrize("language", ["c", "rust"])
def test_a_table_that_is_missing_or_holds_something_else_is_refused(language):
    files, tables = printed(language)
    table = tables[0]
    (path,) = (path for path in table.paths if path in files)
    for old, new, said in (
        (table.name, f"{table.name}_2", "not there"),
        ("0x", "1 + 0x", "something else than numbers"),
    ):
        text = files[path]
        start = re.search(rf"\b{table.name}\b[^=]*= ", text).start()
        wrong = {**files, path: text[:start] + text[start:].replace(old, new, 1)}
        (difference,) = table_differences(table, wrong)
        assert said in difference[2]
