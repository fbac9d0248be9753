"""Progress: lines where there is no terminal, a bar on one, nothing where it is not wanted."""

import os
import pty
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import count, pairwise
from time import sleep

import pytest

from efdgen.generator import processes, progress

WORKS = """
import logging, sys, time
from efdgen.generator import progress
progress.FIRST = 0.2
logging.getLogger("efdgen").setLevel(logging.INFO)
with progress.work("outer"):
    progress.at("first")
    for name in progress.each("abcdef", 6, "inner", str):
        time.sleep(0.05)
        progress.tick()
    progress.say("a note")
print("done")
"""


SLOW = """
import sys, time
sys.stdout.write(sys.stdin.read())
time.sleep(0.5)
sys.exit("b")
"""


@pytest.fixture
def seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a second pass whenever the clock is read, and notes said."""
    clock = count()
    monkeypatch.setattr(progress, "monotonic", lambda: next(clock))
    monkeypatch.setattr(progress._log, "isEnabledFor", lambda _: True)
    monkeypatch.setenv("EFDGEN_PROGRESS", "auto")


@pytest.mark.usefixtures("seconds")
def test_lines_have_names_and_an_estimate_and_become_rare(capsys):
    assert [*progress.each("abcdefghijklmnopqrstuvwxyz", 26, "proving", str)][-1] == "z"
    lines = capsys.readouterr().err.splitlines()
    assert 2 < len(lines) < 8
    form = re.compile(r"efdgen: proving: \d+ of 26, about \d+ s left; [a-z]")
    assert all(map(form.fullmatch, lines[1:])), lines
    names = [ord(line[-1]) for line in lines]
    gaps = [b - a for a, b in pairwise(names)]
    assert gaps == sorted(gaps)


@pytest.mark.usefixtures("seconds")
def test_work_within_work_is_said_in_its_place(capsys):
    with progress.work("outer") as outer:
        for _ in progress.each(range(9), 9, "inner"):
            progress.at("deep")
        for _ in range(50):
            outer.at("behind it")
    said = capsys.readouterr().err
    assert "efdgen: inner: " in said
    assert "; deep\n" in said
    assert "; behind it" in said.partition("efdgen: outer: ")[2]


def test_what_waits_for_a_command_or_a_thread_says_so(capsys, monkeypatch):
    """Nothing was said as long as compilers ran."""
    monkeypatch.setattr(progress, "FIRST", 0.05)
    monkeypatch.setattr(progress._log, "isEnabledFor", lambda _: True)
    monkeypatch.setenv("EFDGEN_PROGRESS", "auto")
    with progress.work("building"), ThreadPoolExecutor() as pool:
        done = processes.run([sys.executable, "-c", SLOW], text="a")
        assert capsys.readouterr().err.startswith("efdgen: building: 0 s so far\n")
        assert progress.result(pool.submit(lambda: sleep(0.8) or 7)) == 7
    assert (done.stdout, done.stderr, done.returncode) == ("a", "b\n", 1)
    assert capsys.readouterr().err.startswith("efdgen: building: ")


@pytest.mark.usefixtures("seconds")
@pytest.mark.parametrize("how", ["never", "quiet", "forked"])
def test_nothing_is_said_where_it_is_not_wanted(how, monkeypatch, capsys):
    if how == "never":
        monkeypatch.setenv("EFDGEN_PROGRESS", "never")
    if how == "quiet":
        monkeypatch.setattr(progress._log, "isEnabledFor", lambda _: False)
    with progress.work("work"):
        if how == "forked":
            monkeypatch.setattr(progress, "_process", os.getpid() + 1)
        for number in range(50):
            progress.at(str(number))
    assert capsys.readouterr().err == ""


def test_short_work_says_nothing(capsys, monkeypatch):
    monkeypatch.setenv("EFDGEN_PROGRESS", "auto")
    monkeypatch.setattr(progress._log, "isEnabledFor", lambda _: True)
    assert [*progress.each(range(1000), 1000, "work")] == [*range(1000)]
    assert capsys.readouterr().err == ""


def test_a_bar_is_drawn_on_a_terminal_and_gone_behind_it():
    ours, theirs = pty.openpty()
    environment = {**os.environ, "EFDGEN_PROGRESS": "auto", "TERM": "xterm", "NO_COLOR": "1", "COLUMNS": "90"}
    command = [sys.executable, "-c", WORKS]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=theirs, env=environment, check=True)
    os.close(theirs)
    said = os.read(ours, 100_000).decode()
    os.close(ours)
    assert done.stdout == b"done\n"
    assert re.search(r"━.* inner: \d of 6, about 0 s left; [a-f]", said)
    before, _, after = said.rpartition("a note")
    assert "of 6" in before
    assert "of 6" not in after.rpartition("\x1b[2K")[2]  # the line is erased


@pytest.mark.slow
def test_long_commands_say_what_they_are_at(tmp_path):
    """Was: nothing at all for 25 seconds, where there was no terminal."""
    own = {"EFDGEN_PROGRESS": "auto", "EFDGEN_CACHE": str(tmp_path), "EFDGEN_SHIPPED_PROOFS": "never"}
    environment = {**os.environ, **own}
    early = "from efdgen.generator import progress; progress.FIRST = 0.1; from efdgen.cli import main; main()"
    command = [sys.executable, "-c", early, "verify", "g1p/montgom/xz", "--jobs", "1"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0
    assert re.search(r"^efdgen: proving: \d+ of \d+, .*; g1p/", done.stderr, re.MULTILINE)
    quiet = subprocess.run([*command, "-q"], capture_output=True, text=True, env=environment, check=False)
    assert quiet.stderr == ""
