"""Certificates of formulas: every theorem about a formula, proved, read back and witnessed, as one file."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError
from efdgen.generator.header import MARK
from efdgen.generator.language.syntax import Binary, Equation, Negative, Number
from efdgen.generator.reports.describe import citations
from efdgen.generator.version import __version__
from efdgen.verify.rocq.batch import pair_statement, pair_witness, step_statement
from efdgen.verify.rocq.cases import cases_of, require_divisors, zeros_of
from efdgen.verify.rocq.formulas import statement_of
from efdgen.verify.rocq.programs import steps_of
from efdgen.verify.rocq.prove import prove
from efdgen.verify.rocq.reader import ReadStatement, read_statement
from efdgen.verify.rocq.record import digest
from efdgen.verify.rocq.sage_script import script, script_text
from efdgen.verify.rocq.terms import words
from efdgen.verify.rocq.text import certificate_text, prelude, theorem_text
from efdgen.verify.rocq.witness import witness

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from efdgen.generator.formulas.formula import Formula
    from efdgen.generator.kernels.specialise import Specialised
    from efdgen.generator.language.syntax import Assignment, Expression
    from efdgen.verify.rocq.prove import Proof
    from efdgen.verify.rocq.witness import Curve


@dataclass(frozen=True)
class Certificate:
    """The theorems about one subject, by their names in Rocq, and the text of each, without the checker.

    ``scripts`` are the same proofs for SageMath; ``about`` are the lines of a file's first comment.
    """

    subject: str
    binary: bool
    names: tuple[str, ...]
    theorems: tuple[str, ...]
    scripts: tuple[str, ...]
    about: tuple[str, ...]

    @property
    def file(self) -> str:
        """The name of the file."""
        return f"{theorem_name(self.subject)}.v"

    @property
    def digest(self) -> str:
        """The digest of all that Rocq reads, in hexadecimal."""
        return digest("\0".join((prelude(self.binary), *self.theorems)))

    @property
    def script_file(self) -> str:
        """The name of the script for SageMath."""
        return f"{theorem_name(self.subject)}.py"

    def text(self, form: str = "rocq") -> str:
        """Return the whole file, which needs nothing but Rocq's standard library, or SageMath."""
        mark, about = f"{MARK} {__version__}. DO NOT EDIT.", (f"Certificate of {self.subject}", *self.about)
        if form == "sage":
            return script_text((mark, *about), self.scripts)
        return certificate_text(((mark,), about), self.binary, self.names, self.theorems)


def theorem_name(subject: str) -> str:
    """Return the name of the theorem about a formula, model or map."""
    return re.sub(r"\W", "_", subject)


def certificate(
    formula: Formula, emitted: Specialised | None = None, *, unchecked: bool = False
) -> Certificate:
    """Return the certificate of a formula, or of the program that is ``emitted`` of it for a curve.

    If ``unchecked``, a false formula has one too, which Rocq refuses. Raises :class:`EfdgenError` for a
    false formula, and where a certificate cannot say what would have to be said.
    """
    name = theorem_name(formula.id)
    theorems = list(_theorems(formula, name, emitted, unchecked=unchecked))
    about = [f"Source: {formula.source or 'none given by the database'}"]
    about += citations(formula).values()
    about += [line for theorem in theorems for line in theorem.about]
    return Certificate(
        formula.id,
        formula.system.model.binary,
        tuple(theorem.name for theorem in theorems),
        tuple(theorem.text for theorem in theorems),
        tuple(theorem.script for theorem in theorems),
        tuple(about),
    )


@dataclass(frozen=True)
class _Theorem:
    name: str
    text: str
    script: str
    about: tuple[str, ...] = ()


def _theorems(
    formula: Formula, name: str, emitted: Specialised | None, *, unchecked: bool
) -> Iterator[_Theorem]:
    """Yield a theorem for each case of the assumptions, then those about hints and batches."""
    steps = steps_of(emitted.formula, emitted.program) if emitted else _own_steps(formula)
    program, curve = (steps, (emitted.prime, emitted.values)) if emitted else (None, None)
    cases = cases_of(formula)
    left_out = tuple(f"Left out: {case}." for case in cases.left_out)
    for number, instance in enumerate(cases.instances, start=1):
        own = f"{name}_case{number}" if len(cases.instances) > 1 else name
        zeros = zeros_of(instance)
        statement = statement_of(formula, own, zeros, program=program)
        proof = prove(statement, unchecked=unchecked)
        require_divisors(proof, instance, cases.excluded_primes)
        about = left_out if number == 1 else ()
        yield _witnessed(formula, proof, steps, zeros, about, curve=curve, unchecked=unchecked)
    if formula.hints and formula.checks:
        statement = statement_of(formula, f"{name}_checked", checked=True, program=program)
        proof = prove(statement, unchecked=unchecked)
        yield _witnessed(formula, proof, steps, curve=curve, unchecked=unchecked)
    if formula.kind.length and not emitted:
        yield from _of_many_points(formula, name, unchecked=unchecked)


def _of_many_points(formula: Formula, name: str, *, unchecked: bool) -> Iterator[_Theorem]:
    """Yield the step of the induction on the number of points, and the theorem about two."""
    step = prove(step_statement(f"{name}_step", binary=formula.system.model.binary))
    yield _Theorem(step.statement.name, read_back(step)[0], script(step))
    pair = prove(pair_statement(formula, f"{name}_pair"), unchecked=unchecked)
    text, read = read_back(pair)
    about = (
        f"The hypotheses about two points hold, among others, {pair_witness(formula, pair.statement, read)}."
    )
    yield _Theorem(pair.statement.name, text, script(pair), (about,))


def _own_steps(formula: Formula) -> tuple[Assignment, ...]:
    return (*formula.assignments, *formula.ghosts)


def _witnessed(
    formula: Formula,
    proof: Proof,
    steps: tuple[Assignment, ...],
    zeros: Sequence[Expression] = (),
    about: Sequence[str] = (),
    *,
    curve: Curve | None,
    unchecked: bool,
) -> _Theorem:
    """Return a theorem whose text was read back, and whose hypotheses hold somewhere."""
    text, read = read_back(proof)
    found = witness(formula, proof.statement, read, steps, zeros, curve=curve, claims=not unchecked)
    values = f"Its hypotheses hold, among others, {found}."
    asked = [f"It asks {words(divisor)} to be invertible." for divisor in proof.divisors]
    return _Theorem(proof.statement.name, text, script(proof), (*about, *asked, values))


def read_back(proof: Proof) -> tuple[str, ReadStatement]:
    """Return the text of a theorem, and its statement as it is read; they have to be the same."""
    text = theorem_text(proof)
    read, statement = read_statement(text, proof.statement.name), proof.statement
    written = ReadStatement(
        statement.binary,
        statement.names,
        tuple(_modulo(e, binary=statement.binary) for e in statement.equations),
        tuple(_modulo(claim.equation, binary=statement.binary) for claim in statement.claims),
    )
    if read != written:
        raise EfdgenError(f"the text of {statement.name} is not its statement")
    return text, read


def _modulo(equation: Equation, *, binary: bool) -> Equation:
    """Return an equation whose integers are those modulo 2 where that is the characteristic."""
    if not binary:
        return equation
    return Equation(_reduced(equation.left), _reduced(equation.right))


def _reduced(expression: Expression) -> Expression:
    match expression:
        case Number(value):
            return Number(value % 2)
        case Negative(inner):
            return Negative(_reduced(inner))
        case Binary("^", base, exponent):
            return Binary("^", _reduced(base), exponent)
        case Binary(operator, left, right):
            return Binary(operator, _reduced(left), _reduced(right))
    return expression
