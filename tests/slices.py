"""A long sweep in slices: the results of each are written down, and slices that have some are not run again.

    python tests/slices.py NAME 3/48 COMMAND …   run the third of 48 slices
    python tests/slices.py NAME 48 COMMAND …     run all slices that have no result, in order

``{slice}`` in the command becomes the slice. Its output is printed as it comes, and kept in
``build/slices/NAME/3-of-48`` once the slice has passed. The status is that of the first slice that fails.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

RESULTS = Path(__file__).resolve().parents[1] / "build" / "slices"


def parsed(text: str) -> tuple[list[int], int]:
    """Return the numbers of the slices to run, and how many there are in all; raise ValueError for others."""
    first, _, last = text.rpartition("/")
    count = int(last)
    numbers = [int(first)] if first else list(range(1, count + 1))
    if count < 1 or not all(1 <= number <= count for number in numbers):
        raise ValueError(text)
    return numbers, count


def run(name: str, number: int, count: int, command: list[str]) -> int:
    """Run a slice that has no result yet; return its exit status."""
    result = RESULTS / name / f"{number}-of-{count}"
    if result.exists():
        print(f"{name}, slice {number}/{count}: passed before, {result}", flush=True)
        return 0
    result.parent.mkdir(parents=True, exist_ok=True)
    words = [word.replace("{slice}", f"{number}/{count}") for word in command]
    print(f"{name}, slice {number}/{count}", flush=True)
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        lines = []
        for line in process.stdout or ():
            print(line, end="", flush=True)
            lines.append(line)
    if process.returncode == 0:
        result.write_text("".join(lines), encoding="utf-8")
    return process.returncode


def main(name: str, asked: str, *command: str) -> int:
    try:
        numbers, count = parsed(asked)
    except ValueError:
        print(f"a slice is 3/48, or 48 for all of 48 slices, not {asked!r}", file=sys.stderr)
        return 2
    return next((status for n in numbers if (status := run(name, n, count, [*command]))), 0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
