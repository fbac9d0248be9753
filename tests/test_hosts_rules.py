"""The rules of host files against the hosts themselves: checks that they run, types that they declare."""

from pathlib import Path

import pytest
from host_formulas import HOSTS, SECP256K1
from host_packages import C_HOSTS, libsecp256k1_sources
from host_rules import declared, rule_faults

from efdgen.generator.curves.load import load_curve
from efdgen.generator.hosts.file import load_host
from efdgen.generator.hosts.host import Host
from efdgen.verify.hosts.packages import crate_sources

BUILD = Path(__file__).parents[1] / "build" / "hosts"
LIBSECP256K1 = (HOSTS / "libsecp256k1.toml").read_text()


@pytest.fixture(scope="module")
def sources(cargo: str) -> Path:
    return libsecp256k1_sources(BUILD) / "src"


def edited(folder: Path, right: str, wrong: str) -> Host:
    assert LIBSECP256K1.count(right) == 1
    path = folder / "libsecp256k1.toml"
    path.write_text(LIBSECP256K1.replace(right, wrong))
    return load_host(str(path), SECP256K1.field)


def test_libsecp256k1_allows_what_its_file_says_and_nothing_else(libsecp256k1, sources, cc, tmp_path):
    assert rule_faults(libsecp256k1, sources, tmp_path, cc) == []


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ('needs = ["a <= 8", "b <= 8"]', 'needs = ["a <= 8", "b <= 9"]'),
        ('{r}, {a});", needs = ["a <= 8"]', '{r}, {a});", needs = ["a <= 7"]'),
        ('"a + b <= 32"', '"a + b <= 31"'),
        ('gives = "a + b"', 'gives = "a + b + 1"'),
        ('"r b", "a b"', '"a b"'),
        ('"k*a <= 32"', '"k*a <= 31"'),
        ('gives = "a/2 + 1"', 'gives = "a/2"'),
        ("{r}, {a}, {bound_a}", "{r}, {a}, 8"),
    ],
)
def test_a_rule_that_is_not_the_hosts_is_seen(right, wrong, sources, cc, tmp_path):
    assert rule_faults(edited(tmp_path, right, wrong), sources, tmp_path, cc) != []


@pytest.mark.parametrize(("host", "curve"), [("fiat-c", "edwards25519")])
def test_bounds_are_the_types_that_fiat_crypto_declares(host, curve, cargo):
    folder = crate_sources(C_HOSTS, BUILD / "c") / "boring-sys/deps/boringssl/third_party/fiat"
    found = load_host(host, load_curve(curve).field)
    types = declared((folder / "curve25519_64.h").read_text(), "fiat_25519")
    checked = 0
    for operation in (*found.operations.values(), *found.restores):
        name = operation.code.partition("(")[0].removeprefix("fiat_25519_")
        if name not in types:
            assert operation.name == "copy"
            continue
        result, *operands = types[name]
        for bounds in ([1] * len(operands), [2] * len(operands), [1, 2][: len(operands)]):
            allowed = all(
                condition.at(dict(zip("ab", bounds, strict=False))) for condition in operation.needs
            )
            assert allowed == all(bound <= limit for bound, limit in zip(bounds, operands, strict=True)), name
        assert operation.gives[0].at({"a": 1, "b": 1, "k": 0}) == result
        checked += 1
    assert checked >= 6
