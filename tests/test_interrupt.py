"""An interrupt is an interrupt: SIGINT ends a process that proves with status 130 and one line."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.usefixtures("sage")

Z3 = """
import z3
from efdgen import cli
from efdgen.verify import solver
import click

@click.command()
def ask():
    left, right = z3.BitVecs("left right", 64)
    question = z3.{solver}
    question.add(left * right == (2**31 - 1) * (2**32 - 5), z3.ULT(1, left), z3.ULT(left, 2**32))
    question.add(z3.ULT(1, right), z3.ULT(right, 2**32), z3.ULE(left, right))
    print("begun", flush=True)
    print(solver.satisfiable(question, "factors", resources=10**9))

cli.cli.add_command(ask)
cli._Commands.get_command = lambda *_: ask
cli.main()
"""
CHILD = """
import time
from efdgen import cli
from efdgen.verify.children import ask
import click

def sleep():
    print("begun", flush=True)
    time.sleep(100)

@click.command()
def command():
    ask(sleep)

cli._Commands.get_command = lambda *_: command
cli.main()
"""


def interrupted(
    command: list[str], directory: Path, *, group: bool, after: float = 0
) -> tuple[int, str, str]:
    """Run a command; interrupt it once it prints, or after some seconds; return its status and what it says.

    As a terminal does, an interrupt of a ``group`` is sent to the children too.
    """
    process = subprocess.Popen(
        command,
        cwd=directory,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "EFDGEN_CACHE": str(directory / "cache")},
    )
    assert process.stdout is not None
    if after:
        time.sleep(after)
    else:
        assert process.stdout.readline() == "begun\n"
        time.sleep(0.5)
    (os.killpg if group else os.kill)(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    with pytest.raises(ProcessLookupError):  # no child is left
        os.killpg(process.pid, 0)
    return process.returncode, out, err


@pytest.mark.parametrize("group", [False, True])
@pytest.mark.parametrize(
    "code",
    [Z3.format(solver="Solver()"), Z3.format(solver="Optimize()"), CHILD],
    ids=["z3", "optimise", "child"],
)
def test_an_interrupt_ends_what_is_asked(tmp_path: Path, code: str, group: bool):
    found = interrupted([sys.executable, "-c", code, "ask"], tmp_path, group=group)
    assert found == (130, "", "efdgen: interrupted\n")


@pytest.mark.parametrize(
    ("arguments", "after"),
    [
        (["field", "--prime", "2^521-1", "--lang", "c", "--out", "out"], 4),
        (["compile", "--lang", "c", "--curve", "secp256k1", "--out", "out"], 4),
        (["compile", "--lang", "c", "--curve", "P-256", "--out", "out"], 10),
        (["verify", "g1p/shortw", "--json", "findings.json"], 6),
        (["verify", "g1p/shortw", "--json", "findings.json", "--jobs", "1"], 8),
    ],
    ids=str,
)
@pytest.mark.parametrize("group", [False, True])
def test_an_interrupted_command_leaves_nothing(
    tmp_path: Path, arguments: list[str], after: float, group: bool
):
    status, out, err = interrupted(
        [sys.executable, "-m", "efdgen", *arguments], tmp_path, group=group, after=after
    )
    assert (status, out, err) == (130, "", "efdgen: interrupted\n")
    assert {path.name for path in tmp_path.iterdir()} <= {"cache"}
