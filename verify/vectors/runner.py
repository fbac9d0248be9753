"""Runs of a suite of vectors on drivers, and the judgement of every answer.

An answer has to represent the expected affine point, by every equation that gives coordinates their
meaning, and to be the same in each language and with each aliasing, bit for bit.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from efdgen.generator.curves.represent import means
from efdgen.generator.language.printer import print_equation
from efdgen.generator.programs.interpreter import evaluate
from efdgen.generator.programs.solve import holds
from efdgen.verify.vectors.data import EDGE, ON_PURPOSE, hexadecimal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from efdgen.generator.curves.affine import Point
    from efdgen.generator.language.syntax import Equation
    from efdgen.generator.mathematics.ground import Ground
    from efdgen.generator.options import Language
    from efdgen.verify.vectors.data import Case, FunctionVectors, Suite

FIELD = "field"

_SHOWN_FAILURES = 3
_LARGE = 1 << 64
_SMALL = 1 << 4


@dataclass(frozen=True)
class Failure:
    """A failure, with the request and the answer that show it; both empty if there is no single one."""

    reason: str
    request: str = ""
    answer: str = ""


@dataclass
class Result:
    """The result of one function in one language, or one build: calls, passed calls, the first failures.

    ``exceptional`` counts cases, not calls; see :class:`efdgen.verify.vectors.data.Case`.
    """

    function: str
    formula: str
    curve: str
    ground: Ground
    language: str
    cases: int
    exceptional: int
    calls: int = 0
    passed: int = 0
    failures: list[Failure] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Return whether every call passed, and nothing is wrong with the formula."""
        return self.calls == self.passed and not self.failures

    def count(self, reason: str, request: str, answer: str) -> None:
        """Count a call; an empty reason is a pass."""
        self.calls += 1
        if not reason:
            self.passed += 1
        elif len(self.failures) < _SHOWN_FAILURES:
            self.failures.append(Failure(reason, request, answer))


def requests(suite: Suite, language: Language) -> list[str]:
    """Return everything that a driver is asked, in order; Python has no field operations of its own."""
    lines = [] if language == "python" else list(_field_requests(suite))
    for function in suite.functions:
        for case in function.cases:
            lines += _case_requests(suite, function, case)
    return lines


def judge(suite: Suite, answers: Mapping[str, Sequence[str]]) -> list[Result]:
    """Return the results of every function in every language, given the answers to :func:`requests`."""
    streams = {language: iter(given) for language, given in answers.items()}
    results = [
        _judge_field(suite, language, streams[language]) for language in streams if language != "python"
    ]
    for function in suite.functions:
        results += _judge_function(suite, function, streams)
    return results


def faults(suite: Suite, function: FunctionVectors) -> list[Failure]:
    """Return what is wrong with a formula itself, whatever its kernels answer.

    On a curve over a field of 16 elements or less nothing is: it can have so few points that most of
    them, or all, are exceptional.
    """
    exceptional = [case for case in function.cases if case.exceptional and case.origin not in ON_PURPOSE]
    refused = [case for case in function.cases if case.expected and case.accepted is False]
    if refused:
        text = _case_requests(suite, function, refused[0])[0]
        return [Failure(f"the formula refuses what is right in {len(refused)} cases", text)]
    if suite.ground.order <= _SMALL:
        return []
    if not function.cases:
        return [Failure("no input of this function could be made")]
    found = []
    count = sum(case.origin != EDGE for case in function.cases)
    if 2 * len(exceptional) > count:
        found.append(Failure(f"the formula fails in {len(exceptional)} of {count} cases"))
    if suite.ground.order > _LARGE:
        for case in exceptional:
            if case.origin == "random":
                text = _case_requests(suite, function, case)[0]
                found.append(Failure("the formula fails at random points", text))
    return found[:_SHOWN_FAILURES]


def _field_requests(suite: Suite) -> Iterator[str]:
    for case in suite.field:
        yield " ".join((f"field.{case.operation}", case.alias, *case.arguments))


def _case_requests(suite: Suite, function: FunctionVectors, case: Case) -> list[str]:
    numbers = hexadecimal(case.inputs, suite.digits)
    return [" ".join((function.name, alias, *numbers)) for alias in ("-", *case.aliases)]


def _judge_field(suite: Suite, language: str, answers: Iterator[str]) -> Result:
    result = Result(FIELD, FIELD, "", suite.ground, language, len(suite.field), 0)
    for case, request in zip(suite.field, _field_requests(suite), strict=True):
        answer = next(answers)
        result.count("" if answer == case.answer else f"expected {case.answer}", request, answer)
    return result


def _judge_function(
    suite: Suite, function: FunctionVectors, streams: Mapping[str, Iterator[str]]
) -> Iterable[Result]:
    exceptional = sum(case.exceptional and case.origin != EDGE for case in function.cases)
    results = {
        language: Result(
            function.name,
            function.formula,
            function.curve,
            suite.ground,
            language,
            len(function.cases),
            exceptional,
            failures=faults(suite, function),
        )
        for language in streams
    }
    for case in function.cases:
        accepted = None
        for call in range(1 + len(case.aliases)):
            for language, stream in streams.items():
                answer = next(stream)
                reason = "" if answer == accepted else _fault(suite, function, case, answer)
                if not reason and accepted is None:
                    accepted = answer
                elif not reason and answer != accepted:
                    reason = f"other coordinates than elsewhere: {accepted}"
                request = _case_requests(suite, function, case)[call] if reason else ""
                results[language].count(reason, request, answer)
    return results.values()


def _fault(suite: Suite, function: FunctionVectors, case: Case, answer: str) -> str:
    """Say what is wrong with an answer; nothing where it is right."""
    texts = answer.split(" ")
    if case.accepted is not None and texts.pop() != str(int(case.accepted)):
        return f"it has to {'accept' if case.accepted else 'refuse'} this"
    try:
        values = [int(text, 16) for text in texts]
    except ValueError:
        return "not an answer"
    width = sum(len(shape.members) for shape in function.outputs)
    results = list(zip(*[iter(values)] * width, strict=False))
    wanted = len(case.inputs) // sum(len(s.members) for s in function.inputs) if function.length else 1
    if len(values) != wanted * width or max(values, default=0) >= suite.ground.order:
        return "not the coordinates of the outputs"
    if case.exact and tuple(values) != case.exact:
        return f"the equations give {' '.join(hexadecimal(case.exact, suite.digits))}"
    count = len(case.expected) // wanted if wanted else 0
    expected = [case.expected[start : start + count] for start in range(0, len(case.expected), count or 1)]
    reasons = (_meaning(suite, function, case, *pair) for pair in zip(results, expected, strict=False))
    return next(filter(None, reasons), "")


def _is_defined(equation: Equation, names: Mapping[str, int], field: Ground) -> bool:
    try:
        _ = [evaluate(side, field, names) for side in (equation.left, equation.right)]
    except ZeroDivisionError:
        return False
    return True


def _meaning(
    suite: Suite, function: FunctionVectors, case: Case, values: Sequence[int], expected: Sequence[Point]
) -> str:
    """Say which output, given all members of all outputs, is not the point that it has to be."""
    shapes, field = function.outputs, suite.ground
    names = [name for shape in shapes for name in shape.members.values()]
    known = {**dict(zip(names, values, strict=True)), **case.implicit}
    points = iter(expected)
    for shape in shapes:
        given = {**function.parameters, **known}
        # A slope through equal x is not defined, and may be any value.
        is_wrong = shape.equation is not None and not holds(shape.equation, given, field)
        if shape.equation is not None and is_wrong and _is_defined(shape.equation, given, field):
            return f"{shape.name} is not {print_equation(shape.equation)}"
        if shape.system is not None:
            point = next(points)
            variables = {v: known[name] for v, name in shape.coordinates.items() if v not in shape.fixed}
            parameters = {**function.parameters, **shape.parameters}
            if not means(shape.system, field, parameters, {**variables, **shape.fixed}, point):
                return f"{shape.name} does not represent ({', '.join(hexadecimal(point, suite.digits))})"
    return ""
