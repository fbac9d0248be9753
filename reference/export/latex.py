"""The database in LaTeX: a table of each system's costs, a formula as an algorithm, works as citations.

Tables need the packages booktabs and longtable, algorithms algorithm and algpseudocode, both amsmath.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from efdgen.generator.errors import EfdgenError
from efdgen.generator.language.parser import parse_equation
from efdgen.generator.language.syntax import Binary, Equation, Group, Name, Negative, Number
from efdgen.reference.costs import order, per_point, terms

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from efdgen.generator.language.syntax import Expression

RATIOS = {
    "large-S1": "1",
    "large-S0.8": "0.8",
    "large-S0.67": "0.67",
    "binary-S0": "0",
    "binary-S0.2": "0.2",
}
"""S/M of each preset of weights."""

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    **{sign: f"\\{sign}" for sign in "_&%#${}"},
}
_INDEXED = re.compile(r"([A-Za-z]+)([0-9]+)")
_GREEK = {
    "alpha",
    "beta",
    "gamma",
    "delta",
    "lambda",
    "mu",
    "theta",
    "zeta",
    "omega",
    "sigma",
    "rho",
    "epsilon",
}


def latex_files(document: Mapping[str, Any]) -> dict[str, str]:
    """Return a table for each system, an algorithm for each formula, and the bibliography, by path."""
    by_system: dict[str, list[Any]] = {}
    for each in document["formulas"]:
        by_system.setdefault(each["system_id"], []).append(each)
    kinds = {each["id"]: each["title"] for each in document["kinds"]}
    files = {
        f"{system['id']}.tex": table(system, by_system.get(system["id"], []), kinds, document["efdgen"])
        for system in document["systems"]
    }
    files |= {
        f"{each['id']}.tex": algorithm(each, kinds, document["efdgen"]) for each in document["formulas"]
    }
    return files | {"references.bib": bibliography(document)}


def bibliography(document: Mapping[str, Any]) -> str:
    """Return all works in BibTeX."""
    return "\n".join(each["bibtex"] for each in document["sources"])


def table(
    system: Mapping[str, Any], formulas: Iterable[Mapping[str, Any]], kinds: Mapping[str, str], version: str
) -> str:
    """Return a system's proved formulas by operation, the cheapest first, with their works as citations."""
    groups: dict[str, list[Any]] = {}
    for each in sorted((each for each in formulas if each["verdict"] == "proved"), key=order):
        groups.setdefault(each["kind"], []).append(each)
    presets: list[str] = next(([*each["weights"]] for rows in groups.values() for each in rows), [])
    head = " & ".join(["Formula", "Assuming", "Cost", *(f"${RATIOS[name]}$" for name in presets)]) + r" \\"
    caption = f"Costs in {escaped(system['title'])}, with weights in multiplications for ratios S/M"
    lines = [
        f"% {system['id']}, written by efdgen {version}; needs amsmath, booktabs, longtable, references.bib",
        rf"\begin{{longtable}}{{@{{}}lll{'r' * len(presets)}@{{}}}}",
        rf"\caption{{{caption}}}\label{{tab:{system['id'].replace('/', ':')}}}\\",
        *(r"\toprule", head, r"\midrule", r"\endfirsthead", r"\toprule", head, r"\midrule", r"\endhead"),
        *(r"\bottomrule", r"\endlastfoot"),
    ]
    for number, (kind, rows) in enumerate(sorted(groups.items())):
        lines += [r"\addlinespace"] * bool(number)
        lines.append(rf"\multicolumn{{{3 + len(presets)}}}{{@{{}}l}}{{\emph{{{escaped(kinds[kind])}}}}}\\")
        lines += [_row(each) for each in rows]
    return "\n".join([*lines, r"\end{longtable}", ""])


def algorithm(formula: Mapping[str, Any], kinds: Mapping[str, str], version: str) -> str:
    """Return a formula's steps as an algorithm, with its cost as published and its works in the caption."""
    verdict = (
        f"proved for {formula['characteristic']}" if formula["verdict"] == "proved" else formula["verdict"]
    )
    caption = f"{escaped(formula['name'])}: {escaped(kinds[formula['kind']])}, {escaped(formula['system'])}"
    program = formula["program"]
    inputs = [name(line.split()[1]) for line in program if line.startswith("input ")]
    outputs = [name(line.split()[1]) for line in program if line.startswith("output ")]
    assumed = (
        f" with ${', '.join(map(mathematics, formula['assumptions']))}$" if formula["assumptions"] else ""
    )
    lines = [
        f"% {formula['id']}, {verdict}, written by efdgen {version}; needs algorithm, algpseudocode, amsmath",
        r"\begin{algorithm}",
        rf"\caption{{{caption}, {cost(formula['cost'])}{_cited(formula)}}}"
        rf"\label{{alg:{formula['id'].replace('/', ':')}}}",
        r"\begin{algorithmic}[1]",
        rf"\Require ${', '.join(inputs)}${assumed}",
        rf"\Ensure ${', '.join(outputs)}$, where ${', '.join(map(mathematics, formula['laws']))}$",
        *map(_step, formula["equations"]),
        rf"\State \Return ${', '.join(outputs)}$",
        *(r"\end{algorithmic}", r"\end{algorithm}", ""),
    ]
    return "\n".join(lines)


def _step(text: str) -> str:
    """Return a line of an algorithm: an assignment, or a hint, a check or a guard in words."""
    word, _, rest = text.partition(" ")
    if word == "hint":
        return rf"\Require ${mathematics(rest)}$"
    if word == "check":
        return rf"\State check ${mathematics(rest)}$"
    if word == "guard":
        return rf"\State check ${name(rest)} \ne 0$"
    target, _, value = text.partition(" = ")
    return rf"\State ${name(target)} \gets {mathematics(f'0 == {value}').removeprefix('0 = ')}$"


def _row(formula: Mapping[str, Any]) -> str:
    assumed = ", ".join(f"${mathematics(each)}$" for each in formula["own_assumptions"]) or "--"
    weights = [f"{float(Fraction(each)):.2f}".rstrip("0").rstrip(".") for each in formula["weights"].values()]
    named = rf"\texttt{{{escaped(formula['name'])}}}{_cited(formula)}"
    return " & ".join([named, assumed, cost(formula["emitted"]), *weights]) + r" \\"


def _cited(formula: Mapping[str, Any]) -> str:
    keys = [key for key in formula["citations"] if re.fullmatch(r"[\w+.:/-]+", key)]
    return rf"~\cite{{{','.join(keys)}}}" if keys else ""


def cost(fields: Mapping[str, Any]) -> str:
    """Return a cost in mathematics: products by a as m_a, cubes as C_3, additions as add."""

    def term(unit: str, number: int) -> str:
        if unit.startswith("^"):
            return rf"{number}\mathbf{{C}}_{{{unit[1:]}}}"
        if unit.startswith("*"):
            return rf"{number}\mathbf{{m}}_{{{name(unit[1:])}}}"
        return rf"{number}\mathbf{{{unit}}}"

    each = " + ".join(term(*each) for each in terms(fields)) or "0"
    length = per_point(fields)
    return rf"${length}({each}) + 1\mathbf{{I}} - 3\mathbf{{M}}$" if length else f"${each}$"


def mathematics(text: str) -> str:
    """Return an equation or a law of the database in mathematics, an unreadable text in a box."""
    of_image = "image of " in text
    try:
        found = _equation(parse_equation(text.replace("image of ", "")))
    except EfdgenError:
        return rf"\text{{{escaped(text)}}}"
    return found.replace(" = ", r" = \phi(", 1) + ")" if of_image else found


def _equation(found: Equation) -> str:
    return f"{_expression(found.left)} = {_expression(found.right)}"


def _expression(found: Expression) -> str:
    match found:
        case Number(value):
            return str(value)
        case Name(text):
            return name(text)
        case Group(inner):
            return f"({_expression(inner)})"
        case Negative(inner):
            return f"-{_expression(inner)}"
        case Binary("^", left, right):
            return f"{{{_expression(left)}}}^{{{_expression(right)}}}"
        case Binary("/", left, right):
            return rf"\frac{{{_expression(_bare(left))}}}{{{_expression(_bare(right))}}}"
        case Binary("*", left, right):
            return rf"{_expression(left)} \cdot {_expression(right)}"
        case Binary(operator, left, right):
            return f"{_expression(left)} {operator} {_expression(right)}"
    raise TypeError(found)


def _bare(found: Expression) -> Expression:
    """Return an expression without parentheses around it."""
    return found.inner if isinstance(found, Group) else found


def name(text: str) -> str:
    """Return a name in mathematics: a24 with an index, several letters upright, Greek as signs."""
    match = _INDEXED.fullmatch(text)
    letters, index = match.groups() if match else (text, "")
    if letters in _GREEK:
        shown = f"\\{letters}"
    else:
        shown = letters if len(letters) == 1 else rf"\mathrm{{{escaped(letters)}}}"
    return shown + (f"_{{{index}}}" if index else "")


def escaped(text: str) -> str:
    """Return a text without signs that LaTeX reads as commands, on one line."""
    return "".join(_SPECIAL.get(sign, sign) for sign in " ".join(text.split()))
