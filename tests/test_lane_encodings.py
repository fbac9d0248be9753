"""Code for AVX-IFMA as compilers make it: encodings without AVX-512, and a choice by the processor."""

import re
import subprocess

import lane_headers
import pytest
from lane_machines import ENCODED, MODEL, NARROW, has
from test_lane_ladders import headers, multiples
from test_lanes import bundle
from tools import WARNINGS

_FUSED = re.compile(r"\bvpmadd52[lh]uq\b.*")
# Registers of 512 bits, masks, and the upper half of all registers are AVX-512's alone.
_ONLY_AVX_512 = re.compile(r"%zmm|%k[0-7]\b|%[xy]mm(?:1[6-9]|2\d|3[01])\b")


def assembly(language, machine, folder, compiler):
    """Return the assembly of all functions of a bundle."""
    made = bundle("edwards25519", language, machine)
    ((name, text),) = made.files().items()
    (folder / name).write_text(text)
    if language == "rust":
        command = ["rustc", "--edition", "2021", "--crate-type", "lib", "-O", "--emit", "asm", name]
        subprocess.run([*command, "-o", "lanes.s"], cwd=folder, check=True)
    else:
        functions = ", ".join(f"(void (*)(void)){made.name(each)}" for each in made.functions)
        (folder / "all.c").write_text(f'#include "{name}"\nvoid (*all[])(void) = {{{functions}}};\n')
        subprocess.run([compiler, "-O2", "-S", "all.c", "-o", "lanes.s"], cwd=folder, check=True)
    return (folder / "lanes.s").read_text()


@pytest.mark.slow
@pytest.mark.parametrize("machine", [NARROW, ENCODED])
@pytest.mark.parametrize("language", ["c", "rust"])
@pytest.mark.usefixtures("cargo")
def test_avx_ifma_has_encodings_of_its_own(language, machine, clang, tmp_path):
    text = assembly(language, machine, tmp_path, clang)
    fused = _FUSED.findall(text)
    assert len(fused) > 200
    assert all("%ymm" in line for line in fused)
    assert text.count("{vex}") == (len(fused) if machine == ENCODED else 0)
    assert bool(_ONLY_AVX_512.search(text)) == (machine != ENCODED)


@pytest.mark.slow
def test_headers_ask_the_processor(clang, tmp_path, rng):
    files, _, plan = headers("Curve25519", machine=ENCODED)
    batches = multiples(plan, rng, (1, 4, 5))
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    driver = (MODEL / "ladders.c").read_text()
    (tmp_path / "lanes.c").write_text(driver.replace("PREFIX", "mont").replace("UPPER", "MONT"))
    command = [clang, "-std=c99", "-O1", *WARNINGS, "-DMOST=5", "lanes.c", "-o", "lanes"]
    subprocess.run(command, cwd=tmp_path, check=True)
    rows = [
        [k.to_bytes(32, "little").hex() + x.to_bytes(32, "little").hex() for k, x, _ in b] for b in batches
    ]
    text = "\n".join(f"{len(row)} {' '.join(row)}" for row in rows)
    done = subprocess.run(
        [tmp_path / "lanes"], input=text, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == (0 if has("avx_ifma") else 3)
    assert done.stdout.split() == [r.to_bytes(32, "little").hex() for batch in batches for _, _, r in batch]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("bits", "status"), [("1U << 23", 0), ("1U << 22", 3), ("~(1U << 23)", 3), ("0U", 3)]
)
def test_headers_read_one_bit_of_the_processor(bits, status, cc, tmp_path):
    files, *_ = headers("Curve25519", machine=ENCODED)
    flags = [flag for flag in lane_headers.write(tmp_path, files, ENCODED, "model") if "LEAF" not in flag]
    program = '#include "mont_lanes.h"\nint main(void) { return mont_lanes_available() ? 0 : 3; }\n'
    (tmp_path / "asks.c").write_text(program)
    command = [cc, "-O0", *flags, f"-DLEAF=({bits})", "-Wno-unused-function", "asks.c", "-o", "asks"]
    subprocess.run(command, cwd=tmp_path, check=True)
    assert subprocess.run([tmp_path / "asks"], check=False).returncode == status
