"""Formulas in a host's calls as they are written: every built-in host, a host of the user, the command."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from host_formulas import DOUBLING, HOSTS
from host_provers import Bounds

from efdgen.generator.errors import EfdgenError
from efdgen.generator.formulas.database import Database
from efdgen.generator.hosts.compile import HostBundle, HostRequest, make_host_bundle
from efdgen.generator.hosts.file import built_in_hosts
from efdgen.generator.hosts.render import render

SQISIGN = str(Path(__file__).parent / "hosts" / "sqisign" / "curve.toml")
# A curve and a formula for each host.
EXAMPLES = {
    "arkworks": ("jubjub", "twisted/extended-1/doubling/dbl-2008-hwcd"),
    "boringssl": ("P-384", "jacobian-3/doubling/dbl-2001-b"),
    "ff": ("pallas", DOUBLING),
    "fiat-c": ("edwards25519", "twisted/extended-1/doubling/dbl-2008-hwcd"),
    "fiat-c-montgomery": ("P-256", "jacobian-3/doubling/dbl-2001-b"),
    "fiat-rust": ("curve448", "montgom/xz/ladder/mladd-1987-m"),
    "fiat-rust-montgomery": ("secp256k1", DOUBLING),
    "k256": ("secp256k1", DOUBLING),
    "libsecp256k1": ("secp256k1", DOUBLING),
    "macros": ("edwards25519", "twisted/projective/doubling/dbl-2008-bbjlp"),
    "micro-ecc": ("P-256", "jacobian/zaddu/zaddu-2007-m"),
    "modarith": ("curve25519", "montgom/xz/ladder/mladd-1987-m"),
    "sqisign": (SQISIGN, "montgom/xz/ladder/mladd-1987-m"),
    "sqisign-fp2": (SQISIGN, "montgom/xz/ladder/mladd-1987-m"),
}


def test_what_gives_single_elements_is_refused_where_points_are_returned(database: Database) -> None:
    request = HostRequest("ff", "P-256", formulas=("g1p/shortw/jacobian/zacau-xy/zacau-2011-gjmrv",))
    bundle = make_host_bundle(database, request, Bounds())
    with pytest.raises(EfdgenError, match="gives C3 by itself, and functions in ff return structures alone"):
        render(bundle)


def test_a_function_of_many_points_is_refused(database: Database) -> None:
    request = HostRequest("macros", "P-256", formulas=("g1p/shortw/jacobian/scaling-batch/scale",))
    with pytest.raises(EfdgenError, match="scale takes many points at once; ask for it with --lang instead"):
        make_host_bundle(database, request, Bounds())


def test_the_doubling_of_libsecp256k1_is_found_again(doubling: HostBundle) -> None:
    text = render(doubling)["secp256k1_formula.h"]
    assert "/* Operations: 3 mul, 4 sqr, 8 add/half/mul_int/negate */" in text
    assert "secp256k1_fe_negate(&r->y, &" in text
    assert "normalize" not in text.partition("static void")[2]
    shown = (HOSTS.parents[1] / "docs" / "dropping-in.md").read_text()
    assert text[text.index("static void") : text.index("\n#endif")].strip() in shown


@pytest.mark.drawn(5)
@pytest.mark.parametrize("name", built_in_hosts())
def test_every_host_writes_a_formula(database: Database, name: str) -> None:
    curve, formula = EXAMPLES[name]
    request = HostRequest(name, curve, formulas=(formula,), license="BSD-3-Clause")
    ((path, text),) = render(make_host_bundle(database, request, Bounds())).items()
    assert path.endswith((".h", ".rs"))
    assert "SPDX-License-Identifier: BSD-3-Clause\n" in text
    assert str(request.command).split(" --formulas")[0] in " ".join(text.split())
    assert not re.search(r"\{\w+\}", text), "a placeholder is left"
    if name == "boringssl":
        again = render(make_host_bundle(database, request, Bounds()))
        assert again == {path: text}


def test_outputs_come_where_the_host_has_them(database: Database) -> None:
    texts = {}
    for name in ("modarith", "sqisign-fp2", "micro-ecc"):
        curve, formula = EXAMPLES[name]
        (texts[name],) = render(
            make_host_bundle(database, HostRequest(name, curve, formulas=(formula,)), Bounds())
        ).values()
    assert re.search(r"modsub\(x2, z2, tmp\d\); +/\* B = X2 - Z2 \*/", texts["modarith"])
    assert re.search(r"fp2_sub\(&tmp\d, x2, z2\); +/\* B = X2 - Z2 \*/", texts["sqisign-fp2"])
    assert re.search(r"uECC_vli_modSub\(\w+, x1, x2, uECC_curve_p\(curve\)", texts["micro-ecc"])
    for text in texts.values():
        assert "no order of these calls needs fewer" in " ".join(text.split())


def test_a_field_of_the_user_is_described_by_a_file(efdgen: Callable[..., object], tmp_path: Path) -> None:
    text = (HOSTS / "macros.toml").read_text().replace("FE_", "MY_")
    (tmp_path / "mine.toml").write_text(text)
    arguments = ("--field-api", str(tmp_path / "mine.toml"), "--prefix", "my_", "--out", str(tmp_path))
    formulas = ("--curve", "edwards25519", "--formulas", "twisted/projective/doubling/dbl-2008-bbjlp")
    outcome = efdgen("compile", *arguments, *formulas)
    assert outcome.code == 0, outcome.err
    written = (tmp_path / "my.h").read_text()
    assert "static void my_double(" in written
    assert "MY_SQR(" in written
    assert str(tmp_path) not in written


def test_what_cannot_be_asked_for(efdgen: Callable[..., object]) -> None:
    start = ("compile", "--field-api", "libsecp256k1")
    for arguments, said in (
        ((*start, "--curve", "P-256"), "no field modulo"),
        ((*start, "--curve", "secp256k1", "--formulas", "jacobian-3/doubling/dbl-2001-b"), "needs a = -3"),
        ((*start, "--curve", "secp256k1", "--in-bounds", "X:4"), "--in-bounds is a list"),
        ((*start, "--curve", "secp256k1", "--layout", "split"), "need --lang"),
        ((*start, "--curve", "secp256k1", "--prefix", "a-b"), "--prefix must be the start of a name"),
        (("compile", "--field-api", "micro-ecc", "--curve", "edwards25519"), "micro-ecc has no field modulo"),
        (("compile", "--field-api", "sqisign", "--curve", "curve25519"), "sqisign has no field modulo"),
        (("compile", "--field-api", "libsecp", "--curve", "secp256k1"), "did you mean libsecp256k1"),
        (("compile", "--curve", "secp256k1"), "give --lang, or --field-api"),
    ):
        outcome = efdgen(*arguments)
        assert outcome.code == 2
        assert said in outcome.err
