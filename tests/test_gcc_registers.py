"""gcc's choice of registers: words move little in formulas as a whole, and with wider vectors no more."""

import platform
import re
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.usefixtures("gcc")

FORMULA = "g1p/shortw/jacobian-0/doubling/dbl-sum"


def instructions(folder: Path, header: str, vectors: str) -> list[str]:
    """Return what gcc makes of functions on words that it does not merge into others, without labels."""
    (folder / "words.c").write_text(f'#include "{header}"\n')
    command = ["gcc", "-O2", "-mbmi2", "-madx", "-Dstatic=", "-Dinline=", f"-m{vectors}", "-S", "words.c"]
    subprocess.run(command, cwd=folder, check=True)
    return re.findall(r"^\t[a-z].*", (folder / "words.s").read_text(), re.MULTILINE)


@pytest.mark.long
def test_blocks_of_formulas_have_their_registers_renamed_one_by_one(efdgen, tmp_path):
    """Cut into blocks, four additions take at least a tenth fewer instructions than each in one block."""
    if platform.machine() not in ("x86_64", "AMD64"):
        return
    names = ("add-1986-cc", "add-1998-cmo-2", "add-2001-b", "add-2007-bl")
    named = [part for name in names for part in ("--formulas", f"jacobian-0/addition/{name}")]
    done = efdgen(
        "compile", "--curve", "secp256k1", "--lang", "c", "--target", "gcc", *named, "--out", tmp_path
    )
    assert done.code == 0, done.err
    cut = instructions(tmp_path, "secp256k1.h", "avx2")
    text = (tmp_path / "secp256k1.h").read_text()
    whole = re.sub(r"(?m)^#define SECP256K1_SEAM .*", "#define SECP256K1_SEAM ((void)0)", text, count=1)
    assert whole != text
    (tmp_path / "secp256k1.h").write_text(whole)
    assert len(cut) < 0.9 * len(instructions(tmp_path, "secp256k1.h", "avx2"))


@pytest.mark.parametrize(
    ("header", "arguments"),
    [
        ("secp256k1.h", ("compile", "--curve", "secp256k1", "--formulas", FORMULA)),
        ("fp.h", ("field", "--prime", "2^255-19", "--ops", "mul,sqr")),
        ("fp.h", ("field", "--prime", "2^521-1", "--ops", "mul,sqr")),
    ],
)
def test_code_on_words_is_the_same_with_wider_vectors(header, arguments, efdgen, tmp_path):
    if platform.machine() not in ("x86_64", "AMD64"):
        return
    done = efdgen(*arguments, "--lang", "c", "--target", "gcc", "--out", tmp_path)
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


@pytest.mark.parametrize(("prime", "by_mulx"), [("2^521-1", False), ("2^448-2^224-1", True)])
def test_columns_that_are_carried_in_one_chain_are_multiplied_by_mul(prime, by_mulx, efdgen, tmp_path):
    if platform.machine() not in ("x86_64", "AMD64"):
        return
    done = efdgen(
        "field", "--prime", prime, "--ops", "mul", "--target", "gcc", "--lang", "c", "--out", tmp_path
    )
    assert done.code == 0, done.err
    found = {line.split()[0].rstrip("q") for line in instructions(tmp_path, "fp.h", "avx2")}
    assert ("mulx" in found) == by_mulx
