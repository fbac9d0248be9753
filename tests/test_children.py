"""Proofs in child processes: one that dies is an error of its own, and an interrupt ends all."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from efdgen.generator import processes
from efdgen.generator.errors import EfdgenError
from efdgen.generator.formulas.database import BUILT_IN, Database
from efdgen.generator.programs.lower import lower
from efdgen.verify import certificate, children, prover, rlimits
from efdgen.verify.children import CrashedError, ExhaustedError, ask, ask_all
from efdgen.verify.exceptions import derived
from efdgen.verify.verdicts import UndecidedError

GROUPS = [["a 1", "a crash", "a 2"], ["b 1", "b 2"], ["c exit"], ["d wrong", "d 1"]]


def answer(question: str) -> str:
    match question.split():
        case [_, "crash"]:
            os.kill(os.getpid(), signal.SIGSEGV)
        case [_, "exit"]:
            os._exit(3)
        case [_, "wrong"]:
            raise EfdgenError("no answer")
    return question.upper()


def process_of(_: object = None) -> int:
    return os.getpid()


@pytest.fixture(autouse=True)
def new_child(unproved: Path):
    """Fork the shared child anew, with what a test has changed, and keep no proof."""
    children._forget()
    yield
    children._forget()


@pytest.mark.slow
@pytest.mark.parametrize("number", [1, 2, 3, 16])
def test_a_question_that_kills_its_child_is_the_only_one_without_an_answer(number: int):
    found = dict(ask_all(answer, GROUPS, number))
    failed = {question: found.pop(question) for question in ("a crash", "c exit", "d wrong")}
    assert {question: str(error) for question, error in failed.items()} == {
        "a crash": "the prover crashed: SIGSEGV",
        "c exit": "the prover crashed: exit status 3",
        "d wrong": "no answer",
    }
    assert found == {name: name.upper() for name in ("a 1", "a 2", "b 1", "b 2", "d 1")}


def test_a_group_is_asked_of_one_child():
    groups = [[f"{group} {number}" for number in range(5)] for group in "ab"]
    processes = dict(ask_all(process_of, groups, 2))
    assert len({processes[name] for name in groups[0]}) == len({processes[name] for name in groups[1]}) == 1
    assert os.getpid() not in processes.values()


def test_calls_share_a_child_until_it_dies():
    first = ask(process_of)
    assert ask(process_of) == first != os.getpid()
    with pytest.raises(CrashedError, match=r"^the prover crashed: SIGSEGV$"):
        ask(answer, "a crash")
    assert ask(process_of) not in {first, os.getpid()}


def test_a_copy_of_this_process_has_a_child_of_its_own():
    """Two processes that wrote into one pipe would read each other's answers."""
    first = ask(process_of)
    own = _asked_in_a_copy()
    assert own not in {first, os.getpid()}
    assert ask(process_of) == first


def _asked_in_a_copy() -> int:
    """Fork, ask there, and return which process answered."""
    read, write = os.pipe()
    if (copy := os.fork()) == 0:
        os.write(write, str(ask(process_of)).encode())
        children._forget()
        os._exit(0)
    os.waitpid(copy, 0)
    return int(os.read(read, 20))


def test_children_end_with_a_parent_that_is_killed():
    lines = "from efdgen.verify.children import ask", "import os, time", "print(ask(os.getpid), flush=True)"
    script = "; ".join([*lines, "time.sleep(60)"])
    parent = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    child = int(parent.stdout.readline())
    assert _lives(child)
    parent.kill()
    parent.wait()
    waited = 0
    while _lives(child) and waited < 100:
        time.sleep(0.1)
        waited += 1
    assert not _lives(child)


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


class Interrupted:
    """An answer, while which is sent an interrupt comes."""

    def __reduce__(self) -> str:
        raise KeyboardInterrupt


def test_an_interrupt_while_an_answer_is_sent_says_nothing(capfd: pytest.CaptureFixture[str]):
    """A traceback of the child came out between the lines of its parent."""
    with pytest.raises(KeyboardInterrupt):
        ask(interrupted)
    assert capfd.readouterr() == ("", "")


def interrupted() -> Interrupted:
    return Interrupted()


def test_a_child_that_died_between_two_calls_is_replaced():
    os.kill(ask(process_of), signal.SIGKILL)
    time.sleep(0.1)
    with pytest.raises(CrashedError, match="SIGKILL"):
        ask(process_of)
    assert ask(process_of) > 0


def test_a_child_whose_group_was_killed_is_replaced():
    """Was: the call after an interrupt that killed all commands said that the prover crashed."""
    first = ask(process_of)
    processes.end()
    assert ask(process_of) != first


def asks_in_a_child(_: object) -> bool:
    return ask(process_of) == os.getpid()


def test_a_child_asks_itself():
    assert ask(asks_in_a_child, None)


def test_an_exception_leaves_the_child_alive():
    first = ask(process_of)
    with pytest.raises(EfdgenError, match=r"^no answer$"):
        ask(answer, "d wrong")
    assert ask(process_of) == first


def crashing(*_: object) -> None:
    os.kill(os.getpid(), signal.SIGABRT)


@pytest.fixture
def tree(tmp_path: Path) -> Database:
    """A tree with two formulas, one of which will crash the prover."""
    root, folder = tmp_path / "tree", "g1p/shortw/jacobian/doubling"
    for name in ("g1p/shortw/coordinates", "g1p/shortw/jacobian/variables", f"{folder}/dbl-2007-bl"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes((BUILT_IN / name).read_bytes())
    (root / folder / "crashing").write_bytes((BUILT_IN / folder / "dbl-2007-bl").read_bytes())
    return Database(root)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_crash_ends_the_verdict_on_one_formula(tree: Database, monkeypatch: pytest.MonkeyPatch, jobs: int):
    import efdgen.verify.exceptions.conclude as module

    conclude = module.conclude

    def crashes_on_one(formula):  # Singular does so on some formulas
        return crashing() if formula.id.endswith("crashing") else conclude(formula)

    monkeypatch.setattr(module, "conclude", crashes_on_one)
    one, other = prover.examine_formulas(tree, tree.ids, jobs)
    assert (one.verdict, one.reason) == ("error", "the prover crashed: SIGABRT")
    assert (other.verdict, other.reason) == ("proved", "")


def test_a_crash_is_an_error_of_a_certificate(database: Database, monkeypatch: pytest.MonkeyPatch):
    formula = database.formula("g1p/shortw/jacobian/doubling/dbl-2007-bl")
    with monkeypatch.context() as patch:
        patch.setattr("efdgen.verify.laws.proof.prove_law", crashing)
        found = certificate.certify(formula, lower(formula))
        assert (found.verdict, found.reason) == ("error", "the prover crashed: SIGABRT")
    children._forget()
    assert certificate.certify(formula, lower(formula)).verdict == "proved"


def test_a_crash_is_an_error_of_a_derivation(database: Database, monkeypatch: pytest.MonkeyPatch):
    formula = database.formula("g1p/shortw/jacobian/doubling/dbl-2007-bl")
    with monkeypatch.context() as patch:
        patch.setattr("efdgen.verify.exceptions.conclude.conclude", crashing)
        with pytest.raises(EfdgenError, match=r"^the prover crashed: SIGABRT$"):
            derived.derive(replace(formula))
    children._forget()
    assert derived.derive(formula).exceptions == ()


def test_a_stopped_child_is_found_out(monkeypatch):
    """Was waited for, for ever."""
    monkeypatch.setattr(children, "_PATIENCE", 0.05)
    with pytest.raises(CrashedError, match="it was stopped by a signal"):
        ask(stop)
    found = dict(ask_all(stopping, [["stop", "go"]], 1))
    assert str(found["stop"]) == "the prover crashed: it was stopped by a signal"
    assert found["go"] == "go"


def stop() -> None:
    os.kill(os.getpid(), signal.SIGSTOP)


def stopping(question: str) -> str:
    if question == "stop":
        stop()
    return question


def test_a_call_that_is_broken_off_leaves_no_answer_for_the_next(monkeypatch):
    """Was: after an error while it waited, the next call read the answer to the one before."""
    with monkeypatch.context() as patch:
        patch.setattr(children, "_PATIENCE", 0.01)
        patch.setattr(children, "tick", broken)
        with pytest.raises(BrokenPipeError):
            ask(slow, "first")
    assert ask(slow, "second") == "second"


def broken() -> None:
    raise BrokenPipeError


def slow(answer: str) -> str:
    time.sleep(0.2)
    return answer


@pytest.mark.long
@pytest.mark.parametrize(
    ("cause", "budget"), [("time", "1 seconds of processor time"), ("memory", "4 GiB of memory")]
)
@pytest.mark.slow
def test_a_limit_of_a_prover_is_undecided_and_no_refutation(cause, budget, monkeypatch):
    monkeypatch.setattr(rlimits, "_SECONDS", 1)
    with pytest.raises(ExhaustedError, match=budget):
        ask(exhaust, cause)
    with pytest.raises(UndecidedError):
        ask(exhaust, cause)
    assert ask(process_of) > 0


def exhaust(cause: str) -> None:
    if cause == "memory":
        os._exit(14)  # Singular does so
    while True:
        pass


@pytest.mark.long
@pytest.mark.slow
def test_singular_without_memory_is_undecided(monkeypatch):
    monkeypatch.setattr(rlimits, "_GIBIBYTES", 1)
    with pytest.raises(ExhaustedError, match="1 GiB of memory"):
        ask(much)


def much() -> None:
    from efdgen.verify.laws.singular import SingularFunctions

    power = sum(SingularFunctions("abcdefgh", binary=False).generators.values()) ** 40
    power * power


ENDLESS = {
    "powers of sums": "X3 = (X1 + Y1 + Z1)^240\ncompute Y3 = X3*(X1 - Y1)^240\ncompute Z3 = X3*Y3 + Z1^240\n",
    "high powers": "A = X1^240 - Y1^239\ncompute X3 = A\ncompute Y3 = A*Y1\ncompute Z3 = A^2*Z1\n",
}


def test_a_run_with_endless_texts_gives_all_other_verdicts(tmp_path: Path, efdgen):
    """Were proved for ever, and such a text cost a run all its other verdicts."""
    place = "g1p/shortw/jacobian/doubling"
    (tmp_path / place).mkdir(parents=True)
    for number, text in enumerate(ENDLESS.values()):
        (tmp_path / place / f"dbl-{number}").write_text(f"compute {text}")
    found = efdgen("verify", "--database", tmp_path, place, "--json")
    verdicts = {each["id"].rpartition("/")[2]: each["verdict"] for each in json.loads(found.out)}
    assert found.code == 1
    assert {name for name, verdict in verdicts.items() if verdict == "undecided"} == {"dbl-0", "dbl-1"}
    assert [*verdicts.values()].count("proved") == len(verdicts) - 2 > 5
