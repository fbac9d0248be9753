"""Fixtures and hooks of all tests: the built-in database, the command line, and how crates are built."""

import gc
import os
import random
import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple, TypeVar

import pytest
import slices
from host_formulas import DOUBLING, SECP256K1
from published_trees import archive_of

from efdgen.cli import ALLOCATIONS, main
from efdgen.generator.formulas.database import Database
from efdgen.generator.formulas.layers import published_layers
from efdgen.generator.hosts.compile import HostBundle, HostRequest, make_host_bundle
from efdgen.generator.hosts.file import load_host
from efdgen.generator.hosts.host import Host

pytest_plugins = ("tools", "wheels")

Case = TypeVar("Case")

# The most cases of a quick test in a run; of tests with tools one in 12 is run, of long ones one in 60.
QUICK_CASES, WITH_TOOLS, LONG = 1, 12, 60

# Files that take longest, the longest first: they begin first, or one process would end on one of them.
LONGEST = (
    *("test_conformance_fields", "test_conformance_curves", "test_limbs_binary"),
    *("test_rustcrypto_peers", "test_ecosystem", "test_host_curves", "test_conformance_protocols"),
    *("test_rocq", "test_dalek", "test_curve_c", "test_hosts_rust", "test_rust_features"),
    *("test_sanitized", "test_every_curve", "test_machine", "test_cli_tune", "test_second_reader"),
    *("test_children", "test_conformance_kernels", "test_vectors_whole", "test_docs"),
    *("test_render_rust", "test_field_vectors", "test_field_proofs", "test_field_binary"),
)


def pytest_configure() -> None:
    """Have crates built without what is for debuggers alone; fold no line, and say no progress."""
    gc.set_threshold(ALLOCATIONS)
    os.environ.setdefault("EFDGEN_TEST_SEED", f"{random.randrange(2**32)}")
    os.environ.pop("COLUMNS", None)
    os.environ["EFDGEN_PROGRESS"] = "never"
    os.environ |= {"CARGO_INCREMENTAL": "0", "CARGO_PROFILE_DEV_DEBUG": "0"}


@pytest.fixture(scope="session")
def database() -> Database:
    return Database()


@pytest.fixture(scope="session")
def few(pytestconfig: pytest.Config) -> Callable[[random.Random, Sequence[Case], int], list[Case]]:
    """Draw a few of many cases, others in each run; ``--slice I/N`` takes every Nth, from the Ith on."""

    def drawn(rng: random.Random, cases: Sequence[Case], count: int) -> list[Case]:
        asked = pytestconfig.getoption("slice")
        if asked is None:
            return rng.sample([*cases], count)
        (number,), all_of_them = slices.parsed(asked)
        return [*cases][number - 1 :: all_of_them]

    return drawn


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> random.Random:
    seed = random.randrange(2**32)
    print(f"seed {seed} of {request.node.name}")
    return random.Random(seed)


@pytest.fixture
def same_rng() -> random.Random:
    """Return a generator of the same choices in each run: a defect that was seen once is seen always."""
    return random.Random(1)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--published", type=Path, help="the Explicit-Formulas Database as published")
    parser.addoption("--slice", metavar="I/N", help="test a slice of all primes and curves, not a few")


@pytest.hookimpl(trylast=True)  # after tests are marked with their tools
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Draw cases, and begin with the longest files."""
    items[:] = cases_of(config, items)
    order = {name: number for number, name in enumerate(LONGEST)}
    items.sort(key=lambda item: order.get(item.path.stem, len(order)))


def cases_of(config: pytest.Config, items: list[pytest.Item]) -> list[pytest.Item]:
    """Return the tests and cases of a run, others in each.

    A test has as many cases as its mark ``drawn`` says, or a few if it is quick, or one; some of the tests
    with tools are run, fewer of the long ones, but all of a file that is asked for. Who asks for tests by
    name gets all cases, and a slice has its share. Processes that share a run draw the same.
    """
    if any("::" in argument for argument in config.args) or config.getoption("keyword"):
        return items
    rng = random.Random(os.environ["EFDGEN_TEST_SEED"])
    cases: dict[str, list[pytest.Item]] = {}
    for item in items:
        cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    if asked := config.getoption("slice"):
        (number,), slices_in_all = slices.parsed(asked)
        kept = {item.nodeid for found in cases.values() for item in found[number - 1 :: slices_in_all]}
    else:
        by_file = any(Path(argument).is_file() for argument in config.args)
        kept = set()
        for name in sorted(cases if by_file else _some(rng, cases)):
            kept.update(item.nodeid for item in _few(rng, cases[name]))
    dropped = {item.nodeid for found in cases.values() for item in found} - kept
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid in dropped])
    return [item for item in items if item.nodeid not in dropped]


def _some(rng: random.Random, cases: dict[str, list[pytest.Item]]) -> set[str]:
    """Return the names of the quick tests, and of some others."""
    found = {name for name, (first, *_) in cases.items() if first.get_closest_marker("quick")}
    others = sorted(cases.keys() - found)
    long = [name for name in others if cases[name][0].get_closest_marker("long")]
    short = [name for name in others if name not in long]
    found.update(rng.sample(long, -(-len(long) // LONG)))
    found.update(rng.sample(short, -(-len(short) // WITH_TOOLS)))
    return found


def _few(rng: random.Random, cases: list[pytest.Item]) -> list[pytest.Item]:
    """Return some cases of a test."""
    mark = cases[0].get_closest_marker("drawn")
    count = mark.args[0] if mark else QUICK_CASES if cases[0].get_closest_marker("quick") else 1
    return rng.sample(cases, min(count, len(cases)))


def pytest_report_header() -> str:
    """Say what draws the cases again."""
    return f"cases are drawn with EFDGEN_TEST_SEED={os.environ['EFDGEN_TEST_SEED']}"


@pytest.fixture(scope="session")
def published_tree(pytestconfig: pytest.Config) -> Path:
    """Return the published tree that the command names."""
    tree = pytestconfig.getoption("published")
    if tree is None or not published_layers(tree).has("g1p/shortw/coordinates"):
        pytest.fail(f"{tree} does not hold the published database, g1p/… and g12o/…; give --published=DIR")
    return tree


@pytest.fixture(scope="session")
def upstream(published_tree: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the published tree of 2019; of a copy of the site, what is not newer."""
    is_site = published_layers(published_tree).is_site
    return archive_of(published_tree, tmp_path_factory.mktemp("archive")) if is_site else published_tree


@pytest.fixture(scope="session")
def libsecp256k1() -> Host:
    return load_host("libsecp256k1", SECP256K1.field)


@pytest.fixture(scope="session")
def doubling(database: Database) -> HostBundle:
    """A doubling in calls of libsecp256k1."""
    from host_provers import ProvedPrograms

    request = HostRequest("libsecp256k1", "secp256k1", formulas=(DOUBLING,))
    return make_host_bundle(database, request, ProvedPrograms())


@pytest.fixture
def unproved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty cache of this test and of programs that it starts, which find no shipped proof."""
    monkeypatch.setenv("EFDGEN_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("EFDGEN_SHIPPED_PROOFS", "never")
    return tmp_path / "cache"


@pytest.fixture(scope="session")
def emitted(cargo: str, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], Path]:
    """Return a function that emits the crate of an interface for a curve, once."""
    from ecosystem.sources import emit

    folder = tmp_path_factory.mktemp("emitted")
    return cache(lambda api, curve: emit(folder / api / curve, curve, api))


class Outcome(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have commands look up and cache no answer: a test changes the code, which keys do not notice."""
    monkeypatch.setattr("efdgen.commands.kept.kept_answer", lambda _, make, *_keep, **_files: make())


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
