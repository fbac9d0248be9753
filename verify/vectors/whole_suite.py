"""The suite of a whole curve: its requests, and the verdict on a driver's answers in any language."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, ClassVar

from efdgen.generator.exports.export import LANGUAGES, protocol_exports
from efdgen.verify.vectors.data import field_object
from efdgen.verify.vectors.runner import Result
from efdgen.verify.vectors.whole_cases import questions
from efdgen.verify.vectors.whole_curve import REFUSED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from efdgen.generator.options import Language
    from efdgen.verify.vectors.whole_cases import Question
    from efdgen.verify.vectors.whole_curve import WholeCurve

SCHEMA = "efdgen-curve-vectors-1"


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
        return tuple(q for name, q in answered.items() if self._is_secret(name))

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
        return [question.request for question in self.asked(language)]

    def asked(self, build: str) -> list[Question]:
        """Return the questions to a language, or to a build in C, whose name is a compiler's."""
        language = next((name for name in LANGUAGES if build.startswith(name) and name != "c"), "c")
        return [question for question in self.questions if self.curve.is_in(language, question.function)]

    def _is_secret(self, name: str) -> bool:
        export = self.curve.functions.get(name) or protocol_exports().get(name)
        return export is None or export.constant_time

    def judge(self, answers: Mapping[str, Sequence[str]]) -> list[Result]:
        """Return the results of every function in every language, given the answers to :meth:`requests`."""
        counts = Counter(question.function for question in self.questions)
        refusals = Counter(q.function for q in self.questions if q.answer == REFUSED)
        curve = self.curve.curve
        results = {
            (function, language): Result(
                *(function, function, curve.name, curve.field, language),
                *(counts[function], refusals[function]),
            )
            for language in answers
            for function in dict.fromkeys(question.function for question in self.asked(language))
        }
        for language, given in answers.items():
            for question, answer in zip(self.asked(language), given, strict=True):
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
        values = {"curve": curve.name, **field_object(curve.field), "seed": self.seed, "functions": functions}
        return json.dumps({"schema": SCHEMA, **values}, indent=1) + "\n"
