"""Built-in curves, each with every claim checked, and curve files that lie."""

import hashlib
import json
import re
from pathlib import Path

import pytest
from whole_curves import SHORTW

from efdgen import cli
from efdgen.generator.curves.affine import AffineCurve, Undefined
from efdgen.generator.curves.load import built_in_curves, checked_curve, is_curve, load_curve, path_of_curve
from efdgen.generator.errors import EfdgenError, TextError
from efdgen.generator.formulas.database import BUILT_IN, Database
from efdgen.generator.formulas.layers import over
from efdgen.generator.mathematics.prime import PrimeField

FILES = sorted((BUILT_IN / "curves").iterdir())

P25519 = 2**255 - 19

HONEST = """\
name = "honest"
aliases = ["frank"]
source = "made for this test"
model = "g1p/shortw"
prime = "2^256 - 2^32 - 977"
order = "0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141"
cofactor = 1

[parameters]
a = 0
b = 7

[generator]
x = "0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"
y = "0x483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8"
"""


def written(directory: Path, text: str, name: str = "curve.toml") -> str:
    path = directory / name
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.mark.drawn(24)
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_built_in_curves_are_what_they_claim(path: Path) -> None:
    curve = checked_curve(str(path))
    assert path.name == f"{curve.name.lower()}.toml"
    assert curve.source
    assert None not in (curve.generator, curve.order, curve.cofactor)


def test_names_and_aliases_are_unique_in_any_case() -> None:
    curves = built_in_curves()
    assert len(curves) == len(FILES)
    names = [name.lower() for curve in curves for name in (curve.name, *curve.aliases)]
    assert len(names) == len(set(names))


@pytest.mark.parametrize(
    "names",
    [
        "secp112r1 secp112r2 secp128r1 secp128r2 secp160k1 secp160r1 secp160r2 secp192k1",
        "secp192r1 secp224k1 secp224r1 secp256k1 secp256r1 secp384r1 secp521r1",
        "P-192 P-224 P-256 P-384 P-521 nistp256 prime256v1 prime192v1",
        "Curve25519 edwards25519 Ed25519 Curve448 Ed448 Ed448-Goldilocks BLS12-381 SM2",
        "K-163 B-163 K-233 B-233 K-283 B-283 K-409 B-409 K-571 B-571 sect113r1 sect131r2 sect239k1 BBE251",
        *(f"brainpoolP{bits}r1 brainpoolP{bits}t1" for bits in (160, 192, 224, 256, 320, 384, 512)),
    ],
)
def test_standard_names_are_known_in_any_case(names: str) -> None:
    known = {name for curve in built_in_curves() for name in (curve.name, *curve.aliases)}
    assert set(names.split()) <= known
    name = names.split(maxsplit=1)[0]
    assert name in {(curve := checked_curve(name.swapcase())).name, *curve.aliases}


# FIPS 186-4, appendix D.1.2: b is derived from these seeds by SHA-1.
@pytest.mark.parametrize(
    ("name", "seed"),
    [
        ("P-192", "3045AE6FC8422F64ED579528D38120EAE12196D5"),
        ("P-224", "BD71344799D5C7FCDC45B59FA3B9AB8F6A948BC5"),
        ("P-256", "C49D360886E704936A6678E1139D26B7819F7E90"),
        ("P-384", "A335926AA319A27A1D00896A6773A4827ACDAC73"),
        ("P-521", "D09E8800291CB85396CC6717393284AAA0DA64BA"),
    ],
)
def test_nist_curves_come_from_their_seeds(name: str, seed: str) -> None:
    curve = load_curve(name)
    p, b = curve.prime, curve.parameters["b"]
    assert curve.parameters["a"] == p - 3
    start, blocks = int(seed, 16), (p.bit_length() - 1) // 160
    digests = (
        hashlib.sha1(((start + i) % 2**160).to_bytes(20, "big"), usedforsecurity=False).digest()
        for i in range(blocks + 1)
    )
    top = (p.bit_length() - 1) % 160
    first = int.from_bytes(next(digests), "big") % 2**top
    c = int.from_bytes(first.to_bytes(20, "big") + b"".join(digests), "big")
    c &= ~(1 << (p.bit_length() - 1))
    assert b * b * c % p == -27 % p


def test_related_curves() -> None:
    # RFC 7748: u = (1 + y)/(1 - y), v = sqrt(-486664)·u/x takes one base point to the other.
    montgomery, edwards = load_curve("curve25519"), load_curve("ed25519")
    assert montgomery.generator is not None
    assert edwards.generator is not None
    x, y = edwards.generator["x"], edwards.generator["y"]
    u = (1 + y) * pow(1 - y, -1, P25519) % P25519
    assert u == montgomery.generator["x"] == 9
    v = montgomery.generator["y"]
    assert (v * x * pow(u, -1, P25519)) ** 2 % P25519 == -486664 % P25519
    assert montgomery.order == edwards.order == 2**252 + 27742317777372353535851937790883648493


def test_an_honest_file(tmp_path: Path) -> None:
    curve = load_curve(written(tmp_path, HONEST))
    built_in = load_curve("secp256k1")
    assert (curve.name, curve.aliases, curve.source) == ("honest", ("frank",), "made for this test")
    assert (curve.prime, curve.parameters, curve.generator) == (
        built_in.prime,
        built_in.parameters,
        built_in.generator,
    )
    assert (curve.order, curve.cofactor) == (built_in.order, 1)


def test_a_file_without_claims(tmp_path: Path) -> None:
    text = 'name = "x"\nmodel = "g1p/montgom"\nprime = "2^255 - 19"\nparameters = {a = 486662, b = "3/4"}\n'
    curve = load_curve(written(tmp_path, text))
    assert (curve.generator, curve.order, curve.cofactor, curve.source) == (None, None, None, "")
    assert curve.parameters["b"] * 4 % P25519 == 3


def test_json_says_the_same_as_toml(tmp_path: Path) -> None:
    table = {
        "name": "tiny",
        "model": "g1p/shortw",
        "prime": 13,
        "order": 17,
        "cofactor": 1,
        "parameters": {"a": 2, "b": 9},
        "generator": {"x": 0, "y": 3},
    }
    from_json = load_curve(written(tmp_path, json.dumps(table), "curve.json"))
    assert from_json == load_curve(written(tmp_path, SHORTW))
    assert from_json.parameters == {"a": 2, "b": 9}


@pytest.mark.parametrize(
    ("old", "new", "place", "reason"),
    [
        ("977", "979", (5, 1), "the prime is not prime"),
        ('"2^256 - 2^32 - 977"', "1", (5, 1), "the prime has 1 bits; it must have 2 to 640"),
        ("2^256 - 2^32 - 977", "2^641 - 1", (5, 1), "the prime has 641 bits; it must have 2 to 640"),
        ("2^256 - 2^32 - 977", "2^256", (5, 1), "the prime is even"),
        ("2^256 - 2^32 - 977", "7/2", (5, 1), "prime must be a positive integer"),
        ("2^256 - 2^32 - 977", "2^256 - q", (5, 1), "cannot read the number prime: unexpected 'q'"),
        ("2^256 - 2^32 - 977", "-7", (5, 1), "prime must be a positive integer"),
        ("b = 7", "b = 0", (9, 2), "the curve is singular"),
        ("b = 7", "b = 8", (13, 2), "the generator is not on the curve"),
        ("b = 7", 'b = "2^256"', (11, 1), "b is out of range; it must be less than p"),
        ("b = 7", "b = 7.5", (11, 1), "b must be an integer, or a string"),
        ("b = 7", "b = true", (11, 1), "b must be an integer, or a string"),
        ("b = 7", 'b = "7/(2^256 - 2^32 - 977)"', (11, 1), "the denominator of b is not invertible modulo p"),
        ("b = 7\n", "", (9, 2), "parameters must have b"),
        ("b = 7", "b = 7\nc = 1", (12, 1), "unknown key 'c'"),
        ("0x79be", "0x79bf", (13, 2), "the generator is not on the curve"),
        ("0x483a", "0xf483a", (15, 1), "y is out of range"),
        ("364141", "364143", (6, 1), "the order is not prime"),
        (
            "0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141",
            "2^255 - 19",
            (6, 1),
            "the order is wrong: order times generator is not the identity",
        ),
        ("cofactor = 1", "cofactor = 2", (7, 1), "the cofactor is wrong; by Hasse's theorem it is 1"),
        ("cofactor = 1", "cofactor = 0", (7, 1), "cofactor must be a positive integer"),
        ("cofactor", "cofacter", (7, 1), "unknown key 'cofacter'; did you mean cofactor?"),
        ("[parameters]", "[paramters]", (9, 2), "unknown key 'paramters'; did you mean parameters?"),
        ('model = "g1p/shortw"\n', "", (1, 1), "model is missing; it is one such as g1p/shortw"),
        ("g1p/shortw", "g1p/shortwe", (4, 1), "no model is called 'g1p/shortwe'; did you mean g1p/shortw"),
        ("g1p/shortw", "g12o/shortw", (5, 1), "g12o/shortw is a model over GF(2^m): give its polynomial"),
        ("prime = ", 'polynomial = "x^3 + x + 1"\nprime = ', (5, 1), "is a model over GF(p): give its prime"),
        ("g1p/shortw", "g1p/montgom", (13, 2), "the generator is not on the curve"),
        ('name = "honest"', "name = 3", (1, 1), "name must be a name of letters"),
        ('name = "honest"', 'name = "a b"', (1, 1), "name must be a name of letters"),
        ('name = "honest"\n', "", (1, 1), "name is missing"),
        ('["frank"]', '"frank"', (2, 1), "aliases must be a list of names"),
        ("made for", "made\\nfor", (3, 1), "source must be one line of text"),
        ("source = ", "source : ", (3, 8), "not TOML: Expected '='"),
        ('y = "0x48', 'y = "0x48\n', (15, 10), "not TOML"),
    ],
)
def test_files_that_lie(tmp_path: Path, old: str, new: str, place: tuple[int, int], reason: str) -> None:
    assert old in HONEST
    path = written(tmp_path, HONEST.replace(old, new, 1))
    with pytest.raises(TextError) as caught:
        load_curve(path)
    assert reason in caught.value.reason
    assert (caught.value.position.line, caught.value.position.column) == place
    assert str(caught.value).startswith(f"{path}:{place[0]}:{place[1]}: ")


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("cofactor = 1", "cofactor = 2", "the cofactor is wrong: the curve has 17 points"),
        ("order = 17", "order = 13", "the order is wrong"),
        ("order = 17\n", "", "a cofactor needs the order"),
        ("generator = {x = 0, y = 3}\n", "", "an order needs a generator"),
        ("generator = {x = 0, y = 3}", "generator = 3", "generator must be a table of names and values"),
        ("parameters = {a = 2, b = 9}\n", "", "parameters must have a and b"),
        ("prime = 13", "prime = 2", "the prime is even; GF.2.m. has models of g12o/"),
        ("a = 2, b = 9", "a = 2, b = 13", "b is out of range"),
        ("a = 2, b = 9", "a = 0, b = 0", "the curve is singular"),
    ],
)
def test_tiny_files_that_lie(tmp_path: Path, old: str, new: str, reason: str) -> None:
    assert old in SHORTW
    with pytest.raises(TextError, match=reason):
        load_curve(written(tmp_path, SHORTW.replace(old, new)))


def test_a_neutral_generator_and_an_unfit_characteristic(tmp_path: Path) -> None:
    text = 'name = "e"\nmodel = "g1p/edwards"\nprime = 13\nparameters = {c = 1, d = 2}\n'
    text += "generator = {x = 0, y = 1}\n"
    with pytest.raises(TextError, match="the generator is the identity"):
        load_curve(written(tmp_path, text))
    text = 'name = "t"\nmodel = "g1p/twistedhessian"\nprime = 3\nparameters = {a = 1, d = 1}\n'
    with pytest.raises(TextError, match="does not fit this characteristic"):
        load_curve(written(tmp_path, text))


def test_a_generator_of_order_two_and_one_whose_multiples_reach_infinity(tmp_path: Path) -> None:
    text = 'name = "e"\nmodel = "g1p/twisted"\nprime = 13\nparameters = {a = 2, d = 9}\n'
    order_two = text + "order = 2\ngenerator = {x = 0, y = -1}\n"
    assert load_curve(written(tmp_path, order_two)).order == 2
    with pytest.raises(TextError, match="the order is wrong"):
        load_curve(written(tmp_path, order_two.replace("order = 2", "order = 3")))
    # Some multiple of these points is at infinity, so the law is undefined on the way to 11·G.
    group = AffineCurve(Database().model("g1p/twisted"), PrimeField(13), {"a": 2, "d": 9})
    refused = 0
    for point in group.all_points():
        try:
            group.multiple(11, point)
        except Undefined:
            x, y = point
            with pytest.raises(TextError, match="the order is wrong"):
                load_curve(written(tmp_path, f"{text}order = 11\ngenerator = {{x = {x}, y = {y}}}\n"))
            refused += 1
    assert refused > 0


def test_an_order_too_small_to_tell_the_cofactor_by(tmp_path: Path) -> None:
    # (0, 0) has order 2 on y^2 = x^3 + x.
    text = (
        'name = "s"\nmodel = "g1p/shortw"\nprime = "2^255 - 19"\norder = 2\ncofactor = 4\n'
        "parameters = {a = 1, b = 0}\ngenerator = {x = 0, y = 0}\n"
    )
    with pytest.raises(TextError, match="too small to tell the cofactor by; leave the cofactor out"):
        load_curve(written(tmp_path, text))
    assert load_curve(written(tmp_path, text.replace("cofactor = 4\n", ""))).order == 2


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("curve.json", '{"name": "x",}', "not JSON"),
        ("curve.json", "[1, 2]", "expected an object"),
        ("curve.json", "[" * 100_000, "too deep"),
        ("curve.toml", f"prime = {'9' * 5000}", "a number too long"),
        ("curve.toml", 'name = "a', "not TOML"),
        ("curve.toml", "", "model is missing"),
    ],
)
def test_files_that_cannot_be_read(tmp_path: Path, name: str, text: str, reason: str) -> None:
    with pytest.raises(EfdgenError, match=reason):
        load_curve(written(tmp_path, text, name))


def test_files_that_are_not_there_or_not_text(tmp_path: Path) -> None:
    with pytest.raises(EfdgenError, match="No such file"):
        load_curve(str(tmp_path / "missing.toml"))
    with pytest.raises(EfdgenError, match="Is a directory"):
        load_curve(str(tmp_path))
    (tmp_path / "latin.toml").write_bytes(b'name = "\xe9"')
    with pytest.raises(EfdgenError, match="not UTF-8"):
        load_curve(str(tmp_path / "latin.toml"))


def test_unknown_names_bring_the_nearest_ones() -> None:
    with pytest.raises(EfdgenError, match="no curve is called 'secp256k2'; did you mean secp256k1"):
        load_curve("secp256k2")
    with pytest.raises(EfdgenError, match="'efdgen curves' lists"):
        load_curve("zzzzzzzzzz")


def test_the_documented_example_and_models(tmp_path: Path) -> None:
    text = (BUILT_IN.parent / "docs" / "curves.md").read_text(encoding="utf-8")
    example = text.split("```toml\n")[1].split("```")[0]
    assert load_curve(written(tmp_path, example)) == load_curve("secp256k1")
    rows = re.findall(r"^\| `(g12?[po]/\w+)` \| .* \| (.*) \| (.*) \|$", text, re.M)
    assert len(rows) == 14
    for model_id, parameters, coordinates in rows:
        model = Database().model(model_id)
        assert (", ".join(model.parameters), ", ".join(model.coordinates)) == (parameters, coordinates)


def run(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr("sys.argv", ["efdgen", *arguments])
    with pytest.raises(SystemExit) as stopped:
        cli.main()
    return stopped.value.code or 0  # type: ignore[return-value]


def test_the_list(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["curves"], monkeypatch) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(FILES)
    assert "secp256r1 256 g1p/shortw P-256, nistp256, prime256v1" in [
        " ".join(line.split()) for line in lines
    ]
    assert run(["curves", "--json"], monkeypatch) == 0
    objects = {entry["name"]: entry for entry in json.loads(capsys.readouterr().out)}
    assert objects["secp256k1"]["parameters"] == {"a": "0x0", "b": "0x7"}
    assert objects["Curve448"]["bits"] == 448


def test_one_curve(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["curves", "show", "ed25519"], monkeypatch) == 0
    facts = dict(line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines())
    assert facts["a"] == "-1"
    assert facts["prime"] == f"{P25519:#x} (255 bits)"
    assert facts["equation"] == "a*x^2 + y^2 = 1 + d*x^2*y^2"
    assert run(["curves", "show", "ed25519", "--json"], monkeypatch) == 0
    assert int(json.loads(capsys.readouterr().out)["prime"], 16) == P25519


def test_checking_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["curves", "check", written(tmp_path, HONEST)], monkeypatch) == 0
    told = capsys.readouterr().out
    assert told == (
        "honest: prime of 256 bits, not singular, generator on the curve, "
        "prime order of 256 bits, cofactor 1\n"
    )
    path = written(tmp_path, HONEST.replace("b = 7", "b = 0"))
    assert run(["curves", "check", path], monkeypatch) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(f"efdgen: {path}:9:2: the curve is singular")


SPELLINGS = (
    str.lower,
    str.upper,
    str.swapcase,
    lambda name: name.replace("-", "").replace("_", ""),
    lambda name: name.replace("-", " ").replace("_", "-"),
    lambda name: re.sub("(?<=[A-Za-z])(?=[0-9])", "-", name),
    lambda name: re.sub("(?<=[A-Za-z])(?=[0-9])", "_", name).upper(),
    lambda name: re.sub("(?<=[0-9])(?=[A-Za-z])", " ", name).lower(),
    lambda name: "-".join(name.replace("-", "")),
)


@pytest.mark.long
@pytest.mark.slow
def test_every_name_is_found_in_every_spelling_and_means_one_curve() -> None:
    """Was: only case made no difference, and P256 was not P-256."""
    curves = built_in_curves()
    names = [(curve.name, name) for curve in curves for name in (curve.name, *curve.aliases)]
    assert len(curves) >= 92
    spelled = {(spelling(name), curve) for curve, name in names for spelling in SPELLINGS}
    assert len(spelled) > 5 * len(names)
    assert len({text for text, _ in spelled}) == len(spelled)  # no spelling of two curves
    files = {curve.name: f"{curve.name.lower()}.toml" for curve in curves}
    assert {text for text, curve in spelled if path_of_curve(text).name != files[curve]} == set()


@pytest.mark.parametrize(
    ("name", "curve"),
    [
        *(
            (name, "secp256r1")
            for name in ("P256", "p256", "NIST P-256", "NIST-P256", "nist_p_256", "Secp256R1")
        ),
        *((name, "secp256k1") for name in ("k256", "K-256", "SECP256K1", "secp-256-k1")),
        *((name, "secp521r1") for name in ("P521", "NIST P-521", "secp521R1")),
        *((name, "edwards25519") for name in ("Ed-25519", "ED25519", "edwards 25519")),
        *((name, "Curve25519") for name in ("X-25519", "curve-25519")),
    ],
)
def test_names_that_users_type_are_found(name: str, curve: str) -> None:
    assert checked_curve(name).name == curve
    assert is_curve(name)


def test_an_exact_name_comes_before_another_spelling(tmp_path: Path) -> None:
    (tmp_path / "curves").mkdir()
    for name in ("one-1", "o-ne1"):
        written(
            tmp_path / "curves",
            HONEST.replace('"honest"', f'"{name}"').replace("frank", f"f{name}"),
            f"{name}.toml",
        )
    with over([tmp_path]):
        assert [checked_curve(name).name for name in ("one-1", "O-NE1")] == ["one-1", "o-ne1"]
        with pytest.raises(EfdgenError, match=r"^no curve is called 'one1'; did you mean one-1 or o-ne1"):
            checked_curve("one1")
