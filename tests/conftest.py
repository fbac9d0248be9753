"""What several tests share: the built-in database, and fields to run programs over."""

import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from efdgen.cli import main
from efdgen.generator.formulas.database import Database


@pytest.fixture(scope="session")
def database() -> Database:
    return Database()


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> random.Random:
    seed = random.randrange(2**32)
    print(f"seed {seed} of {request.node.name}")
    return random.Random(seed)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--published", type=Path, help="the Explicit-Formulas Database as published")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that need the published database, which is not part of this repository."""
    for item in items:
        if "upstream" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.published)


@pytest.fixture(scope="session")
def upstream(pytestconfig: pytest.Config) -> Path:
    tree = pytestconfig.getoption("published")
    if tree is None or not (tree / "g1p" / "shortw" / "coordinates").is_file():
        pytest.fail(f"{tree} does not hold the published database, g1p/… and g12o/…; give --published=DIR")
    return tree


class Outcome(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def efdgen(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Outcome]:
    """Run the command line in this process."""

    def run(*arguments: str | Path) -> Outcome:
        monkeypatch.setattr(sys, "argv", ["efdgen", *map(str, arguments)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as stop:
            main()
        out, err = capsys.readouterr()
        return Outcome(int(stop.value.code or 0), out, err)

    return run
