"""Importing a published tree: the built-in files byte for byte, and every defect reported by itself."""

from pathlib import Path

import pytest

from efdgen.generator.errors import EfdgenError
from efdgen.generator.formulas.database import BUILT_IN, Database
from efdgen.generator.importing.importer import Imported, import_tree, report, write_tree

JACOBIAN = "g1p/shortw/jacobian"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A published-style tree of one system with three formulas."""
    root = tmp_path / "published"
    write(root, "g1p/shortw/coordinates", COORDINATES)
    write(root, f"{JACOBIAN}/variables", "name Jacobian\nvariable X\nvariable Z\nsatisfying x = X/Z^2\n")
    write(root, f"{JACOBIAN}/doubling/dbl-1999-a", "source 1999 Able--Baker, page 3\n" + STEPS)
    write(root, f"{JACOBIAN}/doubling/dbl-1999-a.op3", "X3 = X1\nZ3 = Z1\n")
    write(root, f"{JACOBIAN}/doubling/dbl-1999-b", STEPS)
    write(
        root, f"{JACOBIAN}/diffadd/dadd-1999-c", "compute t = 2 X1(Z1+Z2)\ncompute X5 = t\ncompute Z5 = Z3\n"
    )
    return root


COORDINATES = """name short Weierstrass curves
parameter a
coordinate x
satisfying y = x^3 + a x
""".replace("satisfying y", "satisfying x^2")
STEPS = "compute X3 = 2 X1\ncompute Z3 = Z1\n"


def write(root: Path, name: str, text: str) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def imported(root: Path) -> dict[str, Imported]:
    return {file.path: file for file in import_tree(Database(root, "upstream"))}


# The corrections of efd/SOURCES.md: the published line, and the one in the database.
CORRECTED = {"g12o/hessian/coordinates": ("weierstrass a3 = 0\n", "weierstrass a3 = 1\n")}


def test_the_published_database_is_in_the_built_in_one(upstream: Path) -> None:
    texts = {path: file.text for path, file in imported(upstream).items()}
    assert sum(path.count("/") == 4 for path in texts) == 589
    for path, text in texts.items():
        assert text is not None
        published, kept = CORRECTED.get(path, ("", ""))
        assert published in text
        assert text.replace(published, kept, 1).encode() == (BUILT_IN / path).read_bytes(), path


def test_a_tree_is_brought_into_the_normalised_form(tree: Path) -> None:
    texts = {path: file.text for path, file in imported(tree).items()}
    assert texts[f"{JACOBIAN}/variables"] == "name Jacobian\nvariable X\nvariable Z\nsatisfying x == X/Z^2\n"
    expected = "source [1999-able-baker] page 3\ncompute X3 = 2*X1\ncompute Z3 = Z1\n"
    assert texts[f"{JACOBIAN}/doubling/dbl-1999-a"] == expected
    # Output 5 becomes output 4, the number behind the inputs.
    expected = "compute t = 2*X1*(Z1 + Z2)\ncompute X4 = t\ncompute Z4 = Z3\n"
    assert texts[f"{JACOBIAN}/diffadd/dadd-1999-c"] == expected
    assert len(texts) == 5


def test_an_intermediate_value_is_not_taken_for_an_output(tree: Path) -> None:
    write(
        tree, f"{JACOBIAN}/diffadd/dadd-1999-c", "compute X4 = X1 X2\ncompute X5 = X4\ncompute Z5 = X3 X4\n"
    )
    text = imported(tree)[f"{JACOBIAN}/diffadd/dadd-1999-c"].text
    assert text == "compute X5 = X1*X2\ncompute X4 = X5\ncompute Z4 = X3*X5\n"


def test_names_that_begin_with_a_digit_are_respelled_and_never_collide(tree: Path) -> None:
    name = f"{JACOBIAN}/doubling/dbl-1999-a"
    steps = "compute 2P = 2a X1\ncompute P2 = 2P 2\ncompute 3X = X1\ncompute X3 = P2 3X\ncompute Z3 = 2P\n"
    write(tree, name, "parameter 2a\nassume 2a = 2 a\n" + steps)
    assert imported(tree)[name].text == (
        "parameter a2\nassume a2 == 2*a\ncompute P2_ = a2*X1\ncompute P2 = P2_*2\n"
        "compute X3_ = X1\ncompute X3 = P2*X3_\ncompute Z3 = P2_\n"
    )


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            "compute X3 = 2 (X1\n",
            ":1:16: this parenthesis is never closed\n  compute X3 = 2 (X1\n                 ^",
        ),
        ("compute X3 = X2\ncompute Z3 = Z1\n", ":1:14: unknown name 'X2'; did you mean "),
        ("compute X3 = X1\n", ":1:1: Z3 never computed"),
        ("assume q = 1\n" + STEPS, ":1:8: unknown name 'q'"),
        ("coordinate q\n" + STEPS, ":1:1: a 'coordinate' line does not belong in this file"),
        ("", ":1:1: there is no statement in this text"),
    ],
)
def test_a_defect_ends_one_file_only(tree: Path, text: str, reason: str) -> None:
    name = f"{JACOBIAN}/doubling/dbl-1999-b"
    write(tree, name, text)
    found = imported(tree)
    assert [path for path, file in found.items() if file.text is None] == [name]
    assert found[name].reason.startswith(f"{tree / name}{reason}")
    assert len(found) == 5


def test_every_bad_line_is_reported_at_once(tree: Path) -> None:
    """Was: one run of import told the first line of each file."""
    name = f"{JACOBIAN}/doubling/dbl-1999-b"
    write(tree, name, "compute X3 = 2 (X1\ncompute A = X1\ncompute Z3 = B)\nassume\n# no\n")
    said = [line for line in imported(tree)[name].reason.splitlines() if line.startswith("/")]
    assert [line.split(":")[1] for line in said] == ["1", "3", "4", "5"]
    assert all(line.startswith(f"{tree / name}:") for line in said)
    write(tree, name, "parameter q?\nassume r = 1\ncompute A = X2 + Y2\ncompute Z3 = A T\ncoordinate x\n")
    said = [line for line in imported(tree)[name].reason.splitlines() if line.startswith("/")]
    reasons = [line.removeprefix(f"{tree / name}:").partition(";")[0] for line in said]
    assert reasons == [
        "1:1: 'q?' is not a name",
        "2:8: unknown name 'r'",
        "3:13: unknown name 'X2'",
        "3:18: unknown name 'Y2'",
        "4:16: unknown name 'T'",
        "5:1: a 'coordinate' line does not belong in this file",
        "5:1: X3 never computed",
    ]


def test_what_is_no_formula_is_reported_too(tree: Path) -> None:
    (tree / JACOBIAN / "doubling/binary").write_bytes(b"\xff\xfe")
    write(tree, f"{JACOBIAN}/quadrupling/qpl-1999-d", STEPS)
    reasons = [file.reason for file in imported(tree).values() if file.text is None]
    kind = tree / JACOBIAN / "quadrupling/qpl-1999-d"
    assert reasons[0] == f"{tree / JACOBIAN / 'doubling/binary'}: not UTF-8 text"
    assert reasons[1].startswith(f"{kind}: no kind is called 'quadrupling'; did you mean ")
    assert len(reasons) == 2


def test_a_broken_model_is_told_once(tree: Path) -> None:
    write(tree, "g1p/shortw/coordinates", COORDINATES + "addition x = (x1\n")
    (problem,) = report(imported(tree).values())
    assert problem.startswith(f"{tree / 'g1p/shortw/coordinates'}:5:14: this parenthesis is never closed\n")
    assert problem.endswith("4 more files cannot be used without it")


def test_what_the_language_cannot_hold_is_not_written(tree: Path) -> None:
    name = f"{JACOBIAN}/variables"
    write(tree, name, "name Jacobian #1\nvariable X\nvariable Z\nsatisfying x = X/Z^2\n")
    assert imported(tree)[name].text is None
    assert "no normalised form" in imported(tree)[name].reason


def test_a_tree_is_written_whole_and_found_written_the_second_time(tree: Path, tmp_path: Path) -> None:
    out = tmp_path / "new" / "out"
    files = imported(tree)
    assert write_tree(files.values(), out) == 5
    written = sorted(path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file())
    assert written == sorted(files)
    assert Database(out).ids == Database(tree, "upstream").ids
    assert write_tree(files.values(), out) == 0


def test_a_file_in_the_way_is_kept_and_nothing_is_written(tree: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    write(out, f"{JACOBIAN}/variables", "my own\n")
    with pytest.raises(EfdgenError, match="variables"):
        write_tree(imported(tree).values(), out)
    assert [path.read_text() for path in out.rglob("*") if path.is_file()] == ["my own\n"]


def test_a_directory_that_cannot_be_written_leaves_nothing(tree: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(EfdgenError, match="cannot write"):
        write_tree(imported(tree).values(), tmp_path / "file" / "out")
    assert (tmp_path / "file").read_text() == ""
