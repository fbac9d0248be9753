"""Whole curves over a host's field: on the vectors, on the host itself, and read back."""

from __future__ import annotations

import re
from contextlib import nullcontext
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from collected import Collected
from host_packages import C_HOSTS, libsecp256k1_sources
from host_provers import Bounds
from tools import SANITIZERS

from efdgen.generator.errors import EfdgenError
from efdgen.generator.fields.printed import Printed
from efdgen.generator.formulas.database import Database
from efdgen.generator.hosts.compile import HostRequest
from efdgen.generator.hosts.curve import HostCurve, make_host_curve
from efdgen.generator.hosts.operation import field_operations
from efdgen.generator.render.c.host_curve import render_driver, render_host_curve
from efdgen.verify.hosts.packages import crate_sources, run_tool
from efdgen.verify.plan_proofs import SafePlans
from efdgen.verify.readback.host_curves import differences, require_operation
from efdgen.verify.vectors.drivers import Driver
from efdgen.verify.vectors.whole_subjects import whole_curve
from efdgen.verify.vectors.whole_suite import WholeSuite

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from efdgen.generator.fields.claims import Claim
    from efdgen.generator.hosts.operation import Operation
    from efdgen.generator.programs.program import Program

ROOT = Path(__file__).parents[1]
HOSTS = ROOT / "tests" / "hosts"
PLAIN, CALL = str(HOSTS / "plain32.toml"), str(HOSTS / "call32.toml")
ZKVM = str(ROOT / "examples" / "zkvm" / "zkvm.toml")
# The names of the example's own field begin with its prefix.
PREFIXES = {ZKVM: "ed_"}
WORDS = [(PLAIN, "edwards25519"), (PLAIN, "P-256"), (CALL, "edwards25519")]
NAMES = ["words, edwards25519", "words, P-256", "calls, edwards25519"]
STRICT = ("-Wall", "-Wextra", "-pedantic", "-Wno-unused-function", "-Werror")
# Only the last of the included files of micro-ecc and libsecp256k1 is theirs to compile.
MICRO_ECC = "#define uECC_ENABLE_VLI_API 1\n#include <uECC.c>\n"
LIBSECP256K1 = (HOSTS / "libsecp256k1.c").read_text().partition('#include "secp256k1_formula.h"')[0]


class SafeOperations(SafePlans, Bounds):
    """Proofs of everything except formulas."""

    def require_operation(self, operation: Operation, program: Program) -> None:
        require_operation(operation, program)


@cache
def made(host: str, curve: str) -> HostCurve:
    request = HostRequest(host, curve, prefix=PREFIXES.get(host), set="curve")
    return make_host_curve(Database(), request, SafeOperations())


@cache
def printed(host: str, curve: str) -> tuple[dict[str, str], tuple[Printed | Claim, ...]]:
    """A curve's files, and what was announced of them."""
    claims = Collected()
    return render_host_curve(made(host, curve), claims), tuple(claims.every)


def answers(
    host: str, curve: str, folder: Path, cc: str, flags: Sequence[str], before: str = ""
) -> tuple[WholeSuite, list[str]]:
    """Return the questions to a curve, and what the functions answer that are emitted, or in the folder."""
    for name, text in printed(host, curve)[0].items():
        if not (folder / name).exists():
            (folder / name).write_text(text)
    (folder / "driver.c").write_text(before + render_driver(made(host, curve)))
    run_tool([cc, "-std=c99", "-O1", *flags, f"-I{HOSTS}", "-I.", "-o", "driver", "driver.c"], folder)
    suite = WholeSuite(whole_curve(made(host, curve).plan, Database()), 1)
    return suite, Driver("c", (str(folder / "driver"),)).ask(suite.requests("c"))


def require_right(suite: WholeSuite, given: list[str]) -> None:
    results = suite.judge({"c": given})
    assert {"multiply", "multiply_generator", "double_multiply_var", "encode", "decode"} <= {
        result.function for result in results
    }
    for result in results:
        assert result.ok, (result.function, result.failures)


@pytest.mark.long
@pytest.mark.drawn(1)
@pytest.mark.parametrize(("host", "curve"), WORDS, ids=NAMES)
def test_a_curve_passes_the_vectors_over_a_field_of_words(
    host: str, curve: str, cc: str, tmp_path: Path
) -> None:
    require_right(*answers(host, curve, tmp_path, cc, (*STRICT, *SANITIZERS)))


@pytest.mark.long
@pytest.mark.slow
def test_sums_that_cost_more_than_products_choose_halved_coordinates() -> None:
    systems = {PLAIN: "extended-1", CALL: "halved-extended", ZKVM: "halved-extended"}
    for host, system in systems.items():
        assert made(host, "edwards25519").plan.representation.system == f"g1p/twisted/{system}"


@pytest.mark.long
@pytest.mark.drawn(1)
@pytest.mark.parametrize("lies", [(), ("-DCALL32_LIES",)], ids=["honest", "lies"])
def test_a_curve_passes_the_vectors_over_the_field_of_the_example(
    lies: tuple[str, ...], cc: str, tmp_path: Path
) -> None:
    flags = (*SANITIZERS, *lies, f"-I{ROOT / 'examples' / 'zkvm' / 'guest'}")
    with pytest.raises(EfdgenError, match="driver failed with status 9") if lies else nullcontext():
        require_right(*answers(ZKVM, "edwards25519", tmp_path, cc, flags, '#include "zkvm.h"\n'))


def test_a_curve_stops_where_calls_are_answered_with_numbers_above_the_prime(cc: str, tmp_path: Path) -> None:
    with pytest.raises(EfdgenError, match="driver failed with status 9"):
        answers(CALL, "edwards25519", tmp_path, cc, (*STRICT, "-DCALL32_LIES"))


@pytest.mark.long
@pytest.mark.usefixtures("cargo")
def test_a_curve_of_a_command_passes_the_vectors_over_micro_ecc(
    cc: str, efdgen: Callable[..., object], tmp_path: Path
) -> None:
    pages = (ROOT / "docs" / "dropping-in.md").read_text()
    (shown,) = re.findall(r"^    efdgen (compile --field-api micro-ecc .*) --out src$", pages, re.M)
    outcome = efdgen(*shown.split(), "--out", str(tmp_path))
    assert outcome.code == 0, outcome.err
    sources = crate_sources(C_HOSTS, ROOT / "build" / "hosts" / "c") / "micro-ecc-sys" / "micro-ecc"
    require_right(*answers("micro-ecc", "P-256", tmp_path, cc, ("-w", f"-I{sources}"), MICRO_ECC))


@pytest.mark.long
@pytest.mark.usefixtures("cargo")
@pytest.mark.drawn(1)
@pytest.mark.parametrize("checked", [(), ("-DVERIFY",)], ids=["plain", "checked"])
def test_a_curve_passes_the_vectors_over_libsecp256k1(
    checked: tuple[str, ...], cc: str, tmp_path: Path
) -> None:
    sources = libsecp256k1_sources(ROOT / "build" / "hosts") / "src"
    flags = ("-w", *checked, f"-I{sources}")
    suite, given = answers("libsecp256k1", "secp256k1", tmp_path, cc, flags, LIBSECP256K1)
    # The checks keep magnitudes beside elements, and equal elements may have others.
    same = [text.removeprefix("changed by aliasing ") if checked else text for text in given]
    require_right(suite, same)


@pytest.mark.slow
def test_formulas_over_libsecp256k1_restore_no_magnitude_where_none_is_too_large() -> None:
    bundle = made("libsecp256k1", "secp256k1").kernels
    functions = {function.kernel.name: function for function in bundle.functions}
    for name in ("double", "add_mixed"):
        called = [line.operation.name for line in functions[name].placed.lines]
        assert "mul" in called
        assert "normalize_weak" not in called


def lines_of(host: str, curve: str, edit: Callable[[str], str]) -> list[str]:
    """Return the names of functions and constants that differ after an edit of the file."""
    files, expected = printed(host, curve)
    ((name, text),) = files.items()
    changed = edit(text)
    return [found for found, _ in differences(made(host, curve), {name: changed}, expected)]


@pytest.mark.slow
@pytest.mark.parametrize(("host", "curve"), WORDS, ids=NAMES)
def test_what_is_printed_is_what_was_proved(host: str, curve: str) -> None:
    assert lines_of(host, curve, lambda text: text) == []


EDITS = {
    "an operation": (r"(void plain_fe_sub\(.*?plain32_)sub(?=\()", r"\1add", "sub"),
    "operands": (r"(void plain_fe_sub\(.*?plain32_sub\(r->v, )a->v, b->v", r"\1b->v, a->v", "sub"),
    "a call of a formula": (r"(void plain_extended_1_double\(.*?plain32_)add(?=\()", r"\1sub", "double"),
    "a coordinate": (r"(void plain_extended_1_add_niels\(.*?&?)b->S\.v", r"\1b->D.v", "add_niels"),
    "a table": (r"(plain_comb_table\[.*?0x)(.)", r"\g<1>7", "plain_comb_table"),
    "the generator": (r"(PLAIN_GENERATOR = .*?0x)(.)", r"\g<1>7", "PLAIN_GENERATOR"),
    "a constant": (r"(plain_constant_d = .*?0x)(.)", r"\g<1>7", "plain_constant_d"),
    "a constant of a formula": (r"(_k_constant = .*?0x)(.)", r"\g<1>7", "plain_extended_1_k_constant"),
    "a root of unity": (r"(plain_root_of_unity = .*?0x)(.)", r"\g<1>7", "plain_root_of_unity"),
    "an inversion": (r"(void plain_fe_inv\(.*?plain_chain_step\(.*?, )(\d+)(?=, )", r"\g<1>3", "fe_inv"),
    "a root": (r"(int plain_fe_sqrt_ratio_z\(.*?plain_fe_)mul", r"\1add", "fe_sqrt_ratio_z"),
    "a chain's step": (r"(void plain_chain_step\(.*?_mul\(r, &power, )b", r"\1a", "chain_step"),
    "a comb": (r"(plain_multiply_by_comb\(.*?_times\(&sum, )1", r"\g<1>2", "multiply_by_comb"),
    "a macro": (r"(#define PLAIN_FE_BITS 255)", r"\1\n#define plain_fe_mul plain_fe_add", "plain"),
}


@pytest.mark.slow
@pytest.mark.parametrize(("pattern", "other", "name"), EDITS.values(), ids=EDITS)
def test_an_edit_of_a_curve_is_found(pattern: str, other: str, name: str) -> None:
    def edit(text: str) -> str:
        changed = re.sub(pattern, other, text, count=1, flags=re.S)
        assert changed != text
        return changed

    assert name in lines_of(PLAIN, "edwards25519", edit)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("pattern", "other"),
    [
        (r"&b_copy\);", "b);"),
        (r"_apart\(r, a, &b_copy\)", "_apart(r, &b_copy, a)"),
        (r"_copy = \*b;", "_copy = *a;"),
    ],
    ids=["no copy", "another order", "another copy"],
)
def test_inputs_that_may_be_one_object_are_copied(pattern: str, other: str) -> None:
    def edit(text: str) -> str:
        within = rf"(void secp256k1_formula_fe_mul\([^}}]*?){pattern}"
        changed = re.sub(within, rf"\g<1>{other}", text, count=1)
        assert changed != text
        return changed

    assert lines_of("libsecp256k1", "secp256k1", edit) == ["secp256k1_formula_fe_mul"]


def test_an_operation_is_no_other() -> None:
    add, sub, *_ = field_operations(inverts=False)
    require_operation(add, add.program)
    with pytest.raises(EfdgenError, match="calls of sub compute something else"):
        require_operation(sub, add.program)


@pytest.mark.slow
@pytest.mark.long
def test_a_command_proves_and_writes_a_curve(efdgen: Callable[..., object], tmp_path: Path) -> None:
    words = ("--field-api", PLAIN, "--curve", "edwards25519", "--set", "curve", "--table", "small")
    outcome = efdgen("compile", *words, "--prefix", "mine_", "--license", "0BSD", "--out", str(tmp_path))
    assert outcome.code == 0, outcome.err
    text = (tmp_path / "mine.h").read_text()
    command = "--curve edwards25519 --prefix mine_ --license 0BSD --set curve --table small"
    assert f"--field-api plain32.toml {command}" in " ".join(text.replace("\n *", " ").split())
    assert "mine_double_multiply_var(" in text
    assert "Proof:     the laws of addition of two points, for every odd p" in text
    assert text.startswith("/* SPDX-License-Identifier: 0BSD\n")
    assert str(tmp_path) not in text


@pytest.mark.slow
def test_what_whole_curves_cannot_have(efdgen: Callable[..., object], tmp_path: Path) -> None:
    text = Path(PLAIN).read_text()

    def host(name: str, pattern: str, other: str) -> str:
        changed = re.sub(pattern, other, text, count=1)
        assert changed != text
        (tmp_path / f"{name}.toml").write_text(changed)
        return str(tmp_path / f"{name}.toml")

    curve = ("--curve", "edwards25519", "--set", "curve")
    for arguments, said in (
        (("macros", *curve), "macros has no [element], which --set curve needs"),
        (("fiat-rust", *curve), "--set curve needs a field in C, and fiat-rust is in Rust"),
        ((PLAIN, "--curve", "curve25519", "--set", "curve"), "no ladders"),
        ((PLAIN, "--curve", "edwards25519", "--set", "protocols"), "--set protocols needs --lang"),
        ((PLAIN, *curve, "--in-bounds", "X=1"), "--in-bounds and --out-bounds have no effect"),
        ((PLAIN, "--curve", "edwards25519", "--table", "small"), "--table has no effect without --set curve"),
        ((host("unread", "read = .*", ""), *curve), "read is missing"),
        ((host("unwritten", r"plain32_write\(\{bytes\}", "plain32_write(0"), *curve), "must name {bytes}"),
        ((host("ordered", 'order = "little"', 'order = "any"'), *curve), "order must be big or little"),
        ((host("unknown", "zero|array =", "arrays ="), *curve), "arrays"),
        ((host("context", r"(?m)^\[style\]$", '[style]\nextra = "int x"'), *curve), "in element.begin"),
        ((host("unsubtracted", r"(?m)^sub = .*$", ""), *curve), "needs more than mul, add, copy"),
    ):
        outcome = efdgen("compile", "--field-api", *arguments)
        assert outcome.code == 2
        assert said in outcome.err, outcome.err
