"""A random choice of words, another one in each run.

    python tests/draw.py COUNT WORD…   print COUNT of the words in one line, and the seed on standard error

EFDGEN_TEST_SEED repeats a draw.
"""

from __future__ import annotations

import os
import random
import sys


def drawn(count: int, words: list[str], seed: str) -> list[str]:
    """Return ``count`` of some words, in their order; all of them if there are fewer."""
    kept = random.Random(f"{seed} {words}").sample(range(len(words)), min(count, len(words)))
    return [words[at] for at in sorted(kept)]


def main(count: str, *words: str) -> int:
    seed = os.environ.get("EFDGEN_TEST_SEED") or f"{random.randrange(2**32)}"
    found = drawn(int(count), [*words], seed)
    print(*found)
    print(f"drawn with EFDGEN_TEST_SEED={seed}: {' '.join(found)}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
