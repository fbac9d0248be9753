"""The command `efdgen import`."""

from collections.abc import Callable
from pathlib import Path

from efdgen.generator.formulas.database import BUILT_IN

STEPS = "compute X3 = 2 X1\ncompute Z3 = Z1\n"
LISTED = """new        g1p/m/coordinates
new        g1p/m/s/variables
new        g1p/m/s/doubling/right
beside the files in force: 0 same text, 0 other text, 3 new
"""


def write(root: Path, name: str, text: str) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def published(root: Path) -> Path:
    write(root, "g1p/m/coordinates", "name M\nparameter a\ncoordinate x\nsatisfying x = a\n")
    write(root, "g1p/m/s/variables", "name S\nvariable X\nvariable Z\nsatisfying x = X/Z\n")
    write(root, "g1p/m/s/doubling/right", STEPS)
    return root


def test_without_out_the_tree_is_checked(efdgen: Callable, tmp_path: Path) -> None:
    result = efdgen("import", published(tmp_path / "tree"))
    assert (result.code, result.err) == (0, "")
    assert result.out == LISTED + "3 of 3 files can be used; --out DIR writes them\n"
    assert [path.name for path in tmp_path.iterdir()] == ["tree"]


def test_with_out_the_tree_is_written(efdgen: Callable, tmp_path: Path) -> None:
    result = efdgen("import", published(tmp_path / "tree"), "--out", tmp_path / "out")
    assert (result.code, result.err) == (0, "")
    assert result.out == LISTED + f"3 of 3 files can be used; 3 of them new in {tmp_path / 'out'}\n"
    text = (tmp_path / "out/g1p/m/s/doubling/right").read_text()
    assert text == "compute X3 = 2*X1\ncompute Z3 = Z1\n"


def test_the_command_writes_what_is_built_in_but_for_the_correction(
    efdgen: Callable, upstream: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    *listed, used = efdgen("import", upstream, "--out", out).out.splitlines()
    assert used.startswith("654 of 654 files can be used")
    assert listed == [
        "other text g12o/hessian/coordinates",
        "beside the files in force: 653 same text, 1 other text, 0 new",
    ]
    paths = [path.relative_to(out) for path in out.rglob("*") if path.is_file()]
    differing = [path for path in paths if (out / path).read_bytes() != (BUILT_IN / path).read_bytes()]
    assert list(map(str, differing)) == ["g12o/hessian/coordinates"]


def test_what_cannot_be_used_is_told_and_the_rest_is_written(efdgen: Callable, tmp_path: Path) -> None:
    tree = published(tmp_path / "tree")
    write(tree, "g1p/m/s/doubling/wrong", "source x\ncompute X3 = (X1\n")
    result = efdgen("import", tree, "--out", tmp_path / "out")
    assert result.code == 1
    place = tree / "g1p/m/s/doubling/wrong"
    assert result.err == (
        f"{place}:2:14: this parenthesis is never closed\n  compute X3 = (X1\n               ^\n"
    )
    assert result.out.startswith(LISTED + "3 of 4 files can be used; 3 of them new")
    assert not (tmp_path / "out/g1p/m/s/doubling/wrong").exists()


def test_a_mistaken_directory_is_one_line_and_status_2(efdgen: Callable, tmp_path: Path) -> None:
    for directory, reason in ((tmp_path / "none", "no such directory"), (tmp_path, "no formulas")):
        result = efdgen("import", directory)
        assert (result.code, result.out) == (2, "")
        assert result.err.startswith(f"efdgen: {directory}: {reason}")
        assert result.err.count("\n") == 1


def test_another_text_in_the_way_stops_everything(efdgen: Callable, tmp_path: Path) -> None:
    write(tmp_path / "out", "g1p/m/coordinates", "mine\n")
    result = efdgen("import", published(tmp_path / "tree"), "--out", tmp_path / "out")
    assert (result.code, result.out) == (2, "")
    assert str(tmp_path / "out/g1p/m/coordinates") in result.err
    files = [path for path in (tmp_path / "out").rglob("*") if path.is_file()]
    assert [path.read_text() for path in files] == ["mine\n"]
