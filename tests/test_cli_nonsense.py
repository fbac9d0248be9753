"""Nonsense is refused at once: in one line, with little of it echoed, and nothing is written."""

import os
import signal
from pathlib import Path

import pytest

HUGE = "x" * 100_000
DIGITS = "9" * 100_000
WORDS = "x y " * 20_000
PATH = "ab/" * 2_000
SNOWMAN = "☃\u202e\x1b[31m"
NUL = "a\0b"
LINES = "a\nb\nc"
PLACE = "g1p/shortw/jacobian-0/doubling"
C = ("compile", "--lang", "c", "--curve")
FIELD = ("field", "--lang", "c", "--prime")

# Each is refused; the files are those below.
NONSENSE = [
    ("nope",),
    (HUGE,),
    ("",),
    (SNOWMAN,),
    ("--nope",),
    ("list", ""),
    ("list", HUGE),
    ("list", WORDS),
    ("list", PATH),
    ("list", NUL),
    ("list", SNOWMAN),
    ("list", LINES),
    ("list", "["),
    ("list", "--year", DIGITS),
    ("list", "--kind", HUGE),
    ("list", "--max-cost", "nan"),
    ("list", "--max-cost", DIGITS),
    ("list", "--nope", HUGE),
    ("list", f"--{HUGE}"),
    ("show", ""),
    ("show", "../../etc/passwd"),
    ("show", "*"),
    ("show", "a", HUGE, WORDS),
    ("show", "dbl-2009-l", "--effort", "0"),
    ("show", "dbl-2009-l", "--effort", HUGE),
    ("show", "dbl-2009-l", "--effort", "1.5"),
    ("verify", "--jobs", "-1"),
    ("verify", "--from", "missing"),
    ("verify", "--from", "file"),
    ("verify", "--models", HUGE),
    ("check", "missing", "--as", PLACE),
    ("check", "folder", "--as", PLACE),
    ("check", "file"),
    ("check", "file", "--as", ""),
    ("check", "file", "--as", HUGE),
    ("check", "file", "--as", "../.."),
    ("check", "binary", "--as", PLACE),
    ("check", "empty", "--as", PLACE),
    ("check", "marked", "--as", PLACE),
    ("check", NUL, "--as", PLACE),
    ("check", "-", "--as", PLACE, "--watch"),
    ("new", ""),
    ("new", "/"),
    ("new", HUGE),
    ("new", f"{PLACE}/../../x"),
    ("new", f"{PLACE}/{SNOWMAN}"),
    ("new", f"{PLACE}/dbl-x", "--in", "file"),
    ("diff", "dbl-2009-l", ""),
    ("diff", "dbl-2009-l"),
    ("graph", "dbl-2009-l", "--format", HUGE),
    ("dump", "dbl-2009-l", "--after", HUGE),
    ("dump", "--list", "dbl-2009-l"),
    ("dump",),
    ("cost", "tables", "--weights", "S="),
    ("cost", "tables", "--weights", f"S={DIGITS}x"),
    ("cost", "tables", "dbl-2009-l", "--weights", f"{HUGE}=1"),
    ("cost", "tables", "--from", "file"),
    ("cost", "totals", "--bits", "0"),
    ("cost", "totals", "--bits", "ten"),
    ("cost", "totals", "x"),
    ("curves", "show", ""),
    ("curves", "show", HUGE),
    ("curves", "check", "folder"),
    ("curves", "check", "./missing.toml"),
    ("curves", "check", "./binary"),
    ("curves", "check", "./marked"),
    ("curves", "check", NUL),
    (*C, "", "--prefix", "x"),
    (*C, "folder"),
    (*C, NUL),
    (*C, "secp256k1", "--prefix", ""),
    ("compile", "--lang", "python", "--curve", "secp256k1", "--prefix", "class"),
    ("compile", "--lang", "rust", "--curve", "secp256k1", "--prefix", "fn"),
    (*C, "secp256k1", "--prefix", SNOWMAN),
    (*C, "secp256k1", "--prefix", HUGE),
    (*C, "secp256k1", "--layout", HUGE),
    (*C, "secp256k1", "--layout", "crate"),
    (*C, "secp256k1", "--out", "file"),
    (*C, "secp256k1", "--out", "file/below"),
    (*C, "secp256k1", "--out", NUL),
    (*C, "secp256k1", "--tuning", "missing"),
    (*C, "secp256k1", "--tuning", "binary"),
    (*C, "secp256k1", "--coords", HUGE),
    (*C, "secp256k1", "--formulas", HUGE),
    (*C, "secp256k1", "--weights", HUGE),
    (*C, "secp256k1", "--in-bounds", "X=1"),
    (*C, "secp256k1", "--backend", "c"),
    (*C, "secp256k1", "--to", HUGE),
    ("compile", "--field-api", HUGE, "--curve", "secp256k1"),
    ("compile", "--field-api", "folder", "--curve", "secp256k1"),
    ("compile", "--curve", "secp256k1"),
    (*FIELD, ""),
    (*FIELD, "0"),
    (*FIELD, "-7"),
    (*FIELD, "1/0"),
    (*FIELD, "9^9^9^9"),
    (*FIELD, "__import__('os')"),
    (*FIELD, DIGITS),
    (*FIELD, "7", "--curve", "secp256k1"),
    (*FIELD, "7", "--order"),
    (*FIELD, "7", "--ops", HUGE),
    (*FIELD, "7", "--nonresidue", "3"),
    (*FIELD, "7", "--degree", "2", "--nonresidue", "1"),
    (*FIELD, "7", "--out", "file"),
    ("generate",),
    ("generate", "--project", "missing"),
    ("generate", "--project", "folder"),
    ("generate", "--project", "binary"),
    ("generate", "--project", "marked"),
    ("generate", "--project", "nul.toml"),
    ("regenerate", "folder"),
    ("regenerate", "missing"),
    ("regenerate", "file"),
    ("plan", "--curve", HUGE),
    ("plan", "--curve", "secp256k1", "--operation", HUGE),
    ("plan", "--curve", "secp256k1", "--coords", SNOWMAN),
    ("test", "missing"),
    ("test", "folder"),
    ("test", "--curve", HUGE),
    ("test", "--seed", "x"),
    ("test", "--word", "64"),
    ("test", "--compiler", "gcc"),
    ("test", "--all", "--curve", "secp256k1"),
    ("bench", "--curve", "secp256k1", "--rounds", "0"),
    ("bench", "--curve", "secp256k1", "--lang", HUGE),
    ("bench", "--curve", "secp256k1", "--markdown", "folder"),
    ("bench", "--curve", "secp256k1", "--plot", "file"),
    ("plot", "missing"),
    ("plot", "folder"),
    ("plot", "file"),
    ("plot", "binary"),
    ("plot", "empty"),
    ("tune",),
    ("tune", "--prime", "7", "--curve", "secp256k1"),
    ("tune", "--prime", "7", "--out", "folder"),
    ("tune", "--prime", "7", "--seconds", "-1"),
    ("tune", "--prime", "7", "--seconds", "nan"),
    ("tune", "--prime", "7", "--processor", "x"),
    ("tune", "--prime", "7", "--cc", HUGE),
    ("import", "file"),
    ("import", "folder"),
    ("import", "missing"),
    ("list", "--database", "file"),
    ("list", "--database", "missing"),
    ("list", "--color", "sometimes"),
    ("list", "--json=no"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with files of the wrong kinds."""
    root = tmp_path_factory.mktemp("nonsense")
    (root / "folder").mkdir()
    (root / "file").write_text("nonsense\n")
    (root / "empty").write_text("")
    (root / "binary").write_bytes(bytes(range(256)))
    (root / "marked").write_bytes(b"\xef\xbb\xbf" + b"nonsense " * 30_000)
    (root / "nul.toml").write_text('[[generate]]\nlang = "c"\ncurve = "a\\u0000b"\nout = "out"\n')
    return root


@pytest.mark.parametrize("arguments", NONSENSE, ids=lambda arguments: repr(" ".join(arguments))[:50])
def test_nonsense_is_refused(arguments, efdgen, folder, monkeypatch):
    monkeypatch.chdir(folder)
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    before = [*os.walk(folder)]
    signal.alarm(60)
    try:
        done = efdgen(*arguments)
    finally:
        signal.alarm(0)
    assert done.code in {1, 2}
    assert done.out == ""
    first, *rest = done.err.splitlines()
    assert first.startswith("efdgen: ")
    assert len(rest) in {0, 2}, rest  # the line of a text, and a caret
    assert "Traceback" not in done.err
    assert not {"\x1b", "\0", "\u202e"} & set(done.err)
    assert len(done.err) < 900
    for text in (HUGE, DIGITS, WORDS, PATH, "nonsense " * 30):
        assert text[:61] not in done.err
    assert [*os.walk(folder)] == before
