"""Instructions and simulated cycles: of what compilers emit, the same each time."""

import shutil

import pytest

from efdgen.generator.autotuning.candidates import timed_operations
from efdgen.generator.autotuning.estimates import InstructionCount, Simulation
from efdgen.generator.autotuning.stopwatch import Compiler, Timed
from efdgen.generator.errors import EfdgenError
from efdgen.generator.fields.field import Field
from efdgen.generator.mathematics.prime import PrimeField

COMPILERS = pytest.mark.parametrize(
    "compiler",
    [
        Compiler("c", "gcc", ("-O2",)),
        Compiler("c", "clang-19", ("-O2",)),
        Compiler("rust", "rustc", ("-Copt-level=2",)),
    ],
    ids=["gcc", "clang", "rustc"],
)
GCC = Compiler("c", "gcc", ("-O2",))
PROCESSORS = ("znver4", "sapphirerapids")


def operations(*names: str) -> list[Timed]:
    return timed_operations(Field(PrimeField(2**255 - 19), words=(64,)), names)


@COMPILERS
@pytest.mark.usefixtures("gcc", "clang", "cargo", "llvm_mca")
def test_what_takes_more_products_takes_more_of_both_each_time(compiler):
    chosen = operations("mul", "sqr", "add")
    for judged in (InstructionCount(compiler), Simulation(compiler, PROCESSORS)):
        found = judged(chosen, 2)
        assert all(each == [each[0]] * 2 for each in found)
        cost = {timed.operation.name: each[0] for timed, each in zip(chosen, found, strict=True)}
        assert cost["mul"] > cost["sqr"] > cost["add"] > 8
        assert judged(chosen, 2) == found
        assert judged.title.startswith(compiler.title)


@COMPILERS
@pytest.mark.usefixtures("gcc", "clang", "cargo")
def test_instructions_are_those_of_an_operation_alone(compiler):
    """A product of four words takes sixteen multiplications, four more to fold it, and little beside sums."""
    ((found,),) = InstructionCount(compiler)(operations("mul"), 1)
    assert 2 * 20 < found < 200


@COMPILERS
@pytest.mark.usefixtures("gcc", "clang", "cargo")
def test_what_is_there_twice_counts_alike(compiler):
    add, mul = operations("add", "mul")
    first, other, again = InstructionCount(compiler)([mul, add, mul], 1)
    assert first == again > other


@pytest.mark.usefixtures("gcc", "llvm_mca")
def test_processors_differ_and_count_alike():
    each = [Simulation(GCC, (name,))(operations("mul"), 1)[0][0] for name in PROCESSORS]
    ((both,),) = Simulation(GCC, PROCESSORS)(operations("mul"), 1)
    assert each[0] != each[1]
    assert both == pytest.approx((each[0] * each[1]) ** 0.5)


@pytest.mark.usefixtures("gcc", "llvm_mca")
def test_a_processor_that_is_not_known_is_refused():
    with pytest.raises(
        EfdgenError, match=r"llvm-mca\S* knows no processor 'z80'; llvm-mca\S* -mcpu=help lists"
    ):
        Simulation(GCC, ("z80",))(operations("add"), 1)


@pytest.mark.usefixtures("gcc")
def test_assembler_of_another_kind_is_refused():
    class Other(Compiler):
        def assembly(self, operations):
            return super().assembly(operations).replace("call_", "_call_")

    with pytest.raises(EfdgenError, match="not understood here; tune --by time"):
        InstructionCount(Other("c", "gcc", ("-O2",)))(operations("add"), 1)


@pytest.mark.usefixtures("gcc")
def test_without_a_simulator_it_says_what_to_install(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with pytest.raises(EfdgenError, match="llvm-mca is missing, which simulates a processor; install LLVM"):
        Simulation(GCC, PROCESSORS)(operations("add"), 1)
