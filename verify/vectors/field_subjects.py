"""Testable fields: the test programs of a bundle, each a subject of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from efdgen.generator.fields.bundle import field_functions
from efdgen.generator.fields.pieces import Names
from efdgen.generator.render.field import subject as field_subject
from efdgen.generator.render.field.bundle import wanted
from efdgen.verify.vectors.field_suite import FieldSuite

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from efdgen.generator.fields.field import Field
    from efdgen.generator.fields.request import FieldRequest
    from efdgen.generator.options import Language

PROGRAMS = ("test_fp", "test_fp2")

# The names of a test program and of a driver among a bundle's files.
_PLACES: dict[Language, tuple[str, str]] = {
    "c": ("{}.c", "driver.c"),
    "rust": ("examples/{}.rs", "examples/driver.rs"),
    "python": ("{}.py", "driver.py"),
}


@dataclass(frozen=True)
class FieldSubject:
    """A test program of a field, and its files in one or more languages, it being their driver."""

    title: str
    field: Field
    subject: field_subject.Subject
    files: Mapping[Language, Mapping[str, str]]
    left_out: Mapping[Language, frozenset[str]]

    arguments: ClassVar[tuple[str, ...]] = ("run",)
    """The arguments that make the program answer requests."""

    @property
    def words(self) -> tuple[int, ...]:
        """The sizes of words that the code is for."""
        return tuple(found.word for found in self.field.representations)

    def suite(self, seed: int) -> FieldSuite:
        """Return what the program is asked."""
        return FieldSuite(self.title, self.field, self.subject, self.left_out, seed)


def field_subjects(
    request: FieldRequest, files: Mapping[Language, Mapping[str, str]]
) -> Iterator[FieldSubject]:
    """Yield a subject for each test program of a field that was printed in some languages."""
    field, names = request.field(), Names(request.prefix)
    # Rust has all of these, and more where GF(p²) calls it.
    functions = field_functions(field, names, wanted(field, names, request.operations, "c"), "c")
    for subject in field_subject.subjects(field, functions):
        found = {
            language: _with_driver(language, subject.program, texts)
            for language, texts in files.items()
            if _PLACES[language][0].format(subject.program) in texts
        }
        operations = {*subject.derived, *(function.name for function in subject.known)}
        module = "".join(files.get("python", {}).values())
        left_out = frozenset(name for name in operations if f"def {name}(" not in module)
        degree = "" if subject.degree == 1 else "²"
        title = f"GF(p{degree}), p = {request.prime}"
        if field.is_binary:
            title = f"{field.ground}, {field.modulus_text}"
        yield FieldSubject(title, field, subject, found, {"python": left_out})


def _with_driver(language: Language, program: str, files: Mapping[str, str]) -> dict[str, str]:
    """Return the files with one test program, where a driver is, and without the others."""
    place, driver = _PLACES[language]
    programs = {place.format(each) for each in PROGRAMS}
    others = {name: text for name, text in files.items() if name not in programs}
    return {**others, driver: files[place.format(program)]}
