"""Slices of long sweeps: each case is in one of them, and what has passed is not run again."""

import sys

import pytest
import slices


def test_a_slice_is_one_of_all():
    assert slices.parsed("3/48") == ([3], 48)
    assert slices.parsed("4") == ([1, 2, 3, 4], 4)
    for wrong in ("0/3", "4/3", "x", "", "/", "-1", "0"):
        with pytest.raises(ValueError, match=r".*"):
            slices.parsed(wrong)


def test_a_sweep_ends_with_what_fails_and_goes_on_from_there(tmp_path, monkeypatch, capfd):
    """Took hours in one go, and began again from the first case."""
    monkeypatch.setattr(slices, "RESULTS", tmp_path)
    fails = "import sys; print(sys.argv[1]); sys.exit(sys.argv[1] == '2/3' and 7)"
    assert slices.main("sweep", "3", sys.executable, "-c", fails, "{slice}") == 7
    assert [path.name for path in (tmp_path / "sweep").iterdir()] == ["1-of-3"]
    capfd.readouterr()
    assert slices.main("sweep", "3", sys.executable, "-c", "import sys; print(sys.argv[1])", "{slice}") == 0
    said = capfd.readouterr().out
    assert "slice 1/3: passed before" in said
    assert "2/3\n" in said
    assert (tmp_path / "sweep/3-of-3").read_text() == "3/3\n"


def test_slices_hold_every_case_once(pytestconfig, few, rng, monkeypatch):
    found = []
    for number in range(1, 4):
        monkeypatch.setattr(pytestconfig.option, "slice", f"{number}/3")
        found += few(rng, range(10), 2)
    assert sorted(found) == [*range(10)]
