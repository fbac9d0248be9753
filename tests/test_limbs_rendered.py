"""Limb programs in C and Rust: compiled, run on edge values and random ones, against Python's integers."""

import platform
import random
import re
import subprocess
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from tools import WARNINGS

from efdgen.generator.limbs.binary import BinaryPlan, binary_plan
from efdgen.generator.limbs.c import render_header
from efdgen.generator.limbs.field_operations import field_operations
from efdgen.generator.limbs.interpreter import run, split
from efdgen.generator.limbs.lower import lower_to_limbs
from efdgen.generator.limbs.plan import FieldPlan, plan
from efdgen.generator.limbs.rust import render_module
from efdgen.generator.limbs.spelling import LimbFunction
from efdgen.generator.mathematics.binary import BinaryField, read_polynomial
from efdgen.generator.programs.interpreter import run as run_program

PRIMES = {
    "secp256k1": 2**256 - 2**32 - 977,
    "2^255-19": 2**255 - 19,
    "P-256": 2**256 - 2**224 + 2**192 + 2**96 - 1,
    "5*2^248-1": 5 * 2**248 - 1,
    "brainpoolP256r1": 0xA9FB57DBA1EEA9BC3E660A909D838D726E3BF623D52620282013481D1F6E5377,
}
# An instruction for products over GF(2); others than x86-64 are tested without.
CARRYLESS = "-mpclmul" if platform.machine() == "x86_64" else ""
BINARY = ("x^113 + x^9 + 1", "x^233 + x^74 + 1", "x^283 + x^12 + x^7 + x^5 + 1", "x^127 + x^126 + 1")


def plan_of(name: str, word: int, target: str = "clang") -> FieldPlan | BinaryPlan:
    """The plan of a prime field by its name, or of a binary one by its polynomial."""
    if name in PRIMES:
        return plan(PRIMES[name], word, target)
    return binary_plan(BinaryField(read_polynomial(name)), word, target)


def functions(chosen):
    return [
        LimbFunction(name, lower_to_limbs(program, chosen), (f"{name} modulo p.",))
        for name, program in field_operations().items()
    ]


def c_driver(functions, word: int) -> str:
    """A program that reads a function's number and words in hexadecimal, and prints the result's words."""
    kind, branches = f"uint{word}_t", []
    for number, function in enumerate(functions):
        names, size = [n.name for n in function.inputs], len(function.inputs[0].words)
        each = f"for (int i = 0; i < {size}; i++)"
        branches += [
            f"if (which == {number}) {{",
            f"{kind} r[{size}], {', '.join(f'{name}[{size}]' for name in names)};",
            *(f'{each} if (scanf("%" SCNx{word}, {name} + i) != 1) return 1;' for name in names),
            f"toy_{function.name}(r, {', '.join(names)});",
            # The result may be an operand.
            f"toy_{function.name}(a, {', '.join(names)});",
            f"{each} if (r[i] != a[i]) return 2;",
            f'{each} printf("%" PRIx{word} " ", r[i]);',
            'puts("");',
            "}",
        ]
    includes = ["#include <inttypes.h>", "#include <stdio.h>", '#include "field.h"']
    main = [
        "int main(void) {",
        "int which;",
        'while (scanf("%d", &which) == 1) {',
        *branches,
        "}",
        "return 0;",
        "}",
    ]
    return "\n".join([*includes, *main, ""])


def rust_driver(functions, word: int) -> str:
    """The same in Rust."""
    arms = []
    for number, function in enumerate(functions):
        size, count = len(function.inputs[0].words), len(function.inputs)
        operands = [f"w[{at * size}..{(at + 1) * size}].try_into().unwrap()" for at in range(count)]
        arms += [
            f"            {number} => {{",
            f"                let mut r = [0; {size}];",
            f"                field::{function.name}(&mut r, {', '.join(operands)});",
            '                println!("{}", r.map(|x| format!("{x:x}")).join(" "));',
            "            }",
        ]
    parse = f"u{word}::from_str_radix(x, 16).unwrap()"
    return "\n".join(
        [
            "#![forbid(unsafe_code)]",
            "mod field;",
            "fn main() {",
            "    for line in std::io::stdin().lines() {",
            "        let line = line.unwrap();",
            "        let mut words = line.split(' ');",
            "        let which: usize = words.next().unwrap().parse().unwrap();",
            f"        let w: Vec<u{word}> = words.map(|x| {parse}).collect();",
            "        match which {",
            *arms,
            "            _ => panic!(),",
            "        }",
            "    }",
            "}",
            "",
        ]
    )


def cases(functions, size: int, rng: random.Random) -> list[tuple[int, tuple[int, ...]]]:
    found = []
    for number, function in enumerate(functions):
        largest = function.inputs[0].maximum
        values = {
            0,
            1,
            size - 1,
            size,
            size + 1,
            largest,
            largest - 1,
            largest - size,
            2**64 - 1,
            largest >> 1,
        }
        corners = list(product(sorted(v for v in values if 0 <= v <= largest), repeat=len(function.inputs)))
        found += [(number, case) for case in rng.sample(corners, min(80, len(corners)))]
        found += [(number, tuple(rng.randrange(largest + 1) for _ in function.inputs)) for _ in range(20)]
    return found


def check(binary: Path, functions, chosen: FieldPlan | BinaryPlan, rng: random.Random) -> None:
    word, radix, field = chosen.word, chosen.reduction.radix, chosen.ground
    requests = cases(functions, chosen.ground.order, rng)
    lines = [
        " ".join(
            [
                str(at),
                *(
                    f"{w:x}"
                    for n, v in zip(functions[at].inputs, case, strict=True)
                    for w in split(n, v, word)
                ),
            ]
        )
        for at, case in requests
    ]
    answers = subprocess.run(
        [binary], input="\n".join(lines) + "\n", capture_output=True, text=True, check=True
    ).stdout.splitlines()
    programs = list(field_operations().values())
    for (at, case), answer in zip(requests, answers, strict=True):
        found = sum(int(text, 16) << word * index for index, text in enumerate(answer.split()))
        values = {n.name: value for n, value in zip(functions[at].inputs, case, strict=True)}
        one, inverse = (field.constant(Fraction(each)) for each in (radix, Fraction(1, radix)))
        elements = {name: field.mul(value, inverse) for name, value in values.items()}
        expected = field.mul(run_program(programs[at], field, elements)["r"], one)
        assert field.mul(found, field.constant(Fraction(1))) == expected, (functions[at].name, case)
        words = {n.name: split(n, values[n.name], word) for n in functions[at].inputs}
        assert found == run(functions[at].program, words)["r"]


@pytest.mark.drawn(10)
@pytest.mark.parametrize(
    ("word", "flags", "target"),
    [
        (64, "", "clang"),
        (64, CARRYLESS, "clang"),
        (64, "-DTOY_PORTABLE", "clang"),
        (32, "", "clang"),
        (32, "", "rv32im"),
    ],
)
@pytest.mark.parametrize("name", [*PRIMES, *BINARY])
def test_c_agrees_with_integers(name, word, flags, target, compiler, rng, tmp_path):
    chosen = plan_of(name, word, target)
    made = functions(chosen)
    (tmp_path / "field.h").write_text(render_header(chosen, made, "toy"))
    (tmp_path / "driver.c").write_text(c_driver(made, word))
    command = [compiler, "-std=c99", "-O1", *WARNINGS, *flags.split(), "driver.c", "-o", "driver"]
    subprocess.run(command, cwd=tmp_path, check=True)
    check(tmp_path / "driver", made, chosen, rng)


@pytest.mark.parametrize("word", [64, 32])
def test_a_word_that_is_doubled_hands_its_highest_bit_to_the_next(word):
    chosen = plan(PRIMES["2^255-19"], word, "gcc")
    (square,) = (function for function in functions(chosen) if function.name == "sqr")
    text = render_header(chosen, [square], "toy").rpartition("toy_sqr(")[2]
    calls = re.findall(r"(?:toy_carry (\w+) = |void\))toy_word_twice\((\w+), (\w+), ([^,]+), &", text)
    # Of rows, the two highest words are one column, which is shifted at once.
    assert len(calls) == 2 * (256 // word) - (2 if word == 64 else 3)
    handed, bits, high, low = zip(*calls, strict=True)
    assert bits == ("0", *handed[:-1])
    assert low == (f"UINT{word}_C(0x0)", *high[:-1])
    assert handed[-1] == ""


@pytest.mark.drawn(4)
@pytest.mark.parametrize("word", [64, 32])
@pytest.mark.parametrize("name", [*PRIMES, *BINARY])
@pytest.mark.usefixtures("cargo")
def test_rust_agrees_with_integers(name, word, rng, tmp_path):
    chosen = plan_of(name, word)
    made = functions(chosen)
    (tmp_path / "field.rs").write_text(render_module(chosen, made))
    (tmp_path / "driver.rs").write_text(rust_driver(made, word))
    subprocess.run(
        ["rustc", "--edition", "2021", "-O", "-D", "warnings", "driver.rs"], cwd=tmp_path, check=True
    )
    check(tmp_path / "driver", made, chosen, rng)


def conditional_jumps(assembly: str) -> list[str]:
    return re.findall(r"^\s+(j(?!mp)[a-z]+|loop[a-z]*)\s", assembly, flags=re.MULTILINE)


X86_64 = platform.machine() in ("x86_64", "AMD64")


def with_masks(name):
    """Functions that mask what they add: a difference folds, and a product is brought down."""
    chosen = plan(PRIMES[name])
    return chosen, [function for function in functions(chosen) if function.name in ("sub", "mul")]


@pytest.mark.parametrize("flags", ["-O2", "-O3"])
def test_no_c_compiler_makes_a_branch(compiler, flags, tmp_path):
    for name in ("secp256k1", "P-256"):
        chosen, made = with_masks(name)
        (tmp_path / "field.h").write_text(render_header(chosen, made, "toy"))
        command = [compiler, "-std=c99", flags, "-Dinline=", "-Dstatic=", "-S", "field.c", "-o", "field.s"]
        # The intrinsics' own header comes first, for it needs the words that are defined away here.
        includes = ["#include <immintrin.h>"] * X86_64 + ['#include "field.h"', ""]
        (tmp_path / "field.c").write_text("\n".join(includes))
        subprocess.run(command, cwd=tmp_path, check=True)
        assembly = (tmp_path / "field.s").read_text()
        assert "toy_mul" in assembly
        assert conditional_jumps(assembly) == [], name


@pytest.mark.usefixtures("cargo")
def test_rustc_makes_no_branch(tmp_path):
    for name in ("secp256k1", "P-256"):
        chosen, made = with_masks(name)
        module = render_module(chosen, made).replace("#[inline(always)]", "#[inline(never)]")
        (tmp_path / "field.rs").write_text(module)
        command = ["rustc", "--edition", "2021", "-O", "--crate-type", "lib", "--emit", "asm", "field.rs"]
        subprocess.run(command, cwd=tmp_path, check=True)
        assembly = (tmp_path / "field.s").read_text()
        assert "3mul" in assembly
        assert conditional_jumps(assembly) == [], name


def test_a_branch_is_seen(cc, tmp_path):
    (tmp_path / "branch.c").write_text(
        "int f(int, int *); int g(int a, int *b) { return a ? f(a, b) + 1 : 2; }"
    )
    subprocess.run([cc, "-O1", "-S", "branch.c"], cwd=tmp_path, check=True)
    assert not X86_64 or conditional_jumps((tmp_path / "branch.s").read_text())
