"""Options that have no effect are refused, at once."""

import pytest

COMPILE = ("compile", "--curve", "secp256k1", "--lang")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((*COMPILE, "c", "--table", "large"), "--table has no effect without --set curve or protocols"),
        (
            (*COMPILE, "c", "--second", "zzz", "--odd-multiples", "co-z"),
            "--odd-multiples and --second have no effect without --set curve or protocols",
        ),
        ((*COMPILE, "c", "--target", "rust"), "--target rust does not compile --lang c"),
        ((*COMPILE, "rust", "--target", "gcc"), "--target gcc does not compile --lang rust"),
        ((*COMPILE, "rust", "--target", "rv32im"), "--target rv32im does not compile --lang rust"),
        ((*COMPILE, "python", "--lowering", "calls"), "--lowering has no effect for Python; remove it"),
        (
            ("field", "--prime", "2^255-19", "--lang", "rust", "--target", "gcc"),
            "--target gcc does not compile --lang rust",
        ),
        (
            ("tune", "--prime", "7", "--coords", "x", "--seed", "2"),
            "--coords and --seed have no effect without --curve",
        ),
        (
            ("dump", "dbl-2009-l", "--after", "lower", "--curve", "P-256"),
            "--curve has no effect at the stages parse and lower",
        ),
        (
            ("test", "--odd-multiples", "co-z"),
            "--odd-multiples has no effect without --set curve or protocols",
        ),
        (("list", "--weights", "S=1"), "--weights has no effect without --max-cost"),
        (
            ("field", "--prime", "2^255-19", "--lang", "c", "--ops", ""),
            "--ops names no operation; remove it for all of them",
        ),
        (
            (*COMPILE, "c", "--field-api", "nope"),
            "give --lang, or --field-api for another project's field, not both",
        ),
    ],
)
def test_an_option_without_effect_is_refused(efdgen, monkeypatch, tmp_path, arguments, said):
    """Was D7: they were ignored without a word."""
    monkeypatch.chdir(tmp_path)
    done = efdgen(*arguments)
    assert (done.code, done.err) == (2, f"efdgen: {said}\n")
    assert list(tmp_path.iterdir()) == []


def test_options_of_all_commands_may_come_before_the_command(efdgen, tmp_path):
    """Were options that the command line did not know there."""
    mine = tmp_path / "g1p/shortw/jacobian-0/doubling/mine"
    mine.parent.mkdir(parents=True)
    mine.write_text("compute X3 = X1\ncompute Y3 = Y1\ncompute Z3 = Z1\n")
    for words in (("-q", "--database", tmp_path, "list"), ("list", "-q", "--database", tmp_path)):
        assert efdgen(*words, "doubling/mine").out == "g1p/shortw/jacobian-0/doubling/mine\n"
    assert "--quiet contradicts --verbose" in efdgen("-q", "-v", "list").err


def test_a_name_of_two_formulas_is_said(efdgen, tmp_path):
    """Took both formulas of a name, silently."""
    arguments = (*COMPILE, "python", "--out", tmp_path, "--formulas")
    said = efdgen(*arguments, "madd-2004-hmv").err
    place = "g1p/shortw/jacobian"
    assert "--formulas madd-2004-hmv selects 2 formulas: " in said
    assert f"{place}-0/addition/madd-2004-hmv, {place}/addition-given-inverse/madd-2004-hmv" in said
    assert "selects" not in efdgen(*arguments, "jacobian-0/addition/madd-2004-hm*").err
