"""The subjects of a field's test programs: its elements, and those of GF(p²) if it is built."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from efdgen.generator.fields.quadratic import as_elements
from efdgen.generator.fields.reference import DERIVED, operand_count
from efdgen.generator.fields.reference_quadratic import QuadraticReference
from efdgen.generator.fields.references import derived_rows, identities, is_known, vectors

if TYPE_CHECKING:
    from collections.abc import Sequence

    from efdgen.generator.fields.field import Field
    from efdgen.generator.fields.pieces import FieldFunction
    from efdgen.generator.fields.reference import Identity, Row
    from efdgen.generator.mathematics.ground import Ground


@dataclass(frozen=True)
class Subject:
    """A test program, and what it tests: functions by their names among themselves, and rows of them.

    ``ground`` is the field that elements are over. ``size`` is the number of bytes of an encoded element;
    ``known`` are functions whose values are known.
    """

    program: str
    ground: Ground
    degree: int
    size: int
    functions: tuple[FieldFunction, ...]
    known: tuple[FieldFunction, ...]
    rows: tuple[Row, ...]

    @cached_property
    def has(self) -> frozenset[str]:
        """The names of all functions."""
        return frozenset(function.name for function in self.functions)

    @cached_property
    def derived(self) -> list[str]:
        """The operations that programs derive from functions that are there."""
        return [name for name, (needed, _) in DERIVED.items() if needed <= self.has]

    @property
    def takes_words(self) -> bool:
        """Return whether operands can be numbers that need not be below p."""
        return self.degree == 1 and {"to_words", "from_words"} <= self.has

    @property
    def has_roots(self) -> bool:
        """Return whether a function gives a root, or a flag that there is none."""
        return any(function.gives in ("element if flag", "element and flag") for function in self.known)

    @property
    def gives_both(self) -> bool:
        """Return whether a function gives a flag and a root in any case."""
        return any(function.gives == "element and flag" for function in self.known)

    @property
    def squares(self) -> bool:
        """Return whether a row has the square of a root; over GF(2^m) it has the root of an equation."""
        return not self.ground.is_binary

    @property
    def identities(self) -> list[Identity]:
        """Identities between functions that are there."""
        public = {function.name for function in self.functions if function.public}
        return [identity for identity in identities(self.ground) if identity.operations <= public]


def subjects(field: Field, functions: Sequence[FieldFunction]) -> list[Subject]:
    """Return what there is to test of a field's functions."""
    base = tuple(function for function in functions if not function.name.startswith("fe2_"))
    found = [_subject_of_base(field, base)]
    if field.nonresidue is not None:
        reference = QuadraticReference(field.prime, field.nonresidue, field.bytes, field.small)
        elements = as_elements(functions)
        known = tuple(function for function in elements if function.gives is not None)
        subject = Subject("test_fp2", field.ground, 2, 2 * field.bytes, elements, known, ())
        counts = {f.name: len(f.takes) for f in known} | {
            name: operand_count(name) for name in subject.derived
        }
        rows = tuple(row for name, count in counts.items() for row in reference.rows(name, count))
        found.append(replace(subject, rows=rows))
    return found


def _subject_of_base(field: Field, functions: tuple[FieldFunction, ...]) -> Subject:
    ground = field.ground
    known = tuple(function for function in functions if is_known(function, ground))
    subject = Subject("test_fp", ground, 1, field.bytes, functions, known, tuple(vectors(ground, known)))
    derived = [row for name in subject.derived for row in derived_rows(name, ground, field.small)]
    return replace(subject, rows=(*subject.rows, *derived))
