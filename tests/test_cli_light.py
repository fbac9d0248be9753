"""Without Sage: right formulas are counted, tried and ranked, and what to install has its right name."""

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from efdgen.cli import COMMANDS, cli
from efdgen.generator.errors import MissingSageError
from efdgen.generator.formulas.database import BUILT_IN, Database
from efdgen.generator.requirements import installing

ROOT = Path(__file__).resolve().parent.parent
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
WITHOUT_SAGE = "import sys; sys.modules['sage'] = None; from efdgen.cli import main; main()"
NEEDS_SAGE = f"efdgen: {MissingSageError()}\n"
PLACE = "g1p/shortw/jacobian-0/doubling"
RIGHT = (BUILT_IN / PLACE / "dbl-2009-l").read_text(encoding="utf-8")
TRIED = re.compile(r"not refuted on (\d+) points over GF\(\d+\)(, GF\(\d+\))*")


def without_sage(folder: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run the command line where Sage cannot be imported, with an empty cache and no shipped proofs."""
    own = {"EFDGEN_CACHE": str(folder / "cache"), "EFDGEN_SHIPPED_PROOFS": "never"}
    return subprocess.run(
        [sys.executable, "-c", WITHOUT_SAGE, *map(str, arguments)],
        cwd=folder,
        env={**os.environ, **own},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
def test_a_right_formula_is_counted_tried_and_ranked_without_sage(tmp_path: Path):
    """Was: one line, that it needs Sage."""
    (tmp_path / "own").write_text(RIGHT)
    done = without_sage(tmp_path, "check", "own", "--as", PLACE)
    assert (done.returncode, done.stderr) == (2, NEEDS_SAGE)
    assert "\nequations\n  A = X1^2\n" in done.stdout
    assert "cost             2M + 5S + 6add + 3*2 + 1*3 + 1*8 as published" in done.stdout
    assert re.search(r"peers, of which it is number \d+ of \d+ by weight\n", done.stdout)
    (verdict,) = re.findall("  verdict +(.*)", done.stdout)
    law = "law proved for every p but 2, 3; exceptional inputs undecided: "
    assert verdict.startswith(f"{law}it is not refuted on ")
    assert verdict.endswith(f"; a proof of the exceptional inputs {MissingSageError()}")
    found = TRIED.search(verdict)
    assert found
    assert int(found[1]) >= 100
    document = json.loads(without_sage(tmp_path, "check", "own", "--as", PLACE, "--json").stdout)
    assert (document["verdict"], document["reason"]) == ("undecided", verdict.removeprefix(law))
    assert (document["law"], document["exceptional_inputs"]) == ("proved", "undecided")
    assert document["peers"]
    shown = without_sage(tmp_path, "show", "own", "--as", PLACE)
    assert (shown.returncode, shown.stderr) == (2, NEEDS_SAGE)
    assert verdict in shown.stdout


def test_a_wrong_formula_is_refuted_without_sage(tmp_path: Path):
    (tmp_path / "own").write_text(RIGHT.replace("F - 2*D", "F + 2*D"))
    done = without_sage(tmp_path, "check", "own", "--as", PLACE)
    assert (done.returncode, done.stderr) == (1, "")
    assert "proved with line 8 as X3 = F - 2*D, now X3 = F + 2*D" in done.stdout


@pytest.mark.slow
@pytest.mark.drawn(6)
@pytest.mark.parametrize("name", [name for name in Database().ids if "/affine/" not in name])
def test_every_right_formula_is_tried_without_sage(name: str, tmp_path: Path):
    place = tmp_path / name
    place.parent.mkdir(parents=True)
    place.write_text((BUILT_IN / name).read_text(encoding="utf-8"))
    done = without_sage(tmp_path, "check", name)
    assert (done.returncode, done.stderr) == (2, NEEDS_SAGE)
    found = TRIED.search(done.stdout)
    assert found
    assert int(found[1]) > 0
    assert "may be" not in done.stdout or "the law is proved" not in done.stdout


@pytest.mark.parametrize("extra", sorted(EXTRAS.keys() - {"dev"}))
def test_what_an_extra_installs_is_read_from_the_metadata(extra: str):
    named = re.findall("'([A-Za-z0-9-]+)", installing(extra))
    assert named == [re.match("[A-Za-z0-9-]+", line)[0] for line in EXTRAS[extra]]


FREE = re.compile(
    r"""\b(pip3?|pipx|uvx?|conda|cargo)\b[^\n`]*[\s'"]efdgen(\[[a-z,]+\])?(?=$|[\s'"`,;=<>])""", re.MULTILINE
)
"""An installation of the name efdgen, which is free on the package index."""


def texts() -> dict[str, str]:
    """Return all messages and pages: sources, documents, workflows, templates, and what --help prints."""
    suffixes = {".py", ".md", ".toml", ".yml", ".yaml", ".j2", ".txt", ".cff", ""}
    parts = (
        "*",
        "*/*",
        *(f"{part}/**/*" for part in ("api", "generator", "verify", "templates", "examples")),
    )
    paths = {path for part in parts for path in ROOT.glob(part) if path.is_file() and path.suffix in suffixes}
    left_out = {"tests", "build", "dist", "efd", ".git", ".venv"}
    found = {path.relative_to(ROOT) for path in paths}
    chosen = [
        path for path in found if not left_out & {path.parts[0]} and not path.parts[0].endswith("_cache")
    ]
    pages = {str(path): (ROOT / path).read_text(encoding="utf-8", errors="replace") for path in chosen}
    help_of = {name: CliRunner().invoke(cli, [name, "--help"]).output for name in COMMANDS}
    assert all(help_of.values())
    assert {"README.md", "Makefile", "docs/in-your-project.md", "generator/errors.py"} <= pages.keys()
    return pages | help_of


@pytest.mark.parametrize(
    ("text", "free"),
    [
        ("pip install 'efdgen[prove]'", True),
        ('pip install "efdgen"', True),
        ("pip install efdgen", True),
        ("uv tool install efdgen", True),
        ("cargo add efdgen", True),
        ("pip install efdgen==0.2", True),
        ("pip install '.[prove]'", False),
        ("pip install dist/efdgen-*.whl", False),
        ("pip install passagemath-singular", False),
        ("run: efdgen generate", False),
    ],
)
def test_a_free_name_would_be_noticed(text: str, free: bool):
    assert bool(FREE.search(text)) is free


def test_no_message_and_no_page_has_a_free_name_installed():
    """Was: pip install 'efdgen[prove]', a package that whoever comes first may publish."""
    wrong = {name: FREE.search(text)[0] for name, text in texts().items() if FREE.search(text)}
    assert wrong == {}
