"""Decisions by measurement, on figures that a test makes up, so that the fastest is known."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import islice
from random import Random

import pytest

from efdgen.generator.autotuning import stopwatch as stopwatches
from efdgen.generator.autotuning.candidates import fields, timed_operations
from efdgen.generator.autotuning.decide import compare, together
from efdgen.generator.autotuning.search import SIZE, Search
from efdgen.generator.autotuning.session import Session
from efdgen.generator.autotuning.stopwatch import Timed, jointly
from efdgen.generator.autotuning.tune import tune_field
from efdgen.generator.errors import EfdgenError
from efdgen.generator.fields.field import Field
from efdgen.generator.fields.whole import whole_operation
from efdgen.generator.limbs.plan import plan, representations
from efdgen.generator.limbs.spelling import LimbFunction
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.generator.programs.builder import ProgramBuilder
from efdgen.generator.programs.program import Add, Input, Mul, Program, Sqr
from efdgen.generator.tuning.order import Order
from efdgen.generator.tuning.tuning import FieldChoice, Tuning
from efdgen.verify.fields.certificate import prove_operation

P = 2**255 - 19
PLAIN = Field(PrimeField(P), words=(64,))


def operation(name: str) -> Timed:
    (found,) = timed_operations(PLAIN, (name,))
    return found


def stopwatch(cycles: Callable[[Timed], float], noise: Callable[[int], float]) -> Callable[..., object]:
    """Return a stopwatch by which an operation takes ``cycles``, each time with some noise on it."""
    count = iter(range(10**9))

    def times(operations: Sequence[Timed], rounds: int) -> list[list[float]]:
        return [[cycles(timed) * noise(next(count)) for _ in range(rounds)] for timed in operations]

    return times


def still(_: int) -> float:
    return 1.0


def session(times: Callable[..., object], prove: Callable[..., object] = prove_operation) -> Session:
    return Session(times, prove, lambda _: None)


def unproved(_: object) -> None:
    """Prove nothing, where a test is about times alone."""


NAMED = [(name, [operation(name)]) for name in ("mul", "sqr", "add")]


def named(timed: Timed) -> str:
    return next(name for name, (known,) in NAMED if known.operation.program == timed.operation.program)


@pytest.mark.parametrize(
    ("cycles", "kept"),
    [({"mul": 40, "sqr": 30, "add": 35}, 1), ({"mul": 40, "sqr": 50, "add": 30}, 2), ({"mul": 9}, 0)],
)
def test_the_fastest_is_kept(cycles, kept):
    measuring = session(stopwatch(lambda timed: cycles.get(named(timed), 10), still))
    assert measuring.decide("a test", NAMED) == kept
    (row,) = measuring.rows
    assert (row.wins, row.tried, row.rival in ("sqr", "add")) == (kept > 0, 3, True)
    assert row.ratio == (40 / 30 if kept else 1)


def test_noise_does_not_change_what_is_decided(rng):
    """Medians differ between equal operations, and the fastest of many is still not faster."""
    seed = rng.getrandbits(32)
    noises = Random(seed)
    measuring = session(stopwatch(lambda _: 100, lambda _: 1 + abs(noises.gauss(0, 0.05))), unproved)
    for _ in range(200):
        measuring.decide("a test", NAMED)
    wrong = sum(row.wins for row in measuring.rows)
    assert wrong == 0, (seed, wrong)
    # A rival that is faster by more than that noise is seen through it.
    faster = session(
        stopwatch(lambda t: 70 if named(t) == "add" else 100, lambda _: 1 + abs(noises.gauss(0, 0.05)))
    )
    assert [faster.decide("a test", NAMED) for _ in range(20)] == [2] * 20, seed


def test_a_rival_that_is_faster_in_half_of_the_rounds_alone_does_not_win():
    standing = [100.0] * 50
    assert not compare(standing, standing, [60.0] * 26 + [101.0] * 24).wins
    assert compare(standing, standing, [60.0] * 45 + [101.0] * 5).wins
    assert not compare(standing, [97.0] * 25 + [103.0] * 25, [98.0] * 50).wins


def test_operations_count_by_the_geometric_mean_of_their_times():
    assert together([[4.0, 1.0], [9.0, 1.0]]) == pytest.approx([6.0, 1.0])
    each = [stopwatch(lambda _, c=c: c, still) for c in (2, 8)]
    assert jointly(each)([operation("mul")], 3) == [pytest.approx([4.0] * 3)]


def test_what_is_not_proved_is_never_measured():
    """A product in the place of a sum would be the fastest of all, were it measured."""
    sqr, add = operation("sqr").operation, operation("add").operation
    wrong = Timed(PLAIN.representations[0], replace(sqr, contract=add.contract))
    seen: list[Timed] = []

    def times(operations: Sequence[Timed], rounds: int) -> list[list[float]]:
        seen.extend(operations)
        return [[1.0 if timed.operation.program == sqr.program else 50.0] * rounds for timed in operations]

    measuring = session(times)
    assert measuring.decide("a test", [("add", [operation("add")]), ("wrong", [wrong])]) == 0
    assert len(measuring.refused) == 1
    assert "r = a² is not proved" in measuring.refused[0]
    assert wrong not in seen
    assert measuring.decide("a test", [("add", [operation("add")]), ("right", [operation("sqr")])]) == 1
    with pytest.raises(EfdgenError, match="is not proved"):
        measuring.decide("a test", [("wrong", [wrong]), ("add", [operation("add")])])


def toy() -> Program:
    """Return a program with many orders: (x1 + x2)², x1·x2, x1², x2² and a product of all."""
    builder = ProgramBuilder()
    x, y = (builder.emit(Input(name), name) for name in ("X1", "X2"))
    square = builder.emit(Sqr(builder.emit(Add(x, y), "s")), "ss")
    product = builder.emit(Mul(x, y), "xy")
    first, second = builder.emit(Sqr(x), "xx"), builder.emit(Sqr(y), "yy")
    both = builder.emit(Mul(first, second), "b")
    return builder.build([("X3", builder.emit(Mul(builder.emit(Mul(square, product), "c"), both), "X3"))])


def search(program: Program, times: Callable[..., object], prove: Callable[..., object], seed: int) -> Search:
    (found,) = PLAIN.representations
    refused: list[EfdgenError] = []

    def make(ordered: Program) -> Timed:
        made = Timed(found, whole_operation("f", "toy", program, ordered, found.plan))
        prove(made.operation)
        return made

    return Search(
        program, (Order(tuple(range(len(program.instructions)))),), make, refused.append, times, Random(seed)
    )


def squares_at(timed: Timed) -> float:
    """Return a time that is the shorter the later X2² is made."""
    texts = [block.text for block in timed.operation.program.blocks]
    return 100.0 - next(at for at, text in enumerate(texts) if text.startswith("yy_wide"))


@pytest.mark.slow
def test_a_search_finds_what_its_stopwatch_prefers_and_the_same_for_the_same_seed():
    times = stopwatch(squares_at, still)
    found = [list(islice(search(toy(), times, prove_operation, seed).rounds(), 3)) for seed in (1, 1, 2)]
    assert found[0] == found[1]
    assert found[0] != found[2]
    cycles = [cycles for cycles, _ in found[0]]
    assert cycles[-1] < squares_at(search(toy(), times, prove_operation, 1).make(toy()))
    assert cycles == sorted(cycles, reverse=True)


def test_a_search_leaves_out_what_is_not_proved():
    measured: list[int] = []

    def times(operations: Sequence[Timed], rounds: int) -> list[list[float]]:
        measured.append(len(operations))
        return [[1.0] * rounds for _ in operations]

    def refuse(_: object) -> None:
        raise EfdgenError("not proved")

    assert list(search(toy(), times, refuse, 1).rounds()) == []
    assert measured == []
    next(search(toy(), times, prove_operation, 1).rounds())
    assert 1 < measured[0] <= SIZE + 1


def test_a_field_has_what_is_faster_by_its_operations():
    """Squares that begin with their diagonal are as fast as this stopwatch says that they are."""
    plans = [field.representations[0].plan for field in fields(P, Tuning("c"))]
    assert plans[0] == plan(P, target="portable")
    assert {(p.representation, p.target) for p in plans[1:]} == {
        (kind, target) for kind in representations(P) for target in ("gcc", "clang")
    }
    sqr = {
        target: timed_operations(Field(PrimeField(P), target, (64,), kind="saturated"), ("sqr",))[
            0
        ].operation.program
        for target in ("gcc", "clang")
    }
    assert sqr["gcc"] != sqr["clang"]
    for fast, target, ratio in (("gcc", "portable", 1.0), ("clang", "clang", 4 / 3)):
        measuring = session(stopwatch(lambda t, f=fast: 30 if t.operation.program == sqr[f] else 40, still))
        found = tune_field(measuring, P, Tuning("c"), ("sqr",))
        assert found.fields == (FieldChoice(P, 64, "saturated", target, ratio),)
    assert Field(PrimeField(P), words=(64,), tuning=found).representations[0].plan.target == "clang"
    assert Field(PrimeField(P), "gcc", (64,), tuning=found).representations[0].plan.target == "gcc"
    for target, kind in ((None, "unsaturated"), ("clang", "unsaturated"), ("gcc", "saturated")):
        turned = Tuning("c", (), (FieldChoice(P, 64, "unsaturated", "clang"),))
        assert (
            Field(PrimeField(P), target, (64,), tuning=turned).representations[0].plan.representation == kind
        )
    with pytest.raises(EfdgenError, match="cannot tune square; did you mean sqr"):
        tune_field(measuring, P, Tuning("c"), ("square",))


def test_a_sum_of_points_takes_the_place_of_the_first():
    builder = ProgramBuilder()
    second, first = (builder.emit(Input(name), name) for name in ("X2", "X1"))
    program = builder.build([("X3", builder.emit(Mul(second, first)))])
    (found,) = PLAIN.representations
    timed = Timed(found, whole_operation("f", "", program, program, found.plan))
    inputs = [number.name for number in LimbFunction("f", timed.operation.program, ()).inputs]
    places = {"X1": "s0[0]", "X2": "s1[0]"}
    called = f"t_limbs_f(r[0], {', '.join(places[name] for name in inputs)});"
    assert stopwatches._call("c", "t", timed)["call"] == called
