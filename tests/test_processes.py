"""Compilers, test programs and provers end with the process that started them."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from sessions import left_after, members

from efdgen.generator import processes
from efdgen.generator.formulas.database import BUILT_IN

SLEEP = [sys.executable, "-c", "import time; time.sleep(100)"]
PLACE = "g1p/shortw/jacobian-0/doubling"
DOUBLING = f"{PLACE}/dbl-2009-l"
PROJECT = """
[[generate]]
lang = "c"
curve = "secp256k1"
out = "curve"
"""
# Commands that start provers.
PROVING = [
    ["check", "mine", "--as", PLACE],
    ["show", DOUBLING],
    ["diff", DOUBLING, f"{PLACE}/dbl-2007-bl"],
    ["list", "jacobian-0", "--complete"],
    ["verify", "g1p/shortw"],
    ["verify", "--models"],
    ["cost", "tables", "--database", "my", PLACE],
    ["compile", "--lang", "c", "--curve", "secp256k1"],
    ["compile", "--field-api", "libsecp256k1", "--curve", "secp256k1", "--formulas", DOUBLING],
    ["field", "--prime", "2^255-19", "--lang", "rust"],
    ["generate"],
]
# Commands that start compilers, test programs and other tools.
BUILDING = [
    ["test", "--lang", "c", "--curve", "secp256k1"],
    ["test", "--lang", "rust", "--curve", "secp256k1"],
    ["test", "--constant-time", "--lang", "c", "--curve", "secp256k1"],
    ["bench", "--curve", "secp256k1", "--lang", "c"],
    ["tune", "--prime", "2^255-19", "--cc", "cc", "--out", "tuning.toml"],
]


@pytest.fixture
def begin(tmp_path: Path) -> Iterator:
    """Start efdgen in a session of its own, in a directory with a formula and a project."""
    (tmp_path / "mine").write_bytes((BUILT_IN / DOUBLING).read_bytes())
    (tmp_path / "my" / PLACE).mkdir(parents=True)
    (tmp_path / "my" / PLACE / "mine").write_bytes((BUILT_IN / DOUBLING).read_bytes())
    (tmp_path / "efdgen.toml").write_text(PROJECT, encoding="utf-8")
    begun = []

    def start(*arguments: str) -> subprocess.Popen:
        begun.append(
            subprocess.Popen(
                [sys.executable, "-m", "efdgen", *arguments],
                cwd=tmp_path,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                env={**os.environ, "EFDGEN_CACHE": str(tmp_path / "cache"), "EFDGEN_SHIPPED_PROOFS": "never"},
            )
        )
        return begun[-1]

    yield start
    for process in begun:
        process.kill()
        process.wait()


def killed_with(process: subprocess.Popen, number: signal.Signals) -> list[str]:
    """Kill a command when it has started something, and return what is left of it a second later."""
    while len(members(process.pid)) < 3:  # the command, the leader of its group, and one more
        assert process.poll() is None, "it ended before it started anything"
        time.sleep(0.005)
    os.kill(process.pid, number)
    process.wait()
    return left_after(process.pid, 1)


@pytest.mark.slow
@pytest.mark.parametrize("arguments", PROVING, ids=" ".join)
def test_provers_end_with_a_command_that_is_killed(arguments, begin):
    """Was: a parent that was killed alone left provers behind, each at 100 % of a core."""
    assert killed_with(begin(*arguments), signal.SIGKILL) == []


@pytest.mark.usefixtures("cc", "cargo", "valgrind")
@pytest.mark.parametrize("arguments", BUILDING, ids=" ".join)
def test_compilers_and_test_programs_end_with_a_command_that_is_killed(arguments, begin):
    assert killed_with(begin(*arguments), signal.SIGTERM) == []


@pytest.mark.long
@pytest.mark.usefixtures("cc")
def test_an_interrupt_ends_a_test_in_two_seconds(begin):
    """Was: `efdgen test` waited 13 seconds for compilers that it had started, and for those in its queue."""
    process = begin("test", "--lang", "c", "--set", "curve", "--curve", "secp256k1", "--curve", "P-256")
    while not {"cc1", "cc", "gcc"} & {*members(process.pid)}:
        assert process.poll() is None
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGINT)
    assert process.wait(timeout=2) == 130
    assert left_after(process.pid, 1) == []


def test_a_command_whose_leader_was_killed_goes_on():
    first = processes.group()
    os.kill(first, signal.SIGKILL)
    processes._leader.wait()
    assert processes.run(["sh", "-c", "read -r line; echo $line"], text="still\n").stdout == "still\n"
    assert processes.group() != first


def begin_many_and_interrupt(asked: list) -> None:
    with processes.threads() as pool:
        asked += [pool.submit(processes.run, SLEEP) for _ in range(20)]
        while not asked[0].running():
            time.sleep(0.01)
        raise KeyboardInterrupt


def test_commands_of_stopped_threads_are_killed_and_no_more_are_started():
    asked = []
    with pytest.raises(KeyboardInterrupt):
        begin_many_and_interrupt(asked)
    assert all(each.done() for each in asked)
    assert processes.run(["sh", "-c", "exit 3"]).returncode == 3


def test_a_long_text_is_read_by_a_slow_reader():
    """Was: after a timeout the rest of a text was not sent, and both processes waited for ever."""
    slow = "import sys, time; time.sleep(0.3); print(len(sys.stdin.read()))"
    assert processes.run([sys.executable, "-c", slow], text="x" * 10**6).stdout == "1000000\n"


def test_a_copy_of_this_process_does_not_keep_the_group_alive():
    """A copy has the pipe too whose end the leader waits for."""
    group = processes.group()
    sleeper = processes.start(SLEEP)
    if (copy := os.fork()) == 0:
        time.sleep(100)
    processes._leader.stdin.close()
    try:
        assert sleeper.wait(timeout=2) == -signal.SIGKILL
    finally:
        os.kill(copy, signal.SIGKILL)
        os.waitpid(copy, 0)
    assert processes.group() != group
