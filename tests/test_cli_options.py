"""Options that have no effect are refused, at once."""

import pytest

COMPILE = ("compile", "--curve", "secp256k1", "--lang")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((*COMPILE, "c", "--table", "large"), "--table goes with --set curve or protocols"),
        (
            (*COMPILE, "c", "--second", "zzz", "--odd-multiples", "co-z"),
            "--odd-multiples and --second go with --set curve or protocols",
        ),
        ((*COMPILE, "c", "--target", "rust"), "--target rust is no compiler of --lang c"),
        ((*COMPILE, "rust", "--target", "gcc"), "--target gcc is no compiler of --lang rust"),
        ((*COMPILE, "python", "--lowering", "calls"), "--lowering goes with words, and Python has integers"),
        (
            ("field", "--prime", "2^255-19", "--lang", "rust", "--target", "gcc"),
            "--target gcc is no compiler of --lang rust",
        ),
        (("tune", "--prime", "7", "--coords", "x", "--seed", "2"), "--coords and --seed go with --curve"),
        (
            ("dump", "dbl-2009-l", "--after", "lower", "--curve", "P-256"),
            "--curve goes with a stage after lower",
        ),
        (("test", "--odd-multiples", "co-z"), "--odd-multiples goes with --set curve or protocols"),
        (("list", "--weights", "S=1"), "--weights goes with --max-cost"),
        (
            ("field", "--prime", "2^255-19", "--lang", "c", "--ops", ""),
            "--ops names no operation; leave it out for all of them",
        ),
        (
            (*COMPILE, "c", "--field-api", "nope"),
            "give --lang, or --field-api for functions in another project's field, not both",
        ),
    ],
)
def test_an_option_without_effect_is_refused(efdgen, monkeypatch, tmp_path, arguments, said):
    """Was D7: they were ignored without a word."""
    monkeypatch.chdir(tmp_path)
    done = efdgen(*arguments)
    assert (done.code, done.err) == (2, f"efdgen: {said}\n")
    assert list(tmp_path.iterdir()) == []
