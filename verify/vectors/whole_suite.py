"""The suite of a whole curve: its questions, and the verdict on the answers of a driver in any language."""

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

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from efdgen.generator.compile import Language
    from efdgen.verify.vectors.whole_cases import Question
    from efdgen.verify.vectors.whole_curve import WholeCurve

SCHEMA = "efdgen-curve-vectors-1"


@dataclass(frozen=True)
class WholeSuite:
    """What the drivers of a curve are asked; ``seed`` is what random points and scalars were drawn from."""

    curve: WholeCurve
    seed: int

    aside: ClassVar[str] = "Refused"
    """What a table calls the cases in which a function refuses its input."""

    @cached_property
    def questions(self) -> tuple[Question, ...]:
        """The questions, in order."""
        return tuple(questions(self.curve, Random(self.seed)))

    @property
    def functions(self) -> tuple[str, ...]:
        """The functions that are asked for, in order of their first question."""
        return tuple(dict.fromkeys(question.function for question in self.questions))

    @property
    def published(self) -> int:
        """How many answers are published ones."""
        return sum(question.origin == "published" for question in self.questions)

    def requests(self, language: Language) -> list[str]:
        """Return the lines that a driver is sent."""
        return [question.request for question in self.questions]

    def judge(self, answers: Mapping[Language, Sequence[str]]) -> list[Result]:
        """Return the results of every function in every language, given the answers to :meth:`requests`."""
        counts = Counter(question.function for question in self.questions)
        refusals = Counter(q.function for q in self.questions if q.answer == REFUSED)
        curve = self.curve.curve
        results = {
            (function, language): Result(
                *(function, function, curve.name, curve.prime, language),
                *(counts[function], refusals[function]),
            )
            for function in self.functions
            for language in answers
        }
        for language, given in answers.items():
            for question, answer in zip(self.questions, given, strict=True):
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
