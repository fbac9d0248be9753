"""Sanitized builds of drivers: vectors pass in them, and what is undefined or out of bounds ends them."""

from pathlib import Path

import pytest
from whole_curves import MONTGOM
from whole_curves import tiny_file as tiny_file_of

from efdgen.generator.compile import Request
from efdgen.generator.errors import EfdgenError
from efdgen.generator.formulas.database import Database
from efdgen.verify.vectors.drivers import build_driver, sanitized_builds
from efdgen.verify.vectors.suite import vectors_of
from efdgen.verify.vectors.testing import TINY_FIELDS
from efdgen.verify.vectors.whole_subjects import whole_subject


@pytest.fixture
def tiny_file(tmp_path) -> Path:
    path = tmp_path / "tiny.toml"
    path.write_text(MONTGOM)
    return path


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("k[at / 8 + (k[0] == 77)]", "AddressSanitizer"),
        ("((int)k[at / 8] << 30 >> 30)", "left shift"),
    ],
    ids=["out of bounds", "shift"],
)
def test_what_is_undefined_is_seen(compiler, wrong, said, database, tiny_file, tmp_path):
    subject = whole_subject(database, Request("c", str(tiny_file), set="curve"), ["c"])
    files = dict(subject.files["c"])
    bit = "(uint32_t)k[at / 8] >>"
    assert files["tiny.h"].count(bit) == 1
    files["tiny.h"] = files["tiny.h"].replace(bit, f"{wrong} >>")
    (build,) = sanitized_builds([compiler], [32])
    with pytest.raises(EfdgenError, match=said):
        build_driver(build, files, tmp_path / "c").ask(vectors_of(subject, 1).requests("c"))


@pytest.mark.long
def test_an_access_beyond_the_last_point_of_an_array_is_seen(compiler, database, tmp_path):
    """Was: drivers had arrays of 1,200 points, in which a loop to i <= n did no harm."""
    path = tiny_file_of(tmp_path, "prime")
    subject = whole_subject(database, Request("c", str(path), set="curve"), ["c"])
    files = dict(subject.files["c"])
    loop = "for (size_t i = 0; i < n; i++) {\n        int finite = "
    (name,) = (name for name, found in files.items() if loop in found)
    files[name] = files[name].replace(loop, loop.replace("i < n", "i <= n"))
    (build,) = sanitized_builds([compiler], [64])
    with pytest.raises(EfdgenError, match="AddressSanitizer"):
        build_driver(build, files, tmp_path / "c").ask(vectors_of(subject, 1).requests("c"))


@pytest.mark.long
@pytest.mark.usefixtures("cc")
def test_sanitized_builds_stand_beside_languages(gcc, efdgen, tiny_file):
    arguments = ("--lang", "c", "--lang", "python", "--compiler", gcc)
    done = efdgen("test", "--sanitize", "--set", "curve", "--curve", tiny_file, *arguments)
    assert (done.code, done.err) == (0, "")
    for column in ("c", "python", "gcc, 64 bits", "gcc, 32 bits"):
        assert f"  {column}" in done.out.splitlines()[0]
    assert "all as expected" in done.out


@pytest.mark.long
@pytest.mark.usefixtures("cc")
def test_every_formula_can_be_run_in_sanitized_builds(gcc, efdgen, monkeypatch):
    few = tuple(f"g1p/montgom/xz/{name}" for name in ("doubling/dbl-1987-m", "ladder/ladd-1987-m"))
    monkeypatch.setattr(Database, "ids", few)
    done = efdgen("test", "--sanitize", "--all", "--lang", "c", "--compiler", gcc, "--word", "64")
    assert (done.code, done.err) == (0, "")
    lines = [line for line in done.out.splitlines() if "gcc, 64 bits" in line]
    fields = 2 + 1 + len(TINY_FIELDS)
    assert len(lines) == fields
    assert all(done.out.count(name) == 2 for name in few)
    assert done.out.count("all as expected") == fields
