"""Kernels over binary fields: they compute what was proved, and multiples that others published."""

from __future__ import annotations

import re
import subprocess
import sys
import types
from functools import cache
from random import Random
from typing import TYPE_CHECKING

import pytest
from collected import Collected
from linters import lint, ruff
from test_binary import published_keys

from efdgen.generator.compile import Request, make_bundle
from efdgen.generator.curves.instantiate import find_curve
from efdgen.generator.curves.load import checked_curve
from efdgen.generator.curves.represent import means, represent
from efdgen.generator.files import render
from efdgen.generator.formulas.database import Database
from efdgen.generator.kernels.bundle import group
from efdgen.generator.kernels.candidate import candidate
from efdgen.generator.kernels.prover import Prover
from efdgen.generator.mathematics.binary import BinaryField, is_irreducible, read_polynomial
from efdgen.generator.origin import Origin
from efdgen.generator.programs.interpreter import run_kernel
from efdgen.generator.programs.kernel import Bundle
from efdgen.generator.render.python.bundle import Options
from efdgen.generator.render.python.bundle import render as render_python
from efdgen.verify.readback.read import Readback

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path
    from typing import Any

# A trinomial, a pentanomial, one of many terms, and the smallest field.
POLYNOMIALS = (
    *("x^233 + x^74 + 1", "x^571 + x^10 + x^5 + x^2 + 1", "x^2 + x + 1"),
    "x^41 + x^32 + x^30 + x^27 + x^24 + x^22 + x^20 + x^19 + x^15 + x^13 + x^2 + x + 1",
)


def executed(text: str) -> types.ModuleType:
    module = types.ModuleType("kernels")
    sys.modules["kernels"] = module
    exec(compile(text, "kernels.py", "exec"), module.__dict__)
    return module


@cache
def compiled(curve: str, system: str | None = None, formulas: tuple[str, ...] = ()) -> tuple[Bundle, Any]:
    request = Request("python", curve, system, formulas, prefix="toy")
    bundle = make_bundle(Database(), request, Prover())
    return bundle, executed(render(bundle, request)["toy.py"])


@pytest.mark.parametrize("text", POLYNOMIALS)
def test_arithmetic_is_that_of_the_field(text: str, rng: Random) -> None:
    field = BinaryField(read_polynomial(text))
    assert is_irreducible(field.polynomial)
    claims = Collected()
    files = render_python(Bundle("toy", field, (), Origin(("efdgen",))), Options(claims=claims))
    assert Readback(claims.every).differences(files) == []
    module = executed(files["toy.py"])
    values = [0, 1, 2, 3, field.order - 1, *(rng.randrange(field.order) for _ in range(9))]
    for a in values:
        for b in values:
            assert module._mul(a, b) == field.mul(a, b)
        assert module._sqr(a) == field.mul(a, a)
        assert module._inv(a) == (field.inv(a) if a else 0)


def test_functions_compute_what_the_kernels_say(database: Database, rng: Random) -> None:
    field = BinaryField(read_polynomial("x^113 + x^9 + 1"))
    for name in database.ids:
        if not name.startswith("g12o/"):
            continue
        formula = database.formula(name)
        found = candidate(formula, field, find_curve(formula, field, rng))
        kernels = group("", "random", field, [found], Prover())
        files = render_python(Bundle("toy", field, (kernels,), Origin(("efdgen",))), Options())
        module, (kernel,) = executed(files["toy.py"]), kernels.kernels
        points = {a.name: {m: rng.randrange(field.order) for m in a.type.members} for a in kernel.inputs}
        expected = run_kernel(kernel, field, kernels.constants, points)
        hints = getattr(module, kernel.name).__annotations__
        result = getattr(module, kernel.name)(*(getattr(module, hints[a])(**points[a]) for a in points))
        outputs = [result] if len(kernel.outputs) == 1 else result
        for argument, point in zip(kernel.outputs, outputs, strict=True):
            assert point._asdict() == expected[argument.name], name


@pytest.mark.slow
def test_modules_and_drivers_pass_linters_and_type_checks(database: Database, tmp_path: Path) -> None:
    for number, curve in enumerate(("sect283k1", "BBE251", "Hessian233", "sect571r1")):
        request = Request("python", curve, prefix="toy")
        for name, text in render(make_bundle(database, request, Prover()), request).items():
            (tmp_path / str(number)).mkdir(exist_ok=True)
            (tmp_path / str(number) / name).write_text(text)
        lint("mypy", "--strict", "--cache-dir", tmp_path / "cache", tmp_path / str(number) / "driver.py")
    ruff(tmp_path)


def multiple(module: Any, factor: int, start: Any) -> Any:
    found = start
    for bit in f"{factor:b}"[1:]:
        found = module.double(found)
        if bit == "1":
            found = module.add(found, start)
    return found


SYSTEMS = ["lambda", "lopezdahab", "projective", "jacobian"]


@pytest.mark.drawn(4)
@pytest.mark.parametrize("number", range(10))
def test_multiples_in_nist_files_are_computed_by_kernels(number: int, rng: Random) -> None:
    """CAVP, ECDSA, key pairs: the public key is a multiple of the generator."""
    name, (secret, *public) = list(published_keys().items())[number]
    curve, system = checked_curve(name), SYSTEMS[number % len(SYSTEMS)]
    assert curve.generator is not None
    bundle, module = compiled(name, system)
    kernel = next(kernel for kernel in bundle.groups[0].kernels if kernel.name == "double")
    where, parameters = kernel.formula.system, {**curve.parameters, **kernel.parameters}
    generator = represent(where, curve.field, parameters, (*curve.generator.values(),), rng)
    found = multiple(module, secret, module.Point(**generator))
    assert means(where, curve.field, parameters, found._asdict(), (*public,)), (name, system)
    unit = module.normalize(found)._asdict()
    assert means(where, curve.field, parameters, {"Z": 1, **unit}, (*public,))
    if system != "lambda":
        assert (unit["X"], unit["Y"]) == (*public,)


# Reads a factor in binary and the coordinates of a point, and prints those of the multiple.
MULTIPLE = """
#include <stdio.h>
#include <string.h>
#include "toy.h"

static void get(toy_fe *r, const char *digits) {{
    uint8_t bytes[TOY_FE_BYTES];
    for (int i = 0; i < TOY_FE_BYTES; i++) {{
        unsigned byte;
        sscanf(digits + 2 * i, "%2x", &byte);
        bytes[i] = (uint8_t)byte;
    }}
    if (!toy_fe_from_bytes_be(r, bytes)) {{
        puts("too large");
    }}
}}

static void put(const toy_fe *a) {{
    uint8_t bytes[TOY_FE_BYTES];
    toy_fe_to_bytes_be(bytes, a);
    for (int i = 0; i < TOY_FE_BYTES; i++) {{
        printf("%02x", bytes[i]);
    }}
    puts("");
}}

int main(int count, char **given) {{
    toy_point start, found;
    {read}
    found = start;
    for (const char *bit = given[1] + 1; *bit; bit++) {{
        toy_double(&found, &found);
        if (*bit == '1') {{
            toy_add(&found, &found, &start);
        }}
    }}
    {written}
    return count == 0;
}}
"""


@pytest.mark.long
@pytest.mark.parametrize("flag", ["-DTOY_WORD_BITS=64", "-DTOY_WORD_BITS=32"])
def test_multiples_in_nist_files_are_computed_by_kernels_in_c(
    cc: str, tmp_path: Path, rng: Random, flag: str
) -> None:
    for number, (name, (secret, *public)) in enumerate(published_keys().items()):
        curve, system = checked_curve(name), SYSTEMS[number % len(SYSTEMS)]
        request = Request("c", name, system, prefix="toy")
        bundle = make_bundle(Database(), request, Prover())
        for path in ("toy.h", "toy_32.h"):
            (tmp_path / path).write_text(render(bundle, request)[path])
        members = next(point.members for point in bundle.groups[0].types if point.name == "point")
        read = " ".join(f"get(&start.{member}, given[{at}]);" for at, member in enumerate(members, 2))
        written = " ".join(f"put(&found.{member});" for member in members)
        (tmp_path / "multiple.c").write_text(MULTIPLE.format(read=read, written=written))
        command = [cc, "-std=c99", "-O1", "-Wall", "-Wextra", "-Werror", flag, "multiple.c", "-o", "multiple"]
        subprocess.run(command, cwd=tmp_path, check=True)
        kernel = next(kernel for kernel in bundle.groups[0].kernels if kernel.name == "double")
        where, parameters = kernel.formula.system, {**curve.parameters, **kernel.parameters}
        assert curve.generator is not None
        start = represent(where, curve.field, parameters, (*curve.generator.values(),), rng)
        digits = [f"{start[member]:0{2 * curve.field.bytes}x}" for member in members]
        answer = subprocess.check_output([tmp_path / "multiple", f"{secret:b}", *digits], text=True)
        found = dict(zip(members, (int(line, 16) for line in answer.split()), strict=True))
        assert means(where, curve.field, parameters, found, (*public,)), (name, system)


@pytest.mark.parametrize("name", ["K-163", "B-283", "K-571"])
def test_abscissas_in_nist_files_are_computed_by_ladders(name: str) -> None:
    curve, (secret, x, _) = checked_curve(name), published_keys()[name]
    assert curve.generator is not None
    _, module = compiled(name, "xz")
    one = module.Point(curve.generator["x"], 1)
    low, high = one, module.double(one)
    for bit in f"{secret:b}"[1:]:
        pair = (high, low) if bit == "1" else (low, high)
        doubled, added = module.ladder_step(one, *pair)
        low, high = (added, doubled) if bit == "1" else (doubled, added)
    assert x == module.normalize(low).X


CURVES = {
    "sect283k1": ("*/addition/add-2013-olar", "*/doubling/*", "*/scaling/*"),
    "BBE251": ("*/xyz/addition/*",),
}


@cache
def printed(curve: str) -> tuple[str, Readback]:
    claims = Collected()
    request = Request("python", curve, formulas=CURVES[curve], prefix="toy")
    files = render(make_bundle(Database(), request, Prover()), request, claims)
    return files["toy.py"], Readback(claims.texts)


def differences(curve: str, text: str) -> list[str]:
    return [str(found) for found in printed(curve)[1].differences({"toy.py": text})]


EDITS: dict[str, tuple[str, str | Callable[[re.Match[str]], str]]] = {
    "a product for a sum": (r"= ([\w.]+) \^ ([\w.]+)(?=  #)", r"= _mul(\1, \2)"),
    "a sum for a product": (r"_mul\(([\w.]+), ([\w.]+)\)(?=  #)", r"\1 ^ \2"),
    "a value for a square": (r"_sqr\(([\w.]+)\)(?=  #)", r"\1"),
    "another coordinate is read": (r"(?<=p1\.)[XL]\b(?=[^#\n]*#)", lambda f: "Z" if f[0] == "X" else "X"),
    "a line is left out": (r"^    \w+ = [^\n]*  #[^\n]*\n", ""),
    "outputs change places": (r"Point\((\w+), (\w+)(?=[,)])", r"Point(\2, \1"),
    "a number is another": (r"(?<= = 0x)[0-9A-F]+", lambda f: f"{int(f[0], 16) + 1:X}"),
    "another degree": (r"(?<=^M = )\d+", lambda f: str(int(f[0]) + 1)),
    "another multiple": (r"(?<=\": )(b\d*)(?=[, ])", lambda f: "b4" if f[0] != "b4" else "b8"),
    "another digit": (r'"([0-9a-e])":', lambda f: f'"{int(f[1], 16) + 1:x}":'),
    "another shift": (r"(?<=<< )(\d+)", lambda f: str(int(f[0]) + 1)),
    "a fold is left out": (r"(?<=MASK) \^ high\b(?: << \d+)?|(?<=\d) \^ high << \d+", ""),
    "a mask is left out": (r"a & MASK", "a"),
    "no end of a reduction": (r"while high := a >> M", "while high := a >> M + 1"),
    "another base": (r'"\{a:b\}", 4', '"{a:b}", 8'),
    "no reduction": (r"_reduce\(_product\(a, b\)\)", "_product(a, b)"),
    "another inverse": (r"shift < 0", "shift <= 0"),
    "an inverse of 0": (r" if u else 0", ""),
    "a name is bound again": (r"^class ", "F = 7\n\n\nclass "),
    "a helper is defined again": (
        r"^class Point\b",
        "def _mul(a: int, b: int) -> int:\n    return a\n\n\nclass Point",
    ),
    "a built-in function is another": (r"^class Point\b", "int = float\n\n\nclass Point"),
}


def places(text: str) -> Iterator[tuple[str, str]]:
    """Each edit of each place, and the text with it."""
    for name, (pattern, replacement) in EDITS.items():
        for found in re.compile(pattern, re.MULTILINE).finditer(text):
            edited = found.expand(replacement) if isinstance(replacement, str) else replacement(found)
            yield name, f"{text[: found.start()]}{edited}{text[found.end() :]}"


@pytest.mark.slow
@pytest.mark.parametrize("curve", CURVES)
def test_single_edits_of_modules_are_refused(curve: str, rng: Random) -> None:
    text, _ = printed(curve)
    assert differences(curve, text) == []
    by_edit: dict[str, list[str]] = {}
    for edit, edited in places(text):
        by_edit.setdefault(edit, []).append(edited)
    assert curve != "sect283k1" or by_edit.keys() == EDITS.keys(), EDITS.keys() - by_edit.keys()
    for edit, texts in by_edit.items():
        for edited in rng.sample(texts, min(6, len(texts))):
            changed = [line for line in edited.splitlines() if line not in text.splitlines()]
            assert differences(curve, edited), (edit, changed)
