"""Names that certificates use for something else: words of Rocq's grammar, and names of the checker."""

from __future__ import annotations

import re
from functools import cache

from efdgen.generator.text.environment import TEMPLATES

_WORDS = frozenset(
    [
        *("Axiom", "CoFixpoint", "Definition", "False", "Fixpoint", "Hypothesis", "IF", "Parameter", "Prop"),
        *("SProp", "Set", "Theorem", "Type", "Variable", "as", "at", "by", "cofix", "conj", "else", "end"),
        *("eq", "eq_refl", "exists", "exists2", "fix", "for", "forall", "fun", "if", "in", "lazymatch"),
        *("let", "match", "mod", "multimatch", "nil", "return", "then", "using", "where", "with"),
    ]
)
# Shorter names of the checker are variables; statements do not see them.
_SHORTEST = 3


@cache
def reserved() -> frozenset[str]:
    """Return the names that a statement cannot introduce."""
    parts = (path.read_text(encoding="utf-8") for path in (TEMPLATES / "rocq").glob("*.v"))
    code = (re.sub(r"\(\*.*?\*\)", "", part, flags=re.S) for part in parts)
    names = {name for part in code for name in re.findall(r"[A-Za-z_]\w*", part)}
    return _WORDS | {name for name in names if len(name) >= _SHORTEST}
