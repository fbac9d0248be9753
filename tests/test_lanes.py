"""Several points at once on IFMA: proofs for every prime, and texts in C and Rust on a model of it."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

import lane_drivers
import lane_machines
import pytest
from conformance import NEEDS
from lane_machines import ENCODED, WIDE

from efdgen.generator.compile import Request, make_lane_bundle
from efdgen.generator.curves.load import built_in_curves
from efdgen.generator.errors import EfdgenError
from efdgen.generator.fields.printed import FileText
from efdgen.generator.formulas.database import Database
from efdgen.generator.kernels.prover import Prover
from efdgen.generator.lanes.functions import field_functions
from efdgen.generator.lanes.instructions import MACHINES
from efdgen.generator.lanes.plan import lane_plan
from efdgen.generator.limbs.halves import HalfMul
from efdgen.generator.limbs.interpreter import LostError, run
from efdgen.generator.limbs.operations import (
    And,
    Constant,
    Funnel,
    FusedHigh,
    FusedLow,
    Mul,
    ShiftRight,
    Word,
)
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.generator.mathematics.primes import next_prime
from efdgen.generator.programs.interpreter import run as run_program
from efdgen.verify.limbs.prove import prove_contract
from efdgen.verify.readback.read import Readback
from efdgen.verify.verdicts import Refuted

PROGRAMS = WIDE, ENCODED
"""Machines whose programs differ."""

CURVES = ("edwards25519", "secp256k1", "P-256", "P-384", "Ed448", "BLS12-381")
LANGUAGES = ("c", "rust")


@cache
def bundle(curve, language, machine=WIDE):
    return make_lane_bundle(Database(), Request(language, curve, machine=machine), Prover())


@cache
def primes():
    """Return the primes and the orders of all curves."""
    curves = [curve for curve in built_in_curves() if not curve.field.is_binary]
    orders = {curve.order for curve in built_in_curves() if curve.order}
    return sorted({curve.prime for curve in curves} | orders)


def inputs_of(number, rng):
    """Return limbs of a number: random ones, and the smallest and the largest."""
    return [rng.choice((0, limit, rng.randrange(limit + 1))) for limit in number.limits]


def whole(words, positions):
    return sum(word << at for word, at in zip(words, positions, strict=True))


def own_prime(rng):
    """Return a random prime of 60 to 700 bits."""
    bits = rng.randrange(60, 700)
    return next_prime(rng.randrange(1 << bits - 1, 1 << bits))


@pytest.mark.parametrize("machine", PROGRAMS)
def test_every_prime_has_proved_functions(machine, rng, few):
    for prime in [*few(rng, primes(), 8), *(own_prime(rng) for _ in range(4))]:
        plan = lane_plan(prime, machine)
        for function in field_functions(plan):
            operation = function.operation
            prove_contract(operation.program, operation.contract)
            require_right(replace(operation, name=function.name), plan, rng)


def require_right(operation, plan, rng):
    """Compare a function with integers, on what it may take."""
    program, radix, prime = operation.program, plan.reduction.radix, plan.prime
    for _ in range(12):
        taken, values = {}, {}
        for index in program.inputs:
            number = program.numbers[index]
            if number.limits:
                taken[number.name] = inputs_of(number, rng)
                stored = whole(taken[number.name], number.positions)
                values[number.name] = stored * pow(radix, -1, prime) % prime
            else:
                values[number.name] = rng.choice((0, 1, prime - 1, prime, number.maximum))
                value = values[number.name]
                taken[number.name] = [value >> at & (1 << 64) - 1 for at in number.positions]
        found, wanted = run(program, taken)["r"], meaning(operation.name, prime, *values.values())
        if operation.name == "to_words":
            assert found == wanted, prime
        else:
            assert (found - wanted * radix) % prime == 0, (prime, operation.name)


def meaning(name, prime, a, b=0):
    return {
        "from_words": a,
        "to_words": a,
        "fe_add": a + b,
        "fe_sub": a - b,
        "fe_neg": -a,
        "fe_mul": a * b,
        "fe_sqr": a * a,
    }[name] % prime


def test_a_prime_that_is_too_small_has_no_lanes():
    with pytest.raises(EfdgenError, match="no representation in lanes"):
        lane_plan(13, WIDE)


# Edits

SHORT = 400
"""Programs of fewer instructions are edited; longer ones are made of the same blocks."""


def edited(program, rng):
    """Return a limb program with one instruction that reads another value, or does another thing."""
    places = [at for at, i in enumerate(program.instructions) if not isinstance(i.operation, Word)]
    at = rng.choice(places)
    instruction = program.instructions[at]
    operation, known = instruction.operation, [v for i in program.instructions[:at] for v in i.results]
    match operation:
        case Constant(value):
            made = Constant(abs(value + rng.choice((-1, 1))))
        case ShiftRight() | Funnel() if rng.random() < 0.5:
            made = replace(operation, amount=operation.amount + rng.choice((-1, 1)))
        case HalfMul() if rng.random() < 0.3:
            made = FusedLow(known[0], *operation.operands)
        case FusedLow() | FusedHigh() if rng.random() < 0.3:
            made = (FusedHigh if isinstance(operation, FusedLow) else FusedLow)(*operation.operands)
        case _:
            read = [*operation.operands]
            read[rng.randrange(len(read))] = rng.choice(known)
            made = operation.on(tuple(read))
    if made == operation:
        return None
    changed = list(program.instructions)
    changed[at] = replace(instruction, operation=made)
    try:
        return replace(program, instructions=tuple(changed))
    except ValueError:
        return None


def agree(one, other, rng):
    """Return whether programs make the same of random inputs."""
    for _ in range(200):
        taken = {one.numbers[i].name: inputs_of(one.numbers[i], rng) for i in one.inputs}
        try:
            if run(one, taken) != run(other, taken):
                return False
        except LostError:
            return False
    return True


@pytest.mark.slow
@pytest.mark.parametrize("machine", PROGRAMS)
def test_edits_of_programs_are_refused(machine, rng):
    bundles = (bundle(curve, "c", machine) for curve in CURVES[:3])
    functions = [f for found in bundles for f in found.functions if f.name != "from_words"]
    functions = [f for f in functions if len(f.instructions) < SHORT]
    refused = 0
    while refused < 40:
        operation = rng.choice(functions).operation
        wrong = edited(operation.program, rng)
        if wrong is None:
            continue
        try:
            prove_contract(wrong, operation.contract)
        except Refuted:
            refused += 1
        else:
            assert operation.name == "to_words" or agree(operation.program, wrong, rng), operation.name


def edit_of_text(text, rng):
    """Return a text with one statement that names, computes or stores another thing, or that is left out."""
    lines = text.split("\n")
    at = rng.choice([n for n, line in enumerate(lines) if re.search(r"= (_mm\d|t_|k_|[\w.>-]+\[)", line)])
    line = lines[at]
    kinds = [
        lambda: re.sub(r"madd52(lo|hi)", lambda m: "madd52" + ("hi" if m[1] == "lo" else "lo"), line),
        lambda: re.sub(r"_mm(256|512)", lambda m: "_mm256" if m[1] == "512" else "_mm512", line),
        lambda: re.sub(r"mul(lo)?_ep[iu]\d+", lambda m: "mul_epu32" if m[1] else "mullo_epi64", line),
        lambda: re.sub(r"(add|sub)_epi64", lambda m: ("sub" if m[1] == "add" else "add") + "_epi64", line),
        lambda: re.sub(r"s(l|r)li", lambda m: "s" + ("r" if m[1] == "l" else "l") + "li", line),
        lambda: re.sub(r"\b(\d+)(\)|>\()", lambda m: f"{int(m[1]) + 1}{m[2]}", line),
        lambda: re.sub(r"\[(\d)\]", lambda m: f"[{(int(m[1]) + 1) % 5}]", line),
        lambda: re.sub(r"0x([0-9a-f])", lambda m: f"0x{int(m[1], 16) ^ 1 or 2:x}", line),
        lambda: re.sub(r"t_\d+(?=[,);])", f"t_{rng.randrange(40)}", line, count=1),
        lambda: "",
        lambda: f"{line}\n{line}",
        lambda: moved(lines, at),
    ]
    lines[at] = rng.choice(kinds)()
    return "\n".join(lines)


def moved(lines, at):
    """Put a statement that computes in front of all others of its function, of what it reads too."""
    start = max(n for n, line in enumerate(lines[:at]) if line.endswith(" {"))
    lines[start] += "\n" + lines[at]
    return ""


@pytest.mark.slow
@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_edits_of_texts_are_refused(language, machine, rng):
    made = bundle(rng.choice(CURVES[:3]), language, machine)
    ((name, text),) = made.files().items()
    assert differences(made, {name: text}) == []
    refused = 0
    while refused < 40:
        wrong = edit_of_text(text, rng)
        if wrong != text:
            assert differences(made, {name: wrong}) != [], first_difference(text, wrong)
            refused += 1


def differences(made, files):
    """Return how files differ from the functions of a bundle, and from its text elsewhere."""
    printed = (FileText(path, text) for path, text in made.files().items())
    return Readback([made.text, *printed]).differences(files)


def first_difference(one, other):
    return next((a, b) for a, b in zip(one.split("\n"), other.split("\n"), strict=False) if a != b)


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("\n#include <stdint.h>\n", "\n#include <stdint.h>\n#define __m512i int\n"),
        ("\n#include <stdint.h>\n", "\n#include <stdint.h>\n#define __m256i int\n"),
        ("//! Constant time", "//! Variable time"),
        (" * Constant time", " * Variable time"),
        ("limb[5];\n", "limb[6];\n"),
        ("i; 5]", "i; 6]"),
        ("avx512ifma", "avx512vl"),
        (",avxifma", ",avx512ifma"),
        ("const __m512i t_0", "static __m512i t_0"),
        ("const __m512i t_0", "const __m256i t_0"),
        ("const __m256i t_0", "const __m512i t_0"),
        ("let t_0", "let mut t_0"),
    ],
)
def test_text_between_functions_is_read(language, machine, old, new):
    made = bundle("edwards25519", language, machine)
    ((name, text),) = made.files().items()
    if old in text:
        assert differences(made, {name: text.replace(old, new, 1)}) != []


# Programs


def expected(kernel, group, prime, row):
    """Return the coordinates of a kernel's outputs by the program that was proved, on integers modulo p."""
    names = [name for argument in kernel.inputs for name in argument.members.values()]
    values = dict(zip(names, row, strict=True)) | dict(group.constants)
    made = run_program(kernel.program, PrimeField(prime), values)
    return [made[name] for output in kernel.outputs for name in output.members.values()]


@pytest.mark.slow
@pytest.mark.drawn(2)
@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("curve", CURVES)
@pytest.mark.parametrize(
    "language", [pytest.param(language, marks=NEEDS[language]) for language in LANGUAGES]
)
def test_functions_make_what_integers_make(language, curve, machine, rng, tmp_path):
    made = bundle(curve, language, machine)
    (group,) = made.bundle.groups
    kernels, prime = {kernel.function: kernel for kernel in group.kernels}, made.bundle.prime
    for native in {False, lane_machines.is_there(machine)}:
        driver = lane_drivers.build(tmp_path, made, native=native)
        for function in lane_drivers.functions(made):
            width = sum(len(argument.members) for argument in function.inputs)
            rows = [
                [rng.choice((0, 1, prime - 1, rng.randrange(prime))) for _ in range(width)]
                for _ in range(made.instructions.count)
            ]
            if kernel := kernels.get(function.name):
                wanted = [expected(kernel, group, prime, row) for row in rows]
            else:
                wanted = [[meaning(function.name, prime, *row)] for row in rows]
            assert lane_drivers.answers(driver, function, rows) == wanted, (function.name, native)


# Requests


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--lang", "python", "--curve", "P-256"), "--machine"),
        (("--lang", "python", "--curve", "P-256", "--set", "curve"), "--machine"),
        (("--lang", "rust", "--curve", "P-521", "--set", "protocols", "--api", "rustcrypto"), "--machine"),
        (("--lang", "c", "--curve", "sect163k1"), "is for GF(p)"),
        (
            ("--lang", "c", "--curve", "P-256", "--lowering", "calls"),
            "--lowering has no effect with --machine",
        ),
        (("--lang", "c", "--curve", "P-256", "--formulas", "scale"), "no divisions"),
    ],
)
def test_requests_without_lanes_are_refused(efdgen, arguments, told, tmp_path):
    done = efdgen("compile", *arguments, "--machine", WIDE, "--out", tmp_path / "out")
    assert done.code in {1, 2}
    assert told in done.err.strip().splitlines()[-1]
    assert not (tmp_path / "out").exists()


def named(name, curve, machine):
    """Return a function of a bundle."""
    return next(f for f in bundle(curve, "c", machine).functions if f.name == name)


def products(name, curve, machine):
    """Return how many products of words and of halves a function has."""
    operations = [i.operation for i in named(name, curve, machine).instructions]
    return [sum(isinstance(operation, kind) for operation in operations) for kind in (Mul, HalfMul)]


def test_machines_without_products_of_words_have_those_of_halves():
    assert products("fe_add", "P-256", WIDE) == [4, 0]
    # Two of the four numbers have two halves that are not 0.
    assert products("fe_add", "P-256", ENCODED) == [0, 6]
    # 19 is a sum of three powers of two.
    assert products("fe_mul", "edwards25519", WIDE) == [5, 0]
    assert products("fe_mul", "edwards25519", ENCODED) == [0, 0]


def test_printed_masks_are_none_of_products():
    function = named("fe_mul", "P-256", WIDE)
    masks = {i.results[0] for i in function.instructions if isinstance(i.operation, And)}
    fused = [i.operation for i in function.instructions if isinstance(i.operation, FusedLow | FusedHigh)]
    assert masks
    assert masks.isdisjoint(value for operation in fused for value in operation.factors)
    assert len(fused) == 80
