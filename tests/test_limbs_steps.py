"""Steps of limb functions: they make what the instructions make, and headers in C are short."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from test_limbs_rendered import functions

from efdgen.generator.curves.load import load_curve
from efdgen.generator.limbs.operations import Constant, Word
from efdgen.generator.limbs.plan import plan
from efdgen.generator.limbs.program import Instruction
from efdgen.generator.limbs.spelling import LimbFunction, printed
from efdgen.generator.limbs.steps import PREVIOUS, Run, Steps

STEPPED = {"P-384", "Ed448"}  # curves whose functions on 32-bit words repeat steps that are not rows
CURVES = ("P-256", "P-384", "P-521", "Ed448", "brainpoolP384r1", "BLS12-381")


class Meanings:
    """Numbers for expressions, equal for equal ones."""

    def __init__(self) -> None:
        self._found: dict[object, int] = {}

    def of(self, *expression: object) -> int:
        return self._found.setdefault(expression, len(self._found))

    def made(self, instruction: Instruction, values: dict[int, int]) -> Iterator[tuple[int, int]]:
        """Yield the results of an instruction, and what they are."""
        operation = instruction.operation
        known = operation if isinstance(operation, Constant | Word) else type(operation)
        reads = [values[value] for value in operation.operands]
        whole = self.of(known, getattr(operation, "amount", None), *reads)
        yield from ((value, self.of(whole, at)) for at, value in enumerate(instruction.results))


def outputs(function: LimbFunction, values: dict[int, int]) -> list[int]:
    return [values[word] for _, number in function.outputs for word in number.words]


def meant(function: LimbFunction, meanings: Meanings) -> list[int]:
    """Return the outputs of a function's instructions."""
    values: dict[int, int] = {}
    for instruction in function.program.instructions:
        values.update(meanings.made(instruction, values))
    return outputs(function, values)


def stepped(function: LimbFunction, steps: Steps, meanings: Meanings) -> list[int]:
    """Return the outputs of a function with calls of steps."""
    values: dict[int, int] = {}
    arrays = {n.name: [meanings.of(meanings.of(Word(n.name, i), None), 0) for i in range(len(n.words))]
              for n in function.inputs}  # fmt: skip
    for instruction in function.program.instructions:
        if isinstance(instruction.operation, Constant):
            values.update(meanings.made(instruction, values))
    for _, items in steps.parts(function):
        for item in items:
            if isinstance(item, Run):
                called(item, values, arrays, meanings)
            else:
                values.update(meanings.made(item, values))
    return outputs(function, values)


def called(run: Run, values: dict[int, int], arrays: dict[str, list[int]], meanings: Meanings) -> None:
    """Take the steps of a run, one after the other."""
    before: list[int | None] = []
    if isinstance(run.first, str):
        before = [*arrays[run.first]]
    elif run.first is not None:
        before = [None if value is None else values[value] for value in run.first]
    names = [number.name for number in run.step.inputs if number.name != PREVIOUS]
    for call in run.calls:
        given = {PREVIOUS: before}
        for name, argument in zip(names, call.arguments, strict=True):
            given[name] = arrays[argument] if isinstance(argument, str) else [values[argument]]
        own: dict[int, int] = {}
        for instruction in run.step.program.instructions:
            match instruction.operation:
                case Word(name, index):
                    if index < len(given[name]) and (word := given[name][index]) is not None:
                        own[instruction.results[0]] = word
                case _:
                    own.update(meanings.made(instruction, own))
        ((_, result),) = run.step.outputs
        before = [own[word] for word in result.words]
        values.update(zip(call.results, before, strict=True))


@pytest.mark.drawn(6)
@pytest.mark.parametrize("word", [64, 32])
@pytest.mark.parametrize("curve", CURVES)
def test_steps_make_what_instructions_make(curve, word):
    chosen = plan(load_curve(curve).prime, word, "portable")
    every = functions(chosen)
    steps, meanings = Steps(every), Meanings()
    assert word == 64 or bool(steps.functions) == (curve in STEPPED)
    for function in every:
        assert stepped(function, steps, meanings) == meant(function, meanings), function.name
    lines = [sum(len(items) for f in every for _, items in found(f)) for found in (printed, steps.parts)]
    assert lines[1] <= lines[0]


def test_a_function_without_repetition_has_no_step():
    chosen = plan(load_curve("edwards25519").prime, 64, "portable")
    assert Steps([f for f in functions(chosen) if f.name in ("add", "sub", "neg")]).functions == ()


@pytest.mark.slow
@pytest.mark.drawn(2)
@pytest.mark.parametrize(
    "curve", ["P-224", "P-384", "P-521", "Ed448", "Curve448", "BLS12-381", "brainpoolP320r1"]
)
def test_headers_by_calls_are_short(curve, tmp_path: Path, efdgen):
    done = efdgen("compile", "--lang", "c", "--curve", curve, "--lowering", "calls", "--out", tmp_path)
    assert done.code == 0, done.err
    (header,) = (path for path in tmp_path.glob("*.h") if not path.stem.endswith("_32"))
    assert len(header.read_text().splitlines()) < 1700


@pytest.mark.slow
@pytest.mark.parametrize(("curve", "lines"), [("secp256k1", 2500), ("edwards25519", 2300), ("P-256", 3200)])
def test_default_headers_are_short(curve, lines, tmp_path: Path, efdgen):
    assert efdgen("compile", "--lang", "c", "--curve", curve, "--out", tmp_path).code == 0
    (header,) = (path for path in tmp_path.glob("*.h") if not path.stem.endswith("_32"))
    assert len(header.read_text().splitlines()) < lines
