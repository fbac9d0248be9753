"""Functions of C texts that have no comment before them."""

import re

_DEFINITION = re.compile(r"(?!typedef|struct|union|enum|else)[A-Za-z_].*\) \{$")


def uncommented(text: str) -> list[str]:
    """Return the heads of the functions of a C text that no comment stands before."""
    found, block = [], [""]
    for line in text.splitlines():
        if _DEFINITION.match(line) and not any(before.endswith("*/") for before in block):
            found.append(line)
        ended = not line.strip() or line.startswith(("}", "#endif"))
        block = [] if ended else [*block, line]
    return found
