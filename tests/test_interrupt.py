"""An interrupt is an interrupt: SIGINT ends a process that proves with status 130 and one line."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from sessions import left_after

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
    time.sleep(100)

@click.command()
def command():
    print("begun", flush=True)
    ask(sleep)

cli._Commands.get_command = lambda *_: command
cli.main()
"""

DESTRUCTORS = """
import time
from efdgen import cli
import click

class HalfMade:
    def __init__(self):
        print("begun", flush=True)
        time.sleep(100)
        self.owner = True

    def __del__(self):
        print(self.owner)

class Deleted:
    def __del__(self):
        print("begun", flush=True)
        time.sleep(100)

@click.command()
def command():
    {made}
    while True:
        pass

cli._Commands.get_command = lambda *_: command
cli.main()
"""


def begin(command: list[str], directory: Path) -> subprocess.Popen[str]:
    """Start a command in a folder and a session of its own, with nothing kept of earlier proofs."""
    directory.mkdir(exist_ok=True)
    return subprocess.Popen(
        command,
        cwd=directory,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "EFDGEN_CACHE": str(directory / "cache"), "EFDGEN_SHIPPED_PROOFS": "never"},
    )


def interrupt(process: subprocess.Popen[str], *, group: bool) -> tuple[int, str, str]:
    """Interrupt a command; return its status and what it says.

    An interrupt of a ``group`` is sent to the children too, as by a terminal.
    """
    (os.killpg if group else os.kill)(process.pid, signal.SIGINT)
    try:
        out, err = process.communicate(timeout=60)
        assert left_after(process.pid, 1) == []
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    return process.returncode, out, err


@pytest.mark.slow
@pytest.mark.parametrize("group", [False, True])
@pytest.mark.parametrize(
    "code",
    [
        *(Z3.format(solver=solver) for solver in ("Solver()", "Optimize()")),
        CHILD,
        *(DESTRUCTORS.format(made=made) for made in ("HalfMade()", "Deleted()")),
    ],
    ids=["z3", "optimise", "child", "constructor", "destructor"],
)
def test_an_interrupt_ends_what_is_asked(tmp_path: Path, code: str, group: bool):
    process = begin([sys.executable, "-c", code, "ask"], tmp_path)
    assert process.stdout is not None
    assert process.stdout.readline() == "begun\n"
    time.sleep(0.5)
    assert interrupt(process, group=group) == (130, "", "efdgen: interrupted\n")


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.drawn(1)
@pytest.mark.parametrize("group", [False, True])
def test_interrupted_commands_leave_nothing(tmp_path: Path, group: bool):
    commands = [
        ["field", "--prime", "2^521-1", "--lang", "c", "--out", "out"],
        ["compile", "--lang", "c", "--curve", "secp256k1", "--out", "out"],
        ["compile", "--lang", "c", "--curve", "P-256", "--out", "out"],
        ["verify", "g1p/shortw", "--json"],
        ["verify", "g1p/shortw", "--json", "--jobs", "1"],
    ]
    begun = [
        begin([sys.executable, "-m", "efdgen", *command], tmp_path / str(number))
        for number, command in enumerate(commands)
    ]
    time.sleep(10)
    for number, process in enumerate(begun):
        code, out, err = interrupt(process, group=group)
        assert (code, err) == (130, "efdgen: interrupted\n"), commands[number]
        # Findings are printed as they come: an interrupt leaves those before it, and no part of one.
        assert {found["verdict"] for found in json.loads(f"{out}]" if out else "[]")} <= {"proved"}
        assert {path.name for path in (tmp_path / str(number)).iterdir()} <= {"cache"}
