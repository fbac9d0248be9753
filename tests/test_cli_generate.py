"""`efdgen generate` and `efdgen regenerate`: what a project's file says is made, checked, and removed."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from whole_curves import tiny_file

from efdgen import __version__
from efdgen.generator.formulas.layers import BUILT_IN
from efdgen.generator.header import is_edited, read_header, sealed
from efdgen.generator.requirements import installing
from efdgen.generator.tuning.file import tuning_text
from efdgen.generator.tuning.tuning import FieldChoice, Tuning

DOUBLING = "jacobian-0/doubling/dbl-2009-l"
PROJECT = f"""
version = "{__version__}"

[[generate]]
lang = "python"
curve = "secp256k1"
formulas = ["{DOUBLING}"]
out = "curve"
"""
FIELD = """
[[generate]]
command = "field"
lang = "python"
prime = "2^61-1"
out = "field"
"""
MODULE = Path("curve/secp256k1.py")


@pytest.fixture
def project(tmp_path, monkeypatch):
    """Work in a project."""
    monkeypatch.chdir(tmp_path)
    Path("efdgen.toml").write_text(PROJECT)
    return tmp_path


def states(done) -> dict[str, str]:
    return {file["path"]: file["state"] for file in json.loads(done.out)["files"]}


def test_a_project_is_generated_and_up_to_date_until_a_file_is_edited(efdgen, project):
    assert states(efdgen("generate", "--check", "--json")) == {
        "curve/driver.py": "added",
        "curve/secp256k1.py": "added",
    }
    assert not Path("curve").exists()
    done = efdgen("generate")
    assert (done.code, done.out.splitlines()) == (0, ["added curve/driver.py", "added curve/secp256k1.py"])
    done = efdgen("generate", "--check")
    assert (done.code, done.out, done.err) == (0, "", "")
    text = MODULE.read_text()
    MODULE.write_text(text.replace("return", "return  # mine", 1))
    done = efdgen("generate", "--diff")
    assert (done.code, "# mine" in done.out, MODULE.read_text() == text) == (1, True, False)
    assert done.out.startswith("--- a/curve/secp256k1.py\n+++ b/curve/secp256k1.py\n@@")
    assert efdgen("generate").out == "changed curve/secp256k1.py\n"
    assert MODULE.read_text() == text


@pytest.mark.slow
def test_a_package_becomes_a_module_and_back(efdgen, tmp_path, monkeypatch):
    """The default is a package; its header omits the layout, and either regenerates as it is."""
    monkeypatch.chdir(tmp_path)
    curve = Path(tiny_file(tmp_path, "twisted")).name
    asked = ("compile", "--lang", "python", "--curve", curve, "--set", "curve", "--out", "made")
    package = {f"made/tiny/{name}" for name in ("__init__.py", "_curve.py", "py.typed")}

    def written(*more):
        assert efdgen(*asked, *more).code == 0
        assert efdgen("regenerate", "made", "--check").code == 0
        return {f"{path}": path.read_text() for path in Path("made").rglob("*") if path.is_file()}

    first = written()
    assert first.keys() == package | {"made/driver.py"}
    assert not any("--layout" in text for text in first.values())
    module = written("--layout", "module")
    assert module.keys() == {"made/tiny.py", "made/driver.py"}
    assert all("--layout module" in text for text in module.values())
    assert written("--layout", "package") == first


def test_packages_of_others_keep_their_files(efdgen, tmp_path, monkeypatch):
    """Only a generated package is searched for files that nothing generates any longer."""
    monkeypatch.chdir(tmp_path)
    asked = ("compile", "--lang", "python", "--curve", "secp256k1", "--formulas", DOUBLING, "--out")
    efdgen(*asked, "src/mine")
    Path("src/mine/__init__.py").write_text("")
    efdgen(*asked, "src")
    assert Path("src/mine/secp256k1.py").is_file()


def test_a_project_is_not_up_to_date_with_other_options(efdgen, project):
    efdgen("generate")
    Path("efdgen.toml").write_text(PROJECT.replace("dbl-2009-l", "dbl-2009-alnr"))
    done = efdgen("generate", "--check")
    assert done.code == 1
    assert "changed curve/secp256k1.py" in done.out
    assert "are out of date" in done.err


def test_identical_files_keep_their_times(efdgen, project):
    """Was D20: the same command changed the times of all files, and the project was built anew."""
    efdgen("generate")
    os.utime(MODULE, (1, 1))
    efdgen("generate")
    efdgen("compile", "--lang", "python", "--curve", "secp256k1", "--formulas", DOUBLING, "--out", "curve")
    assert MODULE.stat().st_mtime == 1


def test_files_that_no_entry_makes_are_removed_unless_edited(efdgen, project):
    """Was: files of the options before stayed, and failed beside the new ones."""
    efdgen("generate")
    Path("curve/own.py").write_text("own = 1\n")
    Path("efdgen.toml").write_text(PROJECT.replace('out = "curve"', 'out = "curve"\nprefix = "k"'))
    assert states(efdgen("generate", "--check", "--json")) == {
        "curve/driver.py": "changed",
        "curve/k.py": "added",
        "curve/secp256k1.py": "removed",
    }
    MODULE.write_text(f"{MODULE.read_text()}# mine\n")
    efdgen("generate")
    assert efdgen("generate", "--check").code == 1, "an edited orphan is no project that is up to date"
    done = efdgen("generate")
    assert done.err == "kept curve/secp256k1.py: no entry produces it, but it was edited\n"
    assert {path.name for path in Path("curve").iterdir()} == {"driver.py", "k.py", "own.py", "secp256k1.py"}


@pytest.mark.parametrize("below", ["", "deeper/"])
def test_files_of_a_directory_that_no_entry_has_any_longer_are_named_and_cleaned(efdgen, project, below):
    """Was: a directory stayed when an entry moved to another, and no check named it."""
    Path("efdgen.toml").write_text(PROJECT.replace('"curve"', f'"{below}field"'))
    efdgen("generate")
    Path("target").mkdir()
    shutil.copy(f"{below}field/driver.py", "target")
    shutil.copy(f"{below}field/driver.py", f"{below}field/mine.py")
    Path(f"{below}field/mine.py").write_text(f"{Path(f'{below}field/mine.py').read_text()}# mine\n")
    Path("efdgen.toml").write_text(PROJECT)
    named = f"{below}field: no entry produces these generated files; efdgen generate --clean removes them\n"
    for words in ((), ("--check",)):
        done = efdgen("generate", *words)
        assert (done.code, done.err) == (0, named)
    paths = [f"{below}field/driver.py", f"{below}field/secp256k1.py"]
    done = efdgen("generate", "--clean", "--check")
    assert (done.code, done.out) == (1, "".join(f"removed {path}\n" for path in paths))
    done = efdgen("generate", "--clean")
    assert done.err == f"kept {below}field/mine.py: no entry produces it, but it was edited\n"
    found = {path.as_posix() for path in Path().rglob("*.py")}
    assert found == {"curve/driver.py", "curve/secp256k1.py", "target/driver.py", f"{below}field/mine.py"}


def test_projects_below_keep_their_files(efdgen, project, monkeypatch):
    """Was: cleaning a project removed the files of one in a directory of it."""
    below = project / "below"
    below.mkdir()
    (below / "efdgen.toml").write_text(PROJECT)
    monkeypatch.chdir(below)
    efdgen("generate")
    monkeypatch.chdir(project)
    done = efdgen("generate", "--clean")
    assert (done.code, done.err) == (0, "")
    assert (below / "curve/driver.py").is_file()


def test_files_of_another_layout_are_removed(efdgen, tmp_path):
    """Was D20 too: a header and its source file became a header, and the source file stayed."""
    asked = ["compile", "--lang", "c", "--curve", "secp256k1", "--formulas", DOUBLING, "--lowering", "calls"]
    efdgen(*asked, "--layout", "split", "--out", tmp_path)
    assert (tmp_path / "secp256k1.c").is_file()
    done = efdgen(*asked, "--out", tmp_path)
    assert f"removed {tmp_path / 'secp256k1.c'}" in done.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["driver.c", "secp256k1.h", "secp256k1_32.h"]


def test_the_project_may_be_in_pyproject(efdgen, tmp_path, monkeypatch):
    (tmp_path / "below").mkdir()
    entry = PROJECT.replace("[[generate]]", "[[tool.efdgen.generate]]").replace(
        "version", "[tool.efdgen]\nversion"
    )
    (tmp_path / "pyproject.toml").write_text(f"[project]\nname = 'x'\n{entry}")
    monkeypatch.chdir(tmp_path / "below")
    assert efdgen("generate").code == 0
    assert (tmp_path / MODULE).is_file()
    assert efdgen("generate", "--project", tmp_path / "pyproject.toml", "--check").code == 0


def test_fields_are_entries_too(efdgen, project):
    Path("efdgen.toml").write_text(PROJECT + FIELD)
    assert efdgen("generate").code == 0
    assert Path("field/fp.py").is_file()
    assert efdgen("regenerate", ".", "--check").code == 0


def test_headers_alone_make_files_again(efdgen, project):
    efdgen("generate")
    text = MODULE.read_text()
    MODULE.write_text(text.replace("def ", "def  ", 1))
    Path("efdgen.toml").unlink()
    done = efdgen("regenerate", "curve", "--check")
    assert (done.code, done.out) == (1, "changed curve/secp256k1.py\n")
    assert efdgen("regenerate", "curve").code == 0
    assert MODULE.read_text() == text
    assert efdgen("regenerate", "curve", "--check").code == 0


def test_headers_of_one_command_in_two_directories_make_both_again(efdgen, project):
    """They were refused: a command makes files of one directory."""
    efdgen("generate")
    shutil.copytree("curve", "other/curve")
    for path in (MODULE, "other" / MODULE):
        path.write_text(path.read_text().replace("def ", "def  ", 1))
    assert efdgen("regenerate", ".", "--check").code == 1
    done = efdgen("regenerate", ".")
    assert (done.code, done.out) == (0, f"changed {MODULE}\nchanged {'other' / MODULE}\n")
    assert MODULE.read_text() == ("other" / MODULE).read_text()


WRONG = {
    "no entry": ("", "write at least one [[generate]]"),
    "no TOML": ("[[generate", "efdgen.toml:1:11: not TOML: Expected ']]' at the end of an array declaration"),
    "an entry that is none": ("generate = 1", "toml:1:1: generate must be tables, each under [[generate]]"),
    "an unknown key": ("files = 1\n" + PROJECT, "toml:1:1: unknown key 'files'; known: version, generate"),
    "a key that is nearly known": (
        "versions = 1\n" + PROJECT,
        "unknown key 'versions'; did you mean version?",
    ),
    "another version": (PROJECT.replace(__version__, "9.9"), "install 9.9"),
    "an unknown option": (PROJECT.replace("lang", "langs"), "entry 1: unknown option 'langs'; is it lang?"),
    "an option of the output": (PROJECT + "json = true", "entry 1: 'json' is only for command lines"),
    "a range of versions": (PROJECT.replace(__version__, ">=0.1"), "version must be a string such as"),
    "a number for a version": (PROJECT.replace(f'"{__version__}"', "1"), "version must be a string such as"),
    "standard output": (PROJECT.replace('"curve"', '"-"'), "a directory below that of efdgen.toml, not '-'"),
    "a number for a choice": (PROJECT.replace('"python"', "3"), "entry 1: Invalid value for '--lang'"),
    "a list for one value": (PROJECT.replace('"secp256k1"', '["a"]'), "curve must be text or a number"),
    "true for text": (PROJECT.replace('"secp256k1"', "true"), "curve must be text or a number"),
    "text for a flag": (FIELD + 'order = "yes"', "order must be true or false"),
    "a missing option": (PROJECT.replace('curve = "secp256k1"', ""), "give --curve, or --group"),
    "no directory": (PROJECT.replace('out = "curve"', ""), "toml:4:3: entry 1: out is missing"),
    "a directory above": (PROJECT.replace('"curve"', '"../curve"'), "a directory below that of efdgen.toml"),
    "an absolute directory": (PROJECT.replace('"curve"', '"/tmp/x"'), "a directory below that of"),
    "another command": (PROJECT + 'command = "verify"', "command must be compile or field, not 'verify'"),
    "no curve": (PROJECT.replace("secp256k1", "secp256k9"), "entry 1: "),
    "one file twice": (
        PROJECT + PROJECT.partition("\n\n")[2],
        "efdgen.toml, entry 1 produces curve/",
    ),
}


@pytest.mark.parametrize(("text", "said"), WRONG.values(), ids=WRONG)
def test_a_wrong_project_file_is_one_line(efdgen, project, text, said):
    Path("efdgen.toml").write_text(text)
    done = efdgen("generate")
    assert done.code == 2
    assert said in done.err
    assert len(done.err.splitlines()) == 1 or "did you mean" in done.err or "^" in done.err
    assert not Path("curve").exists()


def test_no_project_and_no_header_are_one_line(efdgen, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "no efdgen.toml here or above" in efdgen("generate").err
    Path("own").write_text("mine")
    assert "no file has a header by efdgen" in efdgen("regenerate", ".").err


def test_somebody_elses_file_stays(efdgen, project):
    MODULE.parent.mkdir()
    MODULE.write_text("mine\n")
    done = efdgen("generate")
    assert (done.code, MODULE.read_text()) == (2, "mine\n")
    assert not Path("curve/driver.py").exists()


def test_the_only_file_is_printed(efdgen, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = efdgen("compile", "--lang", "python", "--curve", "secp256k1", "--formulas", DOUBLING, "--out", "-")
    assert (done.code, not is_edited(done.out)) == (0, True)
    header = read_header(done.out)
    assert header is not None
    assert (header.kind, header.version, header.seal is not None) == ("compile", __version__, True)
    done = efdgen(
        *("compile", "--lang", "c", "--curve", "secp256k1", "--formulas", DOUBLING, "--lowering", "calls"),
        *("--layout", "split", "--out", "-"),
    )
    assert (done.code, done.out) == (2, "")
    assert "--out - prints one file, but these options produce several" in done.err
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--layout", "crate"], "--layout is"),
        (["--lang", "rust", "--set", "curve", "--layout", "module"], "a whole curve in Rust is a crate"),
        (["--layout", "package"], "--layout package is for whole curves"),
        (["--set", "curve", "--out", "-"], "a package has several; add --layout module"),
        (["--lang", "rust", "--out", "-"], "--out - prints one file"),
        (["--lang", "c", "--layout", "split", "--out", "-"], "--out - prints one file"),
        (["--lang", "c", "--backend", "c"], "--backend needs --lang python and --set curve"),
        (["--prefix", "1a"], "'1a' cannot name a Python module"),
        (["--prefix", "class"], "'class' cannot name a Python module"),
        (["--out", "/proc/x"], "cannot write into /proc/x"),
    ],
)
@pytest.mark.usefixtures("made_again")
def test_arguments_are_checked_before_anything_is_proved(efdgen, monkeypatch, given, said):
    """Was D11: a wrong layout, prefix or directory was told when all proofs were done."""

    def prove(*_: object) -> str:
        raise AssertionError

    monkeypatch.setattr("efdgen.verify.curve_prover.CurveProver.proof", prove)
    done = efdgen("compile", "--lang", "python", "--curve", "secp256k1", "--formulas", DOUBLING, *given)
    assert done.code == 2
    assert said in done.err


def test_what_builds_a_backend_is_there_before_anything_is_proved(efdgen, monkeypatch, tmp_path):
    """Was D11: it was missed after 20 seconds of proofs, and when six files were written."""
    monkeypatch.setitem(sys.modules, "cffi", None)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None if name == "cffi" else object())
    asked = ("--lang", "python", "--backend", "c", "--set", "curve", "--curve", "secp256k1")
    done = efdgen("compile", *asked, "--out", tmp_path / "out")
    assert (done.code, done.err) == (2, f"efdgen: --backend c needs cffi: {installing('compiled')}\n")
    assert not [*tmp_path.iterdir()]


BACKEND = ("compile", "--lang", "python", "--backend", "c", "--set", "curve", "--table", "small")


@pytest.mark.slow
def test_nothing_stays_of_a_backend_that_does_not_compile(efdgen, monkeypatch, tmp_path):
    """Was D11 too: the driver, the header, the module and what builds it stayed."""
    monkeypatch.setenv("CC", "false")
    done = efdgen(*BACKEND, "--lowering", "calls", "--curve", "secp256k1", "--out", tmp_path / "out")
    assert done.code == 2
    assert "secp256k1/_build.py failed: " in done.err
    assert done.out == ""
    assert not [*tmp_path.iterdir()]


@pytest.mark.usefixtures("cc")
def test_an_extension_is_put_beside_its_module(efdgen, monkeypatch, tmp_path):
    monkeypatch.setenv("CFLAGS", "-O0")
    asked = *BACKEND, "--lowering", "calls", "--curve", "secp256k1", "--out", tmp_path
    done = efdgen(*asked)
    assert done.code == 0, done.err
    *files, built = map(Path, done.out.splitlines())
    assert sorted(path for path in tmp_path.rglob("*") if path.is_file()) == sorted((*files, built))
    assert built.parent == tmp_path / "secp256k1"
    command = "import secp256k1 as c; print(bytes(3 * c.GENERATOR - 2 * c.GENERATOR) == bytes(c.GENERATOR))"
    run = subprocess.run(
        [sys.executable, "-c", command], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert run.stdout == "True\n"


def test_the_prefix_is_the_name_that_a_curve_file_says(efdgen, tmp_path):
    """Was D15: the name of the file."""
    shown = efdgen("curves", "show", "secp256k1")
    assert shown.code == 0
    source = Path("efd/curves/secp256k1.toml").read_text()
    (tmp_path / "good.toml").write_text(source.replace('"secp256k1"', '"My-Curve"', 1))
    done = efdgen(
        *("compile", "--lang", "python", "--curve", tmp_path / "good.toml", "--formulas", DOUBLING),
        *("--out", tmp_path / "out"),
    )
    assert done.code == 0, done.err
    assert (tmp_path / "out/my_curve.py").is_file()


def test_a_seal_is_of_the_text_without_it():
    text = "# Code generated by efdgen 1.2.3. DO NOT EDIT.\n# Command: efdgen compile --lang c\n\nx = 1\n"
    once = sealed(text)
    assert once != text
    assert sealed(once) == once
    assert not is_edited(text)
    assert not is_edited(once)
    assert is_edited(once.replace("x = 1", "x = 2"))
    assert sealed("x = 1\n") == "x = 1\n"


OWN_DOUBLING = "g1p/shortw/jacobian-0/doubling"
OWN_FILES = {
    "curve": ("my/c.toml", BUILT_IN / "curves/secp112r1.toml", "compile --lang python --curve my/c.toml"),
    "host": (
        *("my/h.toml", BUILT_IN / "hosts/libsecp256k1.toml"),
        f"compile --field-api my/h.toml --curve secp256k1 --formulas {DOUBLING}",
    ),
    "tuning": ("my/t.toml", None, "field --lang c --prime 2^61-1 --tuning my/t.toml"),
    "formula": (
        *(f"my/own/{OWN_DOUBLING}/dbl-own", BUILT_IN / OWN_DOUBLING / "dbl-2009-l"),
        "compile --lang python --curve secp256k1 --formulas jacobian-0/doubling/dbl-own --database my/own",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "source", "command"), OWN_FILES.values(), ids=OWN_FILES)
def test_files_in_a_folder_beside_the_output_are_found(name, source, command, efdgen, tmp_path, monkeypatch):
    """They were looked for in the folders above alone; of two with one name it is the one that was read."""
    choice = FieldChoice(2**61 - 1, 64, "saturated", "clang", 1.25)
    text = source.read_text() if source else tuning_text(Tuning("c", ("toycc 1, a toy",), (choice,)))
    monkeypatch.chdir(tmp_path)
    Path(name).parent.mkdir(parents=True)
    Path(name).write_text(text)
    if source and name.endswith(".toml"):
        Path("another").mkdir()
        Path("another", Path(name).name).write_text("another")
    assert efdgen(*command.split(), "--out", "made/deep").code == 0
    monkeypatch.chdir(tmp_path.parent)
    done = efdgen("regenerate", tmp_path / "made", "--check")
    assert (done.code, done.out, done.err) == (0, "", "")


@pytest.mark.parametrize("mask", [0o022, 0o077, 0o002])
def test_files_have_the_modes_that_other_programs_give_them(mask, efdgen, project):
    before = os.umask(mask)
    try:
        efdgen("generate")
        Path("other").touch()
    finally:
        os.umask(before)
    assert MODULE.stat().st_mode == Path("other").stat().st_mode
    MODULE.chmod(0o640)
    MODULE.write_text("\n" + MODULE.read_text())
    efdgen("generate")
    assert MODULE.stat().st_mode & 0o777 == 0o640


def test_line_endings_of_another_system_are_named(efdgen, project):
    """A checkout on Windows was reported as an edit."""
    efdgen("generate")
    MODULE.write_bytes(MODULE.read_bytes().replace(b"\n", b"\r\n"))
    done = efdgen("generate", "--check")
    assert (done.code, done.out) == (1, f"changed {MODULE}, its line endings\n")
