"""The command `efdgen verify` on the built-in tree."""

import json
import multiprocessing
import re
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from efdgen.generator.formulas.database import Database
from efdgen.verify import prover

JACOBIAN = "g1p/shortw/jacobian/doubling"


def test_every_built_in_formula_is_proved(efdgen: Callable, database: Database):
    outcome = efdgen("verify", "--json")
    assert outcome.code == 0
    assert outcome.err.startswith(f"{len(database.ids)} of {len(database.ids)} proved in ")
    found = json.loads(outcome.out)
    assert tuple(finding["id"] for finding in found) == database.ids
    for finding in found:
        assert finding.pop("seconds") >= 0
        assert finding.pop("homogeneous") is True
        assert all(re.fullmatch(r"GF\(\d+\)", field) for field in finding.pop("tried_over"))
        assert isinstance(finding.pop("earlier"), bool)
        assert re.fullmatch(
            "every (odd )?p|every p but [0-9, ]+|characteristic 2", finding.pop("characteristic")
        )
        assert isinstance(finding.pop("unified"), bool | None)
        assert (finding.pop("complete") == "always") is (finding.pop("exceptions") == [])
        assert isinstance(finding.pop("unrepresentable"), list)
        assert finding == {
            "id": finding["id"],
            "kind": finding["id"].split("/")[3],
            "verdict": "proved",
            "law": "proved",
            "exceptional_inputs": "proved",
            "reason": "",
            "refutation": None,
            "remarks": finding["remarks"],
        }


def test_few_formulas_have_a_line_each(efdgen: Callable):
    outcome = efdgen("verify", f"{JACOBIAN}/dbl-2007-bl", f"{JACOBIAN}/dbl-1998-*")
    *lines, summary = outcome.out.splitlines()
    names = ["dbl-1998-cmo", "dbl-1998-cmo-2", "dbl-1998-hnm", "dbl-2007-bl"]
    assert lines[::2] == [f"proved    {JACOBIAN}/{name}" for name in names]
    assert set(lines[1::2]) == {"  exceptions: none; complete: always; for every odd p"}
    assert summary.startswith("4 of 4 proved in ")


def test_json_goes_to_standard_output_alone(efdgen: Callable):
    outcome = efdgen("verify", "dbl-2007-bl", "--json", "--jobs", "1")
    assert {finding["verdict"] for finding in json.loads(outcome.out)} == {"proved"}
    assert "proved in" in outcome.err


@pytest.mark.slow
def test_the_number_of_processes_changes_nothing(efdgen: Callable, tmp_path: Path, monkeypatch):
    def findings(jobs: int) -> list[dict[str, object]]:
        found = json.loads(efdgen("verify", "g1p/montgom", "--json", "--jobs", jobs).out)
        return [{**finding, "seconds": 0, "earlier": False} for finding in found]

    monkeypatch.setenv("EFDGEN_SHIPPED_PROOFS", "never")
    monkeypatch.setenv("EFDGEN_CACHE", str(tmp_path / "one"))
    alone = findings(1)
    monkeypatch.setenv("EFDGEN_CACHE", str(tmp_path / "three"))
    assert findings(3) == alone


def test_where_a_map_is_not_defined_and_which_primes_are_left_out_is_printed(efdgen: Callable):
    lines = efdgen("verify", "--models", "g1p/montgom", "g1p/hessian").out.splitlines()
    said = dict(zip(lines[:-1:2], lines[1::2], strict=True))
    assert said["proved    g1p/montgom/maps/edwards"] == "  undefined: y = 0 or x + 1 = 0; for every odd p"
    assert said["proved    g1p/montgom/maps/montgom"] == "  undefined: nowhere; for every odd p"
    assert said["proved    g1p/hessian"] == "  for every p but 2, 3"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["g1p/shortw/jacobain"], "no formula matches 'g1p/shortw/jacobain'; did you mean "),
        (["--from", "nowhere"], "nowhere: no such directory"),
        (["--jobs", "0"], "Invalid value for '--jobs'"),
    ],
)
def test_bad_input_is_one_error(efdgen: Callable, tmp_path: Path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    outcome = efdgen("verify", *arguments)
    assert outcome.code == 2
    assert message in outcome.err
    assert outcome.out == ""
    assert list(tmp_path.iterdir()) == []


def test_an_interrupt_ends_every_process():
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = multiprocessing.active_children()
    previous = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    start = time.perf_counter()
    try:
        with pytest.raises(KeyboardInterrupt):
            list(
                prover.examine_all(
                    lambda _: time.sleep(60), [f"{number}/kind/name" for number in range(4)], 2
                )
            )
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
    assert time.perf_counter() - start < 20
    assert multiprocessing.active_children() == before
