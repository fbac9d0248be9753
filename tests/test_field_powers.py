"""Powers and inversions of many elements, in C and in Rust, against Python's integers."""

import random
import subprocess
from pathlib import Path

import pytest
from edits import once

from efdgen.generator.fields.request import FieldRequest
from efdgen.generator.output import write_files
from efdgen.generator.render.field.bundle import render_field

OPERATIONS = ["sqr_n", "pow", "pow_public", "inv_batch", "from_bytes_be", "to_bytes_be"]
PRIMES = {"7": 7, "2^61-1": 2**61 - 1, "2^255-19": 2**255 - 19}

# Reads: "sqr_n A N", "pow A E", "pow_public A E", "inv_batch A…"; E is in bytes, the lowest first.
C = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "fp.h"
static int read(uint8_t *bytes, const char *text) {
    int n = (int)strlen(text) / 2;
    for (int i = 0; i < n; i++) {
        char digits[3] = {text[2 * i], text[2 * i + 1], 0};
        bytes[i] = (uint8_t)strtol(digits, NULL, 16);
    }
    return n;
}
static void print(const fp_fe *a) {
    uint8_t bytes[FP_FE_BYTES];
    fp_fe_to_bytes_be(bytes, a);
    for (int i = 0; i < FP_FE_BYTES; i++) printf("%02x", bytes[i]);
}
int main(void) {
    static char line[1 << 16];
    while (fgets(line, sizeof line, stdin)) {
        fp_fe a[64], r[64];
        uint8_t bytes[1 << 10];
        const char *name = strtok(line, " \\n"), *word;
        int n = 0;
        if (strcmp(name, "inv_batch") == 0) {
            for (; (word = strtok(NULL, " \\n")) != NULL; n++) {
                read(bytes, word);
                fp_fe_from_bytes_be(&a[n], bytes);
            }
            fp_fe_inv_batch(r, a, (size_t)n);
            for (int i = 0; i < n; i++) {
                print(&r[i]);
                putchar(' ');
            }
        } else {
            read(bytes, strtok(NULL, " \\n"));
            fp_fe_from_bytes_be(&a[0], bytes);
            word = strtok(NULL, " \\n");
            if (strcmp(name, "sqr_n") == 0) {
                fp_fe_sqr_n(&a[0], &a[0], atoi(word));
            } else {
                n = word == NULL ? 0 : read(bytes, word);
                (strcmp(name, "pow") == 0 ? fp_fe_pow : fp_fe_pow_public)(&a[0], &a[0], bytes, n);
            }
            print(&a[0]);
        }
        putchar('\\n');
    }
    return 0;
}
"""
RUST = """
use fp::FieldElement;

fn read(text: &str) -> Vec<u8> {
    (0..text.len() / 2).map(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).unwrap()).collect()
}

fn element(text: &str) -> FieldElement {
    FieldElement::from_bytes_be(&read(text).try_into().unwrap()).unwrap()
}

fn main() {
    for line in std::io::stdin().lines() {
        let line = line.unwrap();
        let words: Vec<&str> = line.split_whitespace().collect();
        let answers = match words[0] {
            "inv_batch" => {
                let values: Vec<_> = words[1..].iter().map(|word| element(word)).collect();
                let mut inverses = vec![FieldElement::ONE; values.len()];
                FieldElement::invert_batch(&mut inverses, &values);
                inverses
            }
            "sqr_n" => vec![element(words[1]).square_n(words[2].parse().unwrap())],
            "pow" => vec![element(words[1]).pow(&read(words.get(2).unwrap_or(&"")))],
            _ => vec![element(words[1]).pow_public(&read(words.get(2).unwrap_or(&"")))],
        };
        for answer in answers {
            for byte in answer.to_bytes_be() {
                print!("{byte:02x}");
            }
            print!(" ");
        }
        println!();
    }
}
"""


def calls(p: int, rng: random.Random) -> list[tuple[str, list[int]]]:
    """Requests, and what Python says."""
    size = 2 * ((p.bit_length() + 7) // 8)
    found = []
    for a in (0, 1, p - 1, rng.randrange(p)):
        for n in (0, 1, 2, 9):
            found.append((f"sqr_n {a:0{size}x} {n}", [pow(a, 2**n, p)]))
        for e in (0, 1, 2, 3, p - 1, 2**80 - 1, rng.getrandbits(300)):
            exponent = e.to_bytes((e.bit_length() + 7) // 8, "little").hex()
            for name in ("pow", "pow_public"):
                found.append((f"{name} {a:0{size}x} {exponent}", [pow(a, e, p)]))
    for values in ([], [0], [5 % p], [0, 1, 0, p - 1, 0], [rng.randrange(p) for _ in range(20)]):
        texts = " ".join(f"{value:0{size}x}" for value in values)
        found.append((f"inv_batch {texts}", [pow(value, -1, p) if value else 0 for value in values]))
    return found


def differences(program: Path, p: int, rng: random.Random) -> list[str]:
    cases = calls(p, rng)
    text = "".join(f"{request}\n" for request, _ in cases)
    run = subprocess.run([program], input=text, capture_output=True, text=True, check=True)
    answers = [[int(word, 16) for word in line.split()] for line in run.stdout.splitlines()]
    return [request for (request, expected), found in zip(cases, answers, strict=True) if found != expected]


def c_program(compiler: str, folder: Path, p: int, *flags: str, edit=lambda text: text) -> Path:
    write_files(folder, render_field(FieldRequest("c", hex(p), operations=tuple(OPERATIONS))))
    (folder / "fp.h").write_text(edit((folder / "fp.h").read_text()))
    (folder / "main.c").write_text(C)
    command = [compiler, "-std=c99", "-O1", "-Wall", "-Wextra", "-Werror", *flags]
    subprocess.run([*command, "main.c", "-o", "main"], cwd=folder, check=True)
    return folder / "main"


@pytest.mark.parametrize("p", PRIMES.values(), ids=PRIMES.keys())
def test_powers_and_many_inverses_in_c(cc, p, rng, tmp_path):
    assert differences(c_program(cc, tmp_path, p), p, rng) == []


def test_powers_and_many_inverses_in_rust(cargo, rng, tmp_path):
    p = PRIMES["2^255-19"]
    write_files(tmp_path, render_field(FieldRequest("rust", hex(p), operations=tuple(OPERATIONS))))
    (tmp_path / "examples/powers.rs").write_text(RUST)
    build = [cargo, "build", "--quiet", "--offline", "--example", "powers"]
    subprocess.run(build, cwd=tmp_path, check=True)
    assert differences(tmp_path / "target/debug/examples/powers", p, rng) == []


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("fp_fe_select(&r[i], &zero, &r[i], skip);", ""),
        ("fp_fe_select(&factor, &one, &a[i], skip);", "factor = a[i];"),
        ("fp_fe_select(&digit, &odd, &digit, high);", ""),
        ("for (int i = 8 * bytes - 1;", "for (int i = 8 * bytes - 2;"),
    ],
)
def test_a_defect_is_seen(cc, right, wrong, same_rng, tmp_path):
    p = 2**61 - 1
    program = c_program(cc, tmp_path, p, "-Wno-error", edit=once(right, wrong))
    assert differences(program, p, same_rng) != []
