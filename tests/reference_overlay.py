"""A user database for the reference: a hostile system, and formulas that are refuted or cannot be read."""

from pathlib import Path

from efdgen.generator.formulas.layers import BUILT_IN

HOSTILE = "<script>alert(1)</script> & $\\evil{}$ \"quoted\" 'too' </title>"
PLACE = "g1p/shortw/jacobian-0/doubling"
PROVED, REFUTED, UNREADABLE = f"{PLACE}/dbl-own", f"{PLACE}/dbl-wrong", f"{PLACE}/dbl-broken"
HOSTILE_SYSTEM = "g1p/shortw/hostile"
HOSTILE_FORMULA = f"{HOSTILE_SYSTEM}/doubling/dbl-hostile"
SELECTORS = ("g1p/shortw/jacobian-0", "g1p/shortw/jacobian", "g1p/shortw/xz", HOSTILE_SYSTEM)


def lay_overlay(root: Path) -> Path:
    """Write the user database into a directory."""
    right = (BUILT_IN / PLACE / "dbl-2009-l").read_text(encoding="utf-8")
    wrong = right.replace("E = 3*A", "E = 3*B")
    assert wrong != right
    jacobian = (BUILT_IN / "g1p/shortw/jacobian/variables").read_text(encoding="utf-8")
    title = next(line for line in jacobian.splitlines() if line.startswith("name "))
    source = f"source {HOSTILE} [no-such-key<b>]"
    hostile = (BUILT_IN / "g1p/shortw/jacobian/doubling/dbl-2007-bl").read_text(encoding="utf-8")
    texts = {
        PROVED: right,
        REFUTED: wrong,
        UNREADABLE: f"{HOSTILE}\nX3 = (\n",
        f"{HOSTILE_SYSTEM}/variables": jacobian.replace(title, f"name {HOSTILE}"),
        HOSTILE_FORMULA: "\n".join(
            source if line.startswith("source ") else line for line in hostile.splitlines()
        ),
    }
    for name, text in texts.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return root
