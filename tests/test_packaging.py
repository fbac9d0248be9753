"""The wheel and what is in it, the pinned environment, start-up, and what the documents promise."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from importlib.metadata import distribution
from pathlib import Path
from zipfile import ZipFile

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from efdgen import __version__
from efdgen.cli import COMMANDS

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
DIST_INFO = f"efdgen-{__version__}.dist-info"
SLOW_TO_IMPORT = {"flint", "gmpy2", "jinja2", "lark", "matplotlib", "rich", "sage"}


def run_python(code: str, *arguments: str) -> str:
    return subprocess.check_output([sys.executable, "-c", code, *arguments], text=True)


def pins() -> dict[str, str]:
    """Return the versions in constraints.txt that hold for this Python; each line is ``name==version``."""
    text = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    assert [line for line in lines if not re.fullmatch(r"[a-z0-9-]+==[0-9][0-9a-z.]*( ; [^:]+)?", line)] == []
    pinned = [r for r in map(Requirement, lines) if not r.marker or r.marker.evaluate()]
    return {canonicalize_name(r.name): str(r.specifier).removeprefix("==") for r in pinned}


def declared() -> list[Requirement]:
    project = PROJECT["project"]
    extras = project["optional-dependencies"]
    return [Requirement(line) for line in project["dependencies"] + extras["dev"] + extras["prove"]]


def test_every_folder_with_code_is_a_listed_package() -> None:
    code = [
        path
        for part in ("api", "commands", "generator", "reference", "verify")
        for path in (ROOT / part).rglob("*.py")
    ]
    folders = {".".join(("efdgen", *path.parent.relative_to(ROOT).parts)) for path in code}
    assert sorted(PROJECT["tool"]["setuptools"]["packages"]) == sorted({"efdgen", *folders})
    assert all((path.parent / "__init__.py").is_file() for path in code)


@pytest.mark.slow
def test_wheel_holds_the_code_and_its_data_and_nothing_else(checkout: Path, wheel: Path) -> None:
    patterns = [
        "*.py",
        "py.typed",
        "api/*",
        "commands/*",
        "generator/**/*",
        "reference/**/*",
        "verify/**/*",
        "efd/**/*",
        "templates/**/*",
    ]
    sources = {path for pattern in patterns for path in checkout.glob(pattern) if path.is_file()}
    expected = {f"efdgen/{path.relative_to(checkout).as_posix()}" for path in sources}
    with ZipFile(wheel) as archive:
        names = set(archive.namelist())
    assert {name for name in names if not name.startswith(DIST_INFO)} == expected


def test_wheel_states_licences_and_the_oldest_python(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        metadata = archive.read(f"{DIST_INFO}/METADATA").decode()
    head = metadata.partition("\n\n")[0].splitlines()
    assert "License-Expression: MIT OR Apache-2.0" in head
    assert {line for line in head if line.startswith("License-File")} == {
        f"License-File: LICENSE{suffix}" for suffix in (".md", "-MIT", "-APACHE", "-0BSD")
    }
    assert "Requires-Python: >=3.11" in head


def test_installed_wheel_finds_its_data_outside_the_checkout(installed: Path, tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(installed)}

    def run(*command: str | Path) -> str:
        return subprocess.check_output(command, cwd=tmp_path, env=environment, text=True)

    formula = "g1p/shortw/jacobian/addition/add-2007-bl"
    load = (
        "from efdgen.generator.formulas.database import *; "
        f"print(BUILT_IN, Database().formula({formula!r}).id)"
    )
    data, found = run(sys.executable, "-c", load).split()
    assert Path(data).is_relative_to(installed)
    assert found == formula
    assert run(installed / "bin" / "efdgen", "--version") == f"efdgen, version {__version__}\n"


def test_help_loads_nothing_slow() -> None:
    code = """
import sys
from efdgen.cli import COMMANDS, cli
for name in ("", *COMMANDS):
    cli([*name.split(), "--help"], standalone_mode=False)
print("modules:", *sys.modules)
"""
    loaded = set(run_python(code).rpartition("modules:")[2].split())
    assert "click" in loaded
    assert not loaded & SLOW_TO_IMPORT


def test_a_slow_module_would_be_noticed() -> None:
    loaded = run_python("import sys, efdgen.generator.language.parser; print(*sys.modules)").split()
    assert set(loaded) & SLOW_TO_IMPORT == {"lark"}


def test_every_declared_requirement_is_pinned_within_its_bounds() -> None:
    pinned = pins()
    for requirement in declared():
        version = pinned[canonicalize_name(requirement.name)]
        assert requirement.specifier.contains(version), f"{requirement} is pinned to {version}"


def test_everything_that_is_required_in_turn_is_pinned() -> None:
    pinned, seen, waiting = pins(), set(), declared()
    while waiting:
        requirement = waiting.pop()
        name = canonicalize_name(requirement.name)
        assert name in pinned, f"{requirement} is not pinned"
        extras = ("", *sorted(requirement.extras))
        needed = [Requirement(line) for line in distribution(name).requires or ()] if name not in seen else []
        seen.add(name)
        waiting += [r for r in needed if not r.marker or any(r.marker.evaluate({"extra": e}) for e in extras)]
    assert seen == set(pinned), "constraints.txt pins what nothing requires"


@pytest.mark.parametrize("document", ["README.md", "CONTRIBUTING.md", ".ci/run"])
def test_make_targets_that_are_named_exist(document: str) -> None:
    named = set(re.findall(r"^(?:    )?make ([a-z-]+)|`make ([a-z-]+)`", (ROOT / document).read_text(), re.M))
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.M))
    assert named
    assert {first or second for first, second in named} <= targets


def test_the_page_of_commands_names_every_command() -> None:
    page = (ROOT / "docs/command-line.md").read_text(encoding="utf-8")
    table = re.findall(r"^\| `efdgen ([a-z]+)", page, re.M)
    assert sorted(set(table)) == sorted(COMMANDS)


def test_every_place_names_the_version_or_one_that_follows_it() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    (released,) = re.findall(r"^version: (.*)$", citation, re.MULTILINE)
    newest, date = re.findall(r"^## \[([0-9.]+)\] - (\S+)$", changes, re.MULTILINE)[0]
    assert released == newest
    assert Version(__version__) == Version(released) or (
        Version(__version__) > Version(released) and Version(__version__).is_devrelease
    )
    assert f'date-released: "{date}"' in citation


def test_the_size_of_an_installation_is_one_figure() -> None:
    """Was: 145 and 146 MB, 1.4 and 1.5 GB; ``make light`` measures it."""
    pages = [ROOT / "README.md", *ROOT.glob("docs/*.md")]
    texts = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    light, with_sage = (set(re.findall(rf"{number} {unit}B\b", texts)) for number, unit in SIZES)
    assert len(light) == len(with_sage) == 1


SIZES = (("1[0-9]{2}", "M"), (r"1\.[0-9]", "G"))
