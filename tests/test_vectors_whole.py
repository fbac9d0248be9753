"""Whole curves in the shared vectors: right ones pass in every language, and broken ones are seen."""

import json
from pathlib import Path
from random import Random

import pytest
from whole_curves import MONTGOM, SHORTW, tiny_file

from efdgen.generator.compile import Request
from efdgen.generator.errors import EfdgenError
from efdgen.generator.formulas.database import Database
from efdgen.verify.vectors.drivers import build_driver
from efdgen.verify.vectors.whole_calls import calls_of
from efdgen.verify.vectors.whole_subjects import WholeSubject, whole_subject
from efdgen.verify.vectors.whole_suite import WholeSuite
from efdgen.verify.vectors.whole_sums import some_sums


def tiny(database: Database, folder: Path, text: str, *languages: str) -> WholeSubject:
    path = folder / "tiny.toml"
    path.write_text(text)
    request = Request("c", str(path), set="curve", table="small", lowering="calls")
    return whole_subject(database, request, languages)


def wrong(suite: WholeSuite, files: dict[str, str], language: str, folder: Path) -> set[str]:
    """Return the functions that a driver answers wrongly for."""
    driver = build_driver(language, files, folder)
    results = suite.judge({language: driver.ask(suite.requests(language))})
    return {result.function for result in results if not result.ok}


@pytest.mark.long
@pytest.mark.parametrize("text", [SHORTW, MONTGOM], ids=["shortw", "montgom"])
@pytest.mark.usefixtures("cc")
def test_a_tiny_curve_passes_whole_and_a_broken_one_is_seen(database, text, tmp_path):
    found = tiny(database, tmp_path, text, "c", "python")
    suite = WholeSuite(found.curve, seed=1)
    for language, files in found.files.items():
        assert wrong(suite, files, language, tmp_path / language) == set()
    module = dict(found.files["python"])
    right = "k >> i & 1" if text is MONTGOM else "not p.Z"
    assert right in module["tiny/_curve.py"]
    module["tiny/_curve.py"] = module["tiny/_curve.py"].replace(right, f"not ({right})")
    assert "multiply" in wrong(suite, module, "python", tmp_path / "broken")


@pytest.mark.long
@pytest.mark.drawn(2)
@pytest.mark.parametrize("name", ["prime", "twisted", "edwards", "montgom"])
@pytest.mark.usefixtures("cc", "cargo")
def test_a_file_of_each_model_passes_in_every_language(name, efdgen, tmp_path):
    if name == "montgom":
        path = tmp_path / "montgom.toml"
        path.write_text(MONTGOM)
    else:
        path = tiny_file(tmp_path, name)
    done = efdgen("test", "--set", "curve", "--curve", path)
    assert (done.code, done.err) == (0, "")
    assert done.out.count("all as expected") == 1
    (head,) = (line for line in done.out.splitlines() if "Refused" in line)
    assert head.split()[-3:] == ["c", "rust", "python"]


@pytest.mark.parametrize("system", ["projective", "modified"])
def test_the_neutral_element_doubled_in_python_is_neutral(system, database, tmp_path):
    request = Request("python", tiny_file(tmp_path, "prime"), system, set="curve", table="small")
    found = whole_subject(database, request, ["python"])
    driver = build_driver("python", found.files["python"], tmp_path / "built")
    calls = calls_of("add", "double", "subtract", "multiply_generator", "double_multiply_var")
    rows = [row for part in (calls, some_sums) for row in part(found.curve, Random(1))]
    asked = [row for row in rows if found.curve.is_in("python", row[0])]
    answers = driver.ask([" ".join(row[:-1]) for row in asked])
    assert [row for row, answer in zip(asked, answers, strict=True) if answer != row[-1]] == []


@pytest.mark.slow
def test_edges_and_published_multiples_of_a_large_curve(database, tmp_path):
    request = Request("python", "edwards25519", set="curve", table="small")
    found = whole_subject(database, request, ["python"])
    suite = WholeSuite(found.curve, seed=2)
    assert wrong(suite, found.files["python"], "python", tmp_path) == set()
    order = found.curve.order
    asked = {question.arguments[0] for question in suite.questions if question.function == "multiply"}
    edges = (0, 1, order - 1, order, order + 1, 8 * order - 1, 8 * order, 8 * order + 1, 2**256 - 1)
    assert {found.curve.scalar(k) for k in edges} <= asked


@pytest.mark.usefixtures("cc", "cargo")
def test_a_directory_of_a_whole_curve_is_tested_as_it_stands(efdgen, tmp_path):
    folder = tmp_path / "out"
    made = efdgen("compile", "--lang", "python", "--curve", "P-256", "--set", "curve", "--out", folder)
    assert (made.code, made.err) == (0, "")
    vectors = tmp_path / "vectors"
    done = efdgen("test", folder, "--vectors", vectors, "--json")
    assert done.code == 0
    assert "all as expected" in done.err
    (path,) = vectors.iterdir()
    document = json.loads(path.read_text())
    assert document["schema"] == "efdgen-curve-vectors-1"
    assert {"multiply", "decode"} <= {function["name"] for function in document["functions"]}
    assert all(result["ok"] for result in json.loads(done.out))

    text = (folder / "p256/_curve.py").read_text()
    (folder / "p256/_curve.py").write_text(text.replace("if tag in (b", "if tag not in (b"))
    broken = efdgen("test", folder)
    assert broken.code == 1
    assert "decode: " in broken.out


@pytest.mark.usefixtures("cc")
def test_an_example_beside_a_driver_is_left_out(tmp_path):
    """A directory of protocols has a program of its own, which needs a library of hashes."""
    files = {
        "driver.c": '#include <stdio.h>\nint main(void) {\n    puts("1");\n    return 0;\n}\n',
        "example.c": "int hash(void);\nint main(void) {\n    return hash();\n}\n",
    }
    assert build_driver("c", files, tmp_path / "beside").ask(["?"]) == ["1"]
    files["other.c"] = files.pop("example.c").replace("int main(", "int other(")
    with pytest.raises(EfdgenError, match="does not compile"):
        build_driver("c", files, tmp_path / "part")
