"""Floors of the house: imports go down, files and functions are short, and exceptions are listed."""

import tomllib

import floors
import pytest


def test_every_package_has_a_floor():
    rooms = {floors.room(path) for path in floors.trees()}
    for house in floors.HOUSES:
        own = {room.removeprefix(f"{house}.") for room in rooms if room.startswith(f"{house}.")}
        assert own == set(floors.listed()[house])


def test_imports_go_down_but_for_those_listed():
    assert floors.above() == sorted(floors.listed()["above"])


@pytest.mark.parametrize(
    ("name", "found"),
    [("circle", lambda: len(floors.largest_circle())), ("inside", floors.imports_inside)],
)
def test_counts_only_fall(name, found):
    assert found() <= floors.listed()[name]


@pytest.mark.parametrize(
    ("name", "found"), [("files", floors.large_files), ("functions", floors.large_functions)]
)
def test_files_and_functions_are_short_but_for_those_listed(name, found):
    """One that is short now leaves the list, and none grows."""
    sizes, listed = found(), floors.listed()[name]
    assert sizes.keys() == listed.keys()
    assert {each: size for each, size in sizes.items() if size > listed[each]} == {}


def test_contributing_lists_the_floors():
    text = (floors.ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for house in floors.HOUSES:
        assert f"`{house}`: {', '.join(floors.listed()[house])}" in " ".join(text.split())


def test_an_import_from_above_is_found(monkeypatch):
    """A floor that is taken from below is seen by what imports it."""
    text = (floors.ROOT / "tests" / "floors.toml").read_text(encoding="utf-8")
    assert '"version", "requirements", ' in text
    moved = tomllib.loads(text.replace('"version", "requirements", ', "") + "")
    moved["generator"] += ["version", "requirements"]
    monkeypatch.setattr(floors, "listed", lambda: moved)
    assert "generator/project.py: generator/version.py __version__" in floors.above()
