"""gcc's choice of registers: words are as well off where it compiles for processors with wider vectors."""

import platform
import re
import subprocess
from pathlib import Path

import pytest

FORMULA = "g1p/shortw/jacobian-0/doubling/dbl-sum"


def instructions(folder: Path, header: str, vectors: str) -> list[str]:
    """Return what gcc makes of functions on words that it does not merge into others, without labels."""
    (folder / "words.c").write_text(f'#include "{header}"\n')
    command = ["gcc", "-O2", "-mbmi2", "-madx", "-Dstatic=", "-Dinline=", f"-m{vectors}", "-S", "words.c"]
    subprocess.run(command, cwd=folder, check=True)
    return re.findall(r"^\t[a-z].*", (folder / "words.s").read_text(), re.MULTILINE)


@pytest.mark.parametrize(
    ("header", "arguments"),
    [
        ("secp256k1.h", ("compile", "--curve", "secp256k1", "--formulas", FORMULA)),
        ("fp.h", ("field", "--prime", "2^255-19", "--ops", "mul,sqr")),
        ("fp.h", ("field", "--prime", "2^521-1", "--ops", "mul,sqr", "--target", "gcc")),
    ],
)
def test_code_on_words_is_the_same_with_wider_vectors(header, arguments, efdgen, tmp_path):
    if platform.machine() not in ("x86_64", "AMD64"):
        return
    done = efdgen(*arguments, "--lang", "c", "--out", tmp_path)
    assert done.code == 0, done.err
    narrow = instructions(tmp_path, header, "avx2")
    assert len(narrow) > 300
    assert instructions(tmp_path, header, "avx512f") == narrow
    text = (tmp_path / header).read_text()
    (tmp_path / header).write_text(text.replace('target("no-avx512f")', 'target("no-avx512cd")'))
    # Without what keeps these registers from gcc, words move elsewhere.
    assert "no-avx512f" in text
    changed = instructions(tmp_path, header, "avx512f")
    assert changed != narrow
