"""Comments of curves and protocols in C, as Doxygen and clang read them for documentation."""

import re
import subprocess
from pathlib import Path

import pytest
from protocol_files import protocols_of

CURVES = ("secp256k1", "edwards25519")
SETTINGS = """\
INPUT = .
GENERATE_HTML = NO
GENERATE_LATEX = NO
GENERATE_XML = YES
QUIET = YES
EXTRACT_STATIC = YES
OPTIMIZE_OUTPUT_FOR_C = YES
"""
# One comment documents a structure with its members, and macros that follow each other.
_PARTS = re.compile(r"Member .* \((variable|macro definition|typedef)\) of .* is not documented\.$")


def headers(curve: str) -> dict[str, str]:
    """Return the headers and the example of a curve."""
    return {name: text for name, text in protocols_of(curve).files["c"].items() if "driver" not in name}


def warnings(doxygen: str, folder: Path, files: dict[str, str]) -> list[str]:
    """Return the warnings of Doxygen about files, every comment of which is documentation."""
    for name, text in files.items():
        marked = re.sub(r"^/\* ", "/** ", text, flags=re.MULTILINE)
        (folder / name).write_text(marked.replace("\n", "\n * \\file\n", 1))
    done = subprocess.run(
        [doxygen, "-"], input=SETTINGS, cwd=folder, capture_output=True, text=True, check=True
    )
    found = {path.name for path in (folder / "xml").iterdir()}
    assert len(found) > len(files)
    lines = [line for line in done.stderr.splitlines() if "warning:" in line]
    return [line for line in lines if not _PARTS.search(line)]


@pytest.mark.parametrize("curve", CURVES)
def test_doxygen_has_no_warnings(curve, doxygen, tmp_path):
    assert warnings(doxygen, tmp_path, headers(curve)) == []


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("curve", CURVES)
def test_no_comment_is_in_another(curve):
    assert [name for name, text in headers(curve).items() if "/''*" in text or "*''/" in text] == []


def test_doxygen_warns_of_a_function_without_comment(doxygen, tmp_path):
    files = headers("secp256k1")
    text = files["whole_sc.h"]
    files["whole_sc.h"] = text.replace("/* r = -a. */\n", "")
    assert files["whole_sc.h"] != text
    (line,) = warnings(doxygen, tmp_path, files)
    assert "whole_sc_neg" in line


@pytest.mark.parametrize("curve", CURVES)
@pytest.mark.usefixtures("openssl", "hash_libraries")
def test_clang_has_no_warnings_of_documentation(curve, clang, tmp_path):
    files = headers(curve)
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    names = [name for name in files if name.endswith(".h")]
    (tmp_path / "all.c").write_text("".join(f'#include "{name}"\n' for name in sorted(names)))
    flags = ("-Wdocumentation", "-Wdocumentation-pedantic", "-fparse-all-comments", "-Werror")
    subprocess.run(
        [clang, "-std=c99", *flags, "-fsyntax-only", "all.c", "example.c"], cwd=tmp_path, check=True
    )
