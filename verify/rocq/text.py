"""The text of certificates in Rocq: the statement, the data of its proof, and the theorem."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from efdgen.generator.render.environment import TEMPLATES
from efdgen.verify.rocq.steps import Combine, Conclude, Define, Forget, Invert, Relate, Shorter, Solve
from efdgen.verify.rocq.terms import expression_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from efdgen.generator.language.syntax import Equation
    from efdgen.verify.rocq.prove import Proof
    from efdgen.verify.rocq.statement import Statement
    from efdgen.verify.rocq.steps import Cofactors, Exponents, Polynomial, Step

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


def certificate_text(about: Sequence[str], binary: bool, names: Sequence[str], theorems: Sequence[str]) -> str:
    """Return a certificate: a comment, the statements, the checker, and the theorems with their data."""
    comment = "\n   ".join(about).replace("\n   \n", "\n\n")
    statements, proofs = zip(*map(theorem_parts, theorems), strict=True)
    assumed = "".join(f"Print Assumptions {name}.\n" for name in names)
    return "\n".join(
        (
            f"(* {comment} *)",
            template("libraries"),
            f"(* {_STATED} *)\n",
            *statements,
            f"(* {_CHECKER} *)\n",
            prelude(binary),
            f"(* {_PROOFS} *)\n",
            *proofs,
            assumed,
        )
    )


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
    intros, place = [], 0
    for line in statement.lines:
        intros += line.names
        if line.equation:
            intros.append(unique[place])
            place += 1
    laws = "ring_laws two_is_zero" if binary else "ring_laws"
    values = "; ".join(data.order)
    proofs = "".join(f"(conj {premise} " for premise in unique[:-1]) + unique[-1] + ")" * (len(unique) - 1)
    used = f"{_RING} {laws}\n  [{values}]"
    return (
        f"Module Data_{name}.\n{data.text()}End Data_{name}.\n\n"
        f"Theorem {name} : forall (Elt : Type) (zero one : Elt) (add mul sub : Elt -> Elt -> Elt) (opp : Elt -> Elt),\n"
        f"  {name}_statement {_RING}.\n"
        f"Proof.\nintros {_RING}. unfold {name}_statement.\nintros {laws} {' '.join(intros)}.\n"
        f"refine (checked_by_{'bits' if binary else 'integers'} {used}\n"
        f"  Data_{name}.bases Data_{name}.hypotheses Data_{name}.steps Data_{name}.goals Data_{name}.cofactors\n"
        f"  _ {proofs}).\n"
        "vm_cast_no_check (eq_refl true).\nQed.\n"
    )


def _apart(names: Iterable[str], taken: Sequence[str]) -> list[str]:
    """Return names that are not taken."""
    found = []
    for name in names:
        while name in taken:
            name = f"{name}_"  # noqa: PLW2901
        found.append(name)
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
        """Return the definitions of the data."""
        proof, coefficients = self._proof, "bool" if self._binary else "Z"
        names = [f"Local Notation {name} := (PEX {coefficients} {place})." for name, place in self._index.items()]
        equation = f"(PExpr {coefficients} * PExpr {coefficients})"
        kinds = {
            "bases": (f"list (PExpr {coefficients})", map(self._polynomial, proof.bases)),
            "hypotheses": (f"list {equation}", map(self._equation, proof.statement.equations)),
            "steps": (f"list (step {coefficients})", map(self._step, proof.steps)),
            "goals": (f"list {equation}", (self._equation(claim.equation) for claim in proof.statement.claims)),
            "cofactors": (f"list (list (nat * PExpr {coefficients}))", map(self._cofactors, proof.cofactors)),
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
            product = "*".join(powers)
            sign = " + " if value > 0 else " - "
            terms.append(f"{sign}{product}" if terms else product if value > 0 else f"- ({product})")
        text = "".join(terms) or "0"
        return text if re.fullmatch(r"[A-Za-z_]\w*", text) else f"({text})%data"

    def _equation(self, equation: Equation) -> str:
        left, right = (expression_text(side, binary=self._binary) for side in (equation.left, equation.right))
        return f"({left}, {right})%data"

    def _number(self, equation: int) -> int:
        return self._hypotheses - 1 - equation if equation < 0 else equation

    def _cofactors(self, cofactors: Cofactors) -> str:
        return _row(f"({number}, {self._polynomial(q)})" for number, q in cofactors)

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
            case Conclude(equation, cofactors):
                return f"Claim {self._equation(equation)} {self._cofactors(cofactors)}"
            case Forget(name):
                return f"Forget {self._index[name]}"


def _boolean(value: bool) -> str:
    return "true" if value else "false"


def _exponents(exponents: Exponents) -> str:
    return _row(map(str, exponents))


def _row(values: Iterable[str]) -> str:
    return f"[{'; '.join(values)}]"


def _list(values: Iterable[str]) -> str:
    found = list(values)
    return "[\n  {}]".format(";\n  ".join(found)) if found else "[]"


def _rows(names: Sequence[str]) -> list[str]:
    """Return definitions of names, several on a line."""
    return ["  ".join(names[start : start + 3]) for start in range(0, len(names), 3)]
