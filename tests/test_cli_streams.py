"""Standard output and colours: a full disk is an error of one line, and no colour is printed unasked."""

import os
import resource
import subprocess
import sys

import click
import pytest

from efdgen.cli import COMMANDS, cli
from efdgen.generator.formulas.layers import BUILT_IN

LADDER = "g1p/montgom/xz/ladder/ladd-1987-m"
GREEN = "\x1b[32m"


def run(
    *arguments: str, stdout: int = subprocess.PIPE, **environment: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "efdgen", *arguments],
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
        check=False,
    )


@pytest.mark.parametrize(
    "arguments", [("list",), ("cost", "tables", "dbl-2009-l", "--format", "json"), ("curves",)]
)
def test_a_full_disk_is_an_error_of_one_line(arguments):
    """Was D9: a traceback."""
    with open("/dev/full", "w") as full:
        done = run(*arguments, stdout=full.fileno())
    assert (done.returncode, done.stderr) == (2, "efdgen: standard output: No space left on device\n")


@pytest.mark.parametrize(
    ("options", "environment", "green"),
    [
        ((), {}, False),  # this is no terminal
        (("--color", "always"), {}, True),
        ((), {"FORCE_COLOR": "1"}, True),
        (("--color", "never"), {"FORCE_COLOR": "1"}, False),
        ((), {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        (("--color", "always"), {"NO_COLOR": "1"}, True),
    ],
)
def test_colours_are_printed_where_they_are_wanted(options, environment, green):
    """Was D8: NO_COLOR was heeded by half of what is printed."""
    done = run("verify", LADDER, *options, **environment)
    assert done.returncode == 0
    assert (GREEN in done.stdout) is green
    assert ("\x1b[" in done.stdout) is green


@pytest.mark.parametrize(("options", "green"), [((), False), (("--color", "always"), True)])
def test_a_report_on_standard_error_is_coloured_as_on_standard_output(options, green):
    """Was D8 too: beside --json it was green in a file."""
    assert (GREEN in run("verify", LADDER, "--json", *options).stderr) is green


def test_stages_are_listed_without_a_formula(efdgen):
    """Was D13: an error told one to run a command that failed."""
    unknown = efdgen("dump", LADDER, "--after", "nope")
    assert unknown.err.rstrip().endswith("see efdgen dump --list")
    done = efdgen("dump", "--list")
    assert done.code == 0
    assert done.out.split()[:2] == ["parse", "lower"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("field", "--lang", "c", "--prime", "9" * 100_000),
        ("field", "--lang", "c", "--prime", "(" * 50_000),
        ("field", "--lang", "c", "--prime", "x" * 100_000),
        ("list", "x" * 100_000),
        ("list", "x" * 50_000 + " " + "y" * 50_000),
        ("compile", "--lang", "c", "--curve", "x" * 100_000),
        ("cost", "tables", "--weights", "x" * 100_000),
    ],
    ids=lambda arguments: f"{arguments[0]} {arguments[-1][:3]}",
)
def test_no_more_than_a_little_of_an_input_is_echoed(efdgen, arguments):
    """Was D17: a hundred thousand digits came back."""
    done = efdgen(*arguments)
    assert done.code == 2
    assert len(done.err) < 300


def test_long_lines_are_cut_around_the_place(efdgen, tmp_path):
    """Was D17 too, of texts."""
    draft = tmp_path / "draft"
    draft.write_text(f"compute X3 = {'X1 + ' * 20_000}?{' + X1' * 20_000}\n")
    done = efdgen("check", draft, "--as", "g1p/shortw/jacobian-0/doubling")
    assert len(done.err) < 600
    line, caret = done.err.splitlines()[-2:]
    assert line[caret.index("^")] == "?"


def test_a_path_is_a_file_though_it_has_no_suffix(efdgen, tmp_path, monkeypatch):
    """Was D14: './curve' was looked up as a name."""
    monkeypatch.chdir(tmp_path)
    done = efdgen("curves", "check", "./curve")
    assert done.err == "efdgen: curve: No such file or directory\n"


EVERYWHERE = {"--database", "--color", "--quiet", "-q", "--verbose", "-v", "--json", "--help"}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_takes_what_all_commands_take(name):
    words = name.split()
    while isinstance(command := subcommand(words), click.Group) and not command.invoke_without_command:
        words.append(next(iter(command.commands)))
    with click.Context(command, help_option_names=["-h", "--help"]) as context:
        known = {each for parameter in command.get_params(context) for each in parameter.opts}
    assert known >= EVERYWHERE


def subcommand(words):
    command = cli
    for word in words:
        command = command.get_command(click.Context(command), word)
    return command


def test_notes_are_said_unless_they_are_not_wanted(efdgen, tmp_path):
    asked = ("field", "--prime", "7", "--lang", "c", "--ops", "add", "--out", tmp_path)
    plain, quiet, verbose = efdgen(*asked), efdgen(*asked, "-q"), efdgen(*asked, "--verbose")
    assert plain.err.startswith("64-bit words: ")
    assert quiet.err == ""
    assert "the field's add" in verbose.err
    assert set(plain.err.splitlines()) < set(verbose.err.splitlines())
    assert plain.out == quiet.out == verbose.out
    assert efdgen(*asked).err == plain.err  # the next run has forgotten it


def test_quiet_commands_say_their_errors(efdgen):
    assert efdgen("list", "nope", "-q").err.startswith("efdgen: no formula matches 'nope'")
    assert (
        efdgen("list", "-q", "-v").err
        == "efdgen: --quiet contradicts --verbose; remove one; see efdgen list --help\n"
    )


@pytest.mark.parametrize("command", [("verify",), ("show",), ("cost", "tables"), ("list",)])
def test_a_path_is_no_selector(command, efdgen, tmp_path, monkeypatch):
    """Was D5: a file of one's own was looked for among the ids, and others of a like name were proposed."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine").write_text("compute X3 = X1\n")
    for path in ("./mine", "mine", tmp_path):
        done = efdgen(*command, path)
        assert done.code == 2
        assert "is a path, and formulas are named by ids; efdgen check proves a file" in done.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("list", "quux"), "efdgen: no formula matches 'quux'\n"),
        (
            ("compile", "--field-api", "libsecp256k1", "--curve", "M-221"),
            "it is for 0xffffffffff…fffefffffc2f of 256 bits",
        ),
        (
            ("compile", "--field-api", "libsecp256k1", "--curve", "P-256"),
            "has no field modulo 0xffffffff00…ffffffffffff of 256 bits; it is for 0xffff",
        ),
        (("compile", "--lang", "c", "--field-api", "x", "--curve", "P-256"), "not both"),
        (("compil",), "efdgen: No such command 'compil'; did you mean compile?; see efdgen --help\n"),
        (("verify", "--from", "tests"), "efdgen: tests: no formulas in this directory"),
    ],
)
def test_a_hint_is_one(arguments, said, efdgen):
    """Was D18: far-fetched words, a name among primes, and to give what was given."""
    assert said in efdgen(*arguments).err


def test_a_mark_of_byte_order_is_no_text(efdgen, tmp_path):
    """Was D18 too: Notepad's files were not TOML."""
    source = (BUILT_IN / "curves/secp256k1.toml").read_bytes()
    (tmp_path / "curve.toml").write_bytes(b"\xef\xbb\xbf" + source)
    done = efdgen("curves", "check", tmp_path / "curve.toml")
    assert (done.code, done.err) == (0, "")


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        ("field", "--prime", "7", "--lang", "python", "--out", "made"),
        ("new", "g1p/shortw/jacobian-0/doubling/dbl-x", "--in", "made"),
        ("check", "draft", "--as", "g1p/shortw/jacobian-0/doubling"),
    ],
)
def test_a_disk_that_is_full_in_the_middle_of_a_file_leaves_nothing(arguments, tmp_path):
    """A limit on the size of files stops the store: proofs are not kept, and this is reported."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

    (tmp_path / "draft").write_text("compute X3 = X1^4\ncompute Y3 = Y1\ncompute Z3 = Z1\n")
    done = subprocess.run(
        [sys.executable, "-m", "efdgen", *arguments],
        cwd=tmp_path,
        env={**os.environ, "EFDGEN_CACHE": str(tmp_path / "cache")},
        capture_output=True,
        text=True,
        preexec_fn=limit,
        check=False,
    )
    *warnings, last = done.stderr.splitlines()
    if arguments[0] == "check":
        assert (done.returncode, warnings) == (1, [])
        assert last.startswith(f"efdgen: warning: results are not cached: cannot write {tmp_path}/cache/")
    else:
        assert done.returncode == 2
        assert last.startswith("efdgen: cannot write made/")
        assert last.endswith(": File too large")
    left = [path for path in tmp_path.iterdir() if path.name not in {"draft", "cache"}]
    assert left == []


def test_closed_streams_are_no_defect():
    """Notes and progress go nowhere where standard error is closed, and results where standard output is."""
    command = f"{sys.executable} -m efdgen cost tables {LADDER} -v"
    noted = subprocess.run(f"{command} 2>&-", shell=True, capture_output=True, text=True, check=False)
    assert noted.returncode == 0
    assert noted.stdout.startswith("g1p/montgom/xz: ")
    silent = subprocess.run(f"{command} >&-", shell=True, capture_output=True, text=True, check=False)
    assert "Traceback" not in silent.stderr
