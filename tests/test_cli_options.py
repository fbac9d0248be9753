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
        ((*COMPILE, "python", "--lowering", "calls"), "--lowering has no effect for Python"),
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
