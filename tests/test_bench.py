"""What `make bench` makes of figures: medians, the best peer, ratios, and targets of rows that there are."""

import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).resolve().parents[1] / "bench"


@pytest.fixture
def bench(monkeypatch):
    monkeypatch.syspath_prepend(BENCH)
    import measure
    import subjects
    import targets

    yield measure, subjects, targets
    for name in ("measure", "subjects", "targets"):
        del sys.modules[name]


def test_a_ratio_is_the_median_of_the_ratios_of_rounds(bench):
    measure, *_ = bench
    row = measure.Row(
        {
            ("efdgen, gcc", "latency"): [10.0, 20.0, 400.0],
            ("efdgen, clang", "latency"): [90.0, 91.0, 92.0],
            ("crrl, rustc", "latency"): [15.0, 40.0, 500.0],
            ("OpenSSL", "latency"): [5.0, 10.0, 200.0],
        }
    )
    assert row.best("latency", ours=True) == "efdgen, gcc"
    assert row.best("latency", ours=False) == "OpenSSL"
    assert row.best("latency", ours=False, portable=True) == "crrl, rustc"
    assert row.ratio("latency", portable=True) == 1.5
    assert row.ratio("latency", portable=False) == 0.5
    assert row.ratio("throughput", portable=True) is None


def test_every_target_is_of_a_prime_or_a_curve_that_is_measured(bench):
    _, subjects, targets = bench
    known = {subject.name for subject in (*subjects.FIELDS, *subjects.CURVES, subjects.X_ONLY)}
    found = targets.targets()
    assert {name.partition("/")[0] for name in found} <= known
    # What was published of 5·2^248 - 1, which nothing here measures.
    published = {name: target.published for name, target in found.items() if target.published}
    base = {"mul": 46, "sqr": 33, "add": 13, "sub": 13, "inv": 7911, "sqrt": 9056, "is_square": 6616}
    extension = {"mul": 199, "sqr": 128, "inv": 7983, "sqrt": 33162, "is_square": 6701}
    assert published == {
        **{f"5*2^248-1/{operation}": cycles for operation, cycles in base.items()},
        **{f"(5*2^248-1)^2/{operation}": cycles for operation, cycles in extension.items()},
    }
