"""The table of stack in docs/curves-api.md is what gcc computes."""

import re

import pytest
from english import ROOT
from stack_usage import stack_of

PAGE = (ROOT / "docs" / "curves-api.md").read_text()
CURVES = ("secp256k1", "P-256", "edwards25519", "Ed448")
LEAST = 2048
# Versions of gcc inline differently; what is below the least figure by so much has no row.
TOLERANCE = 1.25


def table() -> dict[str, dict[str, int]]:
    """Return the documented bytes of stack, by curve and function."""
    head, _, *rows = re.search(r"\n## Stack\n.*?\n((?:\|.*\n)+)", PAGE, re.DOTALL)[1].splitlines()
    names = [cell.strip() for cell in head.split("|")[2:-1]]
    assert names == [*CURVES]
    found = {name: {} for name in names}
    for row in rows:
        function, *cells = (cell.strip().strip("`") for cell in row.split("|")[1:-1])
        for name, cell in zip(names, cells, strict=True):
            if cell:
                found[name][function] = int(cell.replace(",", ""))
    return found


def words() -> set[str]:
    """Return the words in code of the page, and the functions that it names without their file."""
    found = {word for span in re.findall(r"`([^`\n]+)`", PAGE) for word in re.findall(r"\w+", span)}
    return found | {f"{file}_{word}" for file in ("ecdh", "ecdsa", "eddsa", "elgamal") for word in found}


@pytest.mark.drawn(1)
@pytest.mark.parametrize("curve", [*CURVES, "Curve25519", "Curve448"])
def test_the_table_of_stack_is_right(curve, gcc, tmp_path):
    documented, measured = table().get(curve, {}), stack_of(curve, gcc, tmp_path)
    needed = {name for name, size in measured.items() if name in words() and size >= LEAST * TOLERANCE}
    assert needed - documented.keys() == set()
    wrong = {n: size for n, size in documented.items() if not 1 / TOLERANCE < measured[n] / size < TOLERANCE}
    assert {name: (size, measured[name]) for name, size in wrong.items()} == {}
