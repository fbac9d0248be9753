"""The tables of docs/curves-api.md about functions: this program prints them into the page.

In the page, a comment names the section of the table of exports; its table follows.
"""

import re
from pathlib import Path

from efdgen.generator.exports.export import LANGUAGES, Export, all_exports
from efdgen.verify.routines.known import known

PAGE = Path(__file__).parents[1] / "docs/curves-api.md"
_TABLE = re.compile(r"<!-- exports: (?P<section>\w+) -->\n\n(?P<table>(?:\|.*\n)*)")
_THIRD = {"points": "refuses", "multiplication": "method", "encodings": "refuses", "cosets": "refuses"}
_SPELT = {"c": "C", "rust": "Rust", "python": "Python"}


def printed(text: str) -> str:
    """Return a page with its tables as the table of exports has them."""
    return _TABLE.sub(lambda match: f"{match[0].partition('|')[0]}{table(match['section'])}", text)


def table(section: str) -> str:
    """Return a table of the functions of a section."""
    third = _THIRD[section]
    lines = [f"| function | returns | {third} | in C and Rust |", "|---|---|---|---|"]
    for function in all_exports():
        if function.section == section:
            cells = (f"`{function.call}`", _returns(function), getattr(function, third), known(function))
            lines.append(f"| {' | '.join(cells)} |".replace("|  |", "| |"))
    return "".join(f"{line}\n" for line in lines)


def _returns(function: Export) -> str:
    spelt = " and ".join(_SPELT[language] for language in function.languages)
    return function.returns + ("" if function.languages == LANGUAGES else f" ({spelt})")


if __name__ == "__main__":
    PAGE.write_text(printed(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
