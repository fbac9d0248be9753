"""Generated point functions inside libsecp256k1: its own tests, and its own benchmarks before and after.

The library comes as Debian's source package; what is generated takes the place of doubling, of both
variable-time additions and of the table of odd multiples, which becomes co-Z. Prints a table in Markdown:
medians over rounds in which all versions take turns, and quartiles of their ratios.

Usage: python bench/libsecp256k1.py [ROUNDS]
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median, quantiles

from efdgen.generator import processes

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "build" / "hosts" / "debian"
VERSION, SUITE = "0.5.0", "trixie"
FORMULAS = (
    "g1p/shortw/jacobian-0/doubling/dbl-2021-d",
    "g1p/shortw/jacobian-0/addition/add-1998-cmo-2",
    "g1p/shortw/jacobian-0/addition/madd-2004-hmv",
    "g1p/shortw/jacobian-0/dblu/dblu",
    "g1p/shortw/jacobian/zaddu-xy/zaddu-2007-m",
)
MODULES = ("ECDH", "RECOVERY", "EXTRAKEYS", "SCHNORRSIG")
TABLES = ("src/precomputed_ecmult.c", "src/precomputed_ecmult_gen.c")
BENCHMARKS = {
    "bench_internal": ("group_double_var", "group_add_var", "group_add_affine_var"),
    "bench": ("ecdh", "ecdsa_verify", "schnorrsig_verify"),
}
# Iterations of a benchmark in one round; the library takes the least of ten rounds.
ITERATIONS = "100"

# Wrappers of the generated functions, for infinity, and for points whose sum is exceptional.
DOUBLE = """\
static SECP256K1_INLINE void secp256k1_gej_double(secp256k1_gej *r, const secp256k1_gej *a) {
    int infinity = a->infinity;
    secp256k1_formula_double(r, a);
    r->infinity = infinity;
}
"""
# If x-coordinates are equal, Z3 is 0 and X3 the square of the difference of the y-coordinates.
ADD = """\
static void secp256k1_gej_{name}(
    secp256k1_gej *r, const secp256k1_gej *a, const {type} *b, secp256k1_fe *rzr) {{
{before}    if (a->infinity || b->infinity || rzr != NULL) {{
        secp256k1_gej_{name}_any(r, a, b, rzr);
        return;
    }}
    secp256k1_formula_{formula}(r, a, b);
    if (!secp256k1_fe_normalizes_to_zero_var(&r->z)) {{
        return;
    }}
    if (secp256k1_fe_normalizes_to_zero_var(&r->x)) {{
        {double}
    }} else {{
        secp256k1_gej_set_infinity(r);
    }}
}}
"""
ADDITIONS = (
    {
        "name": "add_var",
        "type": "secp256k1_gej",
        "formula": "add_incomplete",
        "before": """\
    const secp256k1_gej *kept = r == b ? a : b;
    if (a == b) {
        secp256k1_gej_double_var(r, a, rzr);
        return;
    }
""",
        "double": "secp256k1_gej_double_var(r, kept, NULL);",
    },
    {
        "name": "add_ge_var",
        "type": "secp256k1_ge",
        "formula": "add_mixed_incomplete",
        "before": "",
        "double": "secp256k1_gej_set_ge(r, b);\n        secp256k1_gej_double_var(r, r, NULL);",
    },
)
# Every table entry after the first is the sum of 2a and the entry before; both sums have the z-coordinate of
# the new entry, the old one times the difference of the x-coordinates.
TABLE = """\
static void secp256k1_ecmult_odd_multiples_table(int n, secp256k1_ge *pre_a, secp256k1_fe *zr, \
secp256k1_fe *z, const secp256k1_gej *a) {
    secp256k1_gej d;
    secp256k1_ge d_ge;
    int i;

    VERIFY_CHECK(!a->infinity);

    zr[0] = a->y;
    secp256k1_fe_mul_int(&zr[0], 2);
    secp256k1_formula_double_update(&d, &pre_a[0], a);
    secp256k1_ge_set_xy(&d_ge, &d.x, &d.y);
    *z = d.z;
    for (i = 1; i < n; i++) {
        secp256k1_fe_negate(&zr[i], &pre_a[i - 1].x, SECP256K1_GE_X_MAGNITUDE_MAX);
        secp256k1_fe_add(&zr[i], &d_ge.x);
        secp256k1_fe_normalize_weak(&zr[i]);
        secp256k1_formula_coz_add_update_xy_incomplete(&pre_a[i], &d_ge, &d_ge, &pre_a[i - 1]);
        secp256k1_fe_mul(z, z, &zr[i]);
    }
}
"""


def sources() -> Path:
    """Return the library as Debian has it, fetched by the package manager with a state of its own."""
    folder = BUILD / f"libsecp256k1-{VERSION}"
    if folder.is_dir():
        return folder
    for name in ("lists/partial", "cache/archives/partial", "sources"):
        (BUILD / name).mkdir(parents=True, exist_ok=True)
    codename = re.search(r"VERSION_CODENAME=(\w+)", Path("/etc/os-release").read_text())
    for path in Path("/etc/apt").glob("sources.list.d/debian.*"):
        text = path.read_text().replace("Types: deb\n", "Types: deb-src\n")
        text = re.sub(r"^deb ", "deb-src ", text, flags=re.M)
        (BUILD / "sources" / path.name).write_text(text.replace(codename[1] if codename else "stable", SUITE))
    options = {
        "Dir::Etc::sourcelist": "/dev/null",
        "Dir::Etc::sourceparts": BUILD / "sources",
        "Dir::State::lists": BUILD / "lists",
        "Dir::Cache": BUILD / "cache",
    }
    apt = ["apt-get", *(word for key, value in options.items() for word in ("-o", f"{key}={value}"))]
    run([*apt, "update"], BUILD)
    run([*apt, "source", "--download-only", "libsecp256k1"], BUILD)
    (archive,) = BUILD.glob(f"libsecp256k1_{VERSION}.orig.tar.*")
    run(["tar", "xf", archive.name], BUILD)
    return folder


def patched(original: Path, folder: Path, *, table_alone: bool = False) -> Path:
    """Copy the library and put what is generated in its places, or in that of the table alone."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(original, folder)
    words = [word for formula in FORMULAS for word in ("--formulas", formula)]
    command = [
        sys.executable,
        "-m",
        "efdgen",
        "compile",
        "--field-api",
        "libsecp256k1",
        "--curve",
        "secp256k1",
    ]
    run([*command, *words, "--out", str(folder / "src")], ROOT)
    group, ecmult = folder / "src" / "group_impl.h", folder / "src" / "ecmult_impl.h"
    text = group.read_text().replace(
        '#include "group.h"\n', '#include "group.h"\n#include "secp256k1_formula.h"\n', 1
    )
    text = text if table_alone else replaced(text, "secp256k1_gej_double", DOUBLE)
    for addition in () if table_alone else ADDITIONS:
        name = f"secp256k1_gej_{addition['name']}"
        own = function(text, name)
        text = text.replace(own, own.replace(f"{name}(", f"{name}_any(", 1) + "\n" + ADD.format(**addition))
    group.write_text(text)
    ecmult.write_text(replaced(ecmult.read_text(), "secp256k1_ecmult_odd_multiples_table", TABLE))
    return folder


def function(text: str, name: str) -> str:
    """Return the definition of a function."""
    found = re.search(rf"^static [^;{{}}]*\b{name}\([^;{{}}]*\) {{\n.*?^}}\n", text, re.M | re.S)
    if found is None:
        raise SystemExit(f"the library has no {name}; is it version {VERSION}?")
    return found[0]


def replaced(text: str, name: str, new: str) -> str:
    """Return a text with the definition of a function replaced."""
    return text.replace(function(text, name), new)


def compile_program(folder: Path, program: str, flags: Sequence[str] = ()) -> Path:
    """Compile one of the library's programs; return it."""
    target = folder / program
    modules = [f"-DENABLE_MODULE_{module}" for module in MODULES]
    files = [f"src/{program}.c"]
    files += [] if program == "tests_exhaustive" else TABLES
    if program == "bench":
        files.append("src/secp256k1.c")
    common = ["-O2", "-w", "-Iinclude", "-Isrc", *modules, *flags]
    run([os.environ.get("CC", "cc"), *common, *files, "-o", program], folder)
    return target


def test(folder: Path) -> None:
    """Run the library's own tests in both representations, every magnitude checked, exhaustive ones too."""
    for wide in ("INT128", "INT64"):
        flags = ("-DVERIFY", f"-DUSE_FORCE_WIDEMUL_{wide}")
        run([str(compile_program(folder, "tests", flags)), "4"], folder)
        print(f"{folder.name}, {wide}: tests passed", file=sys.stderr)
        for order in ("7", "13"):
            program = compile_program(
                folder, "tests_exhaustive", (*flags, f"-DEXHAUSTIVE_TEST_ORDER={order}")
            )
            run([str(program), "1"], folder)
            print(f"{folder.name}, {wide}: exhaustive tests of order {order} passed", file=sys.stderr)


def measure(folders: Mapping[str, Path], rounds: int) -> dict[str, dict[str, list[float]]]:
    """Return the least time of each benchmark in each round, in microseconds, by version.

    In each round every program of both versions runs once, and in every other round the order is reversed,
    so that what else the machine does meets both.
    """
    programs = [
        (which, name, compile_program(folder, name))
        for name in BENCHMARKS
        for which, folder in folders.items()
    ]
    times: dict[str, dict[str, list[float]]] = {}
    for number in range(rounds):
        for which, name, program in programs[:: -1 if number % 2 else 1]:
            chosen = ["group"] if name == "bench_internal" else list(BENCHMARKS[name])
            for line in run([str(program), *chosen], program.parent).splitlines():
                cells = [cell.strip() for cell in line.split(",")]
                if cells[0] in BENCHMARKS[name]:
                    times.setdefault(cells[0], {}).setdefault(which, []).append(float(cells[1]))
    return times


def run(command: Sequence[str], folder: Path) -> str:
    """Run a command; end with what it says where it fails."""
    settings = {**os.environ, "SECP256K1_BENCH_ITERS": ITERATIONS}
    done = processes.run(command, folder, settings)
    if done.returncode != 0:
        raise SystemExit(
            f"{' '.join(command[:2])} failed with status {done.returncode}:\n{done.stderr[-2000:]}"
        )
    return done.stdout


def main(rounds: int) -> None:
    """Test, measure, and print the table."""
    changed = {
        "all": patched(sources(), BUILD / "changed"),
        "table": patched(sources(), BUILD / "table", table_alone=True),
    }
    for folder in changed.values():
        test(folder)
    print(f"| benchmark | before, µs | all, after / before | half of {rounds} rounds | table alone | half |")
    print("|---|---|---|---|---|---|")
    for name, found in measure({"before": sources(), **changed}, rounds).items():
        cells = [f"`{name}`", f"{median(found['before']):.3g}"]
        for which in changed:
            ratios = [new / old for old, new in zip(found["before"], found[which], strict=True)]
            low, middle, high = quantiles(ratios, n=4)
            cells += [f"{middle:.3f}", f"{low:.3f} to {high:.3f}"]
        print(f"| {' | '.join(cells)} |")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 41)
