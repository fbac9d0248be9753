"""Each built-in curve in each packaging: it is built and run, or refused as docs/which-curve.md says."""

import pytest
from cells import CELLS, PAGE, Cell, faults, is_there, refusal, row

from efdgen.generator.curves.load import built_in_curves

THERE = [cell for cell in CELLS if is_there(cell)]
REFUSED = [cell for cell in CELLS if not is_there(cell)]
ROOT = PAGE.parents[1]


def test_the_table_has_what_there_is_of_each_curve():
    rows = [line for line in PAGE.read_text().splitlines() if " | `g1" in line]
    assert rows == [row(curve) for curve in built_in_curves()]


@pytest.mark.long
@pytest.mark.drawn(3)
@pytest.mark.parametrize("cell", THERE, ids=str)
@pytest.mark.usefixtures("cc", "cargo", "openssl")
def test_what_is_there_is_built_and_run(cell: Cell, tmp_path, monkeypatch):
    monkeypatch.setenv("CFLAGS", "-O0")
    assert faults(cell, cell.files(), tmp_path, ROOT / "build/cells") == []


@pytest.mark.slow
@pytest.mark.drawn(40)
@pytest.mark.parametrize("cell", REFUSED, ids=str)
def test_what_is_not_there_is_refused_before_a_proof(cell: Cell, monkeypatch):
    said = refusal(cell, monkeypatch)
    assert said
    assert "report it as a bug" not in said
    assert "\n" not in said
