"""The text of certificates in Rocq: the statement, the data of its proof, and the theorem."""

from __future__ import annotations

import re
from functools import cache
from textwrap import fill
from typing import TYPE_CHECKING

from efdgen.generator.text.environment import TEMPLATES
from efdgen.verify.rocq.statement import comment
from efdgen.verify.rocq.steps import Combine, Conclude, Define, Forget, Invert, Relate, Shorter, Solve
from efdgen.verify.rocq.terms import expression_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from efdgen.generator.language.syntax import Equation
    from efdgen.verify.rocq.prove import Proof
    from efdgen.verify.rocq.statement import Statement, comment
from efdgen.verify.rocq.steps import Cofactors, Exponents, Polynomial, Reason, Rule, Step

_WIDTH = 110
_MOST_TERMS = 32
_PARTS = ("bases", "hypotheses", "steps", "goals", "reasons")
_RING = "Elt zero one add mul sub opp"
_STATED = "1. The statements. What they say is all that there is to trust, besides Rocq's kernel."
_CHECKER = "2. The checker, with a proof that it is right; it is the same in all certificates."
_SPLIT = "\n(* The data of the proof, and the theorem. *)\n"
_PROOFS = "3. The theorems. The data of each proof lead the checker from the hypotheses to the claims."


@cache
def template(name: str) -> str:
    """Return a part of every certificate."""
    return (TEMPLATES / "rocq" / f"{name}.v").read_text(encoding="utf-8")


def prelude(binary: bool | None = None) -> str:
    """Return the checker and its coefficients; those of all theorems for None."""
    parts = {None: ("integers", "bits"), False: ("integers",), True: ("bits",)}[binary]
    return "\n".join(template(part) for part in ("checker", *parts, "data"))


def certificate_text(
    about: Sequence[Sequence[str]], binary: bool, names: Sequence[str], theorems: Sequence[str]
) -> str:
    """Return a certificate: a comment, the statements, the checker, and the theorems with their data."""
    head = "\n\n   ".join(_paragraph(part) for part in about)
    statements, proofs = zip(*map(theorem_parts, theorems), strict=True)
    assumed = "".join(f"Print Assumptions {name}.\n" for name in names)
    return "\n".join(
        (
            comment(head),
            template("libraries"),
            f"{comment(_STATED)}\n",
            *statements,
            f"{comment(_CHECKER)}\n",
            prelude(binary),
            f"{comment(_PROOFS)}\n",
            *proofs,
            assumed,
        )
    )


def _paragraph(lines: Iterable[str]) -> str:
    """Return lines of a comment, each filled."""
    return "\n   ".join(fill(line, _WIDTH, initial_indent="", subsequent_indent="     ") for line in lines)


def theorem_parts(theorem: str) -> tuple[str, str]:
    """Return the statement of a theorem, and its data with its proof."""
    statement, _, proof = theorem.partition(_SPLIT)
    return statement, proof


def theorem_text(proof: Proof) -> str:
    """Return a theorem: its statement, the data of its proof, and the proof."""
    return f"{_statement_section(proof.statement)}{_SPLIT}{_theorem_section(proof)}"


def _statement_section(statement: Statement) -> str:
    """Return the statement, as the definition of a proposition about any ring."""
    return (
        f"Section Statement.\n{template('binary_ring' if statement.binary else 'ring')}\n"
        f"Definition {statement.name}_statement : Prop :=\n"
        f"  ring_theory zero one add mul sub opp (@eq Elt) ->{' 1 + 1 = 0 ->' if statement.binary else ''}\n"
        f"{statement.text()}End Statement.\n"
    )


def _theorem_section(proof: Proof) -> str:
    """Return the data of a proof, and the theorem that it proves."""
    statement = proof.statement
    data = _Data(proof)
    name, binary = statement.name, statement.binary
    premises = [f"E{number}" for number in range(1, len(statement.equations) + 1)]
    unique = _apart(premises, statement.names)
    intros: list[str] = []
    place = 0
    for line in statement.lines:
        intros += line.names
        if line.equation:
            intros.append(unique[place])
            place += 1
    coefficients = "bits" if binary else "integers"
    laws = "ring_laws two_is_zero" if binary else "ring_laws"
    values = "; ".join(data.order)
    proofs = "".join(f"(conj {premise} " for premise in unique[:-1]) + unique[-1] + ")" * (len(unique) - 1)
    arguments = f"{_RING} {laws} [{values}] {' '.join(f'Data_{name}.{part}' for part in _PARTS)} _ {proofs}"
    return (
        f"Module Data_{name}.\n{data.text()}End Data_{name}.\n\n"
        f"Theorem {name} :\n"
        f"  forall (Elt : Type) (zero one : Elt) (add mul sub : Elt -> Elt -> Elt) (opp : Elt -> Elt),\n"
        f"  {name}_statement {_RING}.\n"
        f"Proof.\nintros {_RING}. unfold {name}_statement.\n"
        f"{_filled(f'intros {laws} {chr(32).join(intros)}.')}\n"
        f"{_filled(f'refine (checked_by_{coefficients} {arguments}).')}\n"
        "vm_cast_no_check (eq_refl true).\nQed.\n"
    )


def _filled(text: str) -> str:
    """Return a text in lines."""
    return fill(text, _WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def _apart(names: Iterable[str], taken: Sequence[str]) -> list[str]:
    """Return names that are not taken."""
    found = []
    for name in names:
        free = name
        while free in taken:
            free += "_"
        found.append(free)
    return found


class _Data:
    """Polynomials and steps as terms of Rocq."""

    def __init__(self, proof: Proof) -> None:
        self._proof, statement = proof, proof.statement
        self._binary = statement.binary
        own = set(statement.names)
        free = [name for name in proof.generators if name in own]
        self.order = [*free, *(name for name in statement.names if name not in free)]
        self._index = {name: place for place, name in enumerate(self.order, start=1)}
        self._powers = proof.generators
        self._hypotheses = len(statement.equations)

    def text(self) -> str:
        """Return the definitions of the data; no name of theirs is that of a type."""
        proof, statement = self._proof, self._proof.statement
        of = "bit" if self._binary else "integer"
        names = [f"Local Notation {name} := ({of}_name {place})." for name, place in self._index.items()]
        expression, equation = f"{of}_expression", f"{of}_equation"
        kinds = {
            "bases": (f"list {expression}", map(self._polynomial, proof.bases)),
            "hypotheses": (f"list {equation}", map(self._equation, statement.equations)),
            "steps": (f"list {of}_step", map(self._step, proof.steps)),
            "goals": (f"list {equation}", (self._equation(claim.equation) for claim in statement.claims)),
            "reasons": (f"list {of}_reason", map(self._reason, proof.reasons)),
        }
        found = [*_rows(names)]
        for name, (kind, values) in kinds.items():
            found.append(f"Definition {name} : {kind} := {_list(values)}.")
        return "".join(f"{line}\n" for line in found)

    def _polynomial(self, polynomial: Polynomial) -> str:
        """Write a polynomial as an expression."""
        terms = []
        for exponents, number in sorted(polynomial.dict().items(), reverse=True):
            value = int(number)
            powers = [f"{n}^{e}" if e > 1 else n for n, e in zip(self._powers, exponents, strict=False) if e]
            if abs(value) != 1 or not powers:
                powers.insert(0, str(abs(value)) if abs(value) == 1 else f"#{abs(value)}")
            terms.append(("+" if value > 0 else "-", "*".join(powers)))
        text = _sum(terms) if terms else "0"
        return text if re.fullmatch(r"[A-Za-z_]\w*", text) else f"({text})%data"

    def _equation(self, equation: Equation) -> str:
        left, right = (expression_text(side, binary=self._binary) for side in (equation.left, equation.right))
        return f"({left}, {right})%data"

    def _number(self, equation: int) -> int:
        return self._hypotheses - 1 - equation if equation < 0 else equation

    def _cofactors(self, cofactors: Cofactors) -> str:
        return _row(f"({number}, {self._polynomial(q)})" for number, q in cofactors)

    def _reason(self, reason: Reason) -> str:
        rules = _row(map(self._rule, reason.rules))
        return f"Reason {_exponents(reason.multiplied)} {rules} {self._cofactors(reason.multiples)}"

    def _rule(self, rule: Rule) -> str:
        (exponents,) = rule.leading.dict()
        powers = (f"({n}, {e})" for n, e in zip(self._powers, exponents, strict=False) if e)
        return f"Rule {rule.zero} {_boolean(rule.opposed)} {_row(powers)}"

    def _shorter(self, shorter: Shorter | None) -> str:
        if shorter is None:
            return "None"
        return f"(Some {self._some(shorter)})"

    def _some(self, shorter: Shorter) -> str:
        cancelled, numerator = _exponents(shorter.cancelled), self._polynomial(shorter.numerator)
        return f"(Shorter {cancelled} {numerator} {self._cofactors(shorter.cofactors)})"

    def _step(self, step: Step) -> str:
        match step:
            case Define(equation, flipped, shorter):
                return f"Define {self._number(equation)} {_boolean(flipped)} {self._shorter(shorter)}"
            case Invert(equation, quotients, exponents, negative, shorter):
                factors = f"{_row(map(self._polynomial, quotients))} {_exponents(exponents)}"
                return f"Invert {equation} {factors} {_boolean(negative)} {self._shorter(shorter)}"
            case Solve(equation, name, exponents, negative, shorter):
                place = f"{self._number(equation)} {self._index[name]}"
                return f"Solve {place} {_exponents(exponents)} {_boolean(negative)} {self._some(shorter)}"
            case Relate(equation, shorter):
                return f"Relate {self._number(equation)} {self._shorter(shorter)}"
            case Combine(cofactors):
                return f"Combine {self._cofactors(cofactors)}"
            case Conclude(equation, reason):
                return f"Claim {self._equation(equation)} ({self._reason(reason)})"
            case Forget(name):
                return f"Forget {self._index[name]}"


def _boolean(value: bool) -> str:
    return "true" if value else "false"


def _exponents(exponents: Exponents) -> str:
    return _row(map(str, exponents))


def _row(values: Iterable[str]) -> str:
    return f"[{'; '.join(values)}]"


def _list(values: Iterable[str]) -> str:
    lines: list[str] = []
    for value in values:
        if lines and len(lines[-1]) + len(value) < _WIDTH:
            lines[-1] += f"; {value}"
        else:
            lines.append(value)
    return "[\n  {}]".format(";\n  ".join(lines)) if lines else "[]"


def _rows(names: Sequence[str]) -> list[str]:
    """Return definitions of names, several on a line."""
    return ["  ".join(names[start : start + 3]) for start in range(0, len(names), 3)]


def _sum(terms: Sequence[tuple[str, str]]) -> str:
    """Write terms with their signs; many are halved, since Rocq's parser takes no sum of thousands."""
    if len(terms) > _MOST_TERMS:
        half = len(terms) // 2
        return f"({_sum(terms[:half])}) + ({_sum(terms[half:])})"
    (sign, first), *others = terms
    return "".join((first if sign == "+" else f"- ({first})", *(f" {s} {term}" for s, term in others)))
