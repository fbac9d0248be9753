"""Functions over macros: they compile for every formula, and pass the vectors over GF(2^233)."""

import subprocess
from pathlib import Path

import pytest
from host_driver import c_driver
from host_provers import Bounds, ProvedPrograms

from efdgen.generator.curves.any import ANY
from efdgen.generator.curves.load import checked_curve
from efdgen.generator.errors import EfdgenError
from efdgen.generator.formulas.database import Database
from efdgen.generator.hosts.compile import HostRequest, make_host_bundle
from efdgen.generator.hosts.render import render
from efdgen.verify.hosts.packages import run_tool
from efdgen.verify.hosts.trial import trial

MACROS = """
typedef struct { int v; } FE;
void FE_MUL(FE *r, const FE *a, const FE *b);
void FE_SQR(FE *r, const FE *a);
void FE_ADD(FE *r, const FE *a, const FE *b);
void FE_SUB(FE *r, const FE *a, const FE *b);
void FE_NEG(FE *r, const FE *a);
void FE_INV(FE *r, const FE *a);
void FE_COPY(FE *r, const FE *a);
int FE_EQUAL(const FE *a, const FE *b);
"""
BINARY = (
    "lopezdahab-1/addition/add-2005-dl",
    "lopezdahab/addition/madd-2005-dl",
    "lopezdahab-1/doubling/dbl-2005-l",
    "xz/ladder/*",
    "lambda/addition/*",
    "affine/addition/*",
)
FORMULAS = [*Database()]


@pytest.mark.slow
@pytest.mark.drawn(12)
@pytest.mark.parametrize("name", FORMULAS)
def test_functions_over_macros_compile(name: str, cc: str, database: Database, tmp_path: Path) -> None:
    request = HostRequest("macros", ANY, formulas=(name,))
    try:
        files = render(make_host_bundle(database, request, Bounds()))
    except EfdgenError as error:
        if "with --lang instead" in str(error):
            return
        raise
    (header,) = files
    (tmp_path / header).write_text(files[header])
    (tmp_path / "all.c").write_text(f'{MACROS}#include "{header}"\n')
    command = [cc, "-std=c99", "-fsyntax-only", "-Wall", "-Wextra", "-Wno-unused-function", "-Wshadow"]
    subprocess.run([*command, "-Werror", "all.c"], cwd=tmp_path, check=True)


@pytest.mark.slow
@pytest.mark.usefixtures("openssl")
def test_functions_over_a_binary_field_pass_the_vectors(cc: str, database: Database, tmp_path: Path) -> None:
    bundle = make_host_bundle(database, HostRequest("macros", "sect233r1", formulas=BINARY), ProvedPrograms())
    (text,) = render(bundle).values()
    (tmp_path / "driver.c").write_text(
        c_driver(bundle, (Path(__file__).parent / "hosts" / "macros-233.c").read_text(), "FE")
    )
    wrong = text.replace("FE_MUL(&t0, &", "FE_ADD(&t0, &", 1)
    failed = []
    for written in (text, wrong):
        (tmp_path / "point.h").write_text(written)
        run_tool([cc, "-O1", "-std=c99", "-w", "-I.", "driver.c", "-o", "driver", "-lcrypto"], tmp_path)
        results = trial(bundle, checked_curve("sect233r1"), [str(tmp_path / "driver")], seed=1)
        failed.append([result.function for result in results if not result.ok])
    assert failed[0] == []
    assert len(failed[1]) == 1
