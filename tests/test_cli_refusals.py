"""Refusals come before anything is planned for long or proved."""

import random
import re
from pathlib import Path

import click
import pytest
from refusals import ProofAskedError, outcome, provers, requests

from efdgen.api import files
from efdgen.api.requests import request_of
from efdgen.commands.common import require_one_file
from efdgen.generator.errors import EfdgenError
from efdgen.generator.options import Options
from efdgen.generator.output import only_file
from efdgen.generator.routines.prefixes import taken_prefixes
from efdgen.generator.text.environment import TEMPLATES

LIBRARY = Path(files.__file__).parents[1] / "generator/routines/library"


def met_without_proofs(monkeypatch: pytest.MonkeyPatch, options: dict) -> bool:
    """Return whether a request comes to its first proof; it is refused otherwise, in one line."""
    with provers(monkeypatch, asked=True):
        try:
            said = outcome(options)
        except ProofAskedError:
            return True
    assert said
    assert "\n" not in said
    return False


@pytest.mark.slow
def test_no_request_is_refused_after_a_proof(monkeypatch: pytest.MonkeyPatch, rng: random.Random):
    """Was: --api for another curve, --second, --prefix and limbs were refused after 10 s and more."""
    drawn = rng.sample(requests(), 40)
    late = [
        (said, {name: options[name] for name in Options(**options).changed})
        for options in [each for each in drawn if met_without_proofs(monkeypatch, each)][:2]
        for said in [accepted(monkeypatch, options)]
        if said
    ]
    assert late == []


def accepted(monkeypatch: pytest.MonkeyPatch, options: dict) -> str:
    """Return the refusal of a request after its proofs; empty for none."""
    with provers(monkeypatch, asked=False):
        return outcome(options)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (
            {"lang": "rust", "curve": "secp256k1", "set": "protocols", "api": "dalek"},
            "--api dalek is",
        ),
        (
            {"lang": "rust", "curve": "secp160r1", "set": "protocols", "api": "rustcrypto"},
            "RustCrypto's traits have one size for elements and scalars; secp160r1 has two",
        ),
        (
            {"lang": "rust", "curve": "Curve25519", "set": "protocols", "api": "rustcrypto"},
            "--api rustcrypto needs a Weierstrass curve of prime order, not Curve25519; omit --api",
        ),
        ({"lang": "c", "curve": "M-221", "set": "protocols"}, "--set protocols is for "),
        (
            {"lang": "c", "curve": "secp256k1", "set": "curve", "second": "1,2"},
            "--second is not a",
        ),
        (
            {"lang": "c", "curve": "secp256k1", "set": "curve", "second": "one"},
            "--second is two",
        ),
        (
            {"lang": "c", "curve": "edwards25519", "set": "curve", "second": "0,1"},
            "--second is not of the order of the generator",
        ),
        (
            {"lang": "c", "curve": "X25519", "set": "curve", "second": "9,1"},
            "--second has no effect",
        ),
        (
            {"lang": "rust", "curve": "Curve448", "set": "curve", "odd_multiples": "co-z"},
            "--odd-multiples has no effect on Curve448",
        ),
        (
            {"lang": "rust", "curve": "P-256", "set": "curve", "prefix": "scalar"},
            "names of a whole",
        ),
        (
            {"lang": "c", "curve": "P-256", "set": "curve", "prefix": "fe"},
            "names of a whole",
        ),
        (
            {"lang": "c", "curve": "P-256", "representation": "unsaturated"},
            "this prime has no unsaturated representation",
        ),
    ],
)
def test_a_refusal_asks_for_no_proof(monkeypatch: pytest.MonkeyPatch, given: dict, said: str):
    with provers(monkeypatch, asked=True):
        assert outcome(given).startswith(said)


def test_no_variable_of_a_routine_or_template_begins_with_a_prefix():
    """With the prefix d a variable d_sign would be a function of the curve to who reads the text."""
    assert {"chain", "from", "multiply", "p", "scalar"} <= taken_prefixes()
    found = set()
    for path in (*(TEMPLATES / "c").glob("*.h.j2"), *(TEMPLATES / "c/curve").glob("*.h.j2")):
        text = re.sub(r"/\*.*?\*/|{#.*?#}", "", path.read_text(encoding="utf-8"), flags=re.S)
        text = re.sub(r"{{.*?}}|{%.*?%}", "@", text, flags=re.S)
        found |= {
            (name, path.name) for name in re.findall(r"\b(?<![@.>])([a-z]\w*_\w+) (?:[-+|&^]?=)[^=]", text)
        }
    assert not found


ONE_FILE = [
    {"lang": language, "curve": "P-256", "set": chosen, "layout": layout, "backend": backend}
    for language, layouts in (
        ("c", (None, "header", "split")),
        ("rust", (None, "crate", "module")),
        ("python", (None, "module", "package")),
    )
    for layout in layouts
    for chosen in ("kernels", "curve", "protocols")
    for backend in ((None, "c") if language == "python" and chosen != "kernels" else (None,))
    # Other refusals concern a module of a whole curve in Rust, and a package of kernels.
    if not (language == "rust" and layout == "module" and chosen != "kernels")
    and not (layout == "package" and chosen == "kernels")
]


@pytest.mark.slow
@pytest.mark.drawn(4)
@pytest.mark.parametrize("given", ONE_FILE, ids=lambda given: "-".join(map(str, given.values())))
def test_several_files_are_not_printed_and_that_is_known_before(monkeypatch: pytest.MonkeyPatch, given: dict):
    """Was: --out - with C was refused after all proofs, with advice to choose a --layout for it."""
    said = refusal(given)
    assert bool(said) is not becomes_one(monkeypatch, given)
    assert said.startswith("--out - prints one file") or not said
    if "add --layout module" in said:
        assert becomes_one(monkeypatch, given | {"layout": "module"})


def refusal(options: dict) -> str:
    """Return why the files of options are not printed; empty where they are."""
    try:
        require_one_file(False, vars(Options(**options)))
    except click.UsageError as error:
        return str(error)
    return ""


def becomes_one(monkeypatch: pytest.MonkeyPatch, options: dict) -> bool:
    """Return whether a request is met by one file, beside its drivers."""
    asked = Options(**options)
    try:
        with provers(monkeypatch, asked=False):
            only_file(files.files_of(request_of(asked, asked.changed))[1])
    except EfdgenError:
        return False
    return True
