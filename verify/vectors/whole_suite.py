"""The suite of a whole curve: its requests, and the verdict on a driver's answers in any language."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, ClassVar

from efdgen.verify.vectors.runner import Result
from efdgen.verify.vectors.whole_cases import questions
from efdgen.verify.vectors.whole_curve import REFUSED
from efdgen.verify.vectors.whole_many import NOT_IN_RUST, ONLY_IN_C

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from efdgen.generator.compile import Language
    from efdgen.verify.vectors.whole_cases import Question
    from efdgen.verify.vectors.whole_curve import WholeCurve

SCHEMA = "efdgen-curve-vectors-1"

_OF_PUBLIC = (
    *(
        "_var",
        "_verify",
        "_verify_digest",
        "_recover",
        "_low_s",
        "_der",
        "decode",
        "decode_wire",
        "decode_xy_batch",
    ),
    *("random_scalar", "random_point", "random_point_by_lift"),
)
"""The suffixes of functions that may take time that depends on their inputs."""

NOT_IN_PYTHON = frozenset(
    {
        *("add_var", "subtract_var", "select"),
        *("multiply_generator_var", "double_multiply_generators_var"),
    }
)
"""The functions that Python does not have."""


@dataclass(frozen=True)
class WholeSuite:
    """The requests to the drivers of a curve; ``seed`` is the seed of random points and scalars.

    ``ask`` makes the questions. With ``constant_time`` there is one for each function that has to take
    constant time.
    """

    curve: WholeCurve
    seed: int
    constant_time: bool = False
    ask: Callable[[WholeCurve, Random], Iterator[Question]] = questions

    aside: ClassVar[str] = "Refused"
    """The name in tables for cases in which a function refuses its input."""

    @cached_property
    def questions(self) -> tuple[Question, ...]:
        """The questions, in order."""
        found = tuple(self.ask(self.curve, Random(self.seed)))
        if not self.constant_time:
            return found
        answered = {question.function: question for question in found if question.answer != REFUSED}
        return tuple(q for name, q in answered.items() if not name.endswith(_OF_PUBLIC))

    @property
    def functions(self) -> tuple[str, ...]:
        """The functions that are asked for, in order of their first question."""
        return tuple(dict.fromkeys(question.function for question in self.questions))

    @property
    def published(self) -> int:
        """The number of published answers."""
        return sum(question.origin == "published" for question in self.questions)

    def requests(self, language: Language) -> list[str]:
        """Return the lines that a driver is sent."""
        return [question.request for question in self._asked(language)]

    def _asked(self, language: str) -> list[Question]:
        """Return the questions to a language, or to a build in another than Python."""
        left_out = ONLY_IN_C if language.startswith(("rust", "python")) else frozenset()
        left_out |= NOT_IN_RUST if language.startswith("rust") else frozenset()
        left_out |= NOT_IN_PYTHON if language == "python" else frozenset()
        return [question for question in self.questions if question.function not in left_out]

    def judge(self, answers: Mapping[str, Sequence[str]]) -> list[Result]:
        """Return the results of every function in every language, given the answers to :meth:`requests`."""
        counts = Counter(question.function for question in self.questions)
        refusals = Counter(q.function for q in self.questions if q.answer == REFUSED)
        curve = self.curve.curve
        results = {
            (function, language): Result(
                *(function, function, curve.name, curve.prime, language),
                *(counts[function], refusals[function]),
            )
            for language in answers
            for function in dict.fromkeys(question.function for question in self._asked(language))
        }
        for language, given in answers.items():
            for question, answer in zip(self._asked(language), given, strict=True):
                reason = "" if answer == question.answer else f"expected {question.answer}"
                results[question.function, language].count(reason, question.request, answer)
        return list(results.values())

    def text(self) -> str:
        """Return the vectors as ``docs/vectors.md`` describes them."""
        functions = [
            {
                "name": function,
                "cases": [
                    {"origin": q.origin, "arguments": q.arguments, "answer": q.answer}
                    for q in self.questions
                    if q.function == function
                ],
            }
            for function in self.functions
        ]
        curve = self.curve.curve
        values = {"curve": curve.name, "prime": f"{curve.prime:x}", "seed": self.seed, "functions": functions}
        return json.dumps({"schema": SCHEMA, **values}, indent=1) + "\n"
