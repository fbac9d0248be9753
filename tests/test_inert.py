"""Free text of a user in generated code: the code does not depend on it."""

import ast
import re
import subprocess
from pathlib import Path

import pytest

from efdgen.generator.formulas.layers import BUILT_IN
from efdgen.generator.inert import inert

MODEL, SYSTEM, KIND = "g1p/shortw/coordinates", "g1p/shortw/jacobian-0/variables", "kinds/doubling"
FORMULA = "g1p/shortw/jacobian-0/doubling/dbl-2009-l"
CURVE = """\
name = "odd"
model = "g1p/oddw"
prime = "0x7fffffffffffffe7"
parameters = {a = 0, b = 3}
source = '%s'
"""
# Ends of strings, comments and lines, and characters that show a text as another.
HOSTILE = (
    'x"""; open("PWNED", "w").close(); """',
    "x'''; open('PWNED', 'w').close(); '''",
    "*/ int pwned(void) { return 1; } /*",
    "*\\",
    "/ pwned",
    "ends in a backslash \\",
    "??/",
    "*??/",
    r"\N{BULLET} \x22\x22\x22 \u000a \777",
    "/* /** // /// //! */ */",
    "<script>pwned()</script> <!-- --> <?php",
    "\N{RIGHT-TO-LEFT OVERRIDE}pwned\N{POP DIRECTIONAL ISOLATE}",
    "M\N{LATIN SMALL LETTER U WITH DIAERESIS}ller, \N{GREEK SMALL LETTER MU}4",
    "line\N{LINE SEPARATOR}int pwned; \N{PARAGRAPH SEPARATOR}pwned = 1",
    "{{ pwned }} {% raw %} {# #}",
    "${pwned} $(touch PWNED) `touch PWNED` %s %(x)s {0}",
)


def database(root: Path, text: str) -> Path:
    """Write a model, a system, a kind, a formula and a curve with a free text; return the curve."""
    named = re.compile(r"^(name|source) .*$", re.M)
    for place, source in {
        "g1p/oddw/coordinates": MODEL,
        "g1p/oddw/odd/variables": SYSTEM,
        "kinds/odd": KIND,
        "g1p/oddw/odd/odd/dbl-odd": FORMULA,
    }.items():
        path = root / place
        path.parent.mkdir(parents=True, exist_ok=True)
        built_in = (BUILT_IN / source).read_text(encoding="utf-8")
        path.write_text(named.sub(lambda found: f"{found[1]} {text}", built_in), encoding="utf-8")
    curve = root / "odd.toml"
    curve.write_text(CURVE % ("" if "'" in text or not text.isprintable() else text), encoding="utf-8")
    return curve


@pytest.fixture
def code(efdgen, tmp_path, monkeypatch):
    """Return the generated files of the database with a text, by name."""

    def made(language: str, text: str) -> dict[str, str]:
        folder = tmp_path / f"{len([*tmp_path.iterdir()])}"
        folder.mkdir()
        monkeypatch.chdir(folder)
        curve = database(Path("own"), text)
        words = ("--database", "own", "--lang", language, "--curve", curve, "--out", "out")
        done = efdgen("compile", *words, "--formulas", "odd/*/dbl-odd")
        assert done.code == 0, done.err
        return {
            path.name: path.read_text(encoding="utf-8") for path in Path("out").rglob("*.*") if path.is_file()
        }

    return made


def without_comments(name: str, text: str) -> str:
    """Return the code of a file, as a compiler or an interpreter reads it."""
    if name.endswith(".py"):
        tree = ast.parse(text)
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef)
                and ast.get_docstring(node) is not None
            ):
                node.body = node.body[1:]
        return ast.dump(tree)
    if name.endswith((".c", ".h")):
        words = ["gcc", "-std=c99", "-fpreprocessed", "-dD", "-E", "-P", "-x", "c", "-"]
        return subprocess.run(words, input=text, capture_output=True, text=True, check=True).stdout
    return re.sub(r"^ *//.*\n", "", text, flags=re.M) if name.endswith(".rs") else ""


@pytest.mark.long
@pytest.mark.parametrize("language", ["c", "rust", "python"])
def test_code_is_that_of_harmless_text(language, cc, code):
    tame = {name: without_comments(name, text) for name, text in code(language, "harmless").items()}
    assert any(tame.values())
    for text in HOSTILE:
        files = code(language, text)
        assert {name: without_comments(name, found) for name, found in files.items()} == tame, text
        for name, found in files.items():
            assert all(each.isprintable() or each == "\n" for each in found), (name, text)
        assert not Path("PWNED").exists()


def test_a_kind_of_a_user_does_not_prove_with_the_words_of_a_built_in_one(code):
    """Was: a kind with another law was called proved by the laws of doubling."""
    text = "\n".join(code("python", "doubling").values())
    assert "proved: the laws of kinds/odd, for every p but 2, 3" in text
    assert "the laws of doubling" not in text


def test_what_is_inert_stays_so():
    text = "".join(HOSTILE)
    assert inert(inert(text)) == inert(text)
    assert (
        inert("a · b² = {x}: 2007 Bernstein–Lange, p. 5 (3*x/y < 2)")
        == "a · b² = {x}: 2007 Bernstein–Lange, p. 5 (3*x/y < 2)"
    )
