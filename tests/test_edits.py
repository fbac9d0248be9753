"""Tables of edits: each edit of a routine changes what its file has once."""

import pytest
from edits import table
from mutants.sources import Routines


@pytest.mark.parametrize(
    "name",
    [
        *("batches", "combs", "coz", "encodings", "half", "ladders"),
        *("many", "prepared", "sums", "tables", "verdicts"),
    ],
)
def test_each_edit_of_a_routine_applies(name):
    rows = [row if len(row) == 4 else [row[0], "ladder", *row[1:]] for row in table(name)]
    texts = {file: Routines(file).text for _, file, _, _ in rows}
    assert [row for row in rows if texts[row[1]].count(row[2]) != 1] == []
