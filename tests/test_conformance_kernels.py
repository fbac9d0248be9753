"""Kernels in every language: published multiples of a point, requests that are refused, and faults."""

import re
from functools import cache
from random import Random

import pytest
from conformance_fields import SEED, Elements, rows
from every_kind import of_every_kind

from efdgen.generator.compile import Request, make_bundle
from efdgen.generator.errors import EfdgenError
from efdgen.generator.kernels.prover import Prover
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.generator.origin import Origin
from efdgen.generator.programs.kernel import Bundle
from efdgen.generator.render.c import bundle as c
from efdgen.generator.render.python import bundle as python
from efdgen.generator.render.rust import bundle as rust
from efdgen.generator.text.prefixes import require_prefix
from efdgen.verify.vectors.drivers import Build, Driver, build_driver

PRIME = 2**256 - 2**32 - 977
# Multiples of the generator of secp256k1, as published with the curve's test vectors.
G = (
    0x79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798,
    0x483ADA7726A3C4655DA4FBFC0E1108A8FD17B448A68554199C47D08FFB10D4B8,
)
TWICE = (
    0xC6047F9441ED7D6D3045406E95C07CD85C778E4B8CEF3CA7ABAC09B95C709EE5,
    0x1AE168FEA63DC339A3C58419466CEAEEF7F632653266D0E1236431A950CFE52A,
)
THRICE = (
    0xF9308A019258C31049344F85F89D5229B531C845836F99B08601F113BCE036F9,
    0x388F7B0F632DE8140FE337E62A37F3566500A99934C2231B6CB9FD7584B8E672,
)
MODULES = {"c": c, "rust": rust, "python": python}
NEEDS = {"c": pytest.mark.needs("cc"), "rust": pytest.mark.needs("cargo"), "python": pytest.mark.slow}
PROGRAMS = {
    "c": Build("c", "c", word=64),
    "c, split": Build("c", "c", word=32),
    "rust": Build("rust", "rust"),
    "rust, 32 bits": Build("rust", "rust", word=32),
    "rust, module": Build("rust", "rust"),
    "python": Build("python", "python"),
}
LAYOUTS = {
    "c": c.Options(),
    "c, split": c.Options("split", "calls"),
    "rust": rust.Options(),
    "rust, 32 bits": rust.Options(lowering="calls"),
    "rust, module": rust.Options("module"),
    "python": python.Options(),
}


def parameters(names) -> list[object]:
    """Return programs as parameters that ask for their tools."""
    return [pytest.param(name, marks=NEEDS[PROGRAMS[name].language]) for name in names]


@pytest.fixture(scope="module")
def bundle(database):
    """Return what makes the bundle of some kernels of secp256k1 for a language."""

    def made(language: str) -> Bundle:
        names = ("add-", "madd-", "dbl-", "tpl-", "scaling/z")
        every = of_every_kind(database, "secp256k1")
        formulas = tuple(next(each for each in every if f"/{name}" in each) for name in names)
        return make_bundle(database, Request(language, "secp256k1", "jacobian-0", formulas), Prover())

    return cache(made)


def printed(bundle, name: str) -> dict[str, str]:
    language = name.partition(",")[0]
    return MODULES[language].render(bundle(language), LAYOUTS[name])


@pytest.fixture(scope="module")
def program(bundle, tmp_path_factory):
    """Return what builds the driver of the kernels in a language."""

    def built(name: str) -> Driver:
        files = printed(bundle, name)
        if name == "rust, module":
            # A module is the only source of a crate.
            files = {**printed(bundle, "rust"), "src/lib.rs": files["secp256k1.rs"]}
        return build_driver(PROGRAMS[name], files, tmp_path_factory.mktemp("kernels"))

    return cache(built)


def point(affine: tuple[int, int], z: int | None = None) -> str:
    """Return the text of a point, or of its Jacobian coordinates for a Z."""
    x, y = affine
    numbers = (x, y) if z is None else (x * z**2 % PRIME, y * z**3 % PRIME, z)
    return " ".join(f"{number:064x}" for number in numbers)


def multiples(driver: Driver) -> list[str]:
    """Return 2G in one way and 3G in four."""
    (twice,) = driver.ask([f"double - {point(G, 5)}"])
    found = driver.ask(
        [
            f"add p1 {twice} {point(G, 7)}",
            f"add - {point(G, 5)} {point(TWICE, 7)}",
            f"add_mixed p1 {twice} {point(G)}",
            f"triple p1 {point(G, 1)}",
        ]
    )
    return driver.ask([f"normalize - {each}" for each in (twice, *found, point(THRICE, 11))])


@pytest.mark.parametrize("name", parameters(PROGRAMS))
def test_multiples_of_the_generator_of_secp256k1_are_the_published_ones(name, program):
    assert multiples(program(name)) == [point(TWICE), *[point(THRICE)] * 5]


@pytest.mark.parametrize(
    ("name", "file", "right", "wrong"),
    [
        pytest.param("c, split", "secp256k1.c", "fe_sub(", "fe_add(", marks=NEEDS["c"]),
        pytest.param("rust, 32 bits", "src/lib.rs", ".sub(", ".add(", marks=NEEDS["rust"]),
        pytest.param("python", "secp256k1.py", " - ", " + ", marks=NEEDS["python"]),
    ],
)
def test_a_step_that_is_printed_wrong_is_seen(name, file, right, wrong, bundle, tmp_path):
    files = printed(bundle, name)
    edited = re.sub(rf"{re.escape(right)}(.*H = U2 - U1)", rf"{wrong}\1", files[file])
    assert edited != files[file]
    driver = build_driver(PROGRAMS[name], {**files, file: edited}, tmp_path)
    assert point(THRICE) not in multiples(driver)[1:3]


@pytest.mark.parametrize("name", parameters(["c", "c, split", "rust", "rust, 32 bits"]))
def test_functions_of_the_field_are_what_integers_say(name, program):
    names = {"add", "sub", "neg", "half", "mul", "sqr", "inv"}
    if name.startswith("rust"):
        names |= {"set_zero", "set_one", "is_zero", "equal", "select_0", "select_1", "to_bytes_le"}
        names |= {"from_bytes_be", "from_bytes_le"}
    field, asked = Elements(PRIME), []
    for row in rows(field, sorted(names), (), Random(SEED)):
        function, *operands = row.request.split(" ")
        flag = [function[-1]] if function.startswith("select") else []
        function = function.removesuffix("_0").removesuffix("_1")
        asked.append((" ".join((f"field.{function}", "-", *flag, *operands)), row))
    answers = program(name).ask([request for request, _ in asked])
    wrong = [row for (_, row), answer in zip(asked, answers, strict=True) if not row.is_right(field, answer)]
    assert wrong == []


ONE, P = f"{1:064x}", f"{PRIME:064x}"
MALFORMED = "error: wrong number of operands, or one that is not a number below p"
REFUSED = {
    "c": {
        "": "error: no such function",
        "quadruple - 00": "error: no such function",
        "double -": MALFORMED,
        f"double - {ONE} {ONE} {P}": MALFORMED,
        f"double - {ONE} {ONE} {ONE} {ONE}": MALFORMED,
        f"double p2 {ONE} {ONE} {ONE}": "error: no such input",
        f"add_mixed p2 {ONE} {ONE} {ONE} {ONE} {ONE}": "error: types differ",
        f"field.neg b {ONE}": "error: no such input",
    },
    "rust": {
        f"field.cube - {ONE}": "error: no function is called field.cube",
        f"field.neg - {P}": "error: not below p",
        "field.neg - 1": "error: not 32 bytes in hexadecimal: 1",
        f"field.neg - +{ONE[1:]}": f"error: not 32 bytes in hexadecimal: +{ONE[1:]}",
        "field.neg -": "error: too few values",
        f"field.neg - {ONE} {ONE}": "error: too many values",
        f"field.neg b {ONE}": "error: no input is called b",
        f"field.select - 2 {ONE} {ONE}": "error: neither 0 nor 1: 2",
    },
    "python": {
        f"nothing - {ONE}": "error: no function is called nothing",
        "": "error: no function is called ",
        f"double p2 {ONE} {ONE} {ONE}": "error: no input is called p2",
        f"double - {ONE} {ONE}": "error: wrong number of coordinates",
        f"double - {ONE} {ONE} {ONE} {ONE}": "error: wrong number of coordinates",
        f"double - {ONE} {ONE} 01": "error: not a field element: 01",
        f"double - {ONE} {ONE} {P}": f"error: not a field element: {P}",
        f"double - {ONE} {ONE} zz": "error: not a field element: ",
    },
}


@pytest.mark.parametrize("name", parameters(REFUSED))
def test_drivers_say_what_is_wrong_with_a_request(name, program):
    answers = program(name).ask([*REFUSED[name]])
    for answer, reason in zip(answers, REFUSED[name].values(), strict=True):
        assert answer == reason or (reason.endswith(": ") and answer.startswith(reason))


@pytest.mark.slow
@pytest.mark.parametrize("name", LAYOUTS)
def test_text_is_the_same_each_time_and_says_where_it_is_from(name, bundle):
    files = printed(bundle, name)
    assert files == printed(bundle, name)
    assert all("Code generated by efdgen" in text for text in files.values())


@pytest.mark.parametrize("language", ["c", "rust"])
@pytest.mark.parametrize("prime", [1, 2, 2**1024 + 1, 10**6])
def test_a_modulus_that_is_even_or_of_another_size_is_refused(language, prime):
    with pytest.raises(EfdgenError, match="must be odd and have 2 to 1024 bits"):
        MODULES[language].render(of_a_field("toy", prime), LAYOUTS[language])


def of_a_field(prefix: str, prime: int) -> Bundle:
    return Bundle(prefix, PrimeField(prime), (), Origin(("efdgen", "compile")))


CRATES = ("match", "std", "subtle", "Curve", "my__curve", "curve_", "8bit", "")
PREFIXES = {
    "c": (("driver", "stdint", "String"), "h would hide another file"),
    "rust": (CRATES, "choose another prefix"),
    "rust, module": (CRATES, "choose another prefix"),
    "python": (("lambda", "driver", "random", "two words", "2d"), "choose"),
}


@pytest.mark.parametrize(
    ("name", "prefix"), [(name, prefix) for name, (prefixes, _) in PREFIXES.items() for prefix in prefixes]
)
def test_a_prefix_that_names_something_else_is_refused(name, prefix):
    render = MODULES[name.partition(",")[0]].render
    with pytest.raises(EfdgenError, match=PREFIXES[name][1]):
        require_prefix("c", prefix) if name == "c" else render(of_a_field(prefix, 13), LAYOUTS[name])
