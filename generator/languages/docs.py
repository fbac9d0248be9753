"""Comments of routines: commands in the source, statements about a function in languages that expect them.

The first line of a comment is a command. Its verbs are its first word, and words after a comma or a
conjunction. An unknown word there may be a verb and is refused, so that no verb keeps its form. Further lines
state facts.
"""

from __future__ import annotations

import re

from efdgen.generator.errors import EfdgenError

VERBS = frozenset(
    [
        "add",
        "assign",
        "double",
        "exchange",
        "make",
        "multiply",
        "negate",
        "read",
        "recode",
        "reduce",
        "replace",
        "return",
        "subtract",
        "swap",
        "write",
    ]
)
# Words after a comma or a conjunction that are not verbs; some are participles and plurals.
_OTHERS = re.compile(
    r"an?|as|at|below|both|by|each|else|for|from|given|if|in|is|it|modulo|more|nothing|odd|of|one|otherwise|so"
    r"|the|to|where|whether|which|whose|without|.*[^e]ed|.*[^s]s"
)
_LINKS = r"(?:and|but|or|then)\b"
_JOINED = re.compile(rf"(, (?:{_LINKS} )?|\b{_LINKS} )(?!{_LINKS})([a-z]{{2,}})\b(?![\[(*/^])")


def third_person(doc: str) -> str:
    """Return the statement for a command.

    Raises :class:`EfdgenError` for a comment that is not a command, and for a word that may be a verb.
    """
    line, *facts = doc.split("\n")
    first, space, rest = line.partition(" ")
    if not first[:1].isupper() or first.lower() not in VERBS:
        raise EfdgenError(f"the comment {line!r} does not start with a known verb")
    if command := next((fact for fact in facts if fact.partition(" ")[0].lower() in VERBS), ""):
        raise EfdgenError(f"the comment {command!r} is a second command")

    def joined(found: re.Match[str]) -> str:
        word = found[2]
        if word in VERBS:
            return f"{found[1]}{_inflected(word)}"
        if _OTHERS.fullmatch(word):
            return found[0]
        raise EfdgenError(f"the comment {line!r} has {word!r} after {found[1].strip()!r}; is it a verb?")

    return "\n".join([f"{_inflected(first)}{space}{_JOINED.sub(joined, rest)}", *facts])


def _inflected(verb: str) -> str:
    """Return the third person of a verb."""
    if re.search(r"[^aeiou]y$", verb):
        return f"{verb[:-1]}ies"
    return f"{verb}{'es' if verb.endswith(('s', 'sh', 'ch', 'x', 'o')) else 's'}"


def about_self(comment: str, parameter: str) -> str:
    """Return the comment on a method in Rust, whose first parameter is called ``self`` there.

    Raises :class:`EfdgenError` where the name is a word, or denotes a prime.
    """
    if parameter in ("a", "i") or re.search(rf"\b(?:modulo|prime) {parameter}\b|GF\({parameter}\)", comment):
        raise EfdgenError(f"the comment {comment!r} has {parameter} for another thing than a parameter")
    return re.sub(rf"\b{parameter}\b", "self", comment)
