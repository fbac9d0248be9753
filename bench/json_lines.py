"""Figures as JSON that is small and easy to compare: what fits into a line is a line.

python bench/json_lines.py FILE COPY
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

LONGEST = 400


def json_lines(value: object) -> str:
    """Return a document whose longer lists and objects have a line for each member."""
    text = json.dumps(value)
    match value:
        case list() if len(text) > LONGEST:
            members, brackets = [json_lines(each) for each in value], "[]"
        case dict() if len(text) > LONGEST:
            members = [f"{json.dumps(name)}: {json_lines(each)}" for name, each in value.items()]
            brackets = "{}"
        case _:
            return text
    return ",\n".join(members).join((f"{brackets[0]}\n", f"\n{brackets[1]}"))


if __name__ == "__main__":
    source, copy = map(Path, sys.argv[1:])
    figures = json.loads(source.read_text(encoding="utf-8"))
    copy.write_text(json_lines(figures) + "\n", encoding="utf-8")
