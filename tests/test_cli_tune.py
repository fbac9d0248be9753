"""`efdgen tune`: real runs, what they write is used by others, and what they refuse."""

import json
import subprocess
import tomllib

import pytest

from efdgen.generator.options import Target
from efdgen.generator.tuning.file import built_in, tuning_text
from efdgen.generator.tuning.order import Order
from efdgen.generator.tuning.tuning import OrderChoice, Tuning

FORMULA = "g1p/shortw/jacobian-0/doubling/dbl-sum"
ONE = ("tune", "--curve", "secp256k1", "--formulas", FORMULA, "--rounds", "1")


@pytest.mark.long
@pytest.mark.parametrize(
    ("language", "compiler"),
    [("c", ("--cc", "gcc", "--cflags", "-O1")), ("rust", ("--rustflags", "-Copt-level=1"))],
)
@pytest.mark.usefixtures("gcc", "cargo")
def test_what_was_measured_is_compiled_and_computes(language, compiler, efdgen, tmp_path):
    file = tmp_path / "mine.toml"
    done = efdgen(*ONE, "--lang", language, *compiler, "--out", file, "--json")
    assert done.code == 0, done.err
    assert "order of double" in done.err
    assert "\x1b" not in done.err
    found = json.loads(done.out)
    assert found["file"] == str(file)
    (row,) = found["decisions"]
    assert row["decision"] == "order of double"
    assert 20 < row["cycles_before"] < 5000
    written = tomllib.loads(file.read_text())
    assert written["language"] == language
    said = subprocess.check_output(["gcc" if language == "c" else "rustc", "--version"], text=True)
    assert written["measured"][0].startswith(said.splitlines()[0])
    assert "/" not in written["measured"][0]
    # Whatever was decided, another order is used, proved, and computes the same.
    turned = tmp_path / "turned.toml"
    turned.write_text(reordered(language))
    texts = []
    again = [("again", ("--tuning", turned))] if language == "c" else []
    for name, options in (("plain", ()), ("turned", ("--tuning", turned)), *again):
        out = tmp_path / name
        asked = ("compile", "--lang", language, "--curve", "secp256k1", "--formulas", FORMULA, *options)
        done = efdgen(*asked, "--out", out)
        assert done.code == 0, done.err
        texts.append({p.name: p.read_text() for p in sorted(out.rglob("*")) if p.is_file()})
    plain, other, *others = texts
    assert all(text == other for text in others)
    words, head = ("secp256k1.h", "secp256k1.h") if language == "c" else ("limbs64.rs", "lib.rs")
    assert body(plain[words]) != body(other[words])
    assert "--tuning turned.toml" in other[head]
    assert "Tuning: turned.toml sha256:" in other[head]
    done = efdgen("test", tmp_path / "turned")
    assert done.code == 0, done.out


def body(text: str) -> str:
    """Return a file without its first comment, in which the command stands."""
    return text.partition("#ifndef" if "#ifndef" in text else "//!")[2]


def reordered(language: str, target: Target = "portable") -> str:
    """Return a tuning by which the operations of the doubling come in another order that is one."""
    known = next(choice for choice in built_in(language).orders if choice.formula == FORMULA)
    order = Order(tuple(range(len(known.order.instructions))))
    choice = OrderChoice(known.curve, known.formula, known.program, order, target=target)
    return tuning_text(Tuning(language, ("toycc 1",), orders=(choice,)))


@pytest.mark.long
@pytest.mark.usefixtures("gcc")
def test_a_field_and_a_curve_are_tuned_as_they_are_compiled(efdgen, tmp_path):
    file = tmp_path / "mine.toml"
    common = ("--cc", "gcc", "--cflags", "-O1", "--out", file)
    done = efdgen("tune", "--prime", "2^127-1", "--operations", "mul,sqr", *common)
    assert done.code == 0, done.err
    chosen = tomllib.loads(file.read_text())
    assert [each["prime"] for each in chosen["field"]] == [f"{2**127 - 1:#x}"]
    assert "order" not in chosen
    done = efdgen(
        "field",
        "--prime",
        "2^127-1",
        "--lang",
        "c",
        "--ops",
        "mul",
        "--tuning",
        file,
        "--out",
        tmp_path / "field",
    )
    assert done.code == 0, done.err
    assert "Tuning: mine.toml" in (tmp_path / "field" / "fp.h").read_text()
    curve = ("--curve", "secp256k1", "--set", "kernels", "--operations", "double", "--rounds", "0")
    done = efdgen("tune", *curve, "--add", *common)
    assert done.code == 0, done.err
    assert "formula of double" in done.out
    both = tomllib.loads(file.read_text())
    assert len(both["field"]) == 2
    assert both["field"][0] == chosen["field"][0]
    assert both["measured"] == chosen["measured"]
    done = efdgen(
        "compile",
        "--curve",
        "P-256",
        "--formulas",
        "*/dbl-2001-b",
        "--lang",
        "c",
        "--tuning",
        file,
        "--out",
        tmp_path / "p256",
    )
    assert done.code == 2
    assert "mine.toml decides nothing here" in done.err
    assert not (tmp_path / "p256").exists()


@pytest.mark.long
@pytest.mark.usefixtures("cc", "gcc", "cargo")
def test_a_target_has_orders_of_its_own(efdgen, tmp_path):
    """The number of instructions depends on no clock; the choice is used for that target alone."""
    file = tmp_path / "mine.toml"
    fewer = ("--cc", "gcc", "--cflags", "-O2", "--by", "instructions", "--rounds", "1")
    done = efdgen(*ONE[:5], "--target", "gcc", *fewer, "--out", file, "--json")
    assert done.code == 0, done.err
    found = json.loads(done.out)
    assert found["file"] == str(file)
    (row,) = found["decisions"]
    orders = tomllib.loads(file.read_text()).get("order", [])
    assert [order["target"] for order in orders] == ["gcc"] * (row["kept"] == "rival")
    assert row["noise"] == 0
    assert "-O2, by instructions" in file.read_text()
    turned = tmp_path / "turned.toml"
    turned.write_text(reordered("c", "gcc"))
    texts = {}
    for name, options in {
        "portable": (),
        "clang": ("--target", "clang"),
        "gcc": ("--target", "gcc"),
        "turned": ("--target", "gcc", "--tuning", turned),
    }.items():
        asked = ("compile", "--lang", "c", "--curve", "secp256k1", "--formulas", FORMULA, *options)
        done = efdgen(*asked, "--out", tmp_path / name)
        assert done.code == 0, done.err
        texts[name] = (tmp_path / name / "secp256k1.h").read_text()
        assert (f"--target {options[1]}" if options else "--target") in texts[name] or not options
    assert "--target" not in texts["portable"]
    assert len({body(text) for text in texts.values()}) >= 3
    assert body(texts["turned"]) != body(texts["gcc"])
    assert efdgen("test", tmp_path / "turned").code == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--curve", "secp256k1", "--prime", "7"), "give --curve, or --prime"),
        ((), "give --curve, or --prime"),
        (("--prime", "2^255-19", "--cc", "no-such-cc"), "compiler 'no-such-cc' is not installed"),
        (("--prime", "2^255-19", "--cc", "/bin/true"), "tuning cannot be run: No such file"),
        (("--prime", "2^255-19", "--cc", "gcc", "--cflags", "--nonsense"), "gcc failed"),
        (("--prime", "2^255-19", "--lang", "rust", "--cc", "gcc"), "--cc and --cflags need --lang c"),
        (("--prime", "2^255-19", "--rustflags", "-O"), "--rustflags needs --lang rust"),
        (("--prime", "2^255-19", "--coords", "xz"), "--coords has no effect without --curve"),
        (("--prime", "2^255-19", "--operations", "div"), "cannot tune div"),
        (("--prime", "2^255-18"), "is not prime"),
        (("--curve", "secp256k1", "--set", "kernels", "--operations", "dubble"), "did you mean double"),
        (("--prime", "2^255-19", "--processor", "skylake"), "--processor needs --by simulation"),
        (("--curve", "secp256k1", "--seconds", "-1"), "--seconds and --rounds must not be negative"),
    ],
)
@pytest.mark.usefixtures("cc", "gcc")
def test_what_cannot_be_tuned_is_refused_and_nothing_is_written(arguments, message, efdgen, tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(before := tuning_text(Tuning("c", ("toycc 1",))))
    done = efdgen("tune", *arguments, "--out", file)
    assert done.code == 2
    assert message in done.err
    assert len(done.err.strip().splitlines()) == 1 or "failed" in message
    assert file.read_text() == before
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.usefixtures("gcc")
def test_a_file_that_is_no_tuning_stays(efdgen, tmp_path):
    for text in ("mine", "# Written by efdgen tune, but no more a tuning\n"):
        (tmp_path / "mine.toml").write_text(text)
        done = efdgen("tune", "--prime", "2^127-1", "--add", "--out", tmp_path / "mine.toml")
        assert done.code == 2
        assert (
            "mine.toml was not written by efdgen tune" if text == "mine" else "language is missing"
        ) in done.err
        assert (tmp_path / "mine.toml").read_text() == text


@pytest.mark.usefixtures("gcc", "llvm_mca")
def test_an_unknown_processor_is_told_before_anything_is_proved(efdgen, monkeypatch, tmp_path):
    """Was D11 too: it was told after 17 seconds."""

    def prove(*_: object) -> str:
        raise AssertionError

    monkeypatch.setattr("efdgen.verify.curve_prover.CurveProver.proof", prove)
    asked = ("--curve", "secp256k1", "--cc", "gcc", "--by", "simulation", "--processor", "nope")
    done = efdgen("tune", *asked, "--out", tmp_path / "tuning.toml")
    assert (done.code, "knows no processor 'nope'" in done.err) == (2, True)
    assert not [*tmp_path.iterdir()]
